"""What pages say of clubs, leagues and seasons: formats, tie-breaks, places with their reasons, results, schedules.

People are ids in the domain; `names` tells what they are called, and who is not known there is "somebody".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from flask_babel import format_datetime

from daybook.domain.games import rules_of
from daybook.domain.kernel.game_names import ANY
from daybook.domain.kernel.terms import Reason
from daybook.domain.league.club_events import Role
from daybook.domain.league.results import Mark, Result
from daybook.domain.league.seasons import Division, Format, Kind
from daybook.domain.league.standings import DivisionMove, StandingChange, StandingRow, Why
from daybook.domain.league.tiebreaks import BY_CODE, GamePoints, StandingTiebreak, Value, figure, mixed_number
from daybook.services.days import local_of
from daybook.web.words import game_title
from daybook.web.words.say import N_, Texts, isolate, join_words, say, say_n

Names = Mapping[str, str]
PEOPLE = ("person", "other", "third")  # figures of a reason that are ids of people

KINDS: Mapping[Kind, tuple[str, str]] = N_(
    {  # what it is called, and how it goes
        "free": ("Free play", "Whoever meets plays; every result counts as soon as it is entered."),
        "rounds": ("Rounds", "One field and a schedule of rounds, in which everybody meets everybody equally often."),
        "heats": ("Heats", "Enter as many games as you like; most wins come first."),
        "divisions": ("Divisions", "Groups that play round by round; the best go up, the last go down."),
        "swiss": (
            "Swiss",
            "Each round is drawn from the standings: people of like places meet, and nobody meets twice if possible.",
        ),
    }
)
MARKS: Mapping[Mark, str] = N_(
    {
        "practice": "practice",
        "typed": "typed in",
        "as_played": "as played",
        "provisional": "provisional",
        "against_rules": "against the rules",
        "walkover": "walkover",
    }
)
MARKS_EXPLAINED: Mapping[Mark, str] = N_(
    {
        "practice": "The program played this game.",
        "typed": "This result has no record: somebody typed it in.",
        "as_played": "An illegal move was noticed too late and stood.",
        "provisional": "A claim is open, and the result may still change.",
        "against_rules": "The record was brought from outside, and the rules disagree with it.",
        "walkover": "This game was not played: its places count in the standings and for no rating.",
    }
)
MARKS_COUNTED: Mapping[Mark, tuple[str, str]] = N_(
    {
        "practice": ("Practice games", "games that the program played"),
        "typed": ("Typed results", "results without a record"),
        "as_played": ("Games as played", "games in which an illegal move stood"),
        "provisional": ("Disputed games", "games in which a claim is open"),
        "against_rules": (
            "Games against the rules",
            "records from outside that the rules disagree with, before an organiser has accepted them",
        ),
    }
)
TIES: Texts = {
    "split": "those who share a place split the points of the places they take up",
    "high": "all who share a place get the points of the best of them",
    "low": "all who share a place get the points of the last of them",
}
WITHDRAWN: Texts = {
    "keep": "their results stay as they are",
    "void": "games they sat in count for nobody",
    "zero": "their own points become zero, the others keep theirs",
}
MOVES: Mapping[DivisionMove, str] = N_({"up": "goes up", "down": "goes down", "open": "a lot decides", "": ""})
RESULT_CAUSES: Texts = {  # why a result is another than before
    "closed": "The game ended",
    "corrected": "The record was corrected",
    "ruled": "A claim was ruled on",
    "claimed": "A claim was raised",
    "settled": "The last claim was settled",
    "dated": "Another day of play was said",
    "reopened": "The game was opened again",
    "abandoned": "The game was given up",
    "typed": "A result was typed in",
    "entered": "A record was entered",
    "seated": "Who sat where was put right",
    "removed": "The record was removed",
    "voided": "The result was made void",
    "accepted": "The result was accepted although the rules disagree",
}
ROLES: Mapping[str, tuple[str, str]] = N_(
    {
        "organiser": ("organiser", "invites, opens seasons, draws schedules, closes"),
        "umpire": ("umpire", "rules on claims, voids results, gives penalties"),
        "scorekeeper": ("scorekeeper", "opens games, enters games and results"),
        "member": ("member", "plays and reads"),
    }
)


# --- people and reasons ----------------------------------------------------------------------------------------------


def plain_name(person: str, names: Names) -> str:
    """What somebody is called, as a field of a form has it."""
    return names.get(person) or say("somebody")


def person_name(person: str, names: Names) -> str:
    """What somebody is called, for a sentence."""
    return isolate(plain_name(person, names))


def league_reason(reason: Reason, names: Names) -> str:
    """A reason of the club's rules, with people's names for their ids."""
    named = {
        name: person_name(str(value), names) if name in PEOPLE else value for name, value in reason.figures.items()
    }
    return say(reason.says, **named)


def why_sentence(why: Why, names: Names) -> str:
    """Why somebody stands before the next, in one sentence, with every step of the chain that was asked."""
    steps = [league_reason(reason, names) for reason in (*why.passed, *([why.decided] if why.decided else []))]
    order = league_reason(why.reason, names)
    return say("{order}: {reasons}.", order=order, reasons=", ".join(steps)) if steps else f"{order}."


# --- figures ---------------------------------------------------------------------------------------------------------


def amount(value: Fraction | None) -> str:
    """Points and wins as a table shows them: 7, 7½, 6⅔; a real minus."""
    return "–" if value is None else str(mixed_number(value)).replace("-", "−")


def average(value: Fraction) -> str:
    """What is no sum of places: 1.5, 2.29."""
    return str(figure(value))


def column_shown(code: str, value: Value) -> str:
    """The value of a tie-break's column."""
    return "–" if value is None else str(BY_CODE[code].label_of(value)).replace("-", "−")


