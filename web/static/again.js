// While a page waits for something to be done, games to be audited or counted, it looks again by itself.

import { isLeaving, isReached } from "./connection.js";

const AGAIN_MS = 4000;

const due = document.querySelector("[data-due]");

async function lookAgain() {
  if ((await isReached()) && !isLeaving()) location.reload();
  else setTimeout(lookAgain, AGAIN_MS);
}

if (due) setTimeout(lookAgain, Number(due.dataset.due) || AGAIN_MS);
