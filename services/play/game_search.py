"""Game search by player, title, game, club, date and ownership; one page at a time, newest first.

"Newest" is the order in which this server received entries: a record's own times can be forged.

A search only finds what the viewer may read, and only matches what its pages would show: names and titles are the
current ones.

Pages use keyset pagination, so the thousandth costs as much as the first. Two strategies: try the newest games of the
index, in growing batches; if too few match, intersect the sets of possible games (readable, by player name, title,
club) and take the newest. The first is fast for frequent matches, the second for rare ones. If each word alone matches
very many games, more of the newest are tried before the sets are intersected.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any, Literal
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import MARK
from daybook.domain.kernel.texts import composed
from daybook.services.permissions.delays import delayed_game
from daybook.services.store import kept
from daybook.services.store.daybook import Daybook
from daybook.services.store.disagreements import select_of_game
from daybook.services.store.kept import GameKept
from daybook.services.store.read_models import (
    GameList,
    GameRow,
    build_game_row,
    club_game,
    game_row,
    list_of,
    parse_game_row,
)

MAX_SEARCH_WORDS = 6  # further words are ignored
MAX_WORD_CHARACTERS = 40
FIRST_BATCH_SIZES = (100, 1000)  # newest games tried before the sets of possible games are intersected
LATER_BATCH_SIZES = (4_000, 16_000)  # newest games tried if a set is too large and matches are likely
MAX_SET_SIZE = 3000  # games of a set; larger sets are not intersected
MAX_CASE_VARIANTS = 3  # non-ASCII letters of a word that are searched in both cases

_beside = sa.MetaData()
kept_game = kept.kept_game.to_metadata(_beside, schema="kept")
kept_person = kept.kept_person.to_metadata(_beside, schema="kept")
kept_seat = kept.kept_seat.to_metadata(_beside, schema="kept")

PAIRS = sa.func.daybook_kept.letter_pairs  # on PostgreSQL: services.store.kept_steps.pairs_of_letters
Condition = sa.ColumnElement[bool]
Ids = sa.Select[tuple[UUID]]


class Searcher(Frozen):
    """Viewer in search of games.

    Args:
        links: games open to the viewer by links.
        people: ids under which the viewer sits at tables.
        sat: games in which the viewer sat, whatever the records say.
        not_sat: games in which the viewer did not sit, whatever the records say.
        clubs: clubs whose games the viewer may read.
        club_games: the games of these clubs.
        readable: ids and names of all clubs whose pages the viewer may read.
    """

    links: frozenset[UUID] = frozenset()
    people: tuple[str, ...] = ()
    sat: frozenset[UUID] = frozenset()
    not_sat: frozenset[UUID] = frozenset()
    clubs: tuple[UUID, ...] = ()
    club_games: frozenset[UUID] = frozenset()
    readable: tuple[tuple[UUID, str], ...] = ()


class PageEnd(Frozen):
    """Cursor behind the last game of a page, by the log position of its newest entry; part of an address."""

    position: int

    @property
    def text(self) -> str:
        return str(self.position)


class GameFilter(Frozen):
    """Conditions of a search.

    Args:
        words: each occurs in the title, a name, the game's name or a club's name.
        since: first day (2025-12-31, UTC) of the last recording, inclusive.
        until: last day of the last recording, inclusive.
        mine: only games in which the viewer sits or to which the viewer holds a link.
        games_named: rulesets whose titles contain a word, by word.
    """

    words: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    mine: bool = False
    list: GameList | Literal[""] = ""
    ruleset: str = ""
    club: UUID | None = None
    games_named: dict[str, tuple[str, ...]] = {}


class GamesFound(Frozen):
    """A page of games; next: where the next one begins, if there is one."""

    rows: list[GameRow]
    next: PageEnd | None


def parse_cursor(text: str) -> PageEnd | UUID | None:
    """Parse the cursor in an address; None if invalid. Older addresses name the last game of a page."""
    if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII):
        return PageEnd(int(text))
    match = re.fullmatch(r"[0-9T:.+Z-]{10,40}_([0-9a-f]{32})", text, re.ASCII)
    return UUID(match[1]) if match else None


def split_words(text: str) -> tuple[str, ...]:
    """Split a search text into words."""
    return tuple(word[:MAX_WORD_CHARACTERS] for word in composed(text).split())[:MAX_SEARCH_WORDS]


def rulesets_named(words: Iterable[str], titles: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return the rulesets with a word in their titles, by word.

    Args:
        titles: (ruleset id, title); a ruleset may have several titles.
    """
    named = [(ruleset_id, title.casefold()) for ruleset_id, title in titles]
    return {
        word: tuple(sorted({ruleset_id for ruleset_id, title in named if word.casefold() in title})) for word in words
    }


