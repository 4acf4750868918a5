"""Plays from several sources are one play each; changes at a source, matches and merges can be answered and undone."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from daybook.domain.commands import Abandon
from daybook.domain.league.club_commands import (
    CloseSeason,
    EnterResult,
    FoundLeague,
    MergePlays,
    OpenSeason,
    RemoveGame,
    SplitPeople,
    SplitPlay,
    UndoImport,
    VoidResult,
)
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails
from daybook.domain.league.seasons import Format
from daybook.services.clock import now
from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports, clubs, duplicate_games, plays, results
from daybook.services.league.club_imports import ImportAnswers
from daybook.services.league.clubs.import_plan import KEEP, NEW, ONE, TAKE, TWO
from daybook.services.league.plays import PlayFilter
from daybook.services.play import recording
from daybook.services.store.read_models import counted_table
from tests.played import key, play, update_results
from tests.refusals import refused_for
from tests.services.clubbing import join_anew, open_club_game

pytestmark = pytest.mark.sqlite_suffices


def bgstats(plays, people=("Anna", "Ben"), device="a", **more) -> bytes:
    """Return a BG Stats file. plays: id -> day, game and scores."""
    games = sorted({game for _, game, _ in plays.values()})
    rows = [
        {
            "uuid": f"{device}-{play_id}",
            "playDate": f"{day} 19:30:00",
            "gameRefId": games.index(game) + 1,
            "playerScores": [
                {"playerRefId": number, "score": score, "winner": score != "" and score == max(scores)}
                for number, score in enumerate(scores, 1)
            ],
        }
        for play_id, (day, game, scores) in plays.items()
    ]
    return json.dumps(
        {
            "players": [
                {"id": number, "uuid": f"{device}-{number}", "name": name} for number, name in enumerate(people, 1)
            ],
            "games": [
                {"id": number, "uuid": f"{device}-game-{game}", "name": game} for number, game in enumerate(games, 1)
            ],
            "plays": rows,
        }
        | more
    ).encode()


def bring(book, club, content, by, **answers):
    return club_imports.import_plays(book, club, read_plays(content), ImportAnswers(**answers), by=by, key=key())


def look(book, club, content, **answers):
    return club_imports.preview_import(book, book.clubs.get(club), read_plays(content), ImportAnswers(**answers))


def played(book, club):
    return [
        (result.at[:10], [placed.score for placed in result.placed])
        for result in results.club_results(book, book.clubs.get(club))
    ]


EVENING = {"1": ("2026-05-01", "Azul", ["50", "40"]), "2": ("2026-05-01", "Azul", ["30", "20"])}


def test_second_members_file_adds_no_play(book, club, anna):
    bring(book, club, bgstats(EVENING), anna)
    shown = look(book, club, bgstats(EVENING, device="b"))
    assert (shown.fresh, len(shown.sure), shown.unsure) == (0, 2, [])
    assert bring(book, club, bgstats(EVENING, device="b"), anna).merged == 2
    assert len(played(book, club)) == 2
    again = look(book, club, bgstats(EVENING, device="b"))
    assert again.is_empty and again.already_imported == 2


def test_k_plays_match_at_most_k(book, club, anna):
    bring(book, club, bgstats({"1": EVENING["1"]}), anna)
    same = {str(number): EVENING["1"] for number in range(3)}
    shown = look(book, club, bgstats(same, device="b"))
    assert (len(shown.sure), shown.fresh) == (1, 2)
    assert [pair.why for pair in shown.unsure] == ["in_file", "in_file"]


@pytest.mark.parametrize(
    ("second", "why"),
    [(("2026-05-01", "Azul", ["", ""]), "no_scores"), (("2026-05-02", "Azul", ["50", "40"]), "next_day")],
)
def test_missing_scores_and_next_day_are_asked(book, club, anna, second, why):
    bring(book, club, bgstats({"1": EVENING["1"]}), anna)
    content = bgstats({"x": second}, device="b")
    shown = look(book, club, content)
    assert [(pair.why, pair.answer) for pair in shown.unsure] == [(why, TWO)] and shown.fresh == 1
    assert bring(book, club, content, anna, plays={"bgstats:b-x": ONE}).merged == 1
    assert len(played(book, club)) == 1


@pytest.mark.parametrize(("scores", "asked"), [(["50", "41", "9"], ["one_score"]), (["51", "41", "9"], [])])
def test_one_other_score_of_three_is_asked(book, club, anna, scores, asked):
    people = ("Anna", "Ben", "Cem")
    bring(book, club, bgstats({"1": ("2026-05-01", "Azul", ["50", "40", "9"])}, people), anna)
    content = bgstats({"x": ("2026-05-01", "Azul", scores)}, people, device="b")
    assert [pair.why for pair in look(book, club, content).unsure] == asked


def test_hour_tells_which_play_has_its_scores_missing(book, club, anna):
    def at_hours(content, *hours):
        file = json.loads(content)
        for row, hour in zip(file["plays"], hours, strict=True):
            row["playDate"] = f"2026-05-01 {hour}:00"
        return json.dumps(file).encode()

    bring(book, club, at_hours(bgstats(EVENING), "19:30", "21:00"), anna)
    shown = look(book, club, at_hours(bgstats({"x": ("2026-05-01", "Azul", ["", ""])}, device="b"), "21:00"))
    [pair] = shown.unsure
    assert sorted(player.score for player in pair.here.people) == ["20", "30"]


def test_other_scores_are_another_play(book, club, anna):
    bring(book, club, bgstats({"1": EVENING["1"]}), anna)
    assert look(book, club, bgstats({"x": ("2026-05-01", "Azul", ["51", "40"])}, device="b")).unsure == []


def test_merge_fills_in_scores_and_split_takes_them_away(book, club, anna):
    bring(book, club, bgstats({"1": ("2026-05-01", "Azul", ["", ""])}), anna)
    bring(book, club, bgstats({"x": EVENING["1"]}, device="b"), anna, plays={"bgstats:b-x": ONE})
    assert played(book, club) == [("2026-05-01", [50, 40])]
    (merged,) = club_imports.merged_plays(book.clubs.get(club), 10)
    clubs.write(book, club, SplitPlay(merged.table, "two plays"), by=anna, key=key())
    assert sorted(played(book, club), key=str) == [("2026-05-01", [50, 40]), ("2026-05-01", [None, None])]
    with refused_for("not_joined"):
        clubs.write(book, club, SplitPlay(merged.table, "again"), by=anna, key=key())
    assert look(book, club, bgstats({"x": EVENING["1"]}, device="b")).is_empty


def test_typed_play_is_found_and_exported_under_the_sources_id(book, club, anna):
    bring(book, club, bgstats({"0": ("2026-04-01", "Azul", ["1", "2"])}), anna)
    ids = club_imports.club_plays(book, book.clubs.get(club))
    people = {placed.person for result in results.club_results(book, book.clubs.get(club)) for placed in result.placed}
    ben = next(iter(people - {anna}))
    placed = (Placed(anna, None, 1, 50), Placed(ben, None, 2, 40))
    entered = EnterResult(BESIDE, ":Azul", placed, ended_at="2026-05-01T10:00:00.000Z")
    clubs.write(book, club, entered, by=anna, key=key())
    assert bring(book, club, bgstats({"x": EVENING["1"]}, device="b"), anna).merged == 1
    plays = club_imports.club_plays(book, book.clubs.get(club))
    assert len(ids) == 1 and [play.id for play in plays] == ["bgstats:a-0", "bgstats:b-x"]


def type_play(book, club, anna, day="2026-05-01", scores=(50, 40), **details):
    """Type a play of the same people as the imported ones. Returns its table."""
    people = next(iter(book.clubs.get(club).beside.tables.values())).people
    ben = next(person for person in map(book.clubs.get(club).person, people) if person != anna)
    placed = tuple(
        Placed(person, None, n, score) for n, (person, score) in enumerate(zip((anna, ben), scores, strict=True), 1)
    )
    entered = EnterResult(BESIDE, ":Azul", placed, ended_at=f"{day}T10:00:00.000Z", details=PlayDetails(**details))
    clubs.write(book, club, entered, by=anna, key=key())
    return [*book.clubs.get(club).beside.tables.values()][-1]


def merge(book, club, anna, table, second):
    command = MergePlays(table.season, table.id, second.season, second.id)
    return clubs.write(book, club, command, by=anna, key=key())


def kinds(book, club):
    """Return the kind and day of each play of the log, and the plays that statistics count."""
    update_results(book)
    known = book.clubs.get(club)
    log = sorted(
        (play.kind, play.day, play.people[0].score) for play in plays.list_plays(book, known, PlayFilter(), "", 50).rows
    )
    return log, book.views.value(
        sa.select(sa.func.count()).where(counted_table.c.club == club, counted_table.c.game.is_not(None))
    )


def test_two_typed_plays_are_merged_by_hand_and_split(book, club, anna):
    bring(book, club, bgstats({"0": ("2026-04-01", "Azul", ["1", "2"])}), anna)
    first = type_play(book, club, anna, place="Kitchen")
    second = type_play(book, club, anna, day="2026-05-02", scores=(51, 40), minutes=45)
    found = duplicate_games.find_possible_duplicates(book, book.clubs.get(club), second)
    assert [(other.table.id, other.to_merge.id, other.is_sure) for other in found] == [(first.id, first.id, False)]
    assert kinds(book, club)[1] == 3
    merge(book, club, anna, first, second)
    (kept,) = [table for table in book.clubs.get(club).beside.tables.values() if table.joined]
    assert (kept.typed.details.place, kept.typed.details.minutes, kept.typed.placed[0].score) == ("Kitchen", 45, 51)
    assert kinds(book, club) == ([("imported", "2026-04-01", 2), ("typed", "2026-05-02", 51)], 2)
    with refused_for("table_merged"):
        again = EnterResult(BESIDE, ":Azul", first.typed.placed, first.id)
        clubs.write(book, club, again, by=anna, key=key())
    clubs.write(book, club, SplitPlay(first.id, "two plays"), by=anna, key=key())
    after = book.clubs.get(club)
    assert after.beside.tables[second.id].typed == second.typed and after.beside.tables[first.id].typed == first.typed
    assert kinds(book, club)[1] == 3 and after.beside.set_aside == {}


def test_imported_play_merged_by_hand_keeps_its_ids_and_undo(book, club, anna):
    made = bring(book, club, bgstats(EVENING), anna)
    imported = next(t for t in book.clubs.get(club).beside.tables.values() if t.typed.placed[0].score == 50)
    typed = type_play(book, club, anna, scores=(52, 40))
    merge(book, club, anna, imported, typed)
    assert look(book, club, bgstats(EVENING)).is_empty
    assert [play.id for play in club_imports.club_plays(book, book.clubs.get(club))] == ["bgstats:a-2", "bgstats:a-1"]
    (change,) = look(book, club, bgstats(EVENING | {"1": ("2026-05-01", "Azul", ["53", "40"])})).changes
    assert change.corrected_here and change.here.people[0].score == "52"
    second = bring(book, club, bgstats({"x": ("2026-05-01", "Azul", ["52", "40"])}, device="b"), anna)
    assert second.merged == 1
    clubs.write(book, club, UndoImport(made.batch), by=anna, key=key())
    assert played(book, club) == [("2026-05-01", [52, 40])]
    after = book.clubs.get(club).beside
    assert after.set_aside == {} and after.tables[typed.id].joined == tuple(after.joined)


def test_chain_of_merges_is_split_one_by_one(book, club, anna):
    bring(book, club, bgstats({"1": ("2026-05-01", "Azul", ["", ""])}), anna)
    (imported,) = book.clubs.get(club).beside.tables.values()
    middle, last = type_play(book, club, anna), type_play(book, club, anna, scores=(50, 41))
    merge(book, club, anna, imported, middle)
    merge(book, club, anna, book.clubs.get(club).beside.tables[middle.id], last)
    assert len(played(book, club)) == 1 and kinds(book, club)[1] == 1
    clubs.write(book, club, SplitPlay(middle.id, "two plays"), by=anna, key=key())
    assert book.clubs.get(club).beside.joined == {imported.id: middle.result_id}
    clubs.write(book, club, SplitPlay(imported.id, "two plays"), by=anna, key=key())
    assert len(played(book, club)) == 3 and kinds(book, club)[1] == 3


def test_plays_of_other_people_or_games_are_not_merged(book, club, anna):
    bring(book, club, bgstats({"1": EVENING["1"], "2": ("2026-05-01", "Chess", ["1", "0"])}), anna)
    azul, chess = book.clubs.get(club).beside.tables.values()
    with refused_for("merge_games"):
        merge(book, club, anna, chess, azul)
    other = bring(book, club, bgstats({"3": EVENING["1"]}, people=("Anna", "Cleo"), device="c"), anna)
    third = [*book.clubs.get(club).beside.tables.values()][-1]
    with refused_for("merge_people"):
        merge(book, club, anna, third, azul)
    assert other.plays == 1 and duplicate_games.find_possible_duplicates(book, book.clubs.get(club), third) == []


def test_undo_of_either_import_leaves_the_other_play(book, club, anna):
    first = bring(book, club, bgstats(EVENING), anna).batch
    second = bring(book, club, bgstats(EVENING, device="b"), anna).batch
    clubs.write(book, club, UndoImport(first), by=anna, key=key())
    assert len(played(book, club)) == 2
    clubs.write(book, club, UndoImport(second), by=anna, key=key())
    assert played(book, club) == []
    assert bring(book, club, bgstats(EVENING), anna).plays == 2


CORRECTED = EVENING | {"2": ("2026-05-01", "Azul", ["30", "25"])}


def test_change_at_the_source_is_offered_once(book, club, anna):
    bring(book, club, bgstats(EVENING), anna)
    (change,) = look(book, club, bgstats(CORRECTED)).changes
    assert (change.why, change.answer, change.now.people[1].score, change.here.people[1].score) == (
        "changed",
        TAKE,
        "25",
        "20",
    )
    assert bring(book, club, bgstats(CORRECTED), anna, plays={change.id: KEEP}).updated == 0
    assert look(book, club, bgstats(CORRECTED)).is_empty, "answered"
    newer = EVENING | {"2": ("2026-05-01", "Azul", ["30", "26"])}
    made = bring(book, club, bgstats(newer), anna)
    assert made.updated == 1 and ("2026-05-01", [30, 26]) in played(book, club)
    clubs.write(book, club, UndoImport(made.batch), by=anna, key=key())
    assert ("2026-05-01", [30, 20]) in played(book, club)


def test_change_of_a_season_play_is_offered_and_kept(book, club, anna):
    bring(book, club, bgstats({"0": ("2026-04-01", "Azul", ["1", "2"])}), anna)
    typed = type_play(book, club, anna)
    for command in (
        FoundLeague("Friday", [":Azul"]),
        OpenSeason("1", "Spring", Format("free", (2,))),
        EnterResult("1", ":Azul", typed.typed.placed, ended_at="2026-05-01T10:00:00.000Z"),
        VoidResult(BESIDE, typed.id, "it belongs to the season"),
    ):
        clubs.write(book, club, command, by=anna, key=key())
    assert bring(book, club, bgstats({"1": EVENING["1"]}), anna).merged == 1
    other = bgstats({"1": ("2026-05-01", "Azul", ["38", "40"])})
    (change,) = look(book, club, other).changes
    assert (change.season, change.answer, change.corrected_here) == ("1", KEEP, False)
    season = book.clubs.get(club).seasons["1"]
    made = bring(book, club, other, anna)
    assert made.updated == 0 and look(book, club, other).is_empty and book.clubs.get(club).seasons["1"] == season
    newer = bgstats({"1": ("2026-05-01", "Azul", ["37", "40"])})
    assert bring(book, club, newer, anna, plays={change.id: TAKE}).updated == 1
    (table,) = book.clubs.get(club).seasons["1"].tables.values()
    assert [(player.score, player.place) for player in table.typed.placed] == [(37, 2), (40, 1)]
    assert "changed in bgstats" in table.typed.why and look(book, club, newer).is_empty
    clubs.write(book, club, CloseSeason("1"), by=anna, key=key())
    assert look(book, club, bgstats({"1": ("2026-05-01", "Azul", ["36", "40"])})).is_empty


def test_correction_of_the_club_is_not_overwritten(book, club, anna):
    bring(book, club, bgstats(EVENING), anna)
    table = next(table for table in book.clubs.get(club).beside.tables.values() if table.typed.placed[0].score == 30)
    placed = tuple(Placed(each.person, None, each.place, each.score + 1) for each in table.typed.placed)
    entered = EnterResult(BESIDE, ":Azul", placed, table.id, table.typed.ended_at, "a slip")
    clubs.write(book, club, entered, by=anna, key=key())
    assert look(book, club, bgstats(EVENING)).is_empty
    (change,) = look(book, club, bgstats(CORRECTED)).changes
    assert change.corrected_here and change.answer == KEEP
    bring(book, club, bgstats(CORRECTED), anna)
    assert ("2026-05-01", [31, 21]) in played(book, club)
    out = {play.id for play in club_imports.club_plays(book, book.clubs.get(club))}
    assert out == {"bgstats:a-1", "bgstats:a-2"}


def test_deletion_at_the_source_voids_the_play_unless_kept(book, club, anna):
    bring(book, club, bgstats(EVENING), anna)
    gone = bgstats({"1": EVENING["1"]}, deletedObjects=[{"uuid": "a-2", "type": "Play"}])
    assert [change.why for change in look(book, club, gone).changes] == ["deleted"]
    bring(book, club, gone, anna, plays={"bgstats:a-2": KEEP})
    assert len(played(book, club)) == 2 and look(book, club, gone).is_empty


def test_deleted_play_returns_with_undo(book, club, anna):
    bring(book, club, bgstats(EVENING), anna)
    gone = bgstats({"1": EVENING["1"]}, deletedObjects=[{"uuid": "a-2", "type": "Play"}])
    made = bring(book, club, gone, anna)
    assert len(played(book, club)) == 1 and look(book, club, gone).is_empty
    clubs.write(book, club, UndoImport(made.batch), by=anna, key=key())
    assert len(played(book, club)) == 2


def test_two_ids_of_one_name_are_two_people(book, club, anna):
    content = bgstats({"1": ("2026-05-01", "Azul", ["3", "2", "1"])}, people=("Ben", "Ben", "Anna"))
    shown = look(book, club, content)
    assert [(person.name, person.by) for person in shown.people] == [("Ben", "new"), ("Ben", "new"), ("Anna", "name")]
    bring(book, club, content, anna)
    (result,) = results.club_results(book, book.clubs.get(club))
    assert len({placed.person for placed in result.placed}) == 3


def test_wrong_match_by_name_is_undone_by_a_split(book, club, anna):
    bring(book, club, bgstats(EVENING), anna)
    after = book.clubs.get(club)
    (merge,) = after.merges.values()
    assert (merge.kept, after.person(merge.merged)) == (anna, anna)
    clubs.write(book, club, SplitPeople(merge.step, "another Anna"), by=anna, key=key())
    after = book.clubs.get(club)
    assert anna not in {placed.person for result in results.club_results(book, after) for placed in result.placed}
    assert book.kept.names([merge.merged])[merge.merged] == "Anna"


def test_matches_by_hand_are_remembered_by_spelling(book, club, anna):
    table = b"date,game,players,scores,location\n2026-05-01,Asul,Annie;Ben,3;2,Hame\n"
    bring(book, club, table, anna, people={"Annie": anna}, games={"Asul": "Azul"}, places={"Hame": "Home"})
    later = look(book, club, table.replace(b"05-01", b"06-01"))
    assert {person.name: (person.person, person.by) for person in later.people}["Annie"] == (anna, "id")
    assert [(game.here, game.known) for game in later.games] == [(":Azul", True)]
    assert [place.here for place in later.places] == ["Home"]


def test_new_person_is_remembered_instead_of_the_namesake(book, club, anna):
    table = b"date,game,players,scores\n2026-05-01,Azul,Anna;Ben,3;2\n"
    bring(book, club, table, anna, people={"Anna": NEW})
    other = next(person.person for person in look(book, club, table).people if person.name == "Anna")
    assert other not in ("", anna)


def test_games_and_places_of_one_name_stay_two(book, club, anna):
    file = json.loads(bgstats(EVENING))
    file["games"] = [
        {"id": 1, "uuid": "g1", "name": "Agricola", "bggId": 31260, "bggYear": 2007},
        {"id": 2, "uuid": "g2", "name": "Agricola", "bggId": 200680, "bggYear": 2016},
    ]
    file["locations"] = [{"id": 1, "uuid": "l1", "name": "Home"}, {"id": 2, "uuid": "l2", "name": "Home"}]
    for number, row in enumerate(file["plays"], 1):
        row |= {"gameRefId": number, "locationRefId": number}
    bring(book, club, json.dumps(file).encode(), anna)
    typed = [table.typed for table in book.clubs.get(club).beside.tables.values()]
    assert [(each.ruleset, each.details.place) for each in typed] == [
        (":Agricola", "Home"),
        (":Agricola (2016)", "Home (2)"),
    ]
    assert look(book, club, json.dumps(file).encode()).is_empty


def test_one_account_under_two_names_is_one_person(book, club, anna):
    rows = "".join(
        f'<play id="{number}" date="2026-05-0{number}"><item name="Go" objectid="188"/><players>'
        f'<player username="ben" userid="9" name="{name}" win="1"/></players></play>'
        for number, name in ((1, "Ben"), (2, "Benjamin"))
    )
    content = f'<plays username="anna" userid="7">{rows}</plays>'.encode()
    (person,) = look(book, club, content).people
    assert person.names == ("Ben", "Benjamin") and person.plays == 2
    bring(book, club, content, anna)
    assert len(book.clubs.get(club).everybody()) == 2


def test_removed_record_gives_its_merged_plays_back(book, club, anna):
    ben = join_anew(book, club, "Ben", by=anna)
    game = open_club_game(book, club, (anna, ben), by=anna)
    play(book, game, 1_000, seed=1, close=True)
    record = book.clubs.get(club).beside.tables["1"]
    placed = (Placed(anna, None, 1, 50), Placed(ben, None, 2, 40))
    for _ in range(3):
        clubs.write(book, club, EnterResult(BESIDE, record.ruleset, placed), by=anna, key=key())
    first, second, third = [*book.clubs.get(club).beside.tables.values()][1:]
    merge(book, club, anna, first, second)
    merge(book, club, anna, book.clubs.get(club).beside.tables[second.id], record)
    merge(book, club, anna, third, record)
    assert [kind for kind, _, _ in kinds(book, club)[0]] == ["recorded"]
    clubs.write(book, club, RemoveGame(BESIDE, record.id, str(game), "not ours"), by=anna, key=key())
    assert kinds(book, club)[0] == [("typed", now()[:10], 50)]
    after = book.clubs.get(club).beside
    assert {*after.joined} == {first.id, third.id} and [*after.tables] == [record.id, second.id]


@pytest.mark.parametrize("ends", [None, Abandon("the cat jumped on it")])
def test_play_is_not_merged_with_a_record_without_result(book, club, anna, ends):
    ben = join_anew(book, club, "Ben", by=anna)
    game = open_club_game(book, club, (anna, ben), by=anna)
    if ends is not None:
        recording.append_command(book, game, ends, by="scorekeeper", key=key())
    record = book.clubs.get(club).beside.tables["1"]
    placed = (Placed(anna, None, 1, 50), Placed(ben, None, 2, 40))
    clubs.write(book, club, EnterResult(BESIDE, record.ruleset, placed), by=anna, key=key())
    with refused_for("merge_running"):
        merge(book, club, anna, [*book.clubs.get(club).beside.tables.values()][-1], record)
    assert ("typed", now()[:10], 50) in kinds(book, club)[0]
