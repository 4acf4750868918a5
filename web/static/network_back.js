// On a device that holds a game of a service: says when the service can be reached again, so that it can be handed back.
import { ask } from "./service.js";

const LOOK_MS = 30_000;

async function look() {
  const note = document.querySelector("[data-network-back]"); // record.js may exchange the whole page
  if (note?.hidden && navigator.onLine) note.hidden = (await ask("/api/v1/health"))?.status !== 200;
}

addEventListener("online", look);
setInterval(look, LOOK_MS);
await look();
