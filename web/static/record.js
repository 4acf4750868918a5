// Recording without leaving the page: links and forms are fetched, and the regions of the desk that have changed are
// exchanged (regions.js). A tap is shown at once, taps during a request stand in line, and what cannot be sent is kept
// (errands.js). Without this script the same forms work. htmx exchanges parts of a page as well, in one line of the many
// here: the queue, the key that is sent once, and what is kept without a network would stand around it all the same.

import { cut, fetchNewer, fetchPage, pageIn, report, ServerError } from "./connection.js";
import { nextCell } from "./desk_keys.js";
import { errands, Held } from "./errands.js";
import { localTimes } from "./page.js";
import { isTypedIn, shownRegions, showRegions } from "./regions.js";
import { isOfThisVersion, showPage } from "./renew.js";
import { showReveal, skipEarlierReveal } from "./reveal.js";
import { offerSharing } from "./share.js";
import { markStepper } from "./steppers.js";

const TWICE_MS = 350; // a second tap of the same finger
const live = document.querySelector("[data-live]");
const waiting = document.querySelector("[data-waiting]");
const moved = document.querySelector("[data-moved]");
const held = document.querySelector("[data-held]");
const yourTurn = document.querySelector("[data-your-turn]");
const desk = document.getElementById("desk");
let exchanging = false;
let typesOnAfter = ""; // the round that is ended from its keypad

// --- exchanging the desk ---

// If the screen is wide, show the table next to the record page.
function layTable() {
  if (matchMedia("(min-width: 75rem)").matches) desk.querySelector("[data-board]").open = true;
}

layTable();
showSeat();

// --- the present turn ---

const TITLE = document.title;
const SIGNAL_MS = [120, 80, 120];

// A seat's own phone says in its title that its turn has come, and shakes when others have brought it there.
function sayTurn(before, others) {
  const { turn } = desk.dataset;
  document.title = turn ? `${turn} – ${TITLE}` : TITLE;
  if (turn && !before && others && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SIGNAL_MS);
  if (!turn || !before) showTurn(Boolean(turn) && others);
}

/** Show in a bar that the turn has come, until its heading is in sight. */
function showTurn(come) {
  yourTurn.hidden = !come || isHeadingInView();
  yourTurn.style.bottom = `${desk.querySelector(".undo")?.offsetHeight ?? 0}px`;
}

const OTHER_SEAT_MS = 1200; // others recorded
const NEXT_SEAT_MS = 600; // this phone recorded the last decision of a turn
let otherSeatEnds;

/** The seat that decides here has changed: mark its heading, and let a tap meant for the seat before do nothing. */
function showOtherSeat(duration) {
  desk.classList.add("other-seat");
  clearTimeout(otherSeatEnds);
  otherSeatEnds = setTimeout(() => desk.classList.remove("other-seat"), duration);
}

function isHeadingInView() {
  return desk.querySelector("h1").getBoundingClientRect().bottom > 0;
}

yourTurn.addEventListener("click", () => scrollTo({ top: 0 }));
addEventListener("scroll", () => yourTurn.toggleAttribute("hidden", yourTurn.hidden || isHeadingInView()), {
  passive: true,
});

sayTurn("", false);

class DiskTakesNothing extends TypeError {
  constructor(page) {
    super(page.querySelector("h1").textContent);
  }
}

/** Send a command; return if it was recorded. Throws a TypeError without a connection; nothing is recorded then. */
async function show(url, options = {}, remember = true, fetching = fetchPage) {
  desk.classList.add("busy");
  try {
    const bare = desk.querySelector("[data-board]:not([open])") ? { "X-Desk": "bare" } : {};
    const headers = { ...shownRegions(desk), ...bare, ...options.headers };
    const answer = await fetching(url, { credentials: "same-origin", ...options, headers });
    const page = await pageIn(answer);
    if (answer.status === 507) throw new DiskTakesNothing(page); // it goes out again when there is room
    options.signal?.throwIfAborted();
    if (options.body && [401, 403].includes(answer.status)) keep(page);
    take(page, answer.url, remember);
    for (const [name, value] of options.body ?? [])
      if (isCell(name) && sentFigures.get(keyOfCell(name)) === value) sentFigures.delete(keyOfCell(name));
    if (options.body && !answer.ok && desk.isConnected) showRefusal(answer.status);
    return answer.ok;
  } finally {
    desk.classList.remove("busy");
  }
}

