// Without network a page says so, and stays.

const note = document.querySelector("[data-cut]");

/** Whether the connection is known to be gone. */
export function cut(yes) {
  note.hidden = !yes || "here" in note.dataset; // on a device everything is answered from itself
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
