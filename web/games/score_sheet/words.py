"""The vocabulary of a score sheet. What lines, roles and expansions are called is its definition's to say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from daybook.domain.games.score_sheet import moves
from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.definition import TOTAL, Line
from daybook.domain.games.score_sheet.formula import ALL, ENTERED, names_in
from daybook.domain.games.score_sheet.scoring import results
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.terms import Decision, ScoreLine, Seat
from daybook.web.games.score_sheet.grid import figure_at, grid
from daybook.web.games.score_sheet.names import BUILT_IN_NAMES, translated_name
from daybook.web.games.score_sheet.working import working_of
from daybook.web.words import plain
from daybook.web.words.decision_words import AT_ONCE, FOR_ALL, DecisionWords, decides
from daybook.web.words.game_words import (
    BoardWords,
    Choosing,
    CountedLine,
    GameWords,
    LedgerWords,
    LineOfRound,
    MarkWords,
    ScoreWords,
    SeatWords,
)
from daybook.web.words.say import N_, Names, Texts, number, say, says, sentences
from daybook.web.words.sheets import key_title
from daybook.web.words.typed import with_decimal_points

FIGURE = re.compile(r"-?[0-9]{1,7}(?:\.5)?")  # as it is typed
FIGURES_IN_ORDER = re.compile(r"(.+?)\s*[\s:]\s*((?:[-−]?\d+(?:\.5|½)?[\s,]+)+[-−]?\d+(?:\.5|½)?)")  # Bid: 1 0 2
BETWEEN_FIGURES = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+그리고\s+", re.IGNORECASE)
FIGURE_IN_TEXT = re.compile(r"[-−]?\d+(?:\.5|½)?|½")
PLAYER_AND_FIGURE = re.compile(r"(.+?)[\s:,]+([-−]?\d*(?:\.5|½)?)")
MIN_LETTERS_OF_MISSPELT = 3  # of a name
MISSPELT_LIKENESS = 0.7
COLOURS: Texts = {
    **plain.COLOURS,
    "purple": "purple",
    "orange": "orange",
    "brown": "brown",
    "grey": "grey",
    "pink": "pink",
    "teal": "teal",
    "navy": "navy",
    "maroon": "maroon",
    "olive": "olive",
    "lime": "lime",
    "cyan": "cyan",
    "violet": "violet",
    "gold": "gold",
    "silver": "silver",
}


def value(field: str, item: Any, names: Names) -> str:
    if field == "placed":
        return say("last") if item == 0 else say("by the figures") if item < 0 else say("place {place}", place=item)
    if field == "team":
        return team_name(item)
    if field == "players" and isinstance(item, int):
        return plain.value("seat", item, names)
    if field == "rounds" and isinstance(item, str):  # of a place on the board, which counts from 0
        return str(int(item) + 1)
    if field == "*":  # the line of such a place, by its key
        return translated_name(key_title(item))
    if isinstance(item, str):
        return say(COLOURS[item]) if item in COLOURS else translated_name(item)
    if isinstance(item, list | tuple):
        return ", ".join(value(field, part, names) for part in item)
    return plain.value(field, item, names)


def place_sentence(board: Board, path: str, names: Names) -> str | None:
    """Name a cell by its player and line; None if this sheet lacks it."""
    definition = board.definition
    match path.split("/")[1:]:
        case ["players" | "lines", seat, *_] if not is_below(seat, board.seats):
            return ""
        case ["players", _, "rounds", round, _] if not is_below(round, board.round):
            return ""
        case ["players", seat, "rounds", round, key]:
            if key not in {line.key for line in board.lines}:
                return ""
            line = translated_name(definition.lines[key].name)
            if not definition.by_rounds:
                return say("{name}: {line}", name=names[int(seat)], line=line)
            return say("{k0}: {k2}, round {k1}", k0=names[int(seat)], k1=int(round) + 1, k2=line)
        case ["lines", seat, round, key]:  # a calculated line, which the board does not hold
            return _calculated_place(board, seat, round, key, names)
        case ["players", seat, "once", key]:
            if key not in {line.key for line in board.lines}:
                return ""
            return say("{name}: {line}", name=names[int(seat)], line=translated_name(definition.lines[key].name))
        case ["players", seat, "joined_with"] if not board.players[int(seat)].joined_with:
            return ""
        case ["players", seat, "role"] if not definition.game_roles and not board.players[int(seat)].role:
            return ""
        case ["players", seat, "team"] if not board.may_have_teams and not board.players[int(seat)].team:
            return ""
        case ["players", seat, "out"] if definition.score_wins != "last" and not board.players[int(seat)].out:
            return ""
        case ["expansions"] if not definition.game_expansions:
            return ""
    return None


def _calculated_place(board: Board, seat: str, played: str, key: str, names: Names) -> str:
    """Name a cell of a calculated line; round 0 is of a line that is counted once. "" if this sheet lacks the cell."""
    found = [line for line in board.lines if line.key == key and not line.is_entered]
    if not (found and is_below(seat, board.seats) and is_below(played, board.round + 1)):
        return ""
    name, line = names[int(seat)], translated_name(found[0].name)
    if board.definition.is_once(found[0]) != (played == "0"):
        return ""
    if played == "0" or not board.definition.by_rounds:
        return say("{name}: {line}", name=name, line=line)
    return say("{k0}: {k2}, round {k1}", k0=name, k1=int(played), k2=line)


def is_below(text: str, end: int) -> bool:
    return text.isdecimal() and len(text) < 6 and int(text) < end


def count_line(board: Board, keys: Sequence[str]) -> tuple[str, str] | None:
    """Return the round and the line of a cell; the round is empty for a line that is counted once."""
    definition = board.definition
    match keys:
        case ["rounds", at, key]:
            group = say("round {n}", n=int(at) + 1) if definition.by_rounds else ""
        case ["once", key]:
            group = ""
        case _:
            return None
    line = definition.lines[key]
    name = translated_name(line.name)
    return group, f"{name} (1: {say('yes')}, 0: {say('no')})" if line.kind == "yes" else name


def team_name(team: int) -> str:
    return say("Team {team}", team=team) if team else say("For oneself")


def leave_sentence(d: moves.Leave, names: Names) -> str:
    if d.placed == 0:
        return say("Leaves early")
    if d.placed < 0:
        return say("Leaves early, the figures count")
    return say("Leaves early, place {place} as agreed", place=d.placed)


def left_sentence(e: moves.LeftEarly, names: Names) -> str:
    if e.placed == 0:
        return say("{seat} leaves early and is placed behind all who stay", seat=names[e.seat])
    if e.placed < 0:
        return say("{seat} leaves early and is placed by the figures", seat=names[e.seat])
    return say("{seat} leaves early and has place {place} as agreed", seat=names[e.seat], place=e.placed)


def join_sentence(d: moves.Join, names: Names) -> str:
    return say("Joins with {points} points", points=d.points) if d.points else say("Joins")


def joined_sentence(e: moves.Joined, names: Names) -> str:
    if e.points:
        return say(
            "{seat} joins in round {round} with {points} points", seat=names[e.seat], round=e.round, points=e.points
        )
    return say("{seat} joins in round {round}", seat=names[e.seat], round=e.round)


def join_typed(board: Board, typed: Sequence[str], names: Names) -> Iterator[moves.Join]:
    """Yield joining without points, and with each typed number of points."""
    for points in (0, *sorted(figures_typed(typed) - {0})):
        yield moves.Join(points)


def calculated_sentence(line: Mapping[str, Any], names: Names) -> str:
    return translated_name(line["name"])


def line_sentence(line: Mapping[str, Any], names: Names) -> str:
    """Describe a line of the sheet, with its factor."""
    if line["amount"] == line["figure"]:
        return translated_name(line["name"])
    return say("{name}: {figure}", name=translated_name(line["name"]), figure=number(line["figure"]))


def line_counts(board: Board, line: ScoreLine) -> bool:
    """Check if a line can count; a bid, for example, is only read by the line that is calculated from it."""
    found = [item for item in board.lines if item.name == line.figures.get("name")]
    return not (line.name == "line" and found and found[0].counts_between == (0, 0))


def rounds_of_line(board: Board, seat: Seat, line: ScoreLine) -> list[LineOfRound]:
    """Return what a calculated line counts in each round, with the player's figures; empty if it counts once."""
    definition, tally = board.definition, board.so_far().tally()
    keys = {item.key for item in board.lines if item.name == line.figures.get("name")}
    if line.rule != "SC-2.10" or any(definition.is_once(definition.lines[key]) for key in keys):
        return []
    counted, key = list[LineOfRound](), next(iter(keys), TOTAL)
    for at in range(board.round):
        is_played = at + 1 < board.round or board.ended is not None
        texts = figure_texts(board, seat, at)
        if is_played or (TOTAL not in tally.waiting[seat] and texts):
            points = tally.rounds[at][seat] if key == TOTAL else tally.round_lines[at][seat][key]
            counted.append(LineOfRound(at + 1, ", ".join(texts), points, working_of(board, seat, key, at, points)))
    return counted


