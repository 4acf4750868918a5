"""Share addresses: what they open, what they never open, and how they end."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import UUID

import pytest

from daybook.domain.commands import Abandon
from daybook.services.permissions import access
from daybook.services.statistics import visibility
from daybook.web.request.access import SHARES_LIMIT
from tests.played import play
from tests.web.conftest import OF_OUR_PAGE, Opened, Visitor, with_three_unseen_cards

PREVIEW = " Save the picture"  # which only a page with a picture for others offers


def share(game: Opened) -> str:
    """The path of a game's share address."""
    return f"/s/{access.share_game(game.book, game.id).id}"


@pytest.fixture
def hidden(open_game: Callable[..., Opened]) -> Opened:
    return with_three_unseen_cards(open_game)


def test_share_address_opens_for_a_stranger_and_links_on(friday):
    stranger, path = Visitor(friday.app), share(friday)
    assert re.fullmatch(r"/s/[\w-]{22}", path, re.ASCII)
    assert stranger.get(friday.path).status == 403
    page = stranger.get(path)
    assert (page.status, page.answer.headers["X-Robots-Tag"]) == (200, "noindex")
    for other in ("", "/score", "/about", "/board.svg", "/claims"):
        assert stranger.get(f"{friday.path}{other}").status == 200, other
    assert stranger.get(f"{friday.path}/record").status == 403
    assert stranger.get("/").answer.status_code == 200


def test_share_box_of_a_finished_game_promises_no_hidden_hands(book, open_game):
    game = open_game(hands="hidden")
    keeper = game.visitor()
    assert "Hands stay hidden until it ends" in keeper.get(game.path).html
    play(book, game.id, seed=4, close=True)
    page = keeper.get(game.path)
    assert "can watch and replay the game. It records nothing." in page.html and "Hands stay hidden" not in page.html


def test_share_address_is_one_per_game_until_revoked(friday, open_game):
    first = share(friday)
    assert (share(friday), share(open_game(title="Saturday")) == first) == (first, False)
    access.revoke(friday.book, first.removeprefix("/s/"))
    assert share(friday) != first


def test_share_address_shows_no_covered_card(hidden):
    stranger, reader, path = Visitor(hidden.app), hidden.visitor("reader"), share(hidden)
    stranger.get(path)
    for page in ("", "?view=all", "?view=0", "/score", "/claims", "/book"):
        seen, others = (who.get(f"{hidden.path}{page}") for who in (stranger, reader))
        assert (seen.status, seen.text.replace(PREVIEW, "")) == (others.status, others.text), page
    for refused in ("/export", "/transcript", "/links", "/pen", "/correct", "/type"):
        assert stranger.get(f"{hidden.path}{refused}").status in (403, 404), refused


def test_share_address_writes_nothing(app, hidden):
    stranger, steps = Visitor(app), hidden.game.step
    stranger.get(share(hidden))
    values = {
        "game_id": hidden.id,
        "number": 0,
        "step": 0,
        "seat": 0,
        "fork": "x",
        "hash": "0" * 64,
        "other_id": UUID(int=1),
    }
    statuses = {}
    for rule in app.url_map.iter_rules():
        if "POST" in rule.methods and "game_id" in rule.arguments and not rule.endpoint.startswith(("api", "checking")):
            _, path = rule.build({name: values.get(name, 0) for name in rule.arguments})
            if path.startswith("/games/"):
                statuses[path] = stranger.client.post(path, headers=OF_OUR_PAGE).status_code
    assert len(statuses) > 30
    assert {path: status for path, status in statuses.items() if status not in (400, 401, 403, 404, 409, 422)} == {}
    assert hidden.game.step == steps


def test_share_address_follows_the_end_of_a_hidden_game(hidden):
    stranger, path = Visitor(hidden.app), share(hidden)
    assert "everything" not in stranger.get(path).text
    hidden.write(Abandon("late"))
    assert stranger.get(f"{hidden.path}/export").status == 403, "giving up lays nothing open"


