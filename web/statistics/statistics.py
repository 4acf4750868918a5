"""Statistics pages: plain questions, figures that open their games, a question builder, and records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast
from uuid import UUID

import msgspec
from flask import Blueprint, abort, render_template, request, url_for
from werkzeug import Response

from daybook.domain.games import RULESETS
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.terms import TABLE
from daybook.services.counted import by_count
from daybook.services.paging import page_of_list
from daybook.services.statistics import figure_questions, play_splits, reports
from daybook.services.statistics.figure_questions import (
    SPLITS,
    FigureSource,
    Filter,
    InvalidQuestionError,
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
    MANY_GAMES,
    TABLES,
    FigureAnswer,
    answer_and_draw,
    answer_question,
    build_answer,
    build_named_table,
    file_of_table,
    most_telling,
    plain_title,
    preset_answers,
    question_query,
    row_label,
    split_presets,
)
from daybook.web.statistics.game_lists import MAX_GAMES_IN_FILE, ListedGame, list_sources, listed_games, sources_file
from daybook.web.statistics.inquiry import ALL_GAMES, Inquiry, filter_text, has_namesakes, names_for, requested_inquiry
from daybook.web.statistics.pictures import Rows, shorten_rows
from daybook.web.statistics.tiles import calendar_bars, club_tiles, game_tiles
from daybook.web.statistics.why_none import reasons_for_none
from daybook.web.words import N_, say, statistics_words
from daybook.web.words.league_words import person_name

page = Blueprint("statistics", __name__)

GAMES_PER_PAGE = 200
MAX_NAMED_GAMES = 60  # of sheets, most played first; anyone can make and name one
MAX_PAIRS = 2_000  # people that met, on a page with more statistics
MAX_LEAD_ROWS = 5  # of the first picture about a game of a club
OF_A_GAME = (("winners", N_("What winners do differently")), ("records", N_("Records")))
OF_A_CLUB: tuple[tuple[str, tuple[Split, ...], str], ...] = (
    ("place", ("person",), N_("Who wins more often than expected?")),
    ("place", ("seats", "seat"), N_("Does the first seat win more often?")),
    ("place", ("started",), N_("Does the starting player win more often?")),
    ("place", ("new",), N_("Who wins: new players, or those who know the game?")),
    ("place", ("role",), N_("Which role wins more often?")),
    ("score", ("person",), N_("Who scores how much?")),
    ("winning_score", ("ruleset",), N_("How much does it take to win?")),
    ("winning_margin", ("ruleset",), N_("How close are games?")),
    ("length", ("ruleset",), N_("How long does a game take?")),
    ("length", ("location",), N_("How long are games, by place?")),
)
NAMED_OF_A_CLUB = (("head_to_head", N_("Head to head")), ("streaks", N_("Runs of wins")), ("records", N_("Records")))
CALENDAR = "calendar"  # charts of plays by weekday, month, place and so on


@page.get("/statistics")
def statistics() -> str:
    """Show the most telling answer, and counted games by kind with links to their figures."""
    of = requested_inquiry()
    every = msgspec.structs.replace(of.filter, practice="yes")
    with remember_answers(book()):
        games = sorted(count_by_game(of), key=lambda row: -row[1])
        return render_statistics(
            "statistics/games.html",
            of,
            games=games[:MAX_NAMED_GAMES],
            more=len(games[MAX_NAMED_GAMES:]),
            lead=lead_of(of, *games[0]),
            with_practice=count_games(book(), every),
        )


def lead_of(scope: Inquiry, ruleset_id: str, n: int) -> FigureAnswer | None:
    """Return the most telling answer about one of the games."""
    about = msgspec.structs.replace(scope, filter=msgspec.structs.replace(scope.filter, ruleset=ruleset_id))
    return most_telling(preset_answers(about, split_presets(ruleset_id, n)[0])) if n else None


def luck_address(scope: Inquiry) -> str:
    """Return the address of luck and play in these games; "" if chances are off."""
    return scope.to("luck.luck") if book().settings.win_chances_seconds_per_day else ""


def count_by_game(scope: Inquiry) -> list[tuple[str, int]]:
    """Return the number of counted games per ruleset; sheets only if played, most played first."""
    played = dict(figure_questions.count_by_ruleset(book(), scope.filter))
    of_sheets = [(key, n) for key, n in played.items() if is_by_name(key)]
    return [*((ruleset_id, played.get(ruleset_id, 0)) for ruleset_id in RULESETS), *sorted(of_sheets, key=by_count)]


@page.get("/statistics/<game:ruleset_id>")
def game(ruleset_id: str) -> str:
    """Answer the plain questions about a game; complete figures have their own pages."""
    of = requested_inquiry(ruleset_id)
    with remember_answers(book()):
        n = count_games(book(), of.filter)
        now, later = split_presets(of.ruleset, n)
        few = bool(of.ruleset) and n <= MANY_GAMES
        winners = [build_named_table(of, "winners")] if few else []  # asks much: before anything is drawn
        answers = [*preset_answers(of, now), *(winner for winner in winners if winner.table.rows)]
        if few:
            answers += meetings_answer(of)
        lead = most_telling(answers)
        return render_statistics(
            "statistics/game.html",
            of,
            tiles=game_tiles(of),
            lead=lead if of.club is None else _first_rows_of(lead),
            answers=[answer for answer in answers if answer is not lead],
            later=[
                (
                    say(preset.says),
                    of.to("ask", **question_query(figure_questions.question_of_preset(preset, of.filter))),
                )
                for preset in later
            ],
            more=[
                *((say(says), of.to("table", name=name)) for name, says in OF_A_GAME if of.ruleset),
                *((say("Luck and play"), to) for to in [luck_address(of)] if to),
            ],
            with_practice=count_games(book(), msgspec.structs.replace(of.filter, practice="yes")),
        )


def _first_rows_of(answer: FigureAnswer | None) -> FigureAnswer | None:
    """Shorten the picture of an answer, so that the page fits on two screens of a phone."""
    if answer is None or not isinstance(answer.picture, Rows):
        return answer
    return msgspec.structs.replace(answer, picture=shorten_rows(answer.picture, MAX_LEAD_ROWS))


def meetings_answer(scope: Inquiry) -> list[FigureAnswer]:
    """Return the matrix of meetings, if there are few enough people."""
    if len(reports.head_to_head(book(), scope.filter).rows) > MAX_PAIRS:
        return []
    return [answer for answer in [build_named_table(scope, "head_to_head")] if answer.picture]


@page.get("/statistics/<game:ruleset_id>/<any(winners,records):name>")
def table(ruleset_id: str, name: str) -> str:
    """Show what winners do differently, or the records."""
    of = requested_inquiry(ruleset_id)
    if not of.ruleset:
        abort(404)
    with remember_answers(book()):
        return render_statistics("statistics/table.html", of, answer=build_named_table(of, name))


def render_statistics(template: str, scope: Inquiry, **more: Any) -> str:
    """Render a statistics page with the context that all of them need."""
    with remember_answers(book()):
        n, left_out = count_games(book(), scope.filter), count_left_out(book(), scope.filter)
    return render_template(
        template,
        of=scope,
        n=n,
        why=[] if n else reasons_for_none(scope),
        left_out=left_out,
        about=filter_text(scope),
        said=statistics_words,
        all=ALL_GAMES,
        person_name=person_name,
        season_path=season_path,
        namesakes=has_namesakes(),
        **more,
    )


# --- a question ------------------------------------------------------------------------------------------------------


@page.get("/statistics/<game:ruleset_id>/ask")
def ask(ruleset_id: str) -> str | tuple[str, int]:
    """Show the question builder with the answer to the requested question."""
    of = requested_inquiry(ruleset_id)
    found, more, wrong = None, "", ""
    every = {split for measure in measures(of.ruleset) for split in splits_of(measure, of.filter)}
    question = requested_question(of.filter)
    if question is not None:
        try:
            with remember_answers(book()):
                table, drawn = answer_and_draw(question)
                (shown,), more = requested_page("statistics.ask", partial(page_of_table, table))
                is_first = shown.rows[:1] == table.rows[:1]
                found = build_answer(of, question, plain_title(question), shown, drawn if is_first else None)
        except InvalidQuestionError:
            wrong = question_fault(question)
    body = render_statistics(
        "statistics/ask.html",
        of,
        answer=found,
        more=more,
        wrong=wrong,
        measures=measures(of.ruleset),
        splits=[SPLITS[split] for split in SPLITS if split in every],
        asked={name: request.args.get(name, "") for name in ("measure", "split", "then")},
    )
    return (body, 422) if wrong else body


def requested_question(games_filter: Filter) -> Question | None:
    """Return the question of the address, if any."""
    measure = request.args.get("measure", "")
    splits = [split for split in (request.args.get("split", ""), request.args.get("then", "")) if split]
    return Question(measure, cast(tuple[Split, ...], tuple(dict.fromkeys(splits))), games_filter) if measure else None


def question_fault(question: Question) -> str:
    """Return why a question cannot be answered, with the possible ways to split its measure."""
    try:
        measure = statistics_words.measure_named(question.filter.ruleset, question.measure)
    except KeyError:
        return say("There is no figure with that name. Choose one.")
    possible = ", ".join(say(SPLITS[split].says) for split in splits_of(measure, question.filter))
    return say("“{measure}” can be split by one or two of: {splits}.", measure=say(measure.says), splits=possible)


def require_question(scope: Inquiry) -> Question:
    """Return the question of the address; 404 without a valid one."""
    question = requested_question(scope.filter)
    try:
        measure_of(question) if question else abort(404)
    except InvalidQuestionError:
        abort(404)
    return cast(Question, question)


@page.get("/statistics/<game:ruleset_id>/ask.<any(csv,json):kind>")
def ask_file(ruleset_id: str, kind: str) -> Response:
    of = requested_inquiry(ruleset_id)
    question = require_question(of)
    return file_of_table(of, figure_questions.compute_table(book(), question), kind, f"{ruleset_id}-{question.measure}")


@page.get("/statistics/<game:ruleset_id>/<any(winners,records,head_to_head,streaks):name>.<any(csv,json):kind>")
def table_file(ruleset_id: str, name: str, kind: str) -> Response:
    of = requested_inquiry(ruleset_id)
    try:
        table = TABLES[name](book(), of.filter)
    except InvalidQuestionError:
        abort(404)
    return file_of_table(of, table, kind, f"{ruleset_id}-{name}")


# --- the games behind a figure ---------------------------------------------------------------------------------------


@page.get("/statistics/<game:ruleset_id>/games")
def games(ruleset_id: str) -> str:
    """Show the games behind a row, largest value first."""
    of = requested_inquiry(ruleset_id)
    question = require_question(of)
    measure, key = measure_of(question), request.args.get("key", "")
    found = list_sources(of, requested_sources(question, key, GAMES_PER_PAGE))
    return render_statistics(
        "statistics/behind.html",
        of,
        measure=measure,
        found=found,
        limit=GAMES_PER_PAGE,
        row=row_title(of, question, key),
        back=of.to("ask", **question_query(question)),
        names=names_for(of, (row.person for row, _ in found)),
        TABLE=TABLE,
        files=[
            (kind.upper(), of.to("games_file", kind=kind, key=key or None, **question_query(question)))
            for kind in ("csv", "json")
        ],
    )


@page.get("/statistics/<game:ruleset_id>/games.<any(csv,json):kind>")
def games_file(ruleset_id: str, kind: str) -> Response:
    of = requested_inquiry(ruleset_id)
    question = require_question(of)
    found = requested_sources(question, request.args.get("key", ""), MAX_GAMES_IN_FILE)
    return sources_file(
        of, list_sources(of, found), measure_of(question), kind, f"{ruleset_id}-{question.measure}-games"
    )


def requested_sources(question: Question, key: str, limit: int) -> list[FigureSource]:
    """Return the games behind a row; 404 for an unknown row."""
    try:
        return games_behind(book(), question, key, limit)
    except InvalidQuestionError:
        abort(404)


def row_title(scope: Inquiry, question: Question, key: str) -> str:
    """Return the label of a row's key."""
    return row_label(scope, question, key) if key else ""