def counted_lines(board: Board, seat: Seat, decision: Decision, names: Names) -> list[CountedLine]:
    """Return what the calculated lines count in the round of an entered or cleared figure, each with its formula."""
    if not isinstance(decision, moves.Enter | moves.Clear):
        return []
    at = -1 if decision.line in board.definition.keys_once else (decision.round or board.round) - 1
    return counted_with(board.so_far(), seat, decision.line, at, names)


def counted_at(board: Board, path: str, names: Names) -> list[CountedLine]:
    """Return how a cell of the sheet counts: a calculated line's working, or the lines that read an entered figure."""
    match path.split("/")[1:]:
        case [_, seat, *_] if not is_below(seat, board.seats):
            return []
        case ["players", _, "rounds", played, _] if not is_below(played, board.round):
            return []  # the round has not begun
        case ["lines", _, played, _] if not is_below(played, board.round + 1):
            return []
        case ["players", seat, "rounds", played, key]:
            return counted_with(board.so_far(), int(seat), key, int(played), names)
        case ["players", seat, "once", key]:
            return counted_with(board.so_far(), int(seat), key, -1, names)
        case ["lines", seat, played, key]:
            board = board.so_far()
            at = int(played) - 1
            points = board.tally().lines[int(seat)][key] if at < 0 else board.tally().round_lines[at][int(seat)][key]
            return [counted_line(board, int(seat), key, at, side_figures(board, int(seat), at, names), points)]
    return []


