// The preview beside the form of a game is renewed while somebody types. Without this script a button does it.

const PAUSE_MS = 300; // after the last key
const form = document.querySelector("[data-making]");
const preview = form.querySelector("[data-preview]");
let waits = 0;
let asked = null; // the request that is under way

form.addEventListener("input", () => {
  clearTimeout(waits);
  waits = setTimeout(renew, PAUSE_MS);
});

async function renew() {
  asked?.abort();
  asked = new AbortController();
  const body = new URLSearchParams(new FormData(form));
  body.set("do", "preview");
  try {
    const answer = await fetch(form.action, { method: "POST", credentials: "same-origin", body, signal: asked.signal });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-preview]");
    if (fresh) preview.replaceChildren(...fresh.childNodes); // else what stands against it is told when it is sent
  } catch (wrong) {
    if (wrong.name !== "AbortError" && !(wrong instanceof TypeError)) throw wrong; // no network: the next key asks again
  }
}
