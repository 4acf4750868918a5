"""A game that has not begun can be changed in everything, or discarded; its links stay valid."""

from __future__ import annotations

from uuid import UUID

import pytest

from daybook.services.permissions.access import key_of, make_first_grants
from tests.web.conftest import Opened, VisitedPage, Visitor

SET_UP = "Change the set-up"


def join(game: Opened, key: str) -> Visitor:
    visitor = Visitor(game.app)
    visitor.post("/join", key=key)
    return visitor


def keys_of(game: Opened) -> dict[str, str]:
    made = make_first_grants(game.book, game.id, for_readers=True)
    return {f"{grant.role} {grant.seat}": key_of(game.book, grant) for grant in made}


def change(keeper: Visitor, game: Opened, **fields: str) -> VisitedPage:
    page = keeper.get(keeper.get(f"{game.path}/record").link(SET_UP))
    return keeper.send(next(form for form in page.forms if "instead" in form.fields), **fields)


def replacement(game: Opened) -> UUID:
    kept = game.book.kept.game(game.id)
    assert kept is not None and kept.replaced_by is not None
    return kept.replaced_by


def test_people_order_and_options_change_and_links_stay(fresh):
    keys = keys_of(fresh)
    keeper = join(fresh, keys["scorekeeper None"])
    page = change(keeper, fresh, **{"name.0": "Ben", "name.1": "Dora", "name.2": "Anna", "title": "Another"})
    assert page.status == 200
    new = replacement(fresh)
    kept = fresh.book.kept.game(new)
    assert (kept.names, kept.title) == (("Ben", "Dora", "Anna"), "Another")
    assert fresh.game.status == "abandoned"
    for key, seat in (("seat 0", 2), ("seat 1", 0), ("seat 2", 1)):  # Anna, Ben, and the place that was Cleo's
        (grant,) = [grant for grant in make_first_grants(fresh.book, new) if key_of(fresh.book, grant) == keys[key]]
        assert (grant.game, grant.seat) == (new, seat)
    assert f"/games/{new}" in keeper.get(f"{fresh.path}/record").html, "the old address leads to the new game"
    reader = join(fresh, keys["reader None"])
    assert reader.get(f"/games/{new}").status == 200
    assert Visitor(fresh.app).get(f"/games/{new}").status == 403


def test_another_game_takes_the_place_of_a_wrong_one(fresh):
    keeper = join(fresh, keys_of(fresh)["scorekeeper None"])
    which = keeper.get(keeper.get(keeper.get(f"{fresh.path}/record").link(SET_UP)).link("Another game"))
    page = keeper.get(which.link("Arkwright: The Card Game"))
    sent = next(form for form in page.forms if "instead" in form.fields)
    assert [sent.fields[f"name.{seat}"] for seat in range(3)] == ["Anna", "Ben", "Cleo"]
    assert keeper.send(sent).status == 200
    assert fresh.book.games.get(replacement(fresh)).ruleset.id == "arkwright_card"


def test_game_is_discarded_and_no_list_shows_it(fresh):
    keeper = join(fresh, keys_of(fresh)["scorekeeper None"])
    fresh.update_list()
    assert fresh.path in keeper.get("/").html
    assert keeper.send(keeper.get(f"{fresh.path}/record").form("Yes, discard it")).status == 200
    fresh.update_list()
    assert fresh.path not in keeper.get("/").html
    assert fresh.game.status == "abandoned"


def test_begun_game_is_neither_changed_nor_discarded(fresh):
    keeper = join(fresh, keys_of(fresh)["scorekeeper None"])
    form = keeper.get(f"{fresh.path}/record").form("Yes, discard it")
    address = keeper.get(f"{fresh.path}/record").link(SET_UP)
    fresh.play(12)
    assert SET_UP not in keeper.get(f"{fresh.path}/record").text
    assert keeper.get(address).status == 404
    keeper.send(form)
    assert fresh.game.status == "running"


@pytest.mark.parametrize(("role", "seat"), [("seat", 0), ("reader", None)])
def test_only_the_scorekeeper_replaces_a_game(fresh, role, seat):
    visitor = join(fresh, keys_of(fresh)[f"{role} {seat}"])
    assert visitor.get("/new", game="making_profit", instead=str(fresh.id)).status == 403
    assert visitor.post(f"{fresh.path}/discard", at="0", key="k" * 20).status == 403
    assert visitor.get("/new", game="making_profit", instead="x").status == 404
    assert fresh.game.status == "running"


def test_swapped_seats_are_renamed_from_the_start_and_noted(fresh):
    keys = keys_of(fresh)
    keeper = join(fresh, keys["scorekeeper None"])
    fresh.play(12)
    before = fresh.game.document
    page = keeper.get(f"{fresh.path}/wrong")
    form = page.form("Swap the seats")
    assert keeper.send(form, seat="0", other_seat="2").status == 200
    assert fresh.book.kept.game(fresh.id).names == ("Cleo", "Ben", "Anna")
    assert fresh.game.document == before and fresh.game.step == 13
    assert fresh.game.entries[-1].event.text.startswith("Seats 1 and 3 are swapped from the start")
    keeper.send(form, seat="0", other_seat="2")
    assert fresh.book.kept.game(fresh.id).names == ("Cleo", "Ben", "Anna"), "a repeated request swaps nothing back"
    (grant,) = [
        grant for grant in make_first_grants(fresh.book, fresh.id) if key_of(fresh.book, grant) == keys["seat 0"]
    ]
    assert grant.seat == 2, "Anna's link records for the seat that is hers"
    assert keeper.post(f"{fresh.path}/seats/swap", seat="0", other_seat="0", key="k" * 20).status == 400
    seat = join(fresh, keys["seat 1"])
    assert seat.post(f"{fresh.path}/seats/swap", seat="0", other_seat="1", key="j" * 20).status == 403


@pytest.fixture
def fresh(open_game) -> Opened:
    return open_game(("Anna", "Ben", "Cleo"))
