"""Table privacy: totals of a running game that players keep covered, although the record has them.

A game's rules declare it (`Secrecy.veil`). A viewer can switch it off in this browser. It is only presentation, not
permission.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.permissions.visits import Visit
from daybook.services.play.redaction import veil_in_force as veil_in_force
from daybook.services.play.replay import StepShown
from daybook.web.words.places import AdjustablePlace


class TablePrivacy(Frozen):
    """Hidden columns and places for one viewer.

    Args:
        own: the viewer's seats, whose figures are shown.
    """

    columns: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    own: frozenset[Seat] = frozenset()

    def hides_column(self, column: str, seat: Seat) -> bool:
        """Check if a seat's figure of a column is hidden."""
        return column in self.columns and seat not in self.own

    def hides_place(self, path: str) -> bool:
        """Check if a place of the board is hidden; a column's figure has a path such as "/columns/score/0"."""
        hidden = _hidden_keys(self.columns, self.places)
        if not hidden:
            return False
        keys = path.split("/")[1:]
        return any(len(keys) == len(place) and all(map(self._covers, place, keys)) for place in hidden)

    def hidden_places(self, paths: Iterable[str]) -> set[str]:
        """Return the hidden ones of these places."""
        return set(filter(self.hides_place, paths)) if self.columns or self.places else set()

    def cover_texts(self, places: Mapping[str, list[AdjustablePlace]]) -> dict[str, list[AdjustablePlace]]:
        """Return places of a form with an empty text where the value is hidden."""
        return {
            group: [
                msgspec.structs.replace(place, text="", covered=True) if self.hides_place(place.path) else place
                for place in some
            ]
            for group, some in places.items()
        }

    def redact_document(self, document: Document) -> Document:
        """Return a document without hidden values (0 or empty instead); the rest is shared.

        Drawings get this document, so none can show hidden values.
        """
        for keys in _hidden_keys(self.columns, self.places):
            document = self._without(document, keys)
        return document

    def _without(self, part: Any, keys: tuple[str, ...]) -> Any:
        """Return a part of a board without what these keys cover."""
        if not keys:
            return type(part)()
        first, rest = keys[0], keys[1:]
        if type(part) is list:
            return [self._without(item, rest) if self._covers(first, str(at)) else item for at, item in enumerate(part)]
        if type(part) is dict:
            inside = part if first == "*" else {first} & part.keys()
            return part | {key: self._without(part[key], rest) for key in inside if self._covers(first, key)}
        return part

    def _covers(self, part: str, key: str) -> bool:
        """Check if a key matches a part of a place, where `*` is any seat but the viewer's."""
        return part == key or (part == "*" and not (key.isdecimal() and int(key) in self.own))

    def redact_step(self, step: StepShown) -> StepShown:
        """Redact values of hidden places in a step's sentences."""
        if step.type == "table_counted" and step.entry and any(map(self.hides_place, step.entry["differences"])):
            return msgspec.structs.replace(
                step,
                entry={
                    **step.entry,
                    "differences": {
                        path: [None, None] if self.hides_place(path) else pair
                        for path, pair in step.entry["differences"].items()
                    },
                },
            )
        if step.type == "claim_raised" and step.entry and any(map(self.hides_place, step.entry.get("figures", ()))):
            seen = {path: pair for path, pair in step.entry["figures"].items() if not self.hides_place(path)}
            return msgspec.structs.replace(step, entry=step.entry | {"figures": seen})
        if step.type != "board_adjusted" or not any(map(self.hides_place, step.changes)):
            return step
        return msgspec.structs.replace(
            step,
            changes={path: [None, None] if self.hides_place(path) else pair for path, pair in step.changes.items()},
        )


@cache
def _hidden_keys(columns: tuple[str, ...], places: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the key paths of hidden values."""
    return (*(("columns", column, "*") for column in columns), *(tuple(place.split("/")[1:]) for place in places))


NOTHING = TablePrivacy()


def privacy_of_visit(visit: Visit) -> TablePrivacy:
    """Return what is hidden from a visitor; nothing of their own seats is."""
    return privacy_for(visit.game, visit.own_seats, visit.unveiled)


def privacy_for(game: Game, own: Iterable[Seat], unveiled: bool) -> TablePrivacy:
    """Return what is hidden of a game.

    Args:
        own: seats that are shown completely.
        unveiled: the viewer chose to see everything.
    """
    veil = veil_in_force(game)
    return NOTHING if veil is None or unveiled else TablePrivacy(veil.columns, veil.places, frozenset(own))


def columns_shown(columns: Mapping[str, Any] | Iterable[str], view: TablePrivacy) -> list[str]:
    """Return the columns shown for all seats."""
    return [column for column in columns if column not in view.columns]
