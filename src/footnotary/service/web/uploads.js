// Files on their way in: sent, waiting, read, indexed, and what became of each.

import { alarm, announce } from "./announce.js";
import { get, path, remove, upload } from "./api.js";
import { fill, h } from "./dom.js";
import { session } from "./session.js";
import { count } from "./words.js";

const STAGES = { reading: "Reading", embedding: "Indexing" };
const FINISHED = new Set(["done", "failed", "cancelled"]);
const POLLED_MS = 900;
const POLLED_AT_MOST = 1000;

/** Sends files one after the other into the chosen project, after `resumed`; `changed` is called when some have come in. */
export async function send(files, queue, changed, resumed) {
  const project = session.project;
  await resumed; // or these would be listed as sent before as well
  const waiting = new Map();
  const lines = files.map((file) => [file, line(queue, file.name)]);
  for (const [file, shown] of lines) {
    try {
      const { job } = await upload(path`/v1/projects/${project}/documents`, file, (share) => shown.tell("Sending", share));
      shown.tell("Waiting its turn", null);
      shown.callOff(job.id);
      waiting.set(job.id, shown);
      if (waiting.size === 1) follow(project, waiting, changed);
    } catch (error) {
      shown.end("failed", error.message);
      alarm(`${file.name}: ${error.message}`);
    }
  }
}

/** Shows what was sent before this page was opened and is still under way. */
export async function resume(queue, changed) {
  const project = session.project;
  const waiting = new Map();
  const { jobs } = await listed(project).catch(() => ({ jobs: [] }));
  for (const job of jobs.filter((one) => !FINISHED.has(one.state)).reverse()) {
    const shown = line(queue, job.name);
    shown.callOff(job.id);
    waiting.set(job.id, shown);
  }
  follow(project, waiting, changed);
}

async function follow(project, waiting, changed) {
  while (waiting.size) {
    const found = await listed(project).catch((error) => ({ error }));
    // A service that is busy or restarting keeps its jobs; one that no longer knows us does not tell of them.
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
  shown.tell(state === "queued" ? "Waiting its turn" : (STAGES[stage] ?? "Starting") + part, of ? done / of : null);
}

function outcome({ state, result }) {
  const [taken, failed] = [result?.documents ?? [], result?.failed ?? []];
  if (state === "cancelled") return "Called off";
  if (!taken.length) return [failed[0]?.message, failed[0]?.hint].filter(Boolean).join("; ") || "It could not be taken in";
  const passages = taken.reduce((sum, one) => sum + one.passages, 0);
  const said = taken.every((one) => one.outcome === "unchanged")
    ? "Nothing new in it"
    : `${taken.length > 1 ? `${taken.length} documents, ` : ""}${count(passages, "one passage", "% passages")}`;
  return failed.length ? `${said}; ${count(failed.length, "one file", "% files")} could not be read: ${failed[0].message}` : said;
}

function line(queue, name) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of ${name}` });
  const said = h("span", { class: "upload-state" }, "Waiting");
  const off = h("button", { type: "button", class: "quiet", "aria-label": `Call off ${name}`, hidden: true }, "✕");
  const item = h("li", { class: "upload" }, h("span", { class: "upload-name", dir: "auto" }, name), bar, said, off);
  queue.append(item);
  return {
    tell(text, share) {
      fill(said, text);
      if (share === null) bar.removeAttribute("value");
      else bar.value = share;
    },
    callOff(id) {
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
