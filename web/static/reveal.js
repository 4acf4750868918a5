// A moment that every phone shows on a full screen, once, until its own tap.

const SETTLE_MS = 500; // a tap that was meant for what was there before does not close it

/** Show the dialog in an element, unless this browser has shown it. url: of the game; closed(): after the viewer's tap. */
export function showReveal(root, url, closed) {
  const name = `daybook.revealed:${url}`;
  const dialog = root.querySelector("[data-reveal]");
  const step = Number(dialog?.dataset.reveal);
  if (!dialog || dialog.open || step <= Number(localStorage.getItem(name) ?? -1)) return;
  dialog.showModal();
  const shownAt = performance.now();
  dialog.querySelector("form").addEventListener("submit", (event) => {
    if (performance.now() - shownAt < SETTLE_MS) event.preventDefault();
  });
  dialog.addEventListener("close", () => {
    localStorage.setItem(name, step);
    closed();
  });
}
