// Following a game that is being recorded, on any page.

import { cut } from "./connection.js";

const POLL_SECONDS = 4;
const STREAM_AGAIN_SECONDS = 60;
const SILENCE_SECONDS = 3; // beyond the pause that a stream says it makes between two beats
const USUAL_PAUSE_SECONDS = 2;
const RETRY_SECONDS = 2;

/**
 * Calls grown(step) whenever the game at `url` (/games/<id>) has a step beyond `newest`, until the returned function
 * is called; when that fails, again until it does not. Follows the event stream; while there is none to be had (too
 * many are open) it asks every few seconds. A page that nobody looks at lets its stream go. When nothing has been heard
 * for a while, the page says so.
 */
export function follow(url, newest, grown) {
  let shown = newest;
  let stream = null;
  let timer = 0;
  let silence = 0;
  let stopped = false;
  let showing = false;
  let behind = false; // what was told could not be fetched
  let wake = () => {};
  let pause = USUAL_PAUSE_SECONDS;

  function alive() {
    cut(behind);
    listen();
  }

  function listen() {
    clearTimeout(silence);
    silence = setTimeout(() => {
      cut(true);
      if (stream) open(); // the connection may be gone without a word
    }, (pause + SILENCE_SECONDS) * 1000);
  }

  async function heard(step) {
    newest = Math.max(newest, step);
    if (showing) return;
    showing = true;
    while (shown < newest && !stopped) {
      const to = newest;
      try {
        await grown(to);
        shown = to;
        behind = false;
        alive();
      } catch {
        cut(behind = true);
        await new Promise((resolve) => {
          wake = resolve;
          setTimeout(resolve, RETRY_SECONDS * 1000);
        });
      }
    }
    showing = false;
  }

  function asking(yes) { // people see that a page asks instead of being told
    for (const note of document.querySelectorAll("[data-asking]")) note.hidden = !yes;
  }

  function tells(message) {
    const told = JSON.parse(message.data);
    pause = told.pause ?? pause;
    alive();
    heard(told.step);
  }

  function open() {
    stream?.close();
    pause = USUAL_PAUSE_SECONDS;
    listen();
    stream = new EventSource(`${url}/events?after=${newest}`);
    stream.onopen = () => {
      asking(false);
      alive();
    };
    stream.onmessage = tells;
    stream.addEventListener("beat", tells);
    stream.onerror = () => {
      if (stream?.readyState !== EventSource.CLOSED) return; // the browser connects again by itself
      stream = null;
      asking(true);
      pause = POLL_SECONDS;
      listen();
      poll(Date.now() + STREAM_AGAIN_SECONDS * 1000);
    };
  }

  async function poll(until) {
    if (stopped || document.hidden) return;
    if (Date.now() > until) return open();
    try {
      const answer = await fetch(`${url}/newest.json`);
      if (answer.status === 403 || answer.status === 404) return clearTimeout(silence);
      alive();
      if (answer.ok) heard((await answer.json()).step);
    } catch {
      cut(true); // no network: ask again
    }
    timer = setTimeout(poll, POLL_SECONDS * 1000, until);
  }

  function close() {
    stream?.close();
    stream = null;
    clearTimeout(timer);
    clearTimeout(silence);
  }

  function look() {
    close();
    if (document.hidden || stopped) return;
    wake();
    open();
  }

  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && look());
  look();
  return () => {
    stopped = true;
    close();
    document.removeEventListener("visibilitychange", look);
    removeEventListener("online", look);
  };
}
