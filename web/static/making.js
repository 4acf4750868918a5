// Update the preview next to the form of a game while the user types. Without this script a button does it.

import { fetchPage, LONG_ANSWER_MS, report } from "./connection.js";

const PAUSE_MS = 300; // after the last key
const RETRY_MS = 2000;
const form = document.querySelector("[data-making]");
const preview = form.querySelector("[data-preview]");
let waits = 0;
let asked = null; // the request that is under way

form.addEventListener("input", () => {
  clearTimeout(waits);
  waits = setTimeout(renew, PAUSE_MS);
});

async function renew() {
  clearTimeout(waits);
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  const body = new URLSearchParams(new FormData(form));
  body.set("do", "preview");
  try {
    const answer = await fetchPage(form.action, { method: "POST", body, signal, patienceMs: LONG_ANSWER_MS });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-preview]");
    if (fresh) preview.replaceChildren(...fresh.childNodes); // without a preview, sending the form shows the error
    report("preview", null);
  } catch (wrong) {
    if (signal.aborted) return;
    if (!(wrong instanceof TypeError)) throw wrong;
    report("preview", wrong);
    waits = setTimeout(renew, RETRY_MS);
  }
}
