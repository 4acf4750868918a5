// What a record file holds, as soon as it is chosen: its first line says.

const form = document.querySelector("[data-import]");
const shown = (name) => form.querySelector(`[data-${name}]`);
const games = new Map([...form.querySelectorAll("[data-known]")].map((one) => [one.value, one.textContent]));

form.record.addEventListener("change", look);
look();

async function look() {
  const file = form.record.files[0];
  for (const name of ["holds", "too-large", "no-record", "sealed", "bare"]) shown(name).hidden = true;
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
  shown("steps").textContent = text.trimEnd().split("\n").length - (sealed ? 2 : 1);
  shown(sealed ? "sealed" : "bare").hidden = false;
  shown("holds").hidden = false;
}

function headerOf(text) {
  try {
    const header = JSON.parse(text.slice(0, text.indexOf("\n") + 1 || undefined));
    return header.daybook && Array.isArray(header.seats) ? header : null;
  } catch {
    return null;
  }
}
