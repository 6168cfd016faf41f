// Uploads: the progress of each file, and what was read of it, what was skipped, and why.

import { alarm, announce } from "../shared/announce.js";
import { get, path, remove, upload } from "../shared/api.js";
import { disclosure, fill, h } from "../shared/dom.js";
import { session } from "../shared/session.js";
import { t } from "../shared/texts.js";
import { count, moment, plain } from "../shared/words.js";

const STAGES = { reading: "Reading", embedding: "Indexing" };
const FINISHED = new Set(["done", "failed", "cancelled"]);
const POLLED_MS = 900;
const POLLED_AT_MOST = 1000;
const EARLIER = 20;

/** Uploads files one after the other to the chosen project, after `resumed`; calls `changed` when some are indexed. */
export async function send(files, queue, changed, resumed) {
  const project = session.project;
  await resumed; // otherwise these files would be listed twice
  const waiting = new Map();
  const lines = files.map((file) => [file, line(queue, file.name)]);
  for (const [file, shown] of lines) {
    try {
      const { job } = await upload(path`/v1/projects/${project}/documents`, file, (share) => shown.update(t("Uploading"), share));
      shown.update(t("Queued"), null);
      shown.enableCancel(job.id);
      waiting.set(job.id, shown);
      if (waiting.size === 1) follow(project, waiting, changed);
    } catch (error) {
      shown.end("failed", error.message);
      alarm(`${file.name}: ${error.message}`);
    }
  }
}

/** Shows jobs that were started before this page was opened: those not finished, and the last finished ones. */
export async function resume(queue, changed) {
  const project = session.project;
  const waiting = new Map();
  const { jobs } = await listed(project).catch(() => ({ jobs: [] }));
  for (const job of jobs.filter((one) => !FINISHED.has(one.state)).reverse()) {
    const shown = line(queue, job.name);
    shown.enableCancel(job.id);
    waiting.set(job.id, shown);
  }
  const earlier = jobs.filter((one) => FINISHED.has(one.state)).slice(0, EARLIER);
  if (earlier.length) queue.before(disclosure(t("Earlier uploads"), "verdicts earlier-uploads", h("ul", { class: "uploads" }, earlier.map(finishedLine))));
  follow(project, waiting, changed);
}

async function follow(project, waiting, changed) {
  while (waiting.size) {
    const found = await listed(project).catch((error) => ({ error }));
    // A busy or restarting service keeps its jobs; with a revoked key or a deleted project there is nothing to poll.
    if (found.error && [401, 403, 404].includes(found.error.status)) return;
    let finished = 0;
    for (const job of found.jobs ?? []) {
      const shown = waiting.get(job.id);
      if (!shown) continue;
      if (FINISHED.has(job.state)) {
        shown.end(job.state, outcome(job), report(job));
        waiting.delete(job.id);
        finished += 1;
      } else progress(shown, job);
    }
    if (finished) changed();
    if (waiting.size) await pause(found.error ? POLLED_MS * 3 : POLLED_MS);
  }
}

const listed = (project) => get(path`/v1/jobs?project=${project}&limit=${POLLED_AT_MOST}`);

function progress(shown, { state, progress: { stage, done, of, file, files } }) {
  const part = files > 1 ? t(" file {file} of {files}", { file, files }) : "";
  const share = of ? t(", {done} of {of} passages", { done, of }) : "";
  shown.update(state === "queued" ? t("Queued") : t(STAGES[stage] ?? "Starting") + part + (stage === "embedding" ? share : ""), of ? done / of : null);
}

function outcome({ state, result }) {
  const [taken, failed] = [result?.documents ?? [], result?.failed ?? []];
  if (state === "cancelled") return t("Cancelled");
  if (!taken.length) return [failed[0]?.message, failed[0]?.hint].filter(Boolean).join("; ") || t("The file could not be indexed");
  const passages = taken.reduce((sum, one) => sum + one.passages, 0);
  const said = taken.every((one) => one.outcome === "unchanged")
    ? t("No changes")
    : `${taken.length > 1 ? `${count(taken.length, "one document", "% documents")}, ` : ""}${count(passages, "one passage", "% passages")}`;
  return failed.length ? `${said}; ${count(failed.length, "one file could not be read", "% files could not be read")}: ${failed[0].message}` : said;
}

/** What was read, and what was not and why; null where one line says it all. */
function report({ result }) {
  const [taken, failed, skipped] = [result?.documents ?? [], result?.failed ?? [], result?.skipped ?? []];
  const remarks = taken.flatMap(remarksOn);
  const rest = [...failed, ...skipped];
  if (taken.length <= 1 && !remarks.length && !(taken.length && rest.length) && !skipped.length) return null;
  return disclosure(t("What was read and skipped"), "verdicts upload-report", h("ul", {},
    taken.map((one) => h("li", { dir: "auto" }, `✓ ${one.id}: ${count(one.passages, "one passage", "% passages")}`, remarksOn(one).map((text) => h("span", { class: "detail" }, text)))),
    rest.map((one) => h("li", { dir: "auto", class: "is-left" }, `✗ ${one.name}: ${one.message || plain(one.reason)}`, one.hint ? h("span", { class: "detail" }, one.hint) : null))));
}

function remarksOn(one) {
  const silent = one.pages_without_text ?? [];
  return [
    one.duplicate_of ? t("The same content is already stored as {name}.", { name: one.duplicate_of }) : null,
    silent.length ? t("Pages without readable text: {pages}", { pages: silent.slice(0, 30).join(", ") + (silent.length > 30 ? " …" : "") }) : null,
    ...(one.left_out ?? []).map((what) => t("Not read: {what}", { what })),
  ].filter(Boolean);
}

function finishedLine(job) {
  const isDone = job.state === "done";
  return h("li", { class: `upload ${isDone ? "is-done" : "is-failed"}` }, h("span", { class: "upload-name", dir: "auto" }, job.name),
    h("span", { class: "upload-state" }, h("span", { "aria-hidden": "true" }, isDone ? "✓ " : "✗ "), outcome(job), job.finished_at ? h("span", { class: "muted" }, ` · ${moment(job.finished_at)}`) : null), report(job));
}

function line(queue, name) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("Progress of {name}", { name }) });
  const said = h("span", { class: "upload-state" }, t("Waiting"));
  const off = h("button", { type: "button", class: "quiet", "aria-label": t("Cancel {name}", { name }), hidden: true }, "✕");
  const item = h("li", { class: "upload" }, h("span", { class: "upload-name", dir: "auto" }, name), bar, said, off);
  queue.append(item);
  return {
    update(text, share) {
      fill(said, text);
      if (share === null) bar.removeAttribute("value");
      else bar.value = share;
    },
    enableCancel(id) {
      off.hidden = false;
      off.onclick = () => {
        off.disabled = true;
        remove(path`/v1/jobs/${id}`).catch((error) => alarm(error.message));
      };
    },
    end(state, text, more = null) {
      bar.remove();
      off.remove();
      item.classList.add(state === "done" ? "is-done" : "is-failed");
      fill(said, h("span", { "aria-hidden": "true" }, state === "done" ? "✓ " : "✗ "), text);
      if (more) item.append(more);
      announce(`${name}: ${text}`);
    },
  };
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
