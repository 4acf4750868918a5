// Queue of tapped requests without a response yet, in order: questions, and commands to record.
//
// Without network nothing of it is lost, and nothing is written twice: whatever is to be written keeps its key, also
// over a reload of the page. A newer question takes the place of an older one.

const RETRY_SECONDS = 4;
const PATIENCE_SECONDS = 20; // for an answer; some networks swallow a request without a word

/**
 * An errand is { url, body, says }: body holds the fields of a form, null for a question; says is what was tapped.
 *
 * store: the name under which the line is kept.
 * carry(errand, signal): asks the server and shows its answer; whether it was done. Throws a TypeError when nothing
 *   could be had.
 * fitted(errand, before): the same for the page as it stands after the errand before it, null where it is not offered.
 * dropped(errand): what was to be written is not, for what came before it was not done.
 * waits(line, wrong): the line is blocked (wrong: why), or continues (an empty line).
 *
 * A line that is refused for who is signed in, or for the links there are (Held), stays as it is until somebody sends
 * it again or drops it, or comes back to the page.
 */
export function errands(store, { carry, fitted, dropped, waits }) {
  let line = JSON.parse(sessionStorage.getItem(store) ?? "[]");
  let busy = false;
  let timer = 0;
  let current = null; // { errand, stop } that is on its way

  function change(errandsNow) {
    line = errandsNow;
    const writings = line.filter((one) => one.body);
    if (writings.length) sessionStorage.setItem(store, JSON.stringify(writings));
    else sessionStorage.removeItem(store);
  }

  function add(errand) {
    if (line.some((one) => is(one, errand))) return go(); // tapped twice
    change([...line.filter((one) => one.body), errand]);
    if (current && !line.includes(current.errand)) current.stop.abort();
    return go();
  }

  async function go() {
    clearTimeout(timer);
    if (busy) return;
    busy = true;
    try {
      while (line.length && (await answered(line[0])));
    } finally {
      busy = false;
    }
  }

  /** Whether the line may go on. */
  async function answered(errand) {
    const stop = new AbortController();
    const patience = setTimeout(() => stop.abort(new TypeError("no answer")), PATIENCE_SECONDS * 1000);
    current = { errand, stop };
    let done;
    try {
      done = await carry(errand, stop.signal);
    } catch (wrong) {
      if (!line.includes(errand)) return true; // replaced by a later tap
      if (wrong instanceof Held) {
        waits(line, wrong);
        return false;
      }
      if (wrong instanceof TypeError) {
        waits(line, wrong);
        timer = setTimeout(go, RETRY_SECONDS * 1000);
        return false;
      }
      change(line.filter((one) => one !== errand));
      throw wrong;
    } finally {
      current = null;
      clearTimeout(patience);
    }
    const rest = line.filter((one) => one !== errand);
    if (!errand.body) change(rest);
    else if (done) change(rest.map((one) => (one.body ? fitted(one, errand) : one)).filter(Boolean));
    else {
      // what its answer says comes first
      change([]);
      rest.filter((one) => one.body).forEach(dropped);
    }
    waits([], null);
    return true;
  }

  /** Send the whole queue as the present user; csrf is the token of the user's page. */
  function send(csrf) {
    change(
      line.map((one) =>
        one.body ? { ...one, body: one.body.map(([name, value]) => [name, name === "csrf" ? csrf : value]) } : one,
      ),
    );
    return go();
  }

  function drop() {
    change([]);
    waits([], null);
  }

  return { add, go, send, drop, waiting: () => line.length };
}

/** What the page says that refuses a form and keeps it; csrf: as its form has it. */
export class Held extends Error {
  constructor(says, csrf) {
    super(says);
    this.csrf = csrf;
  }
}

// A form of figures may be sent again with more of them before its answer is here.
const said = ({ url, body }) =>
  JSON.stringify([url, body?.filter(([name]) => name === "key" || name.startsWith("n."))]);
const is = (one, other) => said(one) === said(other);
