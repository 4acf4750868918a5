// The replay page. Without this script it works by links; with it, steps appear at once.

import { fetchNewer, pageIn, report } from "./connection.js";
import { follow } from "./live.js";
import { Filmstrip, FilmstripBoard } from "./filmstrip.js";
import { Flight } from "./flight.js";
import { showReveal } from "./reveal.js";
import { offerSharing } from "./share.js";
import { TableView } from "./table_view.js";

const STEP_MS = 1200; // of autoplay at 1x
const HOLD_MS = 400; // until a held button repeats
const REPEAT_MS = [160, 110, 70, 45]; // ever faster
const RETRY_MS = 2000; // without a connection
const SPEAK_MS = 350; // steps shown for less time are not read aloud

const root = document.getElementById("replay");
const find = (selector) => root.querySelector(selector);
const all = (selector) => [...root.querySelectorAll(selector)];
const words = root.dataset;
const scrubber = find("#scrubber");
const caption = find("#caption");
const ledger = find("#ledger-scroll");
const more = find("#more");
const still = find("#still");
const follows = find("#follows");
const play = find("#play");
const speed = find("#speed");
const keysOn = find("#keys-on");
const leaveOut = find("#leave-out");
const dialog = find("#keys");
const aloud = find("#aloud");
const where = find("#where");
const periodHere = find("#period");
const periodOf = find("#periods");
const plate = find("#plate");
let ending = find("#ending"); // shown above the table at the last step

const filmstrip = new Filmstrip();
const stage = new FilmstripBoard(root);
const flight = new Flight();
const table = new TableView(plate, find("#edges"), words);
const chartBody = find("#chart-body");
const buttons = all("[data-go], [data-next-of]");
const fields = all('form.view [name="step"], form.at-step [name="step"]');
let stops = JSON.parse(words.stops);
let step = Number(words.step);
let newest = Number(words.newest);
let met = newest; // the newest step when the newest was last looked at
let current = find(`#step-${step}`);
const STRETCH_STEPS = Number(words.stretchSteps); // drawn and sent together
const NEAR_STEPS = Number(words.nearSteps); // before and after the shown step, fetched ahead

const rowAt = (n) => document.getElementById(`step-${n}`);
const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
const filled = (text, figures) => text.replace(/\{(\w+)\}/g, (_, name) => figures[name]);

// --- the answer ---------------------------------------------------------------------------------------------------

async function fetched(which) {
  const query = new URLSearchParams(which);
  if (words.view) query.set("view", words.view);
  const answer = await fetchNewer(`${words.url}/replay.json?${query}`);
  if (!answer.ok) throw new Error(`replay.json: ${answer.status}`);
  return answer.json().catch((wrong) => {
    throw new TypeError("not an answer of Daybook", { cause: wrong });
  });
}

/** A stretch as soon as it comes; meanwhile the page says that there is no connection, or that the server fails. */
async function fetchedAtLast(from) {
  const request = `steps from ${from}`;
  for (let missed = false; ; ) {
    try {
      const answer = await fetched({ from });
      if (missed) report(request, null);
      missed = false;
      if (answer.newest >= newest) return answer; // otherwise a row may be struck since
    } catch (wrong) {
      missed = true;
      report(request, wrong);
      if (!(wrong instanceof TypeError)) throw wrong; // the server has answered, and says no
    }
    await new Promise((next) => setTimeout(next, RETRY_MS));
  }
}

const coming = new Map(); // the stretches that are being fetched, by first step

/** Fetch the stretch that contains a step. */
function fetchStretch(at) {
  const from = at - (at % STRETCH_STEPS);
  if (!coming.has(from))
    coming.set(
      from,
      takeStretch(from).finally(() => coming.delete(from)),
    );
  return coming.get(from);
}

async function takeStretch(from) {
  const answer = await fetchedAtLast(from);
  filmstrip.takeStretch(answer);
  fillLedger(answer.rows);
  if (answer.newest > newest) await grow();
}

/** Fetch the stretches near the shown step, so that stepping waits for none. */
function fetchNear() {
  for (const at of [Math.min(step + NEAR_STEPS, newest), Math.max(step - NEAR_STEPS, 0)])
    if (!filmstrip.has(at)) fetchStretch(at).catch(() => {}); // go() fetches it again and shows what is wrong
}

