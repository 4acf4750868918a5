"""Answers of statistics for pages: title, picture, table with links to games, and files."""

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
from daybook.domain.kernel.game_statistics import First, Measure, PresetQuestion
from daybook.domain.league.club import Club
from daybook.services.certainty import Sample, mean_interval, wilson
from daybook.services.permissions.actions import may_read, readable_games
from daybook.services.statistics import play_splits, reports
from daybook.services.statistics.figure_questions import (
    COLUMNS_OF_SEATS,
    OF_PARTS,
    SPLITS,
    Question,
    Split,
    about_person,
    club_filter,
    compute_table,
    count_left_out,
    measure_of,
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
    TIME_TICK_SECONDS,
    Matrix,
    MatrixCell,
    PeriodLines,
    Rows,
    Series,
    Value,
    build_lines,
    build_rows,
    people_in_picture,
    shade_of,
    with_names,
)
from daybook.web.words import N_, say, say_n, statistics_words
from daybook.web.words.league_words import person_name
from daybook.web.words.say import day_label
from daybook.web.words.seat_marks import PAINTED, seat_letter_of, seat_paint
from daybook.web.words.statistics_words import Names

MAX_TABLE_ROWS = 500  # on pages; files have all of them
MAX_ROWS_AMONG_OTHERS = 60  # of a table that shares its page
TYPES = {"csv": "text/csv", "json": "application/json"}
MANY_GAMES = 2_000  # above this, a page answers only some questions, and links to the others
EACH = OF_PARTS | {"person"}
# splits that are answered by win rates
WIN_RATE_SPLITS = {"place": ("seat", "person", "colour", "value", *play_splits.SPLITS), "score": ("colour",)}
OVER_TIME = frozenset({"number", "month", "year"})
NO_ORDER = ("person", "what", "colour", "location", "variant", "expansion", "role")
OF_A_PERSON: tuple[tuple[str, tuple[Split, ...], str], ...] = (
    ("score", ("colour",), N_("Which colour suits them?")),
    ("place", ("seats", "seat"), N_("Which seat suits them?")),
    ("place", ("ruleset", "seats"), N_("Where do they finish?")),
    ("place", ("started",), N_("Does starting help them?")),
    ("place", ("new",), N_("How do they do in the first play of a game?")),
    ("place", ("role",), N_("Which role suits them?")),
    ("place", ("location",), N_("Where do they win?")),
    ("place", ("weekday",), N_("On which weekday do they win?")),
    ("place", ("hour",), N_("At which hour do they win?")),
)
TABLES = {
    "winners": reports.compare_winners,
    "records": reports.record_values,
    "head_to_head": reports.head_to_head,
    "streaks": reports.win_streaks,
}


class FigureAnswer(Frozen):
    """The answer to a question, with its addresses."""

    title: str  # the question
    table: FigureTable
    names: Names
    ruleset: str
    link: Callable[[FigureRow], str]  # the address of a row, or ""; only called for visible rows
    csv: str
    json: str
    zone: str  # time zone of its days
    ask: str = ""
    picture: Rows | PeriodLines | Matrix | None = None

    def cell(self, row: FigureRow, place: int) -> str:
        return statistics_words.cell_label(self.table, row, place, self.ruleset, self.names, self.zone)

    def links(self, limit: int) -> list[str]:
        """Return the addresses of the first rows."""
        return [self.link(row) for row in self.table.rows[:limit]]

    @property
    def too_few(self) -> bool:
        """Check if nothing can be drawn because all is from too few games."""
        drawable = bool(self.table.about) or self.table.key in PICTURES
        return drawable and self.picture is None and (self.table.n < FEW or self.table.rests_on_few)

    @property
    def name_column(self) -> int:
        """The column that names a row: the last of what it is split by."""
        kinds = [heading.kind for heading in self.table.headings]
        return max(0, (kinds.index("count") if "count" in kinds else 1) - 1)

    @property
    def columns(self) -> list[tuple[int, bool, bool]]:
        """Return each column's place, and if it holds amounts and people."""
        return [
            (place, statistics_words.is_figure(heading), heading.kind == "person")
            for place, heading in enumerate(self.table.headings)
        ]

    def row_name(self, row: FigureRow) -> str:
        """Return a row's full name."""
        return ", ".join(self.cell(row, place) for place in range(self.name_column + 1))

    @property
    def amounts_of(self) -> str:
        """Name of the figure in the columns for average, lowest and highest; "" without them."""
        return say(self.table.says) if any(heading.key == "least" for heading in self.table.headings) else ""


