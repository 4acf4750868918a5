// Prepares this device for a game of the service, says what works, and takes the game on a tap.
import { ask, askHere, reportDevice, service } from "./service.js";

const root = document.querySelector("[data-take]");
const { take: game, here, csrf } = root.dataset;
const find = (name) => root.querySelector(`[data-${name}]`);
const go = find("go");
find("cancel").href = `${service}/games/${game}/lease`;

function mark(step, works) {
  root.querySelector(`[data-step="${step}"] [data-state]`).textContent = works ? "✓" : "✗";
  return works;
}

function say(wrong) {
  find("wrong").textContent = wrong;
  find("wrong").hidden = !wrong;
}

/** Check if this device stores data durably enough to read it back. */
async function stores() {
  const key = crypto.randomUUID();
  await askHere(`${here}/try`, csrf, new URLSearchParams({ key }));
  return (await askHere(`${here}/try`)).told.key === key;
}

async function stays() {
  return (await navigator.storage.persisted()) || (await navigator.storage.persist());
}

async function prepare() {
  const stored = await reportDevice(stores); // undefined: Daybook on this device failed
  if (!mark("stores", stored)) {
    find("no-storage").hidden = stored === undefined;
    return;
  }
  find("may-go").hidden = mark("stays", await stays());
  const asked = await ask(`/games/${game}/lease.json`);
  find("no-answer").hidden = asked !== null;
  const { status, told } = asked ?? {};
  const may = mark("game", status === 200 && !told.why_not && (!told.leased || localStorage.getItem(`take ${game}`)));
  if (status === 200) root.querySelector('[data-step="game"]').append(` ${told.title}`);
  if (status === 200 && told.why_not) say(told.why_not);
  find("ready").hidden = go.hidden = !may;
}

// The key of the request stays here until the game is: asked again, the service answers with the same lease.
async function take() {
  say("");
  const key = localStorage.getItem(`take ${game}`) ?? crypto.randomUUID();
  localStorage.setItem(`take ${game}`, key);
  const state = await ask(`/games/${game}/lease.json`);
  const asked =
    state?.status === 200 &&
    (await ask(`/games/${game}/lease`, {
      method: "POST",
      headers: { "X-CSRF-Token": state.told.csrf },
      body: new URLSearchParams({ key }),
    }));
  if (!asked) find("no-answer").hidden = false;
  else if (asked.status !== 200) {
    if (asked.status === 409) localStorage.removeItem(`take ${game}`); // its lease has ended, or it took nothing
    say(asked.told.wrong ?? String(asked.status));
  } else {
    const kept = await askHere(`${here}/${game}`, csrf, JSON.stringify(asked.told));
    if (kept.status === 200) {
      localStorage.removeItem(`take ${game}`);
      location.assign(kept.told.address);
      return;
    }
    say(kept.told.wrong ?? String(kept.status));
  }
}

go.addEventListener("click", async () => {
  go.disabled = true;
  await reportDevice(take);
  go.disabled = false;
});
await prepare();
