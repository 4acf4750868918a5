// A link's key stands behind the #, where no server sees it: it is taken out of the address and posted, as soon as
// somebody answers.

import { cut, isReached } from "./connection.js";

const RETRY_SECONDS = 2;
const form = document.querySelector("[data-join]");
const key = decodeURIComponent(location.hash.slice(1));

async function join() {
  form.classList.add("pressed");
  const reached = await isReached();
  form.classList.toggle("pressed", reached);
  cut(!reached);
  if (reached) form.submit();
  else setTimeout(join, RETRY_SECONDS * 1000);
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  join();
});

// Check if this page has just come over the network, so that the connection need not be tested again.
function cameOverNetwork() {
  const [page] = performance.getEntriesByType("navigation");
  return navigator.onLine && page.transferSize > 0 && !page.workerStart;
}

if (form && key) {
  history.replaceState(null, "", location.pathname);
  form.elements.key.value = key;
  form.elements.by_link.disabled = false; // the server then tells what this phone can do
  if (cameOverNetwork()) form.submit();
  else join();
}
