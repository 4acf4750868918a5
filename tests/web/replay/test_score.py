"""The score sheet: totals, ranks, what each figure is made of, and when it is provisional."""

from __future__ import annotations

import re

from daybook.domain.commands import TakeBack
from daybook.services.play import period_scores
from daybook.web.words import rule_sentence
from tests.services.fixture_files import put_golden
from tests.web.conftest import NAMES, Opened, VisitedPage, Visitor


def sheet(game: Opened, **query: object) -> VisitedPage:
    return game.visitor().get(f"{game.path}/score", **query)


def play_to_end(open_game, seed: int = 3) -> Opened:
    game = open_game(public=True)
    game.play(400, seed)
    assert game.game.status == "closed"
    return game


def test_a_running_game_shows_how_it_stands_now(friday):
    friday.decide(0, type="develop", card="R2")
    page = sheet(friday)
    assert "Score sheet: as it stands now" in page.text
    assert "1 A Anna" in page.text
    assert "Money MP-5.1" in page.text
    assert "2 red certificates at $1 each MP-5.1" in page.text


def test_every_period_has_a_sheet_whose_lines_add_up(open_game):
    game = play_to_end(open_game)
    sheets = period_scores.score_sheets(game.book, game.book.games.get(game.id))
    assert len(sheets) > 2
    for item in sheets:
        page = Visitor(game.app).get(f"{game.path}/score", step=item.step)
        assert page.status == 200
        for account in page.html.split('<section class="account')[1:]:
            table = re.sub("</?a[^>]*>", "", account.partition("</table>")[0])
            amounts = [int(n) for n in re.findall(r'<td class="n">\$(-?\d+)</td>', table)]
            assert sum(amounts[:-1]) == amounts[-1]
        totals = [item.scores[seat].total for seat in range(3)]
        assert sorted(f"${total}" for total in totals) == sorted(
            re.findall(r'<td class="n"><a [^>]*>(\$-?\d+)</a></td></tr></tfoot>', page.html)
        )


def test_end_gives_its_reason_and_comes_first_when_closed(open_game):
    game = play_to_end(open_game)
    page = Visitor(game.app).get(f"{game.path}/score")
    assert "Score sheet: the end" in page.text
    assert re.search(r"(No one has developed|factory has reached level).* MP-4\.8\.\d", page.text)


def test_each_figure_opens_to_the_steps_that_made_it(friday):
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    friday.decide(-1, type="drawn", card="M1")
    friday.decide(-1, type="drawn", card="M1")
    friday.decide(1, type="develop", card="R2")
    page = sheet(friday)
    anna = next(part for part in page.html.split('<section class="account')[1:] if "Anna</bdi>" in part)
    stock = anna[anna.index("red certificates") :]
    made = stock[: stock.index("</details>")]
    assert f'href="{friday.path}?step=8"' in made
    assert "Anna develops R2: the factory is at level 1" in made
    assert f'href="{friday.path}?step=9"' not in made


def test_a_figure_that_nothing_made_is_as_it_was_at_the_start(friday):
    rule = rule_sentence("making_profit", "MP-5.1")
    assert f"Money MP-5.1 {rule} As it was at the start. $0" in sheet(friday).text


def test_money_shows_what_each_step_brought(friday):
    friday.decide(0, type="develop", card="M1")
    friday.decide(0, type="run")
    assert "9 Anna is paid for 2 certificates: 2 × $1 = $2 +2" in sheet(friday).text


def test_a_score_is_provisional_until_it_is_written_down(open_game):
    game = play_to_end(open_game)
    last = period_scores.score_sheets(game.book, game.book.games.get(game.id))[-1]
    page = Visitor(game.app).get(f"{game.path}/score")
    assert "Provisional" in page.text
    period_scores.store_scores(game.book, game.id, last.step)
    again = Visitor(game.app).get(f"{game.path}/score")
    assert "Provisional" not in again.text
    figures = re.compile(r'<td class="n">[^<]*</td>')
    assert figures.findall(page.html) == figures.findall(again.html)


def test_a_period_that_was_taken_back_has_no_sheet(friday):
    friday.decide(0, type="develop", card="M1")
    for seat in (0, 1, 2):
        friday.decide(seat, type="end_turn")
    ended = [item.step for item in period_scores.score_sheets(friday.book, friday.game)]
    friday.write(TakeBack(8, "table", "again"))
    assert len(ended) == 1
    for value in ended:
        assert sheet(friday, step=value).status == 404


def test_no_sheet_for_a_step_that_ended_nothing(friday):
    for step in (1, 99999, "x", ""):
        assert sheet(friday, step=step).status == (200 if step == "" else 404)


def test_the_score_tells_no_hidden_card(friday):
    """A line opens to steps as the reader may see them."""
    friday.decide(0, type="develop", card="M1")
    reader = friday.visitor("reader").get(f"{friday.path}/score")
    assert "draws R2" not in reader.text