def search_games(
    book: Daybook, seeker: Searcher, filters: GameFilter, after: PageEnd | UUID | None = None, limit: int = 20
) -> GamesFound:
    """Return a page of matching games that the viewer may read, newest first."""
    with book.search.connect() as connection:
        if isinstance(after, UUID):
            position = connection.scalar(sa.select(game_row.c.position).where(game_row.c.game == after))
            after = PageEnd(position) if position is not None else None
        query = SearchQueries(seeker, filters, connection.dialect.name)
        rows = query.fetch_page(connection, after, limit)
    more = len(rows) > limit
    kept_games = {game.id: game for game in book.kept.games_of([row.game for row in rows[:limit]])}
    found = [
        _delayed_row(book, row, kept_games[row.game])
        for row in rows[:limit]
        if row.game in kept_games and _may_read(seeker, row.game, kept_games[row.game].public)
    ]
    in_list = [row for row in found if filters.list in ("", list_of(row.kind, row.status))]  # perhaps not yet
    return GamesFound(in_list, PageEnd(rows[limit - 1].position) if more else None)


def _delayed_row(book: Daybook, row: Any, kept_game: GameKept) -> GameRow:
    """Return a row of a list, as late as spectators may see it; lists are the same for players."""
    delay_seconds = book.clubs.spectator_delay(row.game)
    if delay_seconds and (game := book.games.find(row.game)) is not None:
        seen = delayed_game(book, game, delay_seconds)
        if seen.step < row.step:
            position = book.log.position(seen.id, seen.step)
            row = SimpleNamespace(**build_game_row(seen, seen.step, position, select_of_game(book.kept, seen.id)))
    return parse_game_row(row, kept_game)


def _may_read(seeker: Searcher, game_id: UUID, public: bool) -> bool:
    """Check if the viewer may read a game now; rows of clubs may lag behind."""
    return public or game_id in seeker.links or game_id in seeker.club_games


