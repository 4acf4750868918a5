"""Statistics: questions in plain words, figures whose rows open their games, a builder, records; of all games that may
be read, or of a club's, a season's, a person's (`web.statistics.inquiry`).
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast
from uuid import UUID

import msgspec
from flask import Blueprint, abort, render_template, request
from werkzeug import Response

from daybook.domain.games import RULESETS
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.terms import TABLE
from daybook.services.paging import page_of_list
from daybook.services.statistics import figure_questions, reports
from daybook.services.statistics.figure_questions import (
    SPLITS,
    BadQuestion,
    FigureSource,
    Filter,
    Question,
    Split,
    count_games,
    count_left_out,
    games_behind,
    games_left_out,
    measure_of,
    measures,
    splits_of,
)
from daybook.services.statistics.queries import remember_answers
from daybook.services.statistics.table import page_of_table
from daybook.web.request.access import book
from daybook.web.request.clubs import preview_club_page, render_club_page, season_path
from daybook.web.request.lists import requested_page
from daybook.web.statistics import game_lists
from daybook.web.statistics.answers import (
    MANY,
    TABLES,
    FigureAnswer,
    answer,
    answer_of,
    drawn_answer,
    file_of_table,
    most_telling,
    named_table,
    parts_of,
    plain_title,
    preset_answers,
    row_label,
    split_presets,
)
from daybook.web.statistics.asking import shown_meanwhile
from daybook.web.statistics.game_lists import IN_A_FILE, ListedGame, listed_games, sources_file, sources_listed
from daybook.web.statistics.inquiry import ALL, Inquiry, filter_text, has_namesakes, inquiry, names_for
from daybook.web.statistics.why_none import why_none
from daybook.web.words import N_, say, statistics_words
from daybook.web.words.league_words import person_name

page = Blueprint("statistics", __name__)

GAMES = 200  # listed on one page
GAMES_NAMED = 60  # anybody may make a game and give it a name: those that were played most
MOST_PAIRS = 2_000  # of people that met, of a page that shows more than them
OF_A_GAME = (("winners", N_("What winners do differently")), ("records", N_("Records")))
OF_A_CLUB = (
    ("place", ("person",)),
    ("place", ("seats", "seat")),
    ("score", ("person",)),
    ("winning_score", ("ruleset",)),
    ("winning_margin", ("ruleset",)),
    ("length", ("ruleset",)),
)


@page.get("/statistics")
@shown_meanwhile
def statistics() -> str:
    """The most telling answer of the game there is most of, how many games of each kind were counted, and the way to
    their figures.
    """
    of = inquiry()
    every = msgspec.structs.replace(of.filter, practice="yes")
    games = sorted(by_game(of), key=lambda one: -one[1])
    with remember_answers(book()):
        return statistics_page(
            "statistics/games.html",
            of,
            games=games[:GAMES_NAMED],
            more=len(games[GAMES_NAMED:]),
            lead=lead_of(of, *games[0]),
            with_practice=count_games(book(), every),
        )


def lead_of(of: Inquiry, ruleset_id: str, n: int) -> FigureAnswer | None:
    """The most telling answer about one of the games."""
    about = msgspec.structs.replace(of, filter=msgspec.structs.replace(of.filter, ruleset=ruleset_id))
    return most_telling(preset_answers(about, split_presets(ruleset_id, n)[0])) if n else None


def way_to_luck(of: Inquiry) -> str:
    """The address of luck and play in the same games; empty where no win chances are reckoned."""
    return of.to("luck.luck") if book().settings.chances_seconds else ""


def by_game(of: Inquiry) -> list[tuple[str, int]]:
    """Every game with how many of it count; of those that sheets make, those that were played, the most often played
    first.
    """
    played = figure_questions.ask(book(), Question("place", ("ruleset",), of.filter)).rows
    of_sheets = [(key, row.games) for row in played if is_by_name(key := str(row.cells[0]))]
    return [
        *((id, count_games(book(), msgspec.structs.replace(of.filter, ruleset=id))) for id in RULESETS),
        *sorted(of_sheets, key=lambda one: (-one[1], one[0])),
    ]


@page.get("/statistics/<game:ruleset_id>")
@shown_meanwhile
def game(ruleset_id: str) -> str:
    """The questions in plain words, answered; what looks at every figure there is has pages of its own."""
    of = inquiry(ruleset_id)
    with remember_answers(book()):
        n = count_games(book(), of.filter)
        now, later = split_presets(of.ruleset, n)
        few = bool(of.ruleset) and n <= MANY
        winners = [named_table(of, "winners")] if few else []  # asks much: before anything is drawn
        answers = [*preset_answers(of, now), *(winner for winner in winners if winner.table.rows)]
        if few:
            answers += who_met_whom(of)
        lead = most_telling(answers)
        return statistics_page(
            "statistics/game.html",
            of,
            lead=lead,
            answers=[one for one in answers if one is not lead],
            later=[
                (say(preset.says), of.to("ask", **parts_of(figure_questions.question_of_preset(preset, of.filter))))
                for preset in later
            ],
            more=[
                *((say(says), of.to("table", name=name)) for name, says in OF_A_GAME if of.ruleset),
                *((say("Luck and play"), to) for to in [way_to_luck(of)] if to),
            ],
            with_practice=count_games(book(), msgspec.structs.replace(of.filter, practice="yes")),
        )


def who_met_whom(of: Inquiry) -> list[FigureAnswer]:
    """Everybody beside everybody, where the people are few enough to look at."""
    if len(reports.head_to_head(book(), of.filter).rows) > MOST_PAIRS:
        return []
    return [one for one in [named_table(of, "head_to_head")] if one.picture]


@page.get("/statistics/<game:ruleset_id>/<any(winners,records):name>")
@shown_meanwhile
def table(ruleset_id: str, name: str) -> str:
    """What winners do differently, or records."""
    of = inquiry(ruleset_id)
    if not of.ruleset:
        abort(404)
    with remember_answers(book()):
        return statistics_page("statistics/table.html", of, answer=named_table(of, name))


def statistics_page(template: str, of: Inquiry, **more: Any) -> str:
    """A page of statistics, with what all of them have."""
    with remember_answers(book()):
        n, left_out = count_games(book(), of.filter), count_left_out(book(), of.filter)
    return render_template(
        template,
        of=of,
        n=n,
        why=[] if n else why_none(of),
        left_out=left_out,
        about=filter_text(of),
        said=statistics_words,
        all=ALL,
        person_name=person_name,
        season_path=season_path,
        namesakes=has_namesakes(),
        **more,
    )


# --- a question ------------------------------------------------------------------------------------------------------


@page.get("/statistics/<game:ruleset_id>/ask")
@shown_meanwhile
def ask(ruleset_id: str) -> str | tuple[str, int]:
    """The builder, with the answer to what the address asks."""
    of = inquiry(ruleset_id)
    found, more, wrong = None, "", ""
    question = question_asked(of.filter)
    if question is not None:
        try:
            with remember_answers(book()):
                table, drawn = drawn_answer(question)
                (shown,), more = requested_page("statistics.ask", partial(page_of_table, table))
                is_first = shown.rows[:1] == table.rows[:1]
                found = answer_of(of, question, plain_title(question), shown, drawn if is_first else None)
        except BadQuestion:
            wrong = why_not(question)
    body = statistics_page(
        "statistics/ask.html",
        of,
        answer=found,
        more=more,
        wrong=wrong,
        measures=measures(of.ruleset),
        splits=list(SPLITS.values()),
        asked={name: request.args.get(name, "") for name in ("measure", "split", "then")},
    )
    return (body, 422) if wrong else body


def question_asked(of: Filter) -> Question | None:
    """The question of the address; None: it has none."""
    measure = request.args.get("measure", "")
    splits = [split for split in (request.args.get("split", ""), request.args.get("then", "")) if split]
    return Question(measure, cast(tuple[Split, ...], tuple(dict.fromkeys(splits))), of) if measure else None


def why_not(question: Question) -> str:
    """What is wrong with a question, and what can be asked instead."""
    try:
        measure = statistics_words.measure_named(question.filter.ruleset, question.measure)
    except KeyError:
        return say("Nothing is counted by that name. Choose what to count.")
    possible = ", ".join(say(SPLITS[split].says) for split in splits_of(measure))
    return say("“{measure}” can be split by one or two of: {splits}.", measure=say(measure.says), splits=possible)


def must_be_asked(of: Inquiry) -> Question:
    """The question of the address; 404 where it has none that can be asked."""
    question = question_asked(of.filter)
    try:
        measure_of(question) if question else abort(404)
    except BadQuestion:
        abort(404)
    return cast(Question, question)


@page.get("/statistics/<game:ruleset_id>/ask.<any(csv,json):kind>")
def ask_file(ruleset_id: str, kind: str) -> Response:
    of = inquiry(ruleset_id)
    question = must_be_asked(of)
    return file_of_table(of, figure_questions.ask(book(), question), kind, f"{ruleset_id}-{question.measure}")


@page.get("/statistics/<game:ruleset_id>/<any(winners,records,head_to_head,streaks):name>.<any(csv,json):kind>")
def table_file(ruleset_id: str, name: str, kind: str) -> Response:
    of = inquiry(ruleset_id)
    try:
        table = TABLES[name](book(), of.filter)
    except BadQuestion:
        abort(404)
    return file_of_table(of, table, kind, f"{ruleset_id}-{name}")


# --- the games behind a figure ---------------------------------------------------------------------------------------


@page.get("/statistics/<game:ruleset_id>/games")
@shown_meanwhile
def games(ruleset_id: str) -> str:
    """The games behind a row, the greatest value first."""
    of = inquiry(ruleset_id)
    question = must_be_asked(of)
    measure, key = measure_of(question), request.args.get("key", "")
    found = sources_listed(of, sources_asked(question, key, GAMES))
    return statistics_page(
        "statistics/behind.html",
        of,
        measure=measure,
        found=found,
        limit=GAMES,
        row=row_named(of, question, key),
        back=of.to("ask", **parts_of(question)),
        names=names_for(of, (one.person for one, _ in found)),
        TABLE=TABLE,
        files=[
            (kind.upper(), of.to("games_file", kind=kind, key=key or None, **parts_of(question)))
            for kind in ("csv", "json")
        ],
    )


@page.get("/statistics/<game:ruleset_id>/games.<any(csv,json):kind>")
def games_file(ruleset_id: str, kind: str) -> Response:
    of = inquiry(ruleset_id)
    question = must_be_asked(of)
    found = sources_asked(question, request.args.get("key", ""), IN_A_FILE)
    return sources_file(
        of, sources_listed(of, found), measure_of(question), kind, f"{ruleset_id}-{question.measure}-games"
    )


def sources_asked(question: Question, key: str, limit: int) -> list[FigureSource]:
    """The games behind a row; 404 where there is no such row."""
    try:
        return games_behind(book(), question, key, limit)
    except BadQuestion:
        abort(404)


def row_named(of: Inquiry, question: Question, key: str) -> str:
    """What a row's key says, in words."""
    return row_label(of, question, key) if key else ""


