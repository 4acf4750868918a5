"""Tables that are planned: drawn, given a day and a place, seated otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.league.club_events import ScheduleDrawn, SeatsChanged, TablePlanned
from daybook.domain.league.seasons import Bye, Fixture
from daybook.services.files.validate import check_time
from daybook.services.league.clubs.writing import same_season, same_table, write
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook


def draw(
    book: Daybook,
    club_id: UUID,
    season: str,
    rounds: Sequence[int],
    fixtures: Sequence[Fixture],
    byes: Sequence[Bye] = (),
    *,
    division: int = 0,
    group: int = 0,
    seed: int = 0,
    cost: int = 0,
    by: str,
    key: str,
    at: int | None = None,
) -> Receipt:
    """Publish the tables of rounds, in place of those drawn for them before (`services.league.schedule_search` makes
    them)."""
    return write(
        book,
        club_id,
        "schedule",
        lambda pen: pen.write(
            ScheduleDrawn(
                season=season,
                rounds=tuple(rounds),
                fixtures=tuple(fixtures),
                byes=tuple(byes),
                division=division,
                group=group,
                seed=seed,
                cost=cost,
                **pen.next,
            )
        ),
        ("draw", season, rounds, fixtures, byes, division, group),
        by=by,
        key=key,
        at=at,
        bears=same_season(season),
    )


def plan_table(
    book: Daybook, club_id: UUID, season: str, table: str, when: str, place: str = "", *, by: str, key: str
) -> Receipt:
    """When and where a table meets. when: UTC as records write it, or empty. Raises Misfit for what is no time."""
    if when:
        check_time(when)
    return write(
        book,
        club_id,
        "schedule",
        lambda pen: pen.write(TablePlanned(season=season, table=table, when=when, place=place.strip(), **pen.next)),
        ("plan_table", season, table, when, place),
        by=by,
        key=key,
    )


def change_seats(
    book: Daybook,
    club_id: UUID,
    season: str,
    table: str,
    seats: Sequence[str],
    why: str = "",
    *,
    by: str,
    key: str,
    at: int | None = None,
) -> Receipt:
    """Other people, or others in other seats, at a planned table without a result."""
    return write(
        book,
        club_id,
        "schedule",
        lambda pen: pen.write(
            SeatsChanged(
                season=season,
                table=table,
                seats=tuple(pen.club.person(id) for id in seats),
                why=why.strip(),
                **pen.next,
            )
        ),
        ("change_seats", season, table, seats, why),
        by=by,
        key=key,
        at=at,
        bears=same_table(season, table),
    )
