"""Sentences about clubs, leagues and seasons: formats, tie-breaks, places with reasons, results, schedules.

People are ids in the domain; `names` has their names, and unknown ones are "someone".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from flask_babel import format_datetime

from daybook.domain.games import rules_of
from daybook.domain.kernel.game_names import ANY
from daybook.domain.kernel.terms import Reason
from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_events import Role
from daybook.domain.league.plays import OWN_LOG
from daybook.domain.league.results import NO_DETAILS, Mark, Placed, PlayDetails, Result, StandIn, Uncounted
from daybook.domain.league.scores import Score
from daybook.domain.league.seasons import Division, Format, Outcome, SeasonKind
from daybook.domain.league.standings import DivisionMove, StandingChange, StandingRow, Why
from daybook.domain.league.tiebreaks import BY_CODE, GamePoints, StandingTiebreak, Value, figure, mixed_number
from daybook.services.days import local_of
from daybook.services.league.plays import LoggedPlay, PlayedGame
from daybook.web.words import game_title
from daybook.web.words.say import N_, Texts, day_label, isolate, join_words, say, say_n, say_reason

Names = Mapping[str, str]
PEOPLE = ("person", "other", "third")  # figures of a reason that are person ids

KINDS: Mapping[SeasonKind, tuple[str, str]] = N_(
    {  # label and explanation
        "free": ("Free play", "Everyone can play everyone. Every result counts as soon as it is entered."),
        "rounds": ("Rounds", "One group and a schedule of rounds in which all players meet equally often."),
        "heats": ("Heats", "Enter as many games as you like; most wins come first."),
        "divisions": ("Divisions", "Groups that play round by round; the best go up, the last go down."),
        "swiss": (
            "Swiss",
            "Each round is drawn from the standings: players with similar places meet, and no two meet twice if possible.",
        ),
        "knockout": ("Knock-out", "The best of each table advance to the next round; the last table is the final."),
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
        "unapproved": "waits for approval",
    }
)
MARKS_EXPLAINED: Mapping[Mark, str] = N_(
    {
        "practice": "The program played this game.",
        "typed": "This result has no record: it was typed in.",
        "as_played": "An illegal move was noticed too late and stood.",
        "provisional": "A claim is open, and the result may still change.",
        "against_rules": "The record was imported, and the rules disagree with it.",
        "walkover": "This game was not played: its places count in the standings, but not in ratings.",
        "unapproved": "A member entered it. It counts when an organiser, or another player of a season’s table, confirms it.",
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
            "imported records that the rules disagree with, before an organiser has accepted them",
        ),
    }
)
PLAY_KINDS: Texts = {
    "recorded": "recorded move by move",
    "sheet": "counted on a score sheet",
    "typed": "typed in",
    "imported": "imported",
}
PLAY_MARKS: Texts = {
    "cooperative": "cooperative",
    "no_scores": "without scores",
    "uncounted": "not counted",
    "tie_settled": "tie settled at the table",
    "unapproved": "waits for approval",
    "walkover": "walkover",
    "practice": "practice",
    "provisional": "provisional",
    "against_rules": "against the rules",
    "as_played": "as played",
}
UNCOUNTED: Mapping[Uncounted, str] = N_(
    {
        "ignored": "left out of statistics",
        "nowinstats": "left out of statistics of wins",
        "incomplete": "not played to the end",
    }
)
PLAY_SOURCES: Mapping[str, str] = {"bgstats": "BG Stats", "bgg": "BoardGameGeek", "table": "CSV"}
TIES: Texts = {
    "split": "those who share a place split the points of the places they take up",
    "high": "all who share a place get the points of the best of them",
    "low": "all who share a place get the points of the last of them",
}
WITHDRAWN: Texts = {
    "keep": "their results stay as they are",
    "void": "their games count for no one",
    "zero": "their own points become zero, the others keep theirs",
}
SUBSTITUTE_RESULTS: Texts = {
    "member": "the player they play for gets the result",
    "none": "the result counts for no one",
    "substitute": "the substitute gets the result",
}
OUTCOMES: Mapping[Outcome, str] = N_(
    {
        "bye": "Round {round}: a bye",
        "late_entry": "Round {round}: entered later",
        "excused": "Round {round}: excused",
        "forfeit": "Round {round}: did not come",
        "substituted": "Round {round}: a substitute played",
        "withdrawn": "Round {round}: had withdrawn",
    }
)
MOVES: Mapping[DivisionMove, str] = N_({"up": "goes up", "down": "goes down", "open": "a lot decides", "": ""})
RESULT_CAUSES: Texts = {  # why a result changed
    "closed": "The game ended",
    "corrected": "The record was corrected",
    "ruled": "A claim was ruled on",
    "claimed": "A claim was raised",
    "settled": "The last claim was settled",
    "dated": "The day of play was changed",
    "reopened": "The game was opened again",
    "abandoned": "The game was given up",
    "typed": "A result was typed in",
    "entered": "A record was entered",
    "seated": "Who sat where was corrected",
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
    """Return a person's name for a form field."""
    return names.get(person) or say("someone")


