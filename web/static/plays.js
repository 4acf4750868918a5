// How far plays are that come in: a bar while they go up, and while they are read. Without this script the forms work too.

import { localTimes } from "./page.js";

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("plays" in form.dataset)) return;
  event.preventDefault();
  const shown = (name) => form.querySelector(`[data-${name}]`);
  const bar = shown("how-far").querySelector("progress");
  const button = form.querySelector("button");
  const tooLarge = form.file?.files[0]?.size > Number(form.dataset.limit);
  if ("limit" in form.dataset) shown("too-large").hidden = !tooLarge;
  if (tooLarge) return;
  const request = new XMLHttpRequest(); // fetch does not say how far a file has gone up
  request.open("POST", form.action);
  request.responseType = "document";
  request.upload.onprogress = ({ loaded, total }) => {
    bar.max = total;
    if (loaded < total) bar.value = loaded;
    else bar.removeAttribute("value"); // all is there, and is read
  };
  const wait = (waits) => {
    shown("how-far").hidden = !waits;
    button.disabled = waits;
  };
  const told = shown("no-answer");
  told.dataset.text ??= told.textContent;
  const fail = (page = null) => {
    wait(false);
    const says = [...(page?.querySelectorAll("#main h1, #main .story:not([data-kept])") ?? [])];
    told.textContent = says.map((one) => one.textContent.trim()).join(". ") || told.dataset.text;
    told.hidden = false;
  };
  request.onload = () => {
    // keep the form if the server is busy, so that the button can send it again
    if (!request.response || request.status >= 500 || request.status === 429) return fail(request.response);
    document.body.replaceChildren(...request.response.body.childNodes);
    localTimes(document);
    document.getElementById("main").focus();
    scrollTo(0, 0);
  };
  request.onerror = () => fail();
  told.hidden = true;
  request.send(new FormData(form));
  wait(true);
});
