// Recording without waiting for whole pages: links and forms are fetched, and the desk is exchanged. What cannot be
// sent is kept and sent again with the same key, so it is written once. Without this script the same forms work.

import { follow } from "./live.js";
import { localTimes } from "./page.js";

const RETRY_SECONDS = 5;
const live = document.querySelector("[data-live]");
const waiting = document.querySelector("[data-waiting]");
const moved = document.querySelector("[data-moved]");
let desk = document.getElementById("desk");
let pending = null; // an entry that is on its way: { url, body }
let sending = false;
let timer = 0;

const store = `daybook.pending:${desk.dataset.here}`;

// --- exchanging the desk ---

// Where there is room beside the desk, the table lies open there.
function layTable() {
  if (matchMedia("(min-width: 75rem)").matches) desk.querySelector("[data-board]").open = true;
}

layTable();

async function show(url, options = {}, remember = true) {
  desk.classList.add("busy");
  try {
    const bare = desk.querySelector("[data-board]:not([open])") ? { "X-Desk": "bare" } : {};
    const answer = await fetch(url, { credentials: "same-origin", headers: bare, ...options });
    if (answer.status >= 502 && answer.status <= 504) throw new TypeError("no answer");
    if (answer.status === 507) throw new TypeError("full"); // nothing was written: it goes out again when there is room
    take(await answer.text(), answer.url, remember);
  } finally {
    desk.classList.remove("busy");
  }
}

function take(html, url, remember) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.getElementById("desk");
  if (!fresh) { // not a desk: an error, or a page of its own
    document.body.replaceChildren(...page.body.childNodes);
    document.title = page.title;
    history.pushState(null, "", url);
    return;
  }
  const filled = remember ? null : filledIn();
  const open = [...desk.querySelectorAll("details[open][data-keep]")].map((one) => one.dataset.keep);
  const before = Number(desk.dataset.at);
  desk.replaceWith(fresh);
  desk = fresh;
  for (const name of open) desk.querySelector(`details[data-keep="${name}"]`)?.setAttribute("open", "");
  layTable();
  if (remember && url !== location.href) history.pushState(null, "", url);
  moved.hidden = true;
  localTimes(desk);
  const said = desk.querySelector("[data-said]") ?? (Number(desk.dataset.at) > before ? desk.querySelector("[data-newest]") : null);
  if (said) {
    live.textContent = said.textContent.replace(/\s+/g, " ").trim();
    desk.querySelector(".newest")?.classList.add("fresh");
  }
  if (!fillIn(filled)) (desk.querySelector("[data-first]") ?? desk).focus({ preventScroll: true });
  if (desk.getBoundingClientRect().top < 0) scrollTo(0, 0);
}

// What is filled in and not sent yet stays when others have recorded something meanwhile.
function filledIn() {
  const form = desk.querySelector("form[data-form]");
  if (!form) return null;
  const { name, value } = form.contains(document.activeElement) ? document.activeElement : {};
  return { of: form.dataset.form, values: [...new FormData(form)].filter((one) => one[0].startsWith("n.")), name, value };
}

// Whether the focus could be put back where it was.
function fillIn(filled) {
  const form = desk.querySelector("form[data-form]");
  if (!filled || form?.dataset.form !== filled.of) return false;
  for (const input of form.elements) {
    for (const [name, value] of filled.values) {
      if (input.name !== name) continue;
      if (input.type === "radio") input.checked = input.value === value;
      else input.value = value;
    }
  }
  const there = [...form.elements].find((input) => filled.name && input.name === filled.name && input.value === filled.value);
  there?.focus({ preventScroll: true });
  return Boolean(there);
}

// --- sending ---

async function send() {
  clearTimeout(timer);
  if (!pending || sending) return;
  sending = true;
  try {
    await show(pending.url, { method: "POST", body: new URLSearchParams(pending.body) });
    keep(null);
  } catch (wrong) {
    if (!(wrong instanceof TypeError)) throw wrong;
    waiting.textContent = wrong.message === "full" ? waiting.dataset.full : waiting.dataset.text;
    waiting.hidden = false; // no network: the entry stays, and goes out again under the same key
    timer = setTimeout(send, RETRY_SECONDS * 1000);
  } finally {
    sending = false;
  }
}

function keep(entry) {
  pending = entry;
  if (entry) sessionStorage.setItem(store, JSON.stringify(entry));
  else sessionStorage.removeItem(store);
  waiting.hidden = true;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!desk.contains(form) || !("swap" in form.dataset)) return;
  event.preventDefault();
  if (form.method === "get") { // a question, nothing to write yet
    const url = `${form.action}?${new URLSearchParams(new FormData(form, event.submitter))}`;
    show(url).catch(() => location.assign(url));
    return;
  }
  if (pending) return; // one at a time, in order
  keep({ url: form.action, body: [...new FormData(form)] });
  send();
});

for (const name of ["online", "focus"]) addEventListener(name, send);

// --- choosing ---

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  show(link.href).catch(() => location.assign(link.href));
});

addEventListener("popstate", () => show(location.href, {}, false).catch(() => location.reload()));

// Digits press the buttons while the focus is on the desk and not in a field; Escape goes back.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !desk.contains(document.activeElement)) return;
  if (document.activeElement.matches("input, textarea, select")) return;
  const pressed = event.key === "Escape" ? desk.querySelector("[data-back]")
    : /^[1-9]$/.test(event.key) ? desk.querySelectorAll(".choices .pick")[Number(event.key) - 1] : null;
  if (pressed) {
    event.preventDefault();
    pressed.click();
  }
});

// The table is most of the page, and is fetched when somebody looks at it.
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("[data-board][open]") && !event.target.querySelector(".board-here").childElementCount) {
    show(location.href, {}, false).catch(() => location.reload());
  }
}, true);

// --- others record too ---

follow(desk.dataset.game, Number(desk.dataset.at), (step) => {
  if (!(step > Number(desk.dataset.at)) || pending) return;
  if (desk.dataset.choosing) { // somebody is choosing here: the choice stays, the news stand below it
    moved.firstElementChild.textContent = moved.dataset.text.replace("{n}", step);
    moved.hidden = false;
  } else {
    renew();
  }
});

let renewing = false;
let again = false; // more was recorded while the desk was fetched

async function renew() {
  again = true;
  if (renewing) return;
  renewing = true;
  while (again) {
    again = false;
    await show(desk.dataset.here, {}, false).catch(() => {});
  }
  renewing = false;
}

addEventListener("pageshow", (event) => event.persisted && location.reload());

const kept = sessionStorage.getItem(store);
if (kept) {
  keep(JSON.parse(kept));
  send();
} else {
  desk.focus({ preventScroll: true });
}
