// A document that is opened: its text with a search, and for PDFs and scans its pages.

import { conflicts } from "./conflicts.js";
import { announce } from "../shared/announce.js";
import { blob, get, path, post } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { may, session } from "../shared/session.js";
import { sheet } from "../shared/sheet.js";
import { t } from "../shared/texts.js";
import { count } from "../shared/words.js";

const AT_ONCE = 400_000;
const SHOWN_AT_MOST = 4_000_000;
const FOUND_AT_MOST = 500;
const TYPED_MS = 250;
const PAGED = /^(?:application\/pdf|image\/)/;

/** Opens a document of the chosen project over the page; `quote` is looked for in its text. */
export async function openDocument(document, { project = session.project, quote = "" } = {}) {
  const body = h("div", { class: "reader" }, h("p", { class: "muted" }, t("Loading the document …")));
  sheet(document.title || document.id, body, { wide: true });
  const isOpen = () => body.isConnected;
  try {
    const [detail, parts] = await Promise.all([get(path`/v1/projects/${project}/documents/${document.id}`), text(project, document.id, isOpen)]);
    if (isOpen()) show(body, project, detail, parts, quote);
  } catch (error) {
    fill(body, h("p", { class: "notice" }, error.message));
  }
}

/** The text and the pages of a document, read part by part. */
async function text(project, id, isWanted) {
  const url = path`/v1/projects/${project}/document-text/${id}?limit=${AT_ONCE}`;
  const first = await get(url);
  let [read, next] = [first.text, first.next];
  while (next !== null && next < SHOWN_AT_MOST && isWanted()) {
    const part = await get(`${url}&start=${next}`);
    [read, next] = [read + part.text, part.next];
  }
  const points = Array.from(read);
  const cut = (start, end) => points.slice(start, end).join("");
  const pages = first.pages.length ? first.pages : [{ page: null, start: 0, end: points.length }];
  return { isWhole: next === null, pages: pages.filter((page) => page.page !== null || points.length).map((page) => ({ ...page, text: cut(page.start, page.end) })) };
}

function show(body, project, detail, { pages, isWhole }, quote) {
  const search = h("input", { type: "search", maxlength: 200, autocomplete: "off" });
  const found = h("span", { class: "found", role: "status" });
  const step = (label, sign, by) => h("button", { type: "button", class: "quiet", "aria-label": label, disabled: true, on: { click: () => go(by) } }, sign);
  const [up, down] = [step(t("Previous match"), "↑", -1), step(t("Next match"), "↓", 1)];
  const isPaged = PAGED.test(detail.media_type) && pages[0]?.page;
  const jump = isPaged ? h("select", {}, pages.map((page) => h("option", { value: page.page }, page.label ?? page.page))) : null;
  const sections = pages.map((page) => section(page, project, detail, isPaged));
  let [marks, at, typing] = [[], 0, null];

  function look() {
    marks = [];
    const wanted = search.value.trim();
    const pattern = wanted ? new RegExp(wanted.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"), "giu") : null;
    for (const one of sections) marks.push(...one.mark(pattern, FOUND_AT_MOST - marks.length));
    for (const button of [up, down]) button.disabled = !marks.length;
    const more = marks.length === FOUND_AT_MOST ? "+" : "";
    fill(found, !wanted ? "" : marks.length ? `${count(marks.length, "one match", "% matches")}${more}` : t("No match"));
    at = 0;
    go(0);
  }
  function go(by) {
    if (!marks.length) return;
    marks[at].classList.remove("is-current");
    at = (at + by + marks.length) % marks.length;
    marks[at].classList.add("is-current");
    marks[at].scrollIntoView({ block: "center" });
    if (by) announce(t("Match {number} of {all}", { number: at + 1, all: marks.length }));
  }

  function find(wanted) {
    clearTimeout(typing);
    search.value = wanted;
    look();
    search.focus({ preventScroll: true });
  }

  search.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(look, TYPED_MS); });
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    go(e.shiftKey ? -1 : 1);
  });
  jump?.addEventListener("change", () => sections[pages.findIndex((page) => String(page.page) === jump.value)].element.scrollIntoView({ block: "start" }));
  fill(body,
    h("div", { class: "reader-bar" },
      h("label", { class: "field" }, h("span", {}, t("Search in this document")), search), found, h("span", { class: "reader-steps" }, up, down),
      jump ? h("label", { class: "field" }, h("span", {}, t("Page")), jump) : null),
    facts(detail),
    flags(project, detail),
    conflicts(project, detail, { showHere: (side) => find(side.quote), showThere: (side) => openDocument({ id: side.document, title: side.title }, { project, quote: side.quote }) }),
    isWhole ? null : h("p", { class: "notice" }, t("The document is very long; only its beginning is shown.")),
    sections.length ? sections.map((one) => one.element) : h("p", { class: "empty" }, t("No text was read from this document.")));
  if (quote) find(quote);
  else if (matchMedia("(hover: hover)").matches) search.focus();
}

