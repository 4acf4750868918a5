"""Answers of statistics as pages show them: a title, a picture, a table whose rows open their games, and its files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import msgspec
from flask import url_for
from werkzeug import Response

from daybook.domain.kernel.statistics import First, Measure, PresetQuestion
from daybook.domain.league.club import Club
from daybook.services.people import access
from daybook.services.statistics import reports
from daybook.services.statistics.figure_questions import (
    OF_PARTS,
    Question,
    Split,
    ask,
    measure_of,
    of_club,
    presets,
    question_of_preset,
)
from daybook.services.statistics.table import Row, Table, sorted_by
from daybook.services.store.kept import GameKept
from daybook.web.request.access import book, current_grant
from daybook.web.request.security import file_answer
from daybook.web.statistics.inquiry import Inquiry, names_for
from daybook.web.statistics.pictures import DrawnValue, FigurePicture, bars, curve, is_over_time
from daybook.web.words import N_, say, say_n, statistics_words
from daybook.web.words.league_words import person_name
from daybook.web.words.say import day_label
from daybook.web.words.statistics_words import Names

TYPES = {"csv": "text/csv", "json": "application/json"}
MANY = 2_000  # games of which a page does not look at each round unasked
WHO_WINS = {"place": ("seat", "person", "colour", "value"), "score": ("colour",)}  # told apart by these
NO_ORDER = ("person", "what", "colour")
OF_A_PERSON: tuple[tuple[str, tuple[Split, ...], str], ...] = (
    ("score", ("colour",), N_("Which colour suits them?")),
    ("place", ("seats", "seat"), N_("Which seat suits them?")),
    ("place", ("ruleset", "seats"), N_("Where do they finish?")))
TABLES = {
    "winners": reports.winners, "records": reports.records, "head_to_head": reports.head_to_head,
    "streaks": reports.streaks,
}


class FigureAnswer(msgspec.Struct, frozen=True):
    """title: the question; links: where each row leads, "" where it leads nowhere; csv, json, ask: addresses."""

    title: str
    table: Table
    names: Names
    ruleset: str
    links: tuple[str, ...]
    csv: str
    json: str
    ask: str = ""
    picture: FigurePicture | None = None

    def cell(self, row: Row, place: int) -> str:
        return statistics_words.cell_label(self.table, row, place, self.ruleset, self.names)

    @property
    def named(self) -> int:
        """The column that names a row: the last of what it is split by."""
        kinds = [heading.kind for heading in self.table.headings]
        return max(0, (kinds.index("count") if "count" in kinds else 1) - 1)

    def row_name(self, row: Row) -> str:
        """A row's name in full."""
        return ", ".join(self.cell(row, place) for place in range(self.named + 1))

    @property
    def amounts_of(self) -> str:
        """Of what the columns for the average, the lowest and the highest are; empty where there are none."""
        return say(self.table.says) if any(heading.key == "least" for heading in self.table.headings) else ""

    @property
    def hides(self) -> bool:
        """Whether a rate is hidden that rests on few."""
        at = [place for place, heading in enumerate(self.table.headings) if heading.kind in ("rate", "effect")]
        return any(row.cells[place] is None for row in self.table.rows for place in at)


def parts_of(question: Question) -> dict[str, Any]:
    """A question as an address has it."""
    return {"measure": question.measure, **dict(zip(("split", "then"), question.splits, strict=False))}


def answer(asked: Inquiry, question: Question, title: str = "") -> FigureAnswer:
    """The answer to a question. Raises BadQuestion."""
    table = order_rows(ask(book(), question), question)
    names = names_for(reports.people_in([table]))
    measure, parts = measure_of(question), parts_of(question)
    return FigureAnswer(
        title or say(table.says), table, names, asked.ruleset,
        tuple(asked.to("games", key=row.key or None, **parts) for row in table.rows),
        asked.to("ask_file", kind="csv", **parts), asked.to("ask_file", kind="json", **parts), asked.to("ask", **parts),
        picture(table, question, measure, names))


