"""The log of a club's plays: rows that lists and pages query, whatever way a play was written down.

A play is a table of a season, or outside the seasons, at which a game was recorded or a result was typed in or imported.
Its rows follow the club's events. The end of a recorded game is joined when the log is read, so that a corrected or
reopened game needs no new rows here.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.games import rules_of
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.times import later_time, moment_of_play, read_day
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_events import AnyEvent
from daybook.domain.league.results import NO_DETAILS, Mark, Placed
from daybook.domain.league.scores import Score, as_score
from daybook.services.clock import now
from daybook.services.counted import by_count
from daybook.services.days import day_of, first_moment, last_moment, moment_in_order
from daybook.services.paging import ListPage, UnknownPlaceError
from daybook.services.statistics.typed_results import order_of_entry, tables_touched
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import club_play, club_play_person, counted_table, result_row

PlayKind = Literal["recorded", "sheet", "typed", "imported"]
KINDS: tuple[PlayKind, ...] = get_args(PlayKind)
PlayMark = Literal[
    "cooperative",
    "no_scores",
    "uncounted",
    "tie_settled",
    "unapproved",
    "walkover",
    "practice",
    "provisional",
    "against_rules",
    "as_played",
]
ROW_MARKS: tuple[PlayMark, ...] = ("cooperative", "uncounted", "tie_settled", "unapproved", "walkover")  # columns
MARKS: tuple[PlayMark, ...] = get_args(PlayMark)
TableKey = tuple[str, str]  # season and table
SEARCH_LIMIT = 80  # characters
RESULTS = "results"  # the projection that writes these rows
ROWS_EXPECTED_SECONDS = 2.0  # after an entry was written; later, no request waits for its rows
ROWS_POLL_SECONDS = 0.05


class PlayFilter(Frozen):
    """Filter for a list of a club's plays; an empty field leaves out none.

    Args:
        game: the key of a game.
        person: an id of the club's.
        place: where it was played, as written.
        year: 2026.
        day: 2026-11-20.
        source: of an import.
    """

    game: str = ""
    person: str = ""
    place: str = ""
    year: str = ""
    day: str = ""
    kind: PlayKind | None = None
    source: str = ""
    mark: PlayMark | None = None


class SearchWord(Frozen):
    """A word of a search: a play has it in its game, in its people or in its place."""

    games: tuple[str, ...]
    people: tuple[str, ...]
    text: str


class PlayPerson(Frozen):
    """A player of a play. score_text: the score as written, if it is not a whole number; place: None if unknown."""

    person: str
    place: int | None
    score: Score | None
    score_text: str = ""
    dropped: bool = False


class LoggedPlay(Frozen):
    """A play of the log.

    Args:
        record: the id of its record, if it has one.
        day: on which it was played, in the club's time zone.
        hour: when it began, by the clock at the table; empty if unknown.
        place: where it was played.
        people: by place.
        lowest_wins: the lowest score wins.
    """

    season: str
    table: str
    record: str
    ruleset: str
    day: str
    place: str
    kind: PlayKind
    source: str
    marks: tuple[PlayMark, ...]
    lowest_wins: bool
    people: tuple[PlayPerson, ...]
    hour: str = ""

    @property
    def id(self) -> str:
        """The id of its result in the club."""
        return f"{self.season}.{self.table}"


# --- rows ------------------------------------------------------------------------------------------------------------


def rows_of_events(club: Club, events: Collection[AnyEvent], positions: Sequence[int]) -> read_models.Rows:
    """Return the rows of the tables that these events of a club are about, as they are now."""
    keys = tables_touched(events, club)
    rows: dict[sa.Table, list[read_models.TableRow]] = {club_play: [], club_play_person: []}
    for season, table_id in sorted(keys):
        table = club.season(season).tables.get(table_id, SeasonTable(table_id, season, False))
        rows[club_play].append(_play_row(club, table, positions))
        rows[club_play_person] += _people_rows(club, table)
    return rows


def _play_row(club: Club, table: SeasonTable, positions: Sequence[int]) -> read_models.TableRow:
    typed = None if table.game else table.typed
    details = NO_DETAILS if typed is None else typed.details
    return {
        "club": club.id,
        "season": table.season,
        "table": table.id,
        "record": UUID(table.game) if table.game else None,
        "ruleset": table.ruleset,
        "at": "" if typed is None else moment_in_order(typed.day, club.zone, details.hour),
        "day": "" if typed is None else day_of(typed.day, club.zone),
        "place": (details.place or table.place) if _kind_of(table) else "",
        "kind": _kind_of(table),
        "source": table.source if typed is not None else "",
        "cooperative": details.cooperative,
        "lowest_wins": details.lowest_wins,
        "scored": typed is not None and any(details.score_of(placed) is not None for placed in typed.placed),
        "walkover": typed is not None and typed.walkover,
        "uncounted": bool(details.uncounted),
        "tie_settled": details.tie_settled,
        "unapproved": table.is_unapproved,
        "teams": bool(details.teams),
        "hour": details.hour,
        "minutes": details.minutes,
        "variant": details.variant,
        "expansions": read_models.as_json(details.expansions),
        "position": order_of_entry(club, table, positions),
    }


def _kind_of(table: SeasonTable) -> PlayKind | Literal[""]:
    if table.game or table.recorded:
        rules = rules_of(table.ruleset)
        is_sheet = is_by_name(table.ruleset) or (rules is not None and rules.title_of is not None)
        return "sheet" if is_sheet else "recorded"
    if table.typed is None:
        return ""
    return "imported" if table.source else "typed"


NO_FACTS = {
    "place": None,
    "score": None,
    "text": "",
    "dropped": False,
    "started": False,
    "new": False,
    "role": "",
    "team": "",
    "colour": "",
}  # of a player whose record has them


def _people_rows(club: Club, table: SeasonTable) -> Iterable[read_models.TableRow]:
    key = {"club": club.id, "season": table.season, "table": table.id}
    if table.game:
        for seat, person in enumerate(table.played):
            yield {**key, **NO_FACTS, "number": seat, "person": person}
    elif table.typed is not None:
        details = table.typed.details
        for number, placed in enumerate(table.typed.placed):
            yield {
                **key,
                "number": number,
                "person": placed.person,
                "place": placed.place,
                "score": details.score_of(placed),
                "text": details.scores.get(placed.person, ""),
                "dropped": placed.dropped,
                "started": details.start_player == placed.person,
                "new": placed.person in details.new,
                "role": details.roles.get(placed.person, ""),
                "team": details.teams.get(placed.person, ""),
                "colour": details.colours.get(placed.person, ""),
            }


def clear(connection: sa.Connection, rows: read_models.Rows, tables: Mapping[sa.Table, sa.Table]) -> None:
    """Delete the people of the plays that these rows are about. tables: the tables, if not the present ones."""
    people = tables.get(club_play_person, club_play_person)
    by_club: dict[tuple[UUID, str], list[str]] = {}
    for row in rows.get(club_play, ()):
        by_club.setdefault((row["club"], row["season"]), []).append(row["table"])
    for (club, season), of_season in by_club.items():
        for start in range(0, len(of_season), read_models.PAGE):
            page = of_season[start : start + read_models.PAGE]
            connection.execute(
                people.delete().where(people.c.club == club, people.c.season == season, people.c.table.in_(page))
            )


# --- reading ---------------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """Plays that have their end in the same place: those with a record in its rows, the others in their own.

    They are queried apart, so that a database follows the index of each. at: the end, or its day alone.
    """

    rows: sa.FromClause
    at: sa.ColumnElement[str]
    in_order: sa.ColumnElement[str]
    condition: sa.ColumnElement[bool]
    ends: tuple[sa.ColumnElement[Any], ...]  # columns of the record's end

    @property
    def order(self) -> tuple[sa.ColumnElement[Any], ...]:
        return self.in_order, club_play.c.position, club_play.c.season, club_play.c.table


_newest = sa.select(sa.func.max(result_row.c.step)).where(result_row.c.game == club_play.c.record)
_ended = result_row.alias("ended")
_day_ended = sa.func.substr(_ended.c.ended_at, 1, 10, type_=sa.Text)
TYPED = Part(
    club_play,
    club_play.c.at,
    club_play.c.at,
    sa.and_(club_play.c.record.is_(None), club_play.c.kind != ""),
    tuple(sa.null().label(name) for name in ("ended_at", "placed", "ended_marks", "fewest")),
)
RECORDED = Part(
    club_play.join(
        _ended,
        sa.and_(_ended.c.game == club_play.c.record, _ended.c.step == _newest.correlate(club_play).scalar_subquery()),
    ),
    _ended.c.ended_at,
    sa.case(
        (_ended.c.ended_at.like("%" + moment_of_play("")), _day_ended.concat("T23:59:59.999Z")), else_=_ended.c.ended_at
    ),
    sa.and_(club_play.c.record.is_not(None), _ended.c.ended_at != ""),
    (_ended.c.ended_at, _ended.c.placed, _ended.c.marks.label("ended_marks"), _ended.c.lowest_wins.label("fewest")),
)
PARTS = (TYPED, RECORDED)


def list_plays(
    book: Daybook, club: Club, wanted: PlayFilter, after: str, limit: int, words: Sequence[SearchWord] = ()
) -> ListPage[LoggedPlay]:
    """Return plays of a club, the newest first. after: the id of the play before them. Raises UnknownPlaceError.

    A viewer who may not see the club's evenings gets no place, and no play by its place.
    """
    start = _place_of(book, club, after) if after else None
    rows: list[Any] = []
    for part in PARTS:
        query = sa.select(club_play, part.in_order.label("in_order"), *part.ends).select_from(part.rows)
        query = query.where(*_conditions(club, part, wanted, words)).limit(limit + 1)
        if start is not None:
            query = query.where(sa.tuple_(*part.order) < sa.tuple_(*map(sa.literal, start)))
        rows += book.views.rows(query.order_by(*(column.desc() for column in part.order)))
    rows.sort(key=lambda row: (row.in_order, row.position, row.season, row.table), reverse=True)
    people = _people_of(book, club, [(row.season, row.table) for row in rows[:limit]])
    found = [_logged_play(club, row, people[row.season, row.table]) for row in rows[:limit]]
    return ListPage(found, found[-1].id if len(rows) > limit else "")


def wait_for_rows(book: Daybook, club: Club) -> bool:
    """Wait until the rows include a club's newest entry if it was written just now; return if they do."""
    position = book.log.position(club.id, club.step)
    wait_until = later_time(club.entries[-1].event.at, seconds=ROWS_EXPECTED_SECONDS)
    while read_models.position_of(book.views, RESULTS) < position:
        if now() > wait_until:
            return False
        time.sleep(ROWS_POLL_SECONDS)
    return True


