"""Leagues and seasons: opened, settled, entered, left, penalised, closed and opened again."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.terms import because
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, Season
from daybook.domain.league.seasons import Format
from daybook.services.league.clubs.newcomers import NO_GUESTS, Guests, refuse_strangers
from daybook.services.league.clubs.writing import Asked, ClubWriter, same_season, write
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UnknownRulesetError


def found_league(book: Daybook, club_id: UUID, name: str, rulesets: Sequence[str], *, by: str, key: str) -> Receipt:
    """A competition of the club. rulesets: the games that are played in it. Raises UnknownRulesetError."""
    require_known(rulesets)
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(
            club_events.LeagueFounded(
                league=pen.club.next_league(), name=name.strip(), rulesets=tuple(rulesets), **pen.next
            )
        ),
        ("found_league", name, rulesets),
        by=by,
        key=key,
    )


def settle_league(
    book: Daybook, club_id: UUID, league: str, name: str, rulesets: Sequence[str], *, by: str, key: str
) -> Receipt:
    """Another name or other games for a league. Raises UnknownRulesetError."""
    require_known(rulesets)
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(
            club_events.LeagueSettled(league=league, name=name.strip(), rulesets=tuple(rulesets), **pen.next)
        ),
        ("settle_league", league, name, rulesets),
        by=by,
        key=key,
    )


def remove_league(book: Daybook, club_id: UUID, league: str, why: str, *, by: str, key: str) -> Receipt:
    """A league was a mistake; nothing was played in it. It can be restored."""
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(club_events.LeagueRemoved(league=league, why=why.strip(), **pen.next)),
        ("remove_league", league, why),
        by=by,
        key=key,
    )


def restore_league(book: Daybook, club_id: UUID, league: str, why: str, *, by: str, key: str) -> Receipt:
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(club_events.LeagueRestored(league=league, why=why.strip(), **pen.next)),
        ("restore_league", league, why),
        by=by,
        key=key,
    )


def require_known(rulesets: Sequence[str]) -> None:
    for ruleset_id in rulesets:
        if ruleset_id not in RULESETS and not is_by_name(ruleset_id):
            raise UnknownRulesetError(ruleset_id)


def open_season(book: Daybook, club_id: UUID, league: str, name: str, format: Format, *, by: str, key: str) -> Receipt:
    """Open a season; its id is in the event at the receipt's step (`season_at`)."""

    def act(pen: ClubWriter) -> None:
        _playable(pen.club, league, format)
        pen.write(
            club_events.SeasonOpened(
                season=pen.club.next_season(), league=league, name=name.strip(), format=format, **pen.next
            )
        )

    return write(book, club_id, "settle", act, ("open_season", league, name, format), by=by, key=key)


def season_at(club: Club, step: int) -> Season:
    """The season that the event of a step is about."""
    event = club.entries[step].event
    season = getattr(event, "season", None)
    assert season is not None, f"step {step} is about no season"
    return club.season(season)


def league_at(club: Club, step: int) -> str:
    """The id of the league that was founded at a step."""
    event = club.entries[step].event
    assert isinstance(event, club_events.LeagueFounded)
    return event.league


def _playable(club: Club, league: str, format: Format) -> None:
    """Raises Refused for tables at which none of a league's games can be played."""
    if league not in club.leagues:
        return
    played = club.leagues[league].rulesets
    if any(map(is_by_name, played)):  # for how many they are is not known
        return
    known = [RULESETS[ruleset_id] for ruleset_id in played if ruleset_id in RULESETS]
    for size in format.table_sizes:
        if known and not any(size in rules.seats for rules in known):
            raise Refused(because("table_size_of_game", "none of the league's games is for {n} players", n=size))


