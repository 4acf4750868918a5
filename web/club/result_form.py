"""The form for a result that was not recorded: show it, read it, and write it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import msgspec
from flask import request

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_commands import EnterResult
from daybook.domain.league.results import NO_DETAILS, Placed, PlayDetails, Result, by_score, follow_scores
from daybook.domain.league.scores import read_score, split_score
from daybook.services import days
from daybook.services.files.validate import MisfitError
from daybook.services.league import clubs, result_changes
from daybook.services.league import plays as log
from daybook.services.league.clubs.game_commands import details_at
from daybook.services.league.result_changes import TriedResult
from daybook.services.names import NAME_LIMIT, appearance_key
from daybook.web.club.table_choices import any_game, game_and_sheet, typed_games
from daybook.web.request.access import book
from daybook.web.request.clubs import guest_id, person_typed, run_club_write, user_id, write_in_club
from daybook.web.request.days import viewer_today, zone_of_visitor
from daybook.web.request.forms import (
    BadTextError,
    key_sent,
    parse_number,
    parse_whole_number,
    text_fault,
    text_sent,
    why_sent,
)
from daybook.web.request.template_globals import as_sentence
from daybook.web.words import game_title, league_words, say

LINES = 12
DETAILS = frozenset(  # fields of the preview besides places; those of a line have its number after a dot
    [
        "place",
        "minutes",
        "expansions",
        "variant",
        "comments",
        "wins",
        "hour",
        "new",
        "score",
        "began",
        "team",
        "role",
        "colour",
        "tie_settled",
        "uncounted",
    ]
)
WINS = ("most", "least", "won", "lost")  # how a game is won; the last two: together, and if they won
GAMES_OFFERED = 200  # that the club has played
SIMILAR_NAMES = 3  # games that a mistyped name may mean
SIMILARITY = 0.75  # of their names


class UnknownGame(Frozen):
    """A typed name of a new game, with the names of known games that are much like it."""

    name: str
    similar: tuple[str, ...]  # keys


class Wins(Frozen):
    """The way in which a play was won."""

    lowest: bool = False
    together: bool = False
    lost: bool = False


class ResultLine(Frozen):
    """A line of the form as it was typed."""

    person: str
    place: str = ""
    score: str = ""
    dropped: bool = False
    guest: str = ""
    new: bool = False
    began: bool = False
    team: str = ""
    role: str = ""
    colour: str = ""

    @property
    def is_score_unclear(self) -> bool:
        return bool(self.score) and read_score(self.score) is None


def blank_lines(club: Club, table: SeasonTable, result: Result | None) -> list[ResultLine]:
    """Build the lines of the form from the present result, or from the planned seats.

    Places that follow from the scores are left out, so that they also follow from changed scores.
    """
    if result is None:
        return [ResultLine(person) for person in club.seats(table)]
    details = details_at(club, table)
    follow, new = follow_scores(result) or result.cooperative, details.new
    return [
        ResultLine(
            placed.person,
            "" if follow else str(placed.place),
            league_words.score_typed(placed, details),
            placed.dropped,
            new=placed.person in new,
            began=placed.person == details.start_player,
            team=details.teams.get(placed.person, ""),
            role=details.roles.get(placed.person, ""),
            colour=details.colours.get(placed.person, ""),
        )
        for placed in sorted(result.placed, key=lambda placed: placed.seat if placed.seat is not None else 99)
    ]


def lines_sent(club: Club, people: Sequence[str]) -> list[ResultLine]:
    """Return the lines of the form that name a person.

    Args:
        people: the people that may sit there. In a large club a person is typed by name.
    """
    form, lines = request.form, []
    for at in range(LINES):
        guest = " ".join(form.get(f"guest.{at}", "").split())
        person = form.get(f"person.{at}", "") or person_typed(club, guest, people)
        line = ResultLine(
            person,
            form.get(f"place.{at}", "").strip(),
            form.get(f"score.{at}", "").strip(),
            bool(form.get(f"dropped.{at}")),
            "" if person else guest,
            bool(form.get(f"new.{at}")),
            bool(form.get(f"began.{at}")),
            *(" ".join(form.get(f"{name}.{at}", "").split()) for name in ("team", "role", "colour")),
        )
        if line.person or line.guest:
            lines.append(line)
    return lines


def guests_sent(club: Club, lines: Sequence[ResultLine]) -> dict[str, str]:
    """Return the names of new guests in the form, by their new ids."""
    return {guest_id(club, line.guest, key_sent()): line.guest for line in lines if not line.person}


def write_typed(
    club: Club, season: Season, table: SeasonTable | None, lines: Sequence[ResultLine]
) -> str | TriedResult | UnknownGame:
    """Write a typed result and return why it was refused; empty if it was written.

    A result that replaces another, or whose places contradict its scores, needs a preview first: return the preview
    and write nothing. So does a new game with a name much like a known one.
    """
    game = _game_sent(club, season, table)
    if isinstance(game, UnknownGame):
        return game
    if not game:
        return say("Say which game it was.")
    ended = text_sent("ended").strip()
    if ended and days.read_day(ended) is None:
        return say("Enter the day as 2026-11-20.")
    wins = _wins_sent(club, game)
    if isinstance(wins, str):
        return wins
    before = details_at(club, table)
    placed = places_of_lines(club, lines, wins, before)
    if isinstance(placed, str):
        return placed
    ended_at = _end_of_game(club, table, ended)
    if ended_at and ended > viewer_today(club):
        return as_sentence(say("a game that has not ended has no result"))
    details = _details_sent(before, lines, placed, wins)
    if isinstance(details, str):
        return details
    command = EnterResult(
        season.id,
        game,
        tuple(placed),
        table.id if table else "",
        ended_at,
        why_sent(),
        walkover=bool(request.form.get("walkover")),
        details=details,
        guests=guests_sent(club, lines),
    )
    then: list[Club] = []
    try:
        against = run_club_write(
            lambda: then.append(clubs.preview(book(), club.id, command, by=user_id())), command.guests
        )
        if against:
            return against
        tried = result_changes.try_typed(book(), club, then[0])
        if (tried.before or tried.contradiction) and request.form.get("seen") != _preview_digest(tried):
            return tried
        return write_in_club(club.id, command, at=known_step() if table else None)
    except MisfitError:
        return say("Enter the day as 2026-11-20.")


def _wins_sent(club: Club, game: str) -> Wins | str:
    """Return how the game is won: as the form says, else as its sheet or the club's plays of it say."""
    sent = request.form.get("wins", "")
    if sent in WINS:
        return Wins(sent == "least", sent in ("won", "lost"), sent == "lost")
    known = next((played for played in log.played_games(book(), club) if played.key == game), None)
    if known is not None and known.cooperative:
        return say("You play this game together: say if you won or lost.")
    played = game_and_sheet(club, game) if is_by_name(game) else None
    by_sheet = played is not None and played[1].values().get("score.wins") == "least"
    return Wins(by_sheet or (known is not None and known.lowest_wins))