def person_name(person: str, names: Names) -> str:
    """Return a person's name for a sentence."""
    return isolate(plain_name(person, names))


def league_reason(reason: Reason, names: Names) -> str:
    """Return a reason of the club's rules with names."""
    named = {
        name: person_name(str(value), names) if name in PEOPLE else value for name, value in reason.figures.items()
    }
    return say_reason(reason.forms or reason.sentence, named, reason.figures)


def why_sentence(why: Why, names: Names) -> str:
    """Explain why a person is ahead of the next, with every tie-break applied."""
    steps = [league_reason(reason, names) for reason in (*why.passed, *([why.decided] if why.decided else []))]
    order = league_reason(why.reason, names)
    return say("{order}: {reasons}.", order=order, reasons=", ".join(steps)) if steps else f"{order}."


# --- figures ---------------------------------------------------------------------------------------------------------


def amount(value: Fraction | None) -> str:
    """Format points and wins for a table: 7, 7½, 6⅔, with a minus sign."""
    return "–" if value is None else str(mixed_number(value)).replace("-", "−")


def average(value: Fraction) -> str:
    """Format an average: 1.5, 2.29."""
    return str(figure(value))


def column_shown(code: str, value: Value) -> str:
    """Format the value of a tie-break."""
    return "–" if value is None else str(BY_CODE[code].label_of(value)).replace("-", "−")


def tiebreak_name(code: str) -> str:
    return say(BY_CODE[code].name.sentence)


def tiebreak_says(code: str) -> str:
    return say(BY_CODE[code].says.sentence)


def tiebreak_source(code: str) -> str:
    return BY_CODE[code].source


def all_tiebreaks() -> list[StandingTiebreak]:
    """Return all tie-breaks."""
    return list(BY_CODE.values())


def place_shown(row: StandingRow, rows: Sequence[StandingRow]) -> str:
    """Format a place: 1, or =1 if shared."""
    return f"={row.place}" if sum(other.place == row.place for other in rows) > 1 else str(row.place)


def move_label(move: DivisionMove) -> str:
    return say(MOVES[move]) if move else ""


def mark_word(mark: Mark) -> str:
    return say(MARKS[mark])


def season_state(season: Season) -> str:
    """Return the state of a season in words; empty: closed."""
    if season.removed:
        return say("removed")
    if season.cancelled:
        return say("cancelled")
    return say("being played") if season.is_open else ""


def play_origin(play: LoggedPlay) -> str:
    """Return the way in which a play was written down, with the program it was imported from."""
    if play.kind == "imported" and play.source:
        return say("imported from {program}", program=play_source_label(play.source))
    return say(PLAY_KINDS[play.kind])


def play_kind_label(kind: str) -> str:
    return say(PLAY_KINDS[kind])


def play_source_label(source: str) -> str:
    return say("a player’s own log") if source.startswith(OWN_LOG) else PLAY_SOURCES.get(source, source)


def play_day_label(day: str) -> str:
    """Return the label of the day of a play, such as 2026-11-20."""
    return day_label(moment_of_play(day))


def uncounted_labels() -> list[tuple[str, str]]:
    """Return the reasons for which a play is not counted, with their labels."""
    return [(mark, say(label)) for mark, label in UNCOUNTED.items()]


