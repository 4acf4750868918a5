"""The log of a club on a page: its plays by day, filters, pages, and what strangers see of it."""

from __future__ import annotations

import re

import pytest

from daybook.domain.league.club_commands import EnterResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails
from tests.played import update_results
from tests.web.conftest import Visitor
from tests.web.leagues import PASSWORD, ClubAtHand

TABLE = "date,game,players,scores,winner,location\n2026-05-01,Azul,Olga; Zoe,44; 45,Zoe,Hafen\n2026-05-03,Go,Olga; Zoe,1; 0,Olga,Home\n"


@pytest.fixture
def mill(book, app):
    return ClubAtHand(book, app)


def bring(mill):
    olga = mill.signed_in()
    page = olga.press(f"{mill.path}/import", "Preview the import", text=TABLE)
    olga.send(page.form("Add 2 plays"))
    update_results(mill.book)
    return olga


def log_of(page):
    """Return the text of the list alone, without what its filters offer."""
    part = page.html.split('id="plays"')[1].split("</main>")[0]
    return " ".join(re.sub("<[^>]*>", " ", part).split())


def test_log_shows_plays_by_day_with_scores(mill):
    page = bring(mill).get(f"{mill.path}/plays")
    assert "2 plays" in page.text
    assert log_of(page).index("Go") < log_of(page).index("Azul")
    assert "imported from CSV · Hafen" in page.text and "1 Zoe 45 2 Olga 44" in log_of(page)
    assert "This result has no record" in mill.signed_in().get(page.link("Azul")).text


def test_filters_of_the_address_narrow_the_log(mill):
    olga = bring(mill)
    for query, shown, hidden in (
        ({"q": "azu"}, "Azul", "Home"),
        ({"q": "zoe haf"}, "Azul", "Home"),
        ({"game": ":Go"}, "Home", "Hafen ·"),
        ({"place": "Home"}, "Go", "45"),
        ({"kind": "imported", "source": "table"}, "2 plays", "No play"),
        ({"kind": "no such kind"}, "2 plays", "No play"),
        ({"year": "1999"}, "No play matches these filters", "1 Zoe"),
        ({"after": "nowhere.1"}, "2 plays", "No play"),
    ):
        text = log_of(olga.get(f"{mill.path}/plays", **query))
        assert shown in text and hidden not in text, query


def test_chosen_filter_stays_in_its_list(mill):
    olga = bring(mill)
    page = olga.get(f"{mill.path}/plays", place="Nowhere", game=":Nothing", mark="walkover")
    for value in ("Nowhere", ":Nothing", "walkover"):
        assert f'<option value="{value}" selected>' in page.html


def test_long_log_has_pages_that_keep_the_filter(mill):
    olga = mill.signed_in()
    for number in range(60):
        placed = (Placed(mill.olga, None, 1, number), Placed("zoe", None, 2, 0))
        mill.by_olga(
            EnterResult(
                BESIDE,
                ":Go",
                placed,
                ended_at=f"2026-0{1 + number // 28}-{1 + number % 28:02}T10:00:00.000Z",
                guests={"zoe": "Zoe"},
                details=PlayDetails(place="Home"),
            )
        )
    update_results(mill.book)
    first = olga.get(f"{mill.path}/plays", place="Home")
    assert "60 plays" in first.text and first.html.count('class="table-row"') == 50
    second = olga.get(first.link("More"))
    assert second.html.count('class="table-row"') == 10 and "The first page" in second.text


def test_person_page_lists_plays_with_game_and_link(mill):
    olga = bring(mill)
    page = olga.get(f"{mill.path}/people/{mill.olga}")
    assert "imported from CSV" in page.text
    assert "Azul" in olga.get(page.link("Find plays by game, place and year")).text
    favourite = olga.get(page.link("Azul"))
    assert "This result has no record" in olga.get(favourite.link("Azul")).text


