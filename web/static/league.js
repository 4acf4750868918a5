// Days and times of tables: typed and shown as this device's clock has them, sent as UTC.

const two = (n) => String(n).padStart(2, "0");
const local = (at) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

for (const form of document.querySelectorAll("[data-local-times]")) {
  const field = form.querySelector("input[type='datetime-local']");
  const zone = form.querySelector("[data-zone]");
  const sent = document.createElement("input"); // what is typed stays in its field: the page may be come back to
  sent.type = "hidden";
  sent.name = field.name;
  field.removeAttribute("name");
  form.append(sent);
  if (field.value) field.value = local(new Date(`${field.value}Z`));
  zone.textContent = zone.dataset.zone;
  form.addEventListener("submit", () => {
    sent.value = field.value ? new Date(field.value).toISOString().slice(0, 16) : "";
  });
}
