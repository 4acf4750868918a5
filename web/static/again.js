// While a page waits for something to be done, games to be audited or counted, it looks again by itself.

import { EndedError, isLeaving, report } from "./connection.js";
import { fetchedAgain, isOfThisVersion, showPage } from "./renew.js";

const AGAIN_MS = 4000;

const waitsIn = (page) => page.querySelector("[data-due]");
const lookIn = (ms) => setTimeout(lookAgain, ms);

async function lookAgain() {
  try {
    const page = isLeaving() ? null : await fetchedAgain();
    if (page && !isLeaving()) {
      if (!waitsIn(page) || !isOfThisVersion(page)) return location.reload(); // to get the scripts of the present version
      showPage(page);
      report("again", null);
    }
  } catch (wrong) {
    if (!(wrong instanceof TypeError || wrong instanceof EndedError)) throw wrong;
    report("again", wrong);
    if (wrong instanceof EndedError) return;
  }
  lookIn(AGAIN_MS);
}

const due = waitsIn(document);
if (due) lookIn(Number(due.dataset.due) || AGAIN_MS);