def tiebreak_name(code: str) -> str:
    return say(BY_CODE[code].name.says)


def tiebreak_says(code: str) -> str:
    return say(BY_CODE[code].says.says)


def tiebreak_source(code: str) -> str:
    return BY_CODE[code].source


def tiebreaks() -> list[StandingTiebreak]:
    """Every tie-break there is."""
    return list(BY_CODE.values())


def place_shown(row: StandingRow, rows: Sequence[StandingRow]) -> str:
    """1, or =1 where it is shared."""
    return f"={row.place}" if sum(one.place == row.place for one in rows) > 1 else str(row.place)


def move_label(move: DivisionMove) -> str:
    return say(MOVES[move]) if move else ""


def mark_word(mark: Mark) -> str:
    return say(MARKS[mark])


def mark_explained(mark: Mark) -> str:
    return say(MARKS_EXPLAINED[mark])


# --- formats ---------------------------------------------------------------------------------------------------------


def kind_name(kind: Kind) -> str:
    return say(KINDS[kind][0])


def kind_explained(kind: Kind) -> str:
    return say(KINDS[kind][1])


def sizes_shown(sizes: Sequence[int]) -> str:
    """Tables of 4, also 3 or 5."""
    first, *others = sizes
    if not others:
        return say("tables of {n}", n=first)
    return say("tables of {n}, or {others}", n=first, others=join_words([str(size) for size in sorted(others)]))


def worth_shown(format: Format) -> list[tuple[int, str]]:
    """For each number of seats that is played, what its places are worth: 10-6-3-1."""
    return [
        (size, "-".join(str(points) for points in format.points.by_seats[str(size)]))
        for size in sorted(format.table_sizes)
        if str(size) in format.points.by_seats
    ]


def format_facts(format: Format) -> list[tuple[str, str]]:
    """What a season is played by, as pairs of a word and what it says."""
    facts = [
        (say("How it is played"), f"{kind_name(format.kind)}: {kind_explained(format.kind)}"),
        (say("Tables"), sizes_shown(format.table_sizes)),
    ]
    if format.rounds:
        facts.append((say("Rounds"), str(format.rounds)))
    if format.kind != "heats":
        facts += [(say("Points at a table of {n}", n=size), worth) for size, worth in worth_shown(format)]
        facts += [
            (say("Ties"), say(TIES[format.points.ties])),
            (say("A bye"), amount(Fraction(format.points.bye))),
            (say("Players who drop out"), amount(Fraction(format.points.drop))),
        ]
    facts.append((say("What decides"), ", ".join(tiebreak_name(code) for code in format.tiebreaks)))
    if format.best:
        facts.append((say("What counts of each"), say_n("the best result", "the best {n} results", format.best)))
    if format.divisions:
        facts.append(
            (
                say("Up and down"),
                say("{promote} up and {relegate} down of each group", promote=format.promote, relegate=format.relegate),
            )
        )
    facts += [
        (say("Players who withdraw"), say(WITHDRAWN[format.withdrawn])),
        (say("Counts too"), join_words([say(MARKS_COUNTED[mark][0]) for mark in format.counts]) or say("nothing else")),
        (say("Corrections"), say_n("for {n} day", "for {n} days", format.correction_days)),
        (say("Appeals"), say_n("for {n} hour", "for {n} hours", format.appeal_hours)),
    ]
    return facts


