"""The score sheet: totals, ranks, what each figure is made of, and when it is provisional."""

from __future__ import annotations

import re

from services import record, score
from tests.web.conftest import Opened, Page, Visitor


def sheet(game: Opened, **query: object) -> Page:
    return game.visitor().get(f"{game.path}/score", **query)


def finished(open_game, seed: int = 3) -> Opened:
    game = open_game(public=True)
    game.play(400, seed)
    assert game.game.status == "closed"
    return game


def test_a_running_game_shows_how_it_stands_now(friday: Opened) -> None:
    friday.decide(0, type="develop", card="R2")
    page = sheet(friday)
    assert "Score sheet: as it stands now" in page.text
    assert "1 A Anna" in page.text
    assert "money MP-5.1" in page.text
    assert "2 red certificates at $1 each MP-5.1" in page.text


def test_every_ended_period_and_the_end_have_a_sheet_whose_lines_add_up(open_game) -> None:
    game = finished(open_game)
    sheets = score.score_sheets(game.book, game.id)
    assert len(sheets) > 2
    for one in sheets:
        page = Visitor(game.app).get(f"{game.path}/score", step=one.step)
        assert page.status == 200
        for account in page.html.split('<section class="account')[1:]:
            amounts = [int(n) for n in re.findall(r'<td class="n">\$(-?\d+)</td>', account)]
            assert sum(amounts[:-1]) == amounts[-1]
        totals = [one.scores[seat].total for seat in range(3)]
        assert sorted(f"${total}" for total in totals) == sorted(
            re.findall(r'<td class="n">(\$-?\d+)</td></tr></tfoot>', page.html))


def test_the_end_says_why_the_game_ended_and_is_shown_first_when_closed(open_game) -> None:
    game = finished(open_game)
    page = Visitor(game.app).get(f"{game.path}/score")
    assert "Score sheet: the end" in page.text
    assert re.search(r"(Nobody has developed|factory has reached level).* MP-4\.8\.\d", page.text)


def test_each_figure_opens_to_the_steps_that_made_it(friday: Opened) -> None:
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    friday.decide(-1, type="drawn", card="M1")
    friday.decide(-1, type="drawn", card="M1")
    friday.decide(1, type="develop", card="R2")
    page = sheet(friday)
    anna = next(part for part in page.html.split('<section class="account')[1:] if "Anna</bdi>" in part)
    stock = anna[anna.index("red certificates"):]
    made = stock[: stock.index("</details>")]
    assert f'href="{friday.path}?step=8"' in made
    assert "Anna develops R2: the factory is at level 1" in made
    assert f'href="{friday.path}?step=9"' not in made


def test_a_figure_that_nothing_made_is_as_it_was_at_the_start(friday: Opened) -> None:
    assert "money MP-5.1 As it was at the start. $0" in sheet(friday).text


def test_money_shows_what_each_step_brought(friday: Opened) -> None:
    friday.decide(0, type="develop", card="M1")
    friday.decide(0, type="run")
    assert "9 Anna runs the factory: $1 for each certificate, 0 cards +2" in sheet(friday).text


def test_a_score_is_provisional_until_it_is_written_down(open_game) -> None:
    game = finished(open_game)
    last = score.score_sheets(game.book, game.id)[-1]
    page = Visitor(game.app).get(f"{game.path}/score")
    assert "Provisional" in page.text
    score.settle(game.book, game.id, last.step)
    again = Visitor(game.app).get(f"{game.path}/score")
    assert "Provisional" not in again.text
    figures = re.compile(r'<td class="n">[^<]*</td>')
    assert figures.findall(page.html) == figures.findall(again.html)


def test_a_period_that_was_taken_back_has_no_sheet(friday: Opened) -> None:
    friday.decide(0, type="develop", card="M1")
    for seat in (0, 1, 2):
        friday.decide(seat, type="end_turn")
    ended = [one.step for one in score.score_sheets(friday.book, friday.id)]
    record.take_back(friday.book, friday.id, 8, "table", "again", at=friday.step, by="scorekeeper", key="k")
    assert len(ended) == 1
    for one in ended:
        assert sheet(friday, step=one).status == 404


def test_no_sheet_for_a_step_that_ended_nothing(friday: Opened) -> None:
    for step in (1, 99999, "x", ""):
        assert sheet(friday, step=step).status == (200 if step == "" else 404)


def test_the_score_tells_no_hidden_card(friday: Opened) -> None:
    """A line opens to steps as the reader may see them."""
    friday.decide(0, type="develop", card="M1")
    reader = friday.visitor("reader").get(f"{friday.path}/score")
    assert "draws R2" not in reader.text
