// The review queue by keys: a accepts, e words anew, r rejects what is in focus.  j and k move, as everywhere.
(() => {
  "use strict";
  const items = () => [...document.querySelectorAll(".suggestion")];
  const isOff = () => { try { return localStorage.getItem("noctuary-keys") === "no"; } catch { return false; } };

  function unfold(item, which) {
    const details = item.querySelector(which);
    if (!details) return;
    details.open = true;
    const field = details.querySelector("textarea, input:not([type=hidden])");
    field.focus();
    field.select();
  }
  const ACTIONS = {
    a: (item) => item.querySelector("[data-accept]")?.click(),
    e: (item) => unfold(item, "[data-edit]"),
    r: (item) => unfold(item, "[data-reject]"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isOff() || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, select, textarea")) return;
    const item = document.activeElement.closest(".suggestion");
    if (!item || !ACTIONS[event.key]) return;
    event.preventDefault();
    ACTIONS[event.key](item);
  });

  // Whoever has decided one goes on with the next, to which the address leads.
  const next = document.querySelector(".suggestion:target") || items()[0];
  if (document.querySelector(".done")) next?.focus({ preventScroll: true, focusVisible: true });
})();
