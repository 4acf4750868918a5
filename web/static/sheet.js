// Marks what differs as it is typed, and asks before a box that is half entered is left.

const form = document.querySelector("#numbers");
let kept = !("sent" in form.dataset);

const differs = (field) =>
  field.tagName === "SELECT"
    ? [...field.options].some((option) => option.selected !== option.defaultSelected)
    : field.type !== "radio" && field.value !== field.defaultValue;

form.addEventListener("input", ({ target }) => {
  kept = false;
  target.closest("td, .line")?.classList.toggle("typed", differs(target));
});
form.addEventListener("formdata", () => {
  kept = true;
}); // it is really sent: a form without network is not
window.addEventListener("beforeunload", (event) => {
  if (!kept && ("sent" in form.dataset || [...form.elements].some(differs))) event.preventDefault();
});