def order_rows(table: Table, question: Question) -> Table:
    """What has no order of its own, people, things, colours, by the figure that is drawn, the greatest first."""
    if len(question.splits) != 1 or question.splits[0] not in NO_ORDER:
        return table
    return sorted_by(table, "rate" if _asks_who_wins(question, measure_of(question)) else "mean")


def plain_title(question: Question) -> str:
    """What a question is called in plain words, if it is one of those that stand ready."""
    for preset in presets(question.filter.ruleset):
        if (preset.measure, tuple(preset.split.split())) == (question.measure, question.splits):
            return say(preset.says)
    return ""


def preset_answer(of: Inquiry, preset: PresetQuestion) -> FigureAnswer:
    return answer(of, question_of_preset(preset, of.filter), say(preset.says))


def preset_answers(of: Inquiry, ready: Iterable[PresetQuestion]) -> list[FigureAnswer]:
    """Those of these questions in plain words that the games answer."""
    found = [preset_answer(of, preset) for preset in ready]
    return [one for one in found if one.table.rows]


def split_presets(ruleset: str, games: int) -> tuple[list[PresetQuestion], list[PresetQuestion]]:
    """The questions in plain words that one page answers, and those that have a page each: of many games, those that
    look at each round or thing."""
    now, later = list[PresetQuestion](), list[PresetQuestion]()
    for preset in presets(ruleset):
        (later if games > MANY and OF_PARTS & set(preset.split.split()) else now).append(preset)
    return now, later


def named_table(of: Inquiry, name: str) -> FigureAnswer:
    """A table that is more than one question. Raises BadQuestion where several games have no such table."""
    table = TABLES[name](book(), of.filter)
    names = names_for(reports.people_in([table]))
    return FigureAnswer(
        say(table.says), table, names, of.ruleset, tuple(_row_link(of, table, row) for row in table.rows),
        of.to("table_file", name=name, kind="csv"), of.to("table_file", name=name, kind="json"))


def _row_link(of: Inquiry, table: Table, row: Row) -> str:
    match table.key:
        case "winners":
            return of.to("ask", measure=row.key, split="won")
        case "records":
            return step_link(row.game, row.step) if row.game else ""
        case "head_to_head":
            return of.to("meetings", one=row.cells[0], other=row.cells[1])
        case "streaks":
            return of.to("games", measure="place", split="person", key=row.key)
    return ""


def step_link(game: UUID, step: int | None) -> str:
    """The address of a step of a game; empty where who asks may not read it."""
    kept = book().kept.game(game)
    return url_for("replay.replay", game_id=game, step=step) if kept is not None and may_open(kept) else ""


def may_open(game: GameKept) -> bool:
    """Whether who asks may read a game."""
    return game.public or access.may_read(game, current_grant(game.id))


def file_of_table(table: Table, kind: str, name: str) -> Response:
    """A table as a file, with people's names for their ids; games that may not be read are not named in it."""
    rows = tuple(
        row if row.game is None or step_link(row.game, row.step) else msgspec.structs.replace(row, game=None, step=None)
        for row in table.rows)
    return open_table_file(msgspec.structs.replace(table, rows=rows), kind, name)


def open_table_file(table: Table, kind: str, name: str) -> Response:
    """A table of which all may be told, as a file."""
    people = reports.people_in([table])
    names = dict.fromkeys(people, "") | dict(names_for(people))
    return file_answer(table.csv(names) if kind == "csv" else table.json(names), f"{name}.{kind}", TYPES[kind])


# --- pictures --------------------------------------------------------------------------------------------------------


def picture(table: Table, question: Question, measure: Measure, names: Names) -> FigurePicture | None:
    """A picture of an answer; None where there is one figure, or none that rests on enough games."""
    if not question.splits or not table.rows:
        return None
    ruleset = question.filter.ruleset
    drawn = _rates(table, ruleset, names) if _asks_who_wins(question, measure) else _means(table, ruleset, names)
    if all(one.value is None for one in drawn):
        return None
    keys = [heading.key for heading in table.headings]
    if is_over_time(table) and sum(one.value is not None for one in drawn) > 1:
        return curve(_average_of(measure), drawn,
            lambda value: statistics_words.with_unit(value, measure.unit, ruleset))
    rates = "rate" in keys and _asks_who_wins(question, measure)
    return bars(say("Games won, of all") if rates else _average_of(measure), drawn)


