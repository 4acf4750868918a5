"""What pages do not show of a running game, though the record tells it: totals that players keep covered at the table.

A game's rules name it (`Secrecy.veil`). A viewer who wants to see it all the same says so once, and this browser
remembers. It is presentation alone: nobody's rights hang on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat, Veil
from daybook.services.play.replay import StepShown
from daybook.services.visits import Visit


class TablePrivacy(Frozen):
    """What one viewer is not shown. own: the seats whose figures are theirs, and shown."""

    columns: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    own: frozenset[Seat] = frozenset()

    def hides_column(self, column: str, seat: Seat) -> bool:
        """Whether a figure of the ledger is not shown."""
        return column in self.columns and seat not in self.own

    def hides_place(self, path: str) -> bool:
        """Whether what lies at a place of the board is not shown; a column's figure has "/columns/score/0"."""
        hidden = _keys_of(self.columns, self.places)
        if not hidden:
            return False
        keys = path.split("/")[1:]
        return any(len(keys) == len(place) and all(map(self._covers, place, keys)) for place in hidden)

    def hidden_places(self, paths: Iterable[str]) -> set[str]:
        """Those of these places at which what lies there is not shown."""
        return set(filter(self.hides_place, paths)) if self.columns or self.places else set()

    def left_of(self, document: Document) -> Document:
        """A document without what is not shown: 0 for a number, nothing in what holds something. It shares the rest.

        Drawings are given this, so that none can show what is covered, whatever it does.
        """
        for keys in _keys_of(self.columns, self.places):
            document = self._without(document, keys)
        return document

    def _without(self, part: Any, keys: tuple[str, ...]) -> Any:
        if not keys:
            return type(part)()
        first, rest = keys[0], keys[1:]
        if type(part) is list:
            return [self._without(one, rest) if self._covers(first, str(at)) else one for at, one in enumerate(part)]
        if type(part) is dict:
            inside = part if first == "*" else {first} & part.keys()
            return part | {key: self._without(part[key], rest) for key in inside if self._covers(first, key)}
        return part

    def _covers(self, part: str, key: str) -> bool:
        """Whether a part of a place, `*` being anybody else's seat, means this key."""
        return part == key or (part == "*" and not (key.isdecimal() and int(key) in self.own))

    def redact_step(self, step: StepShown) -> StepShown:
        """A step whose sentences do not tell what lies at such a place."""
        if step.type == "table_counted" and step.aside and any(map(self.hides_place, step.aside["differences"])):
            return msgspec.structs.replace(
                step,
                aside={
                    **step.aside,
                    "differences": {
                        path: [None, None] if self.hides_place(path) else pair
                        for path, pair in step.aside["differences"].items()
                    },
                },
            )
        if step.type != "board_adjusted" or not any(map(self.hides_place, step.changes)):
            return step
        return msgspec.structs.replace(
            step,
            changes={path: [None, None] if self.hides_place(path) else pair for path, pair in step.changes.items()},
        )


@cache
def _keys_of(columns: tuple[str, ...], places: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The keys that lead to what is not shown."""
    return (*(("columns", column, "*") for column in columns), *(tuple(place.split("/")[1:]) for place in places))


NOTHING = TablePrivacy()


def privacy_of_visit(visit: Visit) -> TablePrivacy:
    """What a visitor is not shown of a game; of their own seats they see everything."""
    return privacy_for(visit.game, visit.own_seats, visit.unveiled)


def privacy_for(game: Game, own: Iterable[Seat], unveiled: bool) -> TablePrivacy:
    """What is not shown of a game. own: the seats of which everything is; unveiled: somebody asked to see it all."""
    veil = veil_in_force(game)
    return NOTHING if veil is None or unveiled else TablePrivacy(veil.columns, veil.places, frozenset(own))


def veil_in_force(game: Game) -> Veil | None:
    """The veil of a game that does not lie open."""
    veil: Veil | None = game.ruleset.secrecy.veil
    if veil is None or game.lies_open:
        return None
    return None if game.ruleset.scoring.outcome(game.board) else veil


def columns_shown(columns: Mapping[str, Any] | Iterable[str], view: TablePrivacy) -> list[str]:
    """The columns that are shown of everybody."""
    return [column for column in columns if column not in view.columns]
