// A replay in the browser: every part of the board in every state it had. Knows no game.

/** What the server drew, by part and step: any step is shown without asking again. */
export class Filmstrip {
  constructor() {
    this.versions = new Map(); // part -> { steps: [...], html: [...] }
    this.marks = []; // by step: place on the board -> [figure before, difference]
  }

  get newest() {
    return this.marks.length - 1;
  }

  /** Take in an answer of replay.json; steps that are known already are passed over. */
  take(answer) {
    answer.steps.forEach(([drawn, marks], offset) => {
      const step = answer.first + offset;
      if (step !== this.marks.length) return;
      this.marks.push(marks);
      for (const [part, place] of Object.entries(drawn)) {
        let version = this.versions.get(part);
        if (!version) this.versions.set(part, (version = { steps: [], html: [] }));
        version.steps.push(step);
        version.html.push(answer.html[place]);
      }
    });
  }

  /** The part as it lay after a step. */
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

/** The parts on the page. Only what differs is put anew; what a step changed is marked. */
export class FilmstripBoard {
  constructor(root) {
    this.root = root;
    this.parts = [...root.querySelectorAll("[data-part]")].map((element) => ({ element, id: element.dataset.part, html: null }));
    this.marked = new Set();
  }

  show(filmstrip, step) {
    for (const part of this.parts) {
      const html = filmstrip.at(part.id, step);
      if (html === part.html && !this.marked.has(part.element)) continue;
      part.element.innerHTML = html;
      part.html = html;
    }
    this.marked.clear();
    for (const [at, [was, by]] of Object.entries(filmstrip.marks[step])) this.mark(at, was, by);
  }

  mark(at, was, by) {
    const place = this.root.querySelector(`[data-at="${CSS.escape(at)}"]`);
    if (!place) return;
    place.classList.add("changed");
    if (by && place.classList.contains("figure")) {
      const delta = document.createElement("span");
      delta.className = "delta";
      delta.ariaHidden = "true";
      const before = document.createElement("s");
      before.textContent = was;
      const difference = document.createElement("i");
      difference.textContent = by;
      delta.append(before, " ", difference);
      place.prepend(delta);
    }
    this.marked.add(place.closest("[data-part]"));
  }
}