def _average_of(measure: Measure) -> str:
    return say("Average: {measure}", measure=say(measure.says))


def _asks_who_wins(question: Question, measure: Measure) -> bool:
    """Whether an answer is about winning: of a result, or of a choice that stands at the beginning."""
    if measure.whole or {"won", "place"} & set(question.splits):
        return False
    by = question.splits[-1]
    return by in WHO_WINS.get(measure.key, ()) or by == "value" or (
        by == "what" and (isinstance(measure.reading, First) or measure.key.startswith("start_")))


def _row_names(table: Table, row: Row, ruleset: str, names: Names) -> tuple[str, str]:
    """The group of a row and its own name."""
    places = next(place for place, heading in enumerate(table.headings) if heading.kind == "count")
    said = [statistics_words.cell_label(table, row, place, ruleset, names) for place in range(places)]
    return (said[0] if len(said) > 1 else "", said[-1])


def _rates(table: Table, ruleset: str, names: Names) -> list[DrawnValue]:
    keys = [heading.key for heading in table.headings]
    rate, expected = keys.index("rate"), keys.index("expected")
    n_at = keys.index("with") if "with" in keys else keys.index("n")
    found = []
    for row in table.rows:
        group, says = _row_names(table, row, ruleset, names)
        share = row.cells[expected] / row.cells[n_at] if row.cells[n_at] else None
        found.append(DrawnValue(
            group, says, row.cells[rate], share, say(
                "{rate} of {n}", rate=statistics_words.cell_label(table, row, rate, ruleset, names),
                n=row.cells[n_at])))
    return found


def _means(table: Table, ruleset: str, names: Names) -> list[DrawnValue]:
    mean = [heading.key for heading in table.headings].index("mean")
    return [
        DrawnValue(*_row_names(table, row, ruleset, names), row.cells[mean], None,
                   statistics_words.cell_label(table, row, mean, ruleset, names)) for row in table.rows]


# --- a person --------------------------------------------------------------------------------------------------------


class PersonFigures(msgspec.Struct, frozen=True):
    """What is told of a person in a club. sentences: who met, beat and lost to whom, and runs of wins; more: address
    of the person's own statistics."""

    n: int
    sentences: tuple[str, ...]
    answers: tuple[FigureAnswer, ...]
    more: str


def person_figures(club: Club, person: str) -> PersonFigures:
    """A person's figures in the games of a club, as its settings say."""
    of = Inquiry(of_club(club, people=[person]), club, None, person)
    table = reports.head_to_head(book(), of.filter)
    runs = reports.streaks(book(), of.filter)
    if not runs.rows:
        return PersonFigures(0, (), (), "")
    answers = [answer(of, Question(measure, splits, of.filter), say(title)) for measure, splits, title in OF_A_PERSON]
    return PersonFigures(
        runs.rows[0].n, (*_rivals(table, person), *_longest_run(runs.rows[0])), (*answers, named_table(of, "records")),
        of.to("game", ""))


def _rivals(table: Table, person: str) -> list[str]:
    """Whom a person met, beat and lost to most often; the row of a table has how often, of how many games."""
    names, found, sentences = names_for(reports.people_in([table])), reports.rivals(table, person), list[str]()
    if found.companion is not None:
        sentences.append(say_n(
            "Most of these games with {name}: {n} game", "Most of these games with {name}: {n} games",
            found.companion.n, name=person_name(found.companion.cells[1], names)))
    for row, place, text in ((found.rival, 3, N_("Rival: before {name} in {n} of {games} games together")),
                             (found.nemesis, 4, N_("Nemesis: behind {name} in {n} of {games} games together"))):
        if row is not None:
            sentences.append(say(text, name=person_name(row.cells[1], names), n=row.cells[place], games=row.n))
    return sentences


def _longest_run(row: Row) -> list[str]:
    """The longest run of wins, from two on."""
    longest = row.cells[2]
    if longest < 2:
        return []
    return [say("Most wins one after the other: {n}, from {since} to {until}", n=longest,
                since=day_label(row.cells[3]), until=day_label(row.cells[4]))]