/** Bring the reason of a refusal into view. A page without one says at least that it refused. */
function showRefusal(status) {
  let reason = desk.querySelector("[data-said], .wrong[id]") ?? document.querySelector("main > .said");
  if (!reason) {
    reason = alertAbove(status === 403 ? waiting.dataset.barred : waiting.dataset.refused);
    live.textContent = reason.textContent;
  }
  reason.scrollIntoView({ block: "nearest" });
}

function alertAbove(text) {
  const alert = document.createElement("p");
  alert.className = "notice";
  alert.dataset.dropped = "";
  alert.role = "alert";
  alert.textContent = text;
  desk.prepend(alert);
  if (desk.querySelector("[data-reveal]")?.open) reveal(); // which covers the page
  return alert;
}

/** A page that keeps the form it refuses leaves it in line here. */
function keep(page) {
  const again = page.querySelector("form[data-send-again]");
  const says = [...page.querySelectorAll("h1, .story:not([data-kept])")]
    .map((one) => one.textContent.trim())
    .join(". ");
  if (again) throw new Held(says, again.elements.csrf.value);
}

function take(page, url, remember) {
  if (!isOfThisVersion(page)) {
    if (remember)
      location.assign(url); // with scripts and style sheets that know it
    else if (!isTypedIn(desk)) location.reload();
    return;
  }
  const fresh = page.getElementById("desk");
  if (!fresh) {
    // not a desk: an error, or a page of its own
    showPage(page);
    history.pushState(null, "", url);
    return;
  }
  const filled = remember && !desk.querySelector("[data-grid]") ? null : filledIn(remember ? isFilled : isTyped);
  const typed = remember ? null : figuresTyped();
  const before = Number(desk.dataset.at);
  const { turn: turnBefore, seat: seatBefore } = desk.dataset;
  const chose = desk.querySelector(".pressed");
  const thumb = underThumb();
  const partsBefore = partsList();
  const beside = new Map(sideways().map((one) => [one.className, one.scrollLeft]));
  const dropped = remember ? "main > .said, [data-dropped], #desk .taken" : "main > .said, [data-dropped]";
  for (const old of document.querySelectorAll(dropped)) old.remove(); // without a tap, nothing moves under the thumb
  const flashed = [...page.querySelectorAll("main > .said")];
  desk.before(...flashed);
  if (chose) for (const card of desk.querySelectorAll("details[data-keep^='to-do']")) card.open = false; // a user that continues has seen it
  exchanging = true; // some browsers fire a change event for a focused cell that is replaced
  const lost = showRegions(desk, fresh);
  offerSharing(desk);
  exchanging = false;
  for (const pressed of desk.querySelectorAll(".pressed")) pressed.classList.remove("pressed");
  sayTurn(turnBefore, !remember);
  if (seatBefore && desk.dataset.seat && desk.dataset.seat !== seatBefore) {
    if (!remember) {
      scrollTo({ top: 0 });
      showOtherSeat(OTHER_SEAT_MS);
    } else if (Number(desk.dataset.at) > before && !desk.querySelector("[data-grid]")) showOtherSeat(NEXT_SEAT_MS);
  }
  spend();
  layTable();
  for (const one of sideways()) one.scrollLeft = beside.get(one.className) ?? one.scrollLeft;
  showSeat();
  if (remember && url !== location.href) history.pushState(null, "", url);
  moved.hidden = true;
  localTimes(desk);
  const said =
    flashed[0] ??
    desk.querySelector("[data-said], .wrong[id]") ??
    (Number(desk.dataset.at) > before ? desk.querySelector(".newest summary") : null);
  if (said) {
    live.textContent = said.textContent.replace(/\s+/g, " ").trim();
    desk.querySelector(".newest")?.classList.add("fresh");
  }
  const ended = typed && typed.of !== desk.querySelector("[data-grid]")?.dataset.form && saysRoundEnded(typed);
  if (!fillIn(filled) && (remember || lost) && !ended)
    (desk.querySelector("[data-first]") ?? desk).focus({ preventScroll: true });
  const grid = desk.querySelector("[data-grid]");
  if (remember && typesOnAfter && grid && grid.dataset.form !== typesOnAfter) {
    nextCell(grid, null).next?.focus({ preventScroll: true }); // the keypad stays open for the next round
    typesOnAfter = "";
  }
  const parts = partsList();
  if (parts || !stay(thumb)) remember && scrollTo(0, 0);
  if (parts?.saves && partsBefore && !partsBefore.saves) keepClear(parts, partsBefore);
  reveal();
  const asked = desk.querySelector(".path:has([data-back])");
  if (remember && asked?.getBoundingClientRect().top < 0) asked.scrollIntoView();
}