const ready = fetchStretch(step);

// --- showing a step -----------------------------------------------------------------------------------------------

async function go(to) {
  step = Math.min(Math.max(0, to), newest);
  flight.cut();
  const came =
    filmstrip.has(step) ||
    (await fetchStretch(step).then(
      () => true,
      () => false,
    ));
  if (!came)
    location.assign(addressOf(step)); // what the server says is shown
  else if (filmstrip.has(step)) show(); // otherwise a later step was requested meanwhile
}

function addressOf(at) {
  const address = new URL(location.href);
  address.searchParams.set("step", at);
  address.hash = "";
  return address;
}

let shown = null; // the step on the page

function show() {
  const near = shown !== null && Math.abs(step - shown) === 1;
  const parts = near ? stage.differing(filmstrip, step) : [];
  stage.show(filmstrip, step);
  shown = step;
  const row = rowAt(step);
  table.focus(row.dataset.seat ?? "", changed());
  caption.querySelector(".no").textContent = step;
  for (const cell of [".of", ".says"]) copyInto(caption.querySelector(cell), row.querySelector(`.told ${cell}`));
  caption.querySelector("[for=struck]")?.parentElement.remove(); // it folds rows of the ledger
  nameMoment();
  if (!wide.matches) layOpen(caption);
  scrubber.value = step;
  where.textContent = filled(words.said, { step, newest });
  periodHere.textContent = capitalized(row.dataset.period);
  if (ending) ending.hidden = step !== Number(ending.dataset.step);
  if (isUnseen()) hideFuture();
  if (step === newest) {
    met = newest;
    more.hidden = true;
  }
  speak();
  remember();
  flight.plan(parts);
  afterwards();
}

const momentAt = (n) => stops.moments.find(([at]) => at === n)?.[1];

/** Say above what happened that the step is a moment of the game. */
function nameMoment() {
  const name = momentAt(step);
  if (!name) return;
  const says = document.createElement("p");
  says.className = "moment-here";
  says.textContent = `◆ ${name}`;
  caption.querySelector(".says").prepend(says);
}

const copyInto = (to, from) => to.replaceChildren(...from.cloneNode(true).childNodes);

/** Update the parts around the board that describe the step. */
function accompany() {
  const row = rowAt(step);
  scrubber.ariaValueText = `${row.dataset.period}, ${first(row.querySelector(".says"))}`;
  for (const cursor of chartBody.querySelectorAll(".cursor"))
    cursor.setAttribute("d", `M${placeIn(cursor.closest(".plot"), step)} 0V100`);
  for (const button of buttons) {
    const none = (button.dataset.go ? target(button.dataset.go) : nextOf(button.dataset.nextOf)) === null;
    if (button.disabled !== none) button.disabled = none;
  }
  const period = String(periodAt(step));
  if (periodOf.value !== period) periodOf.value = period;
  for (const field of fields) field.value = step;
}

/** The places of the steps in a chart over rounds, or over the steps that count; null if all steps count. */
const roundsIn = (plot) => plot.dataset.places?.split(" ").map(Number) ?? null;
const placeIn = (plot, n) => roundsIn(plot)?.[n] ?? n;

const changed = () => stage.marked.map(([place]) => place).filter((place) => plate.contains(place));

/** The row of the ledger that is marked. */
function standAt(row) {
  if (row === current) return;
  current?.removeAttribute("aria-current");
  current?.querySelector(".settlement")?.removeAttribute("open");
  row.setAttribute("aria-current", "step");
  current = row;
  if (wide.matches) layOpen(current);
}

/** Update everything else after the step is painted, only for the last of many steps. */
let waits = 0;
function afterwards() {
  cancelAnimationFrame(waits);
  waits = requestAnimationFrame(() =>
    setTimeout(() => {
      if (shown !== step) return; // the next one is being fetched
      const marked = changed();
      if (table.outgrown()) table.fit();
      flight.look(stage.parts); // read positions before writing, to lay out the page once
      flight.fly();
      table.followRows(marked);
      table.look(marked);
      caption.scrollTop = 0;
      measure();
      accompany();
      standAt(rowAt(step));
      keepInView(current);
      table.layOutHidden();
      fetchNear();
    }),
  );
}

