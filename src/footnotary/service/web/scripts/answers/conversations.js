// Conversations as a whole: begin a new one, reopen an earlier one, and export the one on the page.

import { alarm, announce } from "../shared/announce.js";
import { fetched, get, path } from "../shared/api.js";
import { byId, fill, h, save } from "../shared/dom.js";
import { changes, session } from "../shared/session.js";
import { confirmed, sheet } from "../shared/sheet.js";
import { closeSource } from "./source.js";
import { address, add, answers, clear, talk } from "./talk.js";
import { languages, t } from "../shared/texts.js";
import { count, moment } from "../shared/words.js";

const LISTED = 5;
const AT_ONCE = 50;
const SUFFIXES = { markdown: "md", html: "html", docx: "docx" };

let makeEntry = null;

export function startConversations(entryFor, stop) {
  makeEntry = entryFor;
  byId("talk-new").addEventListener("click", () => beginAgain(stop));
  byId("talk-earlier").addEventListener("click", showEarlier);
  for (const button of document.querySelectorAll("[data-export]")) button.addEventListener("click", () => exportAs(button.dataset.export));
  changes.addEventListener("project", () => {
    // A conversation belongs to its project.
    if (talk.turns.length && talk.turns[0].project !== session.project) { stop(); begin({ focus: false }); }
    else listEarlier();
  });
  languages.addEventListener("change", listEarlier);
  for (const menu of document.querySelectorAll("details.options")) closesItself(menu);
}

/** A new conversation, if somebody wants one; what no log keeps is given up only after a question. */
export async function beginAgain(stop) {
  const isLost = talk.turns.some((turn) => turn.id && !turn.conversation);
  const text = t("This profile stores no questions: the conversation cannot be reopened. Export it first if you need it.");
  if (isLost && !(await confirmed(t("Start a new conversation?"), text, t("New conversation")))) return;
  stop();
  begin();
}

/** A new conversation: the page as it was at first. The one before stays in the audit log. */
function begin({ focus = true } = {}) {
  closeSource();
  clear();
  address();
  listEarlier();
  if (focus && matchMedia("(hover: hover)").matches) byId("question").focus();
  else if (focus) byId("content").focus({ preventScroll: true });
  announce(t("A new conversation."));
}

/** Opens the conversation that the address names, if it is not on the page. */
export async function openAddressed() {
  const [, project, id] = location.hash.slice(1).split("/");
  if (!id || id === talk.id || decodeURIComponent(project) !== session.project) return;
  await reopen(id);
}

async function reopen(id) {
  let found;
  try {
    found = await get(path`/v1/projects/${session.project}/conversations/${id}`);
  } catch (error) {
    return alarm(error.status === 404 ? t("This conversation does not exist, or you may not read it.") : error.message);
  }
  closeSource();
  clear();
  talk.id = found.id;
  for (const one of found.turns) {
    const turn = {
      question: one.question, askedAs: one.asked_as, id: one.answer_id, outcome: one.outcome, at: one.at, conversation: found.id,
      withheld: one.released_claims > 0, project: found.project, profile: one.outcome.profile,
    };
    makeEntry(turn);
    add(turn);
  }
  byId("earlier").hidden = true;
  address();
  talk.turns.at(-1)?.entry.scrollIntoView({ block: "start" });
  talk.turns.at(-1)?.entry.focus({ preventScroll: true });
  announce(count(found.turns.length, "Opened a conversation of one question.", "Opened a conversation of % questions."));
}

/** The last few conversations below the question, before anything is asked. */
async function listEarlier() {
  const box = byId("earlier");
  box.hidden = true;
  const project = session.project;
  if (!project || talk.turns.length) return;
  const found = await get(path`/v1/projects/${project}/conversations?limit=${LISTED}`).catch(() => null);
  if (!found?.conversations.length || project !== session.project || talk.turns.length) return;
  const rows = found.conversations.map((one) => h("li", {}, opener(one, () => reopen(one.id))));
  if (found.next) rows.push(h("li", {}, h("button", { type: "button", class: "link", on: { click: showEarlier } }, t("All earlier conversations"))));
  fill(byId("earlier-list"), rows);
  box.hidden = false;
}

function opener(one, open) {
  return h("button", { type: "button", class: "conversation-open", on: { click: open } },
    h("span", { class: "conversation-title", dir: "auto" }, one.title),
    h("span", { class: "muted" }, `${count(one.turns, "one question", "% questions")} · ${moment(one.at)}`));
}

async function showEarlier() {
  const list = h("ul", { class: "conversations" });
  const more = h("button", { type: "button", class: "further", hidden: true }, t("Earlier ones"));
  const note = h("p", { class: "muted" }, t("Only conversations of this project are listed. Profiles that store no questions keep none."));
  const shown = sheet(t("Earlier conversations"), [note, list, more]);
  const load = async (before) => {
    try {
      const found = await get(path`/v1/projects/${session.project}/conversations?limit=${AT_ONCE}` + (before ? path`&before=${before}` : ""));
      list.append(...found.conversations.map((one) => h("li", {}, opener(one, () => { shown.close(); reopen(one.id); }))));
      more.hidden = found.next === null;
      more.onclick = () => load(found.next);
      if (!list.children.length && more.hidden) fill(list, h("li", { class: "muted" }, t("There is none yet.")));
    } catch (error) {
      fill(list, h("li", {}, error.message));
    }
  };
  await load(null);
}

/** The conversation as a file, made by the service from the recorded answers. */
async function exportAs(format) {
  byId("talk-export").open = false;
  byId("talk-export").querySelector("summary").focus();
  try {
    const made = await fetched(path`/v1/projects/${talk.turns[0].project}/conversation-exports`, { answers: answers(), format });
    save(`${fileName()}.${SUFFIXES[format]}`, made);
    announce(t("The conversation was saved as a file."));
  } catch (error) {
    alarm(error.message);
  }
}

/** The first words of the first question, as a file may be named. */
function fileName() {
  const words = talk.turns[0].question.normalize("NFC").replace(/[^\p{L}\p{M}\p{N} -]/gu, "").trim().split(/\s+/).slice(0, 8).join(" ");
  return words || "conversation";
}

/** A menu closes with Escape and when the focus or a click goes elsewhere. */
function closesItself(menu) {
  menu.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !menu.open) return;
    e.stopPropagation();
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (e) => { if (e.relatedTarget && !menu.contains(e.relatedTarget)) menu.open = false; });
  document.addEventListener("click", (e) => { if (!menu.contains(e.target)) menu.open = false; });
}
