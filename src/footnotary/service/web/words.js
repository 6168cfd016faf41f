// What codes mean, in the words of people: stages, reasons for a refusal, and checks.

/** Stages of an answer as they happen; `%` stands for a number the service tells. */
export const STAGES = {
  understood: "Question read",
  retrieved: ["hits", "One passage found", "% passages found"],
  gated: "Evidence weighed",
  drafting: "Writing",
  drafted: ["claims", "One sentence drafted", "% sentences drafted"],
  verified: "Every sentence checked",
};

/** What is under way after a stage, said while waiting. */
export const NEXT = {
  start: "Reading the question …",
  understood: "Searching the documents …",
  retrieved: "Weighing the evidence …",
  gated: "Choosing what to say …",
  drafting: "Writing …",
  drafted: "Checking every sentence against its source …",
  verified: "Putting the footnotes in …",
};

const NOT_THERE = "The documents do not say";
const NOT_PROVEN = "A draft was written, and withheld";

/** By reason: a heading, what happened, and what the reader can do about it. */
const REASONS = {
  collection_not_found: ["There is nothing to search yet", "This project does not exist or holds no documents.", "Add documents, or choose another project."],
  no_relevant_content: [NOT_THERE, "Nothing in this project is close enough to the question.", "Ask in the words of the documents, choose another project, or add the document that would know."],
  insufficient_sources: [NOT_THERE, "Fewer passages bear on the question than this profile asks for.", "Add a second source, or ask for fewer sources under Options."],
  insufficient_evidence: [NOT_THERE, "There are passages about the subject, but none of the kind the question asks for.", "Ask for what they do say, or add the document that would know."],
  conflicting_sources: ["The sources disagree", "Two passages lay down the same rule differently, and this profile does not choose between them.", "Read both below. Saying from when each document holds settles which one counts."],
  generation_error: ["The model could not be used", "The model that writes drafts failed or answered out of form. Nothing of it is shown.", "Try again. If it happens again, whoever runs the service should look at the model."],
  generator_declined: [NOT_THERE, "The passages were read and found not to answer the question.", "Ask more narrowly, or add the document that would know."],
};

export function reason(code) {
  return REASONS[code] ?? [NOT_PROVEN, "A sentence of it did not hold against its source, so nothing of it is shown.", "Ask more narrowly: a question about one thing is easier to prove."];
}

/** Checks in three groups; those of `whole` concern the answer, the others each sentence of it. */
const CHECKS = {
  evidence_suffices: ["whole", "There is enough evidence of the kind asked for"],
  answer_has_claims: ["whole", "There is something to verify"],
  length_is_plausible: ["whole", "It is not longer than its sources allow"],
  citations_are_dense: ["whole", "Every paragraph is cited"],
  language_matches: ["whole", "It is in the language of the question"],
  answer_is_grounded: ["whole", "Its sentences share their words with their sources"],
  prompt_is_not_leaked: ["whole", "It repeats no instructions"],
  sources_agree: ["whole", "No source found says otherwise"],
  markers_are_well_formed: ["cites", "Its footnotes are well formed"],
  citations_resolve: ["cites", "Its footnotes name passages that were found"],
  claims_are_cited: ["cites", "It carries a footnote of its own"],
  sources_used_are_cited: ["cites", "It draws on no passage it does not cite"],
  citations_support_their_claims: ["cites", "Each passage it cites has to do with it"],
  quotations_are_verbatim: ["cites", "What it quotes is quoted to the letter"],
  numbers_are_supported: ["facts", "Every figure, with its unit"],
  dates_are_supported: ["facts", "Every date"],
  sections_are_supported: ["facts", "Every provision it names"],
  names_are_supported: ["facts", "Every person, body and law it names"],
  roles_agree: ["facts", "Who does what to whom"],
  terms_are_not_substituted: ["facts", "No key term is exchanged for another"],
  negation_agrees: ["sense", "It denies nothing the source asserts"],
  modality_agrees: ["sense", "May stays may, shall stays shall"],
  quantifiers_agree: ["sense", "All, some, any, no and only stay what they are"],
  comparators_agree: ["sense", "At most stays at most"],
  connectives_agree: ["sense", "And stays and, or stays or"],
  exceptions_are_kept: ["sense", "Exceptions and conditions are kept"],
  claims_are_entailed: ["sense", "The source bears it out as a whole"],
  words_overlap: ["sense", "It shares its words with the source"],
  no_outside_knowledge: ["sense", "It calls on no outside knowledge"],
};

export const GROUPS = { cites: "Footnotes", facts: "Facts, as in the source", sense: "Meaning", whole: "The answer as a whole" };

export function check(name) {
  return CHECKS[name] ?? ["sense", plain(name)];
}

/** A code as words: `no_relevant_content` as "no relevant content". */
export function plain(code) {
  return String(code).replaceAll("_", " ");
}

export function count(number, one, many) {
  return number === 1 ? one : many.replace("%", number.toLocaleString("en"));
}

export function stage(name, facts) {
  const known = STAGES[name];
  if (!Array.isArray(known)) return known ?? plain(name);
  const number = Number(facts[known[0]]);
  return Number.isFinite(number) ? count(number, known[1], known[2]) : plain(name);
}

const MOMENT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

export const moment = (text) => said(MOMENT, text);
export const day = (text) => said(DAY, text);

function said(format, text) {
  const when = new Date(text ?? NaN);
  return Number.isNaN(when.getTime()) ? "" : format.format(when);
}
