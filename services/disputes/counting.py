"""Count the pieces on the table, and compare them with the record.

A count does not change the board. The players then correct the step that explains a difference
(`services.disputes.explain_count`), set the board to the counted values, or keep it. The count stays in the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.domain.kernel.board import Document, value_at
from daybook.domain.kernel.by_hand import causes_on
from daybook.domain.kernel.events import BoardStep, CountAccepted, TableCounted
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.play.redaction import open_places


class Countable(Frozen):
    """A place that can be counted, with its recorded value.

    Args:
        seat: its owner, if any.
    """

    path: str
    value: Any
    seat: Seat | None


class Counted(Frozen):
    """A count of a game. settled: by an adjustment or correction that answers it, or because the table let it be."""

    step: int
    at: str
    by: str
    counted: dict[str, Any]
    differences: dict[str, list[Any]]
    text: str
    settled: list[int]


# --- counting --------------------------------------------------------------------------------------------------------


def countable_places(game: Game, sight: Sight = EVERYTHING) -> list[Countable]:
    """Return every place with a countable value that the viewer may see."""
    document = game.document
    values = _flatten_parts(causes_on(document, game.ruleset.integrity.causes))
    if not hides_nothing(game, sight):
        values = open_places(game, document, values, sight)
    by_seat = _parts_by_seat(game, document)
    return [
        Countable(path, value, int(keys[2]) if len(keys) > 3 and keys[1] in by_seat and keys[2].isdigit() else None)
        for path, value in values.items()
        for keys in [path.split("/")]
    ]


def _flatten_parts(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Split parts of the board into single values by path."""
    values: dict[str, Any] = {}
    for path, part in parts.items():
        if isinstance(part, dict):
            values |= _flatten_parts({f"{path}/{key}": value for key, value in part.items()})
        elif isinstance(part, list) and dict in map(type, part):
            values |= _flatten_parts({f"{path}/{index}": value for index, value in enumerate(part)})
        elif isinstance(part, list) and list in map(type, part):
            values |= {f"{path}/{row}/{at}": value for row, lies in enumerate(part) for at, value in enumerate(lies)}
        else:
            values[path] = part
    return values


def _parts_by_seat(game: Game, document: Document) -> set[str]:
    """Return the parts of a board that belong to players.

    They are the sources of the ledger's rows, or by default the lists with one part per seat.
    """
    own = {place.split("/")[1] for place in game.ruleset.ledger.own}
    seats = len(game.opening.seats)
    return own or {key for key, part in document.items() if isinstance(part, list) and len(part) == seats}


def counts_of_game(game: Game, sight: Sight = EVERYTHING) -> list[Counted]:
    """Every count, the newest first, as far as a viewer may know it."""
    found = []
    for step in reversed(game.side_steps):
        entry, event = game.entries[step], game.entries[step].event
        if isinstance(event, TableCounted):
            counted, differences = event.counted, event.differences
            if not hides_nothing(game, sight):
                document = game.document_at(entry.step)
                counted = open_places(game, document, counted, sight)
                recorded = {path: value_at(document, path) for path in counted}
                counted = {path: counted[path] for path in open_places(game, document, recorded, sight)}
                differences = {path: pair for path, pair in differences.items() if path in counted}
            found.append(
                Counted(
                    entry.step,
                    event.at,
                    game.writers[entry.step],
                    counted,
                    differences,
                    event.text,
                    _settling_steps(game, entry.step),
                )
            )
    return found


def _settling_steps(game: Game, count: int) -> list[int]:
    return [
        entry.step
        for entry in game.entries[count + 1 :]
        if (isinstance(entry.event, BoardStep) and entry.event.answers_step == count)
        or (isinstance(entry.event, CountAccepted) and entry.event.count_step == count)
    ]
