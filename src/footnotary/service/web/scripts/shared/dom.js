// Builds elements. Strings only become text nodes, so nothing in a document, an answer or a file name becomes markup.

const LINKS = new Set(["href", "src", "action", "formaction"]);

/** An element with attributes, listeners (`on: {click}`) and children; strings become text, empty children are skipped. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else attribute(element, name, value === true ? "" : String(value));
  }
  fill(element, ...children);
  return element;
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

export const byId = (id) => document.getElementById(id);

function attribute(element, name, value) {
  if (name.startsWith("on") || name === "style" || name === "srcdoc") throw new TypeError(`${name} must not be set from code`);
  if (LINKS.has(name) && !/^(?:#|\/(?!\/)|blob:)/.test(value)) throw new TypeError(`${name} must not point to another host`);
  element.setAttribute(name, value);
}

/** A text with one span marked; offsets count code points, as in the service. */
export function marked(text, start, end) {
  const points = Array.from(text);
  if (!(start >= 0 && end > start && end <= points.length)) return [text];
  const cut = (from, to) => points.slice(from, to).join("");
  return [cut(0, start), h("mark", { id: "quote" }, cut(start, end)), cut(end)];
}

/** A text with several spans marked, in order and apart; offsets count code points, as in the service. */
export function withMarks(text, spans) {
  const points = Array.from(text);
  const cut = (from, to) => points.slice(from, to).join("");
  const parts = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (!(start >= at && end > start && end <= points.length)) return [text];
    parts.push(cut(at, start), h("mark", {}, cut(start, end)));
    at = end;
  }
  return [...parts, cut(at)];
}

/** A disclosure, closed at first; a native element, for keyboards and screen readers. */
export function disclosure(summary, className, ...children) {
  return h("details", { class: className }, h("summary", {}, summary), ...children);
}

/** Saves a blob as a file, without leaving the page. */
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
