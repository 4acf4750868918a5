// One event stream for all pages of a browser, which has six connections to a server over http.
//
// The pages use a BroadcastChannel, which also works without https and on phones. One page leads: it has the stream of
// all pages' games, and passes its messages on. A page that follows a game looks for the leader, and leads if none
// answers. A closing leader sends a message. A leader that vanishes is noticed, because it sends a message with each beat.
// If two pages lead, the one with the smaller name continues. If no stream is available (too many are open), the leader
// polls every game every few seconds.

const CHANNEL = "daybook.live.1";
const ANSWER_MS = 250; // so soon a leader has answered
const SPREAD_MS = 250; // pages that all miss their leader do not all begin to lead at once
const POLL_SECONDS = 4;
const NEWEST_STEP_MS = 20_000; // for an answer
const STREAM_AGAIN_SECONDS = 60;
const STREAMED_MOST = 20; // games of one stream

const me = `${performance.timeOrigin}-${Math.random()}`;
const pages = new Map(); // followers on this page, by the game's address
const theirs = new Map(); // what other pages follow: by page, the newest step they know by the game's address

let channel = null;
let leader = null; // the name of the page that leads
let games = new Map(); // what this page, leading, has in its stream: the newest step known by the game's address
let heard = new Map(); // the newest step since the stream opened, by the game's address
let heardAt = -Infinity;
let paused = 2; // seconds between two signs of life
let stream = null;
let soon = 0; // when this page leads, unless another page answers
let timer = 0;

/** Has `page` told of a game's steps: page.told(step, seconds until the next sign of life, whether steps are asked for),
 * page.unheard(status) where the server fails, or without a status where no one answers, page.closed() where the game may not be read any more. */
export function want(url, page) {
  channel ??= opened(url);
  pages.set(url, page);
  if (leader !== me) ask();
  else if (!games.has(url)) open();
}

export function leave(url) {
  if (!pages.delete(url) || pages.size) return;
  settled();
  if (leader === me) shut();
  leader = null;
  say({ gone: true });
}

/** Nothing was heard for too long. */
export function lost() {
  if (leader === me) open();
  else ask();
}

function opened(url) {
  if (!("BroadcastChannel" in window)) return null;
  const opening = new BroadcastChannel(`${CHANNEL}:${baseOf(url)}`);
  opening.onmessage = ({ data }) => hear(data);
  return opening;
}

const own = () => [...pages].map(([url, page]) => [url, page.newest()]);
const baseOf = (url) => url.slice(0, url.lastIndexOf("/games/"));
const idOf = (url) => url.slice(url.lastIndexOf("/") + 1);

function say(message) {
  channel?.postMessage({ page: me, ...message });
}

// --- choosing the leading page ---------------------------------------------------------------------------------------

function ask() {
  if (!channel) return lead();
  say({ wants: own() });
  soon ||= setTimeout(lead, ANSWER_MS + SPREAD_MS * Math.random());
}

function settled() {
  clearTimeout(soon);
  soon = 0;
}

function lead() {
  settled();
  leader = me;
  theirs.clear();
  open();
}

function hear({ page, wants, leads, told, unheard, closed: shutOut, gone }) {
  if (leader === me) {
    if (wants) take(page, wants);
    if (gone) theirs.delete(page);
    if (leads && page < me) {
      shut();
      join(page, leads);
    } else if (leads || told) {
      say({ leads: [...games.keys()] }); // what it said when it began was not heard here, or by it
    }
  } else if (pages.size) {
    if (leads) join(page, leads);
    if (gone && page === leader) ask();
    if (page !== leader) return;
    for (const [url, step] of told?.steps ?? []) pages.get(url)?.told(step, told.pause, told.asking);
    if (unheard) for (const [url, one] of pages) if (url === (unheard.url ?? url)) one.unheard(unheard.status);
    for (const url of shutOut ?? []) pages.get(url)?.closed();
  }
}

function join(page, leads) {
  settled();
  if (leader === page) return;
  leader = page;
  if ([...pages.keys()].some((url) => !leads.includes(url))) say({ wants: own() });
}

function take(page, wants) {
  theirs.set(page, new Map(wants));
  if (wants.some(([url]) => !games.has(url))) return open();
  say({ leads: [...games.keys()] });
  if (performance.now() - heardAt < paused * 1000) tellOthers([...heard]); // so that a new page need not wait for the next beat
}

// --- leading -------------------------------------------------------------------------------------------------------

/** Follows the games of all pages, from the step that each of them knows. */
function open() {
  shut();
  for (const wanted of [...theirs.values(), own()]) {
    for (const [url, step] of wanted) games.set(url, Math.min(step, games.get(url) ?? step));
  }
  say({ leads: [...games.keys()] });
  if (games.size > STREAMED_MOST) return askForAll();
  const [first] = games.keys();
  const query = [...games].map(([url, step]) => `game=${idOf(url)}.${step}`).join("&");
  stream = new EventSource(`${baseOf(first)}/events?${query}`);
  const told = ({ data }) => tell(JSON.parse(data));
  stream.onmessage = told;
  stream.addEventListener("beat", told);
  stream.addEventListener("closed", ({ data }) => closed(JSON.parse(data).games));
  stream.onerror = () => {
    if (stream?.readyState === EventSource.CLOSED) askForAll(); // otherwise the browser connects again by itself
  };
}

function askForAll() {
  stream = null;
  poll(Date.now() + STREAM_AGAIN_SECONDS * 1000);
}

function shut() {
  stream?.close();
  stream = null;
  games = new Map();
  heard = new Map();
  clearTimeout(timer);
}

function tell({ steps, pause }) {
  paused = pause ?? paused;
  heardAt = performance.now();
  const told = [...games.keys()].filter((url) => idOf(url) in steps).map((url) => [url, steps[idOf(url)]]);
  for (const [url, step] of told) {
    heard.set(url, step);
    pages.get(url)?.told(step, paused, !stream);
  }
  tellOthers(told);
}

function tellOthers(steps) {
  say({ told: { steps, pause: paused, asking: !stream } });
}

/** Handles games that may not be read (any more). If a game was readable when the stream began, the user may have changed
 * since; then it is requested again as the current user. */
function closed(ids) {
  const urls = [...games.keys()].filter((url) => ids.includes(idOf(url)));
  if (urls.some((url) => heard.has(url))) return open();
  for (const url of urls) {
    games.delete(url);
    for (const wanted of theirs.values()) wanted.delete(url);
    pages.get(url)?.closed();
  }
  say({ closed: urls });
}

async function poll(until) {
  const polled = games;
  for (const url of polled.keys()) {
    try {
      const answer = await fetch(`${url}/newest.json`, { signal: AbortSignal.timeout(NEWEST_STEP_MS) });
      if (games !== polled) return; // polling was restarted meanwhile
      if ([403, 404, 410].includes(answer.status)) {
        heard.delete(url);
        closed([idOf(url)]);
      } else if (answer.ok) tell({ steps: { [idOf(url)]: (await answer.json()).step }, pause: POLL_SECONDS });
      else {
        pages.get(url)?.unheard(answer.status);
        say({ unheard: { url, status: answer.status } });
      }
    } catch {
      if (games !== polled) return;
      for (const page of pages.values()) page.unheard(); // no network: try again
      say({ unheard: {} });
      break;
    }
  }
  timer = setTimeout(
    () => (Date.now() > until && games.size <= STREAMED_MOST ? open() : poll(until)),
    POLL_SECONDS * 1000,
  );
}
