"""Collect what axe-core finds on a page that is open in a browser.

Of the rules that a page keeps one place each is told: to tell all took two thirds of the time.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from playwright.sync_api import Page

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": {"type": "tag", "values": LEVELS}, "resultTypes": ["violations"]}
CONFIGURATION = """axe.configure({
  noHtml: true,  // to write down all that lies behind a text took half of the time
  rules: [{ id: "color-contrast", selector: "[data-measured]" }],
})"""
# Texts of one colour, size and weight on the same grounds have the same contrast, and the first of them is measured; where
# one thing lies over another, the ground is no ancestor's, and each is. To measure every cell of a long ledger took three
# quarters of the time. Of a text in a drawing and of a single letter axe says at most that it does not know.
MARK_MEASURED = """(within) => {
  const seen = new Set(), grounds = new Map();
  const groundOf = (one) => {
    if (!one) return "";
    if (!grounds.has(one)) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(one);
      grounds.set(one, `${groundOf(one.parentElement)}|${backgroundColor} ${backgroundImage} ${opacity} ${filter}`);
    }
    return grounds.get(one);
  };
  const textOf = (one) => [...one.childNodes].map((node) => node.nodeType === Node.TEXT_NODE ? node.data : "").join("");
  const says = (one) => !one.ownerSVGElement && textOf(one).trim().length > 1;
  const isFirst = (one) => {
    const { color, fontSize, fontWeight, position } = getComputedStyle(one);
    if (one.closest(":disabled") || position === "absolute") return true;
    if (getComputedStyle(one.parentElement).position === "absolute") return true;
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
    const style = [color, fontSize, fontWeight, groundOf(one)].join();
    return !seen.has(style) && seen.add(style);
  };
  for (const one of (within ? document.querySelector(within) : document.body).querySelectorAll("*")) {
    const measured = (one.matches("input, select, textarea") || says(one)) && isFirst(one);
    one.toggleAttribute("data-measured", Boolean(measured));
  }
}"""
# A long list that scrolls beside what is examined is emptied meanwhile, and keeps its size: where everything of a page
# lies is worked out before the first check, which took four fifths of the time. Where one stands in it stays: a script
# reads it aloud a moment later.
RUN = """async ([within, rules]) => {
  const emptied = [];
  for (const one of within ? document.querySelectorAll("main *") : []) {
    const { scrollHeight, clientHeight, clientWidth, scrollTop, style } = one;
    if (!clientHeight || scrollHeight <= clientHeight || getComputedStyle(one).overflowY === "visible") continue;
    if (one.closest(within) || one.querySelector(within) || one.querySelectorAll("*").length < 1000) continue;
    const current = one.querySelector("[aria-current]"), place = document.createComment("");
    current?.replaceWith(place);
    emptied.push([one, [...one.childNodes], style.width, style.height, scrollTop, current, place]);
    one.replaceChildren(...(current ? [current] : []));
    style.width = `${clientWidth}px`;
    style.height = `${clientHeight}px`;
  }
  const { violations, passes } = await axe.run(within ?? document, { ...rules, elementRef: true });
  for (const [one, nodes, width, height, scrollTop, current, place] of emptied) {
    one.replaceChildren(...nodes);
    if (current) place.replaceWith(current);
    Object.assign(one.style, { width, height });
    one.scrollTop = scrollTop;
  }
  return {
    violations: violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(
      ({ element, target, failureSummary }) => ({ html: element?.outerHTML ?? `${target}`, failureSummary })) })),
    passes: passes.map(({ id }) => ({ id })),
  };
}"""
BEHIND_A_BAR = "is partially obscured"  # a target that is large enough once it is scrolled from under a bar
BUT_COLOURS = OPTIONS | {"rules": {"color-contrast": {"enabled": False}}}  # which is most of the work on a drawn table
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, "resultTypes": ["violations"]}


@cache
def axe_script() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


class Examined(NamedTuple):
    """Findings of axe.

    faults: a line for each place. serious: the faults that keep people out. kept: rules that apply and hold.
    """

    faults: list[str]
    serious: list[str]
    kept: set[str]


def examine_page(page: Page, within: str | None = None, rules: dict[str, Any] = OPTIONS) -> Examined:
    """A page as it stands once it has loaded, or what is within an element of it."""
    page.wait_for_load_state()
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_script())
        page.evaluate(CONFIGURATION)
    page.evaluate(MARK_MEASURED, within)
    found: dict[str, Any] = page.evaluate(RUN, [within, rules])
    lines = [
        (
            fault["impact"],
            f"{fault['id']}: {node['html'][:160]} {(node.get('failureSummary') or '')[:200]} ({page.url})",
        )
        for fault in found["violations"]
        for node in fault["nodes"]
        if BEHIND_A_BAR not in (node.get("failureSummary") or "")
    ]
    return Examined(
        [line for _, line in lines],
        [line for impact, line in lines if impact in ("serious", "critical")],
        {value["id"] for value in found["passes"]},
    )


def faults(page: Page) -> list[str]:
    return examine_page(page).faults


def in_both_lights(page: Page, within: str | None = None) -> Examined:
    """The same, and in the dark what depends on colours: all else holds there if it holds in the light."""
    page.emulate_media(color_scheme="light")
    light = examine_page(page, within)
    page.emulate_media(color_scheme="dark")
    dark = examine_page(page, within, COLOURS)
    page.emulate_media(color_scheme="light")
    return Examined(light.faults + dark.faults, light.serious + dark.serious, light.kept)
