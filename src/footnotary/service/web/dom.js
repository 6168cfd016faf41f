// Builds elements. Words only ever become text nodes, so nothing a document, a model or a file name says is markup.

const LINKS = new Set(["href", "src", "action", "formaction"]);

/** An element with attributes, listeners (`on: {click}`) and children; strings become text, empty children nothing. */
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

/** Puts children in place of whatever the element held. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

export const byId = (id) => document.getElementById(id);

function attribute(element, name, value) {
  if (name.startsWith("on") || name === "style" || name === "srcdoc") throw new TypeError(`${name} is not set from code`);
  if (LINKS.has(name) && !/^(?:#|\/(?!\/)|blob:)/.test(value)) throw new TypeError(`${name} leads away from here`);
  element.setAttribute(name, value);
}

/** A text with one stretch of it marked; offsets count code points, as the service counts them. */
export function marked(text, start, end) {
  const points = Array.from(text);
  if (!(start >= 0 && end > start && end <= points.length)) return [text];
  const cut = (from, to) => points.slice(from, to).join("");
  return [cut(0, start), h("mark", { id: "quote" }, cut(start, end)), cut(end)];
}

/** A disclosure: closed until asked for, and a native one, so that keyboards and screen readers know it. */
export function disclosure(summary, className, ...children) {
  return h("details", { class: className }, h("summary", {}, summary), ...children);
}

/** Saves data the page holds as a file, without leaving the page. */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
