// The table of a replay: as large as the screen allows, with one part open, and arrows to parts out of view.

const WHOLE = matchMedia("(min-width: 46rem)"); // the whole table is visible, with one large mat
const SIZES = 16; // of the table, between the least that can be read and the largest
const AREA_MS = 4; // that laying one out takes
const NAMED = 1; // changes that an arrow names; the others it counts
const ARROWS_PX = 46; // a row of them, on a phone
const LEAST_ROWS_PX = 200; // of rows that scroll
const ROWS_SHOWN_BELOW = 2; // the rest of a round
const ABREAST = 3; // arrows on a phone, each with room for a name

const whenIdle =
  globalThis.requestIdleCallback ?? ((next) => setTimeout(() => next({ timeRemaining: () => Infinity }), 100));
const cancelIdle = globalThis.cancelIdleCallback ?? clearTimeout;

export class TableView {
  constructor(plate, edges, words) {
    this.plate = plate;
    this.edges = edges;
    this.words = words;
    this.board = plate.querySelector(".board");
    this.transport = document.querySelector(".transport");
    this.caption = document.getElementById("caption");
    this.sees = new Map([...plate.querySelectorAll("input.see")].map((one) => [one.dataset.see, one]));
    this.areas = new Map([...plate.querySelectorAll("[data-area]")].map((one) => [one.dataset.area, one]));
    this.pinned = undefined; // the part that the viewer opened: it stays open until they follow the steps again
    this.led = new WeakMap(); // arrow -> the first place that it leads to
    edges.addEventListener("click", (event) => this.lead(event));
  }

  /** The element in which the rows of a long table scroll; null for a board without one. */
  get rows() {
    return this.board.querySelector("[data-rows]");
  }

  /** Open the pinned part, else the mat of the player whose step it is, else the part with the most changes. */
  focus(seat, places) {
    const wanted = this.pinned ?? (this.sees.has(seat) ? seat : this.mostChanged(places));
    if (this.sees.has(wanted)) this.sees.get(wanted).checked = true;
  }

