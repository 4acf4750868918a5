// Keep users on the page while the server is unreachable: before a link or a form is followed, the page checks the
// connection, and shows a message if it fails. After a form was sent, its page takes no more input, which would be lost.

const PATIENCE_MS = 4000; // some networks drop requests silently
const RETRY_MS = 2000;
const ANSWER_MS = 20_000; // of a request of the page itself; a proxy passes it on to another host after 6 seconds
export const LONG_ANSWER_MS = 80_000; // of one that calculates; Daybook answers after 60 seconds at the latest

let asking = null; // the link or form that was tapped and waits for an answer
let leaving = false; // a tapped link or form is being followed
let missed = null; // the last link that could not be followed, or the button of a form that could not be sent
let timer = 0;
let onTheWay = 0; // forms that were sent and not answered yet: the newest of them replaces the page
let focused = null; // before the fields took nothing more
const held = new Map(); // fields that take nothing more, and by which property

const note = () => document.querySelector("[data-cut]"); // record.js may exchange the whole page
const isHere = () => "here" in note().dataset; // on a device everything is answered from itself

/** Show if the connection is lost. */
export function cut(yes) {
  note().hidden = !yes || isHere();
}

/** The server has failed or has too much to do: what was requested is requested again. As where no one answers, it is a
 * TypeError. */
export class ServerError extends TypeError {
  constructor(status) {
    super(`the server answered with ${status}`);
    this.status = status;
  }
}

/** The server is still preparing what was requested. */
export class ComingError extends TypeError {}

/** The page that is shown may not be read any more, or is gone. */
export class EndedError extends Error {}

/** Fetch a page or a part of it. Throws a ServerError if the server fails, and another TypeError if no one answers within
 * patienceMs. */
export async function fetchPage(url, { patienceMs = ANSWER_MS, ...options } = {}) {
  const answer = await answerWithin(patienceMs, url, options);
  if (answer.status >= 502 && answer.status <= 504) throw new TypeError("no answer");
  if (answer.status === 429 || (answer.status >= 500 && answer.status !== 507)) throw new ServerError(answer.status);
  return answer;
}

/** Fetch, and throw a TypeError if the answer and its body take longer than patienceMs. */
function answerWithin(patienceMs, url, options) {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new TypeError("no answer")), patienceMs); // no effect once the body is there
  const { signal } = options;
  if (signal?.aborted) stop.abort(signal.reason);
  signal?.addEventListener("abort", () => stop.abort(signal.reason), { once: true });
  return fetch(url, { ...options, signal: stop.signal });
}

/** Fetch the newer content of a page that stays until then. Throws as fetchPage, and a ComingError or an EndedError. */
export async function fetchNewer(url, options = {}) {
  const answer = await fetchPage(url, options);
  if (answer.status === 202) throw new ComingError("not there yet");
  if ([401, 403, 404, 410].includes(answer.status)) throw new EndedError(`the server answered with ${answer.status}`);
  return answer;
}

/** A page of Daybook out of an answer. Throws a TypeError for any other: a network may answer with a page of its own. */
export async function pageIn(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.querySelector("[data-cut]")) throw new TypeError("not a page of Daybook");
  return page;
}

const failures = new Map(); // what the page requests again and again: the status that it met
const ended = new Set(); // what it may not request any more

/** Say in one line that a request failed and is repeated, or that it ended; wrong is null once it was answered. */
export function report(request, wrong) {
  if (wrong instanceof EndedError) ended.add(request);
  else ended.delete(request);
  document.querySelector("[data-ended]").hidden = !ended.size;
  if (wrong instanceof ServerError) failures.set(request, wrong.status);
  else failures.delete(request);
  const [status] = failures.values();
  const shown = document.querySelector("[data-failing]");
  if (status) shown.textContent = shown.dataset.failing.replace("{status}", status);
  shown.hidden = !status;
  cut(wrong instanceof TypeError && !(wrong instanceof ServerError || wrong instanceof ComingError));
}

