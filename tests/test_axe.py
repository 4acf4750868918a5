"""Axe is asked about the colours of each look of text: every kind of fault is found among many pieces without one."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.axe import colours, examined, in_both_lights

PAGE = """<!doctype html><html lang="en"><title>Looks</title><style>
  body { background: #fff; color: #222; font: 16px sans-serif } .pale { color: #ddd } .dark { background: #333 }
  .under { position: relative; height: 40px } .under > * { position: absolute; inset: 0 }
  .clip { height: 40px; overflow: auto } .low { opacity: .2 } .gone { visibility: hidden }
  @media (prefers-color-scheme: dark) { .night { color: #eee } }
</style><main><h1>Looks</h1><ul>%s</ul>%s</main></html>"""
ALIKE = "<li>As it should be</li>" * 40


@pytest.mark.parametrize("fault", [
    '<p class="pale">pale</p>',
    '<p class="dark">on the dark</p>',
    '<div class="dark"><div><p>on the dark far above</p></div></div>',
    '<div class="low"><p>faded with what it is in</p></div>',
    '<div class="under"><div class="dark"></div><p>over what is beside it</p></div>',
    '<p class="pale">x</p>' * 9 + '<p class="pale">after some of a letter</p>',
    '<p class="pale gone">hidden</p>' * 9 + '<p class="pale">after some that are hidden</p>',
    '<p class="pale" hidden>hidden</p>' * 9 + '<p class="pale">after some that are not there</p>',
    '<div class="clip"><ul>' + ALIKE + '</ul><p class="pale">scrolled away</p></div><p class="pale">after that</p>',
    '<label>Name <input class="pale" value="pale"></label>',
    '<p>As it should be, <b class="pale">and not</b></p>',
])
def test_text_that_does_not_stand_out_is_found_among_many_that_do(page: Page, fault: str) -> None:
    page.set_content(PAGE % (ALIKE, fault))
    (found,) = colours(page)["violations"]
    assert found["id"] == "color-contrast"
    assert examined(page).faults == examined(page, "main").faults != []
    assert examined(page, "ul").faults == []


def test_a_page_without_a_fault_has_none_and_says_what_was_asked(page: Page) -> None:
    page.set_content(PAGE % (ALIKE, "<p>In order</p>"))
    assert colours(page)["looks"] == 2, "the heading's and that of all others"
    found = examined(page)
    assert found.faults == [] and found.kept >= {"color-contrast", "list", "document-title"}


def test_what_is_pale_in_the_dark_alone_is_found_there(page: Page) -> None:
    page.set_content(PAGE % (ALIKE, '<p class="night">As it should be by day</p>'))
    assert examined(page).faults == []
    assert len(in_both_lights(page).faults) == 1


def test_other_rules_are_asked_of_everything(page: Page) -> None:
    page.set_content(PAGE % (ALIKE, '<img src="data:,"><button></button>'))
    assert {line.split(":")[0] for line in examined(page).faults} == {"image-alt", "button-name"}