def question_query(question: Question) -> dict[str, Any]:
    """Return the query of a question's address."""
    return {"measure": question.measure, **dict(zip(("split", "then"), question.splits, strict=False))}


def answer_question(scope: Inquiry, question: Question, title: str = "") -> FigureAnswer:
    """Answer a question. Raises InvalidQuestionError."""
    return build_answer(scope, question, title, *answer_and_draw(question, MAX_ROWS_AMONG_OTHERS))


def answer_and_draw(question: Question, limit: int = MAX_TABLE_ROWS) -> tuple[FigureTable, Rows | PeriodLines | None]:
    """Return the first rows of an answer and a picture of all, with people by id. Raises InvalidQuestionError."""

    def ask_and_draw() -> tuple[FigureTable, Rows | PeriodLines | None]:
        table = order_rows(compute_table(book(), question), question)
        return table.first_rows(MAX_TABLE_ROWS), build_picture(table, question, measure_of(question))

    table, drawn = ask_once(["drawn", question, str(get_locale())], ask_and_draw, lambda drawn: len(drawn[0].rows))
    return table.first_rows(limit), drawn


def build_answer(
    scope: Inquiry, question: Question, title: str, table: FigureTable, drawn: Rows | PeriodLines | None
) -> FigureAnswer:
    """Build the page's answer.

    Args:
        table: the rows to show.
    """
    parts = question_query(question)
    names = names_for(scope, reports.people_in([table]) | people_in_picture(drawn))
    return FigureAnswer(
        title or say(table.says),
        table,
        names,
        scope.ruleset,
        lambda row: scope.to("games", key=row.key or None, **parts),
        scope.to("ask_file", kind="csv", **parts),
        scope.to("ask_file", kind="json", **parts),
        scope.filter.zone,
        scope.to("ask", **parts),
        with_names(drawn, lambda person: person_name(person, names)),
    )


def row_label(scope: Inquiry, question: Question, key: str) -> str:
    """Return the label of an answer's row; "" for an unknown row. Raises InvalidQuestionError."""
    table = compute_table(book(), about_person(question, key))
    table = msgspec.structs.replace(table, rows=tuple(row for row in table.rows if row.key == key))
    found = build_answer(scope, question, "", table, None)
    return "".join(map(found.row_name, found.table.rows))


def people_shown(table: FigureTable) -> set[str]:
    """Return the people in the visible rows of a table."""
    return reports.people_in([table.first_rows(MAX_TABLE_ROWS)])


def order_rows(table: FigureTable, question: Question) -> FigureTable:
    """Sort rows without a natural order (people, things, colours) by the drawn figure, largest first."""
    if len(question.splits) != 1 or question.splits[0] not in NO_ORDER:
        return table
    return sorted_by(table, "rate" if _is_about_winning(question, measure_of(question)) else "mean")


def plain_title(question: Question) -> str:
    """Return the plain wording of a preset question; "" for others."""
    for preset in presets(question.filter.ruleset):
        if (preset.measure, tuple(preset.split.split())) == (question.measure, question.splits):
            return say(preset.says)
    return ""


def preset_answers(scope: Inquiry, ready: Iterable[PresetQuestion]) -> list[FigureAnswer]:
    """Return answers to these preset questions that have any.

    All are computed before any is drawn: a page with progress starts again each time.
    """
    questions = [(preset, question_of_preset(preset, scope.filter)) for preset in ready]
    drawn = [answer_and_draw(question, MAX_ROWS_AMONG_OTHERS) for _, question in questions]
    return [
        build_answer(scope, question, say(preset.says), *answer)
        for (preset, question), answer in zip(questions, drawn, strict=True)
        if answer[0].rows
    ]


