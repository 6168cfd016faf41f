// The review queue: rejected drafts and disputed answers.

import { announce } from "../shared/announce.js";
import { blob, get, path, post } from "../shared/api.js";
import { disclosure, fill, h, save, withMarks } from "../shared/dom.js";
import { may } from "../shared/session.js";
import { claimVerdicts } from "../answers/verdicts.js";
import { t } from "../shared/texts.js";
import { count, moment, reasonName } from "../shared/words.js";

export function showReview(into) {
  const list = h("div", { class: "cases" });
  const exported = h("button", { type: "button", on: { click: () => download(exported) } }, t("Export as evaluation data"));
  fill(into, h("div", { class: "view-head" },
    h("div", {}, h("h1", { id: "review-title" }, t("Review")), h("p", { class: "lead" }, t("Drafts that did not pass the checks, and answers that a reader disputes. Reviewing a draft does not deliver it."))),
    may("admin") ? h("div", { class: "head-actions" }, exported) : null), list);
  if (may("admin")) cases(list, 0);
  else fill(list, h("p", { class: "empty" }, t("Only an admin of this tenant can review cases.")));
}

async function cases(list, after) {
  let found;
  try {
    found = await get(path`/v1/review?after=${after}`);
  } catch (error) {
    return void fill(list, h("p", { class: "notice" }, error.message));
  }
  if (!found.reviews.length && !after) return void fill(list, h("p", { class: "empty" }, t("No case is waiting for a decision.")));
  list.append(...found.reviews.map(line));
  if (found.next) {
    const more = h("button", { type: "button", class: "further", on: { click: () => { more.remove(); cases(list, found.next); } } }, t("More cases"));
    list.append(more);
  }
}

function line(one) {
  const title = one.kind === "rejected_draft" ? t("Draft rejected: {why}", { why: reasonName(one.reason ?? "") }) : t("Answer disputed");
  const body = h("div", { class: "case-body" });
  const box = disclosure([h("span", { class: "badge badge-warn" }, title), t(" No. {number}, {when}", { number: one.seq, when: moment(one.at) })], "case", body);
  box.addEventListener("toggle", () => { if (box.open && !body.hasChildNodes()) show(one, box, body); });
  return box;
}

async function show(one, box, body) {
  let found;
  try {
    found = await get(path`/v1/review/${one.id}`);
  } catch (error) {
    return void fill(body, h("p", { class: "notice" }, error.message));
  }
  const wasDelivered = found.delivered;
  const left = found.released_claims ?? 0;
  const withheld = left ? count(left, "The first claim was delivered; the rest was withheld", "The first % claims were delivered; the rest was withheld") : t("Withheld: not delivered");
  fill(body,
    h("h2", { class: "question", dir: "auto" }, found.question ?? t("The question was not stored.")),
    h("div", { class: `draft ${wasDelivered ? "" : "is-withheld"}` },
      h("p", { class: "small-caps" }, wasDelivered ? t("Delivered, and disputed") : withheld),
      found.claims.map((claim, index) => h("div", { class: "claim" },
        h("p", { dir: "auto" }, withMarks(claim.text, unsupported(found, index)), h("span", { class: "note-id" }, ` ${(claim.cites ?? []).join(", ")}`)), claimVerdicts(found.verdicts, index)))),
    found.passages.length ? disclosure(count(found.passages.length, "The passage it was written from", "The % passages it was written from"), "verdicts",
      found.passages.map((passage) => h("figure", { class: "case-passage" }, h("figcaption", { class: "note-id" }, passage.id), h("p", { dir: "auto" }, passage.text)))) : null,
    decision(one, box));
}

function unsupported(found, index) {
  return (found.unsupported_words ?? []).filter((words) => words.claim === index).map((words) => words.span);
}

function decision(one, box) {
  const note = h("input", { type: "text", maxlength: 4000, "aria-label": t("Note"), placeholder: t("Note (optional)") });
  const said = h("p", { class: "field-error", role: "alert" });
  const decide = (label, answer) => h("button", { type: "button", on: { click: () => settle(answer) } }, label);
  async function settle(answer) {
    try {
      await post(path`/v1/review/${one.id}`, { ...answer, ...(note.value.trim() ? { note: note.value.trim() } : {}) });
    } catch (error) {
      return void fill(said, error.message);
    }
    announce(t("Decided."));
    box.replaceWith(h("p", { class: "muted case-done" }, t("No. {number} is decided.", { number: one.seq })));
  }
  return h("div", { class: "decision" }, note, h("div", { class: "head-actions" },
    decide(t("Not supported"), { state: "kept", supported: false }),
    decide(t("Supported"), { state: "kept", supported: true }),
    decide(t("Dismiss"), { state: "dismissed" })), said);
}

async function download(button) {
  try {
    save("feedback.jsonl", await blob("/v1/feedback/export"));
    announce(t("The evaluation data was saved."));
  } catch (error) {
    fill(button, error.message);
  }
}