def count_plays(book: Daybook, club: Club, wanted: PlayFilter, words: Sequence[SearchWord] = ()) -> int:
    """Return the number of plays that a list has."""
    return sum(
        int(
            book.views.value(
                sa.select(sa.func.count()).select_from(part.rows).where(*_conditions(club, part, wanted, words))
            )
            or 0
        )
        for part in PARTS
    )


def count_by_game(book: Daybook, club: Club, person: str, since: str, until: str) -> Counter[str]:
    """Count the plays of each game between two days.

    Void plays, practice games and plays marked as not counted are left out. Solo plays count.

    Args:
        person: of the club; empty for all.
        until: empty for no end.
    """
    plays, counted, found = club_play.c, counted_table.c, Counter[str]()
    is_same = sa.and_(counted.club == plays.club, counted.season == plays.season, counted.table == plays.table)
    for part in PARTS:
        conditions = [*_conditions(club, part, PlayFilter(person=person), ()), counted.game.is_not(None)]
        if part is TYPED:
            conditions += [plays.day >= since, *([plays.day <= until] if until else [])]
        else:
            conditions += [part.at >= first_moment(since, club.zone), *_without_marks(club)]
            conditions += [part.at <= last_moment(until, club.zone)] if until else []
        query = sa.select(plays.ruleset, sa.func.count()).select_from(part.rows.join(counted_table, is_same))
        for ruleset, n in book.views.rows(query.where(*conditions).group_by(plays.ruleset)):
            found[ruleset] += int(n)
    return found