// --- what the thumb is on stays where it is ---

const sideways = () => [...desk.querySelectorAll(".seat-tabs, [data-grid] .scroll")];

/** The tab of the seat that decides is in sight; it moves no further than that. */
function showSeat() {
  const seat = desk.querySelector(".seat-tabs > [aria-current]");
  const row = seat?.parentElement;
  if (row && seat.offsetLeft < row.scrollLeft) row.scrollLeft = seat.offsetLeft;
  const end = row && seat.offsetLeft + seat.offsetWidth - row.clientWidth;
  if (row && end > row.scrollLeft) row.scrollLeft = end;
}

/** Return the question and the choices made so far, such as a tile without its factory. */
function question() {
  const asked = [...desk.querySelectorAll("h1, .path:has([data-back]) h2")].map((one) => one.textContent).join(" ");
  return desk.querySelector(".facts, .faces") ? asked.replace(/\d+/g, "") : asked; // the next card is the same question
}
const placeOf = (name) => desk.querySelector(`[data-place="${CSS.escape(name)}"]`);

const topOf = (place) => place.getBoundingClientRect().top;

/** What was tapped last and what lies after it: { says, places: [[name, top]], of, leads }, of the question that it
 * answers; leads: what may be tapped again in the question it leads to. */
function underThumb() {
  const pressed = desk.querySelector(".pressed");
  const tapped = pressed?.closest("[data-place]");
  if (!tapped) return null;
  const all = [...desk.querySelectorAll("[data-place]")];
  const control = pressed.querySelector("button") ?? pressed;
  return {
    says: control.ariaLabel ?? (control.querySelector("span") ?? control).textContent.trim(),
    gaps: [...desk.querySelectorAll(".facts > li, .faces > li")].map((one) => one.dataset.place),
    places: all.slice(all.indexOf(tapped)).map((one) => [one.dataset.place, topOf(one)]),
    of: question(),
    leads: pressed.dataset.leads,
  };
}

/** Check if a place shows the choice of a turn, such as the last one of a complete turn. */
const isChosen = (name) => placeOf(name)?.querySelector("a[aria-current]") != null;

/** If the question is the same, keep the tapped button in place; if it is gone, the one after it. */
function stay(thumb) {
  if (thumb?.leads && placeOf(thumb.leads)) {
    hold(placeOf(thumb.leads), thumb.places[0][1], thumb.says); // after the first of three cards, the second takes its place
    return true;
  }
  if (!thumb || (thumb.of !== question() && !isChosen(thumb.places[0][0]))) return false;
  keepGaps(thumb.gaps);
  const [name, top] = thumb.places.find((one) => placeOf(one[0])) ?? [];
  if (name !== undefined) hold(placeOf(name), top, name === thumb.places[0][0] ? "" : thumb.says);
  return name !== undefined || !desk.querySelector("[data-first]"); // a result is read from its beginning
}

/** The choices for the next part of a list: { list, height, saves }; saves: a tap records it. */
function partsList() {
  const list = desk.querySelector(".path:has(.parts) + .choices");
  return list && { list, height: list.offsetHeight, saves: Boolean(list.querySelector("form")) };
}

/** The last part saves, so its choices are not where a finger has just chosen another part. */
function keepClear({ list }, before) {
  const room = Object.assign(document.createElement("li"), { className: "taken" });
  room.textContent = desk.querySelector(".parts").dataset.last;
  room.style.height = `${Math.min(before.height, innerHeight / 3)}px`;
  list.prepend(room);
}

