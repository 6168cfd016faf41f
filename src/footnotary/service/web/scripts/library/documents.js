// The documents of a project: a live list that can be searched and filtered, opened, added to and deleted from.

import { alarm, announce } from "../shared/announce.js";
import { path, post, remove } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { openDocument } from "./reader.js";
import { changes, documents, documentsChanged, loadProjects, may, session } from "../shared/session.js";
import { confirmed, confirmedByName, sheet } from "../shared/sheet.js";
import { t } from "../shared/texts.js";
import { resume, send } from "./uploads.js";
import { count, day, moment } from "../shared/words.js";

const KINDS = {
  "application/pdf": "PDF", "text/html": "HTML", "text/markdown": "Markdown", "text/plain": "Text", "application/x-ndjson": "JSONL", "application/jsonl": "JSONL",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word", "image/png": "PNG", "image/jpeg": "JPEG", "image/tiff": "TIFF",
};

const AT_ONCE = 200;
const REFRESHED_MS = 5000;
const TYPED_MS = 250;

let view = null;
let list = null;
let last = "";
let wanted = { q: "", media_type: "" };

changes.addEventListener("project", () => {
  wanted = { q: "", media_type: "" };
  if (view && !view.hidden) showDocuments(view);
});

// Files that others add appear too, as long as somebody looks at the list.
setInterval(() => { if (view && !view.hidden && !document.hidden && session.project && !byId("sheet").open) refresh(); }, REFRESHED_MS);

export function showDocuments(into) {
  view = into;
  last = "";
  list = h("div", { class: "records" });
  fill(into,
    h("div", { class: "view-head" },
      h("div", {}, h("h1", { id: "documents-title", dir: "auto" }, t("Documents")), h("p", { class: "lead", id: "documents-lead" })),
      may("writer") ? h("div", { class: "head-actions" },
        h("button", { type: "button", on: { click: newProject } }, t("New project")),
        session.project && may("admin") ? h("button", { type: "button", class: "link danger-quiet", on: { click: dropProject } }, t("Delete project")) : null) : null),
    may("writer") && session.project ? dropZone() : null,
    session.project ? filters() : null,
    list);
  if (session.project) refresh();
  else fill(list, h("p", { class: "empty" }, may("writer") ? t("Create a project first: questions are answered from the documents of a project.") : t("There is no project yet.")));
}

function filters() {
  const search = h("input", { type: "search", id: "documents-search", maxlength: 200, placeholder: t("Search by title or file name"), autocomplete: "off" });
  const kinds = [...new Set(Object.values(KINDS))];
  const kind = h("select", { id: "documents-kind" }, h("option", { value: "" }, t("All kinds")), kinds.map((name) => h("option", { value: name }, t(name))));
  let typing = null;
  search.value = wanted.q;
  kind.value = KINDS[wanted.media_type] ?? "";
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => { wanted = { ...wanted, q: search.value.trim() }; refresh({ announced: true }); }, TYPED_MS);
  });
  kind.addEventListener("change", () => {
    wanted = { ...wanted, media_type: Object.keys(KINDS).filter((type) => KINDS[type] === kind.value).join(",") };
    refresh({ announced: true });
  });
  return h("div", { class: "filters", role: "search" },
    h("label", { class: "field" }, h("span", {}, t("Search")), search), h("label", { class: "field" }, h("span", {}, t("Kind")), kind));
}

const isFiltered = () => Boolean(wanted.q || wanted.media_type);

async function refresh({ announced = false } = {}) {
  const [project, into] = [session.project, list];
  try {
    const { documents: held, next } = await documents(AT_ONCE, null, wanted);
    if (project !== session.project || into !== list) return;
    const now = JSON.stringify([held, next, wanted]);
    if (announced) announce(count(held.length, "one document", "% documents"));
    if (now === last) return;
    last = now;
    const focused = document.activeElement?.dataset?.of;
    const rows = h("tbody", {}, held.map(row));
    const none = isFiltered() ? t("No document matches.") : t("No documents yet. Answers will come only from the documents you add here.");
    fill(into, held.length ? table(rows) : h("p", { class: "empty" }, none), further(rows, next));
    if (focused) [...into.querySelectorAll("[data-of]")].find((one) => one.dataset.of === focused)?.focus();
    summary(held, next);
  } catch (error) {
    last = "";
    fill(into, h("p", { class: "notice" }, error.message));
  }
}

/** To be called when documents were added or deleted here: the question page counts them too. */
async function changed() {
  await refresh();
  await documentsChanged();
}

function summary(held, next) {
  const name = h("bdi", {}, session.project);
  if (next !== null || isFiltered()) return void fill(byId("documents-lead"), name);
  const passages = held.reduce((sum, d) => sum + d.passages, 0);
  const said = t(" has {documents} in {passages}.", { documents: count(held.length, "one document", "% documents"), passages: count(passages, "one passage", "% passages") });
  fill(byId("documents-lead"), name, said);
}

