"""A sheet of paper to write a game on: of each game, and of one that is opened; printed on two pages."""

from __future__ import annotations

import re

import pytest

from daybook.domain.games import RULESETS
from tests.web.conftest import Visitor

PAGES = re.compile(rb"/Type\s*/Page\b")


def test_paper_sheet_of_each_game_has_its_words_and_its_address(app):
    assert all(rules.title in Visitor(app).get("/paper").text for rules in RULESETS.values())
    page = Visitor(app).get("/paper?game=making_profit")
    assert all(text in page.text for text in ("Buy a certificate", "Money", "/import", "Hands", "red"))
    assert Visitor(app).get("/paper?game=chess").status == 404


def test_a_sheet_of_an_opened_game_has_its_players(friday, app):
    page = friday.visitor().get(f"{friday.path}/paper")
    assert all(name in page.text for name in ("Anna", "Ben", "Cleo", f"{friday.path}/type"))
    assert Visitor(app).get(f"{friday.path}/paper").status == 403


@pytest.mark.parametrize("game", sorted(RULESETS))
def test_it_is_printed_on_two_pages(site, page, game):
    page.goto(f"{site}/paper?game={game}")
    assert len(PAGES.findall(page.pdf(prefer_css_page_size=True))) == 2
