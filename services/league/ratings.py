"""Ratings of a club's people, for each game and overall, computed from all results in order.

A rating has an estimated strength (`mu`) and its uncertainty (`sigma`), by the Bradley-Terry model of OpenSkill, which
handles ties correctly. Only places count, not scores. All ratings are recomputed when a result, the people or the
settings of the club change, so a corrected game changes the ratings after it. Simple figures come before the rating:
games, wins, the expected wins of an average player, and places.

Some plays are left out: games of one person, games in which two seats belong to one person, walkovers, tables that all
players left, cooperative games, and plays that do not count. Automas have no strength: the people of their games are
rated among themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club
from daybook.domain.league.results import PLAYERS_LIMIT, Mark, Result, marks_that_bear, result_counts
from daybook.services.league import results
from daybook.services.statistics.collect import WIN
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import rated_club, rating_row
from daybook.services.structs import copy_fields

if TYPE_CHECKING:
    from openskill.models import BradleyTerryPart

OVERALL = ""  # the ruleset of what is rated over all games
PROVISIONAL_GAMES = 5  # with fewer a rating says little
MODEL = "bradley-terry-part-2"  # raise it with every change of the ratings, so that all clubs are rated again


class RatingAfterGame(Frozen):
    """A person's figures and rating after one of their games.

    result, game, at, place, seats: of this game. wins_60, expected_60: in sixtieths. places: added up.
    """

    person: str
    result: str
    game: str | None
    at: str
    place: int
    seats: int
    games: int
    wins_60: int
    expected_60: int
    places: int
    mu: float
    sigma: float

    @property
    def wins(self) -> Fraction:
        """The number of wins; a shared one counts in parts."""
        return Fraction(self.wins_60, WIN)

    @property
    def expected_wins(self) -> Fraction:
        """The sum of 1/n over games of n players."""
        return Fraction(self.expected_60, WIN)

    @property
    def average_place(self) -> Fraction:
        return Fraction(self.places, self.games)

    @property
    def provisional(self) -> bool:
        return self.games < PROVISIONAL_GAMES

    @property
    def sure(self) -> float:
        """The strength that the person has at least, in all likelihood. Lists are sorted by it."""
        return self.mu - 3 * self.sigma


@cache
def _model() -> BradleyTerryPart:
    """Build the Bradley-Terry rating model, which compares all pairs at a table."""
    from openskill.models import BradleyTerryPart

    return BradleyTerryPart(window_size=PLAYERS_LIMIT)  # all pairs at a table are compared


def rate(results_to_rate: Iterable[Result], anonymous_ids: Collection[str] = ()) -> dict[str, list[RatingAfterGame]]:
    """Return each person's rating after each of their games, the newest last.

    results_to_rate: in the order of play. anonymous_ids: ids of unknown players, for whom each game is the first.
    """
    histories: dict[str, list[RatingAfterGame]] = {}
    for result in results_to_rate:
        if _is_rated(result) and len({*result.people}) == result.seats > 1:
            for rated in (rating for rating in _rate_game(result, histories) if rating.person not in anonymous_ids):
                histories.setdefault(rated.person, []).append(rated)
    return histories


def _is_rated(result: Result) -> bool:
    """Check if a result says how strong people are: they played against each other, and it counts."""
    return result.was_played and result.counted and not result.cooperative


def _rate_game(result: Result, histories: Mapping[str, Sequence[RatingAfterGame]]) -> list[RatingAfterGame]:
    """Rate one game. The order of its players does not depend on how it was written."""
    placed = sorted(result.placed, key=lambda player: (player.place, player.person))
    before = [histories[player.person][-1] if player.person in histories else None for player in placed]
    model = _model()
    teams = [[model.rating(rating.mu, rating.sigma) if rating else model.rating()] for rating in before]
    after = model.rate(teams, ranks=[float(player.place) for player in placed])
    winners = sum(player.place == 1 for player in placed)
    return [
        RatingAfterGame(
            player.person,
            result.id,
            result.game,
            result.at,
            player.place,
            result.seats,
            (old.games if old else 0) + 1,
            (old.wins_60 if old else 0) + (WIN // winners if player.place == 1 else 0),
            (old.expected_60 if old else 0) + WIN // result.seats,
            (old.places if old else 0) + player.place,
            rating.mu,
            rating.sigma,
        )
        for player, old, [rating] in zip(placed, before, after, strict=True)
    ]


def count_left_out(book: Daybook, club: Club, ruleset: str) -> int:
    """Return how many results are not rated because the rules disagree with their records."""
    return sum(
        result.was_played and "against_rules" in marks_that_bear(result) and ruleset in (OVERALL, result.ruleset)
        for result in results.club_results(book, club)
    )


def ratings_by_ruleset(
    all_results: Collection[Result], marks: Collection[Mark], anonymous_ids: Collection[str] = ()
) -> dict[str, dict[str, list[RatingAfterGame]]]:
    """Return the ratings overall and by ruleset.

    marks: games with these marks count.
    """
    counting = [result for result in all_results if result.was_played and result_counts(result, marks)]
    rulesets = sorted({result.ruleset for result in counting})
    overall = rate(counting, anonymous_ids)
    if len(rulesets) == 1:
        return {OVERALL: overall, rulesets[0]: overall}
    return {OVERALL: overall} | {
        ruleset_id: rate((result for result in counting if result.ruleset == ruleset_id), anonymous_ids)
        for ruleset_id in rulesets
    }


# --- rows ------------------------------------------------------------------------------------------------------------


def list_stale_clubs(book: Daybook, only: UUID | None = None) -> list[UUID]:
    """Return the clubs in which something has changed since they were rated. only: a club; None: all."""
    query = sa.select(rated_club).where(rated_club.c.club == only) if only else sa.select(rated_club)
    rated = {row.club: row.position for row in book.views.rows(query) if row.model == MODEL}
    return [club for club, position in results.newest_changes(book, only).items() if rated.get(club, -1) < position]


def rate_club(book: Daybook, club_id: UUID) -> None:
    """Rate a club from nothing. Raises UnknownClubError."""
    position = results.newest_changes(book, club_id).get(club_id, 0)  # what comes while we reckon is rated again
    club = book.clubs.get(club_id)
    played = [_without_automas(result) for result in results.club_results(book, club)]
    rated = ratings_by_ruleset(played, club.counted_marks, club.anonymous_ids)
    rows = [
        _row(club_id, ruleset_id, rating)
        for ruleset_id, histories in rated.items()
        for history in histories.values()
        for rating in history
    ]
    with book.views.begin() as c:
        read_models.insert_missing(c, rated_club, [{"club": club_id, "model": "", "position": 0}])
        ours = rated_club.update().where(
            rated_club.c.club == club_id, sa.or_(rated_club.c.position <= position, rated_club.c.model != MODEL)
        )
        if c.execute(ours.values(model=MODEL, position=position)).rowcount:  # else a later state has been rated
            c.execute(rating_row.delete().where(rating_row.c.club == club_id))
            if rows:
                c.execute(rating_row.insert(), rows)


def _without_automas(result: Result) -> Result:
    people = tuple(player for player in result.placed if player.person not in result.automas)
    return msgspec.structs.replace(result, placed=people) if result.automas else result


def _row(club: UUID, ruleset_id: str, rating: RatingAfterGame) -> read_models.TableRow:
    return {**msgspec.structs.asdict(rating), "club": club, "ruleset": ruleset_id, "game": rating.game or ""}


def _rating_of_row(row: Any) -> RatingAfterGame:
    return copy_fields(RatingAfterGame, row, game=row.game or None)


# --- reading ---------------------------------------------------------------------------------------------------------


def current_ratings(book: Daybook, club: UUID, ruleset_id: str = OVERALL) -> list[RatingAfterGame]:
    """Return the ratings now: the strongest first, those with few games last."""
    newest = (
        sa.select(rating_row.c.person, sa.func.max(rating_row.c.games).label("games"))
        .where(rating_row.c.club == club, rating_row.c.ruleset == ruleset_id)
        .group_by(rating_row.c.person)
    ).subquery()
    query = (
        sa.select(rating_row)
        .join(newest, sa.and_(newest.c.person == rating_row.c.person, newest.c.games == rating_row.c.games))
        .where(rating_row.c.club == club, rating_row.c.ruleset == ruleset_id)
    )
    found = [_rating_of_row(row) for row in book.views.rows(query)]
    return sorted(found, key=lambda rating: (rating.provisional, -rating.sure, rating.person))


def rating_history(book: Daybook, club: UUID, person: str, ruleset_id: str = OVERALL) -> list[RatingAfterGame]:
    """Return a person's rating after each of their games, the oldest first."""
    query = (
        sa.select(rating_row)
        .where(rating_row.c.club == club, rating_row.c.ruleset == ruleset_id, rating_row.c.person == person)
        .order_by(rating_row.c.games)
    )
    return [_rating_of_row(row) for row in book.views.rows(query)]


def rated_rulesets(book: Daybook, club: UUID) -> list[str]:
    """Return the games in which people of a club are rated."""
    query = (
        sa.select(rating_row.c.ruleset)
        .where(rating_row.c.club == club, rating_row.c.ruleset != OVERALL)
        .distinct()
        .order_by(rating_row.c.ruleset)
    )
    return list(book.views.values(query))


def is_current(book: Daybook, club: UUID) -> bool:
    """Check if the ratings include everything. If not, a worker is computing them."""
    return not list_stale_clubs(book, club)
