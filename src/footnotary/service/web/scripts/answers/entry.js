// One turn of the conversation on the page: the question, what it was asked as, and the answer, refusal or failure.

import { answerView } from "./answer.js";
import { fill, h } from "../shared/dom.js";
import { refusalView } from "./refusal.js";
import { t } from "../shared/texts.js";
import { count, day, moment } from "../shared/words.js";

/** The entry of a turn; `edit` and `again` are called with the turn. */
export function entryOf(turn, { edit, again }) {
  const entry = h("article", { class: "entry", tabindex: "-1", "aria-busy": turn.outcome ? null : "true" });
  turn.entry = entry;
  turn.head = h("div", { class: "entry-head" });
  turn.asked = h("p", { class: "asked-as", dir: "auto", hidden: true });
  turn.meta = h("p", { class: "meta" });
  turn.body = h("div", { class: "entry-body" });
  turn.actions = { edit, again };
  fill(entry, turn.head, turn.asked, turn.meta, turn.body);
  draw(turn);
  return entry;
}

/** Draws a turn from what is known of it. */
export function draw(turn) {
  head(turn);
  const { outcome, asOf } = turn;
  const parts = outcome ? [outcome.project, outcome.profile, asOf ? t("as of {day}", { day: day(asOf) }) : null, moment(turn.at)] : [turn.project, turn.profile];
  fill(turn.meta, parts.filter(Boolean).join(" · "));
  turn.asked.hidden = !turn.askedAs;
  fill(turn.asked, turn.askedAs ? [h("span", { class: "asked-label" }, t("Asked as:")), " ", turn.askedAs] : null);
  if (turn.error) failure(turn);
  else if (outcome) result(turn);
}

function head(turn) {
  const question = h("h2", { class: "question", dir: "auto" }, turn.question);
  const isSettled = turn.outcome || turn.error;
  const button = h("button", { type: "button", class: "link edit", "aria-label": t("Edit the question: {question}", { question: turn.question }), on: { click: () => editor(turn) } }, t("Edit"));
  fill(turn.head, question, isSettled ? button : null);
}

function result(turn) {
  const { outcome, withheld } = turn;
  const known = { id: turn.id, bundle: turn.id ? `/v1/answers/${encodeURIComponent(turn.id)}/bundle` : null };
  const isAnswer = outcome.claims.length > 0;
  turn.entry.removeAttribute("aria-busy");
  turn.entry.classList.remove("is-failed");
  turn.entry.classList.add(isAnswer ? "is-answered" : "is-refused");
  fill(turn.body, isAnswer ? answerView(outcome, { ...known, withheld }) : refusalView(outcome, known));
}

function failure(turn) {
  const { error } = turn;
  turn.entry.removeAttribute("aria-busy");
  turn.entry.classList.add("is-failed");
  const again = h("button", { type: "button", class: "further", on: { click: () => turn.actions.again(turn) } }, t("Ask again"));
  fill(turn.body, h("p", { class: "notice" }, failureText(error)), again);
}

export function failureText(error) {
  if (error.name === "AbortError") return t("Stopped. Nothing was delivered.");
  const later = error.retryAfter ? ` ${count(Number(error.retryAfter), "Try again in a second.", "Try again in % seconds.")}` : "";
  return `${t(error.message)}${later}`;
}

/** The question as a field, in its place. What came after it is taken off the page when it is asked again. */
function editor(turn) {
  const field = h("textarea", { rows: 2, maxlength: 2000, "aria-label": t("Edit the question"), spellcheck: "true" });
  field.value = turn.question;
  const hasLater = Boolean(turn.entry.nextElementSibling);
  const close = () => {
    draw(turn);
    turn.head.querySelector(".edit")?.focus();
  };
  const form = h("form", { class: "editor" }, field,
    hasLater ? h("p", { class: "muted" }, t("What was asked after it leaves this conversation; the audit log keeps it.")) : null,
    h("div", { class: "editor-actions" },
      h("button", { type: "submit", class: "primary" }, t("Ask again")),
      h("button", { type: "button", on: { click: close } }, t("Cancel"))));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    if (field.value.trim()) turn.actions.edit(turn, field.value.trim());
  });
  field.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      e.stopPropagation();
      close();
    } else if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
      e.preventDefault();
      form.requestSubmit();
    }
  });
  fill(turn.head, form);
  field.focus();
  field.select();
}
