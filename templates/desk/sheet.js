// The paytable editor as a sheet: keys, paste, copy, order and undo. Without this script each
// field and button still sends its form.
const form = document.getElementById("edit");
const sheet = document.getElementById("sheet");
const order = form.elements["/rows"];
const adder = form.elements.new_event;
const tail = sheet.querySelector("tbody.add");
const undo = document.getElementById("undo");
const redo = document.getElementById("redo");
const known = new Map();  // every row that was ever shown, by its name: a removed one may return

const listRows = () => [...sheet.querySelectorAll("tbody[data-row]")];
const listFields = (row) => [...row.querySelectorAll(".cell input")];
const say = (text) => { document.getElementById("said").textContent = text; };

function makeRow(name) {
  const part = document.getElementById("new-row").content.cloneNode(true);
  const row = part.querySelector("tbody");
  const key = name.replace("+", "new-");
  row.innerHTML = row.innerHTML.replaceAll("/rows/+0/", `/rows/${name}/`)
    .replaceAll(/(up|down|remove) \+0/g, `$1 ${name}`).replaceAll("-new-0", `-${key}`);
  row.id = `row-${key}`;
  row.dataset.row = name;
  known.set(name, row);
  return row;
}

function addRow() {
  const last = Math.max(0, ...[...known.keys()].filter((name) => name.startsWith("+")).map(Number));
  const row = makeRow(`+${last + 1}`);
  tail.before(row);
  return row;
}

// Undo and redo: whole states of the sheet, so that one step is one action.
const past = [], future = [];
let present, typedIn = null;

const readState = () => listRows().map((row) => [row.dataset.row, ...listFields(row).map((field) => field.value)]);

function settle() {
  listRows().forEach((row, place) => { row.querySelector(".number").textContent = place + 1; });
  order.value = listRows().map((row) => row.dataset.row).join(" ");
  if (undo) [undo.disabled, redo.disabled] = [!past.length, !future.length];
}

function record(field = null) {
  if (field === null || field !== typedIn) past.push(present);
  typedIn = field;
  future.length = 0;
  present = readState();
  settle();
}

function change(act, text) {
  act();
  record();
  sheet.dispatchEvent(new Event("input", { bubbles: true }));
  say(text);
}

function restore(from, to) {
  if (!from.length) return;
  to.push(present);
  present = from.pop();
  typedIn = null;
  const focused = document.activeElement;
  listRows().forEach((row) => row.remove());
  for (const [name, ...texts] of present) {
    const row = known.get(name);
    tail.before(row);
    listFields(row).forEach((field, place) => { field.value = texts[place]; });
  }
  settle();
  (focused.isConnected ? focused : adder).focus();
  sheet.dispatchEvent(new Event("input", { bubbles: true }));
  say(to === future ? "Undone." : "Done again.");
}

// Rows: the buttons, Alt with an arrow, and dragging by the number.
function moveRow(row, step) {
  const other = listRows()[listRows().indexOf(row) + step];
  if (!other) return;
  const focused = document.activeElement;
  change(() => (step < 0 ? other.before(row) : other.after(row)), "Row moved.");
  focused.focus();
}

function actOnRow(act, name) {
  if (act === "add") return insertEvent(name || adder.value);
  const row = known.get(name);
  if (act !== "remove") return moveRow(row, act === "up" ? -1 : 1);
  const next = row.nextElementSibling.querySelector("input");
  change(() => row.remove(), "Row removed. Press Control and Z to undo.");
  next.focus();
}

function insertEvent(event) {
  const words = event.replaceAll("_", " ").trim();
  if (!words) return adder.focus();
  let row;
  change(() => {
    row = addRow();
    const [hand, name] = listFields(row);
    hand.value = words;
    name.value = words.replaceAll(/(^| )\p{L}/gu, (letter) => letter.toUpperCase());
    adder.value = "";
  }, "Row added.");
  listFields(row)[2].focus();
}

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.name !== "act") return;
  const [act, name] = button.value.split(" ");
  if (act === "remove" && listRows().length === 1) return;  // the server says why not
  event.preventDefault();
  actOnRow(act, name);
});