class SearchQueries:
    """One search, as queries of one database."""

    def __init__(self, seeker: Searcher, filters: GameFilter, dialect: str) -> None:
        self.seeker = seeker
        self.filters = filters
        self.dialect = dialect
        readable = {club for club, _ in seeker.readable}
        self.club = [
            club for club in (filters.club,) if club in readable
        ]  # clubs that are closed to the viewer match nothing
        self.clubs_named = {
            word: [club for club, name in seeker.readable if word.casefold() in name.casefold()]
            for word in filters.words
        }

    def fetch_page(self, connection: sa.Connection, after: PageEnd | None, limit: int) -> Sequence[Any]:
        """Fetch a page of rows, with one extra row if there are more."""
        found = list[Any]()
        start = self._try_newest(connection, found, after, limit, FIRST_BATCH_SIZES)
        if start is None:
            return found[: limit + 1]
        for few in self.candidate_sets():
            ids = connection.scalars(few.limit(MAX_SET_SIZE + 1)).all()
            if len(ids) <= MAX_SET_SIZE:
                return connection.execute(self.matches_among(ids, after).limit(limit + 1)).all() if ids else []
        if self._try_newest(connection, found, start, limit, LATER_BATCH_SIZES) is None:
            return found[: limit + 1]
        by_everything = sa.select(sa.intersect(*self.candidate_sets()).subquery())
        ids = connection.scalars(by_everything.limit(MAX_SET_SIZE + 1)).all()
        if len(ids) <= MAX_SET_SIZE:
            return connection.execute(self.matches_among(ids, after).limit(limit + 1)).all() if ids else []
        return connection.execute(self.all_fitting(after).limit(limit + 1)).all()

    def _try_newest(
        self, connection: sa.Connection, games: list[Any], after: PageEnd | None, limit: int, batch_sizes: Sequence[int]
    ) -> PageEnd | None:
        """Append matches among the newest games, batch by batch.

        Returns:
            the cursor to continue from; None if the page is full or the games are exhausted.
        """
        for batch_size in batch_sizes:
            stretch = connection.execute(self.newest_games(after, batch_size)).all()
            if stretch:
                games += connection.execute(self.all_fitting(after, PageEnd(stretch[-1].position))).all()
            if len(games) > limit or len(stretch) < batch_size:
                return None
            after = PageEnd(stretch[-1].position)
        return after

    # --- ways to a page ---

    def newest_games(self, after: PageEnd | None, tried: int) -> sa.Select[Any]:
        """Select the newest games that pass the list, date and ruleset filters."""
        return _in_order(sa.select(game_row.c.game, game_row.c.position).where(*self.row_conditions(after))).limit(
            tried
        )

    def matches_among(self, games: Collection[UUID], after: PageEnd | None = None) -> sa.Select[Any]:
        """Select the matches among the given games."""
        return self.all_fitting(after).where(game_row.c.game.in_(games))

    def all_fitting(self, after: PageEnd | None, to: PageEnd | None = None) -> sa.Select[Any]:
        """All that fit, in order. to: the last place of a stretch."""
        query = sa.select(game_row).join(kept_game, kept_game.c.id == game_row.c.game)
        conditions = [*self.row_conditions(after), *self.match_conditions(), kept_game.c.replaced_by.is_(None)]
        if to is not None:
            conditions.append(game_row.c.position >= to.position)
        return _in_order(query.where(*conditions))

    def candidate_sets(self) -> Iterator[sa.Select[Any]]:
        """Yield sets that each contain all matches, one per condition."""
        yield _any_of(
            [
                sa.select(kept_game.c.id).where(kept_game.c.public),
                sa.select(kept_game.c.id).where(kept_game.c.id.in_(self.seeker.links)),
                self.games_of_own_clubs(),
            ]
        )
        if self.filters.mine:
            yield _any_of(self.own_games())
        if self.filters.club is not None:
            yield self.games_of_clubs(self.club)
        for word in self.filters.words:
            if not self.filters.games_named.get(word):
                yield _any_of(self.games_with(word))

    # --- conditions ---

    def row_conditions(self, after: PageEnd | None) -> list[Condition]:
        """Return the conditions that the rows of games alone can decide."""
        filters, row = self.filters, game_row.c
        conditions: list[Condition] = []
        if filters.list:
            conditions.append(row.list == filters.list)
        if filters.ruleset:
            conditions.append(row.ruleset == filters.ruleset)
        if filters.since:
            conditions.append(row.last_at >= filters.since)
        if filters.until:
            conditions.append(row.last_at < filters.until + "T~")  # behind every time of that day
        if after is not None:
            conditions.append(row.position < after.position)
        return conditions

    def match_conditions(self) -> list[Condition]:
        """Return the conditions for read permission, ownership, club and words."""
        filters, game = self.filters, game_row.c.game
        conditions = [self._readable()]
        if filters.mine:
            conditions.append(sa.or_(*(game.in_(ids) for ids in self.own_games())))
        if filters.club is not None:
            conditions.append(game.in_(self.games_of_clubs(self.club)))
        conditions += [self._contains_word(word) for word in filters.words]
        return conditions

    def _readable(self) -> Condition:
        seeker = self.seeker
        ways: list[Condition] = [kept_game.c.public]
        if seeker.links:
            ways.append(game_row.c.game.in_(seeker.links))
        if len(seeker.club_games) <= MAX_SET_SIZE:
            ways.append(game_row.c.game.in_(seeker.club_games))
        elif seeker.clubs:
            ways.append(_is_of_clubs(seeker.clubs))
        return sa.or_(*ways)

    def _contains_word(self, word: str) -> Condition:
        ways = [
            self._like(kept_game.c.title, word),
            sa.select(sa.literal(1))
            .where(
                kept_seat.c.game == game_row.c.game,
                kept_person.c.id == kept_seat.c.person,
                self._like(sa.func.coalesce(kept_seat.c.name, kept_person.c.name), word),
            )
            .correlate(game_row)
            .limit(1)
            .scalar_subquery()
            == 1,
        ]  # checked game by game, not for all players beforehand
        if named := self.filters.games_named.get(word):
            ways.append(game_row.c.ruleset.in_(named))
        ways.append(sa.and_(game_row.c.ruleset.startswith(MARK), self._like(game_row.c.ruleset, word)))
        if clubs := self.clubs_named[word]:
            ways.append(_is_of_clubs(clubs))
        return sa.or_(*ways)

    def _like(self, column: sa.ColumnElement[str], word: str) -> Condition:
        """Match texts that contain a word, ignoring case. SQLite folds only ASCII letters."""
        if self.dialect == "postgresql":
            return sa.or_(*(column.ilike(pattern, escape="\\") for pattern in like_patterns(word)))
        return sa.or_(*(column.like(pattern, escape="\\") for pattern in like_patterns(word)))

    def _like_indexed(self, column: sa.ColumnElement[str], word: str) -> Condition:
        """Match texts of a whole column; on PostgreSQL by the index of letter pairs."""
        holds = self._like(column, word)
        if self.dialect != "postgresql" or len(word) < 2:
            return holds
        return sa.and_(holds, sa.or_(*(PAIRS(column).op("@>")(PAIRS(spelling)) for spelling in case_variants(word))))

    # --- games by something ---

    def games_with(self, word: str) -> list[Ids]:
        """Games with a word in the title, in a name or in the name of a club; not in that of what is played."""
        ways: list[Ids] = [
            sa.select(kept_seat.c.game).where(
                kept_seat.c.name.is_(None),
                kept_seat.c.person.in_(sa.select(kept_person.c.id).where(self._like_indexed(kept_person.c.name, word))),
            ),
            sa.select(kept_seat.c.game).where(
                kept_seat.c.name.is_not(None), self._like_indexed(kept_seat.c.name, word)
            ),
            sa.select(kept_game.c.id).where(self._like_indexed(kept_game.c.title, word)),
        ]
        if clubs := self.clubs_named[word]:
            ways.append(self.games_of_clubs(clubs))
        return ways

    def games_of_clubs(self, clubs: Collection[UUID]) -> Ids:
        return sa.select(club_game.c.game).where(club_game.c.club.in_(clubs), club_game.c.entered)

    def games_of_own_clubs(self) -> Ids:
        """Select games of the viewer's clubs; above `MAX_SET_SIZE` from rows, which may lag behind."""
        if len(self.seeker.club_games) <= MAX_SET_SIZE:
            return sa.select(kept_game.c.id).where(kept_game.c.id.in_(self.seeker.club_games))
        return self.games_of_clubs(self.seeker.clubs)

    def own_games(self) -> list[Ids]:
        return [
            sa.select(kept_seat.c.game).where(
                kept_seat.c.person.in_(self.seeker.people), kept_seat.c.game.not_in(self.seeker.not_sat)
            ),
            sa.select(kept_game.c.id).where(kept_game.c.id.in_(self.seeker.links | self.seeker.sat)),
        ]