def most_telling(answers: Sequence[FigureAnswer]) -> FigureAnswer | None:
    """Return the answer to show first: the one furthest beyond chance, else the first drawn one."""
    drawn = [candidate for candidate in answers if candidate.picture is not None]
    return max(
        drawn, key=lambda candidate: max(0.0, candidate.picture.telling if candidate.picture else 0.0), default=None
    )


def split_presets(ruleset_id: str, games: int) -> tuple[list[PresetQuestion], list[PresetQuestion]]:
    """Split presets into those for one page and those with their own pages.

    With many games, a page answers only questions about places and scores, which need no other figures.
    """
    now, later = list[PresetQuestion](), list[PresetQuestion]()
    for preset in presets(ruleset_id):
        is_long = preset.measure not in COLUMNS_OF_SEATS or EACH & set(preset.split.split())
        (later if games > MANY_GAMES and is_long else now).append(preset)
    return now, later


def build_named_table(scope: Inquiry, name: str) -> FigureAnswer:
    """Build a table that is more than one question. Raises InvalidQuestionError if several games have none."""
    table = TABLES[name](book(), scope.filter)
    return FigureAnswer(
        say(table.says),
        table,
        names_for(scope, people_shown(table)),
        scope.ruleset,
        partial(_row_link, scope, table),
        scope.to("table_file", name=name, kind="csv"),
        scope.to("table_file", name=name, kind="json"),
        scope.filter.zone,
        scope.to("table", name=name) if name in ("winners", "records") and scope.ruleset else "",
        PICTURES[name](scope, table) if name in PICTURES else None,
    )


def _effects_picture(scope: Inquiry, table: FigureTable) -> Rows | None:
    """Build bars of the differences between winners and others, surest first."""
    keys = [heading.key for heading in table.headings]
    first, effect = keys.index("winners"), keys.index("effect")
    values = []
    for row in table.rows:
        apart, low, high = row.cells[effect : effect + 3]
        if apart is None and min(row.cells[first - 1], row.cells[first + 1]) >= FEW:
            continue  # the same for all people
        amount = partial(
            say,
            "{winners} against {others}",
            winners=statistics_words.cell_label(table, row, first, scope.ruleset, {}),
            others=statistics_words.cell_label(table, row, first + 2, scope.ruleset, {}),
        )
        values.append(
            Value(
                Series(""),
                Series(statistics_words.cell_label(table, row, 0, scope.ruleset, {})),
                apart,
                amount,
                None if apart is None else (low, high),
                expected=0.0,
                games=row.n,
            )
        )
    if all(value.value is None for value in values):
        return None
    return build_rows(
        "effects",
        say("Winners compared with the others, relative to how much the figure varies"),
        values,
        statistics_words.signed_number,
        from_zero=True,
    )


def _meetings_matrix(scope: Inquiry, table: FigureTable) -> Matrix | None:
    """Build the matrix of meetings, the most frequent first; None without two people that met often enough."""
    met = {(row.cells[0], row.cells[1]): row for row in table.rows}
    games = dict.fromkeys((person for person, _ in met), 0)
    for (person, _), row in met.items():
        games[person] += row.n
    people = sorted(games, key=lambda person: (-games[person], person))
    enough = {person for (person, _), row in met.items() if row.n >= FEW}
    if scope.person or not enough:
        return None
    shown = [person for person in people if person in enough][:MOST_PEOPLE]
    names = names_for(scope, shown)
    return Matrix(
        tuple(
            (
                person_name(person, names),
                tuple(
                    _meeting(scope, table, met[person, other], names) if (person, other) in met else None
                    for other in shown
                ),
            )
            for person in shown
        ),
        len(people) - len(shown),
    )


def _meeting(scope: Inquiry, table: FigureTable, row: FigureRow, names: Names) -> MatrixCell:
    one, other, n, ahead, _, _, rate = row.cells[:7]
    text = "–" if rate is None else statistics_words.share_label(rate)
    says = say(
        "{one} before {other}: {ahead} of {n} games together",
        one=person_name(one, names),
        other=person_name(other, names),
        ahead=ahead,
        n=n,
    )
    return MatrixCell(text, None if rate is None else shade_of(rate), says, _row_link(scope, table, row))