/** Opens the settlement card in the ledger if the ledger is next to the board; otherwise it is a tap away. The user's own
 *  choice is kept. */
const wide = matchMedia("(min-width: 75rem)");
const settlement = () => (wide.matches ? current : caption).querySelector(".settlement");
let settled = wide.matches;
const layOpen = (within) => within.querySelector(".settlement")?.toggleAttribute("open", settled);
wide.addEventListener("change", () => {
  settled = wide.matches;
  caption.querySelector(".settlement")?.removeAttribute("open"); // over the board it opens by a tap alone
  if (wide.matches && current) layOpen(current);
});
root.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches(".settlement") && target === settlement()) settled = target.open;
    measure();
  },
  true,
);

/** A mark where the caption holds more than is in sight. */
const measure = () => caption.classList.toggle("longer", caption.scrollHeight > caption.clientHeight + 1);
addEventListener("resize", () => {
  measure();
  table.fit();
  table.followRows(changed());
  table.look(changed());
  flight.look(stage.parts);
});
addEventListener("scroll", () => table.look(changed()), { passive: true });
plate.addEventListener("change", ({ target }) => {
  pin(target.dataset.see);
  if (!target.matches(":focus-visible")) target.blur(); // after a tap, arrow keys move through the game
  table.look(changed());
});

/** Keep a part of the table open while steps go by; without one, open the part that each step is about. */
function pin(part) {
  table.pinned = part;
  follows.hidden = !part;
  if (part) follows.textContent = filled(words.follows, { name: table.nameOf(part) });
}
follows.addEventListener("click", () => {
  pin();
  table.focus(rowAt(step).dataset.seat ?? "", changed());
  table.look(changed());
});

const first = (says) => says.querySelector(".settlement b, p").firstChild.textContent.trim();

/** Scroll again after layout, because parts out of view have estimated heights. */
function keepInView(row) {
  scrollTo(row);
  requestAnimationFrame(() => row === current && scrollTo(row));
}

function scrollTo(row) {
  if (!ledger.clientHeight) return;
  const box = ledger.getBoundingClientRect();
  const from = box.top + ledger.firstElementChild.offsetHeight;
  const { top, bottom } = row.getBoundingClientRect();
  const room = Math.min(96, box.height / 4); // of what comes next or came before
  if (top < from + room) ledger.scrollTop -= from + room - top;
  else if (bottom > box.bottom - room) ledger.scrollTop += bottom - box.bottom + room;
}

let speaking = 0;
function speak() {
  clearTimeout(speaking);
  speaking = setTimeout(() => {
    if (shown !== step) return;
    const says = [where.textContent, momentAt(step), first(rowAt(step).querySelector(".says"))];
    aloud.textContent = says.filter(Boolean).join(". ");
  }, SPEAK_MS);
}

let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    if (shown !== step) return;
    const address = addressOf(step);
    if (jumpedFrom === null) history.replaceState(null, "", address);
    else {
      history.replaceState(null, "", addressOf(jumpedFrom));
      history.pushState(null, "", address);
      jumpedFrom = null;
    }
    for (const { dataset } of document.querySelectorAll("[data-share]")) {
      if (dataset.step) dataset.step = step;
      dataset.title = step < newest ? words.title : words.titleAtEnd;
      dataset.query = step && step < newest ? `?step=${step}` : ""; // a replay starts at step 0: the user did not choose it
      if (dataset.address) dataset.address = dataset.address.replace(/(\?.*)?$/, dataset.query);
      dataset.picture = dataset.picture.replace(/\d+(?=\.png$)/, step);
      if (dataset.fixed === undefined)
        dataset.says =
          ending && !ending.hidden
            ? ending.querySelector("h2").textContent
            : filled(words.saidStep, { step, says: first(rowAt(step).querySelector(".says")) });
    }
    for (const back of document.querySelectorAll('input[name="back"]')) back.value = address.pathname + address.search;
    document.title = document.title.replace(/\d+(?=\D*$)/, step);
  }, 150);
}

// --- where one can go ---------------------------------------------------------------------------------------------

