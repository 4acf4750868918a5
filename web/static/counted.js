// Continue the search for causes of a count, piece by piece, while the page is visible, and add the results to its list.

import { EndedError, fetchNewer, isLeaving, LONG_ANSWER_MS, pageIn, report } from "./connection.js";

const AGAIN_MS = 2000; // when others are at work, or the line is lost
const search = document.getElementById("search");
const list = search.querySelector(".slips");

const weightOf = (slip) => Number(slip.dataset.weight);

/** What nothing on the table tells from a slip that is listed already joins it, as one more step that it may have been. */
function joinAlike(slip) {
  const same = [...list.children].find((one) => one.dataset.alike === slip.dataset.alike);
  if (!same) return list.append(slip);
  const item = document.createElement("li");
  item.append(slip.querySelector("strong a"));
  same.querySelector(".alike ul").append(item, ...slip.querySelectorAll(".alike li"));
  same.querySelector(".alike").hidden = false;
  same.dataset.weight = weightOf(same) + weightOf(slip);
}

/** Insert the results of a piece, the likeliest first. A result is sure only if it outweighs all others. */
function join(piece) {
  for (const slip of piece.querySelectorAll(".slips > li")) joinAlike(slip);
  const slips = [...list.children].sort((one, other) => weightOf(other) - weightOf(one));
  list.append(...slips);
  const unexplained = Number(search.dataset.unexplained);
  const whole = slips.reduce((sum, slip) => sum + weightOf(slip), unexplained);
  for (const slip of slips)
    slip.querySelector(".perhaps").hidden = weightOf(slip) >= Number(search.dataset.sure) * whole;
  search.querySelector(".rather").hidden = !slips.length || weightOf(slips[0]) > unexplained;
  for (const part of [".progress", ".none", ".onward"])
    search.querySelector(part).replaceWith(piece.querySelector(part));
  search.querySelector(".none").hidden = slips.length > 0;
}

async function pieceAt(address) {
  for (;;) {
    try {
      const page = await pageIn(await fetchNewer(address, { patienceMs: LONG_ANSWER_MS }));
      report("search", null);
      return page.getElementById("search"); // none: it was settled meanwhile
    } catch (wrong) {
      if (!(wrong instanceof TypeError || wrong instanceof EndedError)) throw wrong;
      report("search", wrong);
      if (wrong instanceof EndedError) return undefined;
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

async function goOn(address) {
  search.setAttribute("aria-busy", "true");
  delete search.dataset.done;
  while (address) {
    if (document.hidden)
      await new Promise((back) => document.addEventListener("visibilitychange", back, { once: true }));
    const piece = await pieceAt(address);
    if (piece === undefined) break; // the page may not be read any more
    if (!piece) return isLeaving() || location.reload();
    join(piece);
    address = piece.dataset.next;
    if (address) search.querySelector(".onward").hidden = true;
  }
  search.removeAttribute("aria-busy");
  search.dataset.done = "";
}

search.addEventListener("click", (event) => {
  const onward = event.target.closest(".onward a");
  if (!onward?.search) return;
  event.preventDefault();
  goOn(onward.href);
});

if (search.dataset.next) {
  search.querySelector(".onward").hidden = true;
  goOn(search.dataset.next);
}
