// Sign-in with an API key, kept for this tab only, and sign-out.

import { gate, get, key } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { changes, session } from "./session.js";
import { sheet } from "./sheet.js";
import { languages, t } from "./texts.js";

let isAsking = false;

export function startIdentity(reload) {
  gate.addEventListener("wanted", () => ask(reload));
  for (const [source, event] of [[changes, "known"], [languages, "change"]]) source.addEventListener(event, () => {
    if (!session.role) return;
    const button = byId("identity");
    button.hidden = false;
    fill(button, session.isOpen ? t("Local") : session.tenant);
    button.setAttribute("aria-label", t("Signed in as {role} of {tenant}", { role: session.role, tenant: session.tenant }));
  });
  byId("identity").addEventListener("click", who);
}

/** Asks for a key and tries it; the dialog stays open until a key is valid. */
function ask(reload) {
  if (isAsking) return;
  isAsking = true;
  const wrong = h("p", { class: "field-error", id: "key-wrong", role: "alert" }, key.get() ? t("This key is not valid.") : "");
  const input = h("input", { type: "password", id: "key", autocomplete: "off", spellcheck: "false", required: true, autofocus: true, placeholder: "fn_…", "aria-describedby": "key-wrong" });
  key.forget();
  const form = h("form", {},
    h("p", {}, t("This service requires an API key. Its operator can create one with "), h("code", {}, "footnotary keys create"), "."),
    h("label", { class: "field" }, h("span", {}, t("Key")), input), wrong,
    h("p", { class: "muted" }, t("The key is kept in this tab only, and deleted when the tab is closed.")),
    h("div", { class: "sheet-actions" }, h("button", { type: "submit", class: "primary" }, t("Continue"))));
  const shown = sheet(t("Sign in"), form, { dismissible: false });
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const given = input.value.trim();
    if (!/^[\x21-\x7e]{8,200}$/.test(given)) return void fill(wrong, t("This is not an API key: keys begin with fn_."));
    key.set(given);
    try {
      await get("/v1/whoami");
    } catch (error) {
      key.forget();
      return void fill(wrong, error.status === 401 ? t("This key is not valid.") : error.message);
    }
    isAsking = false;
    shown.close();
    await reload();
  });
}

function who() {
  const out = h("button", { type: "button", on: { click: () => { key.forget(); location.reload(); } } }, t("Sign out"));
  sheet(t("Signed in as"), [
    h("dl", { class: "facts" }, h("dt", {}, t("Tenant")), h("dd", {}, session.tenant), h("dt", {}, t("Role")), h("dd", {}, session.role)),
    session.isOpen ? h("p", { class: "muted" }, t("No API key is configured: this service is open to this machine only.")) : null,
    session.isOpen ? null : h("div", { class: "sheet-actions" }, out)]);
}
