"""A club that moves: everything is as it was, under new ids, and no id of the file is anyone's here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args
from uuid import UUID

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.league import club_events
from daybook.domain.league.club import Club
from daybook.domain.league.event_checks import checked_entry
from daybook.domain.league.moving import Move, RecordResult, moving_fault
from daybook.domain.league.results import Placed, Result
from daybook.domain.league.standings import compute_standings
from daybook.services.files.clubfile import ClubHeader, ClubIntake
from tests.domain.league.clubs import event, founded_club
from tests.domain.league.test_club_random import EVENTS, PLAYED

NEW = UUID("0c8f6a52-93a7-4f0a-8d0e-8a6f6a1c2b33")
AT = "2026-03-01T10:00:00.000Z"
WRITTEN = Written(AT, "ida", "import")


def club_after(happened: list[Any]) -> Club:
    club = founded_club()
    for each in [*PLAYED, *happened]:
        try:
            club = club.then(checked_entry(club, event(club, each)))
        except (Refused, KeyError):
            continue
    return club


def records_of(club: Club) -> dict[str, RecordResult]:
    """Return a result of each record: the first seat wins."""
    found = {}
    for game, (season, table_id) in club.games.items():
        table = club.season(season).tables[table_id]
        placed = tuple(Placed(person, seat, seat + 1, 30 - seat) for seat, person in enumerate(club.seats(table)))
        found[game] = RecordResult(table.ruleset, AT, placed, "5" * 64, ("as_played",))
    return found


def results_of(club: Club, season: str, records: dict[str, RecordResult]) -> list[Result]:
    found = []
    for table in club.season(season).tables.values():
        if table.game:
            record = records[table.game]
            ended = Result(table.game, record.ruleset, record.ended_at, record.placed, marks=record.marks)
            found.append(club.result(table, ended))
        elif result := club.typed_result(table):
            found.append(result)
    return found


def picture_of(club: Club, records: dict[str, RecordResult], rename: Callable[[str], str]) -> list[Any]:
    """Return what a club shows, with other names for people: standings, results, evenings, challenges, decisions."""

    def named(person: str) -> str:
        return rename(person) if person else ""

    shown: list[Any] = [club.name, club.leagues, [(named(c.person), c.goal) for c in club.challenges.values()]]
    for season in club.all_seasons():
        results = results_of(club, season.id, records)
        for result in results:
            placed = [(named(player.person), player.seat, player.place, player.score) for player in result.placed]
            stand_ins = [(named(seat.person), named(seat.replacement), seat.forfeit) for seat in result.stand_ins]
            shown.append((result.table, result.round, result.at, result.marks, placed, stand_ins, result.source))
        missed = [(named(miss.person), miss.round, miss.outcome) for miss in club.missed_rounds(season)]
        shown += [season.name, season.is_open, missed, [(named(bye.person), bye.round) for bye in season.byes]]
        closed = club.orders(season.closed.orders) if season.closed else []
        shown.append([[named(person) for person in order.people] for order in closed])
        if season.id:
            standings = compute_standings(
                season.format,
                club.entrants(season),
                results,
                byes=season.byes,
                missed=club.missed_rounds(season),
                penalties=club.penalties(season),
                withdrawn=club.withdrawn_people(season),
                lots=club.lots(season),
            )
            rows = [row for group in standings.groups for row in group.rows]
            shown.append({named(row.person): (row.place, row.points, row.columns, row.move) for row in rows})
    for evening in club.evenings.values():
        answers = [(named(person), given.answer) for person, given in club.answers(evening).items()]
        tables = [[named(person) for person in table.people] for table in club.tables_set(evening)]
        shown.append((evening.id, evening.when, bool(evening.called_off), answers, tables))
    return shown


@given(st.lists(EVENTS, max_size=30))
def test_moved_club_shows_what_it_showed_before(happened):
    club = club_after(happened)
    records = records_of(club)
    moves = [Move(club, NEW, records)]
    moved = moves[0].run(WRITTEN)
    assert picture_of(moved, {}, str) == picture_of(club, records, moves[0].person)
    assert moved.people() == {"ida": ("organiser", "member")} and {*map(moves[0].person, club.people())} <= {
        *moved.everybody()
    }
    intake = ClubIntake(ClubHeader(3, NEW, {}), moving_fault)  # it can move on, and back
    seal = ""
    for step, entry in enumerate(moved.entries):
        seal = intake.apply_line(step, entry.line, seal)
    again = Move(intake.club, club.id, {})
    assert picture_of(again.run(WRITTEN), {}, str) == picture_of(moved, {}, again.person)


def filled(kind: Any) -> Any:
    """Return a value of a type in which every text is an id of somebody here."""
    origin, args = getattr(kind, "__origin__", None), get_args(kind)
    if kind is str:
        return VICTIM
    if origin is dict:
        return {VICTIM: filled(args[1])}
    if origin is tuple:
        return [filled(args[0])]
    if (args and type(None) in args) or str(origin) == "typing.Literal":
        return args[0] if str(origin) == "typing.Literal" else None
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {field.encode_name: filled(field.type) for field in msgspec.structs.fields(kind)}
    return {UUID: str(NEW), bool: True, int: 1}.get(kind, VICTIM)


VICTIM = "5f4dcc3b5aa765d61d8327deb882cf99"
NO_PEOPLE = (
    "answered answered.keys at batch by_seats.keys challenge club columns columns.keys comments deleted embed_sites ended_at evening expansions game games games.keys"
    " games_brought games_wanted hour id into_season into_table key league name nonce other_season other_table path place"
    " qualifying_season record remark ruleset rulesets same_as scores roles teams colours seal season second_id"
    " separate_from series since source source_games source_games.keys source_people.keys source_places source_places.keys table tiebreaks until variant when why"
    " zone"
)


def victims(value: Any, path: str = "") -> set[str]:
    if isinstance(value, dict):
        found = {f"{path}.keys" for key in value if key == VICTIM}
        return found.union(*(victims(part, key if len(key) < len(VICTIM) else path) for key, part in value.items()))
    if isinstance(value, list | tuple):
        return set[str]().union(*(victims(part, path) for part in value))
    return {path} if value == VICTIM else set()


def test_no_field_of_an_event_keeps_an_id_of_a_person():
    move = Move(founded_club(), NEW, {})
    kept = set[str]()
    for kind in get_args(club_events.AnyEvent):
        kept |= victims(move._with_new_people(filled(kind)))
    assert kept == {*NO_PEOPLE.split()}, "a new field: does it name people?"