  mostChanged(places) {
    const counts = new Map();
    for (const place of places) {
      const area = place.closest("[data-area]")?.dataset.area;
      if (area && (!WHOLE.matches || /^\d+$/.test(area))) counts.set(area, (counts.get(area) ?? 0) + 1);
    }
    return [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one))[0];
  }

  /** Return the name of a part. */
  nameOf(part) {
    return this.sees.get(part).ariaLabel;
  }

  /** As large as the room between head and transport allows, and no smaller than can be read. */
  fit() {
    this.board.style.removeProperty("--rows-height");
    for (const area of this.areas.values()) {
      area.classList.remove("settled-area");
      area.style.removeProperty("height");
    }
    const style = getComputedStyle(this.board);
    const least = Number(style.getPropertyValue("--least-zoom")) || 1;
    const most = Number(style.getPropertyValue("--most-zoom")) || 1;
    const foot = this.transport.getBoundingClientRect().height;
    const arrows = WHOLE.matches || !this.sees.size ? 0 : ARROWS_PX;
    const above = document.getElementById("ending")?.offsetHeight ?? 0; // one scrolls past it
    const room = innerHeight - foot - arrows - (this.plate.getBoundingClientRect().top + scrollY - above) - 6;
    const sized = (size) => (least + ((most - least) * size) / SIZES).toFixed(3);
    const fits = (size) => {
      this.plate.style.setProperty("--zoom", sized(size));
      return this.board.getBoundingClientRect().height <= room;
    };
    // Each try lays out the whole table, so start with the size that is just too large by the present height.
    const now = Number(style.zoom) / this.board.getBoundingClientRect().height;
    const near = Math.floor(((room * now - least) / (most - least)) * SIZES) + 1;
    let [low, high] = [0, SIZES];
    let middle = Math.max(1, Math.min(near, SIZES)) || SIZES; // where the browser tells no zoom
    for (let tried = 1; low < high; tried += 1) {
      const holds = fits(middle);
      if (holds) low = middle;
      else high = middle - 1;
      if (tried > 1) middle = (low + high + 1) >> 1;
      else middle = holds ? low + 1 : high;
    }
    fits(low);
    this.room = low ? room : Infinity; // what a table of one area may grow to before it is made smaller
    this.plate.style.minHeight = arrows ? `${room + arrows}px` : ""; // nothing of the page's foot between table and transport
    if (this.rows) this.limitRows(room, Number(sized(low)));
    if (WHOLE.matches) this.settle(Number(sized(low)));
  }

  /** Let the rows scroll in the room that the rest of the table leaves, so that heads and totals stay in view. */
  limitRows(room, zoom) {
    const others = this.board.getBoundingClientRect().height - this.rows.getBoundingClientRect().height;
    this.board.style.setProperty("--rows-height", `${Math.max((room - others) / zoom, LEAST_ROWS_PX)}px`);
  }

  /** Scroll the rows to the changed places; without any, to the newest rows. */
  followRows(places) {
    const { rows } = this;
    if (!rows) return;
    const box = rows.getBoundingClientRect();
    const edge = (selector) => rows.querySelector(selector)?.getBoundingClientRect().height ?? 0;
    const [roof, floor] = [box.top + edge("thead"), box.bottom - edge("tfoot")];
    const scale = box.height / rows.offsetHeight || 1;
    const boxes = [...places].filter((place) => place.closest("tbody")).map((place) => place.closest("tr"));
    if (!boxes.length) {
      rows.scrollTop = rows.scrollHeight;
      return;
    }
    const bottom = Math.max(...boxes.map((row) => row.getBoundingClientRect().bottom));
    const top = Math.min(...boxes.map((row) => row.getBoundingClientRect().top));
    const rowsBelow = ROWS_SHOWN_BELOW * boxes[0].getBoundingClientRect().height;
    if (bottom + rowsBelow > floor) rows.scrollTop += (bottom + rowsBelow - floor) / scale;
    else if (top < roof) rows.scrollTop -= (roof - top) / scale;
  }

  /** Fix the sizes of areas, so that a change lays out only its own area. */
  settle(zoom) {
    const heights = [...this.areas.values()].map((area) => [area, area.getBoundingClientRect().height / zoom]);
    for (const [area, height] of heights) {
      if (!height) continue; // it has no box of its own
      area.style.height = `${height}px`;
      area.classList.add("settled-area");
    }
  }

  /** Lay out covered areas when the page is idle, so that they open at once. */
  layOutHidden() {
    cancelIdle(this.idle);
    const hidden = [...this.areas.values()].map((area) => area.firstElementChild).filter((one) => !isShown(one));
    const next = (left) => {
      while (hidden.length && left.timeRemaining() > AREA_MS) hidden.pop().getBoundingClientRect(); // that has it laid out
      if (hidden.length) this.idle = whenIdle(next);
    };
    if (hidden.length) this.idle = whenIdle(next);
  }

  /** Check if the table or an area overflows after this step or a skipped one. */
  outgrown() {
    const { rows } = this;
    if (rows && this.room < Infinity && rows.scrollHeight > rows.clientHeight + 1) return true;
    if (!this.areas.size) return WHOLE.matches && this.board.getBoundingClientRect().height > this.room;
    return [...this.areas.values()].some(
      (area) =>
        area.matches(".settled-area") && isShown(area.firstElementChild) && area.scrollHeight > area.clientHeight + 2,
    );
  }

  /** Arrows to the changed places that cannot be seen, those under arrows too. */
  look(places) {
    const view = this.view();
    if (this.rows) return; // they scroll to their changes
    const there = [...places].map((place) => ({ place, box: isShown(place) ? place.getBoundingClientRect() : null }));
    let away = hiddenOf(there, view, []);
    if (!away.size && this.edges.hidden) return;
    for (let named = -1; named < away.size; ) {
      named = away.size;
      this.point(away, view.floor);
      away = hiddenOf(
        there,
        view,
        [...this.edges.children].map((arrow) => arrow.getBoundingClientRect()),
      );
    }
  }

  /** Between which heights the table can be seen. */
  view() {
    const floor = this.transport.getBoundingClientRect().top;
    const roof = this.caption.getBoundingClientRect().bottom;
    return { floor, ceiling: roof <= floor ? Math.max(0, Math.min(roof, this.plate.getBoundingClientRect().top)) : 0 };
  }

  /** Show an arrow for each area with hidden content; on a phone in one or two rows. */
  point(away, floor) {
    const areas = new Map();
    for (const place of away.values()) {
      const area = place.closest("[data-area]") ?? place.closest("section[aria-label], section, .part");
      areas.set(area, [...(areas.get(area) ?? []), place]);
    }
    this.edges.replaceChildren(...[...areas].map(([area, some]) => this.arrow(area, some, floor)));
    this.edges.style.setProperty("--abreast", areas.size > ABREAST ? Math.ceil(areas.size / 2) : areas.size);
    this.edges.hidden = !areas.size;
  }

  arrow(area, places, floor) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.leads = places.map(figureAt).join(" ");
    button.dataset.see = area.dataset.area ?? "";
    const way = !isShown(places[0]) ? "▸" : places[0].getBoundingClientRect().top > floor / 2 ? "▾" : "▴";
    const where = document.createElement("b");
    const name = area.getAttribute("aria-label") ?? area.querySelector("h3, h4")?.textContent ?? "";
    where.textContent = `${way} ${name}`;
    const what = document.createElement("span");
    what.textContent = this.changesOf(places, name);
    button.append(where, " ", what);
    button.title = button.textContent;
    this.led.set(button, places[0]);
    return button;
  }

  changesOf(places, owner) {
    const told = [...new Set(places.map((place) => told_by(place, owner)).filter(Boolean))];
    const named = told.slice(0, NAMED);
    const rest = places.length - named.length;
    if (rest > 0) named.push(named.length ? this.words.moreChanges.replace("{n}", rest) : counted(this.words, rest));
    return named.join(", ");
  }

  lead(event) {
    const button = event.target.closest("button");
    if (!button) return;
    const place = this.led.get(button);
    const see = this.sees.get(button.dataset.see);
    if (see && !isShown(place)) see.checked = true;
    place.scrollIntoView({ block: "center", inline: "nearest" });
    this.look(this.plate.querySelectorAll(".changed[data-at]"));
  }
}