def group_name(format: Format, division: int, group: int) -> str:
    """Where somebody plays: "Division A, group 2"; empty for a season of one field."""
    if not format.divisions or not 1 <= division <= len(format.divisions):
        return ""
    named: Division = format.divisions[division - 1]
    if len(named.groups) == 1:
        return say("Division {name}", name=named.name)
    return say("Division {name}, group {group}", name=named.name, group=group)


ODD_PLAYS: Texts = {  # what may be odd about a play that comes in
    "no_winner": "nobody is said to have won",
    "score_text": "a score that is no whole number is kept as it is written",
    "no_day": "no day is said: it stands at 1900",
    "together": "played together: all have won, or nobody",
    "teams": "in teams: each has a place of their own here",
    "quantity": "one entry that stands for several plays",
    "incomplete": "not played to the end",
    "uncounted": "left out of the statistics where it comes from",
    "anonymous": "somebody without a name",
}


def evening_label(when: str, zone: str) -> str:
    """When an evening is, by the clocks of a time zone: Friday, 27 Nov 2026, 19:30."""
    local = datetime.fromisoformat(local_of(when, zone))
    return str(format_datetime(local, say("EEEE, d MMM y, HH:mm"), rebase=False))


def games_shown(rulesets: Iterable[str]) -> str:
    """The games of a league by their titles."""
    return join_words(
        [say("any other game") if id == ANY else game_title(id) for id in rulesets if rules_of(id)]
    ) or say("every game")


# --- results ---------------------------------------------------------------------------------------------------------


def result_sentence(result: Result, names: Names) -> str:
    """Who won, and the others in their order: "Anna won before Ben and Cleo"."""
    first = [person_name(one.person, names) for one in result.placed if one.place == 1]
    others = sorted((one for one in result.placed if one.place > 1), key=lambda one: one.place)
    if not others:
        return say("{winners} share the first place", winners=join_words(first))
    return say(
        "{winners} before {others}",
        winners=join_words(first),
        others=join_words([person_name(one.person, names) for one in others]),
    )


def line_sentence(line: GamePoints, table_name: Callable[[Result], str]) -> str:
    """What one line of a person's account is for: "Round 1, table 3: place 2 (41)"; who dropped out is named so."""
    if line.result is None or line.placed is None:
        return say("Round {round}: a bye", round=line.round)
    table, place, score = table_name(line.result), line.placed.place, line.placed.score
    if line.placed.dropped:
        return say("{table}: dropped out", table=table)
    if score is None:
        return say("{table}: place {place}", table=table, place=place)
    return say("{table}: place {place} ({score})", table=table, place=place, score=score)


def changed_sentence(changed: StandingChange, names: Names) -> str:
    """What another result does to somebody: "Anna: place 3 → 1, points 12 → 14"."""
    name = person_name(changed.person, names)
    was, now = changed.place
    if was is None or now is None:
        return say(
            "{name}: points {before} → {after}",
            name=name,
            before=amount(changed.points[0]),
            after=amount(changed.points[1]),
        )
    if was == now:
        return say(
            "{name}: place {place} as before, points {before} → {after}",
            name=name,
            place=now,
            before=amount(changed.points[0]),
            after=amount(changed.points[1]),
        )
    return say(
        "{name}: place {was} → {now}, points {before} → {after}",
        name=name,
        was=was,
        now=now,
        before=amount(changed.points[0]),
        after=amount(changed.points[1]),
    )


def unfairness_label(uneven: int, apart: int) -> str:
    """How fair a schedule is, as a number of which 0 is the best, and as a word. apart: as of `Fairness`."""
    if not uneven:
        return say("Unfairness 0: perfect, nothing could be more even.")
    word = N_("good" if apart <= 2 else "fair" if apart == 3 else "uneven; another number may draw better")
    return say("Unfairness {n}: {word} (0 is perfect).", n=uneven, word=say(word))


def close_cause_label(cause: str) -> str:
    return say(RESULT_CAUSES[cause])


IN_TEMPLATES = (
    person_name,
    league_reason,
    why_sentence,
    amount,
    average,
    column_shown,
    tiebreak_name,
    tiebreak_says,
    tiebreak_source,
    place_shown,
    move_label,
    mark_word,
    mark_explained,
    kind_name,
    kind_explained,
    sizes_shown,
    worth_shown,
    format_facts,
    group_name,
    evening_label,
    games_shown,
    result_sentence,
    line_sentence,
    changed_sentence,
    close_cause_label,
)


def role_word(role: Role) -> str:
    return say(ROLES[role][0])


def role_list(roles: tuple[Role, ...]) -> str:
    added = [role_word(role) for role in roles if role != "member"]
    return join_words(added) if added else role_word("member")