@page.get("/statistics/<game:ruleset_id>/meetings")
def meetings(ruleset_id: str) -> str:
    """The games in which two people met, the newest first."""
    of = inquiry(ruleset_id)
    found, one, other = meetings_asked(of)
    names = names_for(of, [one, other] if found else [])
    return statistics_page(
        "statistics/meetings.html",
        of,
        found=found,
        one=person_name(one, names),
        other=person_name(other, names),
        back=of.to("game"),
        files=[(kind.upper(), of.to("meetings_file", kind=kind, one=one, other=other)) for kind in ("csv", "json")],
    )


@page.get("/statistics/<game:ruleset_id>/meetings.<any(csv,json):kind>")
def meetings_file(ruleset_id: str, kind: str) -> Response:
    of = inquiry(ruleset_id)
    return game_lists.games_file(
        of, meetings_asked(of)[0], "meetings", "Games together", kind, f"{ruleset_id}-games-together"
    )


def meetings_asked(of: Inquiry) -> tuple[list[ListedGame], str, str]:
    """The games in which the two people of the address met, and who they are; 404 where it names none."""
    one, other = request.args.get("one", ""), request.args.get("other", "")
    ids = reports.meetings(book(), of.filter, one, other) if one and other else abort(404)
    return list(listed_games(of, reversed(ids)).values()), one, other