def side_figures(board: Board, seat: Seat, at: int, names: Names) -> str:
    """Return the figures of a player, or of partners, in a round counted from 0; -1: those that are counted once."""
    side, is_once = board.side(seat) if board.has_partners else [seat], at < 0
    texts = [", ".join(figure_texts(board, other, max(at, 0), is_once)) or "–" for other in side]
    if len(side) > 1:
        texts = [say("{name}: {line}", name=names[other], line=text) for other, text in zip(side, texts, strict=True)]
    return "; ".join(texts)


def counted_with(board: Board, seat: Seat, key: str, at: int, names: Names) -> list[CountedLine]:
    """Return what the calculated lines count that a figure changes, in its round counted from 0; -1: counted once."""
    definition, tally, is_once = board.definition, board.tally(), at < 0
    figures = side_figures(board, seat, at, names)
    counted, read = list[CountedLine](), {key, ALL}
    for line in board.lines:
        if line.is_entered or definition.is_once(line) != is_once:
            continue
        if read.isdisjoint(name.removeprefix(ENTERED) for name in names_in(definition.formulas[line.key])):
            continue  # the figure does not change it
        read.add(line.key)
        points = tally.lines[seat][line.key] if is_once else tally.round_lines[at][seat][line.key]
        counted.append(counted_line(board, seat, line.key, at, figures, points))
    if definition.formula is not None and not is_once:
        counted.append(counted_line(board, seat, TOTAL, at, figures, tally.rounds[at][seat]))
    return counted


def counted_line(board: Board, seat: Seat, key: str, at: int, figures: str, points: Points) -> CountedLine:
    """Build a calculated line, or a round's total, with its working, or that it lacks a figure."""
    definition = board.definition
    total = say("This round") if definition.by_rounds else say("Total")
    name = translated_name(definition.lines[key].name) if key != TOTAL else total
    formula = definition.lines[key].formula if key != TOTAL else definition.score_total
    if at + 1 in (0, board.round) and key in board.tally().waiting[seat]:
        return CountedLine(name, formula, figures, None, say("It counts when its other figures are entered."))
    return CountedLine(name, formula, figures, points, working_of(board, seat, key, at, points))


