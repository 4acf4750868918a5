// On every page: times as the device's clock shows them.

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

// --- without network: the page says so, and stays ---

const note = document.querySelector("[data-cut]");

/** Whether the connection is known to be gone. */
export function cut(yes) {
  note.hidden = !yes;
}

function stays(event) {
  if (event.defaultPrevented || note.hidden) return;
  event.preventDefault();
  note.classList.remove("asked");
  void note.offsetWidth; // so that it starts anew
  note.classList.add("asked");
}

const leads = (link) => link.origin === location.origin && !link.target && (
  link.pathname !== location.pathname || link.search !== location.search || !link.hash);

addEventListener("offline", () => cut(true));
addEventListener("online", () => cut(false));
addEventListener("submit", stays);
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (link && leads(link)) stays(event);
});
if (!navigator.onLine) cut(true);
