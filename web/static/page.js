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

// Days are those of this device: it says where it is, and the page that came before it could corrects itself.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone) document.cookie = `daybook_zone=${timeZone}; path=/; max-age=31536000; samesite=lax`;

for (const field of document.querySelectorAll("input[type='date'][data-today]")) {
  const now = new Date();
  const today = [
    now.getFullYear(),
    String(now.getMonth() + 1).padStart(2, "0"),
    String(now.getDate()).padStart(2, "0"),
  ].join("-");
  if (field.dataset.today && field.value === field.dataset.today) field.value = today;
  if (today > field.max || field.dataset.today) field.max = today;
}

// A tap on the id of a rule shows the rule in one sentence.
document.addEventListener("click", (event) => {
  const id = event.target.closest("button.rule-id");
  if (!id) return;
  id.nextElementSibling.hidden = !id.nextElementSibling.hidden;
  id.setAttribute("aria-expanded", String(!id.nextElementSibling.hidden));
});
