"""Checks that several club events share: names, ids, missing reasons, and entries to a season."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

from daybook.domain.kernel.terms import Reason, WhyNot, because
from daybook.domain.kernel.texts import is_displayable, seen_of
from daybook.domain.kernel.times import later_time, read_day
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_events import BESIDE

CLUB_NAME_LIMIT = 120  # characters of a club's, a league's or a season's name, or of a place
ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
PLAN_DAYS = 3653  # ten years
TIME = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z")
HOUR = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)
ZONE = re.compile(r"[A-Za-z0-9_+-]{1,30}(/[A-Za-z0-9_+-]{1,30}){0,2}")
PERSON = re.compile(r"[!-~]{1,64}")


def name_fault(name: str) -> WhyNot:
    """Return what is wrong with the name of a club, a league, a season or a place, or None."""
    if not name.strip() or name != name.strip():
        return because("name_empty", "a name is not empty, and neither begins nor ends with a space")
    if len(name) > CLUB_NAME_LIMIT:
        return because("name_long", "the name has {n} characters: at most {limit}", n=len(name), limit=CLUB_NAME_LIMIT)
    shown = is_displayable(name) and seen_of(name)
    return None if shown else because("name_signs", "the name contains characters that cannot be shown")


def zone_fault(zone: str) -> WhyNot:
    return None if ZONE.fullmatch(zone) else because("no_zone", "“{zone}” is not a time zone", zone=zone[:40])


def time_fault(when: str, at: str) -> WhyNot:
    """Return what is wrong with a planned time, or None.

    at: now.
    """
    if not TIME.fullmatch(when) or read_day(when[:10]) is None:
        return because("no_time", "{when} is not a time such as 2026-11-20T19:30:00.000Z", when=when[:40])
    if when > later_time(at, days=PLAN_DAYS):
        return because("too_far_ahead", "{when} is more than ten years ahead", when=when)
    return None


def unchanged_fault() -> Reason:
    return because("nothing_changed", "it is already like that")


def person_fault(person: str) -> WhyNot:
    return None if PERSON.fullmatch(person) else because("no_person", "“{id}” is not a person’s id", id=person[:64])


def people_fault(people: Iterable[str]) -> WhyNot:
    """Return what is wrong with the first invalid id, or None."""
    return next(filter(None, map(person_fault, people)), None)


def missing_why_fault(why: str) -> WhyNot:
    return None if why.strip() else because("why_missing", "give a reason")


def no_season(season_id: str) -> Reason:
    return because("no_season", "the club has no season “{id}”", id=season_id[:40])


def no_table(season: Season, table_id: str) -> Reason:
    if season.id == BESIDE:
        return because("no_table_beside", "there is no table {table}", table=table_id[:40])
    return because("no_table", "{season} has no table {table}", season=season.name, table=table_id[:40])


def not_entered(season: Season, person: str) -> Reason:
    return because("not_entered", "{person} does not play in {season}", person=person, season=season.name)


def entered_fault(club: Club, season: Season, people: Iterable[str]) -> WhyNot:
    """Return a refusal for the first of these people without an entry to a season, or None."""
    for person in people:
        if club.player(season, person) is None:
            return not_entered(season, person)
    return None


def elsewhere_fault(club: Club, season: Season, table: SeasonTable, people: Iterable[str]) -> WhyNot:
    """Return a refusal if one of these people sits at another table of the round, or None."""
    names = {
        seat.replacement: seat.person for seat in club.stand_ins(table) if seat.replacement
    }  # a substitute may also play at another table
    sitting = {names.get(person := club.person(person_id), person) for person_id in people}
    for other in season.tables.values():
        elsewhere = other.round == table.round and other.id != table.id and other.planned and not other.voided
        if elsewhere and (both := {*club.names_at(other)} & sitting):
            return because(
                "elsewhere",
                "{person} sits at table {table} in round {round}",
                person=min(both),
                table=other.id,
                round=table.round,
            )
    return None


def twice_fault(club: Club, people: Collection[str]) -> WhyNot:
    """Return a refusal if a person is listed more than once, under any ids, or None."""
    for person, n in Counter(club.person(person_id) for person_id in people).items():
        if n > 1:
            return because("person_twice", "{person} is entered {n} times", person=person, n=n)
    return None


def group_fault(club: Club, season: Season, person: str, division: int, group: int) -> WhyNot:
    """Return why an entered person does not play in this division and group, or None."""
    player = club.player(season, person)
    if player is None or (player.division, player.group) == (division, group):
        return None
    return because(
        "other_group",
        "{person} plays in division {division}, group {group}",
        person=person,
        division=player.division,
        group=player.group,
    )
