"""Finding games: by people, title, game and club, by dates, and whose they are; a page at a time, the newest first.

The newest is the one that Daybook was given an entry of last: what a record says of its own time anybody can write.

Nothing is found but what the seeker may read, and nothing is found by what its pages would not show: names and titles
are those of today, since the query asks for them where they are kept.

A page begins behind the last game of the one before (keyset), so that the thousandth costs what the first does. How a
page is found: the newest games that the index gives are tried, a few and then some more; where too few of them fit,
the games that can fit are put together (what may be read at all, the seats of people of that name, titles, clubs), and
the newest of them taken. The first way is quick where much fits, the second where little does. Where each word alone
finds very many, more of the newest are tried, then the games that all words find are put together.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Literal
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import MARK
from daybook.domain.kernel.texts import composed
from daybook.services.store import kept
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import GameList, GameRow, club_game, game_row, game_row_of

WORDS_LIMIT = 6  # of a search; what comes after them is not looked for
WORD_LIMIT = 40  # characters
TRIED = (100, 1000)  # of the newest games, before those that fit are put together
TRIED_FURTHER = (4_000, 16_000)  # where too many would be put together, of which some are likely to fit
FEW = 3000  # games that are put together; where more would be, the newest are gone through
CASES_LIMIT = 3  # letters outside ASCII that are looked for in both cases

_beside = sa.MetaData()
kept_game = kept.kept_game.to_metadata(_beside, schema="kept")
kept_person = kept.kept_person.to_metadata(_beside, schema="kept")
kept_seat = kept.kept_seat.to_metadata(_beside, schema="kept")

PAIRS = sa.func.daybook_kept.letter_pairs  # on PostgreSQL: services.store.kept_steps.pairs_of_letters
Condition = sa.ColumnElement[bool]
Ids = sa.Select[tuple[UUID]]


class Seeker(Frozen):
    """Who looks for games. links: games that are open to them by links; people: the ids they sit at tables by; sat,
    not_sat: games in which they sat, or did not, whatever the records say.

    clubs: their clubs, whose games they may read; club_games: these games. readable: the names of all clubs whose
    pages they may read, by id.
    """

    links: frozenset[UUID] = frozenset()
    people: tuple[str, ...] = ()
    sat: frozenset[UUID] = frozenset()
    not_sat: frozenset[UUID] = frozenset()
    clubs: tuple[UUID, ...] = ()
    club_games: frozenset[UUID] = frozenset()
    readable: tuple[tuple[UUID, str], ...] = ()


class PageEnd(Frozen):
    """Where a page ends: behind the game whose newest entry has this position in the log. As text it is part of an
    address.
    """

    position: int

    @property
    def text(self) -> str:
        return str(self.position)


class GameFilter(Frozen):
    """Which games are looked for. words: each stands in the title, a name, the game's name or a club's.

    since, until: days (2025-12-31), both included, in which the game was last recorded in, UTC. mine: those that one
    sits in or holds a link to. games_named: the rulesets that a word names, by word.
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


def read_place(text: str) -> PageEnd | UUID | None:
    """The place an address names; addresses of before name the last game of a page; None for what names none."""
    if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII):
        return PageEnd(int(text))
    found = re.fullmatch(r"[0-9T:.+Z-]{10,40}_([0-9a-f]{32})", text, re.ASCII)
    return UUID(found[1]) if found else None


def words_of(text: str) -> tuple[str, ...]:
    """What is looked for, word by word."""
    return tuple(word[:WORD_LIMIT] for word in composed(text).split())[:WORDS_LIMIT]


