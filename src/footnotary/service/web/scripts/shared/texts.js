// The language of the page's own texts: English, and Hindi for pupils. Answers keep the language of their question.

import { HINDI } from "./hindi.js";
import { HINDI_RECORDS } from "./hindi_records.js";

const TRANSLATED = new Map([["en", {}], ["hi", { ...HINDI, ...HINDI_RECORDS }]]);

let current = "en";
const originals = new WeakMap();

/** Dispatches `change` when another language is chosen. */
export const languages = new EventTarget();

export const language = () => current;
export const locale = () => (current === "hi" ? "hi-IN" : "en-GB");

/** A text in the chosen language; `{name}` is replaced by a value. A text without a translation stays as it is. */
export function t(text, values = null) {
  const said = TRANSLATED.get(current)[text] ?? text;
  return values ? said.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all)) : said;
}

export function setLanguage(code) {
  if (code === current || !TRANSLATED.has(code)) return;
  current = code;
  document.documentElement.lang = code;
  translatePage();
  languages.dispatchEvent(new Event("change"));
}

/** Translates the elements of the page itself: `data-t` lists what of each, its text or attributes. */
function translatePage() {
  for (const element of document.querySelectorAll("[data-t]")) {
    const parts = element.dataset.t.split(" ");
    if (!originals.has(element)) originals.set(element, new Map(parts.map((part) => [part, read(element, part)])));
    for (const [part, text] of originals.get(element)) {
      if (part === "text") element.textContent = t(text);
      else element.setAttribute(part, t(text));
    }
  }
}

const read = (element, part) => (part === "text" ? element.textContent : element.getAttribute(part));
