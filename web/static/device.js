// The page about data on this device: its size, its persistence, and deleting it.
const find = (name) => document.querySelector(`[data-${name}]`);
const size = (bytes) => {
  const unit = bytes < 1e9 ? ["megabyte", 1e6] : ["gigabyte", 1e9];
  return new Intl.NumberFormat(document.documentElement.lang, {
    style: "unit",
    unit: unit[0],
    maximumFractionDigits: 1,
  }).format(bytes / unit[1]);
};

// An iPad says that it is a Mac, which has no touch screen.
const onIphone =
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
const fromHomeScreen = Boolean(navigator.standalone) || matchMedia("(display-mode: standalone)").matches;

async function show() {
  const { usage, quota } = await navigator.storage.estimate();
  find("taken").textContent = size(usage);
  find("left").textContent = size(Math.max(0, quota - usage));
  find("room").hidden = false;
  const stays = await navigator.storage.persisted();
  find("stays").hidden = !stays;
  find("on-iphone").hidden = stays || !onIphone || fromHomeScreen;
  find("may-go").hidden = find("ask-to-stay").hidden = stays;
}

find("ask-to-stay").addEventListener("click", async () => {
  await navigator.storage.persist();
  await show();
});

const form = find("throw-away");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const fits = form.elements.word.value.trim().toLowerCase() === form.dataset.word;
  find("other-word").hidden = fits;
  if (fits) parent.postMessage("throw away", location.origin); // the shell holds the files
});

await show();
