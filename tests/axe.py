"""What axe-core finds on a page that is open in a browser.

Of the rules that a page keeps one place each is told: to tell all took two thirds of the time. Whether text stands out
is asked of each look, not of each piece: to follow what lies under all of them took three quarters of what was left.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from axe_core_python.base import AXE_SCRIPT
from playwright.sync_api import Page

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = "color-contrast"
OPTIONS = {
    "runOnly": {"type": "tag", "values": LEVELS}, "resultTypes": ["violations"], "rules": {COLOURS: {"enabled": False}}}

# Pieces of text look alike if letters, and all that lies where their middle is, have the same colours. Where axe has no
# word on the first few of a look (hidden, too short, half covered), it is asked about all others of that look.
FEW = 4  # each costs little beside the looking through the page that precedes
EACH_LOOK = """async ([within, rule, few]) => {
  const shown = [...document.querySelectorAll("body, body *")].filter((one) => one.checkVisibility());
  const styles = new Map(shown.map((one) => [one, getComputedStyle(one)]));
  const painted = shown.filter((one) => {
    const { backgroundColor, backgroundImage, opacity, filter } = styles.get(one);
    return backgroundImage !== "none" || opacity !== "1" || filter !== "none" || one.matches("img, svg, canvas, video")
      || !/, 0\\)$|transparent/.test(backgroundColor);
  }).map((one) => {
    const { backgroundColor, backgroundImage, opacity, filter, position } = styles.get(one);
    return [one.getBoundingClientRect(), [backgroundColor, backgroundImage, opacity, filter, position].join()];
  });
  const written = (one) => one.matches("input, select, textarea")
    || [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const looks = new Map();
  for (const one of shown) {
    if (!written(one) || !one.closest(within)) continue;
    const { color, fontSize, fontWeight, textShadow } = styles.get(one);
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const beneath = painted.filter(([at]) => at.left <= x && x <= at.right && at.top <= y && y <= at.bottom);
    const look = [color, fontSize, fontWeight, textShadow, ...beneath.map(([, paint]) => paint)].join("|");
    looks.set(look, [...looks.get(look) ?? [], one]);
  }
  const asked = async (places) => {
    const none = { violations: [], passes: [] };
    const options = { runOnly: { type: "rule", values: [rule] }, elementRef: true };
    return places.length ? await axe.run({ include: places }, options) : none;
  };
  const firsts = await asked([...looks.values()].flatMap((alike) => alike.slice(0, few)));
  const told = new Set([...firsts.violations, ...firsts.passes].flatMap(({ nodes }) => nodes.map((at) => at.element)));
  const others = await asked([...looks.values()].flatMap(
    (alike) => alike.slice(0, few).some((one) => told.has(one)) ? [] : alike.slice(few)));
  const [violations, passes] = ["violations", "passes"].map((kind) => [...firsts[kind], ...others[kind]]);
  for (const node of violations.flatMap(({ nodes }) => nodes)) delete node.element;
  return { violations, passes: passes.map(({ id }) => ({ id })), looks: looks.size };
}"""


class Examined(NamedTuple):
    """faults: a line for each place. serious: those of them that keep somebody out. kept: rules that apply and hold."""

    faults: list[str]
    serious: list[str]
    kept: set[str]


def examined(page: Page, within: str | None = None) -> Examined:
    """A page as it stands once it has loaded, or what is within an element of it."""
    begin(page)
    rules: dict[str, Any] = page.evaluate(
        "async ([within, options]) => { const { violations, passes } = await axe.run(within ?? document, options);"
        " return { violations, passes: passes.map(({ id }) => ({ id })) } }", [within, OPTIONS])
    return told(page, rules, colours(page, within))


def colours(page: Page, within: str | None = None) -> dict[str, Any]:
    """What axe says of each look of text on a page, or within an element of it."""
    begin(page)
    found: dict[str, Any] = page.evaluate(EACH_LOOK, [within or "body", COLOURS, FEW])
    return found


def begin(page: Page) -> None:
    page.wait_for_load_state()
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(f"{AXE_SCRIPT}; 0")


def told(page: Page, *answers: dict[str, Any]) -> Examined:
    lines = [
        (fault["impact"],
         f"{fault['id']}: {node['html'][:160]} {(node.get('failureSummary') or '')[:200]} ({page.url})")
        for found in answers for fault in found["violations"] for node in fault["nodes"]]
    return Examined(
        [line for _, line in lines], [line for impact, line in lines if impact in ("serious", "critical")],
        {one["id"] for found in answers for one in found["passes"]})


def faults(page: Page) -> list[str]:
    return examined(page).faults


def in_both_lights(page: Page, within: str | None = None) -> Examined:
    """The same, and in the dark what depends on colours: all else holds there if it holds in the light."""
    page.emulate_media(color_scheme="light")
    light = examined(page, within)
    page.emulate_media(color_scheme="dark")
    dark = told(page, colours(page, within))
    page.emulate_media(color_scheme="light")
    return Examined(light.faults + dark.faults, light.serious + dark.serious, light.kept)
