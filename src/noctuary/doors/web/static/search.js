// Search as one types: the same address answers with the list alone, and the address of the page follows.
(() => {
  "use strict";
  const WAIT_MS = 160;
  const form = document.querySelector("[data-searching]");
  const results = document.querySelector("[data-results]");
  const count = document.querySelector("[data-count]");
  let timer = 0;
  let running = null; // what can be given up
  let asked = query();

  function query() {
    const values = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim()) values.append(name, value.trim());
    return values.toString();
  }

  async function ask() {
    const wanted = query();
    if (wanted === asked) return;
    asked = wanted;
    running?.abort();
    const mine = running = new AbortController();
    results.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`/search?${wanted}${wanted ? "&" : ""}part=1`, { signal: mine.signal, credentials: "same-origin" });
      if (!answer.ok) throw new Error(String(answer.status));
      show(await answer.text(), wanted);
    } catch (error) {
      if (error.name === "AbortError") return; // a newer question is on its way
      if (error instanceof TypeError) gone(); // nobody answered
      else form.submit(); // the page says what is wrong
    } finally {
      if (running === mine) results.removeAttribute("aria-busy");
    }
  }

  // What was found stays, and the next letter asks again.
  function gone() {
    asked = null;
    count.textContent = "The server does not answer; is noctuary serve running?";
  }

  function show(text, wanted) {
    const found = document.createElement("template");
    found.innerHTML = text;
    count.textContent = found.content.firstElementChild.dataset.told;
    results.replaceChildren(found.content);
    history.replaceState(null, "", wanted ? `/search?${wanted}` : "/search");
    const words = form.elements.q.value.trim();
    document.title = `${words || "Search"} · Noctuary`;
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  }

  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    ask();
  });
  // Arrows lead from the field through what was found, and back.
  document.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [form.elements.q, ...results.querySelectorAll("[data-item] a[href]")];
    const here = stops.indexOf(document.activeElement);
    if (!step || here < 0 || !stops[here + step]) return;
    event.preventDefault();
    stops[here + step].focus();
  });
  addEventListener("pageshow", () => { if (query() !== asked) ask(); }); // a browser may have filled in what was typed
})();