def test_person_page_has_a_head_and_tabs(mill):
    olga = bring(mill)
    page = olga.get(f"{mill.path}/people/{mill.olga}")
    for figure in ("Played 2", "Won 1", "Favourite game Azul", "Nemesis Zoe 1 of 2 games", "H-index 1"):
        assert figure in page.text, figure
    assert "Azul 1 0" in olga.get(f"{mill.path}/people/{mill.olga}?tab=games").text
    assert "Zoe 2 1 1" in olga.get(page.link("Opponents")).text
    assert olga.get(f"{mill.path}/people/{mill.olga}?tab=nothing").text == page.text


def test_club_and_game_pages_show_figures_of_plays(mill):
    olga = bring(mill)
    club = olga.get(mill.path)
    assert "Most played Azul 1 play Go 1 play" in club.text and "Most wins" in club.text
    game = olga.get(club.link("Azul"))
    for figure in ("Average score 44.5", "Median score 44.5", "Best score 45 Zoe", "Worst score 44", "Takes to win 45"):
        assert figure in game.text, figure
    statistics = olga.get(f"{mill.path}/statistics").text
    for figure in ("Plays 2", "Games 2", "Longest unplayed Azul", "Plays by weekday", "Friday 1", "May 2"):
        assert figure in statistics, figure


def test_empty_log_says_what_to_do(mill):
    page = mill.signed_in().get(f"{mill.path}/plays")
    assert "No play yet" in page.text and page.link("Log a play") and page.link("Import and export")


def test_log_of_a_members_club_is_closed_to_strangers(mill):
    bring(mill)
    assert Visitor(mill.app).client.get(f"{mill.path}/plays").status_code in (302, 303, 403)


@pytest.mark.server
def test_typing_a_word_filters_the_log_at_once(mill, browser, site):
    bring(mill)
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{site}/sign-in")
    page.get_by_label("Sign-in name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Olga").wait_for()
    page.goto(f"{site}{mill.path}/plays")
    page.get_by_role("searchbox").press_sequentially("azul")
    page.get_by_text("1 play").wait_for()
    assert page.get_by_role("link", name="Go", exact=True).count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert "q=azul" in page.url
    page.context.close()


def test_log_is_linked_by_game_place_and_day(mill):
    olga = bring(mill)
    page = olga.get(olga.get(f"{mill.path}/plays").link("Azul"))
    assert "1 play ·" in log_of(olga.get(page.link("All plays of this game")))
    assert "Azul" in log_of(olga.get(page.link("All plays at this place")))
    day = log_of(olga.get(f"{mill.path}/plays", day="2026-05-03"))
    assert "Go" in day and "Azul" not in day
    assert "No play matches" in log_of(olga.get(f"{mill.path}/plays", day="2026-05-33"))


def test_possible_duplicate_is_merged_and_split_on_the_page(mill):
    olga = bring(mill)
    zoe = next(p for p in mill.club.everybody() if p != mill.olga)
    placed = (Placed(mill.olga, 0, 2, 44), Placed(zoe, 1, 1, 46))
    mill.by_olga(
        EnterResult(BESIDE, ":Azul", placed, ended_at="2026-05-02T00:00:00.000Z", details=PlayDetails(minutes=50))
    )
    update_results(mill.book)
    imported = next(table for table in mill.club.beside.tables.values() if table.source and table.ruleset == ":Azul")
    page = olga.get(f"{mill.path}/seasons/beside/tables/{imported.id}")
    assert "Possible duplicates 1" in page.text and "Zoe ★ 46" in page.text
    page = olga.send(page.form("These are one play"))
    assert "These are one play now" in page.text and "50" in page.text and "One play from several sources" in page.text
    update_results(mill.book)
    assert "2 plays" in log_of(olga.get(f"{mill.path}/plays"))
    gone = next(iter(mill.club.beside.set_aside))
    assert "Azul" in olga.get(f"{mill.path}/seasons/beside/tables/{gone}").text, "the old address shows the play"
    olga.send(page.form("Make it two plays"))
    update_results(mill.book)
    assert "3 plays" in log_of(olga.get(f"{mill.path}/plays"))
