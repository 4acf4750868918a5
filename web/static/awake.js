// The screen stays on while a game is open on it. Browsers allow it with https alone (or on the machine itself);
// elsewhere, and where a device saves its battery, the screen goes dark as always.

let lock = null;

async function stayAwake() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch (wrong) {
    if (!(wrong instanceof DOMException)) throw wrong;
  }
}

if ("wakeLock" in navigator) {
  document.addEventListener("visibilitychange", stayAwake); // a page that is left loses it
  stayAwake();
}