@page.get("/statistics/<game:ruleset_id>/meetings")
def meetings(ruleset_id: str) -> str:
    """Show the games in which two people met, newest first."""
    of = requested_inquiry(ruleset_id)
    found, one, other = requested_meetings(of)
    names = names_for(of, [one, other] if found else [])
    return render_statistics(
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
    of = requested_inquiry(ruleset_id)
    return game_lists.games_file(
        of, requested_meetings(of)[0], "meetings", "Games together", kind, f"{ruleset_id}-games-together"
    )


def requested_meetings(scope: Inquiry) -> tuple[list[ListedGame], str, str]:
    """Return the games in which the two people of the address met, and the people; 404 without them."""
    one, other = request.args.get("one", ""), request.args.get("other", "")
    ids = reports.games_of_pair(book(), scope.filter, one, other) if one and other else abort(404)
    return list(listed_games(scope, reversed(ids)).values()), one, other


@page.get("/statistics/<game:ruleset_id>/left-out")
def left_out(ruleset_id: str) -> str:
    """Show the games that do not count because the rules disagree with their records."""
    of = requested_inquiry(ruleset_id)
    games = games_left_out(book(), of.filter)
    found, more = requested_page("statistics.left_out", lambda after, limit: page_of_list(games, str, after, limit))
    return render_statistics("statistics/left_out.html", of, found=list(listed_games(of, found).values()), more=more)


# --- a club, a season ------------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/statistics")
def club_statistics(club_id: UUID) -> str:
    of = requested_inquiry(club_id=club_id)
    with remember_answers(book()):
        return render_overview(of, say("Statistics"))


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/statistics")
def season_statistics(club_id: UUID, season_id: str) -> str:
    of = requested_inquiry(club_id=club_id, season_id=season_id)
    with remember_answers(book()):
        return render_overview(of, say("Statistics"))


def overview_answers(scope: Inquiry) -> Iterator[tuple[str, str, Callable[[], FigureAnswer]]]:
    """Yield the key, the title and the way to the answer of each question about a club."""
    offered = {*SPLITS} - {*play_splits.SPLITS} | {
        *play_splits.offered(scope.filter.club, scope.filter.shows_days_only)
    }
    for measure, splits, says in OF_A_CLUB:
        if offered.issuperset(splits):
            question = Question(measure, splits, scope.filter)
            yield "_".join((measure, *splits)), say(says), partial(answer_question, scope, question, say(says))
    for name, says in NAMED_OF_A_CLUB:
        yield name, say(says), partial(build_named_table, scope, name)


def opening_address(scope: Inquiry, key: str) -> str:
    """Return the address of the page with one more answer."""
    narrowed = {name: value for name, value in scope.address().items() if name in ("person", "seats", "since", "until")}
    return url_for(str(request.endpoint), **(request.view_args or {}), **narrowed, open=key) + "#opened"


def render_overview(scope: Inquiry, heading: str) -> str:
    """Show figures of a club's or season's games."""
    assert scope.club is not None
    n, opened = count_games(book(), scope.filter), request.args.get("open", "")
    answers, folded = list[FigureAnswer](), list[tuple[str, str]]()
    for key, says, answer in overview_answers(scope):
        if n <= MANY_GAMES or key in ("place_person", opened):
            answers.append(answer())
        else:
            folded.append((says, opening_address(scope, key)))
    calendar = calendar_bars(scope) if n <= MANY_GAMES or opened == CALENDAR else []
    if n > MANY_GAMES and not calendar:
        folded.append((say("When and where the club plays"), opening_address(scope, CALENDAR)))
    found = [answer for answer in answers if answer.table.rows]
    lead = most_telling(found)
    title = scope.club.name if scope.season is None else scope.season.name
    preview_club_page(
        scope.club, f"{title} – {heading}", say("Statistics of the games of {club}", club=scope.club.name)
    )
    template = "statistics/club.html" if scope.season is None else "statistics/season.html"
    more = {} if scope.season is None else {"season": scope.season}
    return render_club_page(
        template,
        scope.club,
        heading=heading,
        of=scope,
        tiles=club_tiles(scope),
        calendar=calendar,
        folded=folded,
        opened=opened if n > MANY_GAMES else "",
        n=n,
        left_out=count_left_out(book(), scope.filter),
        typed_in=figure_questions.count_typed_results(book(), scope.filter),
        about=filter_text(scope),
        said=statistics_words,
        all=ALL_GAMES,
        games=sorted(((ruleset_id, n) for ruleset_id, n in count_by_game(scope) if n), key=lambda row: -row[1]),
        lead=_first_rows_of(lead),
        answers=[answer for answer in found if answer is not lead],
        luck=luck_address(scope),
        why=[] if found else reasons_for_none(scope),
        namesakes=has_namesakes(),
        **more,
    )
