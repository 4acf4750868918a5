// On every page: times as the device's clock shows them.

export function localTimes(within) {
  for (const time of within.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.valueOf())) continue;
    const language = document.documentElement.lang;
    time.textContent = at.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    time.title = at.toLocaleString(language, { dateStyle: "full", timeStyle: "long" });
  }
}

localTimes(document);
