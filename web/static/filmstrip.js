// A replay in the browser: every part of the board in every state it had. Knows no game.

/** Consecutive steps, the first of which has every part. */
class Run {
  constructor(first) {
    this.first = first;
    this.versions = new Map(); // part -> { steps: [...], html: [...] }
    this.marks = []; // for each step: place on the board -> [figure before, difference]
  }

  get end() {
    return this.first + this.marks.length;
  }

  has(step) {
    return this.first <= step && step < this.end;
  }

  /** Add the steps of a response, without those that are here already. */
  take(answer) {
    answer.steps.forEach(([drawn, marks], offset) => {
      const step = answer.first + offset;
      if (step !== this.end) return;
      this.marks.push(marks);
      for (const [part, place] of Object.entries(drawn)) {
        const version = this.versions.get(part) ?? { steps: [], html: [] };
        this.versions.set(part, version);
        version.steps.push(step);
        version.html.push(answer.html[place]);
      }
    });
  }

  at(part, step) {
    const { steps, html } = this.versions.get(part);
    let low = 0;
    let high = steps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (steps[middle] <= step) low = middle;
      else high = middle - 1;
    }
    return html[low];
  }
}

/** What the server drew, by part and step: a step that is here is shown without a request. */
export class Filmstrip {
  constructor() {
    this.runs = [];
  }

  has(step) {
    return this.runs.some((run) => run.has(step));
  }

  /** Add a stretch of replay.json. */
  takeStretch(answer) {
    const run = new Run(answer.first);
    run.take(answer);
    this.runs = [run, ...this.runs.filter(({ first }) => first !== run.first)];
  }

  /** Add new steps of replay.json, if the steps before them are here. */
  takeNew(answer) {
    this.runs.find((run) => run.has(answer.first - 1))?.take(answer);
  }

  /** The part as it is after a step. */
  at(part, step) {
    return this.#runOf(step).at(part, step);
  }

  /** The changes of a step: place on the board -> [figure before, difference]. */
  marksAt(step) {
    const run = this.#runOf(step);
    return run.marks[step - run.first];
  }

  #runOf(step) {
    return this.runs.find((run) => run.has(step));
  }
}

/** The parts on the page. Replace only nodes that differ, and mark the changes of a step. */
export class FilmstripBoard {
  constructor(root) {
    this.parts = [...root.querySelectorAll("[data-part]")].map((element) => ({
      element,
      id: element.dataset.part,
      html: null,
      places: null,
    }));
    this.marked = []; // [element, its class before, the difference written into it]
    this.lifted = []; // the parts in which something is marked
    for (const part of this.parts)
      for (const place of part.element.querySelectorAll(".changed")) this.unmarkServed(part, place);
  }

  /** The parts that a step shows otherwise than they stand now. */
  differing(filmstrip, step) {
    return this.parts.filter((part) => part.html !== filmstrip.at(part.id, step));
  }

  show(filmstrip, step) {
    for (const [place, before, delta] of this.marked) {
      delta?.remove();
      place.setAttribute("class", before);
    }
    for (const { element } of this.lifted) element.classList.remove("marked");
    this.marked = [];
    this.lifted = [];
    for (const part of this.differing(filmstrip, step)) {
      part.html = filmstrip.at(part.id, step);
      rewrite(part.element, part.html);
      part.places = null;
    }
    for (const [at, [was, by]] of Object.entries(filmstrip.marksAt(step))) {
      for (const part of this.parts) for (const place of placesOf(part).get(at) ?? []) this.mark(part, place, was, by);
    }
  }

  mark(part, place, was, by) {
    const before = place.getAttribute("class");
    place.classList.add("changed");
    let delta = null;
    if (by && place.classList.contains("figure")) {
      delta = document.createElement("span");
      delta.className = "delta";
      delta.ariaHidden = "true";
      const old = document.createElement("s");
      old.textContent = was;
      const difference = document.createElement("i");
      difference.textContent = by;
      if (by.startsWith("+")) difference.className = "gain";
      delta.append(old, " ", difference);
      place.prepend(delta);
    }
    this.marked.push([place, before, delta]);
    this.lift(part);
  }

  lift(part) {
    this.lifted.push(part);
    part.element.classList.add("marked");
  }

  /** The marks of the server stay until the first step is shown. */
  unmarkServed(part, place) {
    const delta = place.querySelector(":scope > .delta");
    this.marked.push([place, place.getAttribute("class").replace(/ changed\b/, ""), delta]);
    this.lift(part);
  }
}

function placesOf(part) {
  if (!part.places) {
    part.places = new Map();
    for (const place of part.element.querySelectorAll("[data-at]")) {
      const there = part.places.get(place.dataset.at);
      if (there) there.push(place);
      else part.places.set(place.dataset.at, [place]);
    }
  }
  return part.places;
}

const paper = document.createElement("template");

/** An element holds this HTML afterwards; nodes that are alike stay. */
function rewrite(element, html) {
  paper.innerHTML = html;
  matchChildren(element, paper.content);
}

function matchChildren(element, wanted) {
  let stands = element.firstChild;
  for (let next = wanted.firstChild; next; ) {
    const one = next;
    next = one.nextSibling;
    if (!stands) {
      element.append(one);
      continue;
    }
    const after = stands.nextSibling;
    if (!match(stands, one)) element.replaceChild(one, stands);
    stands = after;
  }
  while (stands) {
    const after = stands.nextSibling;
    stands.remove();
    stands = after;
  }
}

/** Make a node like another, if it is of its kind. */
function match(stands, wanted) {
  if (stands.isEqualNode(wanted)) return true;
  if (stands.nodeName !== wanted.nodeName) return false;
  if (stands.nodeType !== Node.ELEMENT_NODE) {
    stands.data = wanted.data;
    return true;
  }
  const are = stands.attributes;
  const should = wanted.attributes;
  if (are.length !== should.length) return false;
  for (let i = 0; i < are.length; i++) if (are[i].name !== should[i].name) return false;
  if (stands.getAttribute("data-at") !== wanted.getAttribute("data-at")) return false;
  for (let i = 0; i < are.length; i++) if (are[i].value !== should[i].value) are[i].value = should[i].value;
  matchChildren(stands, wanted);
  return true;
}
