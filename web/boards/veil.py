"""What pages do not show of a running game, though the record tells it: totals that players keep covered at the table.

A game's rules name it (`Ruleset.veil`). A viewer who wants to see it all the same says so once, and this browser
remembers. It is presentation alone: nobody's rights hang on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import Seat, Veil
from daybook.services.play.replay import StepShown
from daybook.services.visits import Visit

_FIGURE = re.compile(r'<b class="(figure[^"]*)" data-at="([^"]*)" data-is="[^"]*">.*?</b>')


class Unshown(msgspec.Struct, frozen=True):
    """What one viewer is not shown. own: the seats whose figures are theirs, and shown."""

    columns: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    own: frozenset[Seat] = frozenset()

    def column(self, column: str, seat: Seat) -> bool:
        """Whether a figure of the ledger is not shown."""
        return column in self.columns and seat not in self.own

    def place(self, path: str) -> bool:
        """Whether what lies at a place of the board, or stands in such a column, is not shown."""
        if path.startswith("/columns/"):
            _, _, column, seat = path.split("/")
            return self.column(column, int(seat))
        return any(self._lies(path.split("/"), place.split("/")) for place in self.places)

    def _lies(self, keys: list[str], place: list[str]) -> bool:
        return len(keys) == len(place) and all(
            part == key or (part == "*" and int(key) not in self.own) for part, key in zip(place, keys, strict=True))

    def drawn(self, html: str) -> str:
        """A drawing without the figures that are not shown; each keeps its place."""
        if not self.columns and not self.places:
            return html

        def one(found: re.Match[str]) -> str:
            kind, at = found.groups()
            return f'<b class="{kind} veiled" data-at="{at}" data-is="">–</b>' if self.place(at) else found[0]

        return _FIGURE.sub(one, html)

    def told(self, step: StepShown) -> StepShown:
        """A step whose sentences do not tell what lies at such a place."""
        if step.type == "table_counted" and step.aside and any(map(self.place, step.aside["differences"])):
            return msgspec.structs.replace(step, aside={**step.aside, "differences": {
                path: [None, None] if self.place(path) else pair
                for path, pair in step.aside["differences"].items()}})
        if step.type != "board_adjusted" or not any(map(self.place, step.changes)):
            return step
        return msgspec.structs.replace(step, changes={
            path: [None, None] if self.place(path) else pair for path, pair in step.changes.items()})


NOTHING = Unshown()


def view_of(visit: Visit) -> Unshown:
    """What a visitor is not shown of a game; of their own seats they see everything."""
    return unshown(visit.game, visit.own_seats, visit.unveiled)


def unshown(game: Game, own: Iterable[Seat], unveiled: bool) -> Unshown:
    """What is not shown of a game. own: the seats of which everything is; unveiled: somebody asked to see it all."""
    veil = hanging(game)
    return NOTHING if veil is None or unveiled else Unshown(veil.columns, veil.places, frozenset(own))


def hanging(game: Game) -> Veil | None:
    """The veil of a game that is being played at a table."""
    veil: Veil | None = game.ruleset.veil
    if veil is None or game.status != "running" or game.opening.kind == "practice":
        return None
    return None if game.ruleset.outcome(game.board) else veil


def without(columns: Mapping[str, Any] | Iterable[str], view: Unshown) -> list[str]:
    """The columns that are shown of everybody."""
    return [column for column in columns if column not in view.columns]
