// A list that follows its filters: while the user types or chooses, the part of the page that the form names is fetched
// again. Without this script the form is sent by its button.

const WAIT = 250; // milliseconds after the last key
const ANSWER_MS = 20_000;

for (const form of document.querySelectorAll("form[data-filters]")) {
  let timer = 0;
  let newest = 0;

  const refresh = async () => {
    newest += 1;
    const request = newest;
    const fields = [...new FormData(form)].filter(([, value]) => value);
    const address = `${form.action}?${new URLSearchParams(fields)}`;
    const list = document.getElementById(form.dataset.filters);
    list.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, {
        headers: { Accept: "text/html" },
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (request !== newest || !answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (request !== newest) return;
      list.replaceChildren(...page.getElementById(list.id).childNodes);
      history.replaceState(null, "", address);
    } catch {
      // the network is away: the button still works when it is back
    } finally {
      if (request === newest) list.removeAttribute("aria-busy");
    }
  };

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, WAIT);
  });
}
