// The source panel: the cited passage with its quote marked, and the image of its page.

import { announce } from "../shared/announce.js";
import { get, path } from "../shared/api.js";
import { byId, fill, h, marked } from "../shared/dom.js";
import { asText, sourceName, standing } from "./footnotes.js";
import { forgetPicture, picture } from "./picture.js";
import { t } from "../shared/texts.js";
import { moment } from "../shared/words.js";

const WIDE = matchMedia("(min-width: 62rem)");

let notes = [];
let at = 0;
let opener = null;
let turn = 0;

export const isSourceOpen = () => byId("source").open;

/** Shows one of several footnotes; Escape and the close button return the focus to the opener. */
export function openSource(some, index, from) {
  notes = some;
  opener = from ?? opener;
  show(index);
  const panel = byId("source");
  if (!panel.open) {
    // Next to the answer on a wide screen, else as a modal dialog.
    document.body.dataset.source = "open";
    const top = scrollY;
    if (WIDE.matches) panel.show();
    else panel.showModal();
    scrollTo({ top, behavior: "instant" }); // showing it moves the focus and scrolls the page
  }
  reveal(panel);
  byId("source-title").focus({ preventScroll: true });
}

export function closeSource() {
  const panel = byId("source");
  if (panel.open) panel.close();
}

/** The next or the previous footnote of the same answer. */
export function step(by) {
  const next = at + by;
  if (next < 0 || next >= notes.length) return;
  show(next);
  announce(t("Footnote {number} of {all}: {source}", { number: notes[at].number ?? at + 1, all: notes.length, source: sourceName(notes[at].source, notes[at].citation) }));
}

export function startSource() {
  byId("source").addEventListener("close", () => {
    delete document.body.dataset.source;
    highlight(null);
    forgetPicture();
    turn += 1;
    opener?.focus({ preventScroll: true });
    opener = null;
  });
  WIDE.addEventListener("change", closeSource);
}

function show(index) {
  at = index;
  turn += 1;
  const note = notes[index];
  const { citation } = note;
  highlight(note);
  forgetPicture();
  const span = citation.chunk_span ?? {};
  const text = note.source?.text;
  const parts = {
    passage: h("div", { class: "passage", dir: "auto" }, text ? marked(text, span.start, span.end) : h("blockquote", {}, citation.quote)),
    picture: h("div", { class: "picture" }),
    facts: h("dl", { class: "facts" }),
    title: h("h2", { id: "source-title", tabindex: "-1", dir: "auto" }, sourceName(note.source, citation)),
    badges: h("p", { class: "badges" }, standing(citation.validity)),
  };
  fill(byId("source"),
    h("div", { class: "source-bar" },
      note.number ? h("span", { class: "source-count" }, t("Footnote {number}", { number: note.number })) : h("span", { class: "source-count" }, t("Passage")),
      notes.length > 1 ? h("span", { class: "source-steps" },
        h("button", { type: "button", class: "quiet", "aria-label": t("Previous"), disabled: index === 0, on: { click: () => step(-1) } }, "←"),
        h("button", { type: "button", class: "quiet", "aria-label": t("Next"), disabled: index === notes.length - 1, on: { click: () => step(1) } }, "→")) : null,
      h("button", { type: "button", class: "quiet", "aria-label": t("Close the source"), on: { click: closeSource } }, "✕")),
    h("div", { class: "source-body" }, parts.title, parts.badges, parts.passage, parts.picture, parts.facts,
      h("div", { class: "actions" }, h("button", { type: "button", class: "link", on: { click: () => copy(note) } }, t("Copy this citation")))));
  facts(parts.facts, citation, null);
  reveal(parts.passage);
  complete(note, parts, turn);
}

/** Adds what only the service knows: the passage as cited, whether it was replaced since, and the page. */
async function complete(note, parts, mine) {
  const { citation, project } = note;
  const version = citation.document_sha256 ? `?version=${encodeURIComponent(citation.document_sha256)}` : "";
  let source;
  try {
    source = await get(path`/v1/projects/${project}/sources/${citation.id}` + version);
  } catch (error) {
    if (mine === turn) fill(parts.picture, h("p", { class: "muted" }, `${t("The document cannot be shown:")} ${error.message}`));
    return;
  }
  if (mine !== turn) return;
  if (source.source) fill(parts.title, source.source);
  const span = citation.chunk_span ?? {};
  if (source.text) reveal(fill(parts.passage, marked(source.text, span.start, span.end)));
  if (source.superseded) {
    const { at: when, was_deleted: deleted } = source.superseded;
    parts.badges.append(h("span", { class: "badge badge-warn" }, t(deleted ? "Deleted on {when}; this is the cited version" : "Replaced on {when}; this is the cited version", { when: moment(when) })));
  }
  facts(parts.facts, citation, source);
  if (source.page && !source.superseded && /^(?:application\/pdf|image\/)/.test(source.media_type ?? "")) await picture(note, source, parts.picture, () => mine === turn);
}

/** Scrolls the quote into view within the panel; the answer does not scroll. */
function reveal(passage) {
  const panel = byId("source");
  const quote = passage.querySelector("mark");
  panel.scrollTop = 0;
  if (!quote) return;
  const below = quote.getBoundingClientRect().bottom - panel.getBoundingClientRect().top - panel.clientHeight / 2;
  if (below > 0) panel.scrollTop = below;
}

function facts(list, citation, source) {
  const span = citation.source_span?.characters;
  const hash = citation.document_sha256 ?? source?.document_sha256;
  const rows = [
    [t("Passage"), h("code", {}, citation.id)],
    [t("Document"), citation.document ?? source?.document],
    [t("Page"), source?.page_label ?? citation.page ?? source?.page],
    [t("Characters"), span ? `${span.start}–${span.end}` : null],
    [t("Match"), typeof citation.confidence === "number" ? `${Math.round(citation.confidence * 100)} %` : null],
    ["SHA-256", hash ? h("code", { class: "hash", title: hash }, hash) : null],
  ];
  fill(list, rows.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", { dir: "auto" }, String(value instanceof Node ? "" : value), value instanceof Node ? value : null)]));
}

function highlight(note) {
  for (const marked of document.querySelectorAll(".is-open")) marked.classList.remove("is-open");
  if (!note?.number || !opener) return;
  const entry = opener.closest(".entry");
  for (const element of entry?.querySelectorAll(`[data-note="${note.number}"]`) ?? []) element.classList.add("is-open");
  for (const claim of note.claims ?? []) entry?.querySelector(`[data-claim="${claim}"]`)?.classList.add("is-open");
}

async function copy(note) {
  try {
    await navigator.clipboard.writeText(asText(note, byId("source-title").textContent));
    announce(t("Copied the citation."));
  } catch {
    announce(t("The browser does not allow copying."));
  }
}
