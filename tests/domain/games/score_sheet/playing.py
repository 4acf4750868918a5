"""Tables and random definitions for the tests of score sheets."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from daybook.domain.games.score_sheet import SCORE_SHEET
from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.moves import Enter
from daybook.domain.kernel.sheet import Sheet, overridden, parse
from daybook.domain.kernel.terms import Decision, Seat
from daybook.services.store.sheetfile import read_sheet_file
from tests.domain.games.moves import Moves

FOLDER = Path(__file__).parents[4] / "domain/games/score_sheet"
SHEET = parse("score_sheet", (FOLDER / "sheet.toml").read_text("utf-8"))
READY = {file.stem: file for file in sorted((FOLDER / "sheets").glob("*.toml"))}

MOVES = Moves(SCORE_SHEET)
play, after, effects_after, refusal = MOVES.play, MOVES.after, MOVES.effects_after, MOVES.refusal
broken, with_values = MOVES.broken, MOVES.with_values


def sheet_with(**fields: Any) -> Sheet:
    """The sheet that comes with it, with these: game_most=4, score_lines=[...]."""
    return overridden(SHEET, {path.replace("_", ".", 1): value for path, value in fields.items()})


def ready_sheet(name: str) -> Sheet:
    read = read_sheet_file(SHEET, READY[name].read_bytes())
    assert read.wrong == []
    return overridden(SHEET, read.overrides, read.name)


def opened(sheet: Sheet, seats: int) -> Board:
    return SCORE_SHEET.opening_board(SCORE_SHEET.table(SCORE_SHEET.colours(sheet)[:seats], {}, sheet))


def board(seats: int = 3, **fields: Any) -> Board:
    return opened(sheet_with(**fields), seats)


def column(seat: Seat, **figures: int) -> list[tuple[Seat, Decision]]:
    """Return a player's entries by the keys of lines."""
    return [(seat, Enter(line, value)) for line, value in figures.items()]


def totals(b: Board) -> list[int]:
    return [score.total for score in SCORE_SHEET.scoring.standing(b)]


def ranks(b: Board) -> tuple[int, ...]:
    outcome = SCORE_SHEET.scoring.outcome(b)
    assert outcome is not None
    return outcome.ranks


# --- definitions by chance ---

NAMES = ("Eggs", "황금 알", "Длинная дорога", "αλφα", "مدن", "Longest road", "7 wonders", "Été", "鳥", "max")


def any_line(chance: Random, name: str, expansions: list[str]) -> dict[str, Any]:
    kind = chance.choice(("number", "times", "choice", "yes", "minus"))
    line: dict[str, Any] = {"name": name, "kind": kind, "each": chance.choice((0, 1, 2, 7))}
    if kind == "choice":
        line["values"] = chance.sample(range(-9, 30), chance.randint(1, 4))
    if chance.random() < 0.3:
        line |= {"least": 0, "most": chance.randint(0, 20)}
    if chance.random() < 0.2:
        line["once"] = True
    return line | ({"expansion": chance.choice(expansions)} if expansions and chance.random() < 0.4 else {})


def any_formula(chance: Random, keys: list[str], depth: int = 0) -> str:
    if depth > 2 or chance.random() < 0.4:
        return chance.choice([*keys, str(chance.randint(0, 9)), "sum"])
    one, other = (any_formula(chance, keys, depth + 1) for _ in range(2))
    return chance.choice(
        (
            f"if({one} < {other}, {one}, 2)",
            f"{one} / tied({other})",
            f"all({one}) - most({other})",
            f"({one} + {other})",
            f"({one} - {other})",
            f"-{one}",
            f"{one} * 3",
            f"({one}) / 7",
            f"max({one}, {other}, 2)",
        )
    )


def any_definition(chance: Random) -> dict[str, Any]:
    """The fields of one definition; a few are of games that cannot be."""
    expansions = ["Rivers", "Щит"][: chance.randint(0, 2)]
    names = chance.sample(NAMES, chance.randint(0, 5))
    lines = [any_line(chance, name, expansions) for name in names]
    keys = [name.casefold().replace(" ", "_") for name in names]
    by_round = [key for key, line in zip(keys, lines, strict=True) if not line.get("once")]
    if by_round and chance.random() < 0.4:
        lines.append({"name": "Cleverness", "kind": "formula", "formula": any_formula(chance, [*by_round, "round"])})
    fewest = chance.randint(1, 4)
    count = chance.choice(("end", "rounds", "open", "target", "places"))
    return {
        "game_fewest": fewest,
        "game_most": chance.randint(fewest, 20),
        "game_teams": chance.choice((0, 0, 0, 2, 3)),
        "game_dealer": chance.random() < 0.3,
        "game_roles": ["Medic", "Boss"][: chance.randint(0, 2)],
        "game_expansions": expansions,
        "score_wins": chance.choice(("most", "most", "least", "last", "together")),
        "score_count": count,
        "score_number": chance.randint(1, 30) * (chance.choice((1, 1, -1)) if count == "target" else 1),
        "score_lines": [] if count == "places" else lines,
        "score_total": any_formula(chance, by_round)
        if by_round and count != "places" and chance.random() < 0.5
        else "",
        "score_ties": [] if count == "places" else [chance.choice(("", "-")) + name for name in names[:2]],
    }