def formula_of_line(board: Board, line: ScoreLine) -> str:
    """Return the formula of a calculated line, as its definition has it; the total's is in its name."""
    return next((item.formula for item in board.lines if item.name == line.figures.get("name")), "")


def figure_texts(board: Board, seat: Seat, at: int, once: bool = False) -> list[str]:
    """Return the figures of a player in a round, counted from 0: "Bid 3". once: those that are counted once."""
    figures = board.players[seat].once if once else board.players[seat].rounds[at]
    return [
        say("{line} {value}", line=translated_name(item.name), value=number(value))
        for item in board.lines
        if (value := figures.get(item.key)) is not None
    ]


def entered_sentence(e: moves.Entered, names: Names) -> str:
    if e.counts in (e.value, 0):  # a line that a calculated one reads counts nothing itself
        return say("{seat}: {name} {value}", seat=names[e.seat], name=translated_name(e.name), value=number(e.value))
    return say(
        "{seat}: {name} {value} for {counts}",
        seat=names[e.seat],
        name=translated_name(e.name),
        value=number(e.value),
        counts=number(e.counts),
    )


def changed_sentence(e: moves.Changed, names: Names) -> str:
    return say(
        "{seat}: {name} {value}, was {was}",
        seat=names[e.seat],
        name=translated_name(e.name),
        value=number(e.value),
        was=number(e.was),
    )


def cleared_sentence(e: moves.Cleared, names: Names) -> str:
    return say(
        "{seat}: {name} is empty again, was {was}", seat=names[e.seat], name=translated_name(e.name), was=number(e.was)
    )


def ended_sentence(e: moves.GameEnded, names: Names) -> str:
    if e.won is not None:
        return say("The game ends: it is won together") if e.won else say("The game ends: it is lost together")
    match e.why:
        case "rounds":
            return say("The game ends with the last round")
        case "target":
            return say("The game ends: a player has reached the target")
        case "last":
            return say("The game ends: one player is left")
    return say("The game ends")


def team_sentence(d: moves.TakeTeam, names: Names) -> str:
    return team_name(d.team)


def team_taken_sentence(e: moves.TeamTaken, names: Names) -> str:
    if not e.team:
        return say("{seat} plays alone", seat=names[e.seat])
    return say("{seat} plays for team {team}", seat=names[e.seat], team=e.team)


def use_sentence(d: moves.Use | moves.ExpansionUsed, names: Names) -> str:
    text = N_("With {expansion}" if d.used else "Without {expansion}")
    return say(text, expansion=translated_name(d.expansion))


def end_sentence(d: moves.EndGame, names: Names) -> str:
    if d.won is None:
        return say("End the game")
    return say("We have won") if d.won else say("We have lost")


def enter_sentence(d: moves.Enter, names: Names) -> str:
    text = N_("{line}: {value}, round {round}" if d.round else "{line}: {value}")
    return say(text, line=translated_name(key_title(d.line)), value=d.value, round=d.round)


def clear_sentence(d: moves.Clear, names: Names) -> str:
    text = N_("Clear {line}, round {round}" if d.round else "Clear {line}")
    return say(text, line=translated_name(key_title(d.line)), round=d.round)


def entered_otherwise(board: Board, seat: Seat, d: moves.Enter) -> list[str]:
    """Return the spoken form of a line that is reached or not, without a figure."""
    name, line = translated_name(key_title(d.line)), board.definition.lines[d.line]
    if line.kind != "yes" or d.round:
        return []
    yes = [name, say("{line}: {value}", line=name, value=say("yes"))]
    return yes if d.value else [say("{line}: {value}", line=name, value=say("no"))]


def enter_typed(board: Board, typed: Sequence[str], names: Names) -> Iterator[moves.Enter]:
    """Yield each typed number in each line, of the current or a named round."""
    for line in board.lines:
        for figure in sorted(figures_typed(typed)) if line.is_entered else ():
            for round_number in rounds_of(board, line, typed):
                yield moves.Enter(line.key, figure, round_number)