def _without_marks(club: Club) -> list[sa.ColumnElement[bool]]:
    """Return the conditions under which a recorded play counts."""
    left_out: list[Mark] = ["against_rules"] if club.settings.simulated else ["against_rules", "practice"]
    return [~_ended.c.marks.contains(f'"{mark}"', autoescape=True) for mark in left_out]


def _place_of(book: Daybook, club: Club, after: str) -> Sequence[Any]:
    """Return a play's place in the order of the log. Raises UnknownPlaceError."""
    season, _, table = after.rpartition(".")
    for part in PARTS:
        query = sa.select(*part.order).select_from(part.rows).where(club_play.c.club == club.id)
        row = book.views.row(query.where(club_play.c.season == season, club_play.c.table == table, part.condition))
        if row is not None:
            return tuple(row)
    raise UnknownPlaceError(after)


def _conditions(
    club: Club, part: Part, wanted: PlayFilter, words: Sequence[SearchWord]
) -> list[sa.ColumnElement[bool]]:
    conditions = [club_play.c.club == club.id, part.condition]
    equal = {"ruleset": wanted.game, "kind": wanted.kind, "source": wanted.source}
    conditions += [club_play.c[name] == value for name, value in equal.items() if value]
    if wanted.place:
        conditions.append(sa.false() if club.shows_days_only else club_play.c.place == wanted.place)
    if wanted.person:
        conditions.append(_has_person(club, club.ids_of(wanted.person)))
    if wanted.year:
        conditions.append(_is_in_year(club, part, wanted.year))
    if wanted.day:
        conditions.append(_is_on_day(club, part, wanted.day))
    if wanted.mark:
        conditions.append(_has_mark(part, wanted.mark))
    if part is RECORDED:
        delays = {season_id: club.result_delay(season_id) for season_id in club.seasons}
        conditions += [
            sa.or_(club_play.c.season != season_id, _ended.c.at <= later_time(now(), seconds=-delay_seconds))
            for season_id, delay_seconds in delays.items()
            if delay_seconds
        ]
    return conditions + [_has_word(club, word) for word in words]


