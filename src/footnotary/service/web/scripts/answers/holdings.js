// What the chosen project holds, below the question, so that people see what they can ask about.

import { byId, fill, h } from "../shared/dom.js";
import { changes, documents, may, session } from "../shared/session.js";
import { languages, t } from "../shared/texts.js";
import { count } from "../shared/words.js";

const NAMED = 8;

export function startHoldings() {
  for (const event of ["project", "documents"]) changes.addEventListener(event, holdings);
  languages.addEventListener("change", holdings);
}

async function holdings() {
  const [box, title, list] = [byId("holdings"), byId("holdings-title"), byId("holdings-list")];
  box.hidden = true;
  const first = () => h("li", {}, h("a", { href: "#documents" }, t("Add the first ones")));
  if (!session.project) {
    box.hidden = session.role === null;
    fill(title, t("There are no documents yet"));
    return void fill(list, may("writer") ? first() : h("li", {}, t("A user with the writer role can add some.")));
  }
  const project = session.project;
  const held = await documents(NAMED).catch(() => null);
  if (!held || project !== session.project) return;
  box.hidden = false;
  const all = Math.max(session.projects.find((p) => p.name === project)?.documents ?? 0, held.documents.length);
  fill(title, all ? count(all, "Answers come from one document", "Answers come from % documents") : t("There are no documents here yet"));
  const shown = held.documents.map((d) => h("li", { dir: "auto" }, d.title || d.id));
  if (all > shown.length) shown.push(h("li", {}, h("a", { href: "#documents" }, t("and {number} more", { number: (all - shown.length).toLocaleString("en") }))));
  if (!all && may("writer")) shown.push(first());
  fill(list, shown);
}
