// The session: user, chosen project and profile. Views listen for changes.

import { get, path } from "./api.js";
import { byId, fill, h } from "./dom.js";

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

/** Dispatches `project` when another project is chosen, `known` when the user is known, `loaded` when all is loaded. */
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
  session.isLoaded = true;
  changes.dispatchEvent(new Event("loaded"));
}

/** Resolves once the session is loaded, so that a question typed before that is not lost. */
export function loaded() {
  return session.isLoaded ? Promise.resolve() : new Promise((resolve) => { changes.addEventListener("loaded", resolve, { once: true }); });
}

export async function loadProjects(wanted = session.project ?? remembered("project")) {
  session.projects = (await get("/v1/projects")).projects;
  choices(byId("project"), session.projects.map((p) => p.name), wanted, "No project yet");
  choose(byId("project").value || null);
}

/** A page of documents of the chosen project; `next` if there are more. */
export function documents(limit, after = null) {
  return get(path`/v1/projects/${session.project}/documents?limit=${limit}` + (after === null ? "" : path`&after=${after}`));
}

export function startSession() {
  byId("project").addEventListener("change", (e) => choose(e.target.value));
  byId("profile").addEventListener("change", (e) => {
    session.profile = e.target.value;
    remember("profile", session.profile);
    describeProfile();
  });
}

function choose(project) {
  session.project = project;
  if (project) remember("project", project);
  changes.dispatchEvent(new Event("project"));
}

function describeProfile() {
  const chosen = session.profiles.find((p) => p.name === session.profile);
  fill(byId("profile-says"), chosen?.description ?? "");
}

function choices(select, names, wanted, none = "None") {
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
