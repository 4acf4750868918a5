"""Form of an illegal move: places completed by hand, and its preview."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from markupsafe import Markup

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.disputes import as_played
from daybook.services.disputes.as_played import AsPlayedPreview
from daybook.services.permissions.sights import Sight
from daybook.services.store.kept import GameKept
from daybook.web import words
from daybook.web.boards import framed_board
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.disputes import side_by_side
from daybook.web.recording.choices import Plain
from daybook.web.request.forms import changed_values, with_typed_texts
from daybook.web.words import Names
from daybook.web.words.places import AdjustablePlace, BoardPlaces, adjustable_places, text_of

REST_GROUP = "rest"  # places that are not causes, such as whose turn it is


class AsPlayedForm(Frozen, kw_only=True):
    """An illegal move that stood, as entered in the form. preview: None if it cannot be written; `wrong` says why.

    legal: the rules allow it, and it is to be recorded as a decision. looked: identifies the previewed move.
    """

    seat: Seat
    decision: Plain
    computed: bool
    places: dict[str, list[AdjustablePlace]] = {}
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    preview: AsPlayedPreview | None = None
    figures: list[side_by_side.DifferingFigure] = []
    board: Markup = Markup()
    looked: str = ""
    legal: bool = False


def fill_as_played_form(
    game: Game,
    game_row: GameKept,
    sight: Sight,
    view: TablePrivacy,
    seat: Seat,
    decision: Plain,
    sent: Mapping[str, str],
    *,
    computed: bool = True,
) -> AsPlayedForm:
    """Preview the move and fill the form.

    Args:
        game: on the board before the move, as the viewer sees it.
        sent: the form's fields.
    """
    filled = AsPlayedForm(seat=seat, decision=decision, computed=computed)
    try:
        base = as_played.try_as_played(game, seat, decision, {}, computed=computed)
    except Refused as refusal:
        reason = words.reason_sentence(refusal.reason, game.ruleset.id, game_row.names)
        return msgspec.structs.replace(filled, legal=refusal.reason.key == "legal", wrong={"form": reason})
    places = view.cover_texts(all_places(game, base.board, game_row.names))
    values, wrong = changed_values(places, sent)
    filled = msgspec.structs.replace(
        filled, wrong=wrong, values=values, preview=base, places=with_typed_texts(places, sent)
    )
    if not wrong and values:
        try:
            filled = msgspec.structs.replace(
                filled, preview=as_played.try_as_played(game, seat, decision, values, computed=computed)
            )
        except Refused as refusal:
            reason = words.reason_sentence(refusal.reason, game.ruleset.id, game_row.names)
            filled = msgspec.structs.replace(filled, wrong={"form": reason})
    assert filled.preview is not None
    return msgspec.structs.replace(
        filled,
        figures=side_by_side.differing_figures(game, filled.preview.columns_before, filled.preview.columns, view),
        board=framed_board(game, game_row.names, sight, view, filled.preview.board, game.document),
        looked="" if filled.wrong else _label_or_path(game, filled),
    )


def _label_or_path(game: Game, form: AsPlayedForm) -> str:
    content = msgspec.json.encode(
        [str(game.id), game.step, form.seat, form.decision, form.computed, form.values], order="deterministic"
    )
    return hashlib.sha256(content).hexdigest()[:32]


def all_places(game: Game, document: Document, names: Names) -> dict[str, list[AdjustablePlace]]:
    """Return every place that may be entered on a hypothetical board: causes, and the seat to act."""
    trial = game.twin()
    trial.lay(trial.board, document)
    groups, board_places = adjustable_places(trial, names), BoardPlaces(trial, names)
    rest = [
        board_places.shape(
            AdjustablePlace(
                path,
                words.place_label(game.ruleset.id, path, names) or _name_from_path(path, names),
                value,
                text_of(value),
                False,
                like=value,
            )
        )
        for path, value in _open_figures(document)
        if not is_cause(path, game.ruleset.integrity.causes)
    ]
    return {**groups, REST_GROUP: rest} if rest else groups


def _open_figures(document: Document) -> list[tuple[str, Any]]:
    """Return figures on the board and of each player that are not piles."""
    found = []
    for key, part in document.items():
        if isinstance(part, int | str):
            found.append((f"/{key}", part))
        elif isinstance(part, list):
            found.extend(
                (f"/{key}/{place}/{name}", value)
                for place, seat_part in enumerate(part)
                if isinstance(seat_part, dict)
                for name, value in seat_part.items()
                if isinstance(value, int | str)
            )
    return found


def _name_from_path(path: str, names: Names) -> str:
    """Name a place that the game has no words for by its path."""
    keys = path.strip("/").split("/")
    if keys[0] == "players" and len(keys) > 1:
        return f"{names[int(keys[1])]}: {' '.join(keys[2:]).replace('_', ' ')}"
    return " ".join(keys).replace("_", " ")
