// The question form, and the progress of a question until its entry is an answer or a refusal.

import { alarm, announce } from "../shared/announce.js";
import { answerSummary, answerView } from "./answer.js";
import { events, get, path } from "../shared/api.js";
import { startConversations } from "./conversations.js";
import { byId, fill, h } from "../shared/dom.js";
import { draw, entryOf, failureText } from "./entry.js";
import { startHoldings } from "./holdings.js";
import { refusalView } from "./refusal.js";
import { loaded, session } from "../shared/session.js";
import { closeSource } from "./source.js";
import { add, cutFrom, earlierQuestions, place, settled, talk } from "./talk.js";
import { languages, t } from "../shared/texts.js";
import { NEXT, stage } from "../shared/words.js";

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
  byId("options").addEventListener("change", nameOptions);
  byId("ask-more").addEventListener("click", (e) => {
    const isWide = byId("ask").classList.toggle("is-wide");
    e.currentTarget.setAttribute("aria-expanded", String(isWide));
  });
  languages.addEventListener("change", () => {
    nameOptions();
    nameSubmit();
    for (const turn of talk.turns) draw(turn);
  });
  startHoldings();
  startConversations((turn) => entryOf(turn, { edit, again }), stopAsking);
}

/** Stops the current question; returns whether there was one. */
export function stopAsking() {
  running?.abort();
  return Boolean(running);
}

function nameOptions() {
  const set = OPTIONS.filter((id) => byId(id).value !== "").length;
  fill(byId("options-title"), set ? `${t("Options")} (${set})` : t("Options"));
}

function nameSubmit() {
  byId("submit").textContent = running ? t("Stop") : t("Ask");
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
  if (!session.project) return alarm(t("There is no project yet. Add documents first."));
  asked.push(question);
  byId("options").open = false;
  field.value = "";
  if (!matchMedia("(hover: hover)").matches) field.blur(); // on a phone the answer needs the room
  ask(question);
}

/** An edited question takes the place of the turn, and of those after it. */
function edit(turn, question) {
  stopAsking();
  cutFrom(turn);
  ask(question);
  talk.turns.at(-1).entry.focus({ preventScroll: true }); // the field it was edited in is gone
}

function again(turn) {
  delete turn.error;
  draw(turn);
  run(turn);
  turn.entry.focus({ preventScroll: true });
}

function ask(question) {
  const turn = { question, project: session.project, profile: session.profile };
  entryOf(turn, { edit, again });
  add(turn);
  byId("earlier").hidden = true;
  run(turn);
}

async function run(turn) {
  closeSource();
  const steps = h("ol", { class: "steps" });
  const now = h("p", { class: "now" }, t(NEXT.start));
  turn.entry.setAttribute("aria-busy", "true");
  fill(turn.body, h("div", { class: "progress" }, now, steps));
  turn.entry.scrollIntoView({ block: "start" });
  const mine = new AbortController();
  running = mine;
  nameSubmit();
  announce(t("Asking."));
  try {
    const wanted = request(turn);
    turn.asOf = wanted.as_of;
    await follow(wanted, turn, { now, steps }, mine.signal);
    turn.at = new Date();
    draw(turn);
    settled();
    announce(turn.outcome.claims.length ? answerSummary(turn.outcome) : `${t("Refused.")} ${turn.outcome.answer}`);
  } catch (error) {
    turn.error = error;
    draw(turn);
    if (error.name === "AbortError") announce(failureText(error));
    else alarm(failureText(error));
  } finally {
    // If another question was asked meanwhile, the stop button belongs to that one.
    if (running === mine) {
      running = null;
      nameSubmit();
    }
  }
}

function request(turn) {
  const [asOf, least] = [byId("as-of").value, byId("min-sources").value];
  const earlier = earlierQuestions(turn);
  return {
    question: turn.question,
    project: turn.project,
    ...(turn.profile ? { profile: turn.profile } : {}),
    ...(asOf ? { as_of: asOf } : {}),
    ...(least === "" ? {} : { min_sources: Number(least) }),
    ...(earlier.length ? { history: earlier } : {}),
    ...place(turn),
    stream: true,
  };
}

/** Reads the stream; every sentence shown before its end has passed every check. */
async function follow(body, turn, progress, signal) {
  const part = { project: body.project, query: body.question, claims: [], citation_details: [], sources: [], verdicts: [] };
  let end = null;
  turn.withheld = false;
  for await (const { event, data } of events("/v1/ask", body, signal)) {
    if (event === "stage") showStage(progress, data);
    else if (event === "claim") {
      part.claims.push({ text: data.text, cites: data.citations.map((c) => c.id) });
      part.citation_details.push(...data.citations.map((c) => ({ ...c, claim: data.index })));
      fill(turn.body, answerView(part, { partial: true }));
    } else if (event === "claim.withheld") turn.withheld = true;
    else if (event === "refusal") {
      Object.assign(part, { answer: data.message, refusal_reason: data.reason, needed: data.needed });
      if (!part.claims.length) fill(turn.body, refusalView(part, { partial: true }));
    } else if (event === "error" || event === "problem") throw new Error(data.detail ?? data.title ?? t("The service failed."));
    else if (event === "done") end = data;
  }
  if (!end) throw new Error(t("The connection was closed before the answer was complete."));
  await finish(end, part, turn);
}

async function finish(done, part, turn) {
  let kept = {};
  if (done.answer_id) kept = await get(path`/v1/answers/${done.answer_id}`).catch(() => ({}));
  const whole = done.outcome ?? kept.outcome;
  // Sentences that were released stay on the page even if the answer as a whole was refused.
  turn.outcome = whole && !(part.claims.length && whole.refusal_reason) ? whole : { ...whole, ...part, refusal_reason: part.claims.length ? null : part.refusal_reason, verdicts: whole?.verdicts ?? [] };
  Object.assign(turn, { id: done.answer_id, askedAs: done.asked_as ?? null, conversation: done.conversation ?? null });
  if (done.conversation) talk.id = done.conversation;
}

function showStage({ now, steps }, { name, ...facts }) {
  if (name === "done") return;
  steps.append(h("li", {}, stage(name, facts)));
  if (NEXT[name]) fill(now, t(NEXT[name]));
}