/** Keep the remaining buttons in their columns; a removed button leaves a gap. */
function keepGaps(were) {
  const list = desk.querySelector(".facts, .faces");
  for (const [n, name] of were.entries()) {
    if (!list || !name || placeOf(name)) continue;
    const next = were.slice(n + 1).find((one) => one && placeOf(one));
    const gap = Object.assign(document.createElement("li"), { className: "taken" });
    gap.dataset.place = name;
    list.insertBefore(gap, next ? placeOf(next) : null);
  }
}

/** Scroll until an element is at its old position; at the top of the page, add space instead. */
function hold(place, top, taken) {
  scrollBy({ top: topOf(place) - top, behavior: "instant" });
  const missing = top - topOf(place);
  if (missing < 1) return;
  const row = place.closest("tr, .lane, .choices > li");
  const room = document.createElement(row.localName);
  const says = row.localName === "tr" ? room.insertCell() : room;
  if (row.localName === "tr") says.colSpan = row.cells.length;
  says.textContent = taken && `✓ ${taken}`;
  room.className = "taken";
  room.style.height = `${missing}px`;
  row.before(room);
  room.style.height = `${missing + top - topOf(place)}px`; // minus the gap between rows
}

// Keep typed input when another user has recorded something.
function filledIn(isKept) {
  const form = desk.querySelector("form[data-form]");
  if (!form) return null;
  const { name, value, selectionStart, selectionEnd } = form.contains(document.activeElement)
    ? document.activeElement
    : {};
  const typed = "grid" in form.dataset ? [...form.elements].filter(isKept) : null;
  return {
    of: form.dataset.form,
    values: typed?.map((cell) => [cell.name, cell.value]) ?? [...new FormData(form)].filter(([field]) => isCell(field)),
    name,
    value,
    selection: [selectionStart, selectionEnd],
  };
}

// Restore the focus; return if that was possible.
function fillIn(filled) {
  const form = desk.querySelector("form[data-form]");
  if (!filled || form?.dataset.form !== filled.of) return false;
  const keyOf = "grid" in form.dataset ? keyOfCell : (name) => name;
  for (const input of form.elements) {
    for (const [name, value] of filled.values) {
      if (!input.name || keyOf(input.name) !== keyOf(name)) continue;
      const isChanged = input.name !== name;
      if (isChanged && sentFigures.get(keyOf(name)) === value) continue; // it was saved
      if (input.type === "radio") input.checked = input.value === value;
      else input.value = value;
      if (isChanged && isFilled(input) && shownIn(input) !== sentFigures.get(keyOf(name))) sayReplaced(input);
      markStepper(input);
    }
  }
  const there = [...form.elements].find(
    (input) =>
      filled.name &&
      keyOf(input.name) === keyOf(filled.name) &&
      ("grid" in form.dataset || input.value === filled.value),
  );
  if (!there || isRefusedElsewhere(form, there)) return false;
  there.focus({ preventScroll: true });
  if (Number.isInteger(filled.selection[0]) && there.value === filled.value)
    there.setSelectionRange(...filled.selection); // amid typing it goes on
  return true;
}

// --- a grid of figures: each is sent when the next one is begun ---

const sentFigures = new Map(); // by cell, without an answer yet

const isCell = (name) => Boolean(name?.startsWith("n."));
const keyOfCell = (name) => name.split(".", 3).join("."); // without the figure that the page showed

/** Return the figure of a cell in the record, as the page showed it. */
function shownIn(field) {
  if (!field.options) return field.dataset.was ?? field.defaultValue;
  return [...field.options].find((one) => one.defaultSelected)?.value ?? "";
}

/** Check if a cell has another value than the page showed. */
const isFilled = (field) => isCell(field.name) && field.value !== shownIn(field);

const isTyped = (field) => isFilled(field) || (isCell(field.name) && field.ariaInvalid === "true");