function facts(detail) {
  const { ocr } = detail;
  const former = detail.former_versions?.length ?? 0;
  const rows = [
    [t("File"), detail.name],
    [t("Passages"), detail.passages.toLocaleString("en")],
    [t("Pages"), detail.pages],
    [t("Text recognition"), ocr ? t("{confidence} % sure on average; {doubtful} of {words} words are doubtful", { confidence: Math.round(ocr.confidence * 100), doubtful: ocr.doubtful, words: ocr.words }) : null],
    [t("Former versions"), former || null],
  ];
  return h("dl", { class: "facts reader-facts" }, rows.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", { dir: "auto" }, value)]));
}

/** The sentences that were flagged when the document was ingested; an admin can clear a wrong flag, and set it again. */
function flags(project, detail) {
  const list = h("div", { class: "reader-check" });
  const draw = (flagged, cleared) => {
    const sentences = flagged.filter((one) => one.kind === "injection");
    fill(list,
      sentences.length ? h("p", { class: "muted" }, count(sentences.length, "One sentence instructs the model. It is never followed or drafted from.", "% sentences instruct the model. They are never followed or drafted from.")) : null,
      h("ul", { class: "instructions" }, sentences.map((one) => row(one.text, true, t("It is harmless: clear the flag")))),
      cleared.length ? h("p", { class: "muted" }, count(cleared.length, "The flag of one sentence was cleared.", "The flags of % sentences were cleared.")) : null,
      h("ul", { class: "instructions is-cleared" }, cleared.map((one) => row(one.text, false, t("Set the flag again")))));
  };
  const row = (text, isCleared, label) => h("li", {}, h("span", { dir: "auto" }, text), may("admin") ? [" ", change(text, isCleared, label)] : null);
  const change = (text, isCleared, label) => {
    const said = h("span", { class: "muted", role: "status" });
    const button = h("button", { type: "button", class: "link" }, label);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await post(path`/v1/projects/${project}/flags`, { document: detail.id, text, cleared: isCleared });
        const now = await get(path`/v1/projects/${project}/documents/${detail.id}`);
        draw(now.flagged, now.cleared);
      } catch (error) {
        button.disabled = false;
        fill(said, error.message);
      }
    });
    return h("span", {}, button, " ", said);
  };
  draw(detail.flagged, detail.cleared);
  return list;
}

/** One page, or a document without pages: its text, in which a search is marked, and the image of the page on demand. */
function section(page, project, detail, isPaged) {
  const words = h("div", { class: "reader-text", dir: "auto" }, page.text || t("No text on this page."));
  const image = h("div", { class: "reader-image" });
  const label = page.label ?? page.page;
  const button = isPaged ? h("button", { type: "button", class: "link", "aria-expanded": "false" }, t("Show the page")) : null;
  let [shown, first] = [null, null];

  async function draw() {
    const where = first ? path`&mark_start=${first[0]}&mark_end=${first[1]}` : "";
    fill(image, h("p", { class: "muted" }, t("Loading the page …")));
    try {
      const picture = await blob(path`/v1/projects/${project}/document-pages/${detail.id}?page=${page.page}` + where);
      forget();
      shown = URL.createObjectURL(picture);
      fill(image, h("img", { class: "page-large", src: shown, alt: t("Page {page}", { page: label }) }));
    } catch (error) {
      fill(image, h("p", { class: "muted" }, `${t("The page cannot be shown:")} ${error.message}`));
    }
  }
  function forget() {
    if (shown) URL.revokeObjectURL(shown);
    shown = null;
  }
  button?.addEventListener("click", () => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    fill(button, isOpen ? t("Show the page") : t("Hide the page"));
    if (isOpen) fill(image);
    else draw();
  });
  byId("sheet").addEventListener("close", forget, { once: true });

  return {
    element: h("section", { class: "reader-page" }, isPaged ? h("div", { class: "reader-page-head" }, h("h3", {}, t("Page {page}", { page: label })), confidence(page), button) : null, words, image),
    /** Marks what a pattern finds, at most so often; gives the marks. */
    mark(pattern, atMost) {
      const hits = pattern ? [...page.text.matchAll(pattern)].slice(0, Math.max(atMost, 0)) : [];
      first = hits.length ? [hits[0].index, hits[0].index + hits[0][0].length].map((offset) => page.start + Array.from(page.text.slice(0, offset)).length) : null;
      if (!hits.length && !words.querySelector("mark")) return [];
      const made = hits.map((hit) => h("mark", {}, hit[0]));
      let end = 0;
      const parts = hits.flatMap((hit, i) => {
        const before = page.text.slice(end, hit.index);
        end = hit.index + hit[0].length;
        return [before, made[i]];
      });
      fill(words, parts, page.text.slice(end) || (parts.length ? "" : t("No text on this page.")));
      return made;
    },
  };
}

function confidence({ ocr_confidence: sure }) {
  if (typeof sure !== "number") return null;
  return h("span", { class: `badge ${sure < 0.8 ? "badge-warn" : ""}` }, t("Scan, {percent} % sure", { percent: Math.round(sure * 100) }));
}
