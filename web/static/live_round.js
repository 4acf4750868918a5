// The live page of a round: the stream brings the tables that changed, clocks run, and a projector turns its pages.

import { showRegions } from "./regions.js";

const POLL_MS = 5000; // if no stream is free
const STREAM_AGAIN_MS = 60_000;
const SILENCE_MS = 8000; // tolerated beyond the announced pause
const PAGE_MS = 12_000; // of a projector
const RELOAD_SPREAD_MS = 3000; // so that not all viewers load the page at once

const root = document.querySelector("[data-live]");
const { live, changes, now } = root.dataset;
const ahead = Date.now() - Number(now); // of this device's clock
const stale = document.querySelector("[data-cut]");
let token = root.dataset.token;
let silence = 0;
let pauseMs = 2000;

const namesIn = (element) => {
  const comments = document.createTreeWalker(element, NodeFilter.SHOW_COMMENT);
  const found = [];
  while (comments.nextNode()) {
    const [word, name] = comments.currentNode.data.split(" ");
    if (word === "region") found.push(name);
  }
  return found;
};

function heard(pause) {
  pauseMs = pause ? pause * 1000 : pauseMs;
  if (stale) stale.hidden = true;
  clearTimeout(silence);
  silence = setTimeout(() => {
    if (stale) stale.hidden = false;
  }, pauseMs + SILENCE_MS);
}

function show({ token: newer, names, html }) {
  token = newer;
  const shown = namesIn(root);
  if (!document.body.classList.contains("overlay") && names.length !== shown.length) return reload();
  const fresh = document.createElement("div");
  fresh.innerHTML = html;
  if (!document.body.classList.contains("overlay") && namesIn(fresh).some((name) => !shown.includes(name)))
    return reload();
  if (document.body.classList.contains("overlay")) keepOnly(fresh, shown);
  showRegions(root, fresh);
  tick();
  turnTo?.();
}

/** Remove the regions of other tables. */
function keepOnly(fresh, shown) {
  const kept = [];
  let inside = false;
  for (const node of [...fresh.childNodes]) {
    if (node.nodeType === Node.COMMENT_NODE && node.data.startsWith("region "))
      inside = shown.includes(node.data.split(" ")[1]);
    if (inside) kept.push(node);
  }
  fresh.replaceChildren(...kept);
}

function reload() {
  setTimeout(() => location.reload(), Math.random() * RELOAD_SPREAD_MS);
}

// --- the stream ---

function listen() {
  const stream = new EventSource(`${live}?after=${token}`);
  stream.onmessage = ({ data }) => {
    heard();
    show(JSON.parse(data));
  };
  stream.addEventListener("beat", ({ data }) => heard(JSON.parse(data).pause));
  stream.addEventListener("closed", () => {
    stream.close();
    clearTimeout(silence);
    const ended = document.querySelector("[data-ended]");
    if (ended) ended.hidden = false;
  });
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED) poll(Date.now() + STREAM_AGAIN_MS);
  };
}

async function poll(until) {
  try {
    const answer = await fetch(`${changes}?after=${token}`, { signal: AbortSignal.timeout(20_000) });
    if ([401, 403, 404, 410].includes(answer.status)) return;
    if (answer.ok) {
      heard(POLL_MS / 1000);
      show(await answer.json());
    }
  } catch {
    // no network: try again
  }
  setTimeout(() => (Date.now() > until ? listen() : poll(until)), POLL_MS);
}

// --- clocks ---

function tick() {
  for (const clock of root.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, Math.floor((Date.now() - ahead - Number(clock.dataset.since)) / 1000));
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    clock.textContent = hours
      ? `${hours}:${String(minutes % 60).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`
      : `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

// --- a projector ---

let turnTo = null;

/** Make the boards so small that all tables of the page fit on the screen. */
function fitBoards() {
  root.style.removeProperty("--board-height");
  const tables = [...root.querySelectorAll(".live-table:not([hidden])")];
  const rows = new Set(tables.map((table) => table.offsetTop)).size;
  const heights = tables.flatMap((table) =>
    [...table.querySelectorAll(".small-board")].map((board) => board.clientHeight),
  );
  const excess = document.documentElement.scrollHeight - innerHeight;
  if (heights.length && excess > 0)
    root.style.setProperty("--board-height", `${Math.max(0, Math.floor(Math.max(...heights) - excess / rows))}px`);
}

/** Show as many tables or rows as fit, and turn to the next ones by itself. The space bar stops and starts that. */
function project() {
  let at = 0;
  let timer = 0;
  const parts = () => [
    [...root.querySelectorAll(".live-standings tbody tr")],
    [...root.querySelectorAll(".live-table")],
  ];
  function pages() {
    const found = [];
    for (const things of parts()) {
      const size = things[0]?.matches("tr") ? 30 : 6;
      for (let first = 0; first < things.length; first += size) found.push(things.slice(first, first + size));
    }
    return found;
  }
  turnTo = (step = 0) => {
    const every = pages();
    if (!every.length) return;
    at = (at + step) % every.length;
    const now = new Set(every[at]);
    for (const things of parts()) for (const one of things) one.hidden = !now.has(one);
    for (const section of root.querySelectorAll(".live-places, .live-tables"))
      section.hidden = !section.querySelector(".live-table:not([hidden]), tr:not([hidden]) > td");
    for (const table of root.querySelectorAll(".live-standings"))
      table.hidden = !table.querySelector("tbody tr:not([hidden])");
    fitBoards();
  };
  const start = () => setInterval(() => turnTo(1), PAGE_MS);
  addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    clearInterval(timer);
    timer = timer ? 0 : start();
  });
  turnTo();
  timer = start();
}

tick();
setInterval(tick, 1000);
if (document.body.classList.contains("projector")) project();
if (root.dataset.report === undefined) {
  heard();
  listen();
  document.addEventListener("visibilitychange", tick);
}
