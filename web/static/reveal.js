// A moment that every phone shows on a full screen, once, until its own tap.

const SETTLE_MS = 500; // a tap that was meant for what was there before does not close it

/** Let a browser that opens the game for the first time skip the moment that is there already. url: of the game. */
export function skipEarlierReveal(root, url) {
  const name = nameOf(url);
  if (localStorage.getItem(name) !== null) return;
  const dialog = root.querySelector("[data-reveal]");
  localStorage.setItem(name, dialog?.dataset.reveal ?? -1);
  if (dialog?.dataset.once) localStorage.setItem(onceOf(url), dialog.dataset.once);
}

/** Show the dialog in an element, unless this browser has shown it. url: of the game; closed(): after the viewer's tap. */
export function showReveal(root, url, closed) {
  const name = nameOf(url);
  const dialog = root.querySelector("[data-reveal]");
  const step = Number(dialog?.dataset.reveal);
  const once = dialog?.dataset.once; // the end of a period, which a correction does not repeat
  if (dialog?.open) liftRefusals(root, dialog);
  if (!dialog || dialog.open || step <= Number(localStorage.getItem(name) ?? -1)) return;
  if (once && once === localStorage.getItem(onceOf(url))) return;
  liftRefusals(root, dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // the focus is on its button, below many players
  const shownAt = performance.now();
  dialog.querySelector("form").addEventListener("submit", (event) => {
    if (performance.now() - shownAt < SETTLE_MS) event.preventDefault();
  });
  dialog.addEventListener("close", () => {
    localStorage.setItem(name, step);
    if (once) localStorage.setItem(onceOf(url), once);
    closed();
  });
}

/** Repeat refusals of the page, which the dialog would cover, above all that it says. */
function liftRefusals(root, dialog) {
  for (const earlier of dialog.querySelectorAll(".lifted")) earlier.remove();
  const refusals = root.querySelectorAll(":is([data-said], [data-dropped]):not(.lifted)");
  const copies = [...refusals].map((refusal) => refusal.cloneNode(true));
  for (const copy of copies) copy.classList.add("lifted");
  dialog.prepend(...copies);
}

const nameOf = (url) => `daybook.revealed:${url}`;
const onceOf = (url) => `daybook.revealed-period:${url}`;
