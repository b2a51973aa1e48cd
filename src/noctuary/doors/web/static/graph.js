// The graph can be moved and zoomed: with the mouse, with fingers, with keys.  Without this file it is scrolled.
(() => {
  "use strict";
  const figure = document.querySelector("[data-graph]");
  if (!figure) return;
  const canvas = figure.querySelector(".canvas");
  const svg = canvas.querySelector("svg");
  const whole = svg.viewBox.baseVal;
  const all = { x: 0, y: 0, w: whole.width, h: whole.height };
  const NEAREST = 120; // units across the canvas
  const AROUND = 60, LEAST = 260; // pixels: more than the picture is high, and the height of the canvas at least
  let view = { ...all };
  const fingers = new Map();
  let moved = 0; // how far, since a finger or button came down

  figure.classList.add("live");
  figure.querySelector("[data-zoom]").hidden = false;
  const list = document.querySelector("[data-list]");
  if (list) list.open = false;

  const scale = () => Math.max(view.w / canvas.clientWidth, view.h / canvas.clientHeight);
  function show() { svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`); }

  function fit() {
    const ratio = canvas.clientWidth / canvas.clientHeight;
    const w = Math.max(all.w, all.h * ratio, canvas.clientWidth), h = w / ratio;
    view = { w, h, x: (all.w - w) / 2, y: (all.h - h) / 2 };
    show();
  }

  // At first it is as large as it can be read; what does not fit begins at the left, with what stands highest there.
  function begin() {
    if (!canvas.clientWidth || !canvas.clientHeight) return; // nobody sees it
    if (all.h + AROUND < canvas.clientHeight) canvas.style.height = `${Math.max(LEAST, all.h + AROUND)}px`;
    fit();
    const readable = canvas.clientWidth * 1.35;
    if (view.w <= readable) return;
    const h = readable * canvas.clientHeight / canvas.clientWidth;
    view = { w: readable, h, x: 0, y: all.h > h ? Math.min(Math.max(0, firstNode() - h / 2), all.h - h) : (all.h - h) / 2 };
    show();
  }
  function firstNode() {
    const found = [...svg.querySelectorAll(".node")].map((node) => node.transform.baseVal[0].matrix);
    return found.reduce((best, here) => (here.e < best.e || (here.e === best.e && here.f < best.f) ? here : best), found[0]).f;
  }

  function zoom(by, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const most = Math.max(all.w, all.h * canvas.clientWidth / canvas.clientHeight, canvas.clientWidth) * 1.5;
    const w = Math.min(most, Math.max(NEAREST, view.w * by)), real = w / view.w;
    view.x += view.w * (1 - real) * (x / canvas.clientWidth);
    view.y += view.h * (1 - real) * (y / canvas.clientHeight);
    view.w = w;
    view.h *= real;
    show();
  }
  function pan(x, y) { view.x += x * scale(); view.y += y * scale(); show(); }

  const inside = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004), ...inside(event));
  }, { passive: false });

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) moved = 0;
  });
  window.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 2) pinch(before, event);
    else pan(before.clientX - event.clientX, before.clientY - event.clientY);
    moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
    fingers.set(event.pointerId, event);
    if (moved > 6) canvas.classList.add("moving");
  });
  function pinch(before, event) {
    const other = [...fingers.values()].find((each) => each.pointerId !== event.pointerId);
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const [x1, y1] = inside(event), [x2, y2] = inside(other);
    zoom(apart(before) / apart(event), (x1 + x2) / 2, (y1 + y2) / 2);
  }
  for (const end of ["pointerup", "pointercancel"]) {
    window.addEventListener(end, (event) => {
      fingers.delete(event.pointerId);
      if (!fingers.size) canvas.classList.remove("moving");
    });
  }
  // A node that was only dragged over is not opened.
  canvas.addEventListener("click", (event) => { if (moved > 6) event.preventDefault(); moved = 0; }, true);
  canvas.addEventListener("dragstart", (event) => event.preventDefault());

  const STEPS = { in: () => zoom(0.75), out: () => zoom(1 / 0.75), fit };
  for (const button of figure.querySelectorAll("[data-step]")) button.addEventListener("click", STEPS[button.dataset.step]);
  const KEYS = {
    "+": STEPS.in, "=": STEPS.in, "-": STEPS.out, "0": fit,
    ArrowLeft: () => pan(-60, 0), ArrowRight: () => pan(60, 0), ArrowUp: () => pan(0, -60), ArrowDown: () => pan(0, 60),
  };
  canvas.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  // Whoever comes to a node by Tab sees it.
  canvas.addEventListener("focusin", (event) => {
    const node = event.target.closest(".node");
    if (!node || fingers.size) return;
    canvas.scrollTo(0, 0);
    const { e, f } = node.transform.baseVal[0].matrix;
    if (e - 100 < view.x || e + 100 > view.x + view.w || f - 30 < view.y || f + 30 > view.y + view.h) {
      view.x = e - view.w / 2;
      view.y = f - view.h / 2;
      show();
    }
  });
  // Whoever turns the phone stays where they were.
  window.addEventListener("resize", () => {
    if (!canvas.clientWidth || !canvas.clientHeight) return;
    const h = view.w * canvas.clientHeight / canvas.clientWidth;
    view = { ...view, h, y: view.y + (view.h - h) / 2 };
    show();
  });
  begin();
})();
