"""Boards and figures side by side: the recorded ones, and the actual or possible ones."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import abort

from daybook.domain.commands import Resolution
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.domain.kernel.unique_keys import load_json
from daybook.web import words
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.words.places import label_on_board

MAX_UNPACKED_BYTES = 64 * 1024  # of a correction in an address


class DifferingFigure(Frozen):
    """One figure of one seat in two worlds. veiled: the amounts are not shown, only by how much they differ."""

    column: str
    seat: Seat
    was: Points
    now: Points
    veiled: bool


class DifferingPlace(Frozen):
    """A place on the board that differs, in words."""

    label: str
    was: str
    now: str


def differing_figures(
    game: Game, was: Mapping[str, Sequence[Points]], now: Mapping[str, Sequence[Points]], view: TablePrivacy
) -> list[DifferingFigure]:
    """Return the differences between two sets of columns."""
    return [
        DifferingFigure(column, seat, before, after, view.hides_column(column, seat))
        for column in game.ruleset.ledger.columns
        for seat, (before, after) in enumerate(zip(was[column], now[column], strict=True))
        if before != after
    ]


def differing_places(
    game: Game, changes: Mapping[str, Sequence[Any]], names: words.Names, view: TablePrivacy
) -> list[DifferingPlace]:
    """Return the differing places that the game can name and the viewer may see."""
    found = []
    for path, (was, now) in changes.items():
        label = label_on_board(game, path, names)
        if view.hides_place(path) or label is None:
            continue
        found.append(
            DifferingPlace(
                label,
                words.value_at_place(game.ruleset.id, path, was, names),
                words.value_at_place(game.ruleset.id, path, now, names),
            )
        )
    return found


# --- a correction in an address --------------------------------------------------------------------------------------


def pack_resolutions(instead: Mapping[int, Resolution]) -> str:
    """Encode a correction for an address."""
    encoded = {str(step): msgspec.to_builtins(resolution) for step, resolution in sorted(instead.items())}
    return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(encoded), 9)).decode().rstrip("=")


def unpack_resolutions(text: str) -> dict[int, Resolution]:
    """Decode a correction of an address; 400 if invalid."""
    if not text:
        return {}
    try:
        unzip = zlib.decompressobj()
        decoded = unzip.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), MAX_UNPACKED_BYTES)
        return {int(step): msgspec.convert(resolution, Resolution) for step, resolution in load_json(decoded).items()}
    except (ValueError, AttributeError, zlib.error, binascii.Error, RecursionError, msgspec.ValidationError):
        abort(400)
