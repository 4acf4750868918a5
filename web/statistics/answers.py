"""Answers of statistics as pages show them: a title, a picture, a table whose rows open their games, and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from flask import url_for
from flask_babel import get_locale
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.statistics import First, Measure, PresetQuestion
from daybook.domain.league.club import Club
from daybook.services.certainty import Sample, mean_interval, wilson
from daybook.services.people import access
from daybook.services.statistics import reports
from daybook.services.statistics.figure_questions import (
    OF_PARTS,
    Question,
    Split,
    about_person,
    ask,
    count_left_out,
    measure_of,
    of_club,
    presets,
    question_of_preset,
)
from daybook.services.statistics.queries import ask_once
from daybook.services.statistics.table import FEW, FigureRow, FigureTable, sorted_by
from daybook.services.store.kept import GameKept
from daybook.web.request.access import book, current_grant
from daybook.web.request.security import file_response, forbid_storing
from daybook.web.statistics.inquiry import Inquiry, has_namesakes, names_for
from daybook.web.statistics.pictures import (
    MOST_PEOPLE,
    OF_TIME,
    Matrix,
    MatrixCell,
    PeriodLines,
    Rows,
    Series,
    Value,
    lines,
    people_of,
    rows,
    shade_of,
    with_names,
)
from daybook.web.words import N_, say, say_n, statistics_words
from daybook.web.words.league_words import person_name
from daybook.web.words.say import day_label
from daybook.web.words.seat_marks import PAINTED, letter, seat_paint
from daybook.web.words.statistics_words import Names

ROWS_SHOWN = 500  # of a table, on all its pages; the others are in the files
ROWS_AMONG_OTHERS = 60  # of a table that is not alone on its page
TYPES = {"csv": "text/csv", "json": "application/json"}
MANY = 2_000  # games of which a page does not look at each person and each round unasked
EACH = OF_PARTS | {"person"}
WHO_WINS = {"place": ("seat", "person", "colour", "value"), "score": ("colour",)}  # told apart by these
OVER_TIME = frozenset({"number", "month", "year"})
NO_ORDER = ("person", "what", "colour")
OF_A_PERSON: tuple[tuple[str, tuple[Split, ...], str], ...] = (
    ("score", ("colour",), N_("Which colour suits them?")),
    ("place", ("seats", "seat"), N_("Which seat suits them?")),
    ("place", ("ruleset", "seats"), N_("Where do they finish?")),
)
TABLES = {
    "winners": reports.winners,
    "records": reports.records,
    "head_to_head": reports.head_to_head,
    "streaks": reports.streaks,
}


class FigureAnswer(Frozen):
    """title: the question; link: where a row leads, "" where it leads nowhere; csv, json, ask: addresses."""

    title: str
    table: FigureTable
    names: Names
    ruleset: str
    link: Callable[[FigureRow], str]  # asked of rows that are shown: there may be thousands
    csv: str
    json: str
    zone: str  # whose days are told
    ask: str = ""
    picture: Rows | PeriodLines | Matrix | None = None

    def cell(self, row: FigureRow, place: int) -> str:
        return statistics_words.cell_label(self.table, row, place, self.ruleset, self.names, self.zone)

    def links(self, most: int) -> list[str]:
        """Where the first rows lead."""
        return [self.link(row) for row in self.table.rows[:most]]

    @property
    def too_few(self) -> bool:
        """Whether nothing of it can be drawn because all of it rests on too few games: it is folded away."""
        drawable = bool(self.table.about) or self.table.key in PICTURES
        return drawable and self.picture is None and (self.table.n < FEW or self.table.rests_on_few)

    @property
    def name_column(self) -> int:
        """The column that names a row: the last of what it is split by."""
        kinds = [heading.kind for heading in self.table.headings]
        return max(0, (kinds.index("count") if "count" in kinds else 1) - 1)

    @property
    def columns(self) -> list[tuple[int, bool, bool]]:
        """Of each column its place, whether it holds amounts, and whether people."""
        return [
            (place, statistics_words.is_figure(heading), heading.kind == "person")
            for place, heading in enumerate(self.table.headings)
        ]

    def row_name(self, row: FigureRow) -> str:
        """A row's name in full."""
        return ", ".join(self.cell(row, place) for place in range(self.name_column + 1))

    @property
    def amounts_of(self) -> str:
        """Of what the columns for the average, the lowest and the highest are; empty where there are none."""
        return say(self.table.says) if any(heading.key == "least" for heading in self.table.headings) else ""