const isUncounted = (n) => stops.struck.includes(n);
const isByRound = Boolean(find(".transport.by-round"));
const left = (n) => leaveOut.checked && isUncounted(n) && n !== newest;
const after = (steps) => steps.find((n) => n > step) ?? null;
const before = (steps) => steps.findLast((n) => n < step) ?? null;
const moments = () => stops.moments.map(([at]) => at);
const periods = () => stops.periods.map(([at]) => at);
const periodAt = (n) => periods().findLast((at) => at <= n) ?? 0;

function target(key) {
  switch (key) {
    case "first":
      return step > 0 ? 0 : null;
    case "last":
      return step < newest ? newest : null;
    case "back":
      return beside(-1);
    case "forward":
      return beside(1);
    case "turn-back":
      return before(stops.turns);
    case "turn-forward":
      return after(stops.turns);
    case "period-back":
      return before(periods());
    case "period-forward":
      return after(periods());
    case "moment":
      return after(moments());
    case "moment-back":
      return before(moments());
  }
}

function beside(way, from = step) {
  for (let n = from + way; n >= 0 && n <= newest; n += way) if (!left(n)) return n;
  return null;
}

/** Return the step, or the next one that counts. */
const counted = (n) => (left(n) ? (beside(1, n) ?? beside(-1, n)) : n);

/** Return the next step that counts: play goes on without struck steps, and on a score sheet from round to round. */
function nextCounted() {
  if (isByRound) return after(stops.turns);
  for (let n = step + 1; n <= newest; n++) if (!isUncounted(n)) return n;
  return null;
}

function nextOf(seat) {
  for (let n = step + 1; n <= newest; n++) if (stops.seats[n] === Number(seat) && !left(n)) return n;
  return null;
}

function move(to) {
  if (to === null) return false;
  pause();
  if (to !== beside(1) && to !== beside(-1)) leaveBehind();
  go(to);
  return true;
}

let onTheWay = false; // while a slider is dragged or a key or button is pressed: one jump for the history
let jumpedFrom = null; // the step of the last history entry

/** Back leads to where one jumped from. */
function leaveBehind() {
  if (!onTheWay) jumpedFrom ??= step;
}

addEventListener("popstate", () => {
  const at = new URL(location.href).searchParams.get("step");
  if (at === null || Number(at) === step) return;
  jumpedFrom = null;
  pause();
  go(Number(at));
});

// --- buttons ------------------------------------------------------------------------------------------------------

root.addEventListener("submit", (event) => {
  if (event.target.matches(".moves, .next-of")) {
    event.preventDefault();
    const { go: key, nextOf: seat } = event.submitter.dataset;
    if (!held.repeated) move(key ? target(key) : nextOf(seat));
    held.repeated = false;
    if (event.target.closest(".slide.open") && !STEPWISE.has(key)) closeSlides();
  } else if (event.target.matches(".scrub, .to-period")) {
    event.preventDefault();
    move(Number(new FormData(event.target).get("step")));
  }
});

const STEPWISE = new Set(["back", "forward", "turn-back", "turn-forward"]); // taken several times in a row
const held = { timer: 0, repeated: false };
root.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-go], [data-next-of]");
  if (!button || event.button) return;
  held.repeated = false;
  clearTimeout(held.timer);
  let count = 0;
  const repeat = () => {
    onTheWay = held.repeated;
    held.repeated = true;
    if (!move(button.dataset.go ? target(button.dataset.go) : nextOf(button.dataset.nextOf))) return;
    held.timer = setTimeout(repeat, REPEAT_MS[Math.min(REPEAT_MS.length - 1, count++ >> 3)]);
  };
  held.timer = setTimeout(repeat, HOLD_MS);
});
for (const end of ["pointerup", "pointercancel", "blur"]) {
  addEventListener(end, () => {
    clearTimeout(held.timer);
    onTheWay = false;
  });
}

scrubber.addEventListener("input", () => {
  move(counted(Number(scrubber.value)));
  onTheWay = true;
});
scrubber.addEventListener("change", () => (onTheWay = false));
periodOf.addEventListener("change", (event) => {
  closeSlides();
  move(Number(event.target.value));
});
find("form.view select")?.addEventListener("change", (event) => event.target.form.requestSubmit());