def games_offered(club: Club, keys: Sequence[str]) -> list[tuple[str, str]]:
    """Return games for a list, those that the club has played first, with what is known of them."""
    played = [game for game in log.played_games(book(), club)[:GAMES_OFFERED] if game.key in keys]
    known = {game.key: league_words.played_game_label(game) for game in played}
    return [*known.items(), *((key, game_title(key)) for key in keys if key not in known)]


def _game_sent(club: Club, season: Season, table: SeasonTable | None) -> str | UnknownGame:
    """Return the game that the form names: a playable one, or any by its name; empty if it names none."""
    playable = typed_games(club, season, table)
    sent = text_sent("ruleset")
    name = " ".join(text_sent("game_name").split()) if any_game(club, season) else ""
    if name:
        choice, named = text_sent("meant"), clubs.game_named(club, name)
        known = [*playable, *clubs.games_by_name(club)]
        if choice in known:
            return choice
        if choice != "new" and named not in known and (similar := _similar_games(name, known)):
            return UnknownGame(name, similar)
        return named if is_by_name(named) or named in playable else ""
    if sent in playable or (is_by_name(sent) and sent in clubs.games_by_name(club) and any_game(club, season)):
        return sent
    return playable[0] if len(playable) == 1 and not sent and not any_game(club, season) else ""


def _similar_games(name: str, keys: Sequence[str]) -> tuple[str, ...]:
    """Return the games with names much like a name."""
    by_name = {appearance_key(game_title(key)): key for key in keys}
    close = get_close_matches(appearance_key(name), by_name, SIMILAR_NAMES, SIMILARITY)
    return tuple(by_name[title] for title in close)


def _details_sent(
    before: PlayDetails, lines: Sequence[ResultLine], placed: Sequence[Placed], wins: Wins
) -> PlayDetails | str:
    """Return the details of a play in the form, or the sentence of an error.

    Args:
        before: the present details. Fields that the form lacks keep their value.
    """
    form = request.form
    try:
        minutes = parse_whole_number(form["minutes"].strip()) if form.get("minutes", "").strip() else 0
    except BadTextError:
        return say("The minutes are a whole number.")
    expansions = [" ".join(name.split()) for name in form.get("expansions", "").split(",")]
    written = {
        seat.person: text
        for line, seat in zip(lines, placed, strict=True)
        if line.score and (text := split_score(line.score)[1])
    }
    details = before.among(placed)
    if form.get("facts"):
        if sum(line.began for line in lines) > 1:
            return say("Only one player began.")
        details = _with_facts(details, lines, placed)
    return msgspec.structs.replace(
        details,
        place=" ".join(form.get("place", "").split()),
        minutes=minutes,
        expansions=tuple(filter(None, expansions)),
        variant=" ".join(form.get("variant", "").split()),
        comments="\n".join(form.get("comments", "").splitlines()).strip(),  # forms send CR LF
        hour=form.get("hour", before.hour).strip(),
        scores=written,
        lowest_wins=wins.lowest,
        cooperative=wins.together,
        new=tuple(seat.person for line, seat in zip(lines, placed, strict=True) if line.new),
    )