def play_mark_label(mark: str) -> str:
    return say(PLAY_MARKS[mark])


def mark_explained(mark: Mark) -> str:
    return say(MARKS_EXPLAINED[mark])


# --- formats ---------------------------------------------------------------------------------------------------------


def kind_name(kind: SeasonKind) -> str:
    return say(KINDS[kind][0])


def kind_explained(kind: SeasonKind) -> str:
    return say(KINDS[kind][1])


def sizes_shown(sizes: Sequence[int]) -> str:
    """Describe table sizes: "tables of 4, or 3 and 5"."""
    first, *others = sizes
    if not others:
        return say("tables of {n}", n=first)
    return say("tables of {n}, or {others}", n=first, others=join_words([str(size) for size in sorted(others)]))


def worth_shown(season_format: Format) -> list[tuple[int, str]]:
    """Return the points by place, for each number of seats: 10-6-3-1."""
    return [
        (size, "-".join(str(points) for points in season_format.points.by_seats[str(size)]))
        for size in sorted(season_format.table_sizes)
        if str(size) in season_format.points.by_seats
    ]


def format_facts(season_format: Format) -> list[tuple[str, str]]:
    """Return a season's format as pairs of label and value."""
    facts = [
        (say("How it is played"), f"{kind_name(season_format.kind)}: {kind_explained(season_format.kind)}"),
        (say("Tables"), sizes_shown(season_format.table_sizes)),
    ]
    if season_format.rounds:
        facts.append((say("Rounds"), str(season_format.rounds)))
    if season_format.kind == "knockout":
        facts += [
            (say("Advance from each table"), str(season_format.advance_per_table)),
            (say("Lost tables until a player is out"), str(season_format.lives)),
        ]
    if season_format.kind != "heats":
        facts += [(say("Points at a table of {n}", n=size), worth) for size, worth in worth_shown(season_format)]
        facts += [
            (say("Ties"), say(TIES[season_format.points.ties])),
            (say("Points for a bye"), amount(Fraction(season_format.points.bye))),
            (say("Points for dropping out"), amount(Fraction(season_format.points.drop))),
            (say("Points for not coming"), amount(Fraction(season_format.points.forfeit))),
        ]
    facts.append((say("What decides the order"), ", ".join(tiebreak_name(code) for code in season_format.tiebreaks)))
    if season_format.best:
        facts.append((say("What counts of each"), say_n("the best result", "the best {n} results", season_format.best)))
    if season_format.divisions:
        facts.append(
            (
                say("Up and down"),
                say(
                    "{promote} up and {relegate} down of each group",
                    promote=season_format.promote,
                    relegate=season_format.relegate,
                ),
            )
        )
    facts += [
        (say("Players who withdraw"), say(WITHDRAWN[season_format.withdrawn])),
        (say("Substitutes"), say(SUBSTITUTE_RESULTS[season_format.substitute_result])),
        (
            say("Also counts"),
            join_words([say(MARKS_COUNTED[mark][0]) for mark in season_format.counts]) or say("nothing else"),
        ),
        (say("Corrections"), say_n("for {n} day", "for {n} days", season_format.correction_days)),
        (say("Appeals"), say_n("for {n} hour", "for {n} hours", season_format.appeal_hours)),
    ]
    return facts


def group_name(season_format: Format, division: int, group: int) -> str:
    """Return the name of a group: "Division A, group 2"; "" without divisions."""
    if not season_format.divisions or not 1 <= division <= len(season_format.divisions):
        return ""
    named: Division = season_format.divisions[division - 1]
    if len(named.groups) == 1:
        return say("Division {name}", name=named.name)
    return say("Division {name}, group {group}", name=named.name, group=group)


ODD_PLAYS: Texts = {  # warnings about an imported play
    "no_winner": "no winner given",
    "score_text": "a score that is not a whole number is kept as it is written",
    "no_day": "no day given: it is listed under 1900",
    "cooperative": "cooperative: all win, or no one",
    "teams": "in teams: here each player has a place",
    "quantity": "one entry for several plays",
    "uncounted": "not in the statistics of the program it comes from",
    "tie_settled": "the players agreed who won a tie",
    "anonymous": "someone without a name",
}


