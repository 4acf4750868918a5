// A page about a game that is being recorded shows what changed with each step. What the viewer has typed or opened stays.

import { fetchNewer, isLeaving, pageIn } from "./connection.js";
import { follow } from "./live.js";
import { localTimes } from "./page.js";
import { shownRegions, showRegions } from "./regions.js";
import { isOfThisVersion, showPage } from "./renew.js";

const AGAIN_MS = 1000;

async function renew() {
  while (isLeaving()) await new Promise((again) => setTimeout(again, AGAIN_MS)); // a tap on its way is never undone
  const root = document.querySelector("[data-follows]");
  const page = await pageIn(await fetchNewer(location.href, { cache: "no-store", headers: shownRegions(root) }));
  if (isLeaving()) return;
  if (!isOfThisVersion(page)) return location.reload();
  const fresh = page.getElementById(root.id);
  if (!fresh) showPage(page);
  else {
    if (!("follows" in fresh.dataset)) delete root.dataset.follows;
    showRegions(root, fresh);
    localTimes(root);
  }
  if (!document.querySelector("[data-follows]")) stop();
}

const { follows, at } = document.querySelector("[data-follows]").dataset;
const stop = follow(follows, Number(at), renew);
