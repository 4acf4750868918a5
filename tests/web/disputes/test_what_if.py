"""Private lines on the pages, with forms alone: made, continued, compared with the record, proposed, deleted."""

from __future__ import annotations

import pytest

from daybook.domain import disputes
from daybook.domain.games import RULESETS
from daybook.services.disputes import claims, forks
from daybook.services.files.import_export import export_game
from daybook.services.permissions import access
from daybook.services.store import read_models
from tests.web.conftest import Form, Opened, VisitedPage, Visitor


@pytest.fixture
def played_friday(friday: Opened) -> Opened:
    friday.play(14)
    return friday


def try_first_way(somebody: Visitor, page: VisitedPage) -> VisitedPage:
    """The first way that is offered, question by question."""
    for _ in range(12):
        form = next((form for form in page.forms if form.action.endswith("/play")), None)
        if form is not None:
            return somebody.send(form)
        page = somebody.get(next(href for _, href in page.links if "kind=" in href))
    raise AssertionError(page.text)


def a_line(somebody: Visitor, game: Opened, step: int, title: str = "") -> VisitedPage:
    form = somebody.get(f"{game.path}/what-if", step=step).form("Try it")
    assert form.fields["step"] == str(step)
    return somebody.send(form, title=title)


def test_what_if_leaves_the_game_and_the_record_unchanged(played_friday):
    before = export_game(played_friday.book, played_friday.id)
    keeper = played_friday.visitor()
    assert keeper.get(played_friday.path, step=9).form_to("/what-if").fields["step"] == "9"
    page = a_line(keeper, played_friday, 9, "if she had sold")
    assert page.status == 200 and "if she had sold" in page.text and "after step 9" in page.text
    page = try_first_way(keeper, page)
    page = keeper.send(page.form("1 move"), steps="10")
    assert "In the record" in page.text and "In this what-if" in page.text
    played_friday.update_list()
    assert export_game(played_friday.book, played_friday.id) == before
    assert [row.game for row in read_models.list_games(played_friday.book.views, played_friday.book.kept)] == [
        played_friday.id
    ]
    listed = keeper.get(f"{played_friday.path}/what-if")
    assert "if she had sold" in listed.text and "11 moves" in listed.text
    page = keeper.send(page.form("Undo the last move"), moves="2")
    assert "2 moves" in keeper.get(f"{played_friday.path}/what-if").text
    page = keeper.send(page.form("Delete this what-if"))
    assert "The what-if is deleted" in page.text and "if she had sold" not in page.text


def test_a_line_is_its_owners_alone(played_friday, open_game):
    played_friday.play(3000)
    anna, ben = played_friday.visitor("seat", 0), played_friday.visitor("seat", 1)
    page = a_line(anna, played_friday, 9, "mine")
    address = page.form("Delete this what-if").action.removesuffix("/throw-away")
    assert anna.get(address).status == 200
    for other in (ben, played_friday.visitor("reader"), played_friday.visitor()):
        assert other.get(address).status == 404
        assert other.post(f"{address}/throw-away").status == 404
        assert "mine" not in other.get(f"{played_friday.path}/what-if").text
    readers = [played_friday.visitor("reader") for _ in range(2)]  # two people with the same link
    page = a_line(readers[0], played_friday, 5, "a reader’s")
    assert "a reader’s" in readers[0].get(f"{played_friday.path}/what-if").text
    assert "a reader’s" not in readers[1].get(f"{played_friday.path}/what-if").text
    elsewhere = open_game(public=True)
    assert anna.get(address.replace(str(played_friday.id), str(elsewhere.id))).status in (403, 404)


def test_running_game_is_left_only_by_who_sees_every_hand(played_friday):
    for who, seat in (("seat", 0), ("reader", None)):
        somebody = played_friday.visitor(who, seat)
        assert "What if" not in [button for form in somebody.get(played_friday.path).forms for button in form.buttons]
        assert "viewers who see every hand" in somebody.get(f"{played_friday.path}/what-if").text
        assert somebody.post(f"{played_friday.path}/what-if", step="9").status == 403


