"""Games behind a figure as lists and files, with links for viewers that may read them.

Typed results link to their table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

import msgspec
from flask import url_for
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_statistics import Measure
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

MAX_GAMES_IN_FILE = 50_000  # games at most


class ListedGame(Frozen):
    """Game or typed result of a list.

    Args:
        title: empty if the viewer may not read it; so is `to`.
        game: id of the record.
    """

    title: str = ""
    at: str = ""
    to: str = ""
    game: UUID | None = None
    step: int | None = None
    typed: bool = False

    def opened_at(self, step: int | None) -> ListedGame:
        """Return a copy that links to a step."""
        if self.game is None:
            return self
        return msgspec.structs.replace(self, step=step, to=url_for("replay.replay", game_id=self.game, step=step))


def listed_games(scope: Inquiry, ids: Iterable[UUID]) -> dict[UUID, ListedGame]:
    """Return games and typed results by id in the same order; unknown ones are left out."""
    ids = list(dict.fromkeys(ids))
    results = _typed_results(scope, ids) if scope.filter.typed != "no" else {}
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


def _typed_results(scope: Inquiry, games: Collection[UUID]) -> Mapping[UUID, ListedGame]:
    """Return the typed results of the page's club among these games."""
    if scope.club is None:
        return {}
    found = {}
    for game_id, table in typed_results.typed_tables(book(), scope.club, games).items():
        season = scope.club.season(table.season)
        name, event = table_label(season, table), table.typed
        assert event is not None
        found[game_id] = ListedGame(
            f"{season.name} – {name}" if season.name else name,
            time_shown(scope.club, event.ended_at or event.at),
            url_for("table.table", club_id=scope.club.id, season_id=season_path(season), table_id=table.id),
            typed=True,
        )
    return found


def list_sources(scope: Inquiry, behind: Sequence[FigureSource]) -> list[tuple[FigureSource, ListedGame]]:
    """Return what is behind a figure, with each game at its step."""
    games = listed_games(scope, (source.game for source in behind))
    return [(source, games.get(source.game, ListedGame()).opened_at(source.step)) for source in behind]


# --- files -----------------------------------------------------------------------------------------------------------

GAME = (Heading("title", "Game", "title"), Heading("at", "Day", "at"), Heading("mark", "Mark", "mark"))


def sources_file(
    scope: Inquiry, sources: Sequence[tuple[FigureSource, ListedGame]], measure: Measure, kind: str, name: str
) -> Response:
    """Return the games behind a figure as a file."""
    headings = (
        *GAME,
        Heading("seat", "Seat", "seat"),
        Heading("person", "Person", "person"),
        Heading("value", "Figure", "amount", measure.unit),
        Heading("total", "Score", "amount", "points"),
        Heading("place", "Place", "place"),
    )
    return _list_file(
        scope,
        "games",
        measure.says,
        headings,
        [
            (
                (
                    *_cells(source, it.at),
                    *(
                        (None, "", it.value, None, None)
                        if it.seat == TABLE
                        else (it.seat, it.person, it.value, it.total, it.place)
                    ),
                ),
                source,
            )
            for it, source in sources
        ],
        kind,
        name,
        measure.key,
    )


def games_file(scope: Inquiry, games: Sequence[ListedGame], key: str, label: str, kind: str, name: str) -> Response:
    """Return a list of games as a file."""
    return _list_file(scope, key, label, GAME, [(_cells(game), game) for game in games], kind, name)


def _cells(game: ListedGame, at: str = "") -> tuple[str, str, str]:
    return game.title, at or game.at, typed_results.KIND if game.typed else ""


def _list_file(
    scope: Inquiry,
    key: str,
    label: str,
    headings: tuple[Heading, ...],
    rows: Sequence[tuple[tuple[object, ...], ListedGame]],
    kind: str,
    name: str,
    about: str = "",
) -> Response:
    found = tuple(FigureRow(cells, 1, "", game.game, game.step) for cells, game in rows)
    return open_table_file(
        scope,
        FigureTable(key, label, headings, found, len(rows), about, sum(game.typed for _, game in rows)),
        kind,
        name,
    )
