// Copy buttons, where the browser lets pages copy. The link itself can always be marked and copied by hand.

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = button.closest("li").querySelector("[data-copied]");
  field.addEventListener("focus", () => field.select());
  button.hidden = false;
  const says = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      const fold = field.closest("details");
      if (fold) fold.open = true;
      field.focus(); // plain http: the link is marked, and the device's own menu copies it
      field.select();
      if (!document.execCommand("copy")) return;
    }
    button.textContent = `✓ ${says}`;
    setTimeout(() => {
      button.textContent = says;
    }, 1500);
  });
}
