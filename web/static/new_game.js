// The seats as they are typed: a colour that is chosen twice changes places, the mark follows, advice appears.

const form = document.querySelector("[data-new-game]");
const rows = [...form.querySelectorAll(".seat-row")];
const colourOf = (row) => row.querySelector("select");

for (const row of rows) {
  let was = colourOf(row).value;
  colourOf(row).addEventListener("focus", () => { was = colourOf(row).value; });
  colourOf(row).addEventListener("change", () => {
    const other = rows.find((one) => one !== row && colourOf(one).value === colourOf(row).value);
    if (other) {
      colourOf(other).value = was;
      paint(other);
    }
    was = colourOf(row).value;
    paint(row);
  });
  paint(row);
}

function paint(row) {
  const mark = row.querySelector(".seat");
  for (const name of [...mark.classList]) if (/^[cs]-/.test(name)) mark.classList.remove(name);
  mark.classList.add(`c-${colourOf(row).value}`);
}

function advise() {
  const seated = rows.filter((row) => row.querySelector("input").value.trim()).length;
  for (const note of form.querySelectorAll("[data-advice]")) note.hidden = Number(note.dataset.advice) !== seated;
}

form.addEventListener("input", advise);
advise();
