// Announces changes of the page to screen readers.

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
  // A live region that is cleared and filled with the same text in one step is not read again.
  setTimeout(() => { element.textContent = text; }, 60);
}
