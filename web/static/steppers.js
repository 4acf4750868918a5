// A number of a form is raised and lowered by taps.

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-by]");
  if (!button) return;
  const input = button.closest(".stepper").querySelector("input");
  if (input.dataset.covered) {
    input.closest(".told-value").querySelector("[role=status]").textContent = input.dataset.covered;
    return;
  }
  const [least, most] = [input.min || input.dataset.least, input.max || input.dataset.most].map(Number);
  const was = input.closest(".told-value")?.querySelector("[data-was]")?.dataset.was;
  const number = Number(input.value.trim() || (was ?? 0));
  if (Number.isNaN(number)) return;
  input.value = Math.min(Math.max(number + Number(button.dataset.by), least), most);
  markStepper(input);
});

document.addEventListener("input", (event) => showRecorded(event.target));

export function markStepper(input) {
  input.closest?.(".stepper")?.classList.toggle("some", Number(input.value) > 0);
  showRecorded(input);
}

/** Show the recorded number next to a changed one. */
function showRecorded(input) {
  const was = input.closest?.(".told-value")?.querySelector("[data-was]");
  if (was) was.hidden = input.value.trim() === was.dataset.was;
}