def in_full(board: Board, text: str, names: Names) -> str:
    """Return a text with decimal points, its round at the end, its player as spelled, and the only line of a sheet."""
    text = with_name(with_round_last(board, with_decimal_points(text)), names)
    lines = [line for line in board.lines if line.is_entered]
    alone = PLAYER_AND_FIGURE.fullmatch(text.strip())
    if len(lines) != 1 or alone is None or alone[1].casefold() not in [name.casefold() for name in names]:
        return text
    return f"{alone[1]}: {translated_name(lines[0].name)} {alone[2]}"


def round_named_first(board: Board, text: str) -> tuple[int, str]:
    """Return the round that begins a text, and the rest: "round 1: Anna Bid 2"; 0 for none."""
    called = {"round", say("round {n}", n="").strip()} if board.definition.by_rounds else set[str]()
    for word in called:
        named = re.match(
            rf"\s*(?:{re.escape(word)}\s*(\d{{1,2}})|(\d{{1,2}})\s*{re.escape(word)})\s*[:,]\s*", text, re.IGNORECASE
        )
        if named is not None and int(named[1] or named[2]) and text[named.end() :].strip():
            return int(named[1] or named[2]), text[named.end() :]
    return 0, text


def with_round_last(board: Board, text: str) -> str:
    """Return a text with the round at its end, as sentences have it; the newest round goes without saying."""
    number, rest = round_named_first(board, text)
    return f"{rest}, {say('round {n}', n=number)}" if number not in (0, board.round) else rest


def with_name(text: str, names: Names) -> str:
    """Return a text that begins with a player's name where it begins with a misspelt one before a colon."""
    begins, colon, rest = text.partition(":")
    by_key = {name.casefold(): name for name in names}
    typed = begins.strip().casefold()
    if not colon or len(typed) < MIN_LETTERS_OF_MISSPELT or typed in by_key:
        return text
    near = get_close_matches(typed, by_key, 2, MISSPELT_LIKENESS)
    return f"{by_key[near[0]]}:{rest}" if len(near) == 1 else text


def figures_in_order(board: Board, text: str, names: Names) -> list[str]:
    """Return a text for each figure of "Bid: 1 0 2 0", by the columns, or of "Anna: 1 2" or "Anna bid 1, tricks 2"."""
    number, rest = round_named_first(board, with_decimal_points(text))
    typed = FIGURES_IN_ORDER.fullmatch(rest.strip())
    if typed is None or number > board.round:
        return figures_with_lines(board, text, names)
    number = number or board.round
    figures = re.split(r"[\s,]+", typed[2])
    begins = f"{say('round {n}', n=number)}: " if number < board.round else ""
    once = board.definition.keys_once
    lines = [line for line in board.lines if line.is_entered and line.key not in once]
    seats = [seat for seat, player in enumerate(board.players) if number not in player.missed and not player.out]
    here = [seat for seat in seats if not board.players[seat].away]
    called = typed[1].strip().casefold()
    for line in board.lines:
        if line.is_entered and called in (line.name.casefold(), translated_name(line.name).casefold()):
            players = here if len(figures) == len(here) else seats
            if len(figures) == len(players):
                name = translated_name(line.name)
                return [
                    f"{begins}{names[seat]}: {name} {figure}"
                    for seat, figure in zip(players, figures, strict=True)
                    if figure_at(board, seat, line, number) not in figures_typed([figure])
                ] or [text]
    player = next((name for name in names if name.casefold() == called), "")
    if player and len(figures) == len(lines) > 1:
        return [
            f"{begins}{player}: {translated_name(line.name)} {figure}"
            for line, figure in zip(lines, figures, strict=True)
        ]
    return [text]


def figures_with_lines(board: Board, text: str, names: Names) -> list[str]:
    """Return a text for each figure of "Anna hens 4, broken eggs 1": players' lines, each with its figure."""
    number, rest = round_named_first(board, with_decimal_points(text))
    begins = f"{say('round {n}', n=number)}: " if number else ""
    lines = {name.casefold() for line in board.lines for name in (line.name, translated_name(line.name))}
    player, texts, called = "", list[str](), list[str]()
    for part in BETWEEN_FIGURES.split(rest.strip()):
        named = next((name for name in names if re.match(rf"{re.escape(name)}(?!\w)", part, re.IGNORECASE)), "")
        player, figure = named or player, part[len(named) :].strip(" :")
        if not player or len(FIGURE_IN_TEXT.findall(figure)) != 1:
            return [text]
        texts.append(f"{begins}{player}: {figure}")
        called.append(" ".join(FIGURE_IN_TEXT.sub(" ", figure).strip(" :").casefold().split()))
    if len(texts) == 1 or say("round {n}", n="").strip().casefold() in called:
        return [text]
    return texts if any(get_close_matches(name, lines, 1, MISSPELT_LIKENESS) for name in called) else [text]


