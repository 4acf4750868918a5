"""Count the pieces in front of players with forms alone, explain the count, and settle it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import BoardAdjusted, CountAccepted, TableCounted
from daybook.services.disputes.explain_count import MAX_SLIPS_PER_GROUP
from daybook.web.words import GAMES
from tests.web.conftest import Form, Opened, VisitedPage, Visitor
from tests.web.games.test_score_sheet import opened_by

MONEY = "/players/0/money"


def counting_form(page: VisitedPage) -> Form:
    return page.form("Save the count")


def count_more(game: Opened, visitor: Visitor, by: int = 5) -> VisitedPage:
    """Anna counts more than the record has."""
    return visitor.send(
        counting_form(visitor.get(f"{game.path}/count")),
        **{MONEY: str(game.game.document["players"][0]["money"] + by), "text": "after the second round"},
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_place_can_be_counted_in_every_game(open_game, ruleset):
    game = open_game(ruleset_id=ruleset)
    game.play(30)
    visitor = game.visitor()
    page = visitor.get(f"{game.path}/count")
    assert 'placeholder="[[' not in page.html, "nobody writes a list of lists"
    form = counting_form(page)
    places = [name for name in form.fields if name.startswith("/")]
    assert len(places) > 10
    number = next(name for name in places if name.startswith("/players/0/") and not name.endswith("/team"))
    page = visitor.send(form, **{number: "17"})
    assert page.status == 200, page.text
    event = game.game.entries[-1].event
    assert isinstance(event, TableCounted) and list(event.counted) == [number]


def test_a_bar_is_counted_where_it_lies_as_somebodys_or_nobodys(open_game):
    game = open_game(ruleset_id="london_markets")
    game.play(30)
    visitor = game.visitor()
    form = counting_form(visitor.get(f"{game.path}/count"))
    one, other = [name for name in form.fields if re.fullmatch("/stacks/[A-Z]+/0/0", name)][:2]
    page = visitor.send(form, **{one: "–", other: "1"})
    event = game.game.entries[-1].event
    assert isinstance(event, TableCounted) and event.counted == {one: None, other: 1}
    assert page.status == 200, page.text


def test_a_count_that_agrees_is_kept_and_shown(friday):
    visitor = friday.visitor()
    page = count_more(friday, visitor, 0)
    assert "Everything matches the record" in page.text
    assert "1 place was counted and agrees" in page.text
    for who in (friday.visitor("reader"), friday.visitor("seat", 1)):
        assert "Everything matches the record" in who.get(f"{friday.path}/count").text


def test_count_of_covered_purse_shows_difference_only_to_counter(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden", public=True)
    game.play(60)
    was = game.game.document["players"][0]["money"]
    page = count_more(game, game.visitor(), 5)
    assert "The record says something else" in page.text and "Everything matches" not in page.text
    assert f"{was}" in page.text and f"{was + 5}" in page.text and "What may explain it" in page.text
    step = game.step
    for who in (game.visitor("reader"), game.visitor("seat", 1)):
        listed = who.get(f"{game.path}/count").text
        assert "1 place differs" in listed and "Everything matches the record" not in listed
        told = who.get(f"{game.path}/counts/{step}").text
        assert "The record says something else" in told and "1 place differs that is not shown here" in told
        ledger = who.get(f"{game.path}?step={step}").text
        assert "the count matches the record" not in ledger and f"{was} → {was + 5}" not in ledger


def test_difference_is_explained_by_links_to_replay_and_fixes(open_game):
    game = open_game()
    game.play(40)
    visitor = game.visitor()
    before = game.game.document_at(39)["players"]
    seat = next((seat for seat in range(3) if before[seat]["money"] != game.game.document["players"][seat]["money"]), 0)
    steps = [
        (step, was, now)
        for step in game.game.line()[20:]
        for was, now in [getattr(game.game.entries[step].event, "changes", {}).get(f"/players/{seat}/money", [0, 0])]
        if was != now
    ]
    step, was, now = steps[-1]
    counted = game.game.document["players"][seat]["money"] - (now - was)
    page = visitor.send(counting_form(visitor.get(f"{game.path}/count")), **{f"/players/{seat}/money": str(counted)})
    assert "The record says something else" in page.text and "after the second round" not in page.text
    assert page.link(f"The gain of step {step} was never taken").endswith(f"?step={step}")
    pieces = [page]
    while onward := [href for says, href in pieces[-1].links if says.startswith("Check ") and "from=" in href]:
        pieces.append(visitor.get(onward[0]))
        assert pieces[-1].link("Start again with the newest step")
    assert "steps again for mistakes" in pieces[-1].text and "data-done" in pieces[-1].html
    assert all("data-next" in piece.html for piece in pieces[:-1]), "the search goes on by itself"
    assert all(
        ("No counts yet." in piece.html) == any(says.startswith("Check further back") for says, _ in piece.links)
        for piece in pieces
    ), "a search that goes on has not ended"
    for href in [href for says, href in page.links if says.startswith("Preview this correction")][:2]:
        assert "Both versions" in visitor.get(href).text


def test_a_search_that_has_ended_does_not_say_nothing_yet(friday):
    visitor = friday.visitor()
    page = count_more(friday, visitor, 997)
    while onward := [href for says, href in page.links if says.startswith("Check further back")]:
        assert "No counts yet." in page.text
        page = visitor.get(onward[0])
    assert "No counts yet." not in page.text and "No single mistake explains it" in page.text


def test_what_may_be_otherwise_is_said_with_a_perhaps(open_game):
    """An amount that a hundred steps could hold is named for none of them; what was paid is not called brought."""
    game = open_game()
    game.play(40)
    visitor = game.visitor()
    seat, paid = next(
        (seat, was - now)
        for entry in reversed(game.game.entries)
        for seat in range(3)
        for was, now in [getattr(entry.event, "changes", {}).get(f"/players/{seat}/money", [0, 0])]
        if was > now
    )
    path, money = f"/players/{seat}/money", game.game.document["players"][seat]["money"]
    page = visitor.send(counting_form(visitor.get(f"{game.path}/count")), **{path: str(money + paid)})
    assert re.search(r"The cost of step \d+ was never paid", page.text)
    slips = re.findall(
        r'<li data-weight="([^"]+)" data-alike="[^"]+"><p><span class="perhaps faded"( hidden)?>Perhaps:', page.html
    )
    weights = [float(weight) for weight, _ in slips]
    assert weights == sorted(weights, reverse=True) and weights
    sure = [float(weight) for weight, hidden in slips if hidden]
    unexplained = float(re.findall(r'data-unexplained="([^"]+)"', page.html)[0])
    assert len(sure) <= 1 and all(weight > unexplained for weight in sure)


def test_indistinguishable_steps_are_named_together(open_game):
    game = open_game(ruleset_id="london_markets")
    game.play(120)
    moved = Counter(
        (path, now - was)
        for entry in game.game.entries
        for path, (was, now) in getattr(entry.event, "changes", {}).items()
        if re.fullmatch("/players/[0-9]/money", path) and now > was
    )
    [((path, usual), times)] = moved.most_common(1)
    assert times > 1
    money = game.game.document["players"][int(path.split("/")[2])]["money"]
    visitor = game.visitor()
    page = visitor.send(counting_form(visitor.get(f"{game.path}/count")), **{path: str(money + usual)})
    first = next(part for part in page.html.split('<li data-weight="') if "was taken twice" in part)
    alike = first.partition('<div class="alike">')[2]
    assert "with the same result on the table" in alike
    assert 1 <= alike.count("was taken twice") < MAX_SLIPS_PER_GROUP


def test_the_record_follows_the_count(friday):
    visitor = friday.visitor()
    page = count_more(friday, visitor)
    done = visitor.send(page.form("Correct the board"), why="we counted twice")
    event = friday.game.entries[-1].event
    assert (
        isinstance(event, BoardAdjusted) and event.answers_step == friday.step - 1 and event.why == "we counted twice"
    )
    assert f"Settled by step {friday.step}" in done.text
    assert f"reply to step {friday.step - 1}" in visitor.get(friday.path, step=friday.step).text


def test_the_record_stays_as_it_is(friday):
    visitor = friday.visitor()
    page = count_more(friday, visitor)
    visitor.send(page.form("Accept the difference"), why="a coin under the table")
    event = friday.game.entries[-1].event
    assert isinstance(event, CountAccepted) and event.why == "a coin under the table"


def test_one_purse_is_asked_at_a_time(friday):
    html = friday.visitor().get(f"{friday.path}/count").html
    assert html.count('<details name="purse" data-purse') == html.count("data-next") + 1 == 4
    assert "data-purse open" not in html, "what every player has stands above, players across"
    assert "Next: Ben" in html


@pytest.mark.parametrize("ruleset", [id for id in RULESETS if GAMES[id].ledger.money])
def test_agreeing_row_is_one_tap_and_a_figure_may_have_its_coin(open_game, ruleset):
    game = open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id=ruleset)
    game.play(60)
    keeper = game.visitor()
    if RULESETS[ruleset].secrecy.veil is not None:
        html = keeper.get(f"{game.path}/count").html
        assert 'value="bars"' in html and 'value="money"' not in html, "nobody agrees with what nobody sees"
        assert keeper.send(counting_form(keeper.get(f"{game.path}/count")), agree="money").status == 422
        keeper.press(f"{game.path}/count", "Show money", veil="lifted")
    html = keeper.get(f"{game.path}/count").html
    cash = "cash" if ruleset == "water_frame" else "money"
    assert re.findall(r'name="agree" value="(\w+)"', html)[0] == cash
    was = [player[cash] for player in game.game.document["players"]]
    coin = "$" if ruleset == "making_profit" else "£"
    form = counting_form(keeper.get(f"{game.path}/count"))
    assert keeper.send(form, agree=cash, **{f"/players/1/{cash}": f" {coin}{was[1] + 3}"}).status == 200
    assert game.game.entries[-1].event.counted == {
        f"/players/{seat}/{cash}": had + 3 * (seat == 1) for seat, had in enumerate(was)
    }


def test_what_every_player_has_of_a_kind_stands_across_too(open_game):
    game = open_game()
    game.play(30)
    html = game.visitor().get(f"{game.path}/count").html
    across = html.partition("counts-across")[2].partition("</table>")[0]
    for color in ("red", "blue", "green"):
        assert f'name="/players/2/certificates/{color}"' in across
    assert across.index("/money") < across.index("/certificates/red")


@pytest.mark.parametrize(("ruleset", "figure"), [("water_frame", "workers"), ("arkwright_card", "side")])
def test_figures_of_a_good_are_counted_across_players(open_game, ruleset, figure):
    game = open_game(ruleset_id=ruleset)
    game.play(90)
    visitor = game.visitor()
    page = visitor.get(f"{game.path}/count")
    folds = re.findall(r'<details class="counts-of".*?</details>', page.html, re.S)
    assert len(folds) == 4, "one for each good"
    fold = next(part for part in folds if len(re.findall(rf'name="/players/./factories/\w+/{figure}"', part)) > 1)
    path = re.findall(rf'name="(/players/./factories/\w+/{figure})"', fold)[0]
    visitor.send(counting_form(page), **{path: "7, 1, 0, 0" if figure == "workers" else "2"})
    event = game.game.entries[-1].event
    assert isinstance(event, TableCounted)
    assert event.counted == {path: [7, 1, 0, 0] if figure == "workers" else 2}


def test_what_lies_on_the_mat_is_not_asked_of_the_players(open_game):
    """The mat has four rows, and four players sit there."""
    game = open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="water_frame", mat="predetermined")
    html = game.visitor().get(f"{game.path}/count").html
    assert html.rindex("<summary>") < html.index('name="/mat/0/markers"')


def test_nothing_counted_or_what_is_no_number_is_said(friday):
    visitor, step = friday.visitor(), friday.step
    form = counting_form(visitor.get(f"{friday.path}/count"))
    assert "at least one field" in visitor.send(form).text
    page = visitor.send(form, **{MONEY: "much"})
    assert page.status == 422 and "whole number" in page.text and friday.step == step


@pytest.mark.parametrize(("role", "seat"), [("seat", 0), ("reader", None)])
def test_only_the_scorekeeper_counts_and_settles(friday, role, seat):
    count = count_more(friday, friday.visitor())
    step, visitor = friday.step, friday.visitor(role, seat)
    assert count.status == 200
    assert visitor.post(f"{friday.path}/count", at=str(step), key="k", **{MONEY: "3"}).status == 403
    for settle in ("adjust", "accept"):
        sent = visitor.post(f"{friday.path}/counts/{step}/{settle}", at=str(step), key="k", why="x")
        assert sent.status == 403
    assert not [form for form in visitor.get(f"{friday.path}/counts/{step}").forms if "counts" in form.action]


def test_what_is_no_count_is_not_found(friday):
    assert friday.visitor().get(f"{friday.path}/counts/3").status == 404
    assert friday.visitor().get(f"{friday.path}/counts/999").status == 404


def test_a_count_is_tapped_in_on_keys_that_go_on_by_themselves(browser, site, friday):
    """One tap agrees with what is recorded; the device's own keyboard stays away."""
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}/count")
    cells, keys = page.locator(".counts-across input[inputmode]"), page.get_by_role("group", name="Figures")
    expect(keys).to_be_hidden()
    cells.first.tap()
    keys.get_by_role("button", name="=").tap()
    expect(cells.first).to_have_value(str(cells.first.get_attribute("placeholder")))
    expect(cells.nth(1)).to_be_focused()
    for key in ("1", "2", "Delete a digit", "7", "Next"):
        keys.get_by_role("button", name=key, exact=True).tap()
    expect(cells.nth(1)).to_have_value("17")
    expect(cells.nth(2)).to_be_focused()
    assert cells.nth(1).evaluate("cell => cell.inputMode") == "none"
    keys.get_by_role("button", name="Close").tap()
    expect(keys).to_be_hidden()
    stock, there = page.locator(".board [data-at='/bank/red']"), page.get_by_role("group", name="What is there")
    stock.tap()
    expect(there.locator("input")).to_be_focused()
    there.get_by_role("button", name="As recorded").tap()
    expect(there).to_be_hidden()
    expect(stock).to_have_class(re.compile(r"\bcounted\b"))
    field = page.locator("[data-purse] [name='/bank/red']")
    expect(field).to_have_value(str(field.get_attribute("placeholder")))
    page.context.close()


