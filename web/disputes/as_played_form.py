"""What lay where after an illegal move, completed by hand: the form of places, and the preview of what it comes to."""

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
from daybook.services.people.access import Sight
from daybook.services.store.kept import GameKept
from daybook.web import words
from daybook.web.boards import framed_board
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.disputes import side_by_side
from daybook.web.recording.choices import Plain
from daybook.web.request.forms import changed_values
from daybook.web.words import Names
from daybook.web.words.places import AdjustablePlace, places_of, text_of

REST = "rest"  # the group of whose turn it is, and of what else is no cause


class AsPlayedForm(Frozen, kw_only=True):
    """An illegal move that stood, as the form has it. preview: None where it cannot be written so: `wrong` says why.

    legal: the rules allow it, and it is to be recorded as it is. looked: names exactly what is previewed.
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
    kept: GameKept,
    sight: Sight,
    view: TablePrivacy,
    seat: Seat,
    decision: Plain,
    sent: Mapping[str, str],
    *,
    computed: bool = True,
) -> AsPlayedForm:
    """Look what it comes to. game: on the board it is played on, as the viewer sees it; sent: the form."""
    whole = AsPlayedForm(seat=seat, decision=decision, computed=computed)
    try:
        base = as_played.try_as_played(game, seat, decision, {}, computed=computed)
    except Refused as no:
        reason = words.reason_sentence(no.reason, game.ruleset.id, kept.names)
        return msgspec.structs.replace(whole, legal=no.reason.key == "legal", wrong={"form": reason})
    places = all_places(game, base.board, kept.names)
    values, wrong = changed_values(places, sent)
    whole = msgspec.structs.replace(
        whole,
        wrong=wrong,
        values=values,
        preview=base,
        places={
            group: [msgspec.structs.replace(place, text=sent.get(place.path, place.text)) for place in some]
            for group, some in places.items()
        },
    )
    if not wrong and values:
        try:
            whole = msgspec.structs.replace(
                whole, preview=as_played.try_as_played(game, seat, decision, values, computed=computed)
            )
        except Refused as no:
            reason = words.reason_sentence(no.reason, game.ruleset.id, kept.names)
            whole = msgspec.structs.replace(whole, wrong={"form": reason})
    assert whole.preview is not None
    return msgspec.structs.replace(
        whole,
        figures=side_by_side.differing_figures(game, whole.preview.columns_before, whole.preview.columns, view),
        board=framed_board(game, kept.names, sight, view, whole.preview.board, game.document),
        looked="" if whole.wrong else _label_or_path(game, whole),
    )


def _label_or_path(game: Game, whole: AsPlayedForm) -> str:
    told = msgspec.json.encode(
        [str(game.id), game.step, whole.seat, whole.decision, whole.computed, whole.values], order="deterministic"
    )
    return hashlib.sha256(told).hexdigest()[:32]


def all_places(game: Game, document: Document, names: Names) -> dict[str, list[AdjustablePlace]]:
    """Every place that can be told, on a board that the game does not have yet: causes, and whose turn it is."""
    trial = game.twin()
    trial.lay(trial.board, document)
    groups = places_of(trial, names)
    rest = [
        AdjustablePlace(
            path,
            words.place_label(game.ruleset.id, path, names) or _named_after(path, names),
            value,
            text_of(value),
            False,
        )
        for path, value in _figures(document)
        if not is_cause(path, game.ruleset.integrity.causes)
    ]
    return {**groups, REST: rest} if rest else groups


def _figures(document: Document) -> list[tuple[str, Any]]:
    """What lies in the open on a board, and in front of each player, and is no pile of something."""
    found = []
    for key, part in document.items():
        if isinstance(part, int | str):
            found.append((f"/{key}", part))
        elif isinstance(part, list):
            found.extend(
                (f"/{key}/{place}/{name}", value)
                for place, one in enumerate(part)
                if isinstance(one, dict)
                for name, value in one.items()
                if isinstance(value, int | str)
            )
    return found


def _named_after(path: str, names: Names) -> str:
    """A place that the game has no words for, by its name on the board."""
    keys = path.strip("/").split("/")
    if keys[0] == "players" and len(keys) > 1:
        return f"{names[int(keys[1])]}: {' '.join(keys[2:]).replace('_', ' ')}"
    return " ".join(keys).replace("_", " ")
