"""Find letters of a page that overlap others, are cut off or stick to a change, measured by ink instead of line boxes.

    python -m tests.ink [--every 5] [--size 1280x900] [--theme light] [--zoom 1] [FIXTURE ...]

walks through recorded games and prints what it finds at each step; the exit status is 1 if that is anything. Its test
looks at a step that changed many figures.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests import pictures, servers
from tests.browsing import open_replay
from tests.services.fixture_files import put_golden

GAMES = ("four-mills", "four-boards", "market-day", "friday-four")
SIZES = ("1280x900", "768x1024", "390x844")

# Of each text the box of its ink by line: of the letters it has, by the font they are set in. What an ancestor cuts off
# counts where nobody can scroll to it and no "…" says so; what is hidden counts nowhere. Covered is what lies under a
# shape or a surface of the same place that is painted, where it is in view; lines of one text that "…" shortens are one.
FIND = r"""
(root) => {
  const pen = document.createElement("canvas").getContext("2d");
  const inks = [], cut = [], covered = [];
  const above = (place, holder, x, y) => {
    const top = document.elementFromPoint(x, y); // mostly the text itself: to find all that lies there takes much longer
    if (!top || top.contains(holder) || holder.contains(top)) return null;
    for (const one of document.elementsFromPoint(x, y)) {
      if (one.contains(holder) || holder.contains(one) || !place.contains(one) || one.textContent.trim()) return null;
      const { fill, fillOpacity, opacity, backgroundColor } = getComputedStyle(one);
      const painted = one instanceof SVGElement && one.localName !== "svg" ? fill : backgroundColor;
      if (painted !== "none" && !/^rgba.*, 0(\.\d+)?\)$/.test(painted) && Number(fillOpacity) * Number(opacity) > 0.9) return one;
    }
    return null;
  };
  const seen = { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true };
  for (const place of document.querySelectorAll(root)) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = node.parentElement, text = node.data.trim();
      if (!text || holder.closest(".aloud, title, option, script, symbol, [hidden]") || !holder.checkVisibility(seen)) continue;
      const style = getComputedStyle(holder);
      pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const letters = pen.measureText(text);
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        if (line.width < 1 || line.height < 1) continue;
        const scale = line.height / (letters.fontBoundingBoxAscent + letters.fontBoundingBoxDescent);
        const base = line.top + letters.fontBoundingBoxAscent * scale;
        const ink = {
          left: line.left, right: line.right,
          top: base - letters.actualBoundingBoxAscent * scale, bottom: base + letters.actualBoundingBoxDescent * scale,
        };
        const shown = { ...ink };
        let says = false;
        for (let above = holder; above && above !== document.body; above = above.parentElement) {
          const over = getComputedStyle(above);
          if (over.overflowX === "visible" || over.display === "inline" || over.display === "contents") continue;
          if (over.textOverflow === "ellipsis" || /auto|scroll/.test(over.overflowX + over.overflowY)) says = true;
          const box = above.getBoundingClientRect();
          shown.left = Math.max(shown.left, box.left); shown.right = Math.min(shown.right, box.right);
          shown.top = Math.max(shown.top, box.top); shown.bottom = Math.min(shown.bottom, box.bottom);
        }
        const name = `${holder.closest("[class]")?.getAttribute("class")?.split(" ").slice(0, 2).join(".") ?? holder.localName} “${text.slice(0, 24)}”`;
        const lost = Math.max(shown.left - ink.left, ink.right - shown.right, shown.top - ink.top, ink.bottom - shown.bottom);
        const aside = ink.right < 0 || shown.right - shown.left < 2 || shown.bottom - shown.top < 2; // for who listens
        if (lost > 1.5 && !says && !aside) cut.push(`cut off by ${lost.toFixed(1)} px: ${name}`);
        if (shown.right - shown.left <= 1 || shown.bottom - shown.top <= 1) continue;
        inks.push({ ...shown, name, node, place, says });
        const across = (shown.left + shown.right) / 2, down = (part) => shown.top + (shown.bottom - shown.top) * part;
        const over = [0.5, 0.2, 0.8].map((part) => above(place, holder, across, down(part))).find(Boolean);
        if (over) covered.push(`${name} under ${(over.closest("[class]") ?? over).getAttribute("class")}`);
      }
    }
  }
  inks.sort((one, other) => one.left - other.left);
  const over = [];
  inks.forEach((one, at) => {
    for (let next = at + 1; next < inks.length && inks[next].left < one.right - 1; next++) {
      const other = inks[next];
      const across = Math.min(one.right, other.right) - other.left;
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > 1 && down > 1 && one.place === other.place && !(one.node === other.node && one.says))
        over.push(`${one.name} over ${other.name}: ${across.toFixed(1)} × ${down.toFixed(1)} px`);
    }
  });
  const change = (ink) => ink.node.parentElement.closest(".delta"), isNumber = (ink) => /[\d£$]/.test(ink.node.data);
  const stuck = [];
  for (const one of inks.filter(change))
    for (const other of inks.filter((ink) => isNumber(ink) && change(ink) !== change(one) && ink.place === one.place)) {
      const gap = Math.max(other.left - one.right, one.left - other.right);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (gap < 3 && gap > -1 && down > 0.4 * Math.min(one.bottom - one.top, other.bottom - other.top))
        stuck.push(`${one.name} reads as one number with ${other.name}: ${gap.toFixed(1)} px apart`);
    }
  return [...cut, ...covered, ...over, ...stuck];
}
"""


def ink_faults(page: Page, root: str) -> list[str]:
    """Return overlapping and cut-off letters within each element of a selector."""
    found: list[str] = page.evaluate(FIND, root)
    return found


PLACES = ("#plate", ".replay-head", ".ledger-head")


def faults_by_step(page: Page, steps: Iterable[int], places: Sequence[str] = PLACES) -> dict[int, list[str]]:
    """Return the faults of an open replay at each of the steps."""
    found = {}
    for step in steps:
        page.locator("#scrubber").evaluate(
            "(field, step) => { field.value = step; field.dispatchEvent(new Event('input', {bubbles: true})); }", step
        )
        page.wait_for_function("step => document.querySelector('.caption .no').textContent == step", arg=step)
        page.evaluate("new Promise(next => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(next))))")
        faults = [fault for root in places for fault in ink_faults(page, root)]
        if faults:
            found[step] = faults
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tests.ink", description=__doc__.split("\n\n")[0])
    parser.add_argument("game", nargs="*", default=GAMES)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--size", action="append")
    parser.add_argument("--theme", default="light")
    parser.add_argument("--zoom", type=float, default=1.0, help="2: letters of 200 %%, on half the width")
    asked = parser.parse_args(arguments)
    faulty = 0
    with (
        tempfile.TemporaryDirectory() as data,
        pictures.serve_pages(Path(data)) as (book, _, base),
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=servers.chromium())
        for game in asked.game:
            record = put_golden(book, game, public=True)
            for size in asked.size or SIZES:
                width, height = (int(int(side) / asked.zoom) for side in size.split("x"))
                page = browser.new_page(
                    viewport={"width": width, "height": height},
                    device_scale_factor=asked.zoom,
                    color_scheme=asked.theme,
                    reduced_motion="reduce",
                )
                open_replay(page, f"{base}/games/{record}?step=0")
                newest = int(page.locator("#scrubber").get_attribute("max") or 0)
                found = faults_by_step(page, range(0, newest + 1, asked.every))
                faulty += len(found)
                print(f"{game} {size}: {len(found)} of {newest // asked.every + 1} steps")
                at = {fault: step for step, faults in found.items() for fault in faults}
                for fault, times in Counter(item for faults in found.values() for item in faults).most_common(40):
                    print(f"  {times:3} × {fault} (step {at[fault]})")
                page.close()
        browser.close()
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
