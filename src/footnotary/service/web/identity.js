// Who asks: the key the service wants, kept for this tab only, and the way out.

import { gate, get, key } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { changes, session } from "./session.js";
import { sheet } from "./sheet.js";

let isAsking = false;

export function startIdentity(reload) {
  gate.addEventListener("wanted", () => ask(reload));
  changes.addEventListener("known", () => {
    const button = byId("identity");
    button.hidden = false;
    fill(button, session.isOpen ? "Local" : session.tenant);
    button.setAttribute("aria-label", `Signed in as ${session.role} of ${session.tenant}`);
  });
  byId("identity").addEventListener("click", who);
}

/** Asks for a key and tries it; the dialog stays until one is good. */
function ask(reload) {
  if (isAsking) return;
  isAsking = true;
  const wrong = h("p", { class: "field-error", id: "key-wrong", role: "alert" }, key.get() ? "This key is not known, or no longer." : "");
  const input = h("input", { type: "password", id: "key", autocomplete: "off", spellcheck: "false", required: true, autofocus: true, placeholder: "fn_…", "aria-describedby": "key-wrong" });
  key.forget();
  const form = h("form", {},
    h("p", {}, "This service wants a key. Whoever runs it can make one with ", h("code", {}, "footnotary keys create"), "."),
    h("label", { class: "field" }, h("span", {}, "Key"), input), wrong,
    h("p", { class: "muted" }, "It is kept in this tab only, and forgotten when the tab is closed."),
    h("div", { class: "sheet-actions" }, h("button", { type: "submit", class: "primary" }, "Continue")));
  const shown = sheet("Who is asking?", form, { dismissible: false });
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const given = input.value.trim();
    if (!/^[\x21-\x7e]{8,200}$/.test(given)) return void fill(wrong, "That is not a key: keys begin with fn_.");
    key.set(given);
    try {
      await get("/v1/whoami");
    } catch (error) {
      key.forget();
      return void fill(wrong, error.status === 401 ? "This key is not known, or no longer." : error.message);
    }
    isAsking = false;
    shown.close();
    await reload();
  });
}

function who() {
  const out = h("button", { type: "button", on: { click: () => { key.forget(); location.reload(); } } }, "Forget the key");
  sheet("Who is asking", [
    h("dl", { class: "facts" }, h("dt", {}, "Tenant"), h("dd", {}, session.tenant), h("dt", {}, "Role"), h("dd", {}, session.role)),
    session.isOpen ? h("p", { class: "muted" }, "This service is open on this machine only: no key has been made yet.") : null,
    session.isOpen ? null : h("div", { class: "sheet-actions" }, out)]);
}
