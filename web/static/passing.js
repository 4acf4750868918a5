// The form of a sealed offer: what is typed is gone when the page is left, however that happens, so that neither the
// way back nor a page that the browser kept shows it to whoever has the phone next.
const form = document.querySelector("form[data-sealing]");
let sent = false;

function empty() {
  for (const input of form.elements) {
    if (input.type === "radio") input.checked = input.value === "0";
    else if (input.name?.startsWith("n.") && input.type !== "hidden") input.value = "0";
  }
}

function cover() {
  empty();
  if (!sent) location.replace(form.dataset.sealing);
}

empty(); // also what a browser filled in by itself
addEventListener("submit", (event) => {
  sent = !event.defaultPrevented;
}); // connection.js may hold it back
addEventListener("pagehide", empty);
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  sent = false;
  cover();
});
document.addEventListener("visibilitychange", () => document.hidden && cover()); // the phone was locked or another app opened