/** Someone else filled the cell in which the viewer types: say who and what, as the next key replaces it. */
function sayReplaced(cell) {
  const says = waiting.dataset[cell.dataset.by ? "replacesOf" : "replaces"]
    .replace("{name}", () => cell.dataset.by)
    .replace("{cell}", () => cell.ariaLabel)
    .replace("{figure}", () => shownIn(cell) || "–")
    .replace("{typed}", () => cell.value);
  cell.dataset.note = says;
  live.textContent = alertAbove(says).textContent;
}

/** Check if another cell has a refused figure, which takes the focus back unless the viewer types in this one already. */
function isRefusedElsewhere(form, cell) {
  const refused = form.querySelector("[data-first][aria-invalid]");
  return Boolean(refused) && refused !== cell && !isFilled(cell);
}

/** Send the figures that are still in their cells, before what is tapped next. */
function sendFigures() {
  const grid = desk.querySelector("[data-grid]");
  if (grid && [...grid.elements].some(isFilled)) grid.requestSubmit();
}

/** Return the figures typed in a grid that were not sent, with the name of its round; null without the focus there. */
function figuresTyped() {
  const grid = desk.querySelector("[data-grid]");
  if (!grid) return null;
  const cells = [...grid.elements].filter(isFilled);
  if (!cells.length && !grid.contains(document.activeElement)) return null;
  return { of: grid.dataset.form, cells: cells.map((cell) => `${cell.ariaLabel} ${cell.value}`) };
}

/** Another phone ended the round in which the viewer was: say so, and let no key write into the next round. */
function saysRoundEnded({ cells }) {
  document.activeElement.blur();
  const { unsaved, roundEnded } = waiting.dataset;
  live.textContent = alertAbove(cells.length ? unsaved.replace("{what}", cells.join(", ")) : roundEnded).textContent;
  return true;
}

/** Return the address of the newest page, or of the round in which figures are typed: they belong to that round. */
function hereOrRound() {
  const grid = desk.querySelector("[data-grid]");
  if (!grid || ![...grid.elements].some(isFilled)) return desk.dataset.here;
  const url = new URL(desk.dataset.here, location.href);
  url.searchParams.set("round", grid.elements.round.value);
  return url.href;
}

// An input that was typed before the page was replaced fires no change event. While a mouse button is down, the page
// must not change under it.
let isMouseDown = false;
let isCellLeft = false;
let lastTyped = null; // the grid in which the viewer typed until then: { form, time }
document.addEventListener("pointerdown", ({ pointerType }) => (isMouseDown = pointerType === "mouse"), true);
for (const released of ["pointerup", "pointercancel", "keydown"])
  document.addEventListener(released, () => {
    if (isCellLeft) setTimeout(sendFigures); // after the click
    isMouseDown = isCellLeft = false;
  });
for (const left of ["focusout", "change"])
  document.addEventListener(left, ({ target }) => {
    if (!target.closest?.("[data-grid]") || exchanging) return;
    lastTyped = { form: desk.querySelector("[data-grid]").dataset.form, time: performance.now() };
    if (isMouseDown && !target.options) isCellLeft = true;
    else sendFigures();
  });

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("[data-grid]");
  if (!form || event.key !== "Enter" || event.target.tagName === "BUTTON") return;
  event.preventDefault();
  const { next, isLeft } = nextCell(form, event.target);
  const pad = document.getElementById("keypad");
  if (pad) pad.dataset.left = isLeft ? next.name : "";
  if (next) next.focus();
  else event.target.blur();
});

document.addEventListener("focusin", (event) => {
  if (event.target.closest("[data-grid]")) event.target.select?.();
});

// --- folds ---

// Scroll an unfolded part into view, but never its own line out of view.
document.addEventListener("click", (event) => {
  const fold = event.target.closest("#desk :is(.under, .last) summary")?.parentElement;
  if (fold?.open === false) fold.addEventListener("toggle", () => bringUp(fold), { once: true });
});

function bringUp(fold) {
  const { top, bottom } = fold.getBoundingClientRect();
  const end = desk.querySelector(":scope > .undo")?.getBoundingClientRect().top ?? innerHeight;
  const by = Math.min(bottom - end, top);
  if (fold.open && by > 0) scrollBy({ top: by, behavior: "instant" });
}