def _any_of(ways: Sequence[Ids]) -> sa.Select[Any]:
    """Games by one way or another; some of them twice."""
    return sa.select(sa.union_all(*ways).subquery())


def _is_of_clubs(clubs: Collection[UUID]) -> Condition:
    return (
        sa.exists()
        .where(club_game.c.game == game_row.c.game, club_game.c.club.in_(clubs), club_game.c.entered)
        .correlate(game_row)
    )


def _in_order(query: sa.Select[Any]) -> sa.Select[Any]:
    return query.order_by(game_row.c.position.desc())


def like_patterns(word: str) -> list[str]:
    """Build LIKE patterns for a word, with its non-ASCII letters in both cases."""
    return ["%" + re.sub(r"([%_\\])", r"\\\1", spelling) + "%" for spelling in case_variants(word)]


def case_variants(word: str) -> list[str]:
    """Return a word with its non-ASCII letters in both cases."""
    letters = [place for place, letter in enumerate(word) if not letter.isascii() and letter.lower() != letter.upper()]
    spelled = {word, word.lower(), word.upper(), word.capitalize()} if letters else {word}
    if len(letters) <= MAX_CASE_VARIANTS:
        for cases in product((str.lower, str.upper), repeat=len(letters)):
            of_place = dict(zip(letters, cases, strict=True))
            spelled.add("".join(of_place[at](sign) if at in of_place else sign for at, sign in enumerate(word)))
    return sorted(spelled)