def parts_of(question: Question) -> dict[str, Any]:
    """A question as an address has it."""
    return {"measure": question.measure, **dict(zip(("split", "then"), question.splits, strict=False))}


def answer(asked: Inquiry, question: Question, title: str = "") -> FigureAnswer:
    """The answer to a question. Raises BadQuestion."""
    return answer_of(asked, question, title, *drawn_answer(question, ROWS_AMONG_OTHERS))


def drawn_answer(question: Question, most: int = ROWS_SHOWN) -> tuple[FigureTable, Rows | PeriodLines | None]:
    """The first rows of an answer, and a picture of all of them, people by their ids. Raises BadQuestion."""

    def ask_and_draw() -> tuple[FigureTable, Rows | PeriodLines | None]:
        table = order_rows(ask(book(), question), question)
        return table.first_rows(ROWS_SHOWN), picture(table, question, measure_of(question))

    table, drawn = ask_once(["drawn", question, str(get_locale())], ask_and_draw, lambda drawn: len(drawn[0].rows))
    return table.first_rows(most), drawn


def answer_of(
    asked: Inquiry, question: Question, title: str, table: FigureTable, drawn: Rows | PeriodLines | None
) -> FigureAnswer:
    """What a page shows of an answer. table: the rows that it shows."""
    parts = parts_of(question)
    names = names_for(asked, reports.people_in([table]) | people_of(drawn))
    return FigureAnswer(
        title or say(table.says),
        table,
        names,
        asked.ruleset,
        lambda row: asked.to("games", key=row.key or None, **parts),
        asked.to("ask_file", kind="csv", **parts),
        asked.to("ask_file", kind="json", **parts),
        asked.filter.zone,
        asked.to("ask", **parts),
        with_names(drawn, lambda person: person_name(person, names)),
    )


def row_label(asked: Inquiry, question: Question, key: str) -> str:
    """What a row of an answer is about, in words; empty where there is no such row. Raises BadQuestion."""
    table = ask(book(), about_person(question, key))
    table = msgspec.structs.replace(table, rows=tuple(row for row in table.rows if row.key == key))
    found = answer_of(asked, question, "", table, None)
    return "".join(map(found.row_name, found.table.rows))


def people_shown(table: FigureTable) -> set[str]:
    """Those whose names a page needs that shows a table: there may be thousands in the rest of it."""
    return reports.people_in([table.first_rows(ROWS_SHOWN)])


def order_rows(table: FigureTable, question: Question) -> FigureTable:
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


def preset_answers(of: Inquiry, ready: Iterable[PresetQuestion]) -> list[FigureAnswer]:
    """Those of these questions in plain words that the games answer. All are asked before any is drawn: a page that
    shows how far its answers are begins again and again.
    """
    asked = [(preset, question_of_preset(preset, of.filter)) for preset in ready]
    drawn = [drawn_answer(question, ROWS_AMONG_OTHERS) for _, question in asked]
    return [
        answer_of(of, question, say(preset.says), *found)
        for (preset, question), found in zip(asked, drawn, strict=True)
        if found[0].rows
    ]


def most_telling(answers: Sequence[FigureAnswer]) -> FigureAnswer | None:
    """The answer to show first: whose surest figure lies farthest beyond chance; the first that is drawn where none
    does.
    """
    drawn = [one for one in answers if one.picture is not None]
    return max(drawn, key=lambda one: max(0.0, one.picture.telling if one.picture else 0.0), default=None)


def split_presets(ruleset_id: str, games: int) -> tuple[list[PresetQuestion], list[PresetQuestion]]:
    """The questions in plain words that one page answers, and those that have a page each: of many games, those that
    look at each person, round or thing.
    """
    now, later = list[PresetQuestion](), list[PresetQuestion]()
    for preset in presets(ruleset_id):
        (later if games > MANY and EACH & set(preset.split.split()) else now).append(preset)
    return now, later