PICTURES: dict[str, Callable[[Inquiry, FigureTable], Rows | Matrix | None]] = {
    "winners": _effects_picture,
    "head_to_head": _meetings_matrix,
}


def _row_link(scope: Inquiry, table: FigureTable, row: FigureRow) -> str:
    match table.key:
        case "winners":
            return scope.to("ask", measure=row.key, split="won")
        case "records":
            return step_link(row.game, row.step) if row.game else ""
        case "head_to_head":
            return scope.to("meetings", one=row.cells[0], other=row.cells[1])
        case "streaks":
            return scope.to("games", measure="place", split="person", key=row.key)
    return ""


def step_link(game_id: UUID, step: int | None) -> str:
    """Return the address of a step; "" if the viewer may not read the game."""
    kept = book().kept.game(game_id)
    return url_for("replay.replay", game_id=game_id, step=step) if kept is not None and may_open(kept) else ""


def may_open(game: GameKept) -> bool:
    """Check if the viewer may read a game."""
    return game.public or may_read(game, current_grant(game.id))


def file_of_table(scope: Inquiry, table: FigureTable, kind: str, name: str) -> Response:
    """Return a table as a file with names and the number of omitted games; private games are not named."""
    may = readable_games(book(), {row.game for row in table.rows if row.game is not None}, current_grant)
    rows = tuple(
        row if row.game is None or row.game in may else msgspec.structs.replace(row, game=None, step=None)
        for row in table.rows
    )
    table = msgspec.structs.replace(table, rows=rows)
    return open_table_file(scope, table, kind, name, count_left_out(book(), scope.filter))


def open_table_file(scope: Inquiry, table: FigureTable, kind: str, name: str, left_out: int | None = None) -> Response:
    """Return a table without private data as a file."""
    people = reports.people_in([table])
    names = dict.fromkeys(people, "") | dict(names_for(scope, people))
    body = table.csv(names, left_out) if kind == "csv" else table.json(names, left_out)
    return forbid_storing(file_response(body, f"{name}.{kind}", TYPES[kind]))


# --- pictures --------------------------------------------------------------------------------------------------------


def build_picture(table: FigureTable, question: Question, measure: Measure) -> Rows | PeriodLines | None:
    """Build the picture of an answer; None for a single figure, or with too few games.

    Lines for periods, dots for win rates, bars for amounts of a thing, pairs of bars for winners and others, dots with
    ranges for other averages.
    """
    if not question.splits or not table.rows:
        return None
    ruleset_id = question.filter.ruleset

    def say_amount(value: float) -> str:
        return statistics_words.with_unit(value, measure.unit, ruleset_id)

    steps = TIME_TICK_SECONDS if measure.unit == "seconds" else ()
    if OVER_TIME & set(question.splits):
        return _lines_over_time(table, question, measure, say_amount, steps)
    wins = _is_about_winning(question, measure)
    values = _build_values(table, question, wins)
    if all(value.value is None for value in values):
        return None
    if wins:
        return build_rows(
            "rates", say("Share of games won"), values, statistics_words.share_label, from_zero=True, bounds=(0.0, 1.0)
        )
    if question.splits == ("what", "won"):
        return build_rows("beside", _average_of(measure), _pair_winners(values), say_amount, from_zero=True)
    if question.splits[-1] == "what":
        return build_rows("amounts", _average_of(measure), values, say_amount, from_zero=True)
    return build_rows(
        "reached" if measure.whole else "averages",
        _average_of(measure),
        values,
        say_amount,
        from_zero=measure.whole,
        steps=steps,
    )


def _lines_over_time(
    table: FigureTable, question: Question, measure: Measure, say_amount: Callable[[float], str], steps: Sequence[float]
) -> PeriodLines | None:
    """Build lines, one per value of the other split."""
    when = next(place for place, split in enumerate(question.splits) if split in OVER_TIME)
    values = []
    for row, value in zip(table.rows, _build_values(table, question, wins=False), strict=True):
        stop = Series(statistics_words.cell_label(table, row, when, question.filter.ruleset, {}))
        if len(question.splits) == 1:
            of = Series("")
        else:
            other = 1 - when
            of = _build_series(table, row, other, question)
        values.append(msgspec.structs.replace(value, group=stop, of=of))
    return build_lines(_average_of(measure), values, say_amount, steps)


