"""A finished game opens with the winner, the margin, the reason, and the next actions."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from flask import Flask
from playwright.sync_api import expect

from daybook.domain.commands import Reopen, TakeBack
from daybook.domain.kernel.terms import Outcome, Tiebreak, because
from daybook.services.permissions import access
from daybook.services.store.daybook import Daybook
from daybook.web.replay.turning_points import MomentShown, ScoreTurn, find_swings, select_decisive
from daybook.web.words import result_sentence
from tests.browsing import open_replay
from tests.services.fixture_files import put_golden
from tests.web.conftest import Opened

NAMES = ("Anna", "Bert", "Clara", "Dan")
CASH = Tiebreak("cash", "WF-5.1.5", (4, 9, 9, 9))


@pytest.mark.parametrize(
    ("ranks", "totals", "tiebreaks", "message"),
    [
        ((3, 1, 2), (90, 175, 122), (), "Bert wins with £175, £53 ahead of Clara"),
        ((1, 2, 2), (90, 80, 80), (), "Anna wins with £90, £10 ahead of Bert and Clara"),
        ((2, 1), (90, 90), (CASH,), "Bert wins with £90, level with Anna: cash decides"),
        ((1, 1, 3), (90, 90, 80), (), "Anna and Bert share the win with £90"),
        ((1, 1), (90, 90), (), "Anna and Bert share the win with £90"),
        ((1, 2), (90, 120), (), "Anna wins with £90, before Bert with £120"),
        ((2, 2), (90, 120), (), "No one wins"),
        ((1,), (90,), (), "Anna ends with £90"),
        ((2,), (0,), (), "Anna ends with £0"),
    ],
)
def test_the_result_says_who_won_and_by_how_much(app, ranks, totals, tiebreaks, message):
    outcome = Outcome("WF-4.24.5", because("end_of_game", "over"), ranks, tiebreaks)
    with app.test_request_context():
        assert result_sentence("water_frame", outcome, totals, NAMES) == message


@pytest.mark.parametrize(
    ("ranks", "unranked", "message"),
    [
        ((1, 2, 3), (2,), "Anna wins with £90, £80 ahead of Bert"),
        ((1, 2, 2), (1, 2), "Anna wins with £90; everyone else is out with loans"),
        ((3, 3, 3), (0, 1, 2), "No one wins"),
    ],
)
def test_who_is_out_with_loans_is_behind_nobody(app, ranks, unranked, message):
    outcome = Outcome("WF-4.24.5", because("end_of_game", "over"), ranks, unranked=unranked)
    with app.test_request_context():
        assert result_sentence("water_frame", outcome, (90, 10, 0), NAMES) == message


def test_summary_has_all_leads_and_largest_swings_in_order():
    found = [
        MomentShown(step, kind, 0, "", by, "", "", [], [])
        for step, kind, by in [(3, "swing", 9), (5, "swing", -4), (8, "swing", 30), (9, "lead", 2), (12, "swing", -20)]
    ]
    assert [moment.step for moment in select_decisive(found)] == [8, 9, 12]
    fall = MomentShown(20, "swing", 1, "", -3, "", "", [], [])
    assert [moment.step for moment in select_decisive([*found, fall])] == [8, 9, 20], "the loser’s fall"
    leads = [MomentShown(step, "lead", seat, "", 1, "", "", [], []) for step, seat in ((13, 1), (14, 0), (15, 1))]
    assert [moment.step for moment in select_decisive([*found, *leads])] == [8, 9, 13, 14, 15]
    assert select_decisive([]) == []


def test_ending_says_every_change_of_the_lead_once(bring, visitor):
    game = bring("market-day")
    ending = visitor.get(game.path).html.partition('class="ending-moments"')[2].partition("</ol>")[0]
    leads = re.findall(r"(\w+) takes the lead with £(\d+)", ending)
    assert leads == re.findall(r"(\w+) takes the lead with £(\d+)", visitor.get(f"{game.path}/moments").html)
    assert leads[-3:] == [("Ada", "24"), ("Carmen", "26"), ("Ada", "36")]
    assert all(before != after for (before, _), (after, _) in pairwise(leads)) and "Boris +" in ending


def test_swing_of_two_players_belongs_to_the_one_who_moved():
    assert find_swings([(1, (10, 10)), (2, (10, 3)), (3, (15, 3))]) == [
        ScoreTurn(2, "swing", 1, -7),
        ScoreTurn(3, "swing", 0, 5),
    ]


@pytest.fixture
def bring(book: Daybook, app: Flask) -> Callable[[str], Opened]:
    """A recorded game of the fixtures, by its name."""
    return lambda name: Opened(book, app, put_golden(book, name, public=True))


@pytest.mark.parametrize(
    ("name", "message", "why"),
    [
        ("four-mills", "Bert wins with £175, £55 ahead of Clara", "Clara has to sell 1 share: 1 × £28 = £28"),
        ("alone-and-second", "Cyril ends with £", "The better automa"),
    ],
)
def test_finished_game_and_score_sheet_begin_with_the_result(bring, visitor, name, message, why):
    game = bring(name)
    for page in (visitor.get(game.path), visitor.get(f"{game.path}/score")):
        ending = page.html.partition('class="ending"')[2].partition("</section>")[0]
        assert message in ending and why.casefold() in ending.casefold(), ending
        assert ending.count("data-step=") >= 3 and "again=" in ending
    assert ' hidden aria-labelledby="ending-says"' in visitor.get(game.path, step="3").html


@pytest.mark.parametrize("name", ["three-portfolios", "four-mills"])
def test_lines_under_each_player_add_up_to_the_total(bring, visitor, name):
    page = visitor.get(bring(name).path)
    places = [
        place.partition('class="ending-made"')[::2] for place in page.html.split('class="rank"')[1:] if "made" in place
    ]
    assert places
    for total, made in places:
        (amount,) = re.findall(r">(−?)[£$](\d+)</a>", total)
        parts = re.findall(r"<span>(−?)[£$](\d+)</span></li>", made)
        assert sum(int(sign.replace("−", "-") + number) for sign, number in parts) == int(amount[1]), made


def test_only_line_of_a_score_is_told_by_its_incomes(bring, visitor):
    game = bring("market-day")
    places = visitor.get(game.path).html.partition('class="ending-places"')[2].partition("</ol>")[0].split("</li></ul>")
    for place in places[:-1]:
        total, *parts = (int(sign.replace("−", "-") + n) for sign, n in re.findall(r">(−?)\u2060?£(\d+)<", place))
        assert total == sum(parts) and len(parts) > 1 and "Auction" in place and "Profit at markets" in place
    assert len(places) == 5
    page = visitor.get(f"{game.path}/score")
    assert "Total" not in page.html.partition('class="accounts"')[2].partition("</section>")[0]
    assert page.html.count("/figure?at=/columns/score/") >= 4


def test_moment_names_all_that_moved_the_score(bring, visitor):
    moments = visitor.get(f"{bring('three-portfolios').path}/moments").html
    assert (
        "Nanna pays £27 for food" in moments and "Money £45: buys 3 shares × £13, £6 left over (−\u2060£26)" in moments
    )
    assert "3 shipping tokens: share value £2 lower, × 15 shares (−\u2060£13)" in moments, "−£39 in all"


def test_who_ends_with_loans_is_shown_without_a_rank(bring):
    """WF-4.24.3: they have lost and leave the ranking; the record keeps the rank that closed the game."""
    game = bring("two-on-credit")
    access.make_grant(game.book, game.id, "scorekeeper")
    visitor = game.visitor()
    assert "Hamish wins with £175; everyone else is out with loans" in visitor.get(game.path).html
    for part in ("", "/score", "/record", "/receipt"):
        page = visitor.get(game.path + part).html
        assert "out with loans" in page and 'class="rank">2<' not in page, part
    assert [visitor.get(f"{game.path}/score").html.count(f'class="rank">{rank}<') for rank in ("1", "–")] == [2, 2]


def test_a_game_that_is_played_or_was_given_up_has_no_result(open_game, visitor):
    game = open_game(public=True)
    game.play(20, seed=3)
    assert 'id="ending"' not in visitor.get(game.path).html
    assert 'id="ending"' not in visitor.get(f"{game.path}/score").html


def test_finished_game_shows_its_end_before_it_is_closed(open_game, visitor):
    game = open_game(public=True)
    game.play(2000, seed=3)
    game.write(Reopen("A photo is missing"))
    html = visitor.get(game.path).html
    assert 'id="ending"' in html and "data-closes" not in html


def test_play_again_begins_with_the_same_people_in_the_same_way(bring, visitor):
    page = visitor.get("/new", game="water_frame", again=str(bring("four-mills").id))
    assert [f'value="{name}"' in page.html for name in ("Agnes", "Bert", "Clara", "Duncan")] == [True] * 4
    assert visitor.get("/new", game="water_frame", again="no-game").status == 404


def test_the_end_stands_above_the_table_while_its_step_is_shown(bring, site, page):
    open_replay(page, f"{site}{bring('short-duel').path}")
    ending = page.locator("#ending")
    caption = page.locator("#caption")  # at the end it would say again that the game is closed
    expect(ending).to_be_visible()
    expect(caption).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(ending).to_be_hidden()
    expect(caption).to_be_visible()
    page.keyboard.press("End")
    expect(ending).to_be_visible()


def test_viewer_reads_how_a_game_ended_until_it_is_taken_back(open_game, site, page):
    game = open_game(public=True)
    game.play(2000, seed=3)
    before = game.step - 3

    def back_to_the_last_turns(key: str) -> None:
        game.write(Reopen("The last turns were others"), key=key)
        game.write(TakeBack(before), key=f"{key}.back")

    back_to_the_last_turns("first")
    with page.expect_request("**/events?*"):
        page.goto(f"{site}{game.path}")
    ending = page.locator("#ending")
    expect(ending).to_have_count(0)
    game.play(2000, seed=4)
    expect(ending).to_be_visible()
    expect(ending.get_by_role("button", name="Share")).to_be_visible()
    back_to_the_last_turns("second")
    expect(ending).to_have_count(0)


def test_replay_button_plays_without_telling_the_end(bring, site, browser):
    game = bring("short-duel")
    with browser.new_context(reduced_motion="no-preference") as context:
        _play_to_the_end(context.new_page(), site, game)


def _play_to_the_end(page, site, game):
    page.goto(f"{site}{game.path}")
    page.locator("#ending").get_by_role("link", name="Replay").click()
    expect(page.locator("#play")).to_have_accessible_name("Pause")
    expect(page.locator("#where")).to_have_text(re.compile(r"^step [1-9]"))
    expect(page.locator("#charts .ends:visible")).to_have_count(0)
    expect(page.locator(f"#step-{game.step}")).not_to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press("End")
    expect(page.locator("#charts .ends:visible")).to_have_count(1)
    expect(page.locator("#ending")).to_be_visible()


def test_replay_waits_with_less_motion_and_says_so(bring, site, browser):
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        open_replay(page, f"{site}{bring('short-duel').path}?step=0#play")
        expect(page.get_by_text("Your device asks for less motion")).to_be_visible()
        expect(page.locator("#where")).to_have_text(re.compile("^step 0"))
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_text("Your device asks for less motion")).not_to_be_visible()
        expect(page.locator("#where")).to_have_text(re.compile("^step [1-9]"))
