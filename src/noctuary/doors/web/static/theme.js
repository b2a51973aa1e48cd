// Dark or light, as it was chosen last; loaded before anything is painted, so that no page flashes.
(() => {
  "use strict";
  const KEY = "noctuary-theme";
  const root = document.documentElement;
  const remembered = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  window.switchTheme = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem(KEY, root.dataset.theme); } catch { /* it holds for this page */ }
  };
})();
