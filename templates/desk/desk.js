// Ask before a form is left with values that are not saved; forms with hx-post keep drafts.
let unsaved = document.querySelector("[data-unsaved]") !== null;
document.addEventListener("input", (event) => {
  const form = event.target.form;
  const kept = event.target.closest("[hx-post]") ?? form?.querySelector("[hx-post]");
  unsaved ||= form?.method === "post" && !kept;
});
document.addEventListener("submit", () => { unsaved = false; });
window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