def clear_typed(board: Board, typed: Sequence[str], names: Names) -> Iterator[moves.Clear]:
    """Yield each line, of the current or a named round."""
    for line in board.lines:
        for round_number in rounds_of(board, line, typed) if line.is_entered else ():
            yield moves.Clear(line.key, round_number)


def rounds_of(board: Board, line: Line, typed: Sequence[str]) -> list[int]:
    """Return the rounds in which a typed figure of a line may be; 0: the current one."""
    return [0] if board.definition.is_once(line) else [0, *rounds_typed(board, typed)]


def figures_typed(typed: Sequence[str]) -> set[Points]:
    return {as_points(float(text)) for text in typed if FIGURE.fullmatch(text)}


def rounds_typed(board: Board, typed: Sequence[str]) -> list[int]:
    """Return the rounds that a text names. A figure is not the number of a round unless the text has the word."""
    word = say("round {n}", n="").strip().casefold()
    is_named = board.definition.by_rounds and any(word in part.casefold() for part in typed)
    rounds = range(1, board.round + 1) if is_named else ()
    return [played for played in rounds if played in figures_typed(typed)]


def prompt(board: Board, seat: Seat, names: Names) -> str:
    if board.definition.by_rounds:
        return say("{game}, round {round}", game=translated_name(board.definition.game_name), round=board.round)
    return translated_name(board.definition.game_name)


def ends_soon(board: Board, names: Names) -> tuple[str, str] | None:
    """Announce the last round; of a game up to a target, as soon as the best round so far would reach it."""
    definition = board.definition
    left = board.rounds_in_all - board.round
    if definition.score_count == "rounds" and left <= 1:
        return (say("The next round is the last") if left else say("This round is the last")), "SC-6.2"
    if definition.score_count != "target":
        return None
    sign = 1 if definition.score_number > 0 else -1  # of a target below 0, the lowest score is the best
    board = board.so_far()
    scores = [sign * score for score in results(board)]
    best = max(scores)
    if best + max(sign * points for seat in range(board.seats) for points in board.round_totals(seat)) < abs(
        definition.score_number
    ):
        return None
    text = say(
        "Each round may be the last: {name} has {n} of {target}",
        name=names[scores.index(best)],
        n=number(sign * best),
        target=number(definition.score_number),
    )
    return text, "SC-6.3"


