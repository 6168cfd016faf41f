// Footnotes of an answer: one numeral for each quote, counted as they come.

import { h } from "./dom.js";
import { day } from "./words.js";

/** The footnotes in order; claims that cite the same words of the same passage share one. */
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

/** A source by its name: act, provision and title, or chapter and page, or at least the file. */
export function sourceName(source, citation) {
  const meta = source?.metadata ?? {};
  const parts = [
    source?.act ?? meta.subject_title,
    source?.section ? provision(source.section) : null,
    meta.class_number ? `Class ${meta.class_number}` : null,
    meta.chapter && !source?.section ? `Chapter ${meta.chapter}` : null,
  ].filter(Boolean);
  const name = parts.join(", ");
  if (name && source?.title) return `${name}: ${source.title}`;
  return name || source?.title || citation?.document || meta.filename || source?.semantic_id || citation?.id || "";
}

/** Where in the document: the page, where it has pages. */
export function place(citation) {
  return citation?.page ? `p. ${citation.page}` : "";
}

/** What must be known of a source beside what it says: that it no longer holds, or does not hold yet. */
export function standing(validity) {
  if (!validity || validity.in_force !== false) return null;
  const [from, to] = [day(validity.effective_from), day(validity.effective_to)];
  const when = to ? `held until ${to}` : from ? `holds from ${from}` : "has been superseded";
  return h("span", { class: "badge badge-warn" }, `Not in force: ${when}`);
}

/** A citation to paste into a brief or a worksheet. */
export function asText(note, name) {
  const where = [name, place(note.citation), `[${note.citation.id}]`].filter(Boolean).join(", ");
  return `“${note.citation.quote}” (${where})`;
}

function provision(section) {
  return /^[\d.]+[A-Za-z]*$/.test(section) ? `§ ${section}` : section;
}
