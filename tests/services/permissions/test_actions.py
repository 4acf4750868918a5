"""Permissions in a game: the one table that pages, the API, streams and devices ask."""

from __future__ import annotations

from typing import Any, get_args
from uuid import uuid4

import msgspec
import pytest

from daybook.domain import commands
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import EVERYONE, RIGHTS, Action, MayNotError, Name, may_with
from tests.played import allowed, open_seats, write
from tests.services.fixture_files import FIXTURES, read_fixture


@pytest.fixture(scope="module")
def game() -> Game:
    return read_fixture((FIXTURES / "by-hand.daybook").read_bytes()).game


def test_every_command_and_named_action_has_a_right():
    assert set(RIGHTS) == {*get_args(commands.Command), *get_args(Name)}


def test_who_holds_nothing_or_only_reads_writes_nothing(game):
    reader, share = Grant("r", game.id, "reader"), Grant("s", game.id, "share")
    of_another = Grant("k", uuid4(), "scorekeeper")
    for kind in get_args(commands.Command):
        for held in ([], [reader], [share], [of_another], [reader, share, of_another]):
            assert not may_with(held, game, kind)


def test_first_grant_that_passes_every_check_is_used(game):
    first, second = (Grant(f"s{seat}", game.id, "seat", seat) for seat in (0, 1))
    says = msgspec.structs.asdict(commands.AppealRuling(3, 0, "no", 1))
    assert may_with([first, second], game, commands.AppealRuling, **says).grant == second
    refusal = may_with([first], game, commands.AppealRuling, **says).refusal
    assert isinstance(refusal, MayNotError)
    assert (refusal.missing, refusal.grant) == ("speak", first)


# Who may do each action about seat 0 of a game with covered hands that has no umpire: k: scorekeeper, s: the seat,
# o: another seat, u: umpire, r: reader, h: share address, v: visitor without a link.
MATRIX: dict[Action, str] = {
    "see_all": "ku",
    "see_photo": "ku",
    "save": "ku",
    "export": "ku",
    "fork": "ku",
    "manage": "k",
    "share": "k",  # players share where the scorekeeper allowed it
    "correct": "k",
    "record": "ks",
    "claim": "kso",
    "speak": "ks",
    "rule": "",
    commands.Decide: "ks",
    commands.DecideTurn: "ks",
    commands.RecordAsPlayed: "k",
    commands.TakeBack: "kso",  # back to the newest step: nothing is undone
    commands.Adjust: "k",
    commands.Correct: "k",
    commands.Note: "kso",
    commands.Close: "kso",
    commands.Abandon: "k",
    commands.Reopen: "k",
    commands.RevealGame: "k",
    commands.SetDayOfPlay: "k",
    commands.Count: "k",
    commands.AcceptCount: "k",
    commands.AdjustToCount: "k",
    commands.NameUmpire: "k",
    commands.RaiseClaim: "ks",
    commands.ProposeRuling: "k",  # an adjustment: a refusal tells what is covered
    commands.ConsentToRuling: "ks",
    commands.RuleOnClaim: "",
    commands.AppealRuling: "ks",
    commands.WithdrawClaim: "kso",
    commands.CloseClaim: "kosu",
    commands.TakeLease: "k",
    commands.EndLease: "k",
    commands.AddEntry: "",
}


@pytest.mark.sqlite_suffices
def test_table_answers_as_the_matrix_says(book):
    game_id = open_seats(book, ["Anna", "Ben", "Cleo"], options={"hands": "open"})
    for card in ["R2", "M1", "R2", "M2", "M1", "M2"]:
        write(book, game_id, commands.Decide(TABLE, {"type": "drawn", "card": card}))
    game = book.games.get(game_id)
    actors = {
        "k": Grant("k", game.id, "scorekeeper"),
        "s": Grant("s", game.id, "seat", 0),
        "o": Grant("o", game.id, "seat", 1),
        "u": Grant("u", game.id, "umpire", umpire=0),
        "r": Grant("r", game.id, "reader"),
        "h": Grant("h", game.id, "share"),
        "v": None,
    }
    fields: dict[str, Any] = {
        "seat": 0,
        "decision": {"type": "run"},
        "decisions": [{"type": "run"}],
        "to_step": game.step,
        "umpire": 0,
        "hash": "0" * 64,
        "ruling": "adjusted",
        "players_share": False,
    }
    answers = {
        action: {letter for letter, grant in actors.items() if allowed(grant, game, action, **fields)}
        for action in RIGHTS
    }
    assert answers == {action: {*letters} for action, letters in MATRIX.items()}


def test_refusal_says_what_is_missing(game):
    reader, seat = Grant("r", game.id, "reader"), Grant("s", game.id, "seat", 1)
    cases: list[tuple[Grant, Action, dict[str, Any], str]] = [
        (reader, "manage", {}, "scorekeeper"),
        (reader, commands.Note, {}, "record"),
        (seat, "record", {"seat": 0}, "seat"),
        (seat, "speak", {"seat": None}, "speak"),
        (seat, "rule", {"umpire": 5}, "umpire"),
        (reader, "see_photo", {"hash": ""}, "photo"),
    ]
    for grant, action, fields, missing in cases:
        refusal = may_with([grant], game, action, **fields).refusal
        assert refusal is not None and refusal.missing == missing, action
    assert {role for right in RIGHTS.values() for role in right.roles} <= {*EVERYONE}