def settle_season(
    book: Daybook,
    club_id: UUID,
    season: str,
    name: str,
    format: Format,
    why: str = "",
    *,
    by: str,
    key: str,
    at: int | None = None,
) -> Receipt:
    """Another name or format for a season that is open."""

    def act(pen: ClubWriter) -> None:
        if season in pen.club.seasons:
            _playable(pen.club, pen.club.seasons[season].league, format)
        pen.write(
            club_events.SeasonSettled(season=season, name=name.strip(), format=format, why=why.strip(), **pen.next)
        )

    asked = "settle_season", season, name, format, why
    return write(
        book,
        club_id,
        "settle",
        act,
        asked,
        by=by,
        key=key,
        at=at,
        bears=lambda event: isinstance(event, club_events.SeasonSettled) and event.season == season,
    )


def enter_player(
    book: Daybook, club_id: UUID, season: str, person: str, division: int = 1, group: int = 1, *, by: str, key: str
) -> Receipt:
    """Somebody plays a season, in a division and a group, or moves to another of them."""
    return enter_players(book, club_id, season, [(person, division, group)], by=by, key=key)


def enter_players(
    book: Daybook,
    club_id: UUID,
    season: str,
    players: Sequence[tuple[str, int, int]],
    guests: Guests = NO_GUESTS,
    *,
    by: str,
    key: str,
) -> Receipt:
    """Several people play a season, each in a division and a group: all of them or none. guests: who of them is new."""

    def act(pen: ClubWriter) -> None:
        if not players:
            raise Refused(because("nobody", "nobody was named"))
        refuse_strangers(book, pen.club, [person for person, _, _ in players], guests)
        pen.guests |= guests
        for person, division, group in players:
            pen.write(
                club_events.PlayerEntered(
                    season=season, person=pen.club.person(person), division=division, group=group, **pen.next
                )
            )

    return write(book, club_id, "schedule", act, ("enter_players", season, players), by=by, key=key)


def withdraw(book: Daybook, club_id: UUID, season: str, person: str, why: str = "", *, by: str, key: str) -> Receipt:
    """Somebody plays a season no longer; what becomes of their results its format says."""
    return write(
        book,
        club_id,
        "schedule",
        lambda pen: pen.write(
            club_events.PlayerWithdrew(season=season, person=pen.club.person(person), why=why.strip(), **pen.next)
        ),
        ("withdraw", season, person, why),
        by=by,
        key=key,
    )


def penalise(
    book: Daybook, club_id: UUID, season: str, person: str, points: int, why: str, *, by: str, key: str
) -> Receipt:
    """Take points off somebody; below 0: give them back."""
    return write(
        book,
        club_id,
        "rule",
        lambda pen: pen.write(
            club_events.PenaltyGiven(
                season=season, person=pen.club.person(person), points=points, why=why.strip(), **pen.next
            )
        ),
        ("penalise", season, person, points, why),
        by=by,
        key=key,
    )


def draw_lot(book: Daybook, club_id: UUID, season: str, people: Sequence[str], *, by: str, key: str) -> Receipt:
    """A lot was drawn, at a table or by the page: the order of people whom nothing else parts."""
    return write(
        book,
        club_id,
        "rule",
        lambda pen: pen.write(
            club_events.LotDrawn(season=season, people=tuple(pen.club.person(id) for id in people), **pen.next)
        ),
        ("draw_lot", season, people),
        by=by,
        key=key,
    )


def closing(season: str) -> Asked:
    """What is asked for: the order follows from the season."""
    return "close_season", season


def close_season(
    book: Daybook, club_id: UUID, season: str, orders: Sequence[club_events.Order], *, at: int, by: str, key: str
) -> Receipt:
    """Close a season with the order that stands (`services.league.season_end.final_orders`)."""
    return write(
        book,
        club_id,
        "close",
        lambda pen: pen.write(club_events.SeasonClosed(season=season, orders=tuple(orders), **pen.next)),
        closing(season),
        by=by,
        key=key,
        at=at,
        bears=same_season(season),
    )


def reopen_season(book: Daybook, club_id: UUID, season: str, why: str, *, by: str, key: str) -> Receipt:
    """A closed season goes on: what it was closed with stays in the record."""
    return write(
        book,
        club_id,
        "close",
        lambda pen: pen.write(club_events.SeasonReopened(season=season, why=why.strip(), **pen.next)),
        ("reopen_season", season, why),
        by=by,
        key=key,
    )