def named_table(of: Inquiry, name: str) -> FigureAnswer:
    """A table that is more than one question. Raises BadQuestion where several games have no such table."""
    table = TABLES[name](book(), of.filter)
    return FigureAnswer(
        say(table.says),
        table,
        names_for(of, people_shown(table)),
        of.ruleset,
        partial(_row_link, of, table),
        of.to("table_file", name=name, kind="csv"),
        of.to("table_file", name=name, kind="json"),
        of.filter.zone,
        of.to("table", name=name) if name in ("winners", "records") and of.ruleset else "",
        PICTURES[name](of, table) if name in PICTURES else None,
    )


def _effects(of: Inquiry, table: FigureTable) -> Rows | None:
    """Differences between winners and the others as bars to either side, the surest first."""
    keys = [heading.key for heading in table.headings]
    first, effect = keys.index("winners"), keys.index("effect")
    values = []
    for row in table.rows:
        apart, low, high = row.cells[effect : effect + 3]
        if apart is None and min(row.cells[first - 1], row.cells[first + 1]) >= FEW:
            continue  # it is the same of everybody
        amount = partial(
            say,
            "{winners} against {others}",
            winners=statistics_words.cell_label(table, row, first, of.ruleset, {}),
            others=statistics_words.cell_label(table, row, first + 2, of.ruleset, {}),
        )
        values.append(
            Value(
                Series(""),
                Series(statistics_words.cell_label(table, row, 0, of.ruleset, {})),
                apart,
                amount,
                None if apart is None else (low, high),
                expected=0.0,
                games=row.n,
            )
        )
    if all(value.value is None for value in values):
        return None
    return rows(
        "effects",
        say("Winners against the others, relative to how much the figure varies"),
        values,
        statistics_words.signed_number,
        from_zero=True,
    )


def _matrix(of: Inquiry, table: FigureTable) -> Matrix | None:
    """Everybody beside everybody, those who met most first; None where no two met often enough, or of one person."""
    met = {(row.cells[0], row.cells[1]): row for row in table.rows}
    games = dict.fromkeys((one for one, _ in met), 0)
    for (one, _), row in met.items():
        games[one] += row.n
    people = sorted(games, key=lambda one: (-games[one], one))
    enough = {one for (one, _), row in met.items() if row.n >= FEW}
    if of.person or not enough:
        return None
    shown = [person for person in people if person in enough][:MOST_PEOPLE]
    names = names_for(of, shown)
    return Matrix(
        tuple(
            (
                person_name(one, names),
                tuple(_meeting(of, table, met[one, other], names) if (one, other) in met else None for other in shown),
            )
            for one in shown
        ),
        len(people) - len(shown),
    )


def _meeting(of: Inquiry, table: FigureTable, row: FigureRow, names: Names) -> MatrixCell:
    one, other, n, ahead, _, _, rate = row.cells[:7]
    text = "–" if rate is None else statistics_words.share_label(rate)
    says = say(
        "{one} before {other}: {ahead} of {n} games together",
        one=person_name(one, names),
        other=person_name(other, names),
        ahead=ahead,
        n=n,
    )
    return MatrixCell(text, None if rate is None else shade_of(rate), says, _row_link(of, table, row))


PICTURES: dict[str, Callable[[Inquiry, FigureTable], Rows | Matrix | None]] = {
    "winners": _effects,
    "head_to_head": _matrix,
}


def _row_link(of: Inquiry, table: FigureTable, row: FigureRow) -> str:
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


def step_link(game_id: UUID, step: int | None) -> str:
    """The address of a step of a game; empty where who asks may not read it."""
    kept = book().kept.game(game_id)
    return url_for("replay.replay", game_id=game_id, step=step) if kept is not None and may_open(kept) else ""


def may_open(game: GameKept) -> bool:
    """Whether who asks may read a game."""
    return game.public or access.may_read(game, current_grant(game.id))


def file_of_table(of: Inquiry, table: FigureTable, kind: str, name: str) -> Response:
    """A table as a file, with people's names for their ids and how many games are left out of it; games that may not
    be read are not named in it.
    """
    may = access.readable_of(book(), {row.game for row in table.rows if row.game is not None}, current_grant)
    rows = tuple(
        row if row.game is None or row.game in may else msgspec.structs.replace(row, game=None, step=None)
        for row in table.rows
    )
    table = msgspec.structs.replace(table, rows=rows)
    return open_table_file(of, table, kind, name, count_left_out(book(), of.filter))


