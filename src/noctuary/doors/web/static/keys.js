// The keyboard: move, open, go, and a list of the keys.  Without this file everything is reached with Tab.
(() => {
  "use strict";
  const USED = "noctuary-keys";
  const PLACES = {
    g: "/", s: "/sessions", d: "/dreams", r: "/review", m: "/memories", w: "/work", t: "/shared", h: "/health",
  };
  const dialog = document.getElementById("keys");
  const use = document.querySelector("[data-use-keys]");
  let going = 0; // until when a letter after `g` is a place

  for (const each of document.querySelectorAll("[data-scripted]")) each.hidden = false;
  document.querySelector("[data-theme-switch]")?.addEventListener("click", () => window.switchTheme());
  document.querySelector("[data-show-keys]")?.addEventListener("click", () => dialog.showModal());
  try { use.checked = localStorage.getItem(USED) !== "no"; } catch { /* nothing is remembered */ }
  use.addEventListener("change", () => {
    try { localStorage.setItem(USED, use.checked ? "yes" : "no"); } catch { /* it holds for this page */ }
  });

  const field = () => document.querySelector("main [data-search]") || document.querySelector("[data-search]");
  const shown = (element) => element && element.offsetParent !== null;

  function search() {
    const found = field();
    if (!shown(found)) { location.assign("/search"); return; }
    found.focus();
    found.select();
  }

  // What can be moved to: the items of the page; of each the link in it, or the item itself.
  function move(step) {
    const items = [...document.querySelectorAll("[data-item]")].filter(shown);
    if (!items.length) return;
    const here = items.findIndex((item) => item.contains(document.activeElement));
    const asked = items.findIndex((item) => item.matches(":target, .asked"));
    const edge = step > 0 ? -1 : items.length;
    const from = here >= 0 ? here : asked >= 0 ? asked : edge;
    const item = items[Math.max(0, Math.min(items.length - 1, from + step))];
    const target = item.matches("[tabindex]") ? item : item.querySelector("a[href]");
    target.focus({ preventScroll: true, focusVisible: true });
    item.scrollIntoView({ block: "nearest" });
  }

  function follow(rel) { document.querySelector(`main a[rel="${rel}"]`)?.click(); }

  function unfold(event) {
    const details = document.activeElement.matches("[data-item]") && document.activeElement.querySelector("details");
    if (!details) return;
    event.preventDefault();
    details.open = !details.open;
  }

  // Out of a field: what was unfolded for it is folded again, and whoever was at an item of a list is there again.
  function leave(field) {
    const item = field.closest("[data-item][tabindex]"), folded = field.closest(".actions details");
    if (folded) folded.open = false;
    if (item) item.focus({ preventScroll: true, focusVisible: true });
    else if (folded) folded.querySelector("summary").focus();
    else field.blur();
  }

  const ACTIONS = {
    "/": search, "j": () => move(1), "k": () => move(-1), "n": () => follow("next"), "p": () => follow("prev"),
    "t": () => window.switchTheme(), "?": () => dialog.showModal(), "g": () => { going = Date.now() + 1500; },
    "c": () => document.activeElement.closest("[data-item]")?.querySelector("[data-copy]")?.click(),
  };

  // A form that is sent changes the page in a moment; until then a second click or key is none.
  let sent = 0;
  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    if (Date.now() < sent) event.preventDefault();
    else sent = Date.now() + 3000;
  });
  addEventListener("pageshow", () => { sent = 0; });

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea, [contenteditable]");
    if (event.key === "Escape" && isTyping) { leave(event.target); return; }
    if (isTyping || dialog.open || !use.checked || event.ctrlKey || event.metaKey || event.altKey) return;
    if (going > Date.now() && PLACES[event.key]) { going = 0; location.assign(PLACES[event.key]); return; }
    if (event.key === "Enter") { unfold(event); return; }
    const action = ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
})();
