"""The pages that a device alone has, and some of all that it shares with a server: in both lights, at two widths."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.axe import BUT_COLOURS, examine_page, in_both_lights
from tests.here.phone import PHONE, frame_of
from tests.here.test_device import begin_game

pytestmark = [pytest.mark.drill, pytest.mark.server]

IN_THE_FRAME = ("landmark-one-main", "page-has-heading-one")  # what the shell leaves to the page that it shows
DESKTOP = {"width": 1280, "height": 900}
BOTH = [PHONE, DESKTOP]


def faults_at(page: Page, *sizes: dict[str, int]) -> list[str]:
    """Return faults in both lights at the first size; other sizes have the same elements and colours."""
    found = []
    for size in sizes:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        found += in_both_lights(page).faults if size is sizes[0] else examine_page(page, rules=BUT_COLOURS).faults
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append(f"{page.url} is wider than {size['width']}")
    return found


def test_pages_of_a_device_keep_nobody_out(shell, address):
    game = begin_game(shell, frame_of(shell), address)
    page = shell.context.new_page()  # its pages come from the shell in the other tab
    found = []
    for path, sizes in (  # the others are examined at both widths where a server shows them
        ("device", BOTH),
        (f"games/{game}/receipt", BOTH),
        ("check", BOTH),
        (f"games/{game}/record", [PHONE]),
        (f"games/{game}", [PHONE]),
    ):
        page.goto(f"{address}app/{path}")
        expect(page.locator("h1").first).to_be_visible()
        for details in page.locator("details.delete-one").all():
            details.evaluate("one => { one.open = true; }")
        found += faults_at(page, *sizes)
    page.goto(address)
    expect(page.locator("#state")).to_have_text("Daybook is open in another tab of this device.")
    found += faults_at(page, *BOTH)
    page.close()
    assert frame_of(shell)
    found += [fault for fault in faults_at(shell, PHONE) if not fault.startswith(IN_THE_FRAME)]
    assert found == [], "\n".join(found)