ledger.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (link && !link.matches(".no a, .struck-by a, .kin-by a")) return; // why
  if (event.target.closest("summary, label, .settled")) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || getSelection().toString()) return;
  const row = event.target.closest("tbody");
  if (!row || row.matches(".unsent")) return;
  event.preventDefault();
  closeSlides();
  move(Number(link ? new URL(link.href).searchParams.get("step") : row.id.slice(5)));
});

// The figures of the board and the strip, and things that show one, lead to their history.
root.addEventListener("click", (event) => {
  const figure = event.target.closest("#plate .figure[data-at], #plate [data-why], [data-part=strip] .figure[data-at]");
  if (!figure || event.target.closest("a, button, summary, label") || getSelection().toString()) return;
  const at = figure.dataset.why ?? figure.dataset.at;
  location.href = `${root.dataset.url}/figure?${new URLSearchParams({ at, step, ...(root.dataset.view && { view: root.dataset.view }) })}`;
});

// --- autoplay -----------------------------------------------------------------------------------------------------

const STOPS = ["claim_raised", "claim_ruled", "ruling_appealed", "decision_as_played", "board_adjusted"]; // steps with a decision about rules or corrections
const LONGEST_MS = 5000;

let playing = 0;
function pause() {
  clearTimeout(playing);
  playing = 0;
  playLabel();
}

function run() {
  still.hidden = true;
  if (step === newest) go(0);
  const next = async () => {
    const mine = playing;
    const to = nextCounted();
    if (to === null) {
      if (ending && !ending.hidden) ending.scrollIntoView({ block: "nearest" });
      return pause();
    }
    if (!filmstrip.has(to)) await fetchStretch(to).catch(pause); // it is not counted off, and a pause holds meanwhile
    if (playing !== mine) return;
    go(to);
    if (STOPS.some((kind) => rowAt(to).classList.contains(kind))) return pause();
    playing = setTimeout(next, stepMs());
  };
  playing = setTimeout(next, stepMs() / 2);
  playLabel();
}

/** Return how long a step is shown: constant, or longer if it changed the score more. */
function stepMs() {
  if (speed.value !== "change") return ((isByRound ? 2 : 1) * STEP_MS) / Number(speed.value);
  const by = Object.entries(filmstrip.marksAt(step)).filter(([at]) => at.startsWith("/columns/"));
  const size = by.reduce((sum, [, [, text]]) => sum + Number(text.replace(/\D/g, "")), 0);
  return Math.min(LONGEST_MS, STEP_MS / 3 + 60 * size);
}

function playLabel() {
  play.classList.toggle("playing", Boolean(playing));
  play.ariaLabel = play.title = playing ? words.pause : words.play;
}

play.addEventListener("click", () => (playing ? pause() : run()));

/** Check if the page shows only what came up to the step: a replay that starts by itself does not tell its end. */
const isUnseen = () => root.classList.contains("unseen");

/** Show charts up to the step only; at the newest step everything. */
function hideFuture() {
  if (step === newest) root.classList.remove("unseen");
  for (const link of chartBody.querySelectorAll(".moment-list a"))
    link.parentElement.hidden = isUnseen() && Number(link.dataset.step) > step;
  for (const plot of chartBody.querySelectorAll(".plot")) {
    plot.style.setProperty("--seen", placeIn(plot, step) / Math.max(Number(plot.dataset.chart), 1));
    plot.dataset.says ??= plot.ariaLabel;
    plot.ariaLabel = isUnseen() ? plot.closest("section").ariaLabel : plot.dataset.says;
  }
}

function startPlaying() {
  if (ending) root.classList.add("unseen");
  hideFuture();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) still.hidden = false;
  else ready.then(run, () => {});
}

// --- keys ---------------------------------------------------------------------------------------------------------