LIKENESSES: Texts = {  # why two plays may be one
    "same": "same day, people and scores",
    "no_scores": "same day and people; scores are missing",
    "one_score": "same day and people; one score is another",
    "next_day": "same people, a day apart",
    "in_file": "twice in the file, with the same scores",
    "changed": "changed at its source",
    "deleted": "deleted at its source",
}
COLUMN_MEANINGS: Texts = {  # of a table of plays
    "day": "day",
    "game": "game",
    "player": "player",
    "players": "players",
    "score": "points",
    "scores": "points of all players",
    "rank": "rank",
    "winner": "winner",
    "place": "where",
    "minutes": "minutes",
    "comments": "remarks",
    "board": "variant",
    "expansions": "expansions",
    "team": "team",
    "role": "role",
    "play": "number of the play",
    "person": "points of the player with this name",
    "ignored": "not imported",
}
CHANGED_FACTS = {  # facts of a play -> columns of a table, whose words they share
    "ruleset": "game",
    "ended_at": "day",
    "hour": "day",
    "placed": "scores",
    "scores": "scores",
    "place": "place",
    "minutes": "minutes",
    "comments": "comments",
    "variant": "board",
    "expansions": "expansions",
    "roles": "role",
    "teams": "team",
}
SKIPPED_KINDS: Texts = {  # contents of a file that are not imported
    "photos": "photos",
    "tags": "tags",
    "score_sheets": "rows of score sheets",
    "ratings": "ratings of plays",
    "rounds": "numbers of rounds",
    "challenges": "challenges",
    "groups": "groups of players",
}


def evening_label(when: str, zone: str) -> str:
    """Format the time of an evening in a time zone: Friday, 27 Nov 2026, 19:30."""
    local = datetime.fromisoformat(local_of(when, zone))
    return str(format_datetime(local, say("EEEE, d MMM y, HH:mm"), rebase=False))


def games_shown(rulesets: Iterable[str]) -> str:
    """Return the titles of a league's games."""
    return join_words(
        [
            say("any other game") if ruleset_id == ANY else game_title(ruleset_id)
            for ruleset_id in rulesets
            if rules_of(ruleset_id)
        ]
    ) or say("every game")


# --- results ---------------------------------------------------------------------------------------------------------


def result_sentence(result: Result, names: Names) -> str:
    """Describe a result by the order of players: "Anna won before Ben and Cleo"."""
    first = [person_name(placed.person, names) for placed in result.placed if placed.place == 1]
    if result.cooperative or not first:
        people = join_words([person_name(placed.person, names) for placed in result.placed])
        if not first and result.cooperative:
            return say("{people} lost together", people=people)
        if not first:
            return say("{people} played without a winner", people=people)
        if len(first) == len(result.placed):
            return say("{people} won together", people=people)
    others = sorted((placed for placed in result.placed if placed.place > 1), key=lambda placed: placed.place)
    if not others:
        return say("{winners} share the first place", winners=join_words(first))
    return say(
        "{winners} before {others}",
        winners=join_words(first),
        others=join_words([person_name(placed.person, names) for placed in others]),
    )


def score_shown(score: Score | None, text: str) -> str:
    """Return a score as it was written, with its number if it is a sum: "12+30 = 42"."""
    if not text:
        return "" if score is None else str(score)
    is_sum = score is not None and any(sign in text[1:] for sign in "+-−–")
    return f"{text} = {score}" if is_sum else text


def score_typed(placed: Placed, details: PlayDetails) -> str:
    """Return a score as it is typed into a form."""
    return details.scores.get(placed.person, "") or ("" if placed.score is None else str(placed.score))


def played_game_label(game: PlayedGame) -> str:
    """Return a game with what the club knows of it: "Hearts · 12 plays · the lowest score wins"."""
    facts = {
        say("the lowest score wins"): game.lowest_wins,
        say("cooperative"): game.cooperative,
        say("in teams"): game.teams,
    }
    known = [says for says, holds in facts.items() if holds]
    return " · ".join([game_title(game.key), say_n("{n} play", "{n} plays", game.plays), *known])


