// A text is read while it is typed, Tab completes it, Enter saves it, and with Shift begins a line. Without this script
// the buttons below it do.

import { fetchPage, LONG_ANSWER_MS, pageIn, report } from "./connection.js";

const RETRY_MS = 2000;
const SHOWN_PX = 96; // of an answer that counts as shown: its heading and the first choice
const form = document.querySelector("[data-type]");
const line = form?.elements.text;
let reading = new AbortController();
let retry = 0;
let shownFor = line?.value; // the text whose meaning is on the page

async function read() {
  clearTimeout(retry);
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const sent = new FormData(form);
  sent.set("do", "read");
  try {
    const answer = await fetchPage(form.action, {
      method: "POST",
      body: sent,
      headers: { "X-Desk": "bare" },
      signal,
      patienceMs: LONG_ANSWER_MS,
    });
    const page = await pageIn(answer);
    const fresh = page.getElementById("read"); // none: saving it says why
    if (fresh) {
      document.getElementById("read").replaceChildren(...fresh.childNodes);
      shownFor = sent.get("text");
      showAnswer();
    }
    report("read", null);
  } catch (wrong) {
    if (signal.aborted) return;
    if (!(wrong instanceof TypeError)) throw wrong;
    report("read", wrong);
    retry = setTimeout(read, RETRY_MS);
  }
}

/** Scrolls the field to the top of what a keyboard leaves of the screen, if the answer below it is out of sight. */
function showAnswer() {
  const answer = document.getElementById("read").firstElementChild;
  if (!answer) return;
  const { offsetTop, height } = visualViewport;
  const { top, bottom } = answer.getBoundingClientRect();
  if (Math.min(bottom, top + SHOWN_PX) <= offsetTop + height) return;
  scrollBy({ top: form.getBoundingClientRect().top - offsetTop, behavior: "instant" });
}

/** Puts the first that may be meant in place of the text that was read last; whether there is one. */
function complete() {
  const read = [...document.querySelectorAll("[data-text]")];
  const said = read.at(-1)?.querySelector("[data-says]")?.textContent;
  const texts = [...line.value.matchAll(/[^;\n]*[^;\n\s][^;\n]*/g)].filter(([text]) => !text.trim().startsWith("#"));
  const last = texts[read.length - 1];
  if (!said || !last || said.toLowerCase() === last[0].trim().toLowerCase()) return false;
  const begins = last.index + last[0].length - last[0].trimStart().length;
  line.setRangeText(said, begins, last.index + last[0].length, "end");
  return true;
}

// Store unsaved text on this device. Forget it once the game has moved on from the step at which it was sent.
const DRAFT = `daybook.typed ${location.pathname}`;
const at = () => Number(form.elements.at.value);

function keep(sent) {
  try {
    if (line.value) localStorage.setItem(DRAFT, JSON.stringify({ text: line.value, sent }));
    else localStorage.removeItem(DRAFT);
  } catch (wrong) {
    if (!(wrong instanceof DOMException)) throw wrong; // a browser may keep nothing
  }
}

function bringBack() {
  try {
    const kept = JSON.parse(localStorage.getItem(DRAFT) ?? "{}");
    if (kept.text && !(kept.sent < at())) line.value = kept.text;
  } catch (wrong) {
    if (!(wrong instanceof DOMException || wrong instanceof SyntaxError)) throw wrong;
  }
}

if (line) {
  if (line.value) showAnswer();
  else bringBack();
  keep();
  addEventListener("submit", () => keep(at()));
}
line?.addEventListener("input", read);
line?.addEventListener("input", () => keep());
line?.addEventListener("keydown", (event) => {
  if (event.key === "Tab" && !event.shiftKey && complete()) event.preventDefault();
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  const nearest = shownFor === line.value && document.querySelector("#read [data-nearest]");
  (nearest || form.querySelector("button")).click();
});

if (line?.value && !document.querySelector("[data-text]")) read(); // typed before this script was there

// A photo to type from: it is drawn here and sent nowhere.
const photo = document.querySelector("[data-photo]");
photo?.querySelector("input").addEventListener("change", async ({ target }) => {
  const [canvas, wrong] = [photo.querySelector("canvas"), photo.querySelector(".wrong")];
  canvas.hidden = wrong.hidden = true;
  if (!target.files.length) return;
  try {
    const picture = await createImageBitmap(target.files[0]);
    Object.assign(canvas, { width: picture.width, height: picture.height, hidden: false });
    canvas.getContext("2d").drawImage(picture, 0, 0);
  } catch {
    wrong.hidden = false;
  }
});
if (photo) photo.hidden = false;
