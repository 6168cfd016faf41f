// The verdicts on a sentence and on an answer: every check by name.

import { disclosure, h } from "../shared/dom.js";
import { t } from "../shared/texts.js";
import { check, count, GROUPS, verdictText } from "../shared/words.js";

const SIGNS = { pass: ["✓", "passed"], fail: ["✗", "failed"], skip: ["–", "could not run"] };

/** The checks that concern one sentence, as a disclosure below it. */
export function claimVerdicts(verdicts, index) {
  const own = verdicts.filter((v) => check(v.check)[0] !== "whole").map((v) => verdictOnClaim(v, index));
  if (!own.length) return null;
  const failed = own.filter((v) => v.status !== "pass").length;
  const summary = failed
    ? count(failed, "One check failed", "% checks failed")
    : count(own.length, "Verified by one check", "Verified by % checks");
  return disclosure([h("span", { class: failed ? "tick is-failed" : "tick", "aria-hidden": "true" }, failed ? "✗" : "✓"), ` ${summary}`], "verdicts", groups(own));
}

/** The checks that concern the whole answer; for a refusal, all of them. */
export function wholeVerdicts(verdicts, summary, { all = false } = {}) {
  const own = all ? verdicts : verdicts.filter((v) => check(v.check)[0] === "whole");
  return own.length ? disclosure(summary, "verdicts verdicts-whole", groups(own)) : null;
}

function verdictOnClaim(verdict, index) {
  const concerns = verdict.claims.length === 0 || verdict.claims.includes(index);
  return concerns ? verdict : { ...verdict, status: "pass", detail: "", values: {} };
}

function groups(verdicts) {
  return Object.entries(GROUPS).map(([group, title]) => {
    const own = verdicts.filter((v) => check(v.check)[0] === group);
    return own.length ? h("div", { class: "verdict-group" }, h("p", { class: "verdict-title" }, t(title)), h("ul", { "aria-label": t(title) }, own.map(line))) : null;
  });
}

function line(verdict) {
  const [sign, spoken] = SIGNS[verdict.status] ?? ["?", verdict.status];
  const text = verdictText(verdict);
  return h("li", { class: `verdict verdict-${verdict.status in SIGNS ? verdict.status : "skip"}` },
    h("span", { class: "sign", "aria-hidden": "true" }, sign),
    h("span", {}, t(check(verdict.check)[1]), h("span", { class: "sr" }, `: ${t(spoken)}`),
      text ? h("span", { class: "detail", dir: "auto" }, text) : null));
}
