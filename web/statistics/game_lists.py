"""The games behind a figure, as lists and as files: with their titles and the way to them, for who may read them.

A result that was typed in has no record: it leads to the page of its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import msgspec
from flask import url_for
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.statistics import Measure
from daybook.domain.kernel.terms import TABLE
from daybook.services.days import time_shown
from daybook.services.statistics import typed_results, visibility
from daybook.services.statistics.figure_questions import FigureSource
from daybook.services.statistics.table import FigureRow, FigureTable, Heading
from daybook.services.store.kept import GameKept
from daybook.web.request.access import book
from daybook.web.request.clubs import season_path, table_label
from daybook.web.statistics.answers import may_open, open_table_file
from daybook.web.statistics.inquiry import Inquiry

IN_A_FILE = 50_000  # games at most


class ListedGame(Frozen):
    """A game of a list, or a result that was typed in. title, to: empty for who may not read it; game: the record."""

    title: str = ""
    at: str = ""
    to: str = ""
    game: UUID | None = None
    step: int | None = None
    typed: bool = False

    def opened_at(self, step: int | None) -> ListedGame:
        """The same, leading to a step."""
        if self.game is None:
            return self
        return msgspec.structs.replace(self, step=step, to=url_for("replay.replay", game_id=self.game, step=step))


def listed_games(of: Inquiry, ids: Iterable[UUID]) -> dict[UUID, ListedGame]:
    """Games and typed results by their ids, in the same order; what is not known any more is left out."""
    results = _typed_results(of) if of.filter.typed != "no" else {}
    ids = list(dict.fromkeys(ids))
    kept = {game.id: game for game in book().kept.games_of([game_id for game_id in ids if game_id not in results])}
    days = visibility.days_played(book(), kept.keys())
    return {
        game_id: results[game_id]
        if game_id in results
        else _listed_game(kept[game_id], days.get(game_id, kept[game_id].created_at))
        for game_id in ids
        if game_id in results or game_id in kept
    }


def _listed_game(game: GameKept, at: str) -> ListedGame:
    if not may_open(game):
        return ListedGame(at=at)
    return ListedGame(game.title, at, game=game.id).opened_at(None)


def _typed_results(of: Inquiry) -> Mapping[UUID, ListedGame]:
    """The typed results of the club that the page is about."""
    if of.club is None:
        return {}
    found = {}
    for game_id, table in typed_results.tables(of.club).items():
        season = of.club.season(table.season)
        name, event = table_label(season, table), table.typed
        assert event is not None
        found[game_id] = ListedGame(
            f"{season.name} – {name}" if season.name else name,
            time_shown(of.club, event.ended or event.at),
            url_for("table.table", club_id=of.club.id, season_id=season_path(season), table_id=table.id),
            typed=True,
        )
    return found


def sources_listed(of: Inquiry, behind: Sequence[FigureSource]) -> list[tuple[FigureSource, ListedGame]]:
    """What is behind a figure, each with its game at the step where the figure came about."""
    games = listed_games(of, (one.game for one in behind))
    return [(one, games.get(one.game, ListedGame()).opened_at(one.step)) for one in behind]


# --- files -----------------------------------------------------------------------------------------------------------

GAME = (Heading("title", "Game", "title"), Heading("at", "Day", "at"), Heading("mark", "Mark", "mark"))


def sources_file(
    of: Inquiry, found: Sequence[tuple[FigureSource, ListedGame]], measure: Measure, kind: str, name: str
) -> Response:
    """The games behind a figure as a file."""
    headings = (
        *GAME,
        Heading("seat", "Seat", "seat"),
        Heading("person", "Person", "person"),
        Heading("value", "Figure", "amount", measure.unit),
        Heading("total", "Score", "amount", "points"),
        Heading("place", "Place", "place"),
    )
    return _list_file(
        of,
        "games",
        measure.says,
        headings,
        [
            (
                (
                    *_cells(one, it.at),
                    *(
                        (None, "", it.value, None, None)
                        if it.seat == TABLE
                        else (it.seat, it.person, it.value, it.total, it.place)
                    ),
                ),
                one,
            )
            for it, one in found
        ],
        kind,
        name,
        measure.key,
    )


def games_file(of: Inquiry, found: Sequence[ListedGame], key: str, says: str, kind: str, name: str) -> Response:
    """A list of games as a file."""
    return _list_file(of, key, says, GAME, [(_cells(one), one) for one in found], kind, name)


def _cells(one: ListedGame, at: str = "") -> tuple[str, str, str]:
    return one.title, at or one.at, typed_results.KIND if one.typed else ""


def _list_file(
    of: Inquiry,
    key: str,
    says: str,
    headings: tuple[Heading, ...],
    rows: Sequence[tuple[tuple[object, ...], ListedGame]],
    kind: str,
    name: str,
    about: str = "",
) -> Response:
    found = tuple(FigureRow(cells, 1, "", one.game, one.step) for cells, one in rows)
    return open_table_file(
        of, FigureTable(key, says, headings, found, len(rows), about, sum(one.typed for _, one in rows)), kind, name
    )
