"""Sources of a club's plays, and plays of a file that the club may have already under another id."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Literal

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_events import (
    BESIDE,
    ImportedPlay,
    ImportUndone,
    PlaysImported,
    PlaysUpdated,
    ResultTyped,
)
from daybook.domain.league.plays import possible_ids
from daybook.domain.league.results import Placed, PlayDetails, Result
from daybook.domain.league.scores import Score, read_score
from daybook.services.days import day_of

Likeness = Literal["same", "no_scores", "one_score", "next_day", "in_file"]
# same: day and scores agree; no_scores: one of them or both have none; one_score: one
# player has another score; next_day: a day apart; in_file: both are in the file
PLAIN_FACTS = {*PlayDetails.__struct_fields__} - {
    "roles",
    "teams",
    "scores",
    "colours",
    "start_player",
    "new",
    "automas",
}
PlayFacts = dict[str, object]
UNKNOWN_SCORE = " -–—?"  # characters of a score that is left open
PAIRS_COMPARED = 200  # plays of one day, game and people


class PlaySource(Frozen):
    """The newest version of a play at one source."""

    source: str
    play: ImportedPlay
    result: str  # the play of the club that has it


class Sources(Frozen):
    """Valid imports of a club.

    Args:
        by_id: by each play's first id.
        of_result: all sources of a play of the club.
        answered: digest of the newest version that the club adopted or declined, by id.
    """

    by_id: Mapping[str, PlaySource]
    of_result: Mapping[str, Sequence[PlaySource]]
    answered: Mapping[str, str]


def sources_of(club: Club) -> Sources:
    events = [entry.event for entry in club.entries]
    undone: set[str] = set()
    by_id, answered = dict[str, PlaySource](), dict[str, str]()
    for event in reversed(events):  # a batch may be undone only after it was written, and never comes back
        if isinstance(event, ImportUndone):
            undone.add(event.batch)
    joined = club.beside.joined
    for event in events:
        if isinstance(event, PlaysImported | PlaysUpdated) and event.batch not in undone:
            for play in event.plays:
                table = by_id[play.id].result if isinstance(event, PlaysUpdated) and play.id in by_id else ""
                result = table or joined.get(play.table) or f"{BESIDE}.{play.table}"
                by_id[play.id] = PlaySource(event.source, play, result)
            if isinstance(event, PlaysUpdated):
                answered |= event.answered
    of_result: dict[str, list[PlaySource]] = defaultdict(list)
    for source in by_id.values():
        of_result[source.result].append(source)
    return Sources(by_id, of_result, answered)


def digest_of(facts: PlayFacts) -> str:
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:16]


def facts_of(club: Club, gone: Collection[str], play: ImportedPlay | ResultTyped) -> PlayFacts:
    """Return the facts of a play for a comparison, with the people as the club knows them.

    gone: people who are anonymous now; like other anonymous players they are no one.
    """
    anonymous_ids, details = club.anonymous_ids, play.details

    def name(person: str) -> str:
        known = club.person(person)
        return "" if known in anonymous_ids or known in gone else known

    def by_person(texts: Mapping[str, str]) -> list[tuple[str, str]]:
        return sorted((name(person), text) for person, text in texts.items())

    facts: dict[str, object] = {field: getattr(details, field) for field in sorted(PLAIN_FACTS)}
    return facts | {
        "comments": " ".join(details.comments.split()),  # imports lost line breaks before
        "ruleset": play.ruleset,
        "ended_at": play.ended_at,
        "placed": sorted((name(each.person), str(each.seat), each.place, str(each.score)) for each in play.placed),
        "roles": by_person(details.roles),
        "teams": by_person(details.teams),
        "scores": by_person(details.scores),
        "colours": by_person(details.colours),
        "start_player": details.start_player and name(details.start_player),
        "new": sorted(map(name, details.new)),
        "automas": len(details.automas),
    }


class ComparedPlay(Frozen):
    """A play of the club or the file, with what decides if it is another one."""

    result: str
    ruleset: str
    day: str
    people: tuple[str, ...]
    scores: tuple[tuple[str, str], ...]  # empty: unknown
    winners: frozenset[str]
    hour: str = ""

    @property
    def group(self) -> tuple[str, tuple[str, ...]]:
        return self.ruleset, self.people


def compared_play(
    club: Club,
    result_id: str,
    ruleset: str,
    at: str,
    placed: Sequence[Placed],
    scores: Mapping[str, str],
    hour: str = "",
) -> ComparedPlay:
    anonymous_ids = club.anonymous_ids
    named = [("" if each.person in anonymous_ids else club.person(each.person), each) for each in placed]
    numbers = {each.person: _score_of(each, scores.get(each.person, "")) for _, each in named}
    is_scored = any(number is not None for number in numbers.values())
    return ComparedPlay(
        result_id,
        ruleset,
        day_of(at, club.zone),
        tuple(sorted(person for person, _ in named)),
        tuple(sorted((person, str(numbers[each.person])) for person, each in named)) if is_scored else (),
        frozenset(person for person, each in named if each.place == 1),
        hour,
    )


def _score_of(placed: Placed, text: str) -> Score | str | None:
    """Return a score as a number, however it was written: 12,5 and 12.5 are one; None for a dash.

    The text of an unclear score, such as 49-46ish, stands for itself.
    """
    if placed.score is not None:
        return placed.score
    number = read_score(text)
    return number if number is not None or not text.strip(UNKNOWN_SCORE) else text


def compared_imports(club: Club, plays: Iterable[ImportedPlay]) -> list[ComparedPlay]:
    return [
        compared_play(
            club,
            f"{BESIDE}.{play.table}",
            play.ruleset,
            play.ended_at,
            play.placed,
            play.details.scores,
            play.details.hour,
        )
        for play in plays
    ]


def compared_results(club: Club, results: Iterable[Result]) -> list[ComparedPlay]:
    found = []
    for result in results:
        table = club.table_of(result.id)
        hour = "" if table is None or table.typed is None or table.game else table.typed.details.hour
        texts = _texts_at(club, table)
        found.append(compared_play(club, result.id, result.ruleset, result.at, result.placed, texts, hour))
    return found


def _texts_at(club: Club, table: SeasonTable | None) -> Mapping[str, str]:
    if table is None or table.typed is None or table.game:
        return {}
    return {club.person(person): text for person, text in table.typed.details.scores.items()}


def pair_plays(
    own: Sequence[ComparedPlay], others: Sequence[ComparedPlay]
) -> Iterator[tuple[ComparedPlay, ComparedPlay, Likeness]]:
    """Yield pairs of plays of a file and of the club that may be one, each play at most once, the same day first."""
    groups: dict[tuple[str, tuple[str, ...]], tuple[list[ComparedPlay], list[ComparedPlay]]] = {}
    for side, plays in enumerate((own, others)):
        for play in plays:
            if side == 0 or play.group in groups:
                groups.setdefault(play.group, ([], []))[side].append(play)
    for left, right in groups.values():
        if right:
            yield from _pair_group(left, right)


def _pair_group(
    left: list[ComparedPlay], right: list[ComparedPlay]
) -> Iterator[tuple[ComparedPlay, ComparedPlay, Likeness]]:
    by_day: dict[str, list[ComparedPlay]] = defaultdict(list)
    for play in right:
        by_day[play.day].append(play)
    likenesses: tuple[tuple[Likeness, Callable[[ComparedPlay, ComparedPlay], bool]], ...] = (
        ("same", _agree),
        ("no_scores", _may_agree),
        ("one_score", _agree_but_one),
        ("next_day", _agree),
        ("next_day", _may_agree),
    )
    for likeness, agree in likenesses:
        rest = list[ComparedPlay]()
        for play in left:
            days = _days_around(play.day) if likeness == "next_day" else (play.day,)
            candidates = (
                candidate
                for day in days
                for candidate in by_day.get(day, ())[:PAIRS_COMPARED]
                if agree(play, candidate)
            )
            other = min(candidates, key=lambda candidate, hour=play.hour: candidate.hour != hour, default=None)  # type: ignore[misc]
            if other is None:
                rest.append(play)
                continue
            by_day[other.day].remove(other)
            yield play, other, likeness
        left = rest


def _days_around(day: str) -> Iterator[str]:
    for days in (-1, 1):
        try:
            yield (date.fromisoformat(day) + timedelta(days)).isoformat()
        except (ValueError, OverflowError):
            continue


def _agree(first: ComparedPlay, second: ComparedPlay) -> bool:
    return bool(first.scores) and first.scores == second.scores


def _agree_but_one(first: ComparedPlay, second: ComparedPlay) -> bool:
    """Check if the scores of all players but one agree, of at least two: someone mistyped a score."""
    differences = sum(own != other for own, other in zip(first.scores, second.scores, strict=False))
    return len(first.scores) == len(second.scores) > 2 and differences == 1


def _may_agree(first: ComparedPlay, second: ComparedPlay) -> bool:
    """Check if one of two plays has no scores, and neither says that another person won."""
    if first.scores and second.scores:
        return False
    return not (first.winners and second.winners) or first.winners == second.winners


def ids_of_sources(sources: Sources, result_id: str) -> set[str]:
    """Return every id of a play of the club at its sources."""
    return {
        possible
        for source in sources.of_result.get(result_id, ())
        for foreign_id in (source.play.id, source.play.second_id)
        if foreign_id
        for possible in possible_ids(foreign_id)
    }
