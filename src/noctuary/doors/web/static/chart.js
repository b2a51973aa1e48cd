// A bar of the chart leads to the sessions of its day; the table below it has the same links.
(() => {
  "use strict";
  const chart = document.querySelector("[data-chart]");
  if (!chart) return;
  chart.setAttribute("data-linked", "");
  chart.addEventListener("click", (event) => {
    const day = event.target.closest("[data-day]")?.dataset.day;
    if (day) location.assign(`/sessions?after=${day}&before=${day}T23:59:59`);
  });
})();