def _with_facts(details: PlayDetails, lines: Sequence[ResultLine], placed: Sequence[Placed]) -> PlayDetails:
    """Return details with what the form has behind "More"."""
    seated = [*zip(lines, placed, strict=True)]
    return msgspec.structs.replace(
        details,
        start_player=next((seat.person for line, seat in seated if line.began), ""),
        teams={seat.person: line.team for line, seat in seated if line.team},
        roles={seat.person: line.role for line, seat in seated if line.role},
        colours={seat.person: line.colour for line, seat in seated if line.colour},
        tie_settled=bool(request.form.get("tie_settled")),
        uncounted=tuple(mark for mark in league_words.UNCOUNTED if request.form.get(f"uncounted.{mark}")),
    )


def _end_of_game(club: Club, table: SeasonTable | None, day: str) -> str:
    """Return when the game ended; empty if the form's day is the known day."""
    zone = zone_of_visitor(club)
    typed = None if table is None else table.typed
    known_day = days.day_of(typed.day, zone) if typed else ""
    return "" if not day or (typed and day == known_day) else moment_of_play(day)


def _preview_digest(tried: TriedResult) -> str:
    """Return a digest of the previewed result, so that the same form cannot write another."""
    details = [(name, value) for name, value in sorted(request.form.items()) if name.partition(".")[0] in DETAILS]
    result = msgspec.json.encode(
        (tried.after.ruleset, tried.after.placed, tried.after.at[:10], tried.after.marks, details)
    )
    return hashlib.sha256(result).hexdigest()


def known_step() -> int | None:
    """Return the club's newest step at the time the form was rendered."""
    return parse_number(text_sent("step"))


def tried_shown(tried: TriedResult | None) -> dict[str, Any]:
    """Build the preview of a result: the standings of all affected people, before and after."""
    if tried is None:
        return {"tried": None}
    people = {*tried.after.people, *(placed.person for placed in tried.changed)}
    return {
        "tried": tried,
        "seen": _preview_digest(tried),
        "beside_tried": [
            (row.person, tried.standings_before.row(row.person), row)
            for group in tried.standings_after.groups
            if people & {row.person for row in group.rows}
            for row in group.rows
        ],
        "resent": [
            (name, value) for name, value in request.form.items() if name not in ("csrf", "key", "seen", "step")
        ],
    }


def places_of_lines(
    club: Club, lines: Sequence[ResultLine], wins: Wins, before: PlayDetails = NO_DETAILS
) -> tuple[Placed, ...] | str:
    """Return the places in the form, or the sentence of an error. Without any place, derive them from the scores.

    Args:
        before: the present details. An unclear score that was imported may stay as it is written.
    """
    scores = [read_score(line.score) if line.score else None for line in lines]
    unclear = [
        line.score
        for line, score in zip(lines, scores, strict=True)
        if line.score and score is None and line.score != before.scores.get(line.person, "").strip()
    ]
    if unclear:
        return say("“{text}” is not a score such as 12, 12.5, 12½ or 12+30.", text=unclear[0][:20])
    try:
        places = [parse_whole_number(line.place) if line.place else None for line in lines]
    except BadTextError:
        return say("Places are whole numbers.")
    for line in lines:
        if line.guest and (sentence := text_fault(line.guest, NAME_LIMIT, "")):
            return sentence
    if wins.together:
        places = [2 if wins.lost else 1] * len(lines)
    elif not any(line.place for line in lines):
        needed = [line for line, score in zip(lines, scores, strict=True) if score is None and not line.dropped]
        if needed and not request.form.get("walkover"):
            return say("Enter everyone’s place, or everyone’s score.")
        scored = [(score, line.dropped) for score, line in zip(scores, lines, strict=True)]
        places = [*by_score(scored, wins.lowest)]
    given = [place for place in places if place is not None]
    if len(given) < len(lines):
        return say("Enter all places or none.")
    return tuple(
        Placed(
            line.person or guest_id(club, line.guest, key_sent()),
            at,
            place,
            score if isinstance(score, int) else None,
            line.dropped and not wins.together,
        )
        for at, (line, place, score) in enumerate(zip(lines, given, scores, strict=True))
    )
