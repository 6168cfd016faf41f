// The conversation on the page: its turns, what a new question may refer to, and where it is recorded.

import { byId } from "../shared/dom.js";
import { session } from "../shared/session.js";

/** `id` names the recorded conversation; null until the first answer, and where the profile stores no questions. */
export const talk = { id: null, turns: [] };

export const isSettled = (turn) => Boolean(turn.outcome);

/** The questions that a turn may refer to: those before it, as they were written. */
export function earlierQuestions(turn) {
  return before(turn).map((one) => one.question).slice(-10);
}

/** Where the service records a turn: the conversation, and the answer it comes after. */
export function place(turn) {
  if (!talk.id) return { conversation: "new" };
  const last = before(turn).filter((one) => one.conversation === talk.id).at(-1);
  return { conversation: talk.id, follows: last ? last.id : null };
}

export function add(turn) {
  talk.turns.push(turn);
  byId("entries").append(turn.entry);
  shown();
}

/** Removes a turn and those after it, and their entries. */
export function cutFrom(turn) {
  const at = talk.turns.indexOf(turn);
  if (at < 0) return;
  for (const gone of talk.turns.splice(at)) gone.entry.remove();
  shown();
}

export function clear() {
  for (const gone of talk.turns.splice(0)) gone.entry.remove();
  talk.id = null;
  shown();
}

/** The ids of the answers on the page, in order: what an export is made of. */
export const answers = () => talk.turns.filter((turn) => turn.id).map((turn) => turn.id);

/** Keeps the conversation in the address, so that a reload or a bookmark opens it again. */
export function address() {
  const wanted = talk.id ? `#ask/${encodeURIComponent(session.project)}/${talk.id}` : "#ask";
  if (/^#?(?:ask|$)/.test(location.hash) && location.hash !== wanted) history.replaceState(null, "", wanted);
}

const before = (turn) => {
  const at = talk.turns.indexOf(turn);
  return (at < 0 ? talk.turns : talk.turns.slice(0, at)).filter(isSettled);
};

function shown() {
  if (talk.turns.length) document.body.dataset.asked = "yes";
  else delete document.body.dataset.asked;
  byId("talk-bar").hidden = talk.turns.length === 0;
  byId("talk-export").hidden = answers().length === 0;
}

/** To be called when a turn was answered: an export is possible from then on. */
export function settled() {
  shown();
  address();
}
