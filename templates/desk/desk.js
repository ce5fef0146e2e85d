// Ask before a form is left with values that are not saved; forms with hx-post keep drafts.
let unsaved = document.querySelector("[data-unsaved]") !== null;
document.addEventListener("input", (event) => {
  const form = event.target.form;
  const kept = event.target.closest("[hx-post]") ?? form?.querySelector("[hx-post]");
  unsaved ||= form?.method === "post" && !kept;
});
document.addEventListener("submit", () => { unsaved = false; });
window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });

// On a narrow screen each cell of a table is shown below its heading; see desk.css.
function label() {
  for (const table of document.querySelectorAll(".wide table")) {
    const names = [...table.querySelectorAll("thead th")].map((heading) => heading.textContent);
    for (const row of table.querySelectorAll("tbody tr")) {
      [...row.cells].forEach((cell, place) => { cell.dataset.label = names[place] ?? ""; });
    }
  }
}
// Write moments in the time zone of the reader; without a script they are in UTC.
const moment = new Intl.DateTimeFormat("en-US", {
  year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short",
});
function localize() {
  for (const time of document.querySelectorAll("time[datetime*=':']:not([title])")) {
    time.title = time.textContent;
    time.textContent = moment.format(new Date(time.dateTime.replace(" ", "T")));
  }
}
localize();
document.addEventListener("htmx:afterSettle", localize);
label();
document.addEventListener("htmx:afterSettle", label);

// Check all boxes of a group, none, or those that are marked; a button says which.
for (const line of document.querySelectorAll("[data-scripted]")) line.hidden = false;
document.addEventListener("click", (event) => {
  const pick = event.target.dataset.pick;
  for (const box of pick ? event.target.closest("fieldset").querySelectorAll("[type=checkbox]") : []) {
    box.checked = pick === "all" || (pick === "changed" && "changed" in box.dataset);
  }
  unsaved ||= Boolean(pick);
});

// Ask before a form that cannot be taken back is sent.
document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.ask;
  if (question && !window.confirm(question)) event.preventDefault();
}, true);