def person_marks(placed: Placed, details: PlayDetails) -> list[str]:
    """Return what is special about a player of a play."""
    marks = {
        say("began"): placed.person == details.start_player,
        say("new to it"): placed.person in details.new,
        say("left early"): placed.dropped,
    }
    return [says for says, holds in marks.items() if holds]


def play_facts(club: Club, table: SeasonTable, result: Result | None) -> list[tuple[str, str]]:
    """Return the facts of a play besides its people, each with its label; those of a record are in the record."""
    if result is None:
        return []
    details = NO_DETAILS if table.typed is None or table.game else table.typed.details
    day = day_label(result.at, club.zone)
    rules = {
        say("cooperative"): details.cooperative,
        say("the lowest score wins"): result.lowest_wins,
        say("no scores"): details.no_scores,
        say("a tie was settled at the table"): details.tie_settled,
    }
    facts = [
        (say("Day"), f"{day}, {details.hour}" if details.hour else day),
        (say("Where"), details.place),
        (say("Minutes played"), str(details.minutes or "")),
        (say("Expansions"), ", ".join(details.expansions)),
        (say("Variant or scenario"), details.variant),
        (say("How it counts"), join_words([says for says, holds in rules.items() if holds])),
        (say("Not counted"), join_words([say(UNCOUNTED[mark]) for mark in details.uncounted])),
        (say("Remarks"), details.comments),
        *(
            (say("Imported from"), _imported_as(play_source_label(source), play_id))
            for source, play_id in club.sources_of(table)
        ),
        (say("Number on BoardGameGeek"), str(details.bgg or "")),
    ]
    return [(label, fact) for label, fact in facts if fact]


def _imported_as(program: str, play_id: str) -> str:
    """Return the program of an import with its own id of the play; ids of rows are computed here."""
    kind, _, own_id = play_id.partition(":")
    return program if kind == "table" else say("{program}, as {id}", program=program, id=own_id or play_id)


def line_sentence(line: GamePoints, table_name: Callable[[Result], str]) -> str:
    """Describe a line of a person's account: "Round 1, table 3: place 2 (41)"."""
    if line.result is None or line.placed is None:
        return say(OUTCOMES[line.outcome or "bye"], round=line.round)
    table, place, score = table_name(line.result), line.placed.place, line.result.score_of(line.placed)
    if line.placed.dropped:
        return say("{table}: dropped out", table=table)
    if score is None:
        return say("{table}: place {place}", table=table, place=place)
    return say("{table}: place {place} ({score})", table=table, place=place, score=score)


def stand_in_sentence(seat: StandIn, club: Club, names: Names) -> str:
    """Describe a replaced or empty seat: "Ben plays for Anna"."""
    person = person_name(seat.person, names)
    if seat.is_substitute:
        return say("{substitute} plays for {person}", substitute=person_name(seat.replacement, names), person=person)
    return (
        say("{person} did not come; an automa takes the seat", person=person)
        if seat.replacement
        else say("{person} did not come", person=person)
    )


def changed_sentence(changed: StandingChange, names: Names) -> str:
    """Describe how a changed result affects a person: "Anna: place 3 → 1, points 12 → 14"."""
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


def unfairness_label(uneven: int, distance: int) -> str:
    """Describe how fair a schedule is, as a number (0 is best) and a word.

    Args:
        distance: as in `Fairness`.
    """
    if not uneven:
        return say("Unfairness 0: perfect.")
    word = N_("good" if distance <= 2 else "fair" if distance == 3 else "uneven; try another number")
    return say("Unfairness {n}: {word} (0 is perfect).", n=uneven, word=say(word))


def close_cause_label(cause: str) -> str:
    return say(RESULT_CAUSES[cause])


IN_TEMPLATES = (
    person_name,
    league_reason,
    play_source_label,
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
    score_shown,
    person_marks,
    line_sentence,
    stand_in_sentence,
    season_state,
    changed_sentence,
    close_cause_label,
    play_day_label,
    play_mark_label,
    uncounted_labels,
    play_origin,
)


def role_word(role: Role) -> str:
    return say(ROLES[role][0])


def role_list(roles: tuple[Role, ...]) -> str:
    added = [role_word(role) for role in roles if role != "member"]
    return join_words(added) if added else role_word("member")
