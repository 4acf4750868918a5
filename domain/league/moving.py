"""Copies of a club's entries for a club on another Daybook, with new ids.

An id of the copied club may belong to someone else on the other Daybook, so each person gets a new id, derived from the
new club's id. Tables, seasons and evenings keep theirs. A record stays where it is: its table gets the result that the
record had (`RecordedElsewhere`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

import msgspec

from daybook.domain.kernel import chronicle
from daybook.domain.kernel.chronicle import Refused, Written, writing_fields
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.terms import Reason, WhyNot, because
from daybook.domain.kernel.times import read_day
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, SeasonTable, list_anonymous_ids
from daybook.domain.league.event_checks import event_fault
from daybook.domain.league.event_checks.common import name_fault
from daybook.domain.league.results import Mark, Placed

PERSON_FIELDS = frozenset({"founder", "by", "person", "kept", "merged", "substitute", "automa", "start_player"})
PEOPLE_FIELDS = frozenset(
    {"people", "seats", "recorded", "promoted", "relegated", "new", "automas", "former_members"}
)  # lists of ids
BY_PERSON_FIELDS = frozenset({"scores", "roles", "teams", "colours"})  # objects with ids as names
SEAL = re.compile("[0-9a-f]{64}")
SOURCE_PEOPLE = "source_people"  # an object with ids as values


class RecordResult(Exact, omit_defaults=True):
    """The result of a record, as a club file has it.

    placed: people of the club, by place. seal: the record's last one.
    """

    ruleset: str
    ended_at: str
    placed: tuple[Placed, ...]
    seal: str
    marks: tuple[Mark, ...] = ()
    lowest_wins: bool = False
    accepted: bool = False


def moved_person(club_id: UUID, person: str) -> str:
    """Return the id that a person of another Daybook gets in a moved club."""
    return uuid5(club_id, f"person {person}").hex


class Move:
    """The copy of a club under a new id.

    Args:
        origin: the club as the other Daybook has it.
        records: the results of its records, by the ids of the games.
    """

    def __init__(self, origin: Club, club_id: UUID, records: Mapping[str, RecordResult]) -> None:
        self.origin, self.club, self.records = origin, Club(club_id), records
        self._anonymous = dict(
            zip(list_anonymous_ids(origin.id), list_anonymous_ids(club_id), strict=True)
        )  # they are no people
        self._entered = {  # the last entry of each game that is in the club
            entry.event.game: entry.step
            for entry in origin.entries
            if isinstance(entry.event, club_events.GameEntered) and entry.event.game in origin.games
        }
        self._steps: dict[int, int] = {}  # step there -> step here

    def person(self, person_id: str) -> str:
        return self._anonymous.get(person_id) or moved_person(self.club.id, person_id)

    def run(self, written: Written) -> Club:
        """Return the copied club. Raises Refused for results that no record has.

        written: the importer, who organises it from now on.
        """
        for entry in self.origin.entries:
            event = self._copy(entry.event)
            if event is not None and self._fits(event):
                self._steps[entry.step] = event.step
                self._add(event)
        self._add(
            club_events.ClubMoved(
                step=self.club.step + 1,
                **writing_fields(written),
                origin=self.origin.id,
                entries=len(self.origin.entries),
                seal=self.origin.seal,
                former_members=tuple(map(self.person, self.origin.people())),
            )
        )
        return self.club

    def _add(self, event: club_events.AnyEvent) -> None:
        self.club.apply(chronicle.seal_entry(self.club.id, event, self.club.seal))

    def _copy(self, event: club_events.AnyEvent) -> club_events.AnyEvent | None:
        """Return an event with new ids; None if it is about a record, or is in effect already (removed names)."""
        match event:
            case club_events.GameEntered():
                return self._copy_record(event)
            case club_events.SeatingCorrected() | club_events.GameRemoved() | club_events.TextsBlanked():
                return None
            case club_events.ResultAccepted() if event.game:
                return None
            case club_events.ResultAccepted():
                event = msgspec.structs.replace(event, game_step=self._steps.get(event.game_step, 0))
            case club_events.PeopleSplit():
                event = msgspec.structs.replace(event, merge=self._steps[event.merge])
            case club_events.ClubFounded():
                event = msgspec.structs.replace(event, club=str(self.club.id))
        fields = {**self._with_new_people(msgspec.to_builtins(event)), **self._writing(event)}
        copy: club_events.AnyEvent = msgspec.convert(fields, club_events.AnyEvent)
        return copy

    def _writing(self, event: club_events.AnyEvent) -> dict[str, Any]:
        key = uuid5(self.club.id, f"key {event.key}").hex
        return {"step": self.club.step + 1, "by": self.person(event.by), "key": key, "nonce": ""}

    def _copy_record(self, event: club_events.GameEntered) -> club_events.RecordedElsewhere | None:
        record = self.records.get(event.game)
        if record is None or self._entered.get(event.game) != event.step:
            return None
        placed = [msgspec.structs.replace(player, person=self.person(player.person)) for player in record.placed]
        season, table = self.origin.games.get(event.separate_from, ("", ""))
        copy = club_events.RecordedElsewhere(
            at=event.at,
            **self._writing(event),
            season=event.season,
            table=event.table,
            ruleset=record.ruleset,
            placed=tuple(placed),
            ended_at=record.ended_at,
            record=event.game,
            seal=record.seal,
            marks=record.marks,
            lowest_wins=record.lowest_wins,
            accepted=record.accepted,
            separate_from=f"{season}.{table}" if table else "",
        )
        reason = self._record_fault(event, record) or event_fault(self.club, copy)
        if reason is not None:
            raise Refused(reason)
        return copy

    def _record_fault(self, event: club_events.GameEntered, record: RecordResult) -> WhyNot:
        """Return why a result cannot be that of the record at its table, or None. No seal covers it."""
        table = self.origin.season(event.season).tables[event.table]
        people = {*self.origin.seats(table)}
        if {self.origin.person(player.person) for player in record.placed} == people and SEAL.fullmatch(record.seal):
            return None
        return because("wrong_record", "the result of table {table} is not that of its record", table=table.id)

    def _fits(self, event: club_events.AnyEvent) -> bool:
        """Check if the tables of an event exist. They may not if a record without a result was left out."""
        match event:
            case club_events.ResultTyped() | club_events.RecordedElsewhere():
                return True
            case club_events.PlaySplit():
                return event.table in self.club.season(event.season).joined
            case club_events.PlaysMerged():
                table, into = self._table(event.season, event.table), self._table(event.into_season, event.into_table)
                return table is not None and table.typed is not None and into is not None
            case club_events.SeparateGamesConfirmed():
                tables = (event.season, event.table), (event.other_season, event.other_table)
                return all(self._table(season, table) is not None for season, table in tables)
            case _ if isinstance(event, club_events.OfTable):
                return self._table(event.season, event.table) is not None
        return True

    def _table(self, season: str, table: str) -> SeasonTable | None:
        return self.club.season(season).tables.get(table)

    def _with_new_people(self, value: Any, name: str = "") -> Any:
        """Return a part of an event with the new ids of people. name: of the field that holds the part."""
        if isinstance(value, dict):
            if name in BY_PERSON_FIELDS:
                return {self.person(person): text for person, text in value.items()}
            if name == SOURCE_PEOPLE:
                return {foreign_id: self.person(person) for foreign_id, person in value.items()}
            return {field: self._with_new_people(part, field) for field, part in value.items()}
        if isinstance(value, list | tuple):
            field = "person" if name in PEOPLE_FIELDS else name
            return [self._with_new_people(part, field) for part in value]
        return self.person(value) if name in PERSON_FIELDS and isinstance(value, str) and value else value


def moving_fault(club: Club, event: club_events.AnyEvent) -> WhyNot:
    """Return why an entry of an untrusted club file cannot be the next one, or None. Raises Refused.

    The checks of new entries hold, and new ids follow the older ones, so that later ids stay free.
    """
    times = [getattr(event, name, "") for name in ("when", "until", "ended_at")]
    times += [play.ended_at for play in getattr(event, "plays", ())]
    for time in times:
        if time and read_day(time[:10]) is None:  # 2026-02-30
            return because("no_time", "{when} is not a time such as 2026-11-20T19:30:00.000Z", when=time[:40])
    match event:
        case club_events.ClubFounded() if event.is_own_log:
            return because("own_log_file", "this is one person’s own log: export its plays and import that file")
        case club_events.ClubFounded():
            return name_fault(event.name)
        case club_events.LeagueFounded() if event.league != club.next_league():
            return _wrong_id(event.league)
        case club_events.SeasonOpened() if event.season != club.next_season():
            return _wrong_id(event.season)
    return event_fault(club, event)


def _wrong_id(new_id: str) -> Reason:
    return because("wrong_new_id", "“{id}” is not the next id", id=new_id[:40])
