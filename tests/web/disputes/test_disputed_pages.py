"""Pages and API show every kind of entry of corrections and claims to every reader of the game."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from daybook.domain.commands import (
    AcceptCount,
    AppealRuling,
    ConsentToRuling,
    Correct,
    Count,
    Note,
    ProposeRuling,
    RecordAsPlayed,
    Resolution,
    RuleOnClaim,
    WithdrawClaim,
)
from daybook.domain.corrections import correctable
from daybook.services.disputes import claims, corrections, umpires
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.files import audits
from daybook.services.permissions import access
from daybook.services.store.daybook import Daybook
from tests.played import open_seats, open_table_of, play, update_games, write


@pytest.fixture
def game(book: Daybook) -> UUID:
    """A game in which everything was disputed that can be."""
    id = open_table_of(book)

    def by() -> dict[str, Any]:
        return {"by": "scorekeeper", "key": uuid4().hex}

    def at() -> dict[str, Any]:
        return {"at": book.games.get(id).step, **by()}

    play(book, id, 20)
    for name in ("Uli", "Vera"):
        umpires.name_umpire(book, id, name, **by())
    money = book.games.get(id).document["players"][0]["money"]
    for more in (0, 3):
        count = write(book, id, Count({"/players/0/money": money + more}, "on the table"), **at()).step
    write(book, id, AcceptCount(count, "let it be"), **by())
    game = book.games.get(id)
    idle = next(seat for seat in range(3) if seat not in game.ruleset.course.to_act(game.board))
    for computed in (True, False):
        write(
            book,
            id,
            RecordAsPlayed(idle, {"type": "run"}, {"/players/0/money": 9}, "it stood", rules_applied=computed),
            **at(),
        )
    step = correctable(book.games.get(id))[-3]
    instead = {step: Resolution()}
    write(book, id, Correct(instead, "twice", corrections.compute_correction_plan(book, id, instead).digest), **at())
    for ruling, how in (
        ("play_on", {}),
        ("adjusted", {"values": {"/players/1/money": 44}}),
        ("rewound", {"to_step": 9}),
    ):
        claim = claims.raise_claim(book, id, 4, "wrong", rule="MP-4.2", why="so", **by()).step
        write(book, id, ProposeRuling(claim, ruling, why="please", **how), **by())  # type: ignore[arg-type]
        write(
            book,
            id,
            RuleOnClaim(claim, ruling, "so it is", umpire=0, **how, appeal_hours=appeal_hours(book, id)),
            **at(),
        )  # type: ignore[arg-type]
    write(book, id, AppealRuling(claim, 1, "no"), **by())
    write(book, id, RuleOnClaim(claim, "play_on", "at last", umpire=1, appeal_hours=appeal_hours(book, id)), **at())
    claim = claims.raise_claim(book, id, 4, "wrong", **by()).step
    proposal = write(book, id, ProposeRuling(claim, "play_on"), **by()).step
    for seat in range(3):
        write(book, id, ConsentToRuling(claim, proposal, seat), **by())
    write(book, id, WithdrawClaim(claims.raise_claim(book, id, 4, "wrong", **by()).step), **by())
    access.make_first_grants(book, id)
    return id


@pytest.mark.parametrize(
    "who", ["scorekeeper", "reader", *(pytest.param(who, marks=pytest.mark.drill) for who in ("seat", "umpire"))]
)
def test_every_entry_is_shown_to_everybody(book, game, visitor, who):
    grant = (
        umpires.umpire_grant(book, game, 0)
        if who == "umpire"
        else next(grant for grant in access.grants_of_game(book, game) if grant.role == who)
    )
    visitor.join(access.key_of(book, grant))
    for step in range(book.games.get(game).step + 1):
        assert visitor.get(f"/games/{game}?step={step}").status == 200
        assert visitor.get(f"/games/{game}/why?step={step}").status == 200
        plays = grant.role in ("scorekeeper", "seat")
        assert visitor.get(f"/games/{game}/wrong?step={step}").status == (200 if plays else 403)
    headers = {"Authorization": f"Bearer {access.key_of(book, grant)}"}
    answer = visitor.client.get(f"/api/v1/games/{game}/replay", headers=headers)
    assert answer.status_code == 200 and len(answer.json["steps"]) == book.games.get(game).step + 1  # type: ignore[index]


def test_what_is_recorded_next_is_asked_as_ever(book, game):
    before = book.games.get(game).step
    play(book, game, 3)
    write(book, game, Note(before, "well"))
    assert book.games.get(game).step == before + 4


def test_pages_about_all_audits_open_no_record(visitor, book):
    """Anybody may ask for them, however many games there are."""
    told = open_seats(book, kind="practice", public=True)
    audits.audit_game(book, told)
    open_table_of(book, public=True)
    update_games(book)
    book.games.cache.clear()
    assert "1 of 1 games audited" in visitor.get("/audit").text
    assert str(told) in visitor.get("/api/v1/audits").text
    assert book.games.cache.get(told) is None


def test_audit_of_steps_not_listed_yet_is_shown_to_no_one(visitor, book):
    """The game may have been reopened since its row said that nothing is covered."""
    told = open_seats(book, kind="practice", public=True)
    update_games(book)
    write(book, told, Note(0, "goes on"))
    audits.audit_game(book, told)
    for heard in (False, True):
        assert ("1 of 1 games audited" in visitor.get("/audit").text) == heard
        assert (str(told) in visitor.get("/api/v1/audits").text) == heard
        update_games(book)
