"""Offers sealed over the API (LM-3.4.9): concurrent, unreadable, and opened by the scorekeeper."""

from __future__ import annotations

import pytest

from tests.web.api.conftest import Caller, Game, wrong


@pytest.fixture
def auction(api: Caller) -> Game:
    """A game of London Markets with hidden hands at its first auction."""
    game = api.open_game(ruleset="london_markets", options={"hands": "hidden"})
    while game.get("/position").json["board"]["stage"] != "offers":
        game.play(1, seed=game.step)
    return game


def test_players_seal_without_having_seen_each_other(auction):
    at = auction.step
    for seat, key in enumerate(auction.seats[:2]):
        answer = auction.post("/decisions", {"seat": seat, "decision": {"type": "offer", "silk": 1}, "at": at}, key)
        assert answer.status_code == 201, answer.text
    again = {"seat": 0, "decision": {"type": "offer", "soap": 1}, "at": at}
    assert wrong(auction.post("/decisions", again, auction.seats[0])) == (409, "conflict")


def test_a_decision_that_the_reveal_has_overtaken_is_a_conflict(auction):
    at = auction.step
    for seat in (0, 1, 2):
        auction.decide(seat, {"type": "offer", "silk": int(seat == 0)})
    late = {"seat": 1, "decision": {"type": "offer", "soap": 1}, "at": at}
    assert wrong(auction.post("/decisions", late, auction.seats[1])) == (409, "conflict")


def test_the_scorekeeper_alone_tells_what_others_do_not_see(auction):
    told = {"type": "offers_revealed", "offers": [{"silk": 1}, {}, {}]}
    for path, more in (("/decisions", {"at": auction.step}), ("/preview", {})):
        body = {"seat": -1, "decision": told, **more}
        assert wrong(auction.post(path, body, auction.seats[0])) == (403, "not_your_view")
    kinds = {d["type"] for d in auction.get("/legal", auction.seats[0], seat=-1).json["decisions"]}
    assert "offers_revealed" not in kinds
    shown = auction.post("/preview", {"seat": -1, "decision": told}).json
    assert [effect["type"] for effect in shown["effects"]][-1] != "offer_sealed"
    assert auction.decide(-1, told).status_code == 201


def test_scorekeeper_gets_no_seat_view_or_record_while_sealed(auction):
    assert auction.get("/record").status_code == 200
    auction.decide(1, {"type": "offer", "silk": 2}, auction.seats[1])
    assert wrong(auction.get("/record")) == (403, "not_your_view")
    assert wrong(auction.get("/audit")) == (403, "not_your_view")
    assert wrong(auction.get("/position", view=1)) == (403, "not_your_view")
    assert auction.get("/position").json["board"]["players"][1]["offer"] == "?"
    assert auction.get("/position", auction.seats[1]).json["board"]["players"][1]["offer"]["silk"] == 2
    for seat in (0, 2):
        auction.decide(seat, {"type": "offer"})
    assert auction.get("/record").status_code == 200