def _has_person(club: Club, ids: Iterable[str]) -> sa.ColumnElement[bool]:
    people = club_play_person.c
    plays = sa.select(people.season, people.table).where(people.club == club.id, people.person.in_([*ids]))
    return sa.tuple_(club_play.c.season, club_play.c.table).in_(plays)  # read once; with EXISTS it is once a play


def _is_in_year(club: Club, part: Part, year: str) -> sa.ColumnElement[bool]:
    if not (len(year) == 4 and year.isdecimal() and year.isascii() and year > "0000"):
        return sa.false()
    if part is TYPED:
        return club_play.c.day.between(f"{year}-01-01", f"{year}-12-31")
    return part.at.between(first_moment(f"{year}-01-01", club.zone), last_moment(f"{year}-12-31", club.zone))


def _is_on_day(club: Club, part: Part, day: str) -> sa.ColumnElement[bool]:
    if read_day(day) is None:
        return sa.false()
    if part is TYPED:
        return club_play.c.day == day
    return part.at.between(first_moment(day, club.zone), last_moment(day, club.zone))


def _has_mark(part: Part, mark: PlayMark) -> sa.ColumnElement[bool]:
    if mark in ROW_MARKS:
        return club_play.c[mark].is_(True)
    if mark == "no_scores":
        return club_play.c.scored.is_(False) if part is TYPED else sa.false()
    return sa.false() if part is TYPED else _ended.c.marks.contains(f'"{mark}"', autoescape=True)


def _has_word(club: Club, word: SearchWord) -> sa.ColumnElement[bool]:
    found = [club_play.c.ruleset.in_(word.games), _has_person(club, word.people)]
    if not club.shows_days_only:
        found.append(sa.func.lower(club_play.c.place).contains(word.text.lower(), autoescape=True))
    return sa.or_(*found)


def _people_of(book: Daybook, club: Club, keys: Collection[TableKey]) -> Mapping[TableKey, list[Any]]:
    people: dict[TableKey, list[Any]] = {key: [] for key in keys}
    by_season: dict[str, list[str]] = {}
    for season, table in keys:
        by_season.setdefault(season, []).append(table)
    columns = club_play_person.c
    for season, tables in by_season.items():
        query = sa.select(club_play_person).where(columns.club == club.id, columns.season == season)
        for row in book.views.rows_where_in(query.order_by(columns.number), columns.table, tables):
            people[row.season, row.table].append(row)
    return people


