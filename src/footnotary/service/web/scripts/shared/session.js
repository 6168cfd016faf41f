// The session: user, chosen project and profile. Views listen for changes.

import { get, path } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { language, languages, setLanguage, t } from "./texts.js";

const RANK = { reader: 0, writer: 1, admin: 2 };

export const session = {
  tenant: null,
  role: null,
  isOpen: false,
  isLoaded: false,
  projects: [],
  profiles: [],
  project: null,
  profile: null,
};

/** Dispatches `project` when another project is chosen, `documents` when its documents changed, `known` when the user is known, `loaded` when all is loaded. */
export const changes = new EventTarget();

export const may = (role) => RANK[session.role] >= RANK[role];

/** Loads the user, the projects and the profiles. */
export async function load() {
  const who = await get("/v1/whoami");
  Object.assign(session, { tenant: who.tenant, role: who.role, isOpen: who.open });
  changes.dispatchEvent(new Event("known"));
  const [profiles] = await Promise.all([get("/v1/profiles"), loadProjects()]);
  session.profiles = profiles.profiles;
  choices(byId("profile"), session.profiles.map((p) => p.name), remembered("profile") ?? session.profiles.find((p) => p.default)?.name);
  session.profile = byId("profile").value || null;
  describeProfile();
  chooseLanguage();
  session.isLoaded = true;
  changes.dispatchEvent(new Event("loaded"));
}

/** Resolves once the session is loaded, so that a question typed before that is not lost. */
export function loaded() {
  return session.isLoaded ? Promise.resolve() : new Promise((resolve) => { changes.addEventListener("loaded", resolve, { once: true }); });
}

export async function loadProjects(wanted = session.project ?? addressed() ?? remembered("project")) {
  session.projects = (await get("/v1/projects")).projects;
  choices(byId("project"), session.projects.map((p) => p.name), wanted, t("No project yet"));
  const chosen = byId("project").value || null;
  if (chosen !== session.project || !session.isLoaded) choose(chosen);
}

/** A page of documents of the chosen project, as `wanted` filters them; `next` if there are more. */
export function documents(limit, after = null, wanted = {}) {
  const more = Object.entries(wanted).filter(([, value]) => value).map(([name, value]) => path`&${name}=${value}`).join("");
  return get(path`/v1/projects/${session.project}/documents?limit=${limit}` + (after === null ? "" : path`&after=${after}`) + more);
}

export function startSession() {
  byId("project").addEventListener("change", (e) => choose(e.target.value));
  byId("profile").addEventListener("change", (e) => {
    session.profile = e.target.value;
    remember("profile", session.profile);
    describeProfile();
    chooseLanguage();
  });
  byId("language").addEventListener("click", () => {
    remember("language", language() === "hi" ? "en" : "hi");
    chooseLanguage();
  });
  languages.addEventListener("change", describeProfile);
}

/** The tutor profile is for pupils: its page is in Hindi, unless they choose English. */
function chooseLanguage() {
  const isForPupils = /^tutor/.test(session.profile ?? "");
  setLanguage(isForPupils ? (remembered("language") ?? "hi") : "en");
  const [button, other] = [byId("language"), language() === "hi" ? ["en", "English"] : ["hi", "हिन्दी"]];
  button.hidden = !isForPupils;
  button.lang = other[0];
  fill(button, other[1]);
}

/** Loads the numbers of documents again, after some were added or deleted. */
export async function documentsChanged() {
  session.projects = await get("/v1/projects").then((found) => found.projects, () => session.projects);
  changes.dispatchEvent(new Event("documents"));
}

/** The project of the conversation that the address names: `#ask/project/conversation`. */
function addressed() {
  const [view, project, id] = location.hash.slice(1).split("/");
  return view === "ask" && id ? decodeURIComponent(project) : null;
}

function choose(project) {
  session.project = project;
  if (project) remember("project", project);
  changes.dispatchEvent(new Event("project"));
}

function describeProfile() {
  const chosen = session.profiles.find((p) => p.name === session.profile);
  fill(byId("profile-says"), t(chosen?.description ?? ""));
}

function choices(select, names, wanted, none = t("None")) {
  fill(select, names.length ? names.map((name) => h("option", { value: name }, name)) : h("option", { value: "" }, none));
  select.disabled = names.length === 0;
  if (names.includes(wanted)) select.value = wanted;
}

function remember(what, value) {
  try { localStorage.setItem(`footnotary.${what}`, value); } catch { /* the choice is not stored */ }
}

function remembered(what) {
  try { return localStorage.getItem(`footnotary.${what}`); } catch { return null; }
}