let dragged = null;
sheet.addEventListener("dragstart", (event) => { dragged = event.target.closest("tbody"); });
sheet.addEventListener("dragover", (event) => {
  const over = event.target.closest("tbody[data-row]");
  if (!dragged || !over) return;
  event.preventDefault();
  const place = over.getBoundingClientRect();
  if (over !== dragged) over[event.clientY < place.top + place.height / 2 ? "before" : "after"](dragged);
});
sheet.addEventListener("dragend", () => { dragged = null; change(() => {}, "Row moved."); });

// Cells: a rectangle from the focused one to the last that Shift reached.
let corner = null;

function locate(field) {
  const row = field.closest?.("tbody[data-row]");
  return row && field.closest(".cell") ? [listRows().indexOf(row), listFields(row).indexOf(field)] : null;
}

function listPicked() {
  const from = locate(document.activeElement);
  if (!from || !corner) return [];
  const [top, bottom] = [from[0], corner[0]].sort((a, b) => a - b);
  const [left, right] = [from[1], corner[1]].sort((a, b) => a - b);
  return listRows().slice(top, bottom + 1).map((row) => listFields(row).slice(left, right + 1));
}

function pick(place) {
  corner = place;
  sheet.querySelectorAll(".picked").forEach((field) => field.classList.remove("picked"));
  const picked = listPicked().flat();
  picked.forEach((field) => field.classList.add("picked"));
  if (picked.length > 1) say(`${picked.length} cells selected.`);
}

function paste(text, [first, column]) {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  change(() => {
    lines.forEach((line, place) => {
      const fields = listFields(listRows()[first + place] ?? addRow());
      line.split("\t").forEach((cell, at) => {
        if (fields[column + at]) fields[column + at].value = cell.trim();
      });
    });
  }, `${lines.length} rows pasted.`);
}

sheet.addEventListener("focusin", () => pick(null));
sheet.addEventListener("mousedown", (event) => {
  const place = event.shiftKey && locate(event.target);
  if (!place || !locate(document.activeElement)) return;
  event.preventDefault();
  pick(place);
});
sheet.addEventListener("copy", (event) => {
  const picked = listPicked();
  if (picked.flat().length < 2) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", picked.map((row) => row.map((field) => field.value).join("\t")).join("\n"));
});
sheet.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain");
  const place = event.target === adder ? [listRows().length, 0] : locate(event.target);
  if (!place || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  paste(text, place);
});
sheet.addEventListener("input", (event) => { if (locate(event.target)) record(event.target); });
sheet.addEventListener("keydown", (event) => {
  const place = locate(event.target);
  const step = { ArrowUp: -1, ArrowDown: 1, Enter: event.shiftKey ? -1 : 1 }[event.key];
  if (event.key === "Enter" && event.target === adder) {
    event.preventDefault();
    return insertEvent(adder.value);
  }
  if (!place || !step || event.ctrlKey || event.metaKey || event.isComposing) return;
  const [row, column] = place;
  if (event.key !== "Enter" && !event.altKey && !event.shiftKey && event.target.list) return;  // its suggestions
  event.preventDefault();
  if (event.altKey) return moveRow(listRows()[row], step);
  if (event.shiftKey && event.key !== "Enter") {
    const end = Math.min(Math.max((corner ?? place)[0] + step, 0), listRows().length - 1);
    return pick([end, (corner ?? place)[1]]);
  }
  const next = listRows()[row + step];
  const field = next ? listFields(next)[column] : step > 0 ? adder : event.target;
  field.focus();
  field.select();
});
form.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) restore(future, past);
  else restore(past, future);
});

listRows().forEach((row) => known.set(row.dataset.row, row));
present = readState();
sheet.querySelectorAll(".number").forEach((number) => { number.draggable = true; });
document.getElementById("keys").hidden = false;
for (const [button, from, to] of [[undo, past, future], [redo, future, past]]) {
  if (!button) continue;  // without a project nothing is saved, so there is no bar of buttons
  button.hidden = false;
  button.addEventListener("click", () => restore(from, to));
}