# --- the ledger of a period ------------------------------------------------------------------------------------------


def ledger_of(page: VisitedPage) -> dict[str, list[tuple[str, str]]]:
    """The figures at the end of a period by their name, each seat's with what the period added."""
    table = page.html.split('<table class="ledger-table">')[1].partition("</table>")[0]
    return {
        label: re.findall(r'<td class="n">([^<]*)(?:<small>([^<]*)</small>)?</td>', row)
        for label, row in re.findall(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>', table, re.DOTALL)
    }


def test_the_sheet_of_a_decade_states_what_it_brought(book, app):
    """Portfolio with its sum, income, wages, machines, sales by good, bonuses, share value, contracts (WF-5.2)."""
    id = put_golden(book, "three-on-the-clyde", public=True)
    game = book.games.get(id)
    sheets = [
        each_item for each_item in period_scores.score_sheets(book, book.games.get(id)) if each_item.period == "decade"
    ]
    assert [item.number for item in sheets] == [1770, 1780, 1790, 1800, 1810]
    before = game.figures_at(0)[0]
    for sheet in sheets:
        page = Visitor(app).get(f"/games/{id}/score", step=sheet.step)
        ledger, now = ledger_of(page), game.figures_at(sheet.step)[0]
        held = [(player["shares"], player["space"]) for player in game.document_at(sheet.step)["players"]]
        for shares, space in held:
            assert re.search(rf"{shares} shares? × £\d+ \(space {space}\)", page.text)
        for label, column in {
            "Cash": "cash",
            "Portfolio": "portfolio",
            "Income from sales": "income",
            "Wages paid": "wages",
            "Upkeep paid": "upkeep",
            "Machines": "machines",
            "Food sold": "sold_food",
            "Lamps sold": "sold_lamps",
            "Appeal bonuses": "appeal_bonuses",
            "Share spaces gained": "spaces_up",
            "Final score" if sheet is sheets[-1] else "Would score": "score",
        }.items():
            if label not in ledger:
                assert not any(now[column]), label
                continue
            for seat, (value, by) in enumerate(ledger[label]):
                assert int(re.sub("[\u2060£]", "", value).replace("−", "-")) == now[column][seat]
                gained = now[column][seat] - before[column][seat]
                assert int(re.sub("[\u2060£+]", "", by).replace("−", "-") or 0) == gained, label
        before = now
    final = Visitor(app).get(f"/games/{id}/score")
    assert "Score sheet: the end" in final.text
    assert "The end of the game was reached in 1810. WF-4.24.5" in final.text


def test_every_penalty_of_the_end_has_a_line(open_game):
    """Contracts not fulfilled and factories still marked (WF-5.1.2, WF-5.1.3)."""
    game = open_game(("Anna", "Ben"), ruleset_id="water_frame", factories="predetermined", mat="predetermined")
    keeper = game.visitor()
    game.decide(-1, type="reveal_economy", importer=0, workers=1)
    game.decide(0, type="place", marker="stock_exchange", row=2, paid=2)
    game.decide(0, type="contract", good="food", space=4)
    page = keeper.get(f"{game.path}/score")
    assert "Contracts not fulfilled: 4 spaces back to 6, £6 a share WF-5.1.3" in page.text
    assert "−\u2060£32" in page.text, "8 shares at £10 are 8 at £6 then"
    assert "Places go by portfolio, then by cash (WF-5.2.2)" in page.text
    assert re.findall(r'class="rank">(\d)<', page.html) == ["1", "2"]
    assert page.text.index("Anna") < page.text.index("Ben"), "her portfolio is worth more; her total would be less"


def test_lines_of_a_card_game_score_explain_their_sums(open_game):
    game = open_game(NAMES, ruleset_id="arkwright_card", public=True)
    game.play(lambda played: any(player.shipping_tokens for player in played.board.players))
    page = game.visitor().get(f"{game.path}/score")
    score = game.game.ruleset.scoring.standing(game.game.board)[0]
    figures = {line.name: line.figures for line in score.lines}
    bought = figures["last_shares"]
    assert re.search(rf"buys {bought['count']} shares? × £{bought['value']}, £{bought['left']} left over", page.text)
    assert "Only whole shares can be bought" in page.text and "shipping tokens lower the share value once" in page.text
    seat = next(n for n, player in enumerate(game.game.board.players) if player.shipping_tokens)
    why = game.visitor().get(f"{game.path}/figure", at=f"/columns/score/{seat}")
    assert re.search(r"shipping tokens?: share value £\d lower, × \d+ shares?", why.text)
    assert "Points by round" in page.text or "Points by" not in page.text
    assert "this period" not in page.text and "the changes since the " in page.text
