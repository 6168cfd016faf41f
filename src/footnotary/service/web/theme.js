// Sets the chosen colours before anything is drawn, so that a dark page does not flash white.
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem("footnotary.theme"); } catch { /* storage may be forbidden; the system decides */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