def test_a_line_is_proposed_as_what_a_claim_should_be_ruled(played_friday):
    keeper = played_friday.visitor()
    page = keeper.send(a_line(keeper, played_friday, 9).form("1 move"), steps="1")
    assert "Propose it for a claim" not in page.text
    number = claims.raise_claim(
        played_friday.book, played_friday.id, 10, "another move", seat=1, by="seat:1", key="k" * 20
    ).step
    page = keeper.get(page.form("Delete this what-if").action.removesuffix("/throw-away"))
    page = keeper.send(page.form("Propose it"), why="so it should have gone")
    assert (
        "The scorekeeper proposes: Go back to" in page.text and "step 9" in page.text and "Then 1 decision" in page.text
    )
    proposal = disputes.claim_of(played_friday.game, number).proposal
    assert proposal is not None and proposal.to_step == 9 and len(proposal.moves) == 1
    for _ in range(3):
        page = keeper.send(keeper.get(f"{played_friday.path}/claims/{number}").form_to("/consent"))
    assert disputes.claim_of(played_friday.game, number).state == "closed"
    assert len([step for step in played_friday.game.line() if step > 9]) == 1


def test_made_up_moves_are_refused(played_friday):
    keeper = played_friday.visitor()
    page = a_line(keeper, played_friday, 9)
    address = page.form("Delete this what-if").action.removesuffix("/throw-away")
    assert keeper.post(f"{address}/play", seat="0", decision="{}").status == 400
    assert keeper.post(f"{address}/play", seat="0", decision="[]").status == 400
    assert keeper.post(f"{address}/play", seat="0", kind="nonsense").status == 400
    assert keeper.post(f"{address}/play-on", steps="7").status == 400
    idle = next(n for n in range(3) if n not in played_friday.game.ruleset.course.to_act(played_friday.game.board))
    refused = keeper.post(f"{address}/play", seat=str(idle), decision='{"type":"run"}')
    assert refused.status == 422 and 'role="alert"' in refused.html
    assert keeper.get(f"{played_friday.path}/what-if", step=999).status == 404


@pytest.mark.parametrize(
    "ruleset",
    [
        pytest.param(ruleset, marks=pytest.mark.drill if ruleset in ("water_frame", "score_sheet") else [])
        for ruleset in sorted(RULESETS)
    ],
)
def test_every_game_can_be_left_and_played_on(open_game, ruleset):
    names = ["Anna", "Ben", "Cleo", "Dora"][: RULESETS[ruleset].seats[-1]]
    game = open_game(names=names, ruleset_id=ruleset)
    game.play(25, seed=3)
    keeper = game.visitor()
    page = a_line(keeper, game, 6)
    assert page.status == 200, page.text
    forms: list[Form] = []
    for _ in range(6):
        if any(form.action.endswith("/play") for form in page.forms) or "kind=" in page.html:
            forms.append(page.form("1 move"))
            page = keeper.send(forms[-1], steps="10")
            assert page.status == 200
    owner = next(grant.id for grant in access.grants_of_game(game.book, game.id) if grant.role == "scorekeeper")
    (fork,) = forks.forks_of_owner(game.book, game.id, owner)
    assert len(fork.moves) >= 10


def test_an_auction_and_a_what_if_of_it_fit_a_phone(browser, site, open_game):
    game = open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="london_markets", hands="open")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    game.enter(page, site)
    for address in (page.url, f"{site}{game.path}/what-if?step={game.step}"):
        page.goto(address)
        if "what-if" in address:
            page.get_by_role("button", name="Try it").tap()
            page.locator(".tries .choices a.pick").first.tap()
        page.locator(".numbers, .steppers").first.wait_for()
        page.evaluate(TO_ELEVEN)
        assert page.evaluate(BESIDE_THE_SCREEN) == [], address
        assert page.evaluate(ROWS_OF_TABS) == 1, address
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
    context.close()


TO_ELEVEN = """() => {
  for (const row of document.querySelectorAll(".numbers > div"))
    while (row.children.length < 12) row.append(row.lastElementChild.cloneNode(true));
}"""
BESIDE_THE_SCREEN = """() => [...document.querySelectorAll(".numbers label, .seat-tabs [aria-current]")]
  .map((one) => one.getBoundingClientRect()).filter(({ left, right }) => left < 0 || right > innerWidth)"""
ROWS_OF_TABS = """() => new Set([...document.querySelectorAll(".seat-tabs a")]
  .map((one) => one.getBoundingClientRect().top)).size"""
