// Requests to the service that served this page, and to no other host.

import { t } from "./texts.js";

const KEY = "footnotary.key";

/** An error response of the service (RFC 9457). */
export class Problem extends Error {
  constructor(status, { title, detail, code } = {}, retryAfter = null) {
    super(detail || title || t("The service returned status {status}.", { status }));
    this.status = status;
    this.code = code || null;
    this.retryAfter = retryAfter;
  }
}

export const key = {
  get: () => sessionStorage.getItem(KEY),
  set: (value) => sessionStorage.setItem(KEY, value),
  forget: () => sessionStorage.removeItem(KEY),
};

/** Dispatches `wanted` when the service requires a key. */
export const gate = new EventTarget();

/** A path with encoded parts: path`/v1/projects/${name}`. */
export function path(parts, ...values) {
  return parts.reduce((made, part, i) => made + encodeURIComponent(values[i - 1]) + part);
}

export async function get(url) {
  return (await reply("GET", url)).json();
}

export async function post(url, body) {
  return (await reply("POST", url, body)).json();
}

export async function remove(url) {
  await reply("DELETE", url);
}

/** The reply to a request with a body, as a blob: an export. */
export async function fetched(url, body) {
  return (await reply("POST", url, body, { accept: "*/*" })).blob();
}

/** The content of a URL as a blob: images and bundles need the key, which an <img> cannot send. */
export async function blob(url) {
  return (await reply("GET", url)).blob();
}

/** The events of a streamed answer, as `{event, data}`; an answer that is not streamed is one event, `done`. */
export async function* events(url, body, signal) {
  const response = await reply("POST", url, body, { signal, accept: "text/event-stream" });
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return yield { event: "done", data: await response.json() };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replace(/\r\n?/g, "\n").split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const read = event(block);
      if (read) yield read;
    }
  }
}

/** Uploads one file and reports the progress; XMLHttpRequest because fetch does not report it. */
export function upload(url, file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    // The body is the raw file: in a form, browsers encode a quotation mark in its name as %22, which is ambiguous.
    request.open("POST", url + path`?name=${file.name}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    for (const [name, value] of Object.entries(credentials())) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (e) => e.lengthComputable && progress(e.loaded / e.total));
    request.addEventListener("error", () => reject(unreachable()));
    request.addEventListener("load", () => {
      const body = parsed(request.responseText);
      if (request.status < 300) resolve(body);
      else reject(problem(request.status, body, request.getResponseHeader("Retry-After")));
    });
    request.send(file);
  });
}

async function reply(method, url, body, { signal, accept = "application/json" } = {}) {
  const headers = { Accept: accept, ...credentials() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(url, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    throw error.name === "AbortError" ? error : unreachable();
  }
  if (!response.ok) throw problem(response.status, parsed(await response.text()), response.headers.get("Retry-After"));
  return response;
}

function credentials() {
  const held = key.get();
  return held ? { Authorization: `Bearer ${held}` } : {};
}

function problem(status, body, retryAfter) {
  if (status === 401) gate.dispatchEvent(new Event("wanted"));
  return new Problem(status, body ?? {}, retryAfter);
}

function unreachable() {
  return new Problem(0, { title: t("The service cannot be reached"), detail: t("Is it still running? Try again in a moment.") });
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}

function event(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length ? { event: name, data: parsed(data.join("\n")) ?? {} } : null;
}
