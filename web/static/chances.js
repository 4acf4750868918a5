// The win chances of a game, laid under its score chart once the page is painted.

import { fetchPage, LONG_ANSWER_MS, report } from "./connection.js";

const RETRY_MS = 4000;
const body = document.getElementById("chart-body");

async function lay(place) {
  const answer = await fetched(place.dataset.chances);
  if (answer.status !== 200) return;
  place.innerHTML = await answer.text();
  const step = document.getElementById("scrubber").value;
  for (const cursor of place.querySelectorAll(".cursor")) cursor.setAttribute("d", `M${step} 0V100`);
  place.hidden = false;
}

async function fetched(address) {
  for (;;) {
    try {
      const answer = await fetchPage(address, { patienceMs: LONG_ANSWER_MS });
      report("chances", null);
      return answer;
    } catch (wrong) {
      if (!(wrong instanceof TypeError)) throw wrong;
      report("chances", wrong);
      await new Promise((again) => setTimeout(again, RETRY_MS));
    }
  }
}

const begin = () => {
  const place = body.querySelector("[data-chances]");
  if (place) lay(place);
};
if (document.readyState === "complete") setTimeout(begin);
else addEventListener("load", () => setTimeout(begin));
