// Says to screen readers what changed on the page.

import { byId } from "./dom.js";

export function announce(text) {
  say("polite", text);
}

export function alarm(text) {
  say("urgent", text);
}

function say(region, text) {
  const element = byId(region);
  element.textContent = "";
  // A region that is emptied and filled in one step is not read out again where the words are the same.
  setTimeout(() => { element.textContent = text; }, 60);
}
