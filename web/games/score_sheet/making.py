"""The form that makes a definition in two minutes, and how three invented players would score by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from daybook.domain.games.score_sheet.definition import FORMULA_LINE, MOST_ROUNDS, read_definition, seats_of
from daybook.domain.games.score_sheet.moves import Enter
from daybook.domain.games.score_sheet.rules import SCORE_SHEET
from daybook.domain.games.score_sheet.scoring import places, totals
from daybook.domain.kernel.points import is_points
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.league.scores import read_score
from daybook.web.games.score_sheet.grid import grid
from daybook.web.words.game_pages import LINE_NAME, SheetMaker
from daybook.web.words.game_words import Grid

INVENTED = ("Ada", "Bo", "Cy")
WORDS = {
    "name": "game.name",
    "wins": "score.wins",
    "count": "score.count",
    "total": "score.total",
    "rounds": "score.rounds",
}
NUMBERS = {"fewest": "game.fewest", "most": "game.most", "number": "score.number", "teams": "game.teams"}
LISTS = {"roles": "game.roles", "expansions": "game.expansions", "ties": "score.ties"}
BOXES = {"dealer": "game.dealer", "halves": "score.halves"}
YES = "True"  # of a box that is checked
LINE_DEFAULTS = {"each": 1, "least": None, "most": None}  # of a line's numbers


class Preview(NamedTuple):
    """A round as invented players would fill it in. places: as it stands."""

    names: tuple[str, ...]
    grid: Grid
    places: tuple[int, ...]


def number_or_text(text: str) -> Any:
    """Parse a number; an invalid text is returned for the rules to refuse."""
    text = text.strip()
    score = read_score(text)
    return score if is_points(score) else text


def list_of(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split(",") if part.strip()]


def read(form: Mapping[str, str]) -> dict[str, Any]:
    """Parse the form's fields to values by path."""
    found: dict[str, Any] = {path: " ".join(form[name].split()) for name, path in WORDS.items() if name in form}
    found |= {path: number_or_text(form[name]) for name, path in NUMBERS.items() if form.get(name, "").strip()}
    found |= {path: list_of(form[name]) for name, path in LISTS.items() if name in form}
    places = sorted({int(name.split(".")[1]) for name in form if LINE_NAME.fullmatch(name)})
    lines = [line for place in places if (line := read_line(form, f"line.{place}."))]
    return found | {path: form.get(name) == YES for name, path in BOXES.items()} | {"score.lines": lines}


def read_line(form: Mapping[str, str], at: str) -> dict[str, Any]:
    """Read a line of the form; return nothing for a line without a name."""
    name = " ".join(form.get(f"{at}name", "").split())
    if not name:
        return {}
    line: dict[str, Any] = {"name": name, "kind": form.get(f"{at}kind", "number")}
    line |= {key: number_or_text(form[at + key]) for key in LINE_DEFAULTS if form.get(at + key, "").strip()}
    worth = line.get("each", 1)
    if line["kind"] == "number" and is_points(worth) and worth != 1:
        line["kind"] = "times"  # a number is worth itself
    if line["kind"] == "minus" and is_points(worth) and worth < 0:
        line["each"] = -worth  # "taken off" already says the sign
    if line["kind"] == "choice":
        line["values"] = [number_or_text(part) for part in list_of(form.get(f"{at}values", ""))]
    if line["kind"] == "formula":
        line["formula"] = " ".join(form.get(f"{at}formula", "").split())
    if altogether := " ".join(form.get(f"{at}altogether", "").split()):
        line["altogether"] = altogether
    if form.get(f"{at}once") == YES:
        line["once"] = True
    if expansion := " ".join(form.get(f"{at}expansion", "").split()):
        line["expansion"] = expansion
    return line


