// Files on their way in: sent, queued, read, indexed, and what became of each.

import { alarm, announce } from "./announce.js";
import { get, path, upload } from "./api.js";
import { fill, h } from "./dom.js";
import { session } from "./session.js";
import { count } from "./words.js";

const STAGES = { read: "Reading", parse: "Reading", parsing: "Reading", reading: "Reading", embed: "Indexing", embedding: "Indexing", store: "Storing", storing: "Storing" };
const FINISHED = new Set(["done", "failed", "cancelled"]);
const POLLED_MS = 700;

/** Sends files one after the other into the project that is chosen now; `changed` is called for each that is in. */
export async function send(files, queue, changed) {
  const project = session.project;
  const lines = files.map((file) => [file, line(queue, file.name)]);
  const waiting = [];
  for (const [file, shown] of lines) {
    try {
      const accepted = await upload(path`/v1/projects/${project}/documents`, file, (share) => shown.tell("Sending", share));
      const jobs = accepted.jobs ?? [accepted.job ?? accepted];
      waiting.push(...jobs.map((job) => follow(job.id ?? job, shown).then(changed)));
    } catch (error) {
      shown.end("failed", error.message);
      alarm(`${file.name}: ${error.message}`);
    }
  }
  await Promise.all(waiting);
}

async function follow(id, shown) {
  for (;;) {
    let job;
    try {
      job = await get(path`/v1/jobs/${id}`);
    } catch (error) {
      if (error.status && error.status !== 429 && error.status !== 503) return shown.end("failed", error.message);
      await pause(POLLED_MS * 3);
      continue;
    }
    job = job.job ?? job;
    if (FINISHED.has(job.state)) return shown.end(job.state, outcome(job));
    const { stage, done, of } = job.progress ?? {};
    shown.tell(job.state === "queued" ? "Waiting its turn" : STAGES[stage] ?? "Indexing", of ? done / of : null);
    await pause(POLLED_MS);
  }
}

function outcome({ state, result }) {
  const documents = result?.documents ?? [];
  const failed = result?.failed ?? [];
  if (state === "cancelled") return "Cancelled";
  if (failed.length && !documents.length) return [failed[0].message, failed[0].hint].filter(Boolean).join("; ");
  const passages = documents.reduce((sum, d) => sum + d.passages, 0);
  const said = documents.every((d) => d.outcome === "unchanged")
    ? "Nothing new in it"
    : `${documents.length > 1 ? `${documents.length} documents, ` : ""}${count(passages, "one passage", "% passages")}`;
  return failed.length ? `${said}; ${count(failed.length, "one file", "% files")} could not be read: ${failed[0].message}` : said;
}

function line(queue, name) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of ${name}` });
  const said = h("span", { class: "upload-state" }, "Waiting");
  const item = h("li", { class: "upload" }, h("span", { class: "upload-name", dir: "auto" }, name), bar, said);
  queue.append(item);
  return {
    tell(text, share) {
      fill(said, text);
      if (share === null) bar.removeAttribute("value");
      else bar.value = share;
    },
    end(state, text) {
      bar.remove();
      item.classList.add(state === "done" ? "is-done" : "is-failed");
      fill(said, h("span", { "aria-hidden": "true" }, state === "done" ? "✓ " : "✗ "), text);
      announce(`${name}: ${text}`);
    },
  };
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
