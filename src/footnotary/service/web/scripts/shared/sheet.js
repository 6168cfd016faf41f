// The one dialog for keys, confirmations, shortcuts and enlarged pages.

import { byId, fill, h } from "./dom.js";
import { t } from "./texts.js";

/** Shows a dialog over the page; closes with Escape, the close button, or `close()`. */
export function sheet(title, children, { wide = false, dismissible = true } = {}) {
  const dialog = byId("sheet");
  if (dialog.open) dialog.close();
  dialog.classList.toggle("is-wide", wide);
  fill(dialog,
    h("div", { class: "sheet-bar" }, h("h2", { id: "sheet-title" }, title),
      dismissible ? h("button", { type: "button", class: "quiet", "aria-label": t("Close"), on: { click: () => dialog.close() } }, "✕") : null),
    h("div", { class: "sheet-body" }, children));
  dialog.onclose = () => { if (!dialog.open) fill(dialog); }; // the event of a sheet that this one replaced comes later
  dialog.oncancel = (e) => { if (!dismissible) e.preventDefault(); };
  dialog.showModal();
  return { close: () => dialog.close() };
}

/** Asks for confirmation; true only if the confirming button was pressed. */
export function confirmed(title, text, action) {
  return new Promise((resolve) => {
    let answer = false;
    const yes = h("button", { type: "button", class: "danger", on: { click: () => { answer = true; shown.close(); } } }, action);
    const no = h("button", { type: "button", autofocus: true, on: { click: () => shown.close() } }, t("Cancel"));
    const shown = sheet(title, [h("p", { dir: "auto" }, text), h("div", { class: "sheet-actions" }, no, yes)]);
    byId("sheet").addEventListener("close", () => resolve(answer), { once: true });
  });
}

/** Asks for a name to be typed before something is deleted for good; true only if it was, and the button pressed. */
export function confirmedByName(title, text, name, action) {
  return new Promise((resolve) => {
    let answer = false;
    const typed = h("input", { type: "text", autocomplete: "off", spellcheck: "false", autofocus: true });
    const yes = h("button", { type: "submit", class: "danger", disabled: true }, action);
    const no = h("button", { type: "button", on: { click: () => shown.close() } }, t("Cancel"));
    const isNamed = () => typed.value.trim() === name;
    typed.addEventListener("input", () => { yes.disabled = !isNamed(); });
    const form = h("form", {}, h("p", { dir: "auto" }, text),
      h("label", { class: "field" }, h("span", { dir: "auto" }, t("Type its name to confirm: {name}", { name })), typed), h("div", { class: "sheet-actions" }, no, yes));
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      if (!isNamed()) return;
      answer = true;
      shown.close();
    });
    const shown = sheet(title, form);
    byId("sheet").addEventListener("close", () => resolve(answer), { once: true });
  });
}
