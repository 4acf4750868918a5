// The game on the first page plays by itself where motion is welcome, and else on a tap.

const STEP_MS = 1500;

const place = document.querySelector("[data-playing]");
const [board, says, button] = ["img", ".playing-says", "button"].map((one) => place.querySelector(one));
const scores = [...place.querySelectorAll(".playing-scores b")];
let told = []; // steps with their sentences and scores
let at = 0; // the next of them
let going = 0;

const pictureOf = (step) => {
  const address = new URL(board.src);
  address.searchParams.set("step", step);
  return address.href;
};

/** Return the picture of a step when it is loaded; the previous one stays until then. */
async function show([step, text, values], mine) {
  const picture = new Image();
  picture.src = pictureOf(step);
  await picture.decode();
  if (going !== mine) return;
  place.querySelector("source")?.remove(); // the opening, until a picture of a step is here
  board.src = picture.src;
  place.classList.add("begun");
  says.textContent = text;
  for (const [seat, score] of scores.entries()) score.textContent = values[seat];
}

async function run() {
  const mine = ++going;
  label(true);
  if (at >= told.length) at = 0;
  try {
    while (at < told.length && going === mine) {
      await show(told[at], mine);
      if (going === mine) at++;
      await new Promise((next) => setTimeout(next, STEP_MS));
    }
  } catch {
    at = told.length; // no network: stop at the present picture
  }
  if (going === mine) label(false);
}

function label(runs) {
  button.textContent = runs ? place.dataset.pause : place.dataset.play;
  place.classList.toggle("runs", runs);
}

button.addEventListener("click", () => {
  if (!place.classList.contains("runs")) return run();
  going++;
  label(false);
});

const answer = await fetch(`${place.dataset.playing}/in-passing.json`).catch(() => null);
if (answer?.ok) {
  told = await answer.json();
  at = Math.max(
    0,
    told.findIndex(([step]) => step >= Number(place.dataset.from)),
  );
  button.hidden = !told.length;
  if (told.length && !matchMedia("(prefers-reduced-motion: reduce)").matches) run();
}
