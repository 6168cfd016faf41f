// The question form, the progress of a question, and its entry, which becomes an answer or a refusal.

import { alarm, announce } from "../shared/announce.js";
import { answerSummary, answerView } from "./answer.js";
import { events, get, path } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { refusalView } from "./refusal.js";
import { changes, documents, loaded, may, session } from "../shared/session.js";
import { closeSource } from "./source.js";
import { count, day, moment, NEXT, stage } from "../shared/words.js";

const NAMED = 8;
const OPTIONS = ["as-of", "min-sources"];
const asked = [];
let running = null;
let isWaiting = false;

export function startAsk() {
  const field = byId("question");
  byId("ask").addEventListener("submit", (e) => {
    e.preventDefault();
    if (running) running.abort();
    else submit();
  });
  field.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
      e.preventDefault();
      if (!running) submit();
    } else if (e.key === "ArrowUp" && !field.value && asked.length) {
      e.preventDefault();
      field.value = asked.at(-1);
    }
  });
  // Without support for field-sizing, the number of rows grows with the text.
  if (!CSS.supports("field-sizing", "content")) field.addEventListener("input", () => { field.rows = Math.min(8, field.value.split("\n").length + Math.floor(field.value.length / 70)); });
  byId("options").addEventListener("change", () => {
    const set = OPTIONS.filter((id) => byId(id).value !== "").length;
    fill(byId("options-title"), set ? `Options (${set})` : "Options");
  });
  changes.addEventListener("project", holdings);
}

/** Stops the current question; returns whether there was one. */
export function stopAsking() {
  running?.abort();
  return Boolean(running);
}

async function submit() {
  const field = byId("question");
  if (isWaiting) return;
  // The text in the field when the page has loaded is asked once, however often it was submitted before.
  isWaiting = true;
  await loaded();
  isWaiting = false;
  const question = field.value.trim();
  if (!question) return field.focus();
  if (!session.project) return alarm("There is no project yet. Add documents first.");
  asked.push(question);
  byId("options").open = false;
  field.value = "";
  ask(question);
}

async function ask(question) {
  closeSource();
  document.body.dataset.asked = "yes";
  const steps = h("ol", { class: "steps" });
  const now = h("p", { class: "now" }, NEXT.start);
  const body = h("div", { class: "entry-body", "aria-busy": "true" }, h("div", { class: "progress" }, now, steps));
  const meta = h("p", { class: "meta" }, `${session.project} · ${session.profile}`);
  const entry = h("article", { class: "entry" }, h("h2", { class: "question", dir: "auto" }, question), meta, body);
  byId("entries").prepend(entry);
  const mine = new AbortController();
  running = mine;
  byId("submit").textContent = "Stop";
  announce("Asking.");
  try {
    const wanted = request(question);
    const outcome = await follow(wanted, body, { now, steps }, mine.signal);
    fill(meta, [outcome.project, outcome.profile, wanted.as_of ? `as of ${day(wanted.as_of)}` : null, moment(new Date())].filter(Boolean).join(" · "));
    entry.classList.add(outcome.refusal_reason ? "is-refused" : "is-answered");
  } catch (error) {
    failed(entry, body, question, error);
  } finally {
    // If another question was asked meanwhile, the stop button belongs to that one.
    if (running === mine) {
      running = null;
      byId("submit").textContent = "Ask";
    }
    body.removeAttribute("aria-busy");
  }
}

function request(question) {
  const [asOf, least] = [byId("as-of").value, byId("min-sources").value];
  return {
    question,
    project: session.project,
    ...(session.profile ? { profile: session.profile } : {}),
    ...(asOf ? { as_of: asOf } : {}),
    ...(least === "" ? {} : { min_sources: Number(least) }),
    stream: true,
  };
}

