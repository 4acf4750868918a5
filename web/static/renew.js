// Replace the page by a fetched one, so that the old one stays until the server has answered.

import { fetchNewer, pageIn } from "./connection.js";
import { localTimes } from "./page.js";

// By the addresses of their scripts: after an upgrade a page is of another version than this script.
const versionOf = (script) => new URL(script, document.baseURI).pathname.split("/").at(-2);

export function isOfThisVersion(page) {
  const script = page.querySelector("script[src]")?.getAttribute("src");
  return !script || versionOf(script) === versionOf(import.meta.url);
}

/** Fetch this page again. Throws a TypeError if the server fails or no one answers, and an EndedError. */
export async function fetchedAgain() {
  return pageIn(await fetchNewer(location.href, { cache: "no-store" }));
}

/** Show a page of this version. Its scripts are those that run already. */
export function showPage(page) {
  const known = new Set([...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.href));
  for (const link of page.querySelectorAll("link[rel=stylesheet]")) {
    const sheet = document.importNode(link);
    if (!known.has(sheet.href)) document.head.append(sheet);
  }
  const top = scrollY;
  document.title = page.title;
  document.body.className = page.body.className;
  document.body.replaceChildren(...page.body.childNodes);
  localTimes(document);
  scrollTo(0, top);
}
