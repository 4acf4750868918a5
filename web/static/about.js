// Compare the seal in the fragment of a scanned code with the seal on this page.

const here = document.querySelector("[data-seal]");
const brought = location.hash.slice(1);
if (/^\d+\.[0-9a-f]{64}$/.test(brought)) {
  document.querySelector(`[data-kept="${brought === here.dataset.seal ? "yes" : "no"}"]`).hidden = false;
}