// --- taps ---

let tap = null; // the last one: { x, y, time }

document.addEventListener(
  "click",
  (event) => {
    if (event.isTrusted && event.detail && !event.target.closest("#keypad"))
      // which is not exchanged: 11 is two taps
      tap = { x: event.clientX, y: event.clientY, time: performance.now() };
  },
  true,
);

// Ignore taps at the same spot for a moment, because the second half of a double tap would hit the new button there.
function spend() {
  const left = tap ? tap.time + TWICE_MS - performance.now() : 0;
  if (left <= 0) return;
  const spot = document.createElement("div");
  spot.className = "spent";
  spot.style.left = `${tap.x}px`;
  spot.style.top = `${tap.y}px`;
  document.body.append(spot);
  setTimeout(() => spot.remove(), left);
}

// What has been tapped looks so at once.
function press(control, question) {
  if (question) for (const other of desk.querySelectorAll("a.pressed")) other.classList.remove("pressed");
  control?.classList.add("pressed");
}

let renewing = null;

const line = errands(`daybook.waiting:${desk.dataset.here}`, {
  carry: ({ url, body, remember }, signal) =>
    show(url, body ? { method: "POST", body: new URLSearchParams(body), signal } : { signal }, remember ?? true),
  fitted,
  dropped,
  waits(waitingLine, wrong) {
    const writes = waitingLine.some((errand) => errand.body);
    const failed = wrong instanceof ServerError;
    report("taps", failed && !writes ? wrong : null);
    held.hidden = !(wrong instanceof Held) && !(failed && writes);
    waiting.hidden = !waitingLine.length || !held.hidden || failed;
    if (!held.hidden) {
      held.firstElementChild.textContent = failed
        ? held.dataset.failed.replace("{status}", wrong.status)
        : wrong.message;
      held.querySelector("[data-send]").onclick = () => (failed ? line.go() : line.send(wrong.csrf));
    }
    if (waiting.hidden) return;
    const unwritten = wrong instanceof DiskTakesNothing;
    cut(!unwritten);
    waiting.textContent = unwritten
      ? waiting.dataset.unwritten.replace("{why}", wrong.message)
      : waiting.dataset.text.replace("{n}", waitingLine.length);
  },
});

held.querySelector("[data-drop]").addEventListener("click", () => {
  line.drop();
  again();
});

function send(errand) {
  renewing?.abort(); // its answer would come too late
  line.add(errand);
}

const FRESH = new Set(["csrf", "key", "at", "to_step", "about_step"]); // fields that change each time a form is shown

// Return the errand with the current form: typed values stay, and the form's own values are the current ones. This holds
// only on the board for which the tap was meant; on another one, others may have recorded in between. Figures of a grid
// belong to their cells instead.
function fitted(errand, before) {
  if (![errand, before].every(({ body }) => body.some(([name]) => name === "at" || isCell(name)))) return errand;
  if (errand.body.some(([name]) => isCell(name))) return errand;
  const sent = Object.fromEntries(errand.body);
  for (const form of desk.querySelectorAll("form[data-swap]")) {
    const own = [...form.querySelectorAll("input[type=hidden]")];
    if (form.action !== errand.url || !own.every(({ name, value }) => FRESH.has(name) || sent[name] === value))
      continue;
    const anew = Object.fromEntries(own.map(({ name, value }) => [name, value]));
    return { ...errand, body: errand.body.map(([name, value]) => [name, anew[name] ?? value]) };
  }
  const previewed = placeOf(errand.says)?.querySelector("a[data-swap]"); // the figure before it ends the game
  if (previewed) return { url: previewed.href, says: errand.says };
  dropped(errand);
  return null;
}

function dropped(errand) {
  alertAbove(waiting.dataset.gone.replace("{what}", errand.says));
}