const KEYS = {
  ArrowLeft: () => move(target("back")),
  ArrowRight: () => move(target("forward")),
  "Shift+ArrowLeft": () => move(target("turn-back")),
  "Shift+ArrowRight": () => move(target("turn-forward")),
  PageUp: () => move(target("period-back")),
  PageDown: () => move(target("period-forward")),
  Home: () => move(target("first")),
  End: () => move(target("last")),
  " ": () => (playing ? pause() : run()),
  n: () => move(target("moment")),
  b: () => move(target("moment-back")),
  m: () => words.mine && move(nextOf(words.mine)),
  "?": () => dialog.showModal(),
  Escape: () => closeSlides(),
};
const SCROLLS = new Set(["PageUp", "PageDown", "Home", "End", " "]);

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.open) return;
  const at = event.target;
  if (at.matches("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]")) return;
  if (at.matches("input") && event.key.startsWith("Arrow")) return;
  if (event.key === " " && at.matches("button, a, summary, input")) return;
  if (at === ledger && SCROLLS.has(event.key)) return;
  const seat = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : null;
  const key = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
  const act = seat !== null && find(`[data-next-of="${seat}"]`) ? () => move(nextOf(seat)) : KEYS[key];
  if (!act || (!keysOn.checked && key !== "Escape")) return;
  if (event.shiftKey && key === event.key && key !== "?") return;
  event.preventDefault();
  onTheWay = event.repeat;
  act();
  onTheWay = false;
});

find("#help").addEventListener("click", () => dialog.showModal());

// --- ledger and charts as sheets that slide over ------------------------------------------------------------------

let opener = null;
function closeSlides() {
  for (const slide of all(".slide.open")) slide.classList.remove("open");
  document.body.classList.remove("covered");
  opener?.focus();
  opener = null;
}

for (const link of all("[data-slide]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    closeSlides();
    const slide = document.getElementById(link.dataset.slide);
    slide.classList.add("open");
    document.body.classList.add("covered");
    opener = link;
    slide.querySelector(".close").focus();
    keepInView(rowAt(step));
  });
}
for (const link of all(".slide .close")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    closeSlides();
  });
}

// --- charts -------------------------------------------------------------------------------------------------------

function jumpInChart(event) {
  const plot = event.target.closest("[data-chart]");
  if (!plot || (event.type === "pointermove" && !event.buttons)) return;
  const { left: x, width } = plot.getBoundingClientRect();
  const place = Math.round(((event.clientX - x) / width) * Number(plot.dataset.chart));
  const isEnd = !isByRound && place === Number(plot.dataset.chart);
  move(isEnd ? newest : (roundsIn(plot)?.indexOf(place) ?? place));
}
chartBody.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  closeSlides();
  move(Number(link.dataset.step));
});
chartBody.addEventListener("pointerdown", jumpInChart);
chartBody.addEventListener("pointermove", jumpInChart);

// --- following a game that is being recorded ----------------------------------------------------------------------

let growing = Promise.resolve();
function grow() {
  growing = growing
    .catch(() => {})
    .then(async () => {
      // live following tries a failed fetch again
      const following = step === newest;
      const answer = await fetched({ after: newest });
      const fresh = answer.over || answer.reveals ? await fetchedPage(answer.newest) : null; // first, because it may fail
      filmstrip.takeNew(answer);
      if (answer.newest <= newest) return;
      takeRows(answer.rows);
      stops = answer.stops;
      newest = answer.newest;
      scrubber.max = newest;
      redrawTicks();
      redrawCharts(answer.charts);
      takeEnding(answer.over ? fresh.getElementById("ending") : null);
      if (fresh && following) takeReveal(fresh.getElementById("moment"));
      if (following) await go(newest);
      else offer();
    });
  return growing;
}

/** Put the rows of a stretch where links are. */
function fillLedger(rows) {
  for (const gap of ledger.querySelectorAll(".unsent")) {
    const [first, last] = [Number(gap.dataset.first), Number(gap.dataset.last)];
    if (!(first in rows)) continue;
    const box = document.createElement("template");
    box.innerHTML = Array.from({ length: last - first + 1 }, (_, offset) => rows[first + offset]).join("");
    gap.replaceWith(box.content);
  }
}

// Rows are fetched before they are scrolled into view, so that the browser keeps the rows in view where they are.
const gapsNear = new IntersectionObserver(
  (gaps) => {
    for (const { isIntersecting, target } of gaps)
      if (isIntersecting) fetchStretch(Number(target.dataset.first)).catch(() => {}); // the links remain
  },
  { root: ledger, rootMargin: "800px 0px" },
);