def fields(printed: Sheet) -> dict[str, str]:
    """Return the form's fields for a sheet."""
    found = {name: str(printed[path]) for name, path in (WORDS | NUMBERS | BOXES).items()}
    found |= {name: ", ".join(printed[path]) for name, path in LISTS.items()}
    for place, line in enumerate(printed["score.lines"]):
        values = line | {"values": ", ".join(map(str, line.get("values", ())))}
        found |= {f"line.{place}.{key}": str(value) for key, value in values.items() if value is not None}
    return found


RULE_FIELDS = {
    "SC-2.1": "name",
    "SC-2.2": "fewest",
    "SC-2.3": "most",
    "SC-2.4": "roles",
    "SC-2.5": "expansions",
    "SC-2.6": "wins",
    "SC-2.7": "number",
    "SC-2.10": "total",
    "SC-2.11": "ties",
    "SC-2.12": "wins",
    "SC-2.13": "teams",
    "SC-2.14": "halves",
}  # the form's field by the rule that a definition breaks
LINE_FIELDS = {
    "no_formula": "formula",
    "needless_formula": "formula",
    "values": "values",
    "bounds": "least",
    "below_nothing": "least",
    "no_expansion": "expansion",
    "once": "once",
    "no_sum": "altogether",
}  # the field of a line by the key of the reason


def field_at_fault(form: Mapping[str, str], rule: str, figures: Mapping[str, Any]) -> str:
    """Return the name of the field that a refusal is about, or "". rule: or the path of a value."""
    paths = {path: name for name, path in (WORDS | NUMBERS | LISTS | BOXES).items()}
    key = str(figures.get("key", ""))
    line_name, _, part = str(figures.get("place", "")).partition(", ")
    name = figures.get(FORMULA_LINE) or (figures.get("name") if rule in ("SC-2.8", "SC-2.9", "SC-2.15") else line_name)
    at = next(
        (field[: -len("name")] for field in form if LINE_NAME.fullmatch(field) and form[field].strip() == name), ""
    )
    if name and at:
        field = (
            "altogether" if rule == "SC-2.15" else "formula" if FORMULA_LINE in figures else LINE_FIELDS.get(key, part)
        )
        return at + (field if field and field != "name" else "name")
    if rule == "SC-2.7" and form.get("rounds", "").strip() and key != "target":
        return "rounds"
    return RULE_FIELDS.get(rule) or paths.get(rule) or paths.get(line_name, "")


def fixed_rounds(sheet: Sheet) -> dict[int, int]:
    """Return the number of rounds by number of players; empty if it is not fixed (SC-2.7)."""
    if sheet["score.count"] != "rounds":
        return {}
    definition = read_definition(sheet)
    return {seats: definition.rounds(seats) for seats in seats_of(sheet)}


def with_rounds(rounds: int) -> dict[str, Any]:
    return {"score.number": rounds, "score.rounds": ""}


def preview(sheet: Sheet) -> Preview:
    """Build a preview. Raises IllegalDecision for an impossible definition."""
    counts = seats_of(sheet)
    seats = min(max(len(INVENTED), counts[0]), counts[-1])
    names = tuple(INVENTED[seat] if seat < len(INVENTED) else f"{seat + 1}" for seat in range(seats))
    board = SCORE_SHEET.opening_board(SCORE_SHEET.table(SCORE_SHEET.colours(sheet)[:seats], {}, sheet))
    for at, line in enumerate(line for line in board.lines if line.is_entered):
        examples = board.definition.examples(line)
        for seat in range(seats):
            value = seat + 1 if board.definition.score_count == "places" else examples[(seat + at) % len(examples)]
            board, _ = SCORE_SHEET.play(board, seat, Enter(line.key, value))
    return Preview(names, grid(board, 0), places(board) if any(totals(board)) or board.lines else ())


MAKER = SheetMaker(
    template="score_sheet_making.html",
    read=read,
    fields=fields,
    preview=preview,
    field=field_at_fault,
    rounds=fixed_rounds,
    most_rounds=MOST_ROUNDS,
    with_rounds=with_rounds,
)
