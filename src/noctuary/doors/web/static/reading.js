// Copy the link to a message.
(() => {
  "use strict";
  const told = document.createElement("p");
  told.className = "told";
  told.setAttribute("role", "status");
  told.hidden = true;
  document.body.append(told);
  let timer = 0;

  function tell(words) {
    told.hidden = false;
    told.textContent = words;
    clearTimeout(timer);
    timer = setTimeout(() => { told.hidden = true; }, 2000);
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const link = new URL(button.dataset.copy, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      tell("Link copied");
    } catch {
      tell(link); // to be copied by hand
    }
  });
})();
