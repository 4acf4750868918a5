// Runs the examples of this page against this server, one after the other: a later one uses what an earlier one answered.
const list = document.querySelector("[data-root]");
const known = {};

function filled(text) {
  return text.replace(/\$([A-Z]+)/g, (whole, name) => known[name] ?? whole);
}

async function run(example) {
  const { method, path, body } = example.dataset;
  const place = example.querySelector(".api-answer");
  place.hidden = false;
  const lacks = filled(path + (body ?? "")).match(/\$[A-Z]+/);
  if (lacks || ("keyed" in example.dataset && !known.KEY)) {
    place.textContent = "Run the example that opens a game first.";
    return;
  }
  const headers = {};
  if (body) headers["Content-Type"] = "application/json";
  if (method !== "GET")
    headers["Idempotency-Key"] = [...crypto.getRandomValues(new Uint8Array(16))]
      .map((one) => one.toString(16).padStart(2, "0"))
      .join("");
  if ("keyed" in example.dataset) headers.Authorization = `Bearer ${known.KEY}`;
  try {
    const answer = await fetch(list.dataset.root + filled(path), {
      method,
      headers,
      body: body ? filled(body) : undefined,
      credentials: "omit",
    });
    const said = await answer.json();
    if (said.game && said.links) {
      known.GAME = said.game;
      known.KEY = said.links.find((link) => link.role === "scorekeeper").key;
    }
    place.textContent = `${answer.status} ${answer.statusText}\n${JSON.stringify(said, null, 2)}`;
  } catch {
    place.textContent = "This server cannot be reached now. Run it again when there is a connection.";
  }
}

for (const example of list.querySelectorAll("[data-example]")) {
  const hidden = example.querySelector("[data-run-here]");
  if (hidden) hidden.hidden = false;
  example.querySelector("[data-run]").addEventListener("click", (event) => {
    event.preventDefault();
    run(example);
  });
}
