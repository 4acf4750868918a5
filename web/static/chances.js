// The win chances of a game, laid under its score chart once the page is painted.

const body = document.getElementById("chart-body");

async function lay(place) {
  const answer = await fetch(place.dataset.chances);
  if (answer.status !== 200) return;
  place.innerHTML = await answer.text();
  const step = document.getElementById("scrubber").value;
  for (const cursor of place.querySelectorAll(".cursor")) cursor.setAttribute("d", `M${step} 0V100`);
  place.hidden = false;
}

const begin = () => {
  const place = body.querySelector("[data-chances]");
  if (place) lay(place).catch(() => {});
};
if (document.readyState === "complete") setTimeout(begin);
else addEventListener("load", () => setTimeout(begin));
