// Uploads: progress and result of each file.

import { alarm, announce } from "../shared/announce.js";
import { get, path, remove, upload } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { session } from "../shared/session.js";
import { count } from "../shared/words.js";

const STAGES = { reading: "Reading", embedding: "Indexing" };
const FINISHED = new Set(["done", "failed", "cancelled"]);
const POLLED_MS = 900;
const POLLED_AT_MOST = 1000;

/** Uploads files one after the other to the chosen project, after `resumed`; calls `changed` when some are indexed. */
export async function send(files, queue, changed, resumed) {
  const project = session.project;
  await resumed; // otherwise these files would be listed twice
  const waiting = new Map();
  const lines = files.map((file) => [file, line(queue, file.name)]);
  for (const [file, shown] of lines) {
    try {
      const { job } = await upload(path`/v1/projects/${project}/documents`, file, (share) => shown.update("Uploading", share));
      shown.update("Queued", null);
      shown.enableCancel(job.id);
      waiting.set(job.id, shown);
      if (waiting.size === 1) follow(project, waiting, changed);
    } catch (error) {
      shown.end("failed", error.message);
      alarm(`${file.name}: ${error.message}`);
    }
  }
}

/** Shows jobs that were started before this page was opened and are not finished. */
export async function resume(queue, changed) {
  const project = session.project;
  const waiting = new Map();
  const { jobs } = await listed(project).catch(() => ({ jobs: [] }));
  for (const job of jobs.filter((one) => !FINISHED.has(one.state)).reverse()) {
    const shown = line(queue, job.name);
    shown.enableCancel(job.id);
    waiting.set(job.id, shown);
  }
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
        shown.end(job.state, outcome(job));
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
  const part = files > 1 ? ` file ${file} of ${files}` : "";
  shown.update(state === "queued" ? "Queued" : (STAGES[stage] ?? "Starting") + part, of ? done / of : null);
}

function outcome({ state, result }) {
  const [taken, failed] = [result?.documents ?? [], result?.failed ?? []];
  if (state === "cancelled") return "Cancelled";
  if (!taken.length) return [failed[0]?.message, failed[0]?.hint].filter(Boolean).join("; ") || "The file could not be indexed";
  const passages = taken.reduce((sum, one) => sum + one.passages, 0);
  const said = taken.every((one) => one.outcome === "unchanged")
    ? "No changes"
    : `${taken.length > 1 ? `${taken.length} documents, ` : ""}${count(passages, "one passage", "% passages")}`;
  return failed.length ? `${said}; ${count(failed.length, "one file", "% files")} could not be read: ${failed[0].message}` : said;
}

function line(queue, name) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of ${name}` });
  const said = h("span", { class: "upload-state" }, "Waiting");
  const off = h("button", { type: "button", class: "quiet", "aria-label": `Cancel ${name}`, hidden: true }, "✕");
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
    end(state, text) {
      bar.remove();
      off.remove();
      item.classList.add(state === "done" ? "is-done" : "is-failed");
      fill(said, h("span", { "aria-hidden": "true" }, state === "done" ? "✓ " : "✗ "), text);
      announce(`${name}: ${text}`);
    },
  };
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