WORDS = GameWords(
    title="Any game",
    value=value,
    seat_fields=frozenset({"seat", "players"}),
    alike=(
        "enter = write = say = note = only = score = get = make = correct = correct to = change to = points = total",
        "clear = empty = erase = delete = remove = wipe = rub out",
        "end the game = finish = end of the game = game over = that is all = that’s all = done = final scoring",
        "end the round = end of round = round over = next round = end of the round",
        "expansion = with expansion",
        "began = began the game = began game = started = starts = was start player = was starting player = was first = start player = starting player = goes first = begins",
        "out of the game = is out = drops out = eliminated",
        "leaves early = leaves = goes home = left early = leave early = has to go",
        "comes later = is late = not here yet",
        "joins = is here = arrives = is back = comes back",
        "is ahead = wins the tie = is ahead of those with the same result",
        "we have won = won = we won = we win = win = victory",
        "we have lost = lost = we lost = we lose = defeat",
    ),
    decisions=DecisionWords(
        (
            decides(
                moves.Enter,
                "Enter a figure",
                enter_sentence,
                how=AT_ONCE,
                typed=enter_typed,
                also=entered_otherwise,
                line=N_("Which line?"),
                value=N_("Which figure?"),
                round=N_("In which round? 0 for this one"),
            ),
            decides(
                moves.Clear,
                "Clear a figure",
                clear_sentence,
                how=AT_ONCE,
                typed=clear_typed,
                line=N_("Which line?"),
                round=N_("In which round? 0 for this one"),
            ),
            decides(moves.EndRound, "End the round", how=FOR_ALL),
            decides(moves.EndGame, "End the game", end_sentence, how=FOR_ALL, won=N_("Won?")),
            decides(moves.GoOut, "Out of the game"),
            decides(moves.SayStart, "Who began", "{seat} began", how=AT_ONCE | FOR_ALL, seat=N_("Who began?")),
            decides(moves.TakeRole, "Role", "{role}", how=AT_ONCE, role=N_("Which role?")),
            decides(moves.TakeTeam, "Team", team_sentence, how=AT_ONCE, team=N_("Which team?")),
            decides(moves.Leave, "Leaves early", leave_sentence, placed=N_("Placed where?")),
            decides(moves.ComeLater, "Comes later", how=AT_ONCE),
            decides(
                moves.Join,
                "Joins",
                join_sentence,
                how=AT_ONCE,
                typed=join_typed,
                points=N_("With how many points, as agreed?"),
            ),
            decides(
                moves.SettleTie,
                "Decide a tie",
                "{seat} is ahead",
                how=FOR_ALL,
                seat=N_("Who is ahead of those with the same result?"),
            ),
            decides(
                moves.Use,
                "Expansion",
                use_sentence,
                how=AT_ONCE | FOR_ALL,
                expansion=N_("Which expansion?"),
                used=N_("Is it used?"),
            ),
        )
    ),
    effects=sentences(
        says(moves.Entered, entered_sentence),
        says(moves.Changed, changed_sentence),
        says(moves.Cleared, cleared_sentence),
        says(moves.RoundEnded, "Round {round} is over"),
        says(moves.GameEnded, ended_sentence),
        says(moves.WentOut, "{seat} is out"),
        says(moves.LeftEarly, left_sentence),
        says(moves.ComesLater, "{seat} comes later"),
        says(moves.Joined, joined_sentence),
        says(moves.TieSettled, "{seat} is ahead of those with the same result"),
        says(moves.RoleTaken, "{seat} is {role}"),
        says(moves.TeamTaken, team_taken_sentence),
        says(moves.StartSaid, "{seat} began"),
        says(moves.ExpansionUsed, use_sentence),
    ),
    seat=SeatWords(prompt=prompt),
    choosing=Choosing(grid=grid, in_full=in_full, apart=figures_in_order),
    ledger=LedgerWords(
        columns=N_({"entered": "Lines entered", "score": "Points"}), shown=("score",), at_hand=("score",)
    ),
    marks=MarkWords(
        labels={"round": N_("round {n}"), "sheet": lambda n: say("counted at the end")}, ends_soon=ends_soon
    ),
    score=ScoreWords(
        lines=N_(
            {
                "line": line_sentence,
                "total": "the formula {formula}",
                "formula": calculated_sentence,
                "joined": "points agreed on joining",
                "team": "the others of team {team}",
            }
        ),
        tiebreaks={**BUILT_IN_NAMES, **N_({"settled": "the table’s decision"})},
        unranked=N_("did not come"),
        counts=line_counts,
        rounds=rounds_of_line,
        formula=formula_of_line,
        counted=counted_lines,
        counted_at=counted_at,
        in_period=lambda board, seat, period: ", ".join(figure_texts(board, seat, period - 1)),
        moved_by=(moves.Entered, moves.Changed, moves.Cleared, moves.TeamTaken, moves.Joined),
    ),
    board=BoardWords(
        paths=N_(
            {
                "/players/*/rounds/*/*": "{k0}: {k2}, round {k1}",
                "/players/*/once/*": "{k0}: {k1}",
                "/players/*/joined_with": "{k0}: points agreed on joining",
                "/players/*/out": "{k0}: out as",
                "/players/*/role": "{k0}: role",
                "/players/*/team": "{k0}: team",
                "/start": "Who began",
                "/totals/@": "{k0}: total",
                "/teams/@": "{k0}: team total",
                "/expansions": "Expansions",
            }
        ),
        called=place_sentence,
        count_line=count_line,
        seat_paths=("/start",),
    ),
)
