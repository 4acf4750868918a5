// A page about a game that is being recorded is shown anew with each step, unless somebody has begun to write on it. A tap
// that is on its way is never undone by it.

import { isLeaving } from "./connection.js";
import { follow } from "./live.js";
import { fetchedAgain, isOfThisVersion, showPage } from "./renew.js";

const AGAIN_MS = 1000;

let begun = false;
document.addEventListener("input", () => {
  begun = true;
});
const isWriting = () => begun || document.activeElement.matches("input, textarea, select");

async function renew() {
  while (isLeaving()) await new Promise((again) => setTimeout(again, AGAIN_MS));
  if (isWriting()) return;
  const page = await fetchedAgain();
  if (isWriting() || isLeaving()) return;
  if (!isOfThisVersion(page)) return location.reload();
  showPage(page);
  if (!document.querySelector("[data-follows]")) stop();
}

const { follows, at } = document.querySelector("[data-follows]").dataset;
const stop = follow(follows, Number(at), renew);
