// Sharing what a page shows: by the device's own sheet where it has one, else the link is copied. The picture goes along,
// or can be saved.

/** Wires what a part of a page offers to share. */
export function offerSharing(part) {
  for (const place of part.querySelectorAll("[data-share]")) {
    const button = place.querySelector("button");
    button.hidden = false;
    button.addEventListener("click", () => share(place));
  }
}
offerSharing(document);

async function share({ dataset, lastElementChild: said }) {
  const { title, says, address, picture } = dataset;
  const what = { title, text: says, url: address };
  if (navigator.share) {
    const files = await filesOf(picture);
    await navigator.share(navigator.canShare?.({ ...what, files }) ? { ...what, files } : what).catch(() => {}); // put away
    return;
  }
  said.replaceChildren((await isCopied(address)) ? dataset.copied : address);
  if (picture) said.append(" ", Object.assign(document.createElement("a"), saved(picture, dataset.save)));
}

const saved = (picture, text) => ({ href: picture, textContent: text, download: "daybook.png" });

async function isCopied(address) {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false; // plain http: the link is shown, to be copied by hand
  }
}

async function filesOf(picture) {
  if (!picture) return [];
  try {
    const answer = await fetch(picture);
    if (!answer.ok) return [];
    return [new File([await answer.blob()], "daybook.png", { type: "image/png" })];
  } catch {
    return []; // no network: the link alone
  }
}
