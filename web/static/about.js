// A seal that came behind the # of a photographed code is compared with the one that stands here.

const here = document.querySelector("[data-seal]");
const brought = location.hash.slice(1);
if (/^\d+\.[0-9a-f]{64}$/.test(brought)) {
  document.querySelector(`[data-kept="${brought === here.dataset.seal ? "yes" : "no"}"]`).hidden = false;
}
