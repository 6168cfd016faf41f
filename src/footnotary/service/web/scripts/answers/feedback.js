// Feedback on an answer: a rating, and a comment for the reviewer.

import { announce } from "../shared/announce.js";
import { path, post } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";

export function feedback(answerId) {
  const box = h("div", { class: "feedback", role: "group", "aria-label": "Your rating" });
  const rate = (rating, label) => h("button", { type: "button", class: "link", "aria-pressed": "false", on: { click: () => ask(box, answerId, rating) } }, label);
  return fill(box, rate("up", "Helpful"), rate("down", "Not right"));
}

function ask(box, answerId, rating) {
  const comment = h("input", { type: "text", maxlength: 2000, "aria-label": "Comment", placeholder: rating === "up" ? "What helped? (optional)" : "What is wrong? (optional)" });
  const form = h("form", { class: "feedback-form" }, comment, h("button", { type: "submit" }, "Send"));
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    try {
      await post(path`/v1/answers/${answerId}/feedback`, { rating, ...(comment.value.trim() ? { comment: comment.value.trim() } : {}) });
      fill(box, h("span", { class: "muted" }, "Thank you. Your rating is stored with the answer."));
      announce("Thank you. Your rating is stored with the answer.");
    } catch (error) {
      fill(box, h("span", { class: "muted" }, error.message));
    }
  });
  fill(box, form);
  comment.focus();
}
