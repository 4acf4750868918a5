// Upload a game that began on this device. A repeated upload adds only new steps.
import { ask, askHere, reportDevice, service } from "./service.js";

const root = document.querySelector("[data-give]");
const find = (name) => root.querySelector(`[data-${name}]`);

async function give() {
  const { give: here, game } = root.dataset;
  const key = localStorage.getItem(`give ${game}`) ?? crypto.randomUUID();
  localStorage.setItem(`give ${game}`, key); // the key of the scorekeeper there
  const { record } = (await askHere(`${here}.json`)).told;
  const asked = await ask("/api/v1/games/import", {
    method: "POST",
    credentials: "omit",
    headers: { "Idempotency-Key": key, "Content-Type": "application/x-ndjson" },
    body: record,
  });
  const given = asked?.status === 201;
  const wrong = given ? "" : asked?.told.error?.reason; // without a reason, the server is not a Daybook
  find("no-answer").hidden = given || Boolean(wrong);
  find("wrong").textContent = wrong ?? "";
  find("wrong").hidden = !wrong;
  find("go").hidden = given;
  find("done").hidden = !given;
  if (given) {
    const link = asked.told.links.find(({ role }) => role === "scorekeeper");
    find("there").href = `${service}/join#${link.key}`;
    find("there").hidden = false;
  }
}

root?.querySelector("[data-go]").addEventListener("click", async ({ target: go }) => {
  go.disabled = true;
  await reportDevice(give);
  go.disabled = false;
});