/** Whether anybody answers: with this file's head, which costs nothing and comes from nowhere else. */
export async function isReached() {
  if (isHere()) return true;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store", signal });
    return answer.status < 502 || answer.status > 504;
  } catch {
    return false;
  }
}

/** Check if a tap is leading away from this page, so that a reload would undo it. */
export const isLeaving = () => onTheWay > 0 || document.querySelector(".pressed") !== null;

/** Lets nothing more be typed or chosen on this page. A field with text in it keeps the focus. */
function hold() {
  focused ??= document.activeElement;
  for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    const property = field.matches(":read-write") ? "readOnly" : "inert";
    if (field.readOnly || field.inert) continue;
    field[property] = true;
    held.set(field, property);
  }
}

function release() {
  onTheWay = 0;
  for (const [field, property] of held) field[property] = false;
  held.clear();
  if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  focused = null;
}

/** Follows a tapped link or form when the server answers; a newer tap replaces it. tapped: the link, or the form's
 * button. */
async function ask(event, control, tapped, leave) {
  event.preventDefault();
  if (asking === control) return; // tapped twice
  asking = control;
  control.classList.add("pressed");
  const reached = await isReached();
  if (!reached || asking !== control) control.classList.remove("pressed");
  else setTimeout(() => control.classList.remove("pressed"), PATIENCE_MS); // it led to a file, and the page stays
  if (asking !== control) return;
  asking = null;
  cut(!reached);
  if (reached) leave();
  else stay(tapped);
}

function stay(tapped) {
  release();
  const shown = note();
  shown.classList.remove("asked");
  void shown.offsetWidth; // restarts the animation
  shown.classList.add("asked");
  missed = tapped;
  document.querySelector("[data-again]").hidden = true;
  clearTimeout(timer);
  timer = setTimeout(lookAgain, RETRY_MS);
}

/** Checks again until the server answers, and then offers the failed link or form again, without following it. */
async function lookAgain() {
  if (!document.hidden && !asking && (await isReached())) {
    cut(false);
    if (missed) offer(missed);
  } else timer = setTimeout(lookAgain, RETRY_MS);
}

function offer(tapped) {
  const offered = document.querySelector("[data-again]");
  const again = offered.querySelector("a");
  again.href = tapped.form ? "#main" : addressOf(tapped);
  again.textContent = tapped.ariaLabel || tapped.textContent.replace(/\s+/g, " ").trim();
  offered.hidden = false;
}

const addressOf = (link) => new URL(link.getAttribute("href"), document.baseURI);

function leadsOn(link) {
  const { origin, pathname, search, hash } = addressOf(link);
  const here = pathname === location.pathname && search === location.search && hash;
  return origin === location.origin && !here && !link.hasAttribute("download") && !link.getAttribute("target");
}

addEventListener("pageshow", () => {
  for (const one of document.querySelectorAll(".pressed")) one.classList.remove("pressed");
  release();
});
globalThis.navigation?.addEventListener("navigateerror", () => --onTheWay > 0 || release()); // stopped: the page stays
addEventListener("offline", () => cut(true));
addEventListener("online", () => cut(false));

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || isHere()) return;
  if (missed?.form && link.closest("[data-again]")) {
    event.preventDefault();
    missed.form.requestSubmit(missed);
    return;
  }
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || !leadsOn(link)) return;
  ask(event, link, link, () => location.assign(addressOf(link)));
});

addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (leaving || event.defaultPrevented || isHere() || form.getAttribute("method") === "dialog") return;
  hold();
  ask(event, form, submitter, () => {
    onTheWay++;
    leaving = true;
    form.requestSubmit(submitter);
    leaving = false;
    if (!globalThis.navigation) setTimeout(release, PATIENCE_MS); // it may be stopped, and nothing tells
  });
});

// With TLS, a service worker shows our own page if the server cannot be reached (unreached.js).
const { worker } = note().dataset;
if (worker) navigator.serviceWorker?.register(worker).catch(() => {}); // a certificate that is not trusted: it stays as it is

if (!navigator.onLine) cut(true);
