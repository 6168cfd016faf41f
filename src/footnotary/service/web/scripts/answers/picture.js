// The image of a cited page: scrolled to the highlighted quote, enlarged on demand.

import { blob, path } from "../shared/api.js";
import { byId, fill, h } from "../shared/dom.js";
import { t } from "../shared/texts.js";
import { sheet } from "../shared/sheet.js";

const SAMPLED = 120; // pixels across: enough to find a highlighted line
const ABOVE = 0.22; // of the window, left above the quote

let shown = null;

/** Loads the page image into an element, as long as `isWanted` returns true. */
export async function picture({ citation, project }, source, into, isWanted) {
  const span = citation.chunk_span;
  const quote = span ? path`?quote_start=${span.start}&quote_end=${span.end}` : "";
  const page = source.page_label ?? source.page;
  fill(into, h("p", { class: "muted" }, t("Loading the page …")));
  try {
    const image = await blob(path`/v1/projects/${project}/sources/${citation.id}/page.png` + quote);
    if (!isWanted()) return;
    forgetPicture();
    shown = URL.createObjectURL(image);
    const alt = t("Page {page} of {document} with the quote highlighted", { page, document: citation.document ?? t("the document") });
    const drawn = h("img", { src: shown, alt });
    const frame = h("button", { type: "button", class: "page", "aria-label": t("Enlarge page {page}", { page }), on: { click: () => enlarge(page, alt) } }, drawn);
    drawn.addEventListener("load", () => turnTo(frame, drawn), { once: true });
    fill(into, h("figure", {}, frame, h("figcaption", {}, t("Page {page} with the quote highlighted. Click to enlarge.", { page }))));
  } catch (error) {
    if (isWanted()) fill(into, h("p", { class: "muted" }, `${t("The page cannot be shown:")} ${error.message}`));
  }
}

export function forgetPicture() {
  if (shown) URL.revokeObjectURL(shown);
  shown = null;
}

function enlarge(page, alt) {
  const large = h("img", { class: "page-large", src: shown, alt });
  large.addEventListener("load", () => turnTo(byId("sheet"), large), { once: true });
  sheet(t("Page {page}", { page }), large, { wide: true });
}

/** Scrolls the frame so that the highlighted words are near its top. */
function turnTo(frame, image) {
  const at = highlighted(image);
  if (at !== null) frame.scrollTop = image.offsetTop + at * image.offsetHeight - frame.clientHeight * ABOVE;
}

/** The relative height of the first yellow line in the image, from 0 to 1; null if there is none. */
function highlighted(image) {
  const canvas = h("canvas", { width: SAMPLED, height: Math.ceil((SAMPLED * image.naturalHeight) / image.naturalWidth) });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] > 170 && data[i + 1] > 150 && data[i + 2] < 0.6 * data[i]) return Math.floor(i / 4 / canvas.width) / canvas.height;
  }
  return null;
}