function further(rows, next) {
  if (next === null) return null;
  const more = h("button", { type: "button", class: "further" }, t("More documents"));
  more.addEventListener("click", async () => {
    more.disabled = true;
    const found = await documents(AT_ONCE, next, wanted).catch((error) => ({ documents: [], next, error }));
    rows.append(...found.documents.map(row));
    if (found.error) alarm(found.error.message);
    const again = further(rows, found.next);
    if (again) more.replaceWith(again);
    else more.remove();
  });
  return more;
}

function table(rows) {
  return h("table", {}, h("caption", { class: "sr" }, t("Documents of this project")),
    h("thead", {}, h("tr", {}, ["Document", "Kind", "Passages", "Added"].map((name) => h("th", { scope: "col" }, t(name))), h("td", {}))), rows);
}

function row(d) {
  const name = d.title || d.id;
  return h("tr", {},
    h("th", { scope: "row", dir: "auto" },
      h("button", { type: "button", class: "link title", "data-of": `open ${d.id}`, "aria-haspopup": "dialog", on: { click: () => openDocument(d) } }, name),
      d.title && d.title !== d.id ? h("span", { class: "sub" }, d.id) : null, inForce(d.validity)),
    cell("Kind", t(KINDS[d.media_type] ?? d.media_type)),
    cell("Passages", d.passages.toLocaleString("en"), "number"),
    cell("Added", moment(d.stored_at)),
    h("td", { class: "row-actions" }, may("writer") ? h("button", { type: "button", class: "link danger-quiet", "data-of": `delete ${d.id}`, "aria-label": t("Delete {name}", { name }), on: { click: () => drop(d) } }, t("Delete")) : null));
}

function cell(name, value, className = "") {
  return h("td", { "data-name": t(name), class: className }, value);
}

function inForce(validity) {
  if (!validity?.effective_from && !validity?.effective_to) return null;
  const said = [validity.effective_from ? t("from {day}", { day: day(validity.effective_from) }) : "", validity.effective_to ? t("until {day}", { day: day(validity.effective_to) }) : ""].filter(Boolean);
  return h("span", { class: "badge" }, t("In force {when}", { when: said.join(" ") }));
}

async function drop(document) {
  const name = document.title || document.id;
  if (!(await confirmed(t("Delete this document?"), t("{name} will no longer be found or cited. Earlier answers stay in the audit log.", { name }), t("Delete")))) return;
  try {
    await remove(path`/v1/projects/${session.project}/documents/${document.id}`);
    announce(t("Deleted {name}.", { name }));
  } catch (error) {
    alarm(error.message);
  }
  changed();
}

async function dropProject() {
  const name = session.project;
  const text = t("{name} and all its documents will be deleted. This cannot be undone.", { name });
  if (!(await confirmedByName(t("Delete this project?"), text, name, t("Delete the project")))) return;
  try {
    await remove(path`/v1/projects/${name}`);
    announce(t("Deleted the project {name}.", { name }));
  } catch (error) {
    alarm(error.message);
  }
  await loadProjects(null);
}

function newProject() {
  const wrong = h("p", { class: "field-error", role: "alert", id: "name-wrong" });
  const name = h("input", { type: "text", maxlength: 100, required: true, autofocus: true, "aria-describedby": "name-wrong" });
  const form = h("form", {}, h("label", { class: "field" }, h("span", {}, t("Name")), name), wrong, h("div", { class: "sheet-actions" }, h("button", { type: "submit", class: "primary" }, t("Create"))));
  const shown = sheet(t("New project"), form);
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    try {
      await post("/v1/projects", { name: name.value.trim() });
    } catch (error) {
      return void fill(wrong, error.message);
    }
    shown.close();
    await loadProjects(name.value.trim());
  });
}

function dropZone() {
  const chosen = h("input", { type: "file", multiple: true, class: "sr", id: "files" });
  const queue = h("ul", { class: "uploads", "aria-label": t("Uploads") });
  const resumed = resume(queue, changed);
  const take = (files) => send([...files], queue, changed, resumed);
  chosen.addEventListener("change", () => {
    take(chosen.files);
    chosen.value = "";
  });
  const zone = h("div", { class: "drop" }, chosen,
    h("label", { for: "files", class: "drop-label" }, h("strong", {}, t("Choose files")), t(" or drop them here")),
    h("p", { class: "muted" }, t("PDF, scans, Word, HTML, Markdown, text, JSONL, and zip archives of them.")));
  for (const event of ["dragenter", "dragover"]) zone.addEventListener(event, (e) => { e.preventDefault(); zone.classList.add("is-over"); });
  for (const event of ["dragleave", "drop"]) zone.addEventListener(event, () => zone.classList.remove("is-over"));
  zone.addEventListener("drop", (e) => { e.preventDefault(); take(e.dataTransfer.files); });
  return [zone, queue];
}
