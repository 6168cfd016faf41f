// The documents of a project: list, upload and delete.

import { alarm, announce } from "../shared/announce.js";
import { path, post, remove } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { changes, documents, loadProjects, may, session } from "../shared/session.js";
import { confirmed, sheet } from "../shared/sheet.js";
import { resume, send } from "./uploads.js";
import { count, day, moment } from "../shared/words.js";

const KINDS = {
  "application/pdf": "PDF", "text/html": "HTML", "text/markdown": "Markdown", "text/plain": "Text", "application/x-ndjson": "JSONL", "application/jsonl": "JSONL",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word", "image/png": "PNG", "image/jpeg": "JPEG", "image/tiff": "TIFF",
};

const AT_ONCE = 200;

let view = null;

changes.addEventListener("project", () => {
  if (view && !view.hidden) showDocuments(view);
});

export function showDocuments(into) {
  view = into;
  const list = h("div", { class: "records" });
  fill(into,
    h("div", { class: "view-head" },
      h("div", {}, h("h1", { id: "documents-title", dir: "auto" }, "Documents"), h("p", { class: "lead", id: "documents-lead" })),
      may("writer") ? h("div", { class: "head-actions" },
        h("button", { type: "button", on: { click: newProject } }, "New project"),
        session.project && may("admin") ? h("button", { type: "button", class: "link danger-quiet", on: { click: dropProject } }, "Delete project") : null) : null),
    may("writer") && session.project ? dropZone(list) : null,
    list);
  if (session.project) refresh(list);
  else fill(list, h("p", { class: "empty" }, may("writer") ? "Create a project first: questions are answered from the documents of a project." : "There is no project yet."));
}

async function refresh(list) {
  const project = session.project;
  try {
    const { documents: held, next } = await documents(AT_ONCE);
    if (project !== session.project) return;
    const rows = h("tbody", {}, held.map((d) => row(d, list)));
    fill(list, held.length ? table(rows) : h("p", { class: "empty" }, "No documents yet. Answers will come only from the documents you add here."), further(rows, list, next));
    summary(held, next);
  } catch (error) {
    fill(list, h("p", { class: "notice" }, error.message));
  }
}

function summary(held, next) {
  if (next !== null) return void fill(byId("documents-lead"), h("bdi", {}, session.project));
  const passages = held.reduce((sum, d) => sum + d.passages, 0);
  fill(byId("documents-lead"), h("bdi", {}, session.project), ` has ${count(held.length, "one document", "% documents")} in ${count(passages, "one passage", "% passages")}.`);
}

function further(rows, list, next) {
  if (next === null) return null;
  const more = h("button", { type: "button", class: "further" }, "More documents");
  more.addEventListener("click", async () => {
    more.disabled = true;
    const found = await documents(AT_ONCE, next).catch((error) => ({ documents: [], next, error }));
    rows.append(...found.documents.map((d) => row(d, list)));
    if (found.error) alarm(found.error.message);
    const again = further(rows, list, found.next);
    if (again) more.replaceWith(again);
    else more.remove();
  });
  return more;
}

function table(rows) {
  return h("table", {}, h("caption", { class: "sr" }, "Documents of this project"),
    h("thead", {}, h("tr", {}, ["Document", "Kind", "Passages", "Added"].map((name) => h("th", { scope: "col" }, name)), h("td", {}))), rows);
}

function row(d, list) {
  return h("tr", {},
    h("th", { scope: "row", dir: "auto" }, h("span", { class: "title" }, d.title || d.id), d.title && d.title !== d.id ? h("span", { class: "sub" }, d.id) : null, inForce(d.validity)),
    cell("Kind", KINDS[d.media_type] ?? d.media_type),
    cell("Passages", d.passages.toLocaleString("en"), "number"),
    cell("Added", moment(d.stored_at)),
    h("td", { class: "row-actions" }, may("writer") ? h("button", { type: "button", class: "link danger-quiet", "aria-label": `Delete ${d.title || d.id}`, on: { click: () => drop(d, list) } }, "Delete") : null));
}

function cell(name, value, className = "") {
  return h("td", { "data-name": name, class: className }, value);
}

function inForce(validity) {
  if (!validity?.effective_from && !validity?.effective_to) return null;
  const said = [validity.effective_from ? `from ${day(validity.effective_from)}` : "", validity.effective_to ? `until ${day(validity.effective_to)}` : ""].filter(Boolean);
  return h("span", { class: "badge" }, `In force ${said.join(" ")}`);
}

async function drop(document, list) {
  const name = document.title || document.id;
  if (!(await confirmed("Delete this document?", `${name} will no longer be found or cited. Earlier answers stay in the audit log.`, "Delete"))) return;
  try {
    await remove(path`/v1/projects/${session.project}/documents/${document.id}`);
    announce(`Deleted ${name}.`);
  } catch (error) {
    alarm(error.message);
  }
  refresh(list);
}

async function dropProject() {
  const name = session.project;
  if (!(await confirmed("Delete this project?", `${name} and all its documents will be deleted.`, "Delete the project"))) return;
  try {
    await remove(path`/v1/projects/${name}`);
    announce(`Deleted the project ${name}.`);
  } catch (error) {
    alarm(error.message);
  }
  await loadProjects(null);
}

function newProject() {
  const wrong = h("p", { class: "field-error", role: "alert", id: "name-wrong" });
  const name = h("input", { type: "text", maxlength: 100, required: true, autofocus: true, "aria-describedby": "name-wrong" });
  const form = h("form", {}, h("label", { class: "field" }, h("span", {}, "Name"), name), wrong, h("div", { class: "sheet-actions" }, h("button", { type: "submit", class: "primary" }, "Create")));
  const shown = sheet("New project", form);
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

function dropZone(list) {
  const chosen = h("input", { type: "file", multiple: true, class: "sr", id: "files" });
  const queue = h("ul", { class: "uploads", "aria-label": "Uploads" });
  const changed = () => refresh(list);
  const resumed = resume(queue, changed);
  const take = (files) => send([...files], queue, changed, resumed);
  chosen.addEventListener("change", () => {
    take(chosen.files);
    chosen.value = "";
  });
  const zone = h("div", { class: "drop" }, chosen,
    h("label", { for: "files", class: "drop-label" }, h("strong", {}, "Choose files"), " or drop them here"),
    h("p", { class: "muted" }, "PDF, scans, Word, HTML, Markdown, text, JSONL, and zip archives of them."));
  for (const event of ["dragenter", "dragover"]) zone.addEventListener(event, (e) => { e.preventDefault(); zone.classList.add("is-over"); });
  for (const event of ["dragleave", "drop"]) zone.addEventListener(event, () => zone.classList.remove("is-over"));
  zone.addEventListener("drop", (e) => { e.preventDefault(); take(e.dataTransfer.files); });
  return [zone, queue];
}
