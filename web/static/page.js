// On every page: times as the device's clock shows them, and what becomes of links without network.

import "./connection.js";

const page = document.documentElement.lang; // and within it the country of the device: 20 Nov or Nov 20
const language = navigator.languages.find((one) => one.split("-")[0] === page.split("-")[0]) ?? page;

export function localTimes(within) {
  for (const time of within.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.valueOf())) continue;
    time.textContent = at.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    time.title = at.toLocaleString(language, { dateStyle: "full", timeStyle: "long" });
  }
}

localTimes(document);
