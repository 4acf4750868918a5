"""Check if a game or typed result may be entered at a table, or voided."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from daybook.domain.kernel.chronicle import checked_text
from daybook.domain.kernel.game_names import is_among, is_by_name, name_in_key
from daybook.domain.kernel.terms import WhyNot, because, by_number
from daybook.domain.kernel.times import is_to_come
from daybook.domain.league import club_events, results
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.event_checks.common import (
    HOUR,
    ID,
    TIME,
    elsewhere_fault,
    entered_fault,
    group_fault,
    missing_why_fault,
    name_fault,
    no_season,
    no_table,
    people_fault,
    twice_fault,
    unchanged_fault,
)
from daybook.domain.league.event_checks.table_days import requests_fault
from daybook.domain.league.results import EXPANSIONS_LIMIT, MINUTES_LIMIT, PLAYERS_LIMIT, SEATS_LIMIT, PlayDetails


def game_entry_fault(club: Club, season: Season, event: club_events.GameEntered) -> WhyNot:
    if event.game in club.games:
        where, table = club.games[event.game]
        if where == club_events.BESIDE:
            return because(
                "game_entered_beside", "this game is already entered, as table {table} outside the seasons", table=table
            )
        return because(
            "game_entered",
            "this game is already entered, as table {table} of {season}",
            table=table,
            season=club.season(where).name,
        )
    known = season.tables.get(event.table)
    if known and known.game:
        return because("table_has_game", "table {table} has another game: remove it first", table=known.id)
    return (
        people_fault(event.seats)
        or _ruleset_fault(club, season, event.ruleset)
        or twice_fault(club, event.seats)
        or _table_fault(club, season, known, event.table, event.seats)
    )


def _ruleset_fault(club: Club, season: Season, ruleset_id: str) -> WhyNot:
    if is_among(ruleset_id, club.rulesets(season)):
        return None
    return because("other_game", "this game does not belong to {season}", season=season.name)


def _table_fault(
    club: Club, season: Season, table: SeasonTable | None, table_id: str, people: tuple[str, ...]
) -> WhyNot:
    """Return why these people cannot have played at a table, or None.

    table: the table; None: a new one.
    """
    if table is None:
        if not ID.fullmatch(table_id):
            return because("table_id", "“{id}” cannot be the id of a new table", id=table_id[:40])
        if table_id in season.joined:
            return because(
                "table_merged", "the play of table {table} is part of another play: split it first", table=table_id
            )
        if season.id != club_events.BESIDE and season.format.kind not in ("free", "heats"):
            return because("no_table", "{season} has no table {table}", season=season.name, table=table_id[:40])
    elif table.planned:
        planned, sat = {club.person(person) for person in table.expected}, {club.person(person) for person in people}
        for person in sorted(sat - planned):
            return because(
                "not_at_table",
                "{person} has no seat at table {table}: change its seats first",
                person=person,
                table=table.id,
            )
        for person in sorted(planned - sat):
            return because(
                "missing_at_table",
                "{person} has a seat at table {table} but did not play: change its seats first",
                person=person,
                table=table.id,
            )
        return None if table.typed else elsewhere_fault(club, season, table, people)
    if season.id == club_events.BESIDE:
        return None
    if season.format.table_sizes and len(people) not in season.format.table_sizes:
        return because(
            "table_seats",
            "table {table} has {n} seats, and {season} has no tables of that size",
            table=table_id[:40],
            n=len(people),
            season=season.name,
        )
    return entered_fault(club, season, people)


def who_sat_fault(club: Club, season: Season, event: club_events.SeatingCorrected) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    if not table.game or table.game != event.game:
        return because("other_record", "that is not the game of table {table}", table=table.id)
    if len(event.seats) != len(table.played):
        return because(
            "people_seats",
            by_number(
                "n",
                "{n} player for {seats} seats: fill each seat once",
                "{n} players for {seats} seats: fill each seat once",
            ),
            n=len(event.seats),
            seats=len(table.played),
        )
    if tuple(club.person(person_id) for person_id in event.seats) == club.seats(table):
        return unchanged_fault()
    if wrong := people_fault(event.seats) or twice_fault(club, event.seats) or missing_why_fault(event.why):
        return wrong
    if season.id == club_events.BESIDE:
        return None
    return _other_group_fault(club, season, table, event.seats) or (
        elsewhere_fault(club, season, table, event.seats) if table.planned else None
    )


def _other_group_fault(club: Club, season: Season, table: SeasonTable, people: tuple[str, ...]) -> WhyNot:
    instead = {seat.replacement for seat in club.stand_ins(table)}
    people = tuple(person for person in people if club.person(person) not in instead)
    if wrong := entered_fault(club, season, people):
        return wrong
    faults = (group_fault(club, season, person, table.division, table.group) for person in people)
    return next(filter(None, faults), None)


def removal_fault(season: Season, event: club_events.GameRemoved) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    if table.game != event.game:
        return because("other_record", "that is not the game of table {table}", table=table.id)
    return missing_why_fault(event.why)


def typed_result_fault(club: Club, season: Season, event: club_events.ResultTyped) -> WhyNot:
    known = season.tables.get(event.table)
    if known and known.game:
        return because("table_recorded", "table {table} has a record, and the record gives the result", table=known.id)
    if (
        known
        and known.typed
        and (known.typed.ruleset, known.typed.placed, known.typed.walkover, known.typed.details)
        == (event.ruleset, event.placed, event.walkover, event.details)
        and (event.ended_at in (known.typed.ended_at, known.typed.day))
    ):
        return unchanged_fault()
    if known and event.unapproved and season.id != club_events.BESIDE:
        if known.typed and not known.is_unapproved:
            return because("result_confirmed", "the result of table {table} is confirmed", table=known.id)
        if wrong := requests_fault(club, known, event.by):
            return wrong
    if known and (known.typed or known.voided) and not event.why.strip():
        return because("result_stands", "table {table} has a result: another one needs a reason", table=known.id)
    if known and known.typed and not known.voided and (days := _days_over(club, season, known.typed, event.at)):
        return because(
            "correction_over",
            "a typed result can be corrected for {days} days: now an organiser or umpire has to make table {table} "
            "void first",
            days=days,
            table=known.id,
        )
    if event.ended_at and not TIME.fullmatch(event.ended_at):
        return because("no_time", "{when} is not a time such as 2026-11-20T19:30:00.000Z", when=event.ended_at[:40])
    if event.ended_at and is_to_come(event.ended_at, event.at):
        return because("not_yet", "a game that has not ended has no result")
    if event.walkover and any(player.score is not None for player in event.placed):
        return because("walkover_scores", "a game that was not played has no scores")
    people = tuple(player.person for player in event.placed)
    beside = season.id == club_events.BESIDE  # no schedule and no points ask for more there
    return (
        people_fault(people)
        or results.places_fault(event.placed, PLAYERS_LIMIT if beside else SEATS_LIMIT, lost=beside)
        or name_of_game_fault(event.ruleset)
        or details_fault(event.details, people)
        or _ruleset_fault(club, season, event.ruleset)
        or twice_fault(club, people)
        or _table_fault(club, season, known, event.table, people)
    )


def record_elsewhere_fault(club: Club, season: Season, event: club_events.RecordedElsewhere) -> WhyNot:
    """Return what is wrong with the result of a record on another Daybook, or None."""
    if not TIME.fullmatch(event.ended_at):  # a game may end after it was entered
        return because("no_time", "{when} is not a time such as 2026-11-20T19:30:00.000Z", when=event.ended_at[:40])
    if not ID.fullmatch(event.record):
        return because("no_record", "“{id}” is not the id of a record", id=event.record[:40])
    people = tuple(player.person for player in event.placed)
    return (
        people_fault(people)
        or results.places_fault(event.placed, PLAYERS_LIMIT, lost=True)
        or name_of_game_fault(event.ruleset)
        or twice_fault(club, people)
    )


def import_fault(club: Club, season: Season, event: club_events.PlaysImported) -> WhyNot:
    """Return what is wrong with an import, or with its first faulty play, or None."""
    if season.id != club_events.BESIDE:
        return because("import_beside", "plays are imported outside the seasons")
    if not ID.fullmatch(event.batch) or not event.plays:
        return because("import_empty", "there is nothing to import")
    new = set[str]()
    for play in event.plays:
        if (
            play.table in season.tables
            or play.table in season.joined
            or play.table in new
            or not ID.fullmatch(play.table)
        ):
            return because("table_id", "“{id}” cannot be the id of a new table", id=play.table[:40])
        if play.id in season.imported or play.id in new:
            return because("imported_already", "a play of the file is already here")
        if play.same_as and play.same_as.removeprefix(f"{season.id}.") not in new and not club.table_of(play.same_as):
            return because("no_play", "the club has no play {id}", id=play.same_as[:40])
        new |= {play.table, play.id}
        people = [player.person for player in play.placed]
        if wrong := people_fault(people) or twice_fault(club, people) or play_fault(play, event.at):
            return wrong
    return None


def play_fault(play: club_events.ImportedPlay, at: str) -> WhyNot:
    """Return what is wrong with an imported play, or None.

    at: when it is written.
    """
    if play.ended_at and not TIME.fullmatch(play.ended_at):
        return because("no_time", "{when} is not a time such as 2026-11-20T19:30:00.000Z", when=play.ended_at[:40])
    if play.ended_at and is_to_come(play.ended_at, at):
        return because("not_yet", "a game that has not ended has no result")
    return (
        results.places_fault(play.placed, PLAYERS_LIMIT, lost=True)
        or name_of_game_fault(play.ruleset)
        or details_fault(play.details, tuple(player.person for player in play.placed))
    )


def update_fault(club: Club, season: Season, event: club_events.PlaysUpdated) -> WhyNot:
    """Return what is wrong with new versions of imported plays, or None."""
    if season.id != club_events.BESIDE:
        return because("import_beside", "plays are imported outside the seasons")
    if not ID.fullmatch(event.batch) or not (event.plays or event.deleted or event.answered):
        return because("import_empty", "there is nothing to import")
    tables = [*(play.table for play in event.plays), *event.deleted]
    for table_id in tables:
        table = season.tables.get(table_id)
        if table is None or table.game or tables.count(table_id) > 1:
            return no_table(season, table_id)
    for play in event.plays:
        people = [player.person for player in play.placed]
        if wrong := people_fault(people) or twice_fault(club, people) or play_fault(play, event.at):
            return wrong
    return None


def plays_merge_fault(club: Club, season: Season, event: club_events.PlaysMerged) -> WhyNot:
    """Return why a play cannot become part of another one, or None."""
    if season.id != club_events.BESIDE:
        return because("merge_beside", "only plays outside the seasons become part of another play")
    if event.into_season != club_events.BESIDE and event.into_season not in club.seasons:
        return no_season(event.into_season)
    other_season = club.season(event.into_season)
    table, other = season.tables.get(event.table), other_season.tables.get(event.into_table)
    if table is None or other is None:
        return no_table(*((season, event.table) if table is None else (other_season, event.into_table)))
    if table is other:
        return unchanged_fault()
    if table.game:
        return because("merge_record", "table {table} has a record, and a record stays a play", table=table.id)
    for each in (table, other):
        if each.voided or (not each.game and (each.typed is None or each.typed.walkover)):
            return because("nothing_played", "nothing was played at table {table}", table=each.id)
        if each.is_unapproved:
            return because("merge_unapproved", "table {table} waits for approval: approve it first", table=each.id)
    if table.ruleset != other.ruleset:
        return because("merge_games", "these are plays of two games: correct the game of one of them first")
    if club.named_people(table) != club.named_people(other):
        return because("merge_people", "other people played: correct the players of one of the plays first")
    return None


def split_fault(season: Season, event: club_events.PlaySplit) -> WhyNot:
    if event.table not in season.joined:
        return because("not_joined", "this play is not merged with another one")
    return missing_why_fault(event.why)


def undoing_fault(season: Season, event: club_events.ImportUndone) -> WhyNot:
    brought = event.batch in season.imported.values() or any(
        batch == event.batch for table in season.tables.values() for batch, _ in table.before
    )
    return None if brought else because("no_import", "there is no such import")


def name_of_game_fault(key: str) -> WhyNot:
    """Return what is wrong with the name of a game without rules here, or None."""
    return name_fault(name_in_key(key)) if is_by_name(key) else None


def details_fault(details: PlayDetails, people: Collection[str]) -> WhyNot:
    """Return what is wrong with the details of a play, or None.

    people: the ids of its players.
    """
    if not 0 <= details.minutes <= MINUTES_LIMIT:
        return because("minutes", "a game takes 0 to {most} minutes, not {n}", most=MINUTES_LIMIT, n=details.minutes)
    if len(details.expansions) > EXPANSIONS_LIMIT:
        return because(
            "expansions", "at most {most} expansions, not {n}", most=EXPANSIONS_LIMIT, n=len(details.expansions)
        )
    checked_text(details.comments)
    if details.hour and not HOUR.fullmatch(details.hour):
        return because("no_hour", "{hour} is not an hour such as 19:30", hour=details.hour[:40])
    if details.bgg < 0 or len({*details.uncounted}) < len(details.uncounted):
        return because("no_fact", "the number on BoardGameGeek is above 0, and each mark is given once")
    by_person = (details.roles, details.teams, details.scores, details.colours)
    named = {
        *details.new,
        *details.automas,
        *filter(None, (details.start_player,)),
        *(person for texts in by_person for person in texts),
    }
    for person in sorted(named - {*people}):
        return because("not_played", "{person} is not in the result", person=person)
    texts = (
        details.place,
        details.variant,
        *details.expansions,
        *(text for texts in by_person for text in texts.values()),
    )
    return next((fault for text in texts if text and (fault := name_fault(text))), None)


def _days_over(club: Club, season: Season, typed: club_events.ResultTyped, at: str) -> int:
    """Return for how many days a typed result could be corrected, if they are over; else 0."""
    days = club.settings.correction_days if season.id == club_events.BESIDE else season.format.correction_days
    return days if datetime.fromisoformat(at) - datetime.fromisoformat(typed.at) > timedelta(days) else 0


def acceptance_fault(season: Season, event: club_events.ResultAccepted) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    if not table.game and not event.game:
        if table.typed is None or not table.is_unapproved or table.typed.step != event.game_step:
            return because(
                "nothing_to_approve", "the result of table {table} does not wait for approval", table=table.id
            )
        return None
    if not table.game or table.game != event.game:
        return because("other_record", "that is not the game of table {table}", table=table.id)
    if table.accepted and (table.accepted.game, table.accepted.game_step) == (event.game, event.game_step):
        return unchanged_fault()
    return missing_why_fault(event.why)


def apart_fault(club: Club, season: Season, event: club_events.SeparateGamesConfirmed) -> WhyNot:
    if event.other_season != club_events.BESIDE and event.other_season not in club.seasons:
        return no_season(event.other_season)
    tables = season.tables.get(event.table), club.season(event.other_season).tables.get(event.other_table)
    for table, where, game_id in zip(
        tables, (season, club.season(event.other_season)), (event.table, event.other_table), strict=True
    ):
        if table is None:
            return no_table(where, game_id)
        if not table.game and table.typed is None:
            return because("nothing_played", "nothing was played at table {table}", table=table.id)
    table, other = season.tables[event.table], club.season(event.other_season).tables[event.other_table]
    if table is other or (table.evening, other.evening) in table.apart:
        return unchanged_fault()
    return missing_why_fault(event.why)


def voiding_fault(season: Season, event: club_events.ResultVoided) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    if table.voided:
        return because("void_already", "table {table} is already void", table=table.id)
    return missing_why_fault(event.why)
