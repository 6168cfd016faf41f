// Sets the chosen colours before the first paint, so that a dark page does not flash white.
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem("footnotary.theme"); } catch { /* storage may be blocked; use the system default */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
