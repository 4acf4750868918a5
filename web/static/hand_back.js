// Hand a game back to its server, line by line from the server's newest step, so that a broken transfer can continue.
import { ask, askHere, reportDevice, service } from "./service.js";

const AT_ONCE = 100; // lines in a request
const root = document.querySelector("[data-hand-back]");
const { handBack: here, game, csrf } = root.dataset;
const find = (name) => root.querySelector(`[data-${name}]`);
const show = (name, yes = true) => {
  find(name).hidden = !yes;
};

class Stopped extends Error {}

function say(wrong) {
  find("wrong").textContent = wrong ?? "";
  show("wrong", Boolean(wrong));
}

/** Request something under this device's lease. Throws Stopped without a response. */
async function toService(part, key, options = {}) {
  const asked = await ask(`/games/${game}/lease/${part}`, { ...options, headers: { Authorization: `Bearer ${key}` } });
  show("no-answer", !asked);
  if (!asked) throw new Stopped();
  return asked;
}

const held = async (after) => (await askHere(`${here}.json${after === undefined ? "" : `?after=${after}`}`)).told;

async function handBack(accept) {
  const there = await held();
  if (there.wrong) return say(there.wrong); // offers were sealed since the page was opened
  const { key, newest, step: lease, now } = there;
  const { status, told } = await toService("state", key);
  if (status !== 200) return say(told.wrong);
  if (told.broken) return moved(newest > lease);
  if (told.ended !== null && newest >= told.ended) return moved(true); // ended there by a file without the newest steps
  if (told.ended === null) {
    let { step } = told;
    show("progress");
    while (step < newest) {
      const { lines } = await held(step);
      const body = lines.slice(0, AT_ONCE).join("\n");
      const taken = await toService(`lines${accept ? "?accept=yes" : ""}`, key, { method: "POST", body });
      if (taken.told.parted !== undefined) return moved(true);
      if (taken.status === 422 && taken.told.findings) return disagreed(taken.told.findings);
      if (taken.status !== 200) return say(taken.told.wrong ?? String(taken.status));
      ({ step } = taken.told);
      find("progress").value = (step - lease) / Math.max(1, newest - lease);
    }
  }
  const ended = await toService("return", key, { method: "POST", body: new URLSearchParams({ clock: now }) });
  if (ended.status === 409) return moved(newest > lease);
  if (ended.status !== 200) return say(ended.told.wrong ?? String(ended.status));
  await done("done", ended.told.address);
}

async function keepApart() {
  const { key, lines, wrong } = await held();
  if (wrong) return say(wrong);
  const { status, told } = await toService("what-if", key, { method: "POST", body: lines.join("\n") });
  if (status !== 200) return say(told.wrong ?? String(status));
  await done("kept-apart", told.address);
}

async function moved(anything) {
  show("moved", anything);
  show("go", false);
  show("go-apart", anything);
  if (!anything) await done("done", `${service}/games/${game}`);
}

function disagreed(findings) {
  show("disagreed");
  show("go-anyway");
  find("findings").replaceChildren(
    ...findings.map(({ step, rule, says }) => {
      const row = document.createElement("li");
      row.textContent = `${step}: ${says}${rule ? ` (${rule})` : ""}`;
      return row;
    }),
  );
}

async function done(what, address) {
  await askHere(here, csrf, new URLSearchParams({ game }));
  for (const name of ["go", "go-apart", "go-anyway", "progress", "moved", "disagreed"]) show(name, false);
  show(what);
  find("there").href = address;
  show("there");
}

function ignoreStopped(wrong) {
  if (!(wrong instanceof Stopped)) throw wrong;
}

async function once(work) {
  const buttons = [...root.querySelectorAll("button")];
  for (const button of buttons) button.disabled = true;
  say("");
  try {
    await reportDevice(() => work().catch(ignoreStopped));
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

find("go").addEventListener("click", () => once(() => handBack(false)));
find("go-anyway").addEventListener("click", () => once(() => handBack(true)));
find("go-apart").addEventListener("click", () => once(keepApart));
