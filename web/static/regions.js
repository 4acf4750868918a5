// Regions: the parts of a page that the server sends again only if they have changed. Each is between two comments, with
// its name and hash. What the viewer has typed, opened or focused stays.

const START = /^region (\S+) (\S+?)( same)?$/;

/** The regions within an element, by name: { start, hash, same, nodes }. */
function regionsOf(root) {
  const found = new Map();
  const comments = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  let region = null;
  while (comments.nextNode()) {
    const comment = comments.currentNode;
    const [, name, hash, same] = START.exec(comment.data) ?? [];
    if (name) {
      region = { start: comment, hash, same: Boolean(same), nodes: [] };
      found.set(name, region);
    } else if (comment.data === "/region") region.end = comment;
  }
  for (const { start, end, nodes } of found.values())
    for (let node = start.nextSibling; node !== end; node = node.nextSibling) nodes.push(node);
  return found;
}

/** The header of a request for what has changed. */
export function shownRegions(root) {
  return { "X-Regions": [...regionsOf(root)].map(([name, { hash }]) => `${name}.${hash}`).join(" ") };
}

/** Show what changed. A region in which the viewer has typed stays until they are done. Returns whether the viewer's focus
 * was in something that is gone. */
export function showRegions(root, fresh) {
  for (const { name, value } of fresh.attributes) root.setAttribute(name, value);
  const open = openDetails(root);
  const shown = regionsOf(root);
  const focus = focusIn(root);
  for (const [name, region] of regionsOf(fresh)) {
    const old = shown.get(name);
    if (region.same || old.nodes.some((node) => isTypedIn(node) || isOpenDialog(node, region.nodes))) continue;
    for (const node of old.nodes) node.remove();
    old.end.before(...region.nodes);
    old.start.data = region.start.data;
  }
  for (const [name, times] of open) {
    const closed = [...root.querySelectorAll("details")].filter((one) => nameOf(one) === name);
    for (const one of closed.slice(0, times)) one.open = true;
  }
  return focus.isLost() && focus.restore();
}

/** Check if an open dialog is still in the newer content. An open one that is not, such as an end that was undone, closes. */
function isOpenDialog(node, fresh) {
  return node.open && node.matches("dialog") && fresh.some((one) => one.dataset?.reveal === node.dataset.reveal);
}

// --- what the viewer has done ---

/** Check if the viewer has typed in a form there that was not sent. A form with a name (data-form) is filled in again. */
export function isTypedIn(part) {
  const fields = part.querySelectorAll?.(
    "form:not([data-form], [data-sent]) :is(input:not([type=hidden]), select, textarea)",
  );
  return [...(fields ?? [])].some(isChanged);
}

function isChanged(field) {
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** Details are the same if their summary says the same: an open Undo closes when it would undo something else. */
function nameOf(details) {
  const summary = details.querySelector("summary");
  return details.dataset.keep ?? (summary.ariaLabel || summary.textContent.replace(/\s+/g, " ").trim());
}

function openDetails(root) {
  const open = new Map();
  for (const one of root.querySelectorAll("details[open]:not([name]):not(:has(.pressed))"))
    open.set(nameOf(one), (open.get(nameOf(one)) ?? 0) + 1);
  return open;
}

const signatureOf = (element) =>
  [
    element.localName,
    element.id,
    element.name,
    element.getAttribute("href"),
    element.ariaLabel,
    labelOf(element),
  ].join();
const labelOf = (element) => (element.matches("a, button, summary") ? element.textContent.trim() : "");

/** The viewer's focus in an element, as it can be found again in newer content. */
function focusIn(root) {
  const focused = root.contains(document.activeElement) && document.activeElement !== root && document.activeElement;
  const signature = focused && signatureOf(focused);
  return {
    isLost: () => focused && !focused.isConnected,
    restore() {
      const again = [...root.querySelectorAll(focused.localName)].find((one) => signatureOf(one) === signature);
      again?.focus({ preventScroll: true });
      return !again;
    },
  };
}