@page.get("/statistics/<game:ruleset_id>/left-out")
@shown_meanwhile
def left_out(ruleset_id: str) -> str:
    """The games that do not count because the rules disagree with their records."""
    of = inquiry(ruleset_id)
    games = games_left_out(book(), of.filter)
    found, more = requested_page("statistics.left_out", lambda after, limit: page_of_list(games, str, after, limit))
    return statistics_page("statistics/left_out.html", of, found=list(listed_games(of, found).values()), more=more)


# --- a club, a season ------------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/statistics")
def club_statistics(club_id: UUID) -> str:
    of = inquiry(club_id=club_id)
    with remember_answers(book()):
        return of_games(of, say("Statistics"))


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/statistics")
def season_statistics(club_id: UUID, season_id: str) -> str:
    of = inquiry(club_id=club_id, season_id=season_id)
    with remember_answers(book()):
        return of_games(of, say("Statistics"))


def of_games(of: Inquiry, heading: str) -> str:
    """Figures of a club's games, or of a season's."""
    assert of.club is not None
    questions = [Question(measure, cast(tuple[Split, ...], splits), of.filter) for measure, splits in OF_A_CLUB]
    answers: list[FigureAnswer] = [answer(of, question, plain_title(question)) for question in questions]
    answers += [named_table(of, name) for name in ("head_to_head", "streaks", "records")]
    found = [one for one in answers if one.table.rows]
    lead = most_telling(found)
    title = of.club.name if of.season is None else of.season.name
    preview_club_page(of.club, f"{title} – {heading}", say("Statistics of the games of {club}", club=of.club.name))
    template = "statistics/club.html" if of.season is None else "statistics/season.html"
    more = {} if of.season is None else {"season": of.season}
    return render_club_page(
        template,
        of.club,
        heading=heading,
        of=of,
        n=count_games(book(), of.filter),
        left_out=count_left_out(book(), of.filter),
        typed_in=figure_questions.count_typed_results(book(), of.filter),
        about=filter_text(of),
        said=statistics_words,
        all=ALL,
        games=[(ruleset_id, n) for ruleset_id, n in by_game(of) if n],
        lead=lead,
        answers=[one for one in found if one is not lead],
        luck=way_to_luck(of),
        why=[] if found else why_none(of),
        namesakes=has_namesakes(),
        **more,
    )
