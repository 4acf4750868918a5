// Pieces on their way from where they lay to where they lie. Cut short by whatever comes next.

import { isShown } from "./table_view.js";

const FLIGHT_MS = 220;
const MOST = 16; // pieces at once
const WATCHED = 700; // pieces fly only in parts with at most this many places
const PAINTS = ["--fill", "--mark", "--chip", "--on", "--disc", "--rim", "--on-token"];

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Flight {
  constructor() {
    this.layer = document.createElement("div");
    this.layer.className = "flight";
    this.layer.ariaHidden = "true";
    document.body.append(this.layer);
    this.lay = new Map(); // by place: what lay where, on the page
    this.routes = []; // from where to where, until they are flown
    this.hidden = []; // places of flying pieces
  }

  cut() {
    this.routes = [];
    this.layer.replaceChildren();
    for (const place of this.hidden) land(place);
    this.hidden = [];
  }

  /** Store the positions of all pieces that may fly next. Runs when the page is idle. */
  look(parts) {
    this.lay = this.pieces(parts);
  }

  /** Return the pieces in these parts by place. */
  pieces(parts) {
    const found = new Map();
    if (still.matches) return found;
    for (const { element, id } of parts) {
      if (!isShown(element)) continue;
      const places = element.querySelectorAll(".thing[data-at]");
      if (places.length > WATCHED) continue;
      for (const place of places) {
        const use = place.localName === "use" ? place : place.querySelector("use");
        if (!use) continue;
        const box = use.getBoundingClientRect();
        if (box.width < 2) continue;
        const [x, y] = [box.left + scrollX, box.top + scrollY];
        found.set(place.getAttribute("data-at"), { part: id, place, use, box, x, y, kind: use.getAttribute("href") });
      }
    }
    return found;
  }

  /** Hide the pieces that have moved since the last look; they fly when the step is painted. */
  plan(parts) {
    const before = this.lay;
    this.lay = new Map();
    if (!before.size || !parts.length) return;
    const drawn = new Set(parts.map(({ id }) => id));
    const after = this.pieces(parts);
    const left = new Map(); // kind -> such pieces that are gone from where they lay
    for (const [at, piece] of before) {
      if (!drawn.has(piece.part) || after.get(at)?.kind === piece.kind) continue;
      const others = left.get(piece.kind);
      if (others) others.push(piece);
      else left.set(piece.kind, [piece]);
    }
    const routes = [];
    for (const [at, piece] of after) {
      const was = before.get(at);
      const from = was?.kind === piece.kind ? was : left.get(piece.kind)?.shift();
      if (from && Math.hypot(from.x - piece.x, from.y - piece.y) > 6) routes.push([from, piece]);
    }
    if (routes.length > MOST * 2) return; // the table itself has moved
    this.routes = routes.slice(0, MOST);
    this.hidden = this.routes.map(([, { place }]) => place);
    for (const place of this.hidden) place.style.visibility = "hidden";
  }

  /** Start the flights. Reads all positions before it changes anything, to lay out the page once. */
  fly() {
    const flying = this.routes.map(([from, piece]) => [piece, this.copy(piece), this.way(from, piece)]);
    this.routes = [];
    this.layer.append(...flying.map(([, copy]) => copy));
    for (const [piece, copy, way] of flying) {
      copy.animate(way, { duration: FLIGHT_MS, easing: "ease-in-out", fill: "both" }).onfinish = () => {
        copy.remove();
        land(piece.place);
      };
    }
  }

  /** Return the path on the screen from the old to the new position. */
  way(from, { x, y, box: { width, height } }) {
    return [
      {
        transform: `translate(${from.x - scrollX}px, ${from.y - scrollY}px) scale(${from.box.width / width}, ${from.box.height / height})`,
      },
      { transform: `translate(${x - scrollX}px, ${y - scrollY}px)` },
    ];
  }

  copy({ use, box }) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const bounds = use.getBBox();
    svg.setAttribute("viewBox", `${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`);
    svg.setAttribute("width", box.width);
    svg.setAttribute("height", box.height);
    const style = getComputedStyle(use);
    for (const paint of PAINTS) {
      const value = style.getPropertyValue(paint);
      if (value) svg.style.setProperty(paint, value);
    }
    svg.append(use.cloneNode(false));
    svg.firstChild.removeAttribute("class");
    svg.firstChild.removeAttribute("data-at");
    svg.firstChild.style.removeProperty("visibility");
    return svg;
  }
}

function land(place) {
  place.style.removeProperty("visibility");
  if (!place.getAttribute("style")) place.removeAttribute("style");
}