def _build_series(table: FigureTable, row: FigureRow, place: int, question: Question) -> Series:
    """Build the series of a row's subject, with the mark of its seat or colour."""
    value = row.cells[place]
    if question.splits[place] == "person" and value:
        return Series(value, person=True)
    says = statistics_words.cell_label(table, row, place, question.filter.ruleset, {})
    match question.splits[place]:
        case "seat":
            return Series(says, seat_paint(value), seat_letter_of(value))
        case "colour" if value in PAINTED:
            return Series(says, f"c-{value}")
        case "won":
            return Series(says, "winners" if value else "others")
    return Series(says)


def _average_of(measure: Measure) -> str:
    return say("Average: {measure}", measure=say(measure.says))


def _is_about_winning(question: Question, measure: Measure) -> bool:
    """Check if an answer is about winning: by results, or by a choice made at the start."""
    if measure.whole or {"won", "place"} & set(question.splits):
        return False
    by = question.splits[-1]
    return (
        by in WIN_RATE_SPLITS.get(measure.key, ())
        or by == "value"
        or (by == "what" and (isinstance(measure.reading, First) or measure.key.startswith("start_")))
    )


def _build_values(table: FigureTable, question: Question, wins: bool) -> list[Value]:
    """Build the values to draw for each row: win rates or averages."""
    at = {heading.key: place for place, heading in enumerate(table.headings)}
    last, ruleset_id, whole = len(question.splits) - 1, question.filter.ruleset, measure_of(question).whole

    def rate_of(row: FigureRow, n: int) -> str:
        return say("{rate} of {n}", rate=statistics_words.cell_label(table, row, at["rate"], ruleset_id, {}), n=n)

    found = []
    for row in table.rows:
        group = _build_series(table, row, 0, question) if last else Series("")
        of = _build_series(table, row, last, question)
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


def _pair_winners(values: Sequence[Value]) -> list[Value]:
    """Pair winners with the others, one row per thing."""
    by_thing: dict[Series, dict[str, Value]] = {}
    for value in values:
        by_thing.setdefault(value.group, {})[value.of.paint] = value
    found = []
    for thing, by_group in by_thing.items():
        won, lost = by_group.get("winners"), by_group.get("others")
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
    """Figures of a person in a club.

    Args:
        sentences: who met, beat and lost to whom, and runs of wins.
        more: address of the person's own statistics.
    """

    n: int
    sentences: tuple[str, ...]
    answers: tuple[FigureAnswer, ...]
    more: str
    namesakes: bool = False  # a person with a number exists


def person_figures(club: Club, person: str) -> PersonFigures:
    """Return a person's figures in the games of a club."""
    of = Inquiry(club_filter(club, people=[person]), club, None, person)
    table = reports.head_to_head(book(), of.filter)
    runs = reports.win_streaks(book(), of.filter)
    if not runs.rows:
        return PersonFigures(0, (), (), "")
    offered = {*SPLITS} - {*play_splits.SPLITS} | {*play_splits.offered(club.id, club.shows_days_only)}
    answers = [
        answer_question(of, Question(measure, splits, of.filter), say(title))
        for measure, splits, title in OF_A_PERSON
        if offered.issuperset(splits)
    ]
    return PersonFigures(
        runs.rows[0].n,
        (*_rivals(of, table), *_longest_run(runs.rows[0], club.zone)),
        (*answers, build_named_table(of, "records")),
        of.to("game", ""),
        has_namesakes(),
    )


def _rivals(scope: Inquiry, table: FigureTable) -> list[str]:
    """Name the people that a person met, beat and lost to most often, with the numbers of games."""
    names, found, sentences = (
        names_for(scope, reports.people_in([table])),
        reports.find_rivals(table.rows, scope.person),
        list[str](),
    )
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
    """Return the longest run of wins, at least two."""
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