// Dismiss automatic actions, or notices of corrections. Only this browser stores that, so no request is necessary.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-done]")) return;
  event.preventDefault();
  const card = event.target.closest("[data-to-do]");
  const secure = location.protocol === "https:" ? ";secure" : "";
  document.cookie = `${card.dataset.cookie ?? "done"}=${card.dataset.toDo};path=${card.dataset.path};max-age=5184000;samesite=lax${secure}`;
  card.remove();
  desk.focus({ preventScroll: true });
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!desk.contains(form) || !("swap" in form.dataset)) return;
  event.preventDefault();
  if ("grid" in form.dataset)
    for (const cell of [...form.elements].filter(isFilled)) sentFigures.set(keyOfCell(cell.name), cell.value);
  else if (![...form.elements].some(({ name }) => isCell(name))) sendFigures(); // else it has the figures itself
  if (!("grid" in form.dataset))
    typesOnAfter = lastTyped && performance.now() - lastTyped.time < TWICE_MS ? lastTyped.form : "";
  const fields = new FormData(form, event.submitter);
  const says = event.submitter?.innerText.replace(/\s+/g, " ").trim() ?? "";
  press(event.submitter, form.method === "get");
  form.dataset.sent = "";
  if (form.method === "get")
    send({ url: `${form.action}?${new URLSearchParams(fields)}`, says }); // nothing to write yet
  else send({ url: form.action, body: [...fields], says });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  sendFigures();
  press(link, true);
  send({ url: link.href, says: link.innerText });
});

document.addEventListener("input", (event) => {
  delete event.target.form?.dataset.sent;
  markStepper(event.target);
  addUp(event.target.form);
});

/** Return the number of pieces in a form for the pieces on the table. */
function addUp(form) {
  const total = form?.querySelector("[data-total]");
  if (!total) return;
  const numbers = [...new FormData(form)].filter(([name]) => name.startsWith("n."));
  total.textContent = total.dataset.total.replace(
    "{n}",
    numbers.reduce((sum, [, text]) => sum + Number(text), 0),
  );
}
document.addEventListener("focusin", (event) => event.target.matches("[data-stepped]") && event.target.select());

function again() {
  if (desk.isConnected) send({ url: location.href, remember: false });
  else location.reload(); // another page was shown in its place
}

/** Show what everybody should see at once; what came meanwhile is fetched when it is closed. */
function reveal() {
  const at = desk.dataset.at;
  showReveal(desk, desk.dataset.game, () => at !== desk.dataset.at && again());
}

addEventListener("popstate", again);
addEventListener("pageshow", (event) => event.persisted && again());
for (const name of ["online", "focus"]) addEventListener(name, line.go);
document.addEventListener("visibilitychange", line.go);

// The table is most of the page, so it is fetched only when it is visible.
document.addEventListener(
  "toggle",
  (event) => {
    if (event.target.matches?.("[data-board][open]") && !event.target.querySelector(".board-here").childElementCount)
      again();
  },
  true,
);

// --- others record too ---

async function grown(step) {
  if (!(step > Number(desk.dataset.at)) || line.waiting()) return; // an answer that is waited for is of the newest step
  if (desk.dataset.choosing) {
    // the user is choosing: keep the choice, and show new steps above the bar that records it
    moved.style.bottom = `${desk.querySelector(".undo")?.offsetHeight ?? 0}px`;
    moved.firstElementChild.textContent = moved.dataset.text.replace("{n}", step);
    moved.hidden = false;
    return;
  }
  renewing = new AbortController();
  const { signal } = renewing;
  try {
    await show(hereOrRound(), { signal, headers: { "X-Seat": desk.dataset.seat } }, false, fetchNewer);
  } catch (wrong) {
    if (!signal.aborted) throw wrong;
  } finally {
    renewing = null;
  }
}

// Subscribed after the page is ready; steps recorded in between arrive at once.
const LOAD_AGAIN_MS = 4000;
const at = Number(desk.dataset.at);
function followGame(tries) {
  import(tries ? `./live.js?${tries}` : "./live.js").then(
    // a browser does not load what failed under the same name again
    ({ follow }) => {
      if (tries) cut(false);
      follow(desk.dataset.game, at, grown);
    },
    () => {
      cut(true);
      setTimeout(followGame, LOAD_AGAIN_MS, tries + 1);
    },
  );
}
followGame(0);

skipEarlierReveal(desk, desk.dataset.game);
reveal();
if (line.waiting()) line.go();
else desk.focus({ preventScroll: true });