def test_revoked_share_address_opens_nothing_at_once(friday):
    stranger, path = Visitor(friday.app), share(friday)
    assert stranger.get(path).status == 200
    keeper = friday.visitor()
    assert keeper.post(f"{friday.path}/share/end").status == 200
    assert (stranger.get(path).status, stranger.get(friday.path).status) == (404, 403)
    assert stranger.client.get(f"{path}/steps/0.png").status_code == 404


@pytest.mark.parametrize("role", ["scorekeeper", "seat", "reader"])
def test_id_of_a_link_is_not_a_share_address(friday, role):
    grants = [grant for grant in access.grants_of_game(friday.book, friday.id) if grant.role == role]
    assert grants
    assert {Visitor(friday.app).get(f"/s/{grant.id}").status for grant in grants} == {404}


def test_share_address_is_not_a_key(friday):
    id = share(friday).removeprefix("/s/")
    assert Visitor(friday.app).client.post("/join", data={"key": id}, headers=OF_OUR_PAGE).status_code == 403
    answer = Visitor(friday.app).client.get(f"/api/v1{friday.path}", headers={"Authorization": f"Bearer {id}"})
    assert answer.status_code == 401


def test_many_share_addresses_leave_the_links_of_a_browser(friday, open_game):
    keeper = friday.visitor()
    paths = [share(open_game(title=f"Game {number}")) for number in range(SHARES_LIMIT + 2)]
    assert {keeper.get(path).status for path in paths} == {200}
    assert keeper.get(f"{friday.path}/record").status == 200
    assert {keeper.get(path).status for path in paths} == {200}, "an address opens again at any time"


def test_share_address_has_preview_and_picture_without_cookie(friday):
    path = share(friday)
    html = Visitor(friday.app).get(path).html
    assert f'property="og:url" content="http://localhost{path}"' in html
    picture = re.search(r'og:image" content="http://localhost(/s/[^"]+)"', html)
    answer = Visitor(friday.app).client.get(picture[1])
    assert (answer.status_code, answer.mimetype) == (200, "image/png")


def test_links_page_creates_shows_and_ends_the_share_address(friday):
    keeper, where = friday.visitor(), f"{friday.path}/links"
    assert "Create a share address" in keeper.get(where).text
    page = keeper.post(f"{friday.path}/share")
    assert f"http://localhost{share(friday)}" in page.html
    assert "Create a share address" in keeper.post(f"{friday.path}/share/end").text
    for role, seat in (("seat", 0), ("reader", None)):
        for action in ("share", "share/end"):
            assert (
                friday.visitor(role, seat).client.post(f"{friday.path}/{action}", headers=OF_OUR_PAGE).status_code
                == 403
            )


def test_script_gets_the_share_address_as_json(friday):
    keeper = friday.visitor()
    headers = OF_OUR_PAGE | {"Accept": "application/json"}
    answer = keeper.client.post(f"{friday.path}/share", headers=headers)
    assert answer.json == {"address": f"http://localhost{share(friday)}"}


def test_program_shares_a_game_and_ends_it(friday):
    keeper = {"Authorization": f"Bearer {friday.key('scorekeeper')}"}
    seat = {"Authorization": f"Bearer {friday.key('seat', 0)}"}
    where, client = f"/api/v1{friday.path}/share", friday.app.test_client()
    assert [client.post(where, headers=headers).status_code for headers in ({}, seat)] == [401, 403]
    address = client.post(where, headers=keeper).json["address"]
    assert (address, client.post(where, headers=keeper).json["address"]) == (
        f"http://localhost{share(friday)}",
        address,
    )
    assert client.delete(where, headers=seat).status_code == 403
    assert client.delete(where, headers=keeper).json == {"address": ""}
    assert Visitor(friday.app).get(address.removeprefix("http://localhost")).status == 404


def test_keeper_who_opens_the_share_address_still_records(friday):
    keeper = friday.visitor()
    assert keeper.get(share(friday)).status == 200
    assert keeper.get(f"{friday.path}/record").status == 200