/** Fetch every row: the browser searches the page. */
function fetchRows() {
  for (const gap of ledger.querySelectorAll(".unsent")) fetchStretch(Number(gap.dataset.first)).catch(() => {}); // the links remain
}

addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "f") fetchRows();
});

function takeRows(rows) {
  for (const [n, html] of Object.entries(rows)) {
    const box = document.createElement("template");
    box.innerHTML = html;
    const row = box.content.querySelector("tbody");
    const known = rowAt(n);
    if (!known) {
      if (n > newest) stretchFor(row.dataset.heading).append(row); // the stretch of an earlier one is not fetched yet
    } else {
      if (known === current) {
        row.setAttribute("aria-current", "step");
        current = row;
      }
      known.replaceWith(row);
    }
  }
}

/** The table for a new row: the last one, or one of its own where a period begins. */
function stretchFor(heading) {
  const last = ledger.lastElementChild;
  if (!heading) return last.querySelector("table");
  const stretch = last.cloneNode(true);
  for (const row of stretch.querySelectorAll("tbody, h3")) row.remove();
  const title = document.createElement("h3");
  title.textContent = heading;
  stretch.prepend(title);
  ledger.append(stretch);
  return stretch.querySelector("table");
}

function redrawTicks() {
  const ticks = find("#ticks");
  ticks.setAttribute("viewBox", `0 0 ${newest} 1`);
  ticks.replaceChildren(
    ...periods().map((at) => {
      const tick = document.createElementNS("http://www.w3.org/2000/svg", "path");
      tick.setAttribute("d", `M${at} 0v1`);
      return tick;
    }),
  );
  periodOf.replaceChildren(...stops.periods.map(([at, name]) => new Option(name, at)));
}

function redrawCharts(html) {
  const chosen = chartBody.querySelector("input:checked")?.value;
  chartBody.innerHTML = html;
  const again = chartBody.querySelector(`input[value="${chosen}"]`);
  if (again) again.checked = true;
}

/** Fetch the page as it is when it is newly opened, for the ending of the game and for its newest moment. */
async function fetchedPage(at) {
  const answer = await fetchNewer(addressOf(at));
  if (!answer.ok) throw new Error(`${words.url}: ${answer.status}`);
  return pageIn(answer);
}

/** Show the newest moment on a full screen to a viewer who watches the newest step. */
function takeReveal(moment) {
  find("#moment").replaceWith(moment);
  showReveal(root, words.url, () => {});
}

/** Put how the game came out above the table, or nothing where that was taken back. */
function takeEnding(now) {
  ending?.remove();
  ending = now;
  if (!ending) return;
  offerSharing(ending);
  caption.before(ending);
}

function offer() {
  const ahead = newest - met;
  if (filmstrip.has(step)) show();
  more.textContent = ahead === 1 ? words.moreOne : filled(words.more, { n: ahead });
  more.hidden = false;
}
more.addEventListener("click", () => move(newest));

// --- what this device remembers -----------------------------------------------------------------------------------

function remembered(name, field, property) {
  const kept = localStorage.getItem(`daybook.replay.${name}`);
  if (kept !== null) field[property] = property === "checked" ? kept === "true" : kept;
  field.addEventListener("change", () => localStorage.setItem(`daybook.replay.${name}`, field[property]));
}
remembered("speed", speed, "value");
remembered("keys", keysOn, "checked");
remembered("leave-out", leaveOut, "checked");

root.classList.add("scripted");
layOpen(wide.matches ? current : caption);
measure();
table.fit();
table.focus(current.dataset.seat ?? "", [...plate.querySelectorAll(".changed[data-at]")]);
table.followRows(plate.querySelectorAll(".changed[data-at]"));
table.look(plate.querySelectorAll(".changed[data-at]"));
for (const part of [play, find(".speed"), find("#help")]) part.hidden = false;
keepInView(current);
flight.look(stage.parts);
table.layOutHidden();
for (const gap of ledger.querySelectorAll(".unsent")) gapsNear.observe(gap);
ready.then(fetchNear, () => {});
if (location.hash === "#play") startPlaying();
if (words.running) ready.then(() => follow(words.url, newest, grow));