/** Reads the stream; every sentence shown before its end has passed every check. */
async function follow(body, into, progress, signal) {
  const part = { project: body.project, query: body.question, claims: [], citation_details: [], sources: [], verdicts: [] };
  let [withheld, end] = [null, null];
  for await (const { event, data } of events("/v1/ask", body, signal)) {
    if (event === "stage") showStage(progress, data);
    else if (event === "claim") {
      part.claims.push({ text: data.text, cites: data.citations.map((c) => c.id) });
      part.citation_details.push(...data.citations.map((c) => ({ ...c, claim: data.index })));
      fill(into, answerView(part, { partial: true }));
    } else if (event === "claim.withheld") withheld = data;
    else if (event === "refusal") {
      Object.assign(part, { answer: data.message, refusal_reason: data.reason, needed: data.needed });
      if (!part.claims.length) fill(into, refusalView(part, { partial: true }));
    } else if (event === "error" || event === "problem") throw new Error(data.detail ?? data.title ?? "The service failed.");
    else if (event === "done") end = data;
  }
  if (end) return finish(end, part, withheld, into);
  throw new Error("The connection was closed before the answer was complete.");
}

async function finish(done, part, withheld, into) {
  let kept = {};
  if (done.answer_id) kept = await get(path`/v1/answers/${done.answer_id}`).catch(() => ({}));
  const whole = done.outcome ?? kept.outcome;
  // Sentences that were released stay on the page even if the answer as a whole was refused.
  const outcome = whole && !(part.claims.length && whole.refusal_reason) ? whole : { ...whole, ...part, verdicts: whole?.verdicts ?? [] };
  const known = { id: done.answer_id, bundle: done.answer_id ? path`/v1/answers/${done.answer_id}/bundle` : null };
  if (outcome.claims.length) {
    fill(into, answerView(outcome, { ...known, withheld }));
    announce(answerSummary(outcome));
    return { ...outcome, refusal_reason: null };
  }
  fill(into, refusalView(outcome, known));
  announce(`Refused. ${outcome.answer}`);
  return outcome;
}

function showStage({ now, steps }, { name, ...facts }) {
  if (name === "done") return;
  steps.append(h("li", {}, stage(name, facts)));
  if (NEXT[name]) fill(now, NEXT[name]);
}

function failed(entry, body, question, error) {
  entry.classList.add("is-failed");
  const stopped = error.name === "AbortError";
  const again = h("button", { type: "button", class: "further", on: { click: () => { entry.remove(); ask(question); } } }, "Ask again");
  const later = error.retryAfter ? ` Try again in ${count(Number(error.retryAfter), "a second", "% seconds")}.` : "";
  const text = stopped ? "Stopped. Nothing was delivered." : `${error.message}${later}`;
  fill(body, h("p", { class: "notice" }, text), again);
  if (stopped) announce(text);
  else alarm(text);
}

/** Lists the project's documents, so that users see what they can ask about. */
async function holdings() {
  const [box, title, list] = [byId("holdings"), byId("holdings-title"), byId("holdings-list")];
  box.hidden = true;
  if (!session.project) {
    box.hidden = session.role === null;
    fill(title, "There are no documents yet");
    return void fill(list, h("li", {}, may("writer") ? h("a", { href: "#documents" }, "Add the first ones") : "A user with the writer role can add some."));
  }
  const project = session.project;
  const held = await documents(NAMED).catch(() => null);
  if (!held || project !== session.project) return;
  box.hidden = false;
  const all = Math.max(session.projects.find((p) => p.name === project)?.documents ?? 0, held.documents.length);
  fill(title, all ? count(all, "Answers come from one document", "Answers come from % documents") : "There are no documents here yet");
  const shown = held.documents.map((d) => h("li", { dir: "auto" }, d.title || d.id));
  if (all > shown.length) shown.push(h("li", {}, h("a", { href: "#documents" }, `and ${(all - shown.length).toLocaleString("en")} more`)));
  if (!all && may("writer")) shown.push(h("li", {}, h("a", { href: "#documents" }, "Add the first ones")));
  fill(list, shown);
}
