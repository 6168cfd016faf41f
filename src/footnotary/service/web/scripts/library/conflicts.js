// The conflicts of a document that is opened: which other documents say otherwise, and where.

import { get, path } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { t } from "../shared/texts.js";
import { count } from "../shared/words.js";

/** Compares a document with the others of its project, part by part, when somebody asks for it. */
export function conflicts(project, detail, { showHere, showThere }) {
  const found = h("ul", { class: "conflict-list" });
  const said = h("span", { class: "muted", role: "status" });
  const button = h("button", { type: "button", class: "link" }, t("Look for conflicts with other documents"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    fill(found);
    const known = new Set();
    let skipped = 0;
    try {
      for (let at = 0; at !== null && button.isConnected;) {
        fill(said, t("Compared {percent} %", { percent: Math.floor((100 * at) / Math.max(detail.passages, 1)) }));
        const part = await get(path`/v1/projects/${project}/document-conflicts/${detail.id}?start=${at}`);
        for (const one of part.conflicts) {
          const same = JSON.stringify([one.own.passage, one.own.quote, one.other.passage, one.other.quote]);
          if (!known.has(same)) found.append(line(one, showHere, showThere));
          known.add(same);
        }
        skipped += part.skipped.length;
        at = part.next;
      }
      fill(said, summary(known.size), skipped ? ` ${count(skipped, "One passage was too long to compare.", "% passages were too long to compare.")}` : null);
    } catch (error) {
      fill(said, error.message);
    } finally {
      button.disabled = false;
    }
  });
  return h("div", { class: "reader-check" }, button, " ", said, found);
}

function summary(number) {
  if (!number) return t("No other document gives a different value. Only values are compared here.");
  return count(number, "One conflict with another document.", "% conflicts with other documents.");
}

function line({ own, other, answer_id: answer }, showHere, showThere) {
  return h("li", {},
    side(t("This document says {value}", { value: shown(own) }), own, () => showHere(own)),
    side(t("{title} says {value}", { title: other.title, value: shown(other) }), other, () => showThere(other)),
    answer ? h("p", { class: "muted" }, t("Reported by an answer.")) : null);
}

/** A value as the source writes it; where whole passages contradict each other, the quote says it. */
function shown({ value, quote }) {
  if (value === quote) return t("otherwise");
  return value === "yes" || value === "no" ? t(value) : value;
}

function side(title, { quote, passage, page }, show) {
  return h("div", { class: "conflict-side" },
    h("p", { class: "conflict-says", dir: "auto" }, title),
    h("blockquote", { dir: "auto" }, quote),
    h("p", { class: "note-id" }, passage, page ? ` · ${t("Page {page}", { page })}` : null, " ",
      h("button", { type: "button", class: "link", "aria-label": `${t("Show in the text")}: ${quote}`, on: { click: show } }, t("Show in the text"))));
}