def offer_on(visitor: Visitor, path: str) -> dict[str, str]:
    """Return the data attributes of a page's Share button; empty without a button."""
    page = visitor.get(path).answer.text
    button = re.search(r"<span class=\"share no-print\" ([^>]*)>", page)
    return dict(re.findall(r"data-(\w+)(?:=\"([^\"]*)\")?", button[1])) if button else {}


def test_share_of_a_private_game_never_sends_the_bare_address(friday):
    keeper, seat, reader = (friday.visitor("scorekeeper"), friday.visitor("seat", 0), friday.visitor("reader"))
    assert offer_on(keeper, friday.path)["create"] == f"{friday.path}/share"
    assert offer_on(seat, friday.path)["ask"] == f"{friday.path}/share/ask"
    assert offer_on(reader, friday.path) == {}
    path = share(friday)
    for visitor in (keeper, seat, reader):
        offer = offer_on(visitor, f"{friday.path}?step=2")
        assert offer["address"].endswith(f"{path}?step=2") and not offer["create"] and not offer["ask"]
        assert offer["picture"] == f"{path}/steps/2.png"
        offer = offer_on(visitor, f"{friday.path}?step=0")
        assert offer["address"].endswith(path), "the beginning is not what a user chose"
    address = offer_on(seat, friday.path)["address"]
    assert Visitor(friday.app).get(address.partition("localhost")[2]).status == 200


def test_share_button_says_nothing_covered_for_others(hidden):
    share(hidden)
    offer = offer_on(hidden.visitor("scorekeeper"), hidden.path)
    assert offer["says"] == "Making Profit: Anna, Ben and Cleo"


def test_share_of_a_public_hidden_game_says_only_the_players(hidden):
    visibility.show_game(hidden.book, hidden.id, True)
    keeper, stranger = (offer_on(visitor, hidden.path) for visitor in (hidden.visitor(), Visitor(hidden.app)))
    assert keeper["says"] == "Making Profit: Anna, Ben and Cleo" and "fixed" in keeper
    assert stranger["says"] != keeper["says"] and "fixed" not in stranger


def test_seat_asks_to_share_once_and_the_scorekeeper_answers(friday):
    seat, keeper = friday.visitor("seat", 1), friday.visitor("scorekeeper")
    for _ in range(2):
        assert seat.post(f"{friday.path}/share/ask").status == 200
    friday.visitor("seat", 0).post(f"{friday.path}/share/ask")
    request = "Ben would like to share this game."
    assert request in keeper.get(f"{friday.path}/links").text and request in keeper.get(f"{friday.path}/record").text
    assert request not in seat.get(f"{friday.path}/record").text
    keeper.post(f"{friday.path}/share")
    assert request not in keeper.get(f"{friday.path}/record").text
    assert offer_on(seat, friday.path)["address"].endswith(share(friday))


def test_seat_asks_no_more_once_the_scorekeeper_declined(friday):
    seat, keeper = friday.visitor("seat", 1), friday.visitor("scorekeeper")
    seat.post(f"{friday.path}/share/ask")
    keeper.post(f"{friday.path}/share/players")
    assert offer_on(seat, friday.path) == {}
    seat.post(f"{friday.path}/share/ask")
    assert "would like to share" not in keeper.get(f"{friday.path}/record").text
    assert offer_on(keeper, friday.path)["create"]


def test_players_share_only_if_the_scorekeeper_lets_them(friday):
    seat, keeper = friday.visitor("seat", 0), friday.visitor("scorekeeper")
    assert seat.post(f"{friday.path}/share").status == 403
    assert seat.post(f"{friday.path}/share/players", allowed="yes").status == 403
    keeper.post(f"{friday.path}/share/players", allowed="yes")
    assert offer_on(seat, friday.path)["create"]
    assert seat.post(f"{friday.path}/share").status == 200
    reader = friday.visitor("reader")
    assert reader.post(f"{friday.path}/share/ask").status == 403


def test_share_says_if_only_this_computer_reaches_the_address(friday):
    keeper = friday.visitor()
    share(friday)
    assert "works only on the computer" in offer_on(keeper, friday.path)["opens"]
    elsewhere = keeper.client.get(friday.path, base_url="http://192.0.2.1").text
    assert "works only on the computer" not in elsewhere
