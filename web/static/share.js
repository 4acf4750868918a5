// Share what a page shows: by the device's own sheet on a phone, else by its link and its picture.

/** Wires the Share buttons in a part of a page, each once. */
export function offerSharing(part) {
  for (const place of part.querySelectorAll("[data-share]")) {
    const button = place.querySelector("button");
    if (!button.hidden) continue;
    button.hidden = false;
    button.addEventListener("click", () => share(place));
  }
}
offerSharing(document);

const hasOwnSheet = () => Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches;

async function share(place) {
  const { dataset, lastElementChild: status } = place;
  try {
    if (dataset.ask) {
      await post(dataset.ask);
      status.textContent = dataset.asked;
    } else if (dataset.create) {
      await create(dataset);
      show(place); // what the link opens is read before it is sent
    } else if (hasOwnSheet()) await send(dataset);
    else show(place);
  } catch {
    status.textContent = dataset.failed;
  }
}

/** Creates the address of a game, once. */
async function create(dataset) {
  const { address } = await post(dataset.create);
  Object.assign(dataset, { address: address + dataset.query, create: "" });
  if (dataset.step) dataset.picture = `${new URL(address).pathname}/steps/${dataset.step}.png`;
}

async function post(path) {
  const csrf = document.querySelector('input[name="csrf"]').value;
  const body = new URLSearchParams({ csrf });
  const answer = await fetch(path, { method: "POST", headers: { Accept: "application/json" }, body });
  if (!answer.ok) throw new TypeError(`the server answered with ${answer.status}`);
  return answer.json();
}

/** Shows what the link opens, and the ways to pass it on. */
function show(place) {
  const { dataset, lastElementChild: status } = place;
  const line = Object.assign(document.createElement("span"), { textContent: dataset.opens });
  const shown = Object.assign(document.createElement("span"), { className: "address", textContent: dataset.address });
  const ways = Object.assign(document.createElement("span"), { className: "ways" });
  if (hasOwnSheet()) ways.append(button(dataset.send, () => send(dataset)));
  ways.append(
    button(dataset.copy, async ({ currentTarget }) => {
      if (await isCopied(dataset.address)) currentTarget.textContent = dataset.copied;
      else getSelection().selectAllChildren(shown);
    }),
  );
  if (dataset.picture) {
    const picture = {
      href: dataset.picture,
      textContent: dataset.save,
      download: fileName(dataset.title),
      className: "button",
    };
    ways.append(Object.assign(document.createElement("a"), picture));
  }
  if (dataset.embed) {
    const frame = { href: dataset.embed, textContent: dataset.embedding, className: "button" };
    ways.append(Object.assign(document.createElement("a"), frame));
  }
  ways.append(
    button(dataset.close, () => {
      status.replaceChildren();
      place.querySelector("button").focus();
    }),
  );
  status.replaceChildren(...(dataset.opens ? [line] : []), shown, ways);
  status.scrollIntoView({ block: "nearest" });
}

function button(text, press) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  made.addEventListener("click", press);
  return made;
}

/** The file of the picture is named after the game. */
function fileName(title) {
  return `${title.replace(/[^\p{L}\p{N} .-]+/gu, " ").trim() || "daybook"}.png`;
}

async function send({ title, says, address, picture }) {
  const message = { title, text: says, url: address };
  const files = await filesOf(picture, title);
  await navigator.share(navigator.canShare?.({ ...message, files }) ? { ...message, files } : message).catch(() => {});
}

async function isCopied(address) {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false; // plain http: the address is selected, to be copied by hand
  }
}

async function filesOf(picture, title) {
  if (!picture) return [];
  try {
    const answer = await fetch(picture);
    if (!answer.ok) return [];
    return [new File([await answer.blob()], fileName(title), { type: "image/png" })];
  } catch {
    return []; // no network: the link alone
  }
}