def _logged_play(club: Club, row: Any, people: Sequence[Any]) -> LoggedPlay:
    marks: list[PlayMark] = [mark for mark in ROW_MARKS if getattr(row, mark)]
    placed: dict[int, Placed] = {}
    if row.record is not None:
        recorded: tuple[Mark, ...] = msgspec.json.decode(row.ended_marks, type=tuple[Mark, ...])
        marks += [mark for mark in recorded if mark != "typed"]
        results = msgspec.json.decode(row.placed, type=tuple[Placed, ...])
        placed = {result.seat: result for result in results if result.seat is not None}
    table = club.season(row.season).tables.get(row.table) if club.has_season(row.season) else None
    if table is not None and table.recorded and not table.game:
        marks += [mark for mark in table.recorded.marks if mark != "typed"]
    players = [
        PlayPerson(
            club.person(player.person),
            placed[player.number].place if player.number in placed else player.place,
            placed[player.number].score if player.number in placed else _score_of_row(player.score),
            player.text,
            player.dropped,
        )
        for player in people
    ]
    return LoggedPlay(
        row.season,
        row.table,
        "" if row.record is None else str(row.record),
        row.ruleset,
        row.day or day_of(row.ended_at, club.zone),
        "" if club.shows_days_only else row.place,
        row.kind,
        row.source,
        tuple(marks),
        bool(row.lowest_wins or row.fewest),
        tuple(sorted(players, key=lambda player: (player.place is None, player.place or 0))),
        "" if club.shows_days_only else row.hour,
    )


def _score_of_row(score: float | None) -> Score | None:
    return None if score is None else as_score(score)


# --- what can be chosen ----------------------------------------------------------------------------------------------


class PlayedGame(Frozen):
    """A game that a club has played, with how it is mostly won."""

    key: str
    plays: int
    lowest_wins: bool
    cooperative: bool
    teams: bool


def played_games(book: Daybook, club: Club) -> list[PlayedGame]:
    """Return the games that a club has played, the most frequent first."""
    columns = club_play.c

    def count_of(mark: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
        return sa.func.sum(sa.case((mark.is_(True), 1), else_=0))

    query = (
        sa.select(
            columns.ruleset,
            sa.func.count().label("n"),
            count_of(columns.lowest_wins).label("lowest"),
            count_of(columns.cooperative).label("together"),
            count_of(columns.teams).label("in_teams"),
        )
        .where(columns.club == club.id, columns.ruleset != "")
        .group_by(columns.ruleset)
    )
    found = [
        PlayedGame(row.ruleset, row.n, 2 * row.lowest > row.n, 2 * row.together > row.n, 2 * row.in_teams > row.n)
        for row in book.views.rows(query)
    ]
    return sorted(found, key=lambda game: (-game.plays, game.key))


class PlayChoices(Frozen):
    """Values to filter a club's plays by, the most frequent first; years: the newest first."""

    games: tuple[str, ...]
    places: tuple[str, ...]
    years: tuple[str, ...]
    kinds: tuple[PlayKind, ...]
    sources: tuple[str, ...]


def choices(book: Daybook, club: Club, most: int) -> PlayChoices:
    """Return what a club's plays can be filtered by. most: games and places at most."""

    def frequent(column: sa.ColumnElement[str], n: int | None = None) -> tuple[str, ...]:
        query = sa.select(column, sa.func.count()).where(club_play.c.club == club.id).group_by(column)
        counts = [(value, int(plays)) for value, plays in book.views.rows(query) if value]
        return tuple(value for value, _ in sorted(counts, key=by_count)[:n])

    year = sa.func.substr(club_play.c.day, 1, 4)
    recorded = sa.select(sa.func.substr(RECORDED.at, 1, 4)).distinct().select_from(RECORDED.rows)
    ended = book.views.values(recorded.where(club_play.c.club == club.id, RECORDED.condition))
    years = {*frequent(year), *ended}
    kinds = frequent(club_play.c.kind)
    return PlayChoices(
        frequent(club_play.c.ruleset, most),
        () if club.shows_days_only else frequent(club_play.c.place, most),
        tuple(sorted(years, reverse=True)),
        tuple(kind for kind in KINDS if kind in kinds),
        frequent(club_play.c.source),
    )
