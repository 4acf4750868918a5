// Figures of a table are tapped in on a keypad that leaves the table in sight, where there is no keyboard: what is typed
// replaces what stands there, and the next cell follows.

const CELLS = "[data-keypad] input[inputmode]";
const touched = matchMedia("(pointer: coarse)");
const pad = document.getElementById("keypad");
const keyOf = (name) => pad.querySelector(`[data-key="${name}"]`);
let cell = null;

function show(keys) {
  pad.hidden = !keys;
  document.querySelector("main").classList.toggle("over-keypad", keys); // it leaves room for them
}

document.addEventListener("pointerdown", ({ target }) => {
  if (touched.matches && target.matches(CELLS)) target.inputMode = "none"; // before the device's own keyboard comes
});

document.addEventListener("focusin", ({ target }) => {
  if (!touched.matches || !target.matches(CELLS)) return;
  cell = target;
  cell.inputMode = "none";
  cell.select();
  pad.querySelector("[data-cell]").textContent = cell.ariaLabel ?? ""; // names across may be out of sight
  const agree = keyOf("agree"); // missing where cells take sums
  if (agree) {
    agree.disabled = !cell.placeholder;
    agree.textContent = cell.placeholder && `= ${cell.placeholder}`;
  }
  show(true);
  cell.scrollIntoView({ block: "nearest" });
});

document.addEventListener("focusout", ({ target }) => {
  if (target !== cell) return;
  setTimeout(() => {
    if (document.activeElement !== cell) show(false); // after the tap that took the focus: its button stays under it
  });
});

const PRESS = {
  agree() {
    cell.value = cell.placeholder;
    follow();
  },
  back() {
    const [from, to] = [cell.selectionStart, cell.selectionEnd];
    cell.setRangeText("", from === to ? Math.max(0, from - 1) : from, to, "end");
  },
  next: follow,
  close: () => cell.blur(),
};

/** To the cell after this one: as Enter does where that has a meaning, else as one reads. */
function follow() {
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  if (!cell.dispatchEvent(enter)) return;
  const cells = [...cell.closest("[data-keypad]").querySelectorAll("input[inputmode]")];
  const next = cells[cells.indexOf(cell) + 1];
  if (next) next.focus();
  else if ("submits" in cell.dataset) cell.form.requestSubmit();
  else cell.blur();
}

pad?.addEventListener("pointerdown", (event) => event.preventDefault()); // the cell keeps the focus
pad?.addEventListener("click", ({ target }) => {
  const key = target.closest("[data-key]")?.dataset.key;
  if (!key) return;
  if (PRESS[key]) PRESS[key]();
  else if (cell.maxLength < 0 || cell.value.length - (cell.selectionEnd - cell.selectionStart) < cell.maxLength)
    cell.setRangeText(key, cell.selectionStart, cell.selectionEnd, "end");
});

if (pad && document.activeElement.matches(CELLS)) {
  document.activeElement.blur(); // the page focused its cell before this script came
  document.querySelector(`${CELLS}[autofocus]`)?.focus();
}