def open_table_file(of: Inquiry, table: FigureTable, kind: str, name: str, left_out: int | None = None) -> Response:
    """A table of which all may be told, as a file."""
    people = reports.people_in([table])
    names = dict.fromkeys(people, "") | dict(names_for(of, people))
    body = table.csv(names, left_out) if kind == "csv" else table.json(names, left_out)
    return forbid_storing(file_response(body, f"{name}.{kind}", TYPES[kind]))


# --- pictures --------------------------------------------------------------------------------------------------------


def picture(table: FigureTable, question: Question, measure: Measure) -> Rows | PeriodLines | None:
    """A picture of an answer, of people by their ids; None where there is one figure, or none that rests on enough games.

    Over periods lines; of who wins dots with their intervals; of a thing's amounts bars, winners beside others where it
    is split by them; of other averages dots, with what they reached where a game as a whole has them.
    """
    if not question.splits or not table.rows:
        return None
    ruleset_id = question.filter.ruleset

    def say_amount(value: float) -> str:
        return statistics_words.with_unit(value, measure.unit, ruleset_id)

    steps = OF_TIME if measure.unit == "seconds" else ()
    if OVER_TIME & set(question.splits):
        return _over_time(table, question, measure, say_amount, steps)
    wins = _asks_who_wins(question, measure)
    values = _values(table, question, wins)
    if all(one.value is None for one in values):
        return None
    if wins:
        return rows(
            "rates", say("Share of games won"), values, statistics_words.share_label, from_zero=True, bounds=(0.0, 1.0)
        )
    if question.splits == ("what", "won"):
        return rows("beside", _average_of(measure), _beside(values), say_amount, from_zero=True)
    if question.splits[-1] == "what":
        return rows("amounts", _average_of(measure), values, say_amount, from_zero=True)
    return rows(
        "reached" if measure.whole else "averages",
        _average_of(measure),
        values,
        say_amount,
        from_zero=measure.whole,
        steps=steps,
    )


def _over_time(
    table: FigureTable, question: Question, measure: Measure, say_amount: Callable[[float], str], steps: Sequence[float]
) -> PeriodLines | None:
    """Lines: a series for each value of what else it is split by, if by anything."""
    when = next(place for place, split in enumerate(question.splits) if split in OVER_TIME)
    values = []
    for row, one in zip(table.rows, _values(table, question, wins=False), strict=True):
        stop = Series(statistics_words.cell_label(table, row, when, question.filter.ruleset, {}))
        if len(question.splits) == 1:
            of = Series("")
        else:
            other = 1 - when
            of = _series(table, row, other, question)
        values.append(msgspec.structs.replace(one, group=stop, of=of))
    return lines(_average_of(measure), values, say_amount, steps)


def _series(table: FigureTable, row: FigureRow, place: int, question: Question) -> Series:
    """What a row is of, with the mark of a seat or a colour; who a row is of."""
    value = row.cells[place]
    if question.splits[place] == "person" and value:
        return Series(value, person=True)
    says = statistics_words.cell_label(table, row, place, question.filter.ruleset, {})
    match question.splits[place]:
        case "seat":
            return Series(says, seat_paint(value), letter(value))
        case "colour" if value in PAINTED:
            return Series(says, f"c-{value}")
        case "won":
            return Series(says, "winners" if value else "others")
    return Series(says)


def _average_of(measure: Measure) -> str:
    return say("Average: {measure}", measure=say(measure.says))


def _asks_who_wins(question: Question, measure: Measure) -> bool:
    """Whether an answer is about winning: of a result, or of a choice that stands at the beginning."""
    if measure.whole or {"won", "place"} & set(question.splits):
        return False
    by = question.splits[-1]
    return (
        by in WHO_WINS.get(measure.key, ())
        or by == "value"
        or (by == "what" and (isinstance(measure.reading, First) or measure.key.startswith("start_")))
    )


