"""A club moves to another Daybook: everything counts as before, and a file can harm no one there."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from uuid import UUID

import pytest

from daybook.domain.kernel.chronicle import seal_line, unseal_line
from daybook.domain.league.club import list_anonymous_ids
from daybook.domain.league.club_commands import (
    AnswerEvening,
    CloseSeason,
    DissolveClub,
    EnterGame,
    EnterResult,
    GivePenalty,
    MergePeople,
    PlanEvening,
    RecordForfeit,
    RecordLot,
    RemoveGame,
    ReopenSeason,
    SeatSubstitute,
    SetChallenge,
)
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails, Result
from daybook.services.clock import later_time, now
from daybook.services.exchange.plays_file import read_plays
from daybook.services.files.import_export import export_game, import_file
from daybook.services.files.recordfile import BadFileError
from daybook.services.league import club_imports, clubs, joining, members, moving, plays, ratings, results, year_reviews
from daybook.services.people import anonymise, invitations
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import ClubVisit, may
from daybook.services.play.writing import Writer
from daybook.services.reading_limits import LimitError
from daybook.services.store.daybook import Daybook
from tests.played import key, play
from tests.services.clubbing import account, open_club_game
from tests.services.exchange.made import export
from tests.services.files.test_disagreements import catch_up
from tests.services.leagues import PLAYERS, draw_rounds, found_mill, places_of, season

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def club(book: Daybook) -> UUID:
    """A club with all kinds of plays, a closed season, one that runs, and an evening."""
    club = found_mill(book)

    def write(command: Any, by: str = "olga") -> None:
        clubs.write(book, club, command, by=by, key=key())

    spring, autumn = season(book, club), season(book, club)
    draw_rounds(book, club, spring)
    game = open_club_game(book, club, PLAYERS[:3], spring, "1", by="sam")
    play(book, game, seed=1, close=True)
    for table, people in (("2", PLAYERS[3:]), ("3", ("dan", "ben", "finn")), ("4", ("anna", "eve", "cleo"))):
        write(EnterResult(spring, "making_profit", places_of(*people, scores=(30, 20, 10)), table), "sam")
    write(GivePenalty(spring, "anna", 3, "late"), "ursula")
    draw_rounds(book, club, autumn)
    write(SeatSubstitute(autumn, "1", "anna", "sam"))
    write(RecordForfeit(autumn, "2", "dan"))
    write(EnterResult(autumn, "making_profit", places_of("eve", "finn"), "2"), "sam")
    open_club_game(book, club, ("sam", "ben", "cleo"), autumn, "1", by="sam")  # it still runs
    beside = open_club_game(book, club, ("anna", "ben"), by="sam")
    play(book, beside, seed=2, close=True)
    club_imports.import_plays(book, club, read_plays(export(40)), by="sam", key=key())
    automa = list_anonymous_ids(club)[1]
    details = PlayDetails(roles={"anna": "medic"}, new=("anna",), start_player="anna", automas=(automa,), minutes=50)
    placed = [Placed("anna", 0, 1, 12), Placed(automa, 1, 2, 9)]
    write(EnterResult(BESIDE, ":Pandemic", tuple(placed), details=details), "sam")
    write(PlanEvening(later_time(now(), days=3), "The mill", chairs=2))
    for person, answer in (("anna", "yes"), ("ben", "no"), ("cleo", "yes")):
        write(AnswerEvening("1", answer, person))
    write(SetChallenge("plays", goal=30), "anna")
    names = book.kept.names(book.clubs.get(club).everybody())
    write(MergePeople("cleo", next(person for person, name in names.items() if name == "Chloé"), "the same"))
    for order in results.standings_at(book, book.clubs.get(club), spring).groups:
        tied = [row.person for row in order.rows]
        write(RecordLot(spring, tuple(tied)), "ursula")
    write(CloseSeason(spring))
    return club


def figures_of(book: Daybook, club_id: UUID) -> dict[str, Any]:
    """Return all statistics of a club with names instead of ids."""
    catch_up(book)
    for due in ratings.list_stale_clubs(book):
        ratings.rate_club(book, due)
    for due in year_reviews.list_stale_clubs(book):
        year_reviews.review_club(book, due)
    club = book.clubs.get(club_id)
    people = [*club.everybody(), *list_anonymous_ids(club_id)]
    names = {**book.kept.names(people), **{id: f"automa {n}" for n, id in enumerate(list_anonymous_ids(club_id))}}
    found: dict[str, Any] = {"people": sorted(names[person] for person in club.everybody())}
    for number, played in club.seasons.items():
        shown = results.standings_at(book, club, number)
        rows = [row for group in shown.groups for row in group.rows]
        found[f"standings {number}"] = {
            names[row.person]: (row.place, row.points, row.columns, row.move) for row in rows
        }
        found[f"season {number}"] = played.is_open, [len(table.seats) for table in played.tables.values()]
    sheet = club_imports.export_plays(book, club, "csv", "", days_only=False).decode("utf-8-sig")
    found["plays"] = [{**row, "play": ""} for row in csv.DictReader(io.StringIO(sheet))]
    logged = plays.list_plays(book, club, plays.PlayFilter(), "", 500).rows
    found["log"] = [
        (play.table, play.day, play.kind, play.marks, [(names[p.person], p.place, p.score) for p in play.people])
        for play in logged
    ]
    for game in [ratings.OVERALL, *ratings.rated_rulesets(book, club_id)]:
        rated = ratings.current_ratings(book, club_id, game)
        found[f"ratings {game}"] = [(names[row.person], row.mu, row.sigma, row.wins_60, row.places) for row in rated]
    for year in year_reviews.reviewed_years(book, club):
        review = year_reviews.find_review(book, club, year)
        found[f"year {year}"] = (review.plays, review.games, review.people, review.months, review.h_after, review.new)
    found["evenings"] = [
        (evening.when, evening.place, evening.chairs, [names[person] for person in club.coming(evening)])
        for evening in club.evenings.values()
    ]
    found["challenges"] = [(names[c.person], c.goal) for c in club.challenges.values()]
    return found


def test_moved_club_has_the_same_figures(book, elsewhere, club):
    file = moving.export_club(book, club)
    ida = account(elsewhere, "Ida")
    moved = moving.import_club(elsewhere, file, ida)
    here, there = figures_of(book, club), figures_of(elsewhere, moved.club)
    there["people"].remove("Ida")
    for name, figures in here.items():
        assert there[name] == figures, name
    assert here.keys() == there.keys()


def lines_with(file: bytes, step: int, old: bytes, new: bytes) -> bytes:
    """Return a club file in which an entry says something else, with correct seals."""
    header, *lines = file.splitlines()
    found, previous = [header], ""
    for number, line in enumerate(lines):
        body, _ = unseal_line(line)
        if number == step:
            assert old in body
            body = body.replace(old, new)
        sealed, previous = seal_line(body, previous)
        found.append(sealed)
    return b"".join(line + b"\n" for line in found)


def step_of(file: bytes, tag: bytes) -> int:
    return next(number for number, line in enumerate(file.splitlines()[1:]) if b'{"type":"' + tag in line)


def test_members_are_guests_until_they_accept(book, elsewhere, club):
    cleo, ida = account(elsewhere, "Cleo"), account(elsewhere, "Ida")
    moved = moving.import_club(elsewhere, moving.export_club(book, club), ida)
    here = elsewhere.clubs.get(moved.club)
    assert here.people() == {ida: ("organiser", "member")} and not moved.repeated
    assert (here.moved.origin, here.moved.seal) == (club, book.clubs.get(club).seal)
    assert not here.games and not any(table.game for season in here.all_seasons() for table in season.tables.values())
    names = elsewhere.kept.names(here.everybody())
    guest = next(person for person, name in names.items() if name == "Cleo" and person != cleo)
    invitation = members.invite(elsewhere, moved.club, (), by=ida, person=guest)
    joining.accept_invitation(
        elsewhere, invitations.read_invitation(elsewhere, invitations.key_of(elsewhere, invitation)), cleo
    )
    here = elsewhere.clubs.get(moved.club)
    assert here.roles(cleo) == ("member",) and here.person(guest) == cleo


def test_ids_in_the_file_name_nobody_here(book, club):
    """The file comes back to its own Daybook, where all its ids are in use."""
    olga, eve = account(book, "Olga"), account(book, "Eve2")
    clubs.write(book, club, DissolveClub("we move"), by="olga", key=key())
    file = moving.export_club(book, club)
    step = step_of(file, b"season_result_typed")
    forged = lines_with(file, step, b'"person":"dan"', b'"person":"' + olga.encode() + b'"')
    with pytest.raises(BadFileError, match=r"has no seat at table|does not play"):
        moving.import_club(book, forged, eve)
    moved = moving.import_club(book, file, eve)
    here = book.clubs.get(moved.club)
    assert not {*here.everybody(), *here.ids_elsewhere().values()} & {*book.clubs.get(club).everybody(), olga}
    assert {entry.event.by for entry in here.entries if entry.event.by == "olga"} == set()
    assert book.clubs.get(club).is_dissolved and not here.removed and not here.settings.public
    assert not may(ClubVisit(here, "olga"), "read_club") and may(ClubVisit(here, eve), "settle_club")
    assert not book.clubs.with_game(UUID(next(iter(book.clubs.get(club).games))))[1:], "records stay where they are"


def test_file_twice_is_one_club_for_each_importer(book, elsewhere, club):
    file, ida, eve = moving.export_club(book, club), account(elsewhere, "Ida"), account(elsewhere, "Eve")
    first = moving.import_club(elsewhere, file, ida)
    assert moving.import_club(elsewhere, file, ida) == moving.MovedClub(first.club, repeated=True)
    assert moving.import_club(elsewhere, file, eve).club != first.club
    again = moving.import_club(elsewhere, moving.export_club(elsewhere, first.club), eve)  # it moves on
    here, there = figures_of(elsewhere, first.club), figures_of(elsewhere, again.club)
    here["people"], there["people"] = (
        [n for n in here["people"] if n != "Ida"],
        [n for n in there["people"] if n not in ("Ida", "Eve")],
    )
    there["people"] += [name for name in figures_of(elsewhere, first.club)["people"] if False]
    assert here["standings 1"] == there["standings 1"] and here["log"] == there["log"]


DAMAGES = [
    (lambda file: file[: len(file) // 2], "does not end with its seal"),
    (lambda file: file.replace(b'"why":"late"', b'"why":"Late"'), "its seal is wrong"),
    (lambda file: file.splitlines(keepends=True)[0], "there is no entry"),
    (lambda file: file.replace(b'"Anna"', b'"A\\u0000"', 1), "NUL"),
    (lambda file: file.replace(b'"Anna"', b'"\\u202eAnna"', 1), "names of people"),
    (lambda file: file.replace(b'"ended_at":"20', b'"ended_at":"99', 1), "later than tomorrow"),
    (lambda file: lines_with(file, 2, b'"at":"20', b'"at":"40'), "later than tomorrow"),
    (lambda file: lines_with(file, step_of(file, b"season_opened"), b'"season":"1"', b'"season":"7"'), "next id"),
    (lambda file: lines_with(file, step_of(file, b"season_penalty"), b'"points":3', b'"points":30000'), "points"),
    (
        lambda file: lines_with(file, step_of(file, b"club_evening_planned"), b'"when":"20', b'"when":"9x'),
        "is not a time",
    ),
    (lambda file: lines_with(file, step_of(file, b"season_closed"), b'"season":"1"', b'"season":"2"'), "has no result"),
    (lambda file: b"x" * 41_000_000, "larger than 40 MB"),
    (lambda file: b'{"daybook":3}\n' + file, "line 1"),
    (lambda file: b"", "empty"),
]


def test_damaged_or_forged_file_is_refused_with_a_reason(book, elsewhere, club):
    ida, file = account(elsewhere, "Ida"), moving.export_club(book, club)
    for damage, says in DAMAGES:
        with pytest.raises((BadFileError, LimitError), match=says):
            moving.import_club(elsewhere, damage(file), ida)
    assert elsewhere.clubs.all() == []


def test_forged_results_of_records_are_refused(book, elsewhere, club):
    """The header is not sealed: what it says of records is checked like what is typed."""
    header, rest = moving.export_club(book, club).split(b"\n", 1)
    ida = account(elsewhere, "Ida")
    for change in (
        {"placed": []},
        {"placed": [{"person": "anna", "seat": 0, "place": 5}]},
        {"ruleset": ":"},
        {"ended_at": "2026-02-30T10:00:00.000Z"},
        {"seal": "x" * 100_000},
    ):
        forged = json.loads(header)
        for record in forged["records"].values():
            record.update(change)
        with pytest.raises(BadFileError):
            moving.import_club(elsewhere, json.dumps(forged).encode() + b"\n" + rest, ida)


def test_people_made_anonymous_here_stay_anonymous(book, club):
    old = moving.export_club(book, club)
    anonymise.anonymise(book, ["anna"], by="")
    moved = moving.import_club(book, old, account(book, "Ida"))
    names = book.kept.names(book.clubs.get(moved.club).everybody())
    assert "Anna" not in names.values() and sum(name.startswith("Anonymous") for name in names.values()) >= 1


def test_record_that_arrives_later_replaces_its_result(book, elsewhere, club):
    ida = account(elsewhere, "Ida")
    moved = moving.import_club(elsewhere, moving.export_club(book, club), ida)

    def write(command: Any, *grants: Grant) -> None:
        clubs.write(elsewhere, moved.club, command, by=Writer(ida, [*grants]), key=key())

    def result() -> Result:
        here = elsewhere.clubs.get(moved.club)
        return results.results_of_tables(elsewhere, here, [here.seasons["1"].tables["1"]])["1.1"]

    before, record = result(), elsewhere.clubs.get(moved.club).seasons["1"].tables["1"].recorded
    assert record is not None and (before.source, before.game) == ("record", None)
    game = UUID(record.record)
    import_file(elsewhere, export_game(book, game))
    assert elsewhere.games.get(game).seal == record.seal, "the club named its last seal"
    write(ReopenSeason("1", "its record is here"))
    people = tuple(player.person for player in sorted(before.placed, key=lambda player: player.seat))
    write(EnterGame("1", str(game), "1", people, "its record"), Grant("", game, "scorekeeper"))
    assert result().game == str(game) and result().placed == before.placed
    write(RemoveGame("1", "1", str(game), "by mistake"))
    assert result() == before
