// What a record file holds, as soon as it is chosen: its first line says.

const form = document.querySelector("[data-import]");
const shown = (name) => form.querySelector(`[data-${name}]`);
const games = new Map([...form.querySelectorAll("[data-known]")].map((one) => [one.value, one.textContent]));

form.record.addEventListener("change", look);
look();

async function look() {
  const file = form.record.files[0];
  for (const name of ["holds", "too-large", "no-record", "sealed", "bare", "written"]) shown(name).hidden = true;
  if (!file) return;
  if (file.size > Number(form.dataset.limit)) {
    shown("too-large").hidden = false;
    return;
  }
  const text = await file.text();
  if (file !== form.record.files[0]) return;
  const header = headerOf(text);
  if (!header) {
    shown("no-record").hidden = false;
    return;
  }
  const sealed = "revision" in header;
  shown("title").textContent = header.title;
  shown("game").textContent = games.get(header.ruleset) ?? header.ruleset;
  shown("players").textContent = header.seats.map((seat) => seat.name).join(", ");
  const lines = text.trimEnd().split("\n");
  shown("steps").textContent = header.written
    ? lines.filter((line) => line.trim() && !line.startsWith("#")).length
    : lines.length - (sealed ? 2 : 1);
  shown(header.written ? "written" : sealed ? "sealed" : "bare").hidden = false;
  shown("holds").hidden = false;
}

function headerOf(text) {
  if (text.trimStart().startsWith("#")) return headerOfWritten(text);
  try {
    const header = JSON.parse(text.slice(0, text.indexOf("\n") + 1 || undefined));
    return header.daybook && Array.isArray(header.seats) ? header : null;
  } catch {
    return null;
  }
}

// A game that is written as text: "# game: Making Profit", "# seat: Anna (red)".
function headerOfWritten(text) {
  const said = [...text.matchAll(/^#\s*(game|title|seat)\s*:\s*(.+?)\s*$/gm)];
  const of = (word) => said.filter((one) => one[1] === word).map((one) => one[2]);
  const [ruleset] = of("game");
  const seats = of("seat").map((seat) => ({ name: seat.replace(/\s*\([^()]*\)$/, "") }));
  return ruleset && seats.length ? { ruleset, title: of("title")[0] ?? ruleset, seats, written: true } : null;
}
