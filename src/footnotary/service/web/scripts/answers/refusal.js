// A refusal on the page, for people: the exact message, what is missing, and the nearest passages. Numbers are details.

import { announce } from "../shared/announce.js";
import { conflicts } from "./answer.js";
import { get, path, post } from "../shared/api.js";
import { disclosure, fill, h } from "../shared/dom.js";
import { feedback } from "./feedback.js";
import { sourceName, standing } from "./footnotes.js";
import { openSource } from "./source.js";
import { t } from "../shared/texts.js";
import { wholeVerdicts } from "./verdicts.js";
import { reason, reasonName } from "../shared/words.js";

const FURTHER = 20;
// A score, a probability or a count of sources: true, and no help to a reader.
const FIGURES = /\d[.,]\d|\b(?:score|scores|probability|threshold)\b|: \d/;

export function refusalView(outcome, { id = null, partial = false } = {}) {
  const [title, why, todo] = reason(outcome.refusal_reason).map((text) => t(text));
  const needed = outcome.needed ?? {};
  const nearest = h("div", { class: "nearest" });
  if (!partial) showNearest(nearest, outcome);
  return [
    h("p", { class: "refusal-message", dir: "auto", lang: outcome.query_analysis?.language }, outcome.answer),
    h("div", { class: "why" },
      h("h3", {}, title),
      h("p", {}, why),
      h("dl", { class: "missing" },
        row(t("Missing"), needed.facet),
        row(t("Because"), needed.missing),
        h("dt", {}, t("What you can do")), h("dd", {}, todo))),
    conflicts(outcome),
    nearest,
    partial ? null : h("div", { class: "after" }, details(outcome), h("div", { class: "actions" }, id ? feedback(id) : null)),
  ];
}

function row(name, text) {
  return text && !FIGURES.test(text) ? [h("dt", {}, name), h("dd", { dir: "auto" }, t(capitalized(text)))] : null;
}

/** What an engineer asks: the code, the figures, and every check. */
function details(outcome) {
  const measured = outcome.needed?.detail;
  return disclosure(t("Details"), "verdicts refusal-details",
    h("dl", { class: "facts" },
      h("dt", {}, t("Reason")), h("dd", {}, h("code", { class: "reason" }, outcome.refusal_reason), ` (${reasonName(outcome.refusal_reason)})`),
      measured ? [h("dt", {}, t("Measured")), h("dd", { dir: "auto" }, measured)] : null),
    wholeVerdicts(outcome.verdicts ?? [], t("Checks"), { all: true }));
}

async function showNearest(into, outcome) {
  const ids = outcome.needed?.nearest ?? [];
  if (!ids.length) {
    if (outcome.refusal_reason !== "collection_not_found") fill(into, further(into, outcome));
    return;
  }
  const found = await Promise.all(ids.map((id) => get(path`/v1/projects/${outcome.project}/sources/${id}`).catch(() => ({ id }))));
  const notes = found.map((source) => ({ project: outcome.project, citation: { id: source.id, quote: "", document: source.document, page: source.page }, source }));
  fill(into, h("h3", {}, t("Nearest passages")), h("p", { class: "muted" }, t("These passages do not answer the question. They are shown so that you can check.")), passages(notes), further(into, outcome));
}

function further(into, outcome) {
  return h("button", { type: "button", class: "further", on: { click: (e) => look(e.currentTarget, into, outcome) } }, t("Show more passages"));
}

/** More passages, by retrieval only: nothing is generated or claimed. */
async function look(button, into, outcome) {
  button.disabled = true;
  try {
    const found = await post("/v1/retrieve", { query: outcome.query, project: outcome.project, profile: outcome.profile, k: FURTHER });
    const notes = found.results.map((source) => ({
      project: outcome.project,
      source,
      citation: { id: source.semantic_id, quote: "", document: source.metadata?.filename, page: source.page, confidence: source.score, validity: source.validity },
    }));
    const list = passages(notes);
    fill(into, h("h3", {}, notes.length ? t("The closest passages") : t("No passages")),
      h("p", { class: "muted" }, notes.length ? t("Found by search only, closest first. None of them is a verified answer.") : t("The search found no passage for this question.")), list);
    list.querySelector("button")?.focus({ preventScroll: true });
    announce(t("{number} passages, closest first.", { number: notes.length }));
  } catch (error) {
    fill(button, error.message);
  } finally {
    button.disabled = false;
  }
}

function passages(notes) {
  return h("ul", { class: "passages" }, notes.map((note, index) => h("li", {},
    h("button", { type: "button", class: "passage-open", "aria-haspopup": "dialog", on: { click: (e) => openSource(notes, index, e.currentTarget) } },
      h("span", { class: "note-name", dir: "auto" }, sourceName(note.source, note.citation)),
      " ", h("span", { class: "note-id" }, note.citation.id), standing(note.citation.validity),
      note.source?.text ? h("span", { class: "excerpt", dir: "auto" }, excerpt(note.source.text)) : null))));
}

function excerpt(text) {
  const points = Array.from(text.replace(/\s+/g, " ").trim());
  return points.length > 220 ? `${points.slice(0, 220).join("").replace(/\s\S*$/, "")} …` : points.join("");
}

function capitalized(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}
