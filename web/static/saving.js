// Saves files on a device: browsers ask the network for what a link with `download` names, and there is none.
addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[download]");
  if (!link || link.protocol === "blob:" || link.origin !== location.origin) return;
  event.preventDefault();
  const answer = await fetch(link.href);
  if (!answer.ok) {
    location.assign(link.href); // which says why
    return;
  }
  const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  const held = URL.createObjectURL(await answer.blob());
  const saved = Object.assign(document.createElement("a"), { href: held, download: name ?? link.download });
  saved.click();
  setTimeout(() => URL.revokeObjectURL(held), 60_000);
});
