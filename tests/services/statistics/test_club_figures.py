"""Figures at the top of pages of a club and its people equal a plain calculation over the file that was imported."""

from __future__ import annotations

from collections import Counter
from datetime import date
from random import Random
from statistics import fmean, median

import pytest

from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports
from daybook.services.statistics import reports
from daybook.services.statistics.figure_questions import club_filter, count_by_ruleset
from tests.played import key, update_results
from tests.services.leagues import found_mill

pytestmark = pytest.mark.both_databases

TITLES = ("Azul", "Catan", "Go")
PEOPLE = ("Pia", "Quinn", "Rosa", "Sven")


def random_plays(seed: int, n: int = 60) -> list[tuple[str, str, dict[str, int]]]:
    """Return plays as (day, game, score by person); in Go the lowest score wins."""
    random = Random(seed)
    found = []
    for _ in range(n):
        people = random.sample(PEOPLE, random.randint(2, 4))
        scores = dict(zip(people, random.sample(range(1, 90), len(people)), strict=True))
        found.append(
            (
                f"202{random.randint(3, 6)}-0{random.randint(1, 9)}-1{random.randint(0, 9)}",
                random.choice(TITLES),
                scores,
            )
        )
    return sorted(found, key=lambda play: play[0])


def winner(game: str, scores: dict[str, int]) -> str:
    return (min if game == "Go" else max)(scores, key=lambda person: scores[person])


def place_of(person: str, game: str, scores: dict[str, int]) -> int:
    """Return the place by score, or without scores in the file, that of the winner or the others'."""
    return 1 + sum((score < scores[person]) if game == "Go" else (score > scores[person]) for score in scores.values())


@pytest.mark.parametrize("seed", range(3))
def test_figures_of_pages_equal_a_plain_calculation(book, seed):
    club_id, plays = found_mill(book), random_plays(seed)
    rows = [
        f"{day},{game},{'; '.join(scores)},{'; '.join(map(str, scores.values()))},{winner(game, scores)}"
        for day, game, scores in plays
    ]
    text = "\n".join(["date,game,players,scores,winner", *rows])
    club_imports.import_plays(book, club_id, read_plays(text.encode()), by="olga", key=key())
    update_results(book)
    club = book.clubs.get(club_id)
    names = book.kept.names(club.everybody())
    ids = {names[person]: person for person in names}
    of = club_filter(club)
    games = Counter(f":{game}" for _, game, _ in plays)
    assert dict(count_by_ruleset(book, of)) == games
    played = reports.summarize_games(book, of)
    assert {game.ruleset: game.n for game in played.games} == games
    assert (
        played.longest_unplayed.ruleset
        == f":{min(TITLES, key=lambda game: max(day for day, title, _ in plays if title == game))}"
    )
    assert reports.count_by_day(book, of) == Counter(date.fromisoformat(day) for day, _, _ in plays)
    wins = Counter(winner(game, scores) for _, game, scores in plays)
    assert {names[row.person]: row.wins for row in reports.most_wins(book, of) if row.wins} == wins
    for game in TITLES:
        scored = [(scores, winner(game, scores)) for _, title, scores in plays if title == game]
        found = reports.summarize_scores(book, club_filter(club, ruleset_id=f":{game}"))
        every = [score for scores, _ in scored for score in scores.values()]
        assert found is not None
        assert (found.average, found.median) == (fmean(every), median(every))
        assert (found.best.score, found.worst) == (
            (min(every), max(every)) if game == "Go" else (max(every), min(every))
        )
        assert found.winning == median(scores[best] for scores, best in scored)
    records = {row.ruleset: row.score for row in reports.records_since(book, of, "2020-01-01")}
    for game in TITLES:
        every = [score for _, title, scores in plays if title == game for score in scores.values()]
        if len(every) >= reports.MIN_SCORES_OF_RECORD:
            assert records[f":{game}"] == (min(every) if game == "Go" else max(every))
            first = next(
                day for day, title, scores in plays if title == game and records[f":{game}"] in scores.values()
            )
            recent = {row.ruleset for row in reports.records_since(book, of, "2025-01-01")}
            assert (f":{game}" in recent) == (first >= "2025")
        assert dict(count_by_ruleset(book, club_filter(club, ruleset_id=f":{game}"))) == {f":{game}": games[f":{game}"]}
    for person in PEOPLE:
        mine = [(game, scores) for _, game, scores in plays if person in scores]
        summary = reports.summarize_person(book, club_filter(club, people=[ids[person]]), ids[person])
        assert summary.played == len(mine)
        assert summary.won == sum(winner(game, scores) == person for game, scores in mine)
        by_game = Counter(game for game, _ in mine)
        assert summary.h_index == max(n for n in range(61) if sum(count >= n for count in by_game.values()) >= n)
        for of_game in summary.games:
            scored = [scores for game, scores in mine if f":{game}" == of_game.ruleset]
            won = [winner(of_game.ruleset[1:], scores) == person for scores in scored]
            assert (of_game.n, of_game.wins) == (by_game[of_game.ruleset[1:]], sum(won))
            assert of_game.expected == round(sum(60 // len(scores) for scores in scored) / 60, 2)
            places = [place_of(person, of_game.ruleset[1:], scores) for scores in scored]
            assert of_game.place == round(sum(places) / len(places), 2)
        wins = "".join("x" if winner(game, scores) == person else " " for game, scores in mine)
        assert summary.runs.longest == max(map(len, wins.split()))
        met = {other: [play for play in mine if other in play[1]] for other in PEOPLE if other != person}
        behind = {
            other: sum(place_of(person, *play) > place_of(other, *play) for play in plays)
            for other, plays in met.items()
        }
        assert summary.rivals.nemesis.cells[4] == max(behind.values()) == behind[names[summary.rivals.nemesis.cells[1]]]
        assert summary.left_out == summary.together.n == summary.timed == 0


def test_h_index_needs_as_many_games_as_plays():
    assert [reports.h_index(plays) for plays in ([], [1], [9], [2, 2], [5, 4, 3, 3, 1])] == [0, 1, 1, 2, 3]


def test_hours_count_plays_with_a_known_length(book):
    club_id = found_mill(book)
    text = "date,game,players,winner,minutes\n2026-05-01,Azul,Pia; Quinn,Pia,90\n2026-05-02,Azul,Pia; Quinn,Pia,\n"
    club_imports.import_plays(book, club_id, read_plays(text.encode()), by="olga", key=key())
    update_results(book)
    summary = reports.summarize_games(book, club_filter(book.clubs.get(club_id)))
    assert (summary.seconds, summary.timed) == (5400, 1)
