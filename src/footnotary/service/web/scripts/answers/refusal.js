// A refusal on the page: the exact message, what is missing, the nearest passages, and a button to search further.

import { announce } from "../shared/announce.js";
import { conflicts } from "./answer.js";
import { get, path, post } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { feedback } from "./feedback.js";
import { sourceName, standing } from "./footnotes.js";
import { openSource } from "./source.js";
import { wholeVerdicts } from "./verdicts.js";
import { reason, refusalSentence } from "../shared/words.js";

const FURTHER = 20;

export function refusalView(outcome, { id = null, partial = false } = {}) {
  const [title, why, todo] = reason(outcome.refusal_reason);
  const needed = outcome.needed ?? {};
  const nearest = h("div", { class: "nearest" });
  if (!partial) showNearest(nearest, outcome);
  return [
    h("p", { class: "refusal-message", dir: "auto", lang: outcome.query_analysis?.language }, outcome.answer),
    h("div", { class: "why" },
      h("h3", {}, title),
      h("p", {}, why),
      h("dl", { class: "missing" },
        needed.facet ? [h("dt", {}, "Missing"), h("dd", { dir: "auto" }, capitalized(refusalSentence(needed.facet)))] : null,
        needed.missing ? [h("dt", {}, "Because"), h("dd", { dir: "auto" }, capitalized(refusalSentence(needed.missing)))] : null,
        h("dt", {}, "What you can do"), h("dd", {}, todo))),
    conflicts(outcome),
    nearest,
    partial ? null : h("div", { class: "after" },
      wholeVerdicts(outcome.verdicts ?? [], "Checks", { all: true }),
      h("div", { class: "actions" }, h("code", { class: "reason" }, outcome.refusal_reason), id ? feedback(id) : null)),
  ];
}

async function showNearest(into, outcome) {
  const ids = outcome.needed?.nearest ?? [];
  if (!ids.length) {
    if (outcome.refusal_reason !== "collection_not_found") fill(into, further(into, outcome));
    return;
  }
  const found = await Promise.all(ids.map((id) => get(path`/v1/projects/${outcome.project}/sources/${id}`).catch(() => ({ id }))));
  const notes = found.map((source) => ({ project: outcome.project, citation: { id: source.id, quote: "", document: source.document, page: source.page }, source }));
  fill(into, h("h3", {}, "Nearest passages"), h("p", { class: "muted" }, "These passages do not answer the question. They are shown so that you can check."), passages(notes), further(into, outcome));
}

function further(into, outcome) {
  return h("button", { type: "button", class: "further", on: { click: (e) => look(e.currentTarget, into, outcome) } }, "Show more passages");
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
    fill(into, h("h3", {}, notes.length ? "The closest passages" : "No passages"),
      h("p", { class: "muted" }, notes.length ? "Found by search only, closest first. None of them is a verified answer." : "The search found no passage for this question."), passages(notes));
    announce(`${notes.length} passages, closest first.`);
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
