// A link's key stands behind the #, where no server sees it: it is taken out of the address and posted.

const form = document.querySelector("[data-join]");
const key = decodeURIComponent(location.hash.slice(1));
if (form && key) {
  history.replaceState(null, "", location.pathname);
  form.elements.key.value = key;
  form.requestSubmit();
}
