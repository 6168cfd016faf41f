// Feedback on an answer: a rating, and a comment for the reviewer.

import { announce } from "../shared/announce.js";
import { path, post } from "../shared/api.js";
import { t } from "../shared/texts.js";
import { fill, h } from "../shared/dom.js";

export function feedback(answerId) {
  const box = h("div", { class: "feedback", role: "group", "aria-label": t("Your rating") });
  const rate = (rating, label) => h("button", { type: "button", class: "link", "aria-pressed": "false", on: { click: () => ask(box, answerId, rating) } }, label);
  return fill(box, rate("up", t("Helpful")), rate("down", t("Not right")));
}

function ask(box, answerId, rating) {
  const comment = h("input", { type: "text", maxlength: 2000, "aria-label": t("Comment"), placeholder: rating === "up" ? t("What helped? (optional)") : t("What is wrong? (optional)") });
  const form = h("form", { class: "feedback-form" }, comment, h("button", { type: "submit" }, t("Send")));
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    try {
      await post(path`/v1/answers/${answerId}/feedback`, { rating, ...(comment.value.trim() ? { comment: comment.value.trim() } : {}) });
      fill(box, h("span", { class: "muted" }, t("Thank you. Your rating is stored with the answer.")));
      announce(t("Thank you. Your rating is stored with the answer."));
    } catch (error) {
      fill(box, h("span", { class: "muted" }, error.message));
    }
  });
  fill(box, form);
  comment.focus();
}