@pytest.mark.parametrize(("name", "groups"), [("Wingspan", []), ("Skull King", ["Round 1", "Round 2"])])
def test_sheet_is_counted_by_its_lines(app, book, visitor, name, groups):
    game = opened_by(app, book, visitor, name, "Anna", "Ben")
    lines = [line for line in game.game.board.lines if line.is_entered]
    for seat in range(2):
        for line in lines:
            game.decide(seat, type="enter", line=line.key, value=seat)
    if groups:
        game.decide(0, type="end_round")
    scorekeeper = game.visitor()
    page = scorekeeper.get(f"{game.path}/count")
    assert re.findall("<summary>(Round.*?)</summary>", page.html) == groups
    labels = re.findall(r"<span>([^<]*)</span></label></th>", page.html)
    assert labels[: len(lines)] == [line.name for line in lines]
    first, second = (f"/players/1/rounds/0/{line.key}" for line in lines[:2])
    shown = scorekeeper.send(counting_form(page), **{first: "–", second: "3"})
    event = game.game.entries[-1].event
    assert isinstance(event, TableCounted) and event.differences == {first: [1, None], second: [1, 3]}
    assert ("Ben: Birds, round 1" in shown.text, "Ben: Bid, round 1" in shown.text) == (False, bool(groups))
    _, changed = scorekeeper.get(f"{game.path}/why", step=1).html.split('<table class="changes">')
    assert ("round 1" in changed.split("</table>")[0]) == bool(groups)
    why = scorekeeper.get(f"{game.path}/figure", at="/columns/score/1").text
    assert "Set-up" not in why and ("Round 1" if groups else "Counted at the end") in why
