// The audit log: one record per outcome, chained by hashes, and the button that checks the chain.

import { alarm, announce } from "./announce.js";
import { blob, get, path } from "./api.js";
import { fill, h, save } from "./dom.js";
import { may } from "./session.js";
import { count, moment, plain } from "./words.js";

const AT_ONCE = 50;

export function showAudit(into) {
  const rows = h("tbody");
  const verdict = h("p", { class: "chain", role: "status" });
  const more = h("button", { type: "button", class: "further", hidden: true }, "Earlier records");
  const empty = h("p", { class: "empty", hidden: true }, "No outcome has been recorded yet.");
  const check = h("button", { type: "button", class: "primary", on: { click: () => verify(check, verdict) } }, "Verify the chain");
  fill(into,
    h("div", { class: "view-head" },
      h("div", {}, h("h1", { id: "audit-title" }, "Audit"), h("p", { class: "lead" }, "Every outcome is recorded before it leaves, refusals included. Each record carries the hash of the one before it.")),
      h("div", { class: "head-actions" }, check)),
    verdict,
    h("div", { class: "records" }, h("table", {}, h("caption", { class: "sr" }, "Recorded outcomes, the latest first"),
      h("thead", {}, h("tr", {}, ["No.", "When", "Outcome", "Question", "Profile"].map((name) => h("th", { scope: "col" }, name)), h("td", {}))), rows), empty),
    more);
  if (!may("admin") && !may("reader")) return;
  page(rows, more, empty, null);
}

async function page(rows, more, empty, before) {
  more.disabled = true;
  try {
    const listed = await get(`/v1/audit?limit=${AT_ONCE}` + (before === null ? "" : `&before=${before}`));
    const records = listed.records ?? listed;
    const shown = [...records].sort((a, b) => b.seq - a.seq);
    rows.append(...shown.map(line));
    empty.hidden = rows.children.length > 0;
    const last = shown.at(-1);
    more.hidden = !last || last.seq <= 1;
    more.onclick = () => page(rows, more, empty, last.seq);
  } catch (error) {
    more.hidden = true;
    rows.append(h("tr", {}, h("td", { colspan: 6 }, h("span", { class: "notice" }, error.message))));
  } finally {
    more.disabled = false;
  }
}

function line(record) {
  const refused = record.refusal_reason ?? record.reason ?? null;
  return h("tr", {},
    h("th", { scope: "row", class: "number" }, record.seq),
    h("td", { "data-name": "When" }, moment(record.at ?? record.time)),
    h("td", { "data-name": "Outcome" }, refused ? h("span", { class: "badge badge-warn" }, `Refused: ${plain(refused)}`) : h("span", { class: "badge badge-good" }, "Answered")),
    h("td", { "data-name": "Question", class: "wide", dir: "auto" }, record.question ?? h("span", { class: "muted" }, "not kept")),
    h("td", { "data-name": "Profile" }, record.profile ?? ""),
    h("td", { class: "row-actions" }, record.answer_id ? h("button", { type: "button", class: "link", "aria-label": `Evidence bundle of record ${record.seq}`, on: { click: () => bundle(record.answer_id) } }, "Bundle") : null));
}

async function verify(button, verdict) {
  button.disabled = true;
  verdict.className = "chain";
  fill(verdict, "Checking every record …");
  try {
    const found = await get("/v1/audit/verify");
    const intact = found.intact ?? found.status === "intact";
    verdict.classList.add(intact ? "is-intact" : "is-broken");
    fill(verdict, intact
      ? `✓ The chain is intact: ${count(found.records ?? found.count ?? 0, "one record", "% records")}, none changed, none missing.`
      : `✗ The chain is broken at record ${found.seq ?? found.broken?.seq}: ${found.why ?? found.broken?.why ?? ""}`);
  } catch (error) {
    fill(verdict, error.message);
  } finally {
    button.disabled = false;
  }
}

async function bundle(id) {
  try {
    save(`${id}.bundle.json`, await blob(path`/v1/answers/${id}/bundle`));
    announce("The evidence bundle was saved.");
  } catch (error) {
    alarm(error.message);
  }
}
