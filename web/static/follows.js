// A page about a game that is being recorded is shown anew with each step, unless somebody is writing on it.

import { follow } from "./live.js";

const { follows, at } = document.querySelector("[data-follows]").dataset;
follow(follows, Number(at), () => {
  if (!document.activeElement.matches("input, textarea, select")) location.reload();
});
