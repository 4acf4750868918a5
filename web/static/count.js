// Purses are counted one after the other: the next one opens, and the one before it closes.

const purses = [...document.querySelectorAll("[data-purse]")];

purses.forEach((purse, place) => {
  const next = purse.querySelector("[data-next]");
  if (!next) return;
  next.hidden = false;
  next.addEventListener("click", () => {
    const following = purses[place + 1];
    purse.open = false;
    following.open = true;
    following.querySelector("input, select")?.focus();
    following.scrollIntoView({ block: "start" });
  });
});
