"""Check if a person may join, get roles, leave, be merged or split, and if settings may change."""

from __future__ import annotations

import re

from daybook.domain.kernel.terms import Reason, WhyNot, because
from daybook.domain.league import club_events, seasons
from daybook.domain.league.blanking import is_text_of
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.event_checks.common import missing_why_fault, person_fault, unchanged_fault

EMBED_SITES_LIMIT = 10
SITE = re.compile(r"https?://[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){0,8}(:[0-9]{1,5})?", re.ASCII)


def settings_fault(club: Club, event: club_events.ClubSettingsChanged) -> WhyNot:
    if event.settings == club.settings:
        return unchanged_fault()
    sites = event.settings.embed_sites
    if len(sites) > EMBED_SITES_LIMIT or len({*sites}) != len(sites):
        return because("embed_sites", "name at most {n} sites, each once", n=EMBED_SITES_LIMIT)
    for site in sites:
        if not SITE.fullmatch(site):
            return because("embed_site", "“{site}” is not a site such as https://club.example", site=site[:60])
    return seasons.period_fault(event.settings.correction_days, event.settings.appeal_hours)


def member_fault(
    club: Club, event: club_events.MemberJoined | club_events.RolesGiven | club_events.MemberLeft
) -> WhyNot:
    held, person = club.roles(event.person), event.person
    if isinstance(event, club_events.MemberJoined):
        return person_fault(person) or (
            because("member_already", "{person} is already a member", person=person) if held else None
        )
    if not held:
        return because("no_member", "{person} is not a member of the club", person=person)
    keeps = isinstance(event, club_events.RolesGiven) and "organiser" in event.roles
    if not keeps and club.organisers() == [club.person(person)]:
        return because("last_organiser", "{person} is the only organiser, and a club has one", person=person)
    if isinstance(event, club_events.RolesGiven) and {*event.roles, "member"} == {*held}:
        return unchanged_fault()
    return None


def merge_fault(club: Club, event: club_events.PeopleMerged) -> WhyNot:
    kept, gone = club.person(event.kept), club.person(event.merged)
    if wrong := person_fault(event.kept) or person_fault(event.merged) or missing_why_fault(event.why):
        return wrong
    if club.anonymous_ids & {kept, gone}:
        return because("nobody", "an anonymous player can be a different person each time")
    if kept == gone:
        return because(
            "one_person", "{person} and {other} are already one person", person=event.kept, other=event.merged
        )
    if not club.knows(gone):
        return None  # a new id has no seat anywhere
    for season in club.all_seasons():
        for table in season.tables.values():
            if any({seat.person, seat.replacement} == {kept, gone} for seat in club.stand_ins(table)):
                return _sat_together(season, table, kept, gone)
            for people in (club.seats(table), tuple(club.person(person_id) for person_id in table.seats)):
                if {kept, gone} <= {*people}:
                    return _sat_together(season, table, kept, gone)
        if season.id == club_events.BESIDE:
            continue
        if wrong := _twice_in_round_fault(club, season, kept, gone):
            return wrong
        one, two = club.player(season, kept), club.player(season, gone)
        if one and two and (one.division, one.group) != (two.division, two.group):
            return because(
                "groups_apart",
                "{person} and {other} play {season} in different groups: one of them moves first",
                person=kept,
                other=gone,
                season=season.name,
            )
    return None


def _twice_in_round_fault(club: Club, season: Season, kept_id: str, gone: str) -> WhyNot:
    """Refuse to merge two people if both have a seat or a bye in the same round."""
    if season.format.kind == "free":
        return None
    for round_number in season.rounds:
        tables = [table for table in season.tables.values() if table.round == round_number and not table.voided]
        placed = {person for table in tables for person in club.seats(table)}
        placed |= {club.person(bye.person) for bye in season.byes if bye.round == round_number}
        if {kept_id, gone} <= placed:
            return because(
                "twice_in_round",
                "{person} and {other} both have a place in round {round} of {season}: as one person"
                " they would have two. Draw the round again, change its seats, or make one of the tables void first",
                person=kept_id,
                other=gone,
                round=round_number,
                season=season.name,
            )
    return None


def _sat_together(season: Season, table: SeasonTable, kept_id: str, gone: str) -> Reason:
    if season.id == club_events.BESIDE:
        return because(
            "sat_together_beside",
            "{person} and {other} both sat at table {table}, so they are two people",
            person=kept_id,
            other=gone,
            table=table.id,
        )
    return because(
        "sat_together",
        "{person} and {other} both sit at table {table} of {season}, so they are two people",
        person=kept_id,
        other=gone,
        table=table.id,
        season=season.name,
    )


def split_fault(club: Club, event: club_events.PeopleSplit) -> WhyNot:
    if event.merge not in club.merges:
        return because("no_merge", "no one was merged in step {step}, or they are separate again", step=event.merge)
    return missing_why_fault(event.why)


def blanking_fault(club: Club, event: club_events.TextsBlanked) -> WhyNot:
    last = -1
    seen = set[tuple[int, tuple[str, ...]]]()
    for text in event.texts:
        known = 0 <= text.step < event.step and is_text_of(club.entries[text.step].event, text)
        if not known or text.step < last or (text.step, text.path) in seen:
            return because("no_such_text", "step {step} has no such text", step=text.step)
        last = text.step
        seen.add((text.step, text.path))
    return None if event.texts else unchanged_fault()
