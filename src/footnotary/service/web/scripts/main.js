// Starts the page: views by URL hash, keyboard shortcuts, colours.

import { alarm } from "./shared/announce.js";
import { startAsk, stopAsking } from "./answers/ask.js";
import { beginAgain, openAddressed } from "./answers/conversations.js";
import { showAudit } from "./records/audit.js";
import { showDocuments } from "./library/documents.js";
import { byId, fill, h } from "./shared/dom.js";
import { startIdentity } from "./shared/identity.js";
import { showReview } from "./records/review.js";
import { load, may, session, startSession } from "./shared/session.js";
import { sheet } from "./shared/sheet.js";
import { languages, t } from "./shared/texts.js";
import { closeSource, isSourceOpen, startSource, step } from "./answers/source.js";

const VIEWS = { ask: ["Ask", null], documents: ["Documents", showDocuments], audit: ["Audit", showAudit], review: ["Review", showReview] };
const RETRIED_MS = 3000;
const COLOURS = { auto: "Colours: system default", light: "Colours: light", dark: "Colours: dark" };
const THEMES = Object.keys(COLOURS);
const KEYS = [["/", "Go to the question"], ["Enter", "Ask"], ["Shift Enter", "New line"], ["↑", "Previous question, in an empty field"], ["N", "New conversation"], ["← →", "Previous and next footnote"], ["Esc", "Close the source, or stop asking"], ["?", "This list"]];

function route({ focus = true } = {}) {
  const [wanted] = location.hash.slice(1).split("/");
  if (wanted === "content") return;
  const name = wanted in VIEWS ? wanted : "ask";
  closeSource();
  for (const view of Object.keys(VIEWS)) {
    byId(`view-${view}`).hidden = view !== name;
    const link = document.querySelector(`[data-view="${view}"]`);
    if (view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = name === "ask" ? "Footnotary" : `${t(VIEWS[name][0])} · Footnotary`;
  if (session.isLoaded) VIEWS[name][1]?.(byId(`view-${name}`));
  if (session.isLoaded && name === "ask") openAddressed();
  if (name === "ask" && matchMedia("(hover: hover)").matches) byId("question").focus();
  else if (focus) byId("content").focus({ preventScroll: true });
}

async function start({ isRetry = false } = {}) {
  try {
    await load();
    for (const link of document.querySelectorAll("[data-for]")) link.hidden = !may(link.dataset.for);
    route({ focus: false });
  } catch (error) {
    // A missing key has its own dialog.
    if (error.status === 401) return;
    if (!isRetry) alarm(error.message);
    fill(byId("profile-says"), error.message);
    // A question may have been submitted already: it is asked as soon as the service responds.
    setTimeout(() => start({ isRetry: true }), RETRIED_MS);
  }
}

function keyboard(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || byId("sheet").open) return;
  const isTyping = e.target.closest?.("input, textarea, select");
  if (e.key === "Escape") {
    if (isSourceOpen()) closeSource();
    else stopAsking();
  } else if (isTyping) return;
  else if (e.key === "/") {
    e.preventDefault();
    location.hash = "ask";
    byId("question").focus();
  } else if (e.key === "n" && !byId("view-ask").hidden) {
    e.preventDefault();
    if (document.body.dataset.asked) beginAgain(stopAsking);
  } else if (e.key === "?") shortcuts();
  else if (isSourceOpen() && (e.key === "ArrowLeft" || e.key === "ArrowRight")) {
    e.preventDefault();
    step(e.key === "ArrowLeft" ? -1 : 1);
  }
}

function shortcuts() {
  sheet(t("Keyboard"), h("dl", { class: "facts" }, KEYS.map(([key, what]) => [h("dt", {}, key.split(" ").map((k) => [h("kbd", {}, k), " "])), h("dd", {}, t(what))])));
}

function colours(chosen) {
  const root = document.documentElement;
  if (chosen === "auto") delete root.dataset.theme;
  else root.dataset.theme = chosen;
  try { localStorage.setItem("footnotary.theme", chosen); } catch { /* the choice is not stored, which does no harm */ }
  nameColours();
}

function nameColours() {
  const now = document.documentElement.dataset.theme ?? "auto";
  const label = t(COLOURS[now] ?? COLOURS.auto);
  fill(byId("theme"), h("span", { class: `lamp lamp-${now}` }));
  byId("theme").setAttribute("aria-label", label);
  byId("theme").title = label;
}

byId("theme").addEventListener("click", () => {
  colours(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % THEMES.length]);
});
byId("keys").addEventListener("click", shortcuts);
addEventListener("hashchange", () => route());
document.addEventListener("keydown", keyboard);
nameColours();
languages.addEventListener("change", () => {
  nameColours();
  route({ focus: false });
});
startSession();
startIdentity(() => start());
startSource();
startAsk();
route({ focus: false });
start();
