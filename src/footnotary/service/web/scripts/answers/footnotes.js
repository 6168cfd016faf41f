// Footnotes of an answer: one number for each quote, in order of appearance.

import { h } from "../shared/dom.js";
import { t } from "../shared/texts.js";
import { day } from "../shared/words.js";

const UNITS = { judgment: "Paragraph", regulation: "§" };

/** The footnotes in order; claims that cite the same quote of the same passage share one. */
export function footnotes(outcome) {
  const sources = new Map((outcome.sources ?? []).map((source) => [source.semantic_id, source]));
  const notes = new Map();
  for (const citation of [...outcome.citation_details].sort((a, b) => a.claim - b.claim)) {
    const same = `${citation.id}\n${citation.quote}`;
    const note = notes.get(same) ?? { number: notes.size + 1, citation, source: sources.get(citation.id), claims: new Set(), project: outcome.project };
    note.claims.add(citation.claim);
    notes.set(same, note);
  }
  return [...notes.values()];
}

/** A source as the service names it, `Penal Code, 1860, Section 420, Page 2 (Cheating)`, or else its file name. */
export function sourceName(source, citation) {
  if (source?.source) return source.source;
  const meta = source?.metadata ?? {};
  const page = citation?.page ?? source?.page;
  const [title, at] = [source?.title, page ? `Page ${page}` : null];
  const parts = meta.kind === "textbook"
    ? [source?.act ?? meta.subject, meta.class_number ? `Class ${meta.class_number}` : null, meta.chapter ? `Chapter ${meta.chapter}` : null, at]
    : [source?.act, source?.section ? `${UNITS[meta.kind] ?? "Section"} ${source.section}` : null, at];
  const where = parts.filter(Boolean).join(", ");
  const isNamed = source?.act || source?.section || title;
  if (isNamed) return where && title ? `${where} (${title})` : where || title;
  return [citation?.document ?? meta.filename ?? source?.semantic_id ?? citation?.id, at].filter(Boolean).join(", ");
}

/** A badge for a source that is no longer in force, or not yet. */
export function standing(validity) {
  if (!validity || validity.in_force !== false) return null;
  const [from, to] = [day(validity.effective_from), day(validity.effective_to)];
  const when = to ? t("effective until {day}", { day: to }) : from ? t("effective from {day}", { day: from }) : t("superseded");
  return h("span", { class: "badge badge-warn" }, t("Not in force: {when}", { when }));
}

/** A citation to paste into a brief or a worksheet. */
export function asText({ citation }, name) {
  return `${citation.quote ? `“${citation.quote}” ` : ""}(${name}) [${citation.id}]`;
}
