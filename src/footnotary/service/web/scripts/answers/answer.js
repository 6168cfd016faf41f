// An answer on the page: sentences with footnotes, each with its verdicts, and the list of footnotes below.

import { announce } from "../shared/announce.js";
import { blob } from "../shared/api.js";
import { fill, h, save } from "../shared/dom.js";
import { feedback } from "./feedback.js";
import { asText, footnotes, sourceName, standing } from "./footnotes.js";
import { quotedNotice } from "./rejected.js";
import { openSource } from "./source.js";
import { t } from "../shared/texts.js";
import { claimVerdicts, wholeVerdicts } from "./verdicts.js";
import { count } from "../shared/words.js";

/** Everything below the question of one entry. `partial` while sentences are still arriving. */
export function answerView(outcome, { id = null, bundle = null, partial = false, withheld = null } = {}) {
  const notes = footnotes(outcome);
  const open = (note, from) => openSource(notes, note.number - 1, from);
  const language = outcome.query_analysis?.language;
  return [
    quotedNotice(outcome, bundle),
    h("div", { class: "claims", lang: language, dir: "auto" }, outcome.claims.map((claim, index) =>
      h("div", { class: "claim", "data-claim": index },
        h("p", { dir: "auto" }, body(claim.text), notes.filter((n) => n.claims.has(index)).map((n) => numeral(n, open))),
        claimVerdicts(outcome.verdicts ?? [], index)))),
    withheld ? h("p", { class: "notice notice-warn" }, t("The next sentence is not supported by its source. It and the rest of the answer are withheld; the sentences above are verified.")) : null,
    conflicts(outcome),
    h("section", { class: "notes", "aria-label": t("Footnotes") }, h("ol", {}, notes.map((note) => noteLine(note, open)))),
    partial ? null : h("div", { class: "after" },
      wholeVerdicts(outcome.verdicts ?? [], t("Checks on the whole answer")),
      h("div", { class: "actions" },
        h("button", { type: "button", class: "link", on: { click: () => copy(outcome, notes) } }, t("Copy with footnotes")),
        bundle ? h("button", { type: "button", class: "link", on: { click: (e) => download(e.target, bundle, id) } }, t("Evidence bundle")) : null,
        id ? feedback(id) : null)),
  ];
}

/** The answer as text, for the screen reader announcement. */
export function answerSummary(outcome) {
  const notes = footnotes(outcome).length;
  const said = t("Answered in {sentences} with {footnotes}.", { sentences: count(outcome.claims.length, "one sentence", "% sentences"), footnotes: count(notes, "one footnote", "% footnotes") });
  return `${said} ${outcome.claims.map((c) => c.text).join(" ")}`;
}

/** Two passages that disagree, side by side. */
export function conflicts(outcome) {
  if (!outcome.conflicts?.length) return null;
  return h("section", { class: "conflicts", "aria-label": t("Sources that disagree") }, h("h3", {}, t("The sources disagree")),
    outcome.conflicts.map((conflict) => h("div", { class: "conflict" }, ["a", "b"].map((side) =>
      h("figure", {}, h("blockquote", { dir: "auto" }, conflict[`quote_${side}`]), h("figcaption", {}, conflict[`id_${side}`]))))));
}

function body(text) {
  return h("span", { class: "words" }, text);
}

function numeral(note, open) {
  const label = t("Footnote {number}: {source}", { number: note.number, source: sourceName(note.source, note.citation) });
  return h("sup", {}, h("button", { type: "button", class: "numeral", "data-note": note.number, "aria-label": label, "aria-haspopup": "dialog", on: { click: (e) => open(note, e.currentTarget) } }, note.number));
}

function noteLine(note, open) {
  const name = sourceName(note.source, note.citation);
  return h("li", { class: "note", value: note.number },
    h("button", { type: "button", class: "note-open", "data-note": note.number, "aria-haspopup": "dialog", on: { click: (e) => open(note, e.currentTarget) } },
      h("span", { class: "note-number", "aria-hidden": "true" }, note.number),
      h("span", { class: "note-body" },
        h("span", { class: "note-name", dir: "auto" }, name),
        " ", h("span", { class: "note-id" }, note.citation.id),
        standing(note.citation.validity),
        note.citation.quote ? h("span", { class: "note-quote", dir: "auto" }, `“${note.citation.quote}”`) : null,
        note.citation.unsupporting ? h("span", { class: "badge" }, t("redundant")) : null)));
}

async function copy(outcome, notes) {
  const sentences = outcome.claims.map((claim, index) => {
    const numbers = notes.filter((n) => n.claims.has(index)).map((n) => `[${n.number}]`).join("");
    return `${claim.text} ${numbers}`;
  });
  const below = notes.map((n) => `[${n.number}] ${asText(n, sourceName(n.source, n.citation))}`);
  try {
    await navigator.clipboard.writeText(`${sentences.join(" ")}\n\n${below.join("\n")}\n`);
    announce(t("Copied the answer with its footnotes."));
  } catch {
    announce(t("The browser does not allow copying."));
  }
}

async function download(button, bundle, id) {
  button.disabled = true;
  try {
    save(`${id ?? "answer"}.bundle.json`, await blob(bundle));
    announce(t("The evidence bundle was saved."));
  } catch (error) {
    fill(button, `${t("Evidence bundle")}: ${error.message}`);
  } finally {
    button.disabled = false;
  }
}
