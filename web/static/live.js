// Following a game that is being recorded, on any page.

import { EndedError, report, ServerError } from "./connection.js";
import { leave, lost, want } from "./shared_stream.js";

const SILENCE_SECONDS = 3; // tolerated beyond the announced pause between beats
const USUAL_PAUSE_SECONDS = 2;
const RETRY_SECONDS = 2;

/**
 * Calls grown(step) whenever the game at `url` (/games/<id>) has a step beyond `newest`, until the returned function
 * is called. A failed call is repeated until it succeeds. Hidden pages get no calls. The page shows a message after a
 * long silence, or if the server fails.
 */
export function follow(url, newest, grown) {
  let shown = newest;
  let silence = 0;
  let stopped = false;
  let showing = false;
  let failed = null; // the error of the last fetch
  let wake = () => {};
  let pause = USUAL_PAUSE_SECONDS;

  function alive() {
    report(url, failed);
    listen();
  }

  function listen() {
    clearTimeout(silence);
    silence = setTimeout(
      () => {
        report(url, new TypeError("nothing was heard"));
        listen();
        lost(); // the connection may be gone without a word, or the page that had it
      },
      (pause + SILENCE_SECONDS) * 1000,
    );
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
        failed = null;
        if (!stopped) alive();
      } catch (wrong) {
        failed = wrong;
        report(url, failed);
        if (wrong instanceof EndedError) break;
        await new Promise((resolve) => {
          wake = resolve;
          setTimeout(resolve, RETRY_SECONDS * 1000);
        });
      }
    }
    showing = false;
  }

  const page = {
    newest: () => newest,
    told(step, paused, asking) {
      for (const note of document.querySelectorAll("[data-asking]")) note.hidden = !asking; // polling, because no stream is free
      pause = paused;
      if (failed instanceof EndedError) failed = null; // signed in again
      alive();
      heard(step);
    },
    unheard: (status) => report(url, status ? new ServerError(status) : new TypeError("no answer")),
    closed() {
      clearTimeout(silence);
      failed = new EndedError("it may not be read any more");
      report(url, failed);
    },
  };

  function close() {
    leave(url);
    clearTimeout(silence);
  }

  function look() {
    close();
    if (document.hidden || stopped) return;
    wake();
    pause = USUAL_PAUSE_SECONDS;
    listen();
    want(url, page);
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
