// Figures of a table are tapped in on a keypad that leaves the table in sight, where there is no keyboard: what is typed
// replaces what stands there, and the next cell follows.

const INPUTS = "[data-keypad] input[inputmode]";
const LISTS = "[data-grid] [data-keypad] select"; // their values are keys
const CELLS = `${INPUTS}, ${LISTS}`;
const touched = matchMedia("(pointer: coarse)");
const pad = document.getElementById("keypad");
const keyOf = (name) => pad.querySelector(`[data-key="${name}"]`);
let cell = null;

function show(keys) {
  pad.hidden = !keys;
  const main = document.querySelector("main");
  main.classList.toggle("over-keypad", keys); // it leaves room for them
  main.style.setProperty("--keypad", `${pad.offsetHeight}px`);
}

document.addEventListener("pointerdown", ({ target }) => {
  if (touched.matches && target.matches(INPUTS)) target.inputMode = "none"; // before the device's own keyboard comes
});

// A cell with a list takes no taps itself, which would open the device's own list: its place focuses it.
if (pad && touched.matches) document.documentElement.classList.add("lists-on-keypad");
document.addEventListener("click", ({ target }) => {
  if (pad && touched.matches && target.matches("td:has(> select)")) target.querySelector(LISTS)?.focus();
});

document.addEventListener("focusin", ({ target }) => {
  if (!touched.matches || !target.matches(CELLS)) return;
  cell = target;
  offerValues();
  if (!cell.options) {
    cell.inputMode = "none";
    cell.select();
  }
  label();
  const agree = keyOf("agree"); // missing where cells take sums
  if (agree) {
    agree.disabled = !cell.placeholder;
    agree.textContent = cell.placeholder && `= ${cell.placeholder}`;
  }
  show(true);
  cell.scrollIntoView({ block: "nearest" });
});

/** Offer the values of a list as keys in place of the digits. */
function offerValues() {
  const values = pad.querySelector("[data-values]");
  const options = cell.options ? [...cell.options].filter((option) => option.value) : [];
  pad.classList.toggle("of-values", options.length > 0);
  values?.replaceChildren(
    ...options.map((option) => {
      const key = Object.assign(document.createElement("button"), { type: "button", textContent: option.label });
      key.dataset.value = option.value;
      key.ariaPressed = option.selected;
      return key;
    }),
  );
}

/** Name the cell, as names across may be out of sight, and what typing replaces; or that it is still empty. */
function label() {
  const place = pad.querySelector("[data-cell]");
  if (cell.dataset.note) {
    place.textContent = cell.dataset.note; // why it is not saved
    return;
  }
  const { replaces, left } = place.dataset;
  const says = cell.value.trim() ? replaces : cell.name && pad.dataset.left === cell.name ? left : "{cell}";
  const figure = cell.options ? cell.options[cell.selectedIndex].label : cell.value;
  place.textContent = cell.ariaLabel
    ? says.replace("{cell}", () => cell.ariaLabel).replace("{figure}", () => figure)
    : "";
}

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
    if (cell.options) return choose("");
    const [from, to] = [cell.selectionStart, cell.selectionEnd];
    cell.setRangeText("", from === to ? Math.max(0, from - 1) : from, to, "end");
  },
  next: follow,
  close: () => cell.blur(),
};

/** To the cell after this one: as Enter does where that has a meaning, else as one reads. */
function follow() {
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  if (!cell.dispatchEvent(enter)) {
    label(); // the only empty cell stays
    return;
  }
  const cells = [...cell.closest("[data-keypad]").querySelectorAll("input[inputmode], select")];
  const next = cells[cells.indexOf(cell) + 1];
  if (next) next.focus();
  else if ("submits" in cell.dataset) cell.form.requestSubmit();
  else cell.blur();
}

pad?.addEventListener("pointerdown", (event) => event.preventDefault()); // the cell keeps the focus
pad?.addEventListener("click", ({ target }) => {
  const key = target.closest("[data-key]")?.dataset.key;
  const value = target.closest("[data-value]")?.dataset.value;
  if (!key && value === undefined) return;
  if (!cell.isConnected) {
    show(false); // another phone ended its round
    return;
  }
  if (value !== undefined) return choose(value);
  if (PRESS[key]) PRESS[key]();
  else if (cell.maxLength < 0 || cell.value.length - (cell.selectionEnd - cell.selectionStart) < cell.maxLength)
    cell.setRangeText(key, cell.selectionStart, cell.selectionEnd, "end");
});

/** Choose a value of a list; the next cell follows as after a figure. */
function choose(value) {
  const isNew = cell.value !== value;
  cell.value = value;
  if (isNew) cell.dispatchEvent(new Event("change", { bubbles: true }));
  else follow();
}

document.addEventListener("change", ({ target }) => {
  if (!pad || !touched.matches || !target.matches("[data-grid] [data-keypad] select")) return;
  cell = target;
  follow();
});

if (pad && document.activeElement.matches(CELLS)) {
  document.activeElement.blur(); // the page focused its cell before this script came
  document.querySelector(`${CELLS}[autofocus]`)?.focus();
}
