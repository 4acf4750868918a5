// While games wait for their audit the page looks again by itself.

import { isReached } from "./connection.js";

const AGAIN_MS = 4000;

async function lookAgain() {
  if (await isReached()) location.reload();
  else setTimeout(lookAgain, AGAIN_MS);
}

if (document.querySelector("[data-due]")) setTimeout(lookAgain, AGAIN_MS);
