// A page about a game that is being recorded is shown anew with each step, unless somebody has begun to write on it. A tap
// that is on its way is never undone by it.

import { isLeaving } from "./connection.js";
import { follow } from "./live.js";

const AGAIN_MS = 1000;

let begun = false;
document.addEventListener("input", () => {
  begun = true;
});

const { follows, at } = document.querySelector("[data-follows]").dataset;
follow(follows, Number(at), function renew() {
  if (isLeaving()) setTimeout(renew, AGAIN_MS);
  else if (!begun && !document.activeElement.matches("input, textarea, select")) location.reload();
});
