// Pieces on their way from where they lay to where they lie. Cut short by whatever comes next.

import { isShown } from "./table_view.js";

const FLIGHT_MS = 220;
const MOST = 16; // pieces at once
const WATCHED = 700; // places looked at; where more are drawn anew, nothing flies
const PAINTS = ["--fill", "--mark", "--chip", "--on", "--disc", "--rim", "--on-token"];

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Flight {
  constructor() {
    this.layer = document.createElement("div");
    this.layer.className = "flight";
    this.layer.ariaHidden = "true";
    document.body.append(this.layer);
    this.hidden = [];
  }

  cut() {
    if (!this.layer.firstChild) return;
    this.layer.replaceChildren();
    for (const place of this.hidden) land(place);
    this.hidden = [];
  }

  /** What lies in these parts now, by place. */
  pieces(parts) {
    const found = new Map();
    if (still.matches) return found;
    const places = parts.flatMap(({ element }) => (isShown(element) ? [...element.querySelectorAll(".thing[data-at]")] : []));
    if (places.length > WATCHED) return found;
    for (const place of places) {
      const use = place.localName === "use" ? place : place.querySelector("use");
      if (!use) continue;
      const box = use.getBoundingClientRect();
      if (box.width < 2) continue;
      found.set(place.getAttribute("data-at"), { place, use, box, kind: use.getAttribute("href") });
    }
    return found;
  }

  /** Send off what lies elsewhere than before. */
  send(before, after) {
    if (!before.size || !after.size) return;
    const left = new Map(); // kind -> where such pieces lay
    for (const [at, piece] of before) {
      if (after.get(at)?.kind !== piece.kind) left.set(piece.kind, [...(left.get(piece.kind) ?? []), piece.box]);
    }
    const routes = [];
    for (const [at, piece] of after) {
      const was = before.get(at);
      const from = was?.kind === piece.kind ? was.box : left.get(piece.kind)?.shift();
      if (from && Math.hypot(from.left - piece.box.left, from.top - piece.box.top) > 6) routes.push([from, piece]);
    }
    if (routes.length > MOST * 2) return; // the table itself has moved
    const flying = routes.slice(0, MOST).map(([from, piece]) => [from, piece, this.copy(piece)]);
    for (const [from, piece, copy] of flying) {
      this.layer.append(copy);
      this.hidden.push(piece.place);
      piece.place.style.visibility = "hidden";
      const { left: x, top: y, width, height } = piece.box;
      const gone = copy.animate([
        { transform: `translate(${from.left}px, ${from.top}px) scale(${from.width / width}, ${from.height / height})` },
        { transform: `translate(${x}px, ${y}px)` },
      ], { duration: FLIGHT_MS, easing: "ease-in-out", fill: "both" });
      gone.onfinish = () => {
        copy.remove();
        land(piece.place);
      };
    }
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
