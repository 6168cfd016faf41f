// An answer that quotes the sources because a model's draft was rejected: that it does, why, and for admins the draft.

import { get } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { may } from "../shared/session.js";
import { t } from "../shared/texts.js";
import { wholeVerdicts } from "./verdicts.js";

/** The notice above the sentences of a quoted answer; nothing for any other. */
export function quotedNotice(outcome, bundle) {
  if (!outcome.quoted) return null;
  return h("div", { class: "notice", role: "note" },
    h("p", {}, t("Quoted from the documents. The model’s draft did not pass the checks and is not part of this answer.")),
    wholeVerdicts(outcome.rejected?.verdicts ?? [], t("Checks that rejected the draft"), { all: true }),
    bundle && may("admin") ? h("button", { type: "button", class: "link", on: { click: (e) => show(e.target, bundle) } }, t("Show the rejected draft")) : null);
}

async function show(button, bundle) {
  button.disabled = true;
  try {
    const bytes = Uint8Array.from(atob((await get(bundle)).payload), (char) => char.charCodeAt(0));
    const { draft } = JSON.parse(new TextDecoder().decode(bytes)).predicate.content.rejected;
    const said = draft.claims.map((claim) => claim.text).join(" ") || draft.raw;
    button.replaceWith(h("blockquote", { class: "rejected", dir: "auto" }, said));
  } catch (error) {
    fill(button, `${t("Rejected draft")}: ${error.message}`);
  }
}
