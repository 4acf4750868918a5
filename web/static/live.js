// Following a game that is being recorded, on any page.

const POLL_SECONDS = 4;
const STREAM_AGAIN_SECONDS = 60;

/**
 * Calls grown(step) whenever the game at `url` (/games/<id>) has a step beyond `newest`, until the returned function
 * is called. Follows the event stream; while there is none to be had (too many are open) it asks every few seconds.
 * A page that nobody looks at lets its stream go.
 */
export function follow(url, newest, grown) {
  let stream = null;
  let timer = 0;
  let stopped = false;

  function heard(step) {
    if (step <= newest) return;
    newest = step;
    grown(step);
  }

  function asking(yes) { // people see that a page asks instead of being told
    for (const note of document.querySelectorAll("[data-asking]")) note.hidden = !yes;
  }

  function open() {
    stream = new EventSource(`${url}/events?after=${newest}`);
    stream.onopen = () => asking(false);
    stream.onmessage = (message) => heard(JSON.parse(message.data).step);
    stream.onerror = () => {
      if (stream?.readyState !== EventSource.CLOSED) return; // the browser connects again by itself
      stream = null;
      asking(true);
      poll(Date.now() + STREAM_AGAIN_SECONDS * 1000);
    };
  }

  async function poll(until) {
    if (stopped || document.hidden) return;
    if (Date.now() > until) return open();
    try {
      const answer = await fetch(`${url}/newest.json`);
      if (answer.ok) heard((await answer.json()).step);
      if (answer.status === 403 || answer.status === 404) return;
    } catch {
      // no network: ask again
    }
    timer = setTimeout(poll, POLL_SECONDS * 1000, until);
  }

  function close() {
    stream?.close();
    stream = null;
    clearTimeout(timer);
  }

  function look() {
    close();
    if (!document.hidden && !stopped) open();
  }

  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && look());
  look();
  return () => {
    stopped = true;
    close();
    document.removeEventListener("visibilitychange", look);
  };
}
