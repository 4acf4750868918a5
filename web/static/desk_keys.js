// Keys on the desk of the record page: digits press buttons, arrows lead from place to place, Escape goes back, a slash
// leads to where one types, and the system's own keys for it undo and redo.

const desk = () => document.getElementById("desk"); // record.js exchanges it

// The way to “Write” by keys. It is no place of its own: going back leads past it.
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-to-write]")) return;
  event.preventDefault();
  desk().querySelector("[data-write]").focus();
});

// Digits press the buttons while the focus is on the desk and not in a field, and in a chart the places of its row;
// arrows lead from place to place; Escape goes back, a slash leads to the line. A key that is held presses once.
document.addEventListener("keydown", (event) => {
  if (event.altKey || !desk().contains(document.activeElement)) return;
  if (document.activeElement.matches("input, textarea, select")) return;
  if (event.ctrlKey || event.metaKey) return pressBack(event);
  if (event.key in ARROWS && moveFocus(ARROWS[event.key])) {
    event.preventDefault();
    return;
  }
  const grid = desk().querySelector("[data-grid]");
  if (grid && /^[0-9]$/.test(event.key)) return typeIn(grid, event);
  const pressed =
    event.key in LINKS
      ? desk().querySelector(LINKS[event.key])
      : /^[1-9]$/.test(event.key)
        ? numbered(Number(event.key))
        : null;
  if (!pressed && !(event.repeat && event.key === "Enter")) return;
  event.preventDefault();
  if (!event.repeat) pressed.click();
});

/** Undo with Ctrl+Z (Cmd+Z on a Mac), and redo with Shift or Ctrl+Y. */
function pressBack(event) {
  const key = event.key.toLowerCase();
  const name = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : null;
  const button = name && desk().querySelector(`[data-${name}]`);
  if (!button) return;
  event.preventDefault();
  if (!event.repeat) button.click();
}

const LINKS = { Escape: "[data-back]", "/": "[data-type]" };
const PLACES = ".chart .cell, .chart .closed > summary, .choices .pick";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Type a digit in the first empty cell of a grid of figures: no digit presses a button next to one. */
function typeIn(grid, event) {
  const { next } = nextCell(grid, null);
  if (next?.options || !next) event.preventDefault(); // in a list, a digit would choose
  if (!event.repeat) next?.focus();
}

/** Return the empty cell after a cell of a grid, and if it was left out earlier: down the columns of the round, or
 * along its lines, from the player after the dealer, where all players enter a line before the next one; then what is counted once, if the game ends with
 * this round. Players who are away are skipped. */
export function nextCell(form, cell) {
  const placeOf = (field) => {
    const at = field.closest("td");
    return { field, at, once: "once" in at.parentElement.dataset, row: at.parentElement.rowIndex };
  };
  const all = [...form.querySelectorAll("td :is(input, select)")].map(placeOf);
  const dealer = form.dataset.dealer === undefined ? 0 : Number(form.dataset.dealer) + 1;
  const turn = ({ at }) => (at.cellIndex > dealer ? at.cellIndex : at.cellIndex + at.parentElement.cells.length);
  const across = (one, other) => turn(one) - turn(other);
  const down = (one, other) => one.row - other.row;
  const [first, second] = "byLine" in form.dataset ? [down, across] : [across, down];
  all.sort((one, other) => one.once - other.once || first(one, other) || second(one, other));
  const from = all.findIndex(({ field }) => field === cell);
  const takesOnce = "last" in form.dataset || all[from]?.once;
  const isFree = ({ field, at, once }) => !field.value.trim() && !("away" in at.dataset) && (!once || takesOnce);
  // partners may share a figure
  const isNeeded = ({ at, row }) =>
    !at.dataset.team ||
    !all.some((other) => other.row === row && other.at.dataset.team === at.dataset.team && other.field.value.trim());
  const inLine = (place) => "byLine" in form.dataset && place.row === all[from]?.row && isFree(place);
  const later = all.slice(from + 1);
  const round = all.slice(0, from + 1).find((place) => inLine(place) && isNeeded(place)); // the line began in its middle
  const after = later.find(inLine) ?? round ?? later.find(isFree);
  const left = after ? null : all.slice(0, from + 1).find((place) => isFree(place) && isNeeded(place));
  return { next: (after ?? left)?.field ?? null, isLeft: Boolean(left) };
}

/** The button of a number: of the row of the chart where the focus is, or of the list of choices. */
function numbered(n) {
  const row = document.activeElement.closest(".chart tr, .chart .lane");
  return row
    ? row.querySelectorAll("td, li")[n - 1]?.querySelector(PLACES)
    : desk().querySelectorAll(".choices .pick")[n - 1];
}

/** The focus goes to the nearest place in a direction; whether there is one. From the desk itself it goes to the first. */
function moveFocus([right, down]) {
  const places = [...desk().querySelectorAll(PLACES)].filter((place) => place.getClientRects().length);
  const from = document.activeElement;
  if (!from.matches(PLACES)) {
    if (from !== desk() || down < 1 || !places.length) return false;
    places[0].focus();
    return true;
  }
  const middle = (place) => {
    const { left, top, width, height } = place.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(from);
  const found = places
    .map((place) => {
      const [toX, toY] = middle(place);
      const along = (toX - x) * right + (toY - y) * down;
      const beside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
      return { place, along, far: along + 4 * beside };
    })
    .filter(({ place, along }) => place !== from && along > 4)
    .sort((one, other) => one.far - other.far)[0];
  found?.place.focus();
  return Boolean(found);
}
