// The audit log: one record per outcome, chained by hashes, and a button that verifies the chain.

import { alarm, announce } from "../shared/announce.js";
import { blob, get, path } from "../shared/api.js";
import { fill, h, save } from "../shared/dom.js";
import { may } from "../shared/session.js";
import { t } from "../shared/texts.js";
import { count, moment, reasonName } from "../shared/words.js";

const AT_ONCE = 50;

export function showAudit(into) {
  if (!may("admin")) return void fill(into, h("div", { class: "view-head" }, h("h1", { id: "audit-title" }, t("Audit"))), h("p", { class: "empty" }, t("Only an admin of this tenant can read the log.")));
  const rows = h("tbody");
  const verdict = h("p", { class: "chain", role: "status" });
  const more = h("button", { type: "button", class: "further", hidden: true }, t("Earlier records"));
  const empty = h("p", { class: "empty", hidden: true }, t("No outcome has been recorded yet."));
  const check = h("button", { type: "button", class: "primary", on: { click: () => verify(check, verdict) } }, t("Verify the chain"));
  fill(into,
    h("div", { class: "view-head" },
      h("div", {}, h("h1", { id: "audit-title" }, t("Audit")), h("p", { class: "lead" }, t("Every outcome is recorded before it is delivered, refusals included. Each record contains the hash of the one before it."))),
      h("div", { class: "head-actions" }, check)),
    verdict,
    h("div", { class: "records" }, h("table", {}, h("caption", { class: "sr" }, t("Recorded outcomes, newest first")),
      h("thead", {}, h("tr", {}, ["No.", "When", "Outcome", "Question", "Profile"].map((name) => h("th", { scope: "col" }, t(name))), h("td", {}))), rows), empty),
    more);
  page(rows, more, empty, null);
}

async function page(rows, more, empty, before) {
  more.disabled = true;
  try {
    const { records, next } = await get(`/v1/audit?limit=${AT_ONCE}` + (before === null ? "" : `&before=${before}`));
    rows.append(...records.map(line));
    empty.hidden = rows.children.length > 0;
    more.hidden = next === null;
    more.onclick = () => page(rows, more, empty, next);
  } catch (error) {
    more.hidden = true;
    rows.append(h("tr", {}, h("td", { colspan: 6 }, h("span", { class: "notice" }, error.message))));
  } finally {
    more.disabled = false;
  }
}

function line(record) {
  return h("tr", {},
    h("th", { scope: "row", class: "number" }, record.seq),
    h("td", { "data-name": t("When") }, moment(record.at)),
    h("td", { "data-name": t("Outcome") }, outcome(record)),
    h("td", { "data-name": t("Question"), class: "wide", dir: "auto" }, record.question ?? h("span", { class: "muted" }, t("not stored"))),
    h("td", { "data-name": t("Profile") }, record.profile ?? ""),
    h("td", { class: "row-actions" }, record.answer_id ? h("button", { type: "button", class: "link", "aria-label": t("Evidence bundle of record {number}", { number: record.seq }), on: { click: () => bundle(record.answer_id) } }, t("Bundle")) : null));
}

function outcome({ outcome: what, reason }) {
  if (what === "answered") return h("span", { class: "badge badge-good" }, t("Answered"));
  return h("span", { class: "badge badge-warn" }, what === "refused" ? t("Refused: {why}", { why: reasonName(reason) }) : t("Records were lost before this one"));
}

async function verify(button, verdict) {
  button.disabled = true;
  verdict.className = "chain";
  fill(verdict, t("Checking every record …"));
  try {
    const found = await get("/v1/audit/verify");
    verdict.classList.add(found.intact ? "is-intact" : "is-broken");
    fill(verdict, said(found));
  } catch (error) {
    fill(verdict, error.message);
  } finally {
    button.disabled = false;
  }
}

function said({ intact, records, losses, seq, why }) {
  if (!intact) return "✗ " + t("The chain is broken at record {number}: {why}", { number: seq, why });
  const lost = losses.length ? count(losses.length, "One record documents a loss of earlier records.", "% records document a loss of earlier records.") : t("No record was changed or is missing.");
  return "✓ " + t("The chain is intact: {records}.", { records: count(records, "one record", "% records") }) + " " + lost;
}

async function bundle(id) {
  try {
    save(`${id}.bundle.json`, await blob(path`/v1/answers/${id}/bundle`));
    announce(t("The evidence bundle was saved."));
  } catch (error) {
    alarm(error.message);
  }
}
