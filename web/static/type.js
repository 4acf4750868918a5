// A line is read while it is typed, Tab completes it, and Enter saves it. Without this script the buttons below it do.

const form = document.querySelector("[data-type]");
const line = form?.elements.text;
let reading = new AbortController();

async function read() {
  reading.abort();
  reading = new AbortController();
  const sent = new FormData(form);
  sent.set("do", "read");
  try {
    const answer = await fetch(form.action, { method: "POST", body: sent, signal: reading.signal });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("read").replaceChildren(...page.getElementById("read").childNodes);
  } catch (wrong) {
    if (wrong.name !== "AbortError") throw wrong;
  }
}

/** Puts the first that may be meant in place of the text that was read last; whether there is one. */
function complete() {
  const read = [...document.querySelectorAll("[data-text]")];
  const said = read.at(-1)?.querySelector("[data-says]")?.textContent;
  const texts = line.value.split(";");
  if (!said || said.toLowerCase() === texts[read.length - 1]?.trim().toLowerCase()) return false;
  texts[read.length - 1] = read.length > 1 ? ` ${said}` : said;
  line.value = texts.join(";");
  return true;
}

line?.addEventListener("input", read);
line?.addEventListener("keydown", (event) => {
  if (event.key === "Tab" && !event.shiftKey && complete()) event.preventDefault();
});

if (line?.value && !document.querySelector("[data-text]")) read(); // typed before this script was there
