"""Who may write what into a record: one table, asked alike by the pages, the API and a device that shows the pages.

Nobody is asked on the command line: whoever has the data folder has the record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from daybook.domain import commands
from daybook.domain.commands import Command, seats_moved
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.disputes import claims
from daybook.services.people import access
from daybook.services.people.access import Grant, Role

Lack = Literal["scorekeeper", "record", "seat", "fact", "others", "claim", "speak", "umpire", "covered"]
# what whoever asks has not: the scorekeeper's link; any that records; that seat's; sight of a covered fact; the seats
# whose decisions are undone; any that claims; the seat spoken for; that umpire's; sight of what lies covered

Said = Mapping[str, Any]  # the fields of a command
Check = Callable[[Grant, Sequence[Grant], Game, Said], bool]  # of one grant, among all that somebody holds


class MayNot(Exception):
    """Whoever asks may not write this. grant: what they hold that comes nearest; roles: that might."""

    def __init__(self, lack: Lack, roles: Sequence[Role], grant: Grant | None, game: Game, said: Said) -> None:
        super().__init__(lack)
        self.lack = lack
        self.roles = roles
        self.grant = grant
        self.game = game
        self.said = said


class Right(Frozen):
    """Who may write a kind of command: holders in these roles, for whom all checks hold. lack: of everybody else."""

    roles: tuple[Role, ...]
    lack: Lack
    checks: tuple[tuple[Lack, Check], ...] = ()


def grant_for(grants: Sequence[Grant], game: Game, kind: type[Command], said: Said) -> Grant:
    """With which of what somebody holds, the one that may do the most first, they may write such a command.

    Raises MayNot.
    """
    right = MAY_WRITE[kind]
    held = [grant for grant in grants if grant.game == game.id]
    able = [grant for grant in held if grant.role in right.roles]
    if not able:
        raise MayNot(right.lack, right.roles, next(iter(held), None), game, said)
    lacks = [next((lack for lack, holds in right.checks if not holds(grant, held, game, said)), None) for grant in able]
    for grant, lack in zip(able, lacks, strict=True):
        if lack is None:
            return grant
    assert lacks[0] is not None
    raise MayNot(lacks[0], right.roles, able[0], game, said)


# --- checks ----------------------------------------------------------------------------------------------------------


def _records_for_seat(grant: Grant, held: Sequence[Grant], game: Game, said: Said) -> bool:
    return access.may_record(grant, game.id, said["seat"])


def _knows_the_fact(grant: Grant, held: Sequence[Grant], game: Game, said: Said) -> bool:
    decisions = said["decisions"] if "decisions" in said else [said["decision"]]
    return all(access.may_tell(grant, game, said["seat"], str(decision.get("type"))) for decision in decisions)


def _undoes_own(grant: Grant, held: Sequence[Grant], game: Game, said: Said) -> bool:
    """Two seats on one phone undo what either decided. A step that is not there is refused by the record."""
    moved = seats_moved(game, said["to"]) if 0 <= said["to"] <= game.step else ()
    return all(any(access.may_record(one, game.id, seat) for one in held) for seat in moved)


def _speaks_for_seat(grant: Grant, held: Sequence[Grant], game: Game, said: Said) -> bool:
    return claims.may_speak_for(grant, game, said["seat"])


def _proposes_for_seat(grant: Grant, held: Sequence[Grant], game: Game, said: Said) -> bool:
    """Whose proposal it is agrees with it; what nobody's seat proposes, nobody has agreed to."""
    return said.get("seat") is None or _speaks_for_seat(grant, held, game, said)


def _rules_for_umpire(grant: Grant, held: Sequence[Grant], game: Game, said: Said) -> bool:
    return claims.may_rule(grant, game, said["umpire"])


def _knows_what_lies_there(grant: Grant, held: Sequence[Grant], game: Game, said: Said) -> bool:
    """Asked where a refusal would tell what lies covered: of a new adjustment, and of decisions made anew."""
    tries = (said["ruling"] == "adjusted" and said.get("proposal") is None) or bool(said.get("moves"))
    return not tries or any(claims.sees_all(one, game) for one in held)


# --- the table -------------------------------------------------------------------------------------------------------

SEATED: tuple[Role, ...] = ("scorekeeper", "seat")
SEATED_OR_UMPIRE: tuple[Role, ...] = (*SEATED, "umpire")
KEEPER = Right(("scorekeeper",), "scorekeeper")
NOBODY = Right((), "record")
DECIDES = Right(SEATED, "seat", (("seat", _records_for_seat), ("fact", _knows_the_fact)))
SPEAKS = Right(SEATED, "claim", (("speak", _speaks_for_seat),))

MAY_WRITE: Mapping[type[Command], Right] = {
    commands.Decide: DECIDES,
    commands.DecideTurn: DECIDES,
    commands.PlayAsItStood: KEEPER,
    commands.TakeBack: Right(SEATED, "seat", (("others", _undoes_own),)),
    commands.Adjust: KEEPER,
    commands.Correct: KEEPER,
    commands.Note: Right(SEATED, "record"),
    commands.Close: Right(SEATED, "record"),
    commands.Abandon: KEEPER,
    commands.Reopen: KEEPER,
    commands.LayOpen: KEEPER,
    commands.TellDayOfPlay: KEEPER,
    commands.Count: KEEPER,
    commands.AcceptCount: KEEPER,
    commands.AdjustToCount: KEEPER,
    commands.NameUmpire: KEEPER,
    commands.RaiseClaim: SPEAKS,
    commands.ProposeRuling: Right(
        SEATED, "claim", (("speak", _proposes_for_seat), ("covered", _knows_what_lies_there))
    ),
    commands.ConsentToRuling: SPEAKS,
    commands.RuleOnClaim: Right(
        SEATED_OR_UMPIRE, "umpire", (("umpire", _rules_for_umpire), ("covered", _knows_what_lies_there))
    ),
    commands.AppealRuling: SPEAKS,
    commands.WithdrawClaim: Right(SEATED, "claim"),  # whose claim it is, the record says
    commands.CloseClaim: Right(SEATED_OR_UMPIRE, "claim"),
    commands.TakeLease: KEEPER,
    commands.EndLease: KEEPER,
    commands.Say: NOBODY,  # a line of a file that is brought here
}