def _values(table: FigureTable, question: Question, wins: bool) -> list[Value]:
    """What is drawn of each row: how often it won, or its average."""
    at = {heading.key: place for place, heading in enumerate(table.headings)}
    last, ruleset_id, whole = len(question.splits) - 1, question.filter.ruleset, measure_of(question).whole

    def rate_of(row: FigureRow, n: int) -> str:
        return say("{rate} of {n}", rate=statistics_words.cell_label(table, row, at["rate"], ruleset_id, {}), n=n)

    found = []
    for row in table.rows:
        group = _series(table, row, 0, question) if last else Series("")
        of = _series(table, row, last, question)
        n = row.cells[at["with" if wins and "with" in at else "n"]]
        if wins:
            won, expected = row.cells[at["wins"]], row.cells[at["expected"]]
            found.append(
                Value(
                    group,
                    of,
                    won / n if row.cells[at["rate"]] is not None else None,
                    partial(rate_of, row, n),
                    wilson(won, n) if n else None,
                    None,
                    expected / n if n else None,
                    games=row.games,
                )
            )
        else:
            value, place = row.cells[at["mean"]], at["mean"]
            found.append(
                Value(
                    group,
                    of,
                    value if row.games >= FEW else None,
                    partial(statistics_words.cell_label, table, row, place, ruleset_id, {}),
                    mean_interval(Sample(n, value, row.variance)) if value is not None else None,
                    (row.cells[place + 1], row.cells[place + 2]) if whole else None,
                    games=row.games,
                )
            )
    return found


def _one_against(won: Value | None, lost: Value | None) -> str:
    return say("{winners} against {others}", winners=won.amount(), others=lost.amount()) if won and lost else ""


def _beside(values: Sequence[Value]) -> list[Value]:
    """Winners with the others beside them, a row for each thing."""
    by_thing: dict[Series, dict[str, Value]] = {}
    for value in values:
        by_thing.setdefault(value.group, {})[value.of.paint] = value
    found = []
    for thing, of in by_thing.items():
        won, lost = of.get("winners"), of.get("others")
        both = won is not None and lost is not None and won.value is not None and lost.value is not None
        found.append(
            Value(
                Series(""),
                thing,
                won.value if won and both else None,
                partial(_one_against, won, lost),
                beside=lost.value if lost and both else None,
            )
        )
    return found


# --- a person --------------------------------------------------------------------------------------------------------


class PersonFigures(Frozen):
    """What is told of a person in a club. sentences: who met, beat and lost to whom, and runs of wins; more: address
    of the person's own statistics; left_out, left_out_at: how many games do not count because the rules disagree with
    their records, and the address of these.
    """

    n: int
    left_out: int
    left_out_at: str
    sentences: tuple[str, ...]
    answers: tuple[FigureAnswer, ...]
    more: str
    namesakes: bool = False  # whether somebody has a number


def person_figures(club: Club, person: str) -> PersonFigures:
    """A person's figures in the games of a club, as its settings say."""
    of = Inquiry(of_club(club, people=[person]), club, None, person)
    table = reports.head_to_head(book(), of.filter)
    runs = reports.streaks(book(), of.filter)
    left_out, left_out_at = count_left_out(book(), of.filter), of.to("left_out", "")
    if not runs.rows:
        return PersonFigures(0, left_out, left_out_at, (), (), "")
    answers = [answer(of, Question(measure, splits, of.filter), say(title)) for measure, splits, title in OF_A_PERSON]
    return PersonFigures(
        runs.rows[0].n,
        left_out,
        left_out_at,
        (*_rivals(of, table), *_longest_run(runs.rows[0], club.zone)),
        (*answers, named_table(of, "records")),
        of.to("game", ""),
        has_namesakes(),
    )


def _rivals(of: Inquiry, table: FigureTable) -> list[str]:
    """Whom a person met, beat and lost to most often; the row of a table has how often, of how many games."""
    names, found, sentences = names_for(of, reports.people_in([table])), reports.rivals(table, of.person), list[str]()
    if found.companion is not None:
        sentences.append(
            say_n(
                "Most games together: with {name}, {n} game",
                "Most games together: with {name}, {n} games",
                found.companion.n,
                name=person_name(found.companion.cells[1], names),
            )
        )
    for row, place, text in N_(
        (
            (found.rival, 3, "Rival: before {name} in {n} of {games} games together"),
            (found.nemesis, 4, "Nemesis: behind {name} in {n} of {games} games together"),
        )
    ):
        if row is not None:
            sentences.append(say(text, name=person_name(row.cells[1], names), n=row.cells[place], games=row.n))
    return sentences


def _longest_run(row: FigureRow, zone: str) -> list[str]:
    """The longest run of wins, from two on."""
    longest = row.cells[2]
    if longest < 2:
        return []
    return [
        say(
            "Longest run of wins: {n}, from {since} to {until}",
            n=longest,
            since=day_label(row.cells[3], zone),
            until=day_label(row.cells[4], zone),
        )
    ]
