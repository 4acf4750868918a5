// The seats as they are typed: a colour that is chosen twice changes places, the mark follows, advice appears. Who
// played here before is offered, and the table of the last time with one tap.

import { forget, keep, known } from "./tables.js";

const form = document.querySelector("[data-new-game]");
const rows = [...form.querySelectorAll(".seat-row")];
const colourOf = (row) => row.querySelector("select");
const nameOf = (row) => row.querySelector("input");
const invited = rows.some((row) => nameOf(row).readOnly); // a season's table has fixed seats

for (const row of rows) {
  let was = colourOf(row).value;
  colourOf(row).addEventListener("focus", () => {
    was = colourOf(row).value;
  });
  colourOf(row).addEventListener("change", () => {
    const other = rows.find((one) => one !== row && colourOf(one).value === colourOf(row).value);
    if (other) {
      colourOf(other).value = was;
      paint(other);
    }
    was = colourOf(row).value;
    paint(row);
  });
  paint(row);
}

/** Enter in a name goes to the next empty line, so that a table is typed in one go; only the last one opens the game. */
form.addEventListener("keydown", (event) => {
  const at = rows.findIndex((row) => nameOf(row) === event.target);
  if (event.key !== "Enter" || event.isComposing || at < 0 || !event.target.value.trim()) return;
  const next = rows.slice(at + 1).find((row) => !nameOf(row).value.trim());
  if (!next) return;
  event.preventDefault();
  nameOf(next).focus();
});

function paint(row) {
  const mark = row.querySelector(".seat");
  for (const name of [...mark.classList]) if (/^[cs]-/.test(name)) mark.classList.remove(name);
  mark.classList.add(`c-${colourOf(row).value}`);
}

function advise() {
  const seated = rows.filter((row) => nameOf(row).value.trim()).length;
  for (const note of form.querySelectorAll("[data-advice]")) note.hidden = Number(note.dataset.advice) !== seated;
  const rounds = form.querySelector("[data-rounds]");
  if (rounds) rounds.placeholder = JSON.parse(rounds.dataset.rounds)[seated] ?? "";
}

form.addEventListener("input", advise);
advise();

// --- what the evening is called ---

const title = form.elements.title;
const titles = JSON.parse(title.dataset.titles);
const named = Object.values(titles).includes(title.value);
if (named) title.value = titles[new Date().toLocaleDateString("sv")] ?? title.value; // the reader's day, and not the server's

// --- the last table ---

const offer = form.querySelector("[data-last]");
const names = form.querySelector("datalist");
const game = form.elements.game.value;

const CHIPS = 12; // names offered as buttons
const chips = form.querySelector("[data-known]");

// The table of the last time: of this game, or of any other by its names alone.
function lastTable() {
  const { games, last } = known();
  return games[game] ?? { seats: last.slice(0, rows.length).map((name) => ({ name })), options: {} };
}

// Tap a name to seat the person on the first empty line, and again to remove the person.
function seatOrNot(name) {
  const seated = rows.find((row) => nameOf(row).value.trim() === name);
  const row = seated ?? rows.find((one) => !nameOf(one).value.trim());
  if (row) nameOf(row).value = seated ? "" : name;
  offerKnown();
  advise();
}

function chipOf(name) {
  const chip = document.createElement("button");
  chip.type = "button";
  chip.textContent = name;
  chip.ariaPressed = rows.some((row) => nameOf(row).value.trim() === name);
  chip.addEventListener("click", () => seatOrNot(name));
  return chip;
}

function offerChips(people) {
  chips.hidden = !people.length;
  const at = [...chips.querySelectorAll("button")].indexOf(document.activeElement);
  const items = people.slice(0, CHIPS).map((name) => {
    const item = document.createElement("li");
    item.append(chipOf(name));
    return item;
  });
  chips.replaceChildren(...items);
  if (at >= 0) items[at]?.firstElementChild.focus({ preventScroll: true });
}

// Names stored on this device; for an evening of a club its people, first those that attend.
const inClub = JSON.parse(names.dataset.called ?? "null");

/** Isolate a name that is written from right to left, to keep the order of the names around it. */
const inOrder = (name) => (/[\u0590-\u08ff]/.test(name) ? `\u2068${name}\u2069` : name);

function offerKnown() {
  const people = inClub ?? known().names;
  offerChips(people);
  names.replaceChildren(...people.map((name) => Object.assign(document.createElement("option"), { value: name })));
  const seated = lastTable().seats.filter((seat) => seat.name);
  const empty = rows.every((row) => !nameOf(row).value);
  offer.hidden = !seated.length || !empty;
  const [button] = offer.querySelectorAll("button");
  button.textContent = button.dataset.says.replace("{names}", seated.map((seat) => inOrder(seat.name)).join(", "));
}

function seatAsLast() {
  const { seats, options } = lastTable();
  rows.forEach((row, place) => {
    const seat = seats[place];
    if (!seat) return;
    nameOf(row).value = seat.name;
    if ([...colourOf(row).options].some((one) => one.value === seat.colour)) colourOf(row).value = seat.colour;
    paint(row);
  });
  for (const [field, value] of Object.entries(options)) set(field, value);
  offerKnown();
  advise();
}

const asked = () => [...form.elements].filter((one) => one.name.startsWith("option."));

function set(field, value) {
  for (const one of asked().filter((each) => each.name === field)) {
    if (one.type === "radio") one.checked = one.value === value;
    else if (one.type === "checkbox") one.checked = value === one.value;
    else one.value = value;
  }
}

if (!invited) {
  offer.querySelectorAll("button")[0].addEventListener("click", seatAsLast);
  offer.querySelectorAll("button")[1].addEventListener("click", () => {
    forget();
    offerKnown();
  });
  form.addEventListener("submit", () =>
    keep(
      game,
      rows.map((row) => ({ name: nameOf(row).value.trim(), colour: colourOf(row).value })),
      Object.fromEntries(
        asked()
          .filter((one) => one.type === "number" || one.checked || one.type === "checkbox")
          .map((one) => [one.name, one.type === "checkbox" && !one.checked ? "" : one.value]),
      ),
    ),
  );
  offerKnown();
}
