// Purses are counted one after the other: the next one opens, and the one before it closes.

const purses = [...document.querySelectorAll("[data-purse]")];

purses.forEach((purse, place) => {
  const next = purse.querySelector("[data-next]");
  if (!next) return;
  next.hidden = false;
  next.addEventListener("click", () => {
    const following = purses[place + 1];
    purse.open = false;
    following.open = true;
    following.querySelector("input, select")?.focus();
    following.scrollIntoView({ block: "start" });
  });
});

// Tap a part of the drawn table to count it: its fields move to the foot of the screen, and back afterwards.

const board = document.querySelector("[data-counted-here]");
const sheet = document.getElementById("at-place");
const fields = new Map([...document.querySelectorAll(".form [name^='/']")].map((one) => [one.name, one]));
const WHOSE = /^\/(players|mat)\/\d+$|^\/?[^/]*$/; // a whole player or mat is not a place
let away = []; // fields at the foot, each with its placeholder

/** The fields of a drawn place: its own, those within it or around it; else those of what it is a part of. */
function fieldsAt(place) {
  for (let path = place.dataset.at.replace("/brief/", "/"); ; path = path.slice(0, path.lastIndexOf("/"))) {
    const within = [...fields.keys()].filter(
      (name) => `${name}/`.startsWith(`${path}/`) || path.startsWith(`${name}/`),
    );
    if (within.length && (fields.has(path) || !WHOSE.test(path))) return within.map((name) => fields.get(name));
    if (WHOSE.test(path)) return [];
  }
}

function putBack() {
  for (const { part, stead } of away) stead.replaceWith(part);
  away = [];
  sheet.firstElementChild.replaceChildren();
  sheet.hidden = true;
  for (const place of board.querySelectorAll(".countable"))
    place.classList.toggle(
      "counted",
      fieldsAt(place).some((one) => one.value),
    );
}

/** A field with its label; a cell of the table above has its own spoken. */
function lineOf(field) {
  if (field.closest(".told-value")) return field.closest(".told-value");
  const line = document.createElement("div");
  line.className = "told-value";
  line.append(field.ariaLabel);
  return line;
}

function countAt(place) {
  putBack();
  for (const field of fieldsAt(place)) {
    const [line, stead] = [lineOf(field), document.createComment("")];
    const part = line.contains(field) ? line : field;
    part.replaceWith(stead);
    if (part === field) line.append(field);
    sheet.firstElementChild.append(line);
    away.push({ part, stead });
  }
  sheet.hidden = false;
  if (away.length === 1) sheet.querySelector("input")?.focus({ preventScroll: true });
}

if (board) {
  document.querySelector("[data-tap]").hidden = false;
  for (const place of board.querySelectorAll("[data-at]"))
    place.classList.toggle("countable", fieldsAt(place).length > 0);
  putBack();
  board.addEventListener("click", ({ clientX, clientY }) => {
    const under = document.elementsFromPoint(clientX, clientY).map((one) => one.closest(".countable"));
    const place = under.find((one) => one);
    if (place) countAt(place);
  });
  sheet.querySelector("[data-agrees]").addEventListener("click", () => {
    for (const one of sheet.querySelectorAll("[name]")) one.value ||= one.dataset.recorded ?? one.placeholder;
    putBack();
  });
  sheet.querySelector("[data-counted]").addEventListener("click", putBack);
}
