// The search for what may explain a count goes on by itself, piece by piece; what is found joins the list.

const AGAIN_MS = 2000; // when others are at work, or the line is lost
const search = document.getElementById("search");
const list = search.querySelector(".slips");

function join(piece) {
  for (const slip of piece.querySelectorAll(".slips > li")) {
    const first = "all" in slip.dataset ? list.querySelector("li:not([data-all])") : null; // what explains all of it first
    list.insertBefore(slip, first);
  }
  for (const part of [".progress", ".none", ".onward"]) search.querySelector(part).replaceWith(piece.querySelector(part));
  search.querySelector(".none").hidden = list.children.length > 0;
}

async function pieceAt(address) {
  for (;;) {
    try {
      const answer = await fetch(address);
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        return page.getElementById("search"); // none: it was settled meanwhile
      }
      if (answer.status !== 429 && answer.status < 500) return null;
    } catch {
      // tried again below
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

async function goOn(address) {
  search.setAttribute("aria-busy", "true");
  delete search.dataset.done;
  while (address) {
    const piece = await pieceAt(address);
    if (!piece) return location.reload();
    join(piece);
    address = piece.dataset.next;
    if (address) search.querySelector(".onward").hidden = true;
  }
  search.removeAttribute("aria-busy");
  search.dataset.done = "";
}

search.addEventListener("click", (event) => {
  const onward = event.target.closest(".onward a");
  if (!onward || !onward.search) return;
  event.preventDefault();
  goOn(onward.href);
});

if (search.dataset.next) {
  search.querySelector(".onward").hidden = true;
  goOn(search.dataset.next);
}
