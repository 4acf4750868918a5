// Tables stored only in this browser: names, colours and the last table of each game.

const STORE = "daybook.tables";
const NAMES_KEPT = 24;
const nothing = { names: [], last: [], games: {} };

/** { names: the newest first, last: the players of the last table, games: { id: { seats: [{ name, colour }], options: { field: value } } } } */
export function known() {
  try {
    return { ...nothing, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };
  } catch (wrong) {
    if (wrong instanceof DOMException || wrong instanceof SyntaxError) return nothing; // a browser may keep nothing
    throw wrong;
  }
}

export function keep(game, seats, options) {
  const before = known();
  const names = [...new Set([...seats.map((seat) => seat.name).filter(Boolean), ...before.names])].slice(0, NAMES_KEPT);
  const last = seats.map((seat) => seat.name).filter(Boolean);
  write(JSON.stringify({ names, last, games: { ...before.games, [game]: { seats, options } } }));
}

export function forget() {
  write(null);
}

function write(text) {
  try {
    if (text === null) localStorage.removeItem(STORE);
    else localStorage.setItem(STORE, text);
  } catch (wrong) {
    if (!(wrong instanceof DOMException)) throw wrong;
  }
}