def rulesets_named(words: Iterable[str], titles: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """The games whose titles hold a word. titles: a ruleset and what it is called; it may be called several things."""
    named = [(ruleset_id, title.casefold()) for ruleset_id, title in titles]
    return {
        word: tuple(sorted({ruleset_id for ruleset_id, title in named if word.casefold() in title})) for word in words
    }


def find(
    book: Daybook, seeker: Seeker, asked: GameFilter, after: PageEnd | UUID | None = None, limit: int = 20
) -> GamesFound:
    """A page of the games that a seeker may read and that fit, the one that Daybook got to know of last first."""
    with book.search.connect() as connection:
        if isinstance(after, UUID):
            position = connection.scalar(sa.select(game_row.c.position).where(game_row.c.game == after))
            after = PageEnd(position) if position is not None else None
        query = SearchQueries(seeker, asked, connection.dialect.name)
        rows = query.page(connection, after, limit)
    more = len(rows) > limit
    kept_games = {game.id: game for game in book.kept.games_of([row.game for row in rows[:limit]])}
    return GamesFound(
        [
            game_row_of(row, kept_games[row.game])
            for row in rows[:limit]
            if row.game in kept_games and _may_read(seeker, row.game, kept_games[row.game].public)
        ],
        PageEnd(rows[limit - 1].position) if more else None,
    )


def _may_read(seeker: Seeker, game_id: UUID, public: bool) -> bool:
    """As things stand now: rows of clubs may be a moment late."""
    return public or game_id in seeker.links or game_id in seeker.club_games


class SearchQueries:
    """One search, as queries of one database."""

    def __init__(self, seeker: Seeker, asked: GameFilter, dialect: str) -> None:
        self.seeker = seeker
        self.asked = asked
        self.dialect = dialect
        readable = {id for id, _ in seeker.readable}
        self.club = [id for id in (asked.club,) if id in readable]  # of one that is closed to them nothing is found
        self.clubs_named = {
            word: [id for id, name in seeker.readable if word.casefold() in name.casefold()] for word in asked.words
        }

    def page(self, connection: sa.Connection, after: PageEnd | None, limit: int) -> Sequence[Any]:
        """One row more than the limit, if there is one."""
        found = list[Any]()
        start = self._try_newest(connection, found, after, limit, TRIED)
        if start is None:
            return found[: limit + 1]
        for few in self.candidates():
            ids = connection.scalars(few.limit(FEW + 1)).all()
            if len(ids) <= FEW:
                return connection.execute(self.fitting_of(ids, after).limit(limit + 1)).all() if ids else []
        if self._try_newest(connection, found, start, limit, TRIED_FURTHER) is None:
            return found[: limit + 1]
        by_everything = sa.select(sa.intersect(*self.candidates()).subquery())
        ids = connection.scalars(by_everything.limit(FEW + 1)).all()
        if len(ids) <= FEW:
            return connection.execute(self.fitting_of(ids, after).limit(limit + 1)).all() if ids else []
        return connection.execute(self.all_fitting(after).limit(limit + 1)).all()

    def _try_newest(
        self, connection: sa.Connection, found: list[Any], after: PageEnd | None, limit: int, several: Sequence[int]
    ) -> PageEnd | None:
        """Find those that fit among the newest games, a stretch after the other; where to go on, None: that is a page,
        or all there are.
        """
        for tried in several:
            stretch = connection.execute(self.newest(after, tried)).all()
            if stretch:
                found += connection.execute(self.all_fitting(after, PageEnd(stretch[-1].position))).all()
            if len(found) > limit or len(stretch) < tried:
                return None
            after = PageEnd(stretch[-1].position)
        return after

    # --- ways to a page ---

    def newest(self, after: PageEnd | None, tried: int) -> sa.Select[Any]:
        """The newest games of the lists, dates and rulesets asked for."""
        return _in_order(sa.select(game_row.c.game, game_row.c.position).where(*self.of_rows(after))).limit(tried)

    def fitting_of(self, games: Collection[UUID], after: PageEnd | None = None) -> sa.Select[Any]:
        """Those of some games that fit."""
        return self.all_fitting(after).where(game_row.c.game.in_(games))

    def all_fitting(self, after: PageEnd | None, to: PageEnd | None = None) -> sa.Select[Any]:
        """All that fit, in order. to: the last place of a stretch."""
        query = sa.select(game_row).join(kept_game, kept_game.c.id == game_row.c.game)
        conditions = [*self.of_rows(after), *self.fits()]
        if to is not None:
            conditions.append(game_row.c.position >= to.position)
        return _in_order(query.where(*conditions))

    def candidates(self) -> Iterator[sa.Select[Any]]:
        """Games among which all that fit are, each time by something else."""
        yield _any_of(
            [
                sa.select(kept_game.c.id).where(kept_game.c.public),
                sa.select(kept_game.c.id).where(kept_game.c.id.in_(self.seeker.links)),
                self.games_of_own_clubs(),
            ]
        )
        if self.asked.mine:
            yield _any_of(self.own_games())
        if self.asked.club is not None:
            yield self.games_of_clubs(self.club)
        for word in self.asked.words:
            if not self.asked.games_named.get(word):
                yield _any_of(self.games_with(word))

    # --- conditions ---

    def of_rows(self, after: PageEnd | None) -> list[Condition]:
        """What the rows of games say alone."""
        asked, row = self.asked, game_row.c
        conditions: list[Condition] = []
        if asked.list:
            conditions.append(row.list == asked.list)
        if asked.ruleset:
            conditions.append(row.ruleset == asked.ruleset)
        if asked.since:
            conditions.append(row.last_at >= asked.since)
        if asked.until:
            conditions.append(row.last_at < asked.until + "T~")  # behind every time of that day
        if after is not None:
            conditions.append(row.position < after.position)
        return conditions

    def fits(self) -> list[Condition]:
        """What may be read, and holds every word."""
        asked, game = self.asked, game_row.c.game
        conditions = [self._readable()]
        if asked.mine:
            conditions.append(sa.or_(*(game.in_(ids) for ids in self.own_games())))
        if asked.club is not None:
            conditions.append(game.in_(self.games_of_clubs(self.club)))
        conditions += [self._holds(word) for word in asked.words]
        return conditions

    def _readable(self) -> Condition:
        seeker = self.seeker
        ways: list[Condition] = [kept_game.c.public]
        if seeker.links:
            ways.append(game_row.c.game.in_(seeker.links))
        if len(seeker.club_games) <= FEW:
            ways.append(game_row.c.game.in_(seeker.club_games))
        elif seeker.clubs:
            ways.append(_is_of_clubs(seeker.clubs))
        return sa.or_(*ways)

    def _holds(self, word: str) -> Condition:
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
        ]  # asked game by game, not of everybody beforehand
        if named := self.asked.games_named.get(word):
            ways.append(game_row.c.ruleset.in_(named))
        ways.append(sa.and_(game_row.c.ruleset.startswith(MARK), self._like(game_row.c.ruleset, word)))
        if clubs := self.clubs_named[word]:
            ways.append(_is_of_clubs(clubs))
        return sa.or_(*ways)

    def _like(self, column: sa.ColumnElement[str], word: str) -> Condition:
        """Whether a text holds a word, in capitals or not. SQLite tells the cases of ASCII letters alone as one."""
        if self.dialect == "postgresql":
            return sa.or_(*(column.ilike(pattern, escape="\\") for pattern in patterns(word)))
        return sa.or_(*(column.like(pattern, escape="\\") for pattern in patterns(word)))

    def _found(self, column: sa.ColumnElement[str], word: str) -> Condition:
        """The same, of all texts of a column: on PostgreSQL by the index of their pairs of letters."""
        holds = self._like(column, word)
        if self.dialect != "postgresql" or len(word) < 2:
            return holds
        return sa.and_(holds, sa.or_(*(PAIRS(column).op("@>")(PAIRS(spelling)) for spelling in spellings(word))))

    # --- games by something ---

    def games_with(self, word: str) -> list[Ids]:
        """Games with a word in the title, in a name or in the name of a club; not in that of what is played."""
        ways: list[Ids] = [
            sa.select(kept_seat.c.game).where(
                kept_seat.c.name.is_(None),
                kept_seat.c.person.in_(sa.select(kept_person.c.id).where(self._found(kept_person.c.name, word))),
            ),
            sa.select(kept_seat.c.game).where(kept_seat.c.name.is_not(None), self._found(kept_seat.c.name, word)),
            sa.select(kept_game.c.id).where(self._found(kept_game.c.title, word)),
        ]
        if clubs := self.clubs_named[word]:
            ways.append(self.games_of_clubs(clubs))
        return ways

    def games_of_clubs(self, clubs: Collection[UUID]) -> Ids:
        return sa.select(club_game.c.game).where(club_game.c.club.in_(clubs), club_game.c.entered)

    def games_of_own_clubs(self) -> Ids:
        """As the clubs have them now; of very many games, as the rows say, which come a moment late."""
        if len(self.seeker.club_games) <= FEW:
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


def patterns(word: str) -> list[str]:
    """The patterns of LIKE that find a word, with its letters outside ASCII in both cases."""
    return ["%" + re.sub(r"([%_\\])", r"\\\1", spelling) + "%" for spelling in spellings(word)]


def spellings(word: str) -> list[str]:
    """A word with its letters outside ASCII in both cases."""
    letters = [place for place, letter in enumerate(word) if not letter.isascii() and letter.lower() != letter.upper()]
    spelled = {word, word.lower(), word.upper(), word.capitalize()} if letters else {word}
    if len(letters) <= CASES_LIMIT:
        for cases in product((str.lower, str.upper), repeat=len(letters)):
            of_place = dict(zip(letters, cases, strict=True))
            spelled.add("".join(of_place[at](one) if at in of_place else one for at, one in enumerate(word)))
    return sorted(spelled)
