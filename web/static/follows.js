// A page about a game that is being recorded is shown anew with each step, unless somebody has begun to write on it.

import { follow } from "./live.js";

let begun = false;
document.addEventListener("input", () => {
  begun = true;
});

const { follows, at } = document.querySelector("[data-follows]").dataset;
follow(follows, Number(at), () => {
  if (!begun && !document.activeElement.matches("input, textarea, select")) location.reload();
});
