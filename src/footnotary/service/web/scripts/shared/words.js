// Texts for codes: stages, refusal reasons, and checks. They are written in English here and translated where shown.

import { language, locale, t } from "./texts.js";

/** Stages of an answer as they happen; `%` is replaced by a number from the service. */
export const STAGES = {
  understood: "Question read",
  retrieved: ["hits", "One passage found", "% passages found"],
  gated: "Evidence checked",
  drafting: "Writing",
  drafted: ["claims", "One sentence drafted", "% sentences drafted"],
  verified: "Every sentence checked",
  quoted: "Draft rejected: the sources are quoted instead",
};

/** What happens after a stage, shown while waiting. */
export const NEXT = {
  start: "Reading the question …",
  understood: "Searching the documents …",
  retrieved: "Checking whether the passages answer the question …",
  gated: "Preparing the answer …",
  drafting: "Writing …",
  drafted: "Checking every sentence against its source …",
  verified: "Adding the footnotes …",
  quoted: "Adding the footnotes …",
};

const NOT_IN_DOCUMENTS = "The documents do not contain the answer";
const DRAFT_REJECTED = "The draft did not pass the checks";

/** By reason: a heading, what happened, and what the reader can do about it. */
const REASONS = {
  collection_not_found: ["There is nothing to search yet", "This project does not exist or has no documents.", "Add documents, or choose another project."],
  no_relevant_content: [NOT_IN_DOCUMENTS, "No passage in this project is close enough to the question.", "Use the terms of the documents, choose another project, or add a document that contains the answer."],
  insufficient_sources: [NOT_IN_DOCUMENTS, "Fewer relevant passages were found than this profile requires.", "Add another source, or lower the minimum number of sources under Options."],
  insufficient_evidence: [NOT_IN_DOCUMENTS, "There are passages about the subject, but none that answers the question.", "Ask about what the passages do say, or add a document that contains the answer."],
  uncorroborated: ["Only one source says so", "This profile needs several documents that state the same independently; copies and quotations count once.", "Add a second document that answers the question in its own words."],
  conflicting_sources: ["The sources disagree", "Two passages state different values for the same rule, and this profile does not choose between them.", "Read both below. If you set the effective dates of the documents, the one in force is used."],
  generation_error: ["The model could not be used", "The language model failed or returned an invalid response. Nothing of it is shown.", "Try again. If it happens again, ask the operator of the service to check the model."],
  off_question: [NOT_IN_DOCUMENTS, "What was drafted is about something else than the question, so nothing of it is shown.", "Name exactly what you are asking about, or add a document that contains the answer."],
  generator_declined: [NOT_IN_DOCUMENTS, "The model read the passages and found no answer in them.", "Ask a narrower question, or add a document that contains the answer."],
};

export function reason(code) {
  return REASONS[code] ?? [DRAFT_REJECTED, "A sentence of the draft is not supported by its source, so nothing of it is shown.", "Ask a narrower question: a question about one thing is easier to verify."];
}

/** Checks by group; those in `whole` concern the answer, the others each of its sentences. */
const CHECKS = {
  evidence_suffices: ["whole", "There is enough evidence for this kind of question"],
  answer_has_claims: ["whole", "It makes at least one claim"],
  length_is_plausible: ["whole", "Its length is plausible for its sources"],
  citations_are_dense: ["whole", "Every paragraph is cited"],
  language_matches: ["whole", "It is in the language of the question"],
  answer_is_grounded: ["whole", "Its sentences overlap with their sources"],
  answer_addresses_question: ["whole", "It answers the question"],
  prompt_is_not_leaked: ["whole", "It does not repeat the prompt"],
  sources_agree: ["whole", "No retrieved source contradicts it"],
  markers_are_well_formed: ["cites", "Its footnotes are well formed"],
  citations_resolve: ["cites", "Its footnotes refer to retrieved passages"],
  claims_are_cited: ["cites", "It has its own footnote"],
  sources_used_are_cited: ["cites", "It uses no passage that it does not cite"],
  citations_support_their_claims: ["cites", "Each cited passage is relevant to it"],
  quotations_are_verbatim: ["cites", "Its quotations are verbatim"],
  numbers_are_supported: ["facts", "Every number, with its unit"],
  dates_are_supported: ["facts", "Every date"],
  sections_are_supported: ["facts", "Every provision it names"],
  names_are_supported: ["facts", "Every person, body and law it names"],
  roles_agree: ["facts", "Who does what to whom"],
  terms_are_not_substituted: ["facts", "No key term is replaced by another"],
  negation_agrees: ["sense", "It does not negate what the source states"],
  modality_agrees: ["sense", "May stays may, shall stays shall"],
  quantifiers_agree: ["sense", "All, some, any, no and only are unchanged"],
  comparators_agree: ["sense", "At most stays at most"],
  connectives_agree: ["sense", "And stays and, or stays or"],
  exceptions_are_kept: ["sense", "Exceptions and conditions are kept"],
  claims_are_entailed: ["sense", "The source supports the sentence as a whole"],
  words_overlap: ["sense", "Its words overlap with the source"],
  no_outside_knowledge: ["sense", "It uses no outside knowledge"],
  reply_is_readable: ["whole", "The model’s reply can be read"],
};

export const GROUPS = { cites: "Footnotes", facts: "Facts, as in the source", sense: "Meaning", whole: "The answer as a whole" };

export function check(name) {
  return CHECKS[name] ?? ["sense", plain(name)];
}

/** The detail of a verdict with the numbers it was decided by: "… (best score 0.16, threshold 0.3)". */
export function verdictText({ detail, values = {} }) {
  const numbers = Object.entries(values).filter(([, value]) => typeof value === "number").map(([name, value]) => `${plain(name)} ${value}`);
  return [detail, numbers.length ? `(${numbers.join(", ")})` : ""].filter(Boolean).join(" ");
}

/** A code as words: `no_relevant_content` as "no relevant content". */
export function plain(code) {
  return String(code).replaceAll("_", " ");
}

/** A reason's code as words of the chosen language. */
export const reasonName = (code) => t(plain(code));

export function count(number, one, many) {
  return number === 1 ? t(one) : t(many).replace("%", number.toLocaleString("en"));
}

export function stage(name, facts) {
  const known = STAGES[name];
  if (!Array.isArray(known)) return known ? t(known) : plain(name);
  const number = Number(facts[known[0]]);
  return Number.isFinite(number) ? count(number, known[1], known[2]) : plain(name);
}

const FORMS = {
  moment: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" },
};
const formats = new Map();

export const moment = (text) => said("moment", text);
export const day = (text) => said("day", text);

function said(form, text) {
  const when = new Date(text ?? NaN);
  if (Number.isNaN(when.getTime())) return "";
  const known = `${form} ${language()}`;
  if (!formats.has(known)) formats.set(known, new Intl.DateTimeFormat(locale(), FORMS[form]));
  return formats.get(known).format(when);
}