/** Changed figures that are nowhere in view, and a place of each. */
function hiddenOf(there, { ceiling, floor }, arrows) {
  const seen = new Set();
  const away = new Map();
  for (const { place, box } of there) {
    const at = figureAt(place);
    const within =
      box?.width > 0 &&
      box.top >= ceiling - 2 &&
      box.bottom <= floor + 1 &&
      box.left >= -1 &&
      box.right <= innerWidth + 1;
    if (within && !arrows.some((arrow) => overlap(arrow, box))) seen.add(at);
    else if (!away.get(at)?.closest("[data-area]") || box) away.set(at, place); // a summary has no name for its arrow
  }
  for (const at of seen) away.delete(at);
  return away;
}

const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const counted = (words, n) => (n === 1 ? words.changeOne : words.changes.replace("{n}", n));

/** Find the element of a changed place on the board; the summary of a mat shows the same figure. */
const figureAt = (place) => place.dataset.at.replace(/^\/brief/, "");

/** Check if an element is visible; elements under another mat are not. */
export const isShown = (place) => place.checkVisibility();

/** Describe a changed figure by its name, without its owner, whom the arrow names. */
function told_by(place, owner) {
  const by = place.querySelector(":scope > .delta i")?.textContent;
  if (!by) return "";
  const name = place.title.startsWith(`${owner}: `) ? place.title.slice(owner.length + 2) : place.title;
  return `${by} ${name}`.trim();
}
