"""The replay: a game step by step, with the board, the ledger, charts, and the reasons of each step."""

from __future__ import annotations

import gzip
import hashlib
import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from threading import Lock
from typing import Any
from uuid import UUID

import msgspec
from cachetools import LRUCache
from flask import Blueprint, Flask, abort, current_app, redirect, render_template, request, url_for
from flask_babel import get_locale
from markupsafe import Markup
from werkzeug import Response

from daybook.domain import commands
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Reason, Seat, Verdict
from daybook.domain.kernel.unique_keys import load_json
from daybook.domain.sealed_entries import leaves_sealed, sealed_places
from daybook.services.csv_files import Cell, write_csv
from daybook.services.permissions.actions import may
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.permissions.visits import Visit
from daybook.services.play.replay import (
    GameShown,
    StepShown,
    build_header,
    closed_kinds,
    judge_decision,
    legal_decisions,
    position_at,
    steps_by_number,
)
from daybook.web.boards import charts, table_privacy
from daybook.web.boards.table_privacy import TablePrivacy, columns_shown
from daybook.web.replay import ledger
from daybook.web.replay.bars import ScoreBar, build_bars, is_counted_at_end
from daybook.web.replay.ending import Ending, ending_of
from daybook.web.replay.filmstrips import MAX_FILMSTRIPS, Filmstrip, Filmstrips
from daybook.web.replay.ledger import LedgerRow
from daybook.web.replay.reveals import MAX_STEPS_SEARCHED, REVEALED_FOR, Reveal, current_reveal, is_within, may_reveal
from daybook.web.replay.turning_points import MomentShown, describe_moments
from daybook.web.request.access import book, visit_game
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import parse_number
from daybook.web.request.lists import rows_from
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_response
from daybook.web.request.sharing import preview_game, preview_step, title_at_end
from daybook.web.request.template_globals import capitalize_first
from daybook.web.words import GAMES, column_label, column_value, is_score_pad, say, sentence, value_at_place, with_sign
from daybook.web.words.game_words import CountedLine
from daybook.web.words.places import label_on_board
from daybook.web.words.seat_marks import seat_letter_of

page = Blueprint("replay", __name__)

STRETCH_STEPS = 40  # drawn and sent together
NEAR_STEPS = 20  # before and after the current step: the page has the ledger rows of the stretches that contain them

ANSWER_CACHE_BYTES = 64 * 1024 * 1024  # compressed
SPECTATOR = "spectator"


def reset_caches(app: Flask) -> None:
    """Start with empty caches of filmstrips and answers."""
    app.extensions["filmstrips"] = Filmstrips(MAX_FILMSTRIPS)
    app.extensions["replay_answers"] = Answers(ANSWER_CACHE_BYTES)


# --- sights ----------------------------------------------------------------------------------------------------------


def sight_code(sight: Sight) -> str:
    """Return the code of a sight in addresses: all, spectator, or a seat number."""
    if sight is None:
        return SPECTATOR
    return "all" if sight == EVERYTHING else str(sight)


def requested_sight(visit: Visit) -> Sight:
    """Return the sight in the address, else the fullest; 403 if not permitted."""
    view = request.args.get("view")
    if not view:
        return visit.sight
    matching = [sight for sight in visit.sights if sight_code(sight) == view]
    if not matching:
        abort(403, "sight")
    return matching[0]


def sight_label(sight: Sight, names: Sequence[str]) -> str:
    if sight == EVERYTHING:
        return say("everything")
    return say("as a spectator") if sight is None else say("as {name}", name=names[sight])


# --- the page --------------------------------------------------------------------------------------------------------


@page.get("/games/<uuid:game_id>")
def replay(game_id: UUID) -> Response | str:
    visit = visit_game(game_id)
    view = request.args.get("view", "")
    if view and view not in map(sight_code, visit.sights):  # a link passed on by someone with fuller sight
        return redirect(url_for(".replay", game_id=game_id, step=request.args.get("step")))
    preview_game(visit)
    with filmstrip_of(visit, requested_sight(visit)) as (head, filmstrip):
        step = requested_step(visit.game, filmstrip.newest)
        moments = describe_moments(filmstrip)
        there, row = find_stops(filmstrip, moments), row_of(filmstrip, step)
        end = ending_of(visit, filmstrip, moments)
        preview_step(visit, step, end.says if end and step == end.step else step_in_short(filmstrip, row))
        return render_template(
            "replay.html",
            visit=visit,
            game=head,
            filmstrip=filmstrip,
            scene=filmstrip.scene,
            step=step,
            title_at_end=title_at_end(visit),
            row=row,
            moves=navigation_targets(filmstrip, step, there),
            stops=there,
            moments=moments,
            stretch_steps=STRETCH_STEPS,
            near_steps=NEAR_STEPS,
            stops_json=msgspec.json.encode(there).decode(),
            frame=filmstrip.board_at(step, filmstrip.focus_at(step)),
            strip=filmstrip.strip_at(step),
            rows=rows_html(filmstrip, row, view),
            charts=build_charts(filmstrip),
            bars=build_bars_shown(filmstrip, visit.game),
            columns=filmstrip.ledger,
            sights=[(sight_code(sight), sight_label(sight, filmstrip.scene.names)) for sight in visit.sights],
            view=sight_code(filmstrip.scene.sight),
            explicit=bool(view),
            seats=range(len(filmstrip.scene.names)),
            chances_at=chances_address(visit),
            end=end,
            reveal=_newest_reveal(visit),
            mine=next(iter(visit.own_seats), None),
            records=may_record(visit),
            hangs=table_privacy.veil_in_force(visit.game) is not None,
            any_struck=any(step.taken_back_by is not None for step in filmstrip.steps),
        )


def _newest_reveal(visit: Visit) -> Reveal | None:
    """Return the newest full-screen moment of the last minutes, for spectators; None if there was none."""
    game, sight = visit.game, requested_sight(visit)
    if not is_within(game.entries[-1].event.at, REVEALED_FOR):
        return None
    newest = steps_by_number(game, sight, max(-1, game.step - MAX_STEPS_SEARCHED))
    privacy = privacy_through(visit, sight)
    return current_reveal(game, position_at(game, None, sight), newest, visit.names, privacy)


@contextmanager
def filmstrip_of(visit: Visit, sight: Sight) -> Iterator[tuple[GameShown, Filmstrip]]:
    """Yield a game's header and its filmstrip, extended to the newest step."""
    filmstrips: Filmstrips = current_app.extensions["filmstrips"]
    game, base = visit.game, url_for("replay.replay", game_id=visit.game.id)
    privacy = privacy_through(visit, sight)
    with filmstrips.newest_of(game, visit.names, visit.writers, sight, base, privacy, visit.delay_seconds) as filmstrip:
        yield build_header(game, visit.kept), filmstrip


def ending_for_page(visit: Visit) -> Ending | None:
    """Return the ending for a page without a replay."""
    with filmstrip_of(visit, visit.sight) as (_, filmstrip):
        return ending_of(visit, filmstrip, describe_moments(filmstrip))


def privacy_through(visit: Visit, sight: Sight) -> TablePrivacy:
    """Return what is hidden through a sight; a seat sees its own figures."""
    return table_privacy.privacy_for(visit.game, () if sight is None or sight < 0 else (sight,), visit.unveiled)


def chances_address(visit: Visit) -> str:
    """Return the address of a game's win chances; "" if there are none."""
    reckoned = "chances" in current_app.blueprints and book().settings.win_chances_seconds_per_day
    ended = not visit.game.is_at_table and visit.game.status != "abandoned"
    return url_for("chances.band", game_id=visit.game.id) if reckoned and ended else ""


def may_record(visit: Visit) -> bool:
    """Check if the visitor may record and the game is not a finished practice game."""
    over = visit.game.opening.kind == "practice" and not visit.running
    return not over and bool(may(visit, commands.Note))


def requested_step(game: Game, newest: int) -> int:
    """Return the step in the address, or the newest; 404 if invalid."""
    sent = request.args.get("step", "")
    if not sent:
        return newest
    step = parse_number(sent)
    if step is None or not 0 <= step <= newest:
        raise NoSuchStepError(game)
    return step


def rows_html(filmstrip: Filmstrip, row: LedgerRow, view: str) -> list[tuple[str, Markup]]:
    """Render ledger rows by period, with the current step marked.

    For a long record only rows near the step; links lead to the others, which load with the drawings of their stretch.
    """
    end_of_rows = filmstrip.newest + 1
    near = rows_near(filmstrip, row.step)
    rows = filmstrip.rows(view, near)
    rows[row.step - near.start] = filmstrip.row(row, view, is_current=True)
    starts = [0, *(number for number, heading in filmstrip.headings if number)]
    names = dict(filmstrip.headings)
    found = []
    for start, end in zip(starts, [*starts[1:], end_of_rows], strict=True):
        shown = []
        cuts = [start, *range(start - start % STRETCH_STEPS + STRETCH_STEPS, end, STRETCH_STEPS), end]
        for first, after in pairwise(cuts):
            if first in near:
                shown += rows[first - near.start : after - near.start]
            else:
                shown.append(filmstrip.row_unsent(first, after - 1, first if first > row.step else after - 1, view))
        found.append((names.get(start, ""), Markup("\n".join(shown))))
    return found


def rows_near(filmstrip: Filmstrip, step: int) -> range:
    """Return the steps of the ledger rows on a step's page: whole stretches."""
    end_of_rows = filmstrip.newest + 1
    if is_sent_whole(filmstrip):
        return range(end_of_rows)
    first, last = max(0, step - NEAR_STEPS), step + NEAR_STEPS
    return range(first - first % STRETCH_STEPS, min(end_of_rows, last - last % STRETCH_STEPS + STRETCH_STEPS))


def is_sent_whole(filmstrip: Filmstrip) -> bool:
    """Check if a step's page contains every ledger row."""
    return filmstrip.newest <= 2 * STRETCH_STEPS


def row_of(filmstrip: Filmstrip, step: int) -> LedgerRow:
    return filmstrip.ledger_rows([step])[0]


def step_in_short(filmstrip: Filmstrip, row: LedgerRow) -> str:
    """Summarize a step; for automatic actions with cause and notes."""
    says = [sentence.says for sentence in row.told]
    account = filmstrip.account_at(row.step)
    if account is not None:
        says = [capitalize_first(account.card.heading), *says[: account.decided], *account.card.notes]
    return ". ".join(says)


# --- where one can go ------------------------------------------------------------------------------------------------


class Stops(Frozen):
    """The steps that a viewer can go to, as the browser has them too.

    Args:
        turns: the first steps of turns.
        periods: the first steps of periods, with their names.
        moments: steps with a moment, and what happened.
        seats: the seat of each step.
        struck: steps that do not count, and those that took others back; moves pass them over.
    """

    turns: list[int]
    periods: list[tuple[int, str]]
    moments: list[tuple[int, str]]
    seats: list[Seat | None]
    struck: list[int]


def find_stops(filmstrip: Filmstrip, moments: Sequence[MomentShown]) -> Stops:
    """Return the steps that buttons lead to. The turns of a score sheet are its rounds, each at its end."""
    counted = filmstrip.counted_steps()
    numbers = {step.step for step in counted}
    if filmstrip.is_read_by_round:
        turns = [step.step for step in filmstrip.scored_steps()]
    else:
        turns = [0] + [now.step for was, now in pairwise(counted) if was.marks.get("turn") != now.marks.get("turn")]
    return Stops(
        turns,
        ledger.period_starts(filmstrip.scene.ruleset, counted, filmstrip.periods),
        [(moment.step, moment.says) for moment in moments],
        [step.seat for step in filmstrip.steps],
        [step.step for step in filmstrip.steps if step.step not in numbers],
    )


class NavigationTargets(Frozen):
    """Steps that the navigation buttons lead to; None disables one."""

    first: int | None
    period_back: int | None
    turn_back: int | None
    back: int | None
    forward: int | None
    turn_forward: int | None
    period_forward: int | None
    last: int | None
    moment: int | None
    next_of: dict[Seat, int | None]


def navigation_targets(filmstrip: Filmstrip, step: int, stops: Stops) -> NavigationTargets:
    periods = [at for at, _ in stops.periods]
    last, struck = filmstrip.newest, {*stops.struck}
    counted = [at for at in range(last + 1) if at not in struck or at == last]
    return NavigationTargets(
        first=0 if step else None,
        last=last if step < last else None,
        back=_last_before(counted, step),
        forward=_first_after(counted, step),
        turn_back=_last_before(stops.turns, step),
        turn_forward=_first_after(stops.turns, step),
        moment=_first_after([at for at, _ in stops.moments], step),
        period_back=_last_before(periods, step),
        period_forward=_first_after(periods, step),
        next_of={
            seat: next((at for at in counted if at > step and stops.seats[at] == seat), None)
            for seat in range(len(filmstrip.scene.names))
        },
    )


def _last_before(steps: Sequence[int], step: int) -> int | None:
    place = bisect_left(steps, step)
    return steps[place - 1] if place else None


def _first_after(steps: Sequence[int], step: int) -> int | None:
    place = bisect_right(steps, step)
    return steps[place] if place < len(steps) else None


# --- charts and figures ----------------------------------------------------------------------------------------------


class ChartShown(Frozen):
    """Chart with its question and its last figures in words.

    Args:
        leads: it shows who is ahead.
    """

    chart: charts.LineChart
    title: str
    says: str
    leads: bool


def build_charts(filmstrip: Filmstrip) -> list[ChartShown]:
    """Build a chart of each visible column: money first, then the ledger's others."""
    shown, money = filmstrip.ledger, GAMES[filmstrip.scene.ruleset].ledger.money
    columns = columns_shown(filmstrip.columns, filmstrip.scene.unshown)
    return [
        _build_chart(filmstrip, column)
        for column in sorted(columns, key=lambda name: (name not in shown, name not in money))
    ]


def build_bars_shown(filmstrip: Filmstrip, game: Game) -> list[ScoreBar]:
    """Build the bars that replace the charts of a game that is counted once at the end."""
    return build_bars(game, filmstrip.newest, filmstrip.scene.names) if is_counted_at_end(filmstrip) else []


def _build_chart(filmstrip: Filmstrip, column: str) -> ChartShown:
    game, leads = filmstrip.scene.ruleset, column == filmstrip.columns[-1]
    if leads:
        title = say("Who was ahead, and when?")
        if filmstrip.lowest_wins:
            title += f" ({say('the lowest score wins')})"
    else:
        title = say("Who had how much, and when: {column}", column=column_label(game, column))
    last = filmstrip.steps[-1].columns[column]
    says = ", ".join(
        f"{name} {column_value(game, column, value)}" for name, value in zip(filmstrip.scene.names, last, strict=True)
    )
    return ChartShown(filmstrip.chart(column), title, f"{title} {says}", leads)


@page.get("/games/<uuid:game_id>/figures")
@takes_long("GET")
def figures(game_id: UUID) -> str:
    """Show every column after every step that changed one, as a table in pages."""
    visit = visit_game(game_id)
    with filmstrip_of(visit, requested_sight(visit)) as (head, filmstrip):
        columns = columns_shown(filmstrip.columns, filmstrip.scene.unshown)
        changed = [
            step
            for step in filmstrip.steps
            if not step.step
            or any(step.columns[column] != filmstrip.steps[step.step - 1].columns[column] for column in columns)
        ]
        steps, more = rows_from("replay.figures", changed, lambda step: str(step.step))
        return render_template(
            "replay_figures.html",
            game=head,
            filmstrip=filmstrip,
            steps=steps,
            more=more,
            scene=filmstrip.scene,
            view=request.args.get("view", ""),
            columns=columns,
            hangs=table_privacy.veil_in_force(visit.game) is not None,
        )


@page.get("/games/<uuid:game_id>/figures.csv")
@takes_long("GET")
def figures_csv(game_id: UUID) -> Response:
    """Return the figures as CSV."""
    visit = visit_game(game_id)
    with filmstrip_of(visit, requested_sight(visit)) as (_, filmstrip):
        letters = [seat_letter_of(seat) for seat in range(len(filmstrip.scene.names))]
        columns = columns_shown(filmstrip.columns, filmstrip.scene.unshown)
        header = ["step", "period", *(f"{column} {letter}" for column in columns for letter in letters), "undone_by"]
        rows: list[list[Cell]] = [
            [
                step.step,
                ledger.period_label(filmstrip.scene.ruleset, step.marks, filmstrip.periods),
                *(value for column in columns for value in step.columns[column]),
                step.taken_back_by,
            ]
            for step in filmstrip.steps
        ]
    return file_response(write_csv(header, rows), f"{game_id}-figures.csv", "text/csv")


# --- the steps, in stretches -----------------------------------------------------------------------------------------


class Answers:
    """Packed answers by their mark, the most recent ones."""

    def __init__(self, bytes_limit: int) -> None:
        self._answers: LRUCache[tuple[Any, ...], bytes] = LRUCache(bytes_limit, len)
        self._lock = Lock()

    def get(self, key: tuple[Any, ...]) -> bytes | None:
        with self._lock:
            return self._answers.get(key)

    def keep(self, key: tuple[Any, ...], packed: bytes) -> bytes:
        """Store an answer unless it is too large, and return it."""
        if len(packed) <= self._answers.maxsize:
            with self._lock:
                self._answers[key] = packed
        return packed

    def forget(self) -> None:
        with self._lock:
            self._answers.clear()


@page.get("/games/<uuid:game_id>/replay.json")
def steps(game_id: UUID) -> Response:
    """Return the steps of a stretch as the viewer sees them, or those after `after`, with redrawn parts and changes.

    A stretch begins at `from`, by default at step 0.
    """
    visit = visit_game(game_id)
    game = visit.game
    sight, view = requested_sight(visit), request.args.get("view", "")
    after = parse_number(request.args.get("after", ""))
    if request.args.get("after") and (after is None or after < 0):
        abort(400)
    after = after and min(after, game.step)  # later steps do not exist, and one cached answer serves all
    first = parse_number(request.args.get("from", "0"))
    if first is None or first % STRETCH_STEPS or not 0 <= first <= game.step:
        abort(400)
    steps = (
        range(first, min(first + STRETCH_STEPS, game.step + 1)) if after is None else range(after + 1, game.step + 1)
    )
    head = build_header(game, visit.kept)
    key = (
        game.id,
        game.step,
        game.seal,
        sight_code(sight),
        view,
        steps,
        after,
        str(get_locale()),
        msgspec.json.encode(head.seats),
        tuple(sorted(visit.writers.items())),
        privacy_through(visit, sight),
    )
    answer = Response(mimetype="application/json")
    answer.set_etag(_digest(key), weak=True)
    answer.vary.update(["Cookie", "Accept-Encoding", "Accept-Language"])
    if request.if_none_match.contains_weak(answer.get_etag()[0] or ""):
        answer.status_code = 304
        return answer
    answer.data = _steps_packed(visit, sight, view, steps, after, key)
    if request.accept_encodings.quality("gzip"):
        answer.headers["Content-Encoding"] = "gzip"
    else:
        answer.data = gzip.decompress(answer.data)
    return answer


def _steps_packed(
    visit: Visit, sight: Sight, view: str, steps: range, after: int | None, key: tuple[Any, ...]
) -> bytes:
    answers: Answers = current_app.extensions["replay_answers"]
    if (found := answers.get(key)) is not None:
        return found
    with filmstrip_of(visit, sight) as (_, filmstrip):  # many ask at once when a step is new: one of them packs it
        return answers.get(key) or answers.keep(
            key, gzip.compress(_steps_json(visit.game, filmstrip, view, steps, after), 5, mtime=0)
        )


def _steps_json(game: Game, filmstrip: Filmstrip, view: str, steps: range, after: int | None) -> bytes:
    """Return the steps for the replay's script.

    Returns:
        html: each drawing once. steps: for each step [part -> place in html, place on the board -> mark]. The first
        step of a stretch has every part, other steps those that they redrew.
    """
    drawn = [filmstrip.draw_step(step) for step in steps]
    marks = [step.marks for step in drawn]
    drawings = [step.redrawn for step in drawn]
    if after is None:
        drawings[0] = drawn[0].parts
    parts = dict.fromkeys(part for drawing in drawings for part in drawing)  # similar drawings are next to each other
    html: dict[str, int] = {}
    for part in parts:
        for drawing in drawings:
            if part in drawing:
                html.setdefault(drawing[part].html, len(html))
    places = [{part: html[version.html] for part, version in drawing.items()} for drawing in drawings]
    answer: dict[str, Any] = {
        "first": steps.start,
        "newest": filmstrip.newest,
        "html": list(html),
        "steps": [*zip(places, marks, strict=True)],
    }
    if after is None:
        answer["rows"] = {} if is_sent_whole(filmstrip) else dict(zip(steps, filmstrip.rows(view, steps), strict=True))
    else:
        struck = [step.step for step in filmstrip.steps[: steps.start] if (step.taken_back_by or 0) > after]
        changed = [*struck, *steps]
        answer["rows"] = dict(zip(changed, filmstrip.rows(view, changed), strict=True))
        found = describe_moments(filmstrip)
        answer["stops"] = there = find_stops(filmstrip, found)
        answer["charts"] = _charts_html(filmstrip, there, found, game)
        moments = GAMES[game.ruleset.id].reveals
        answer["reveals"] = any(may_reveal(entry.event, moments) for entry in game.entries[steps.start :])
        answer["over"] = game.status != "abandoned" and game.ruleset.scoring.outcome(game.board) is not None
    return msgspec.json.encode(answer)


def _charts_html(filmstrip: Filmstrip, stops: Stops, moments: Sequence[MomentShown], game: Game) -> str:
    return render_template(
        "replay_charts.html",
        charts=build_charts(filmstrip),
        bars=build_bars_shown(filmstrip, game),
        scene=filmstrip.scene,
        step=filmstrip.newest,
        stops=stops,
        moments=moments,
    )


def _digest(key: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:32]


# --- why -------------------------------------------------------------------------------------------------------------


class Option(Frozen):
    """A decision that was legal: what it says, and its plain form for the address."""

    label: str
    plain: str


@page.get("/games/<uuid:game_id>/why")
def why(game_id: UUID) -> str:
    """Explain a step: effects by rule, checks of the decision, and legal alternatives."""
    visit = visit_game(game_id)
    game, sight = visit.game, requested_sight(visit)
    with filmstrip_of(visit, sight) as (head, filmstrip):
        shown = filmstrip.steps[requested_step(game, game.step)]  # another request may have extended it meanwhile
        seat, decision = shown.seat, requested_decision()
        sees = sight in (EVERYTHING, seat) and seat is not None
        chooses = sees and not is_score_pad(filmstrip.scene.ruleset)  # figures that are typed have no alternatives
        if decision is not None and not sees:
            abort(403, "sight")
        told = seat is not None and (sees or shown.type == "decision_recorded")
        return render_template(
            "replay_why.html",
            visit=visit,
            game=head,
            filmstrip=filmstrip,
            scene=filmstrip.scene,
            shown=shown,
            row=row_of(filmstrip, shown.step),
            changes=board_changes(game, filmstrip, shown),
            counted=counted_lines(game, filmstrip, shown),
            asked=decision,
            view=request.args.get("view", ""),
            verdicts=judge_at_step(game, shown.step, seat, decision, sight) if told and seat is not None else [],
            options=legal_options(game, filmstrip, shown.step, seat) if chooses else [],
            closed=closed_to(game, shown.step, seat, sight) if chooses else [],
        )


def counted_lines(game: Game, filmstrip: Filmstrip, shown: StepShown) -> list[CountedLine]:
    """Return the calculated lines that a step's decision changes, for games that cover nothing."""
    event = game.entries[shown.step].event
    if shown.seat is None or not isinstance(event, DecisionRecorded) or game.ruleset.secrecy.hides_something:
        return []
    try:
        decision = game.ruleset.decision(event.decision)
    except msgspec.ValidationError:  # today's rules cannot read an imported record
        return []
    counted = GAMES[filmstrip.scene.ruleset].score.counted
    return counted(game.board_at(shown.step), shown.seat, decision, filmstrip.scene.names)


def requested_decision() -> dict[str, Any] | None:
    """Return the decision in the address as JSON; 400 if invalid."""
    sent = request.args.get("decision", "")
    if not sent:
        return None
    try:
        decision = load_json(sent)
    except (ValueError, RecursionError):
        abort(400)
    if not isinstance(decision, dict):
        abort(400)
    return decision


def judge_at_step(game: Game, step: int, seat: Seat, alternative: dict[str, Any] | None, sight: Sight) -> list[Verdict]:
    """Return the checks of the step's decision, or of another one at that moment."""
    event = game.entries[step].event
    decision = alternative if alternative is not None or not isinstance(event, DecisionRecorded) else event.decision
    assert decision is not None
    return judge_decision(game, game.parents[step], seat, decision, sight)


def legal_options(game: Game, filmstrip: Filmstrip, step: int, seat: Seat | None) -> list[Option]:
    """Return the legal decisions of the step's seat; none for facts of the table."""
    if seat is None or seat == TABLE:
        return []
    return [
        Option(
            sentence(filmstrip.scene.ruleset, plain, filmstrip.scene.names), json.dumps(plain, separators=(",", ":"))
        )
        for plain in legal_decisions(game, game.parents[step], seat, filmstrip.scene.sight)
    ]


def closed_to(game: Game, step: int, seat: Seat | None, sight: Sight) -> list[tuple[str, str, Reason]]:
    """Return kinds of decision that were closed to the seat, with the reason. Facts of the table are left out."""
    if seat is None or seat == TABLE:
        return []
    closed = closed_kinds(game, seat, game.parents[step], sight)
    return [(kind, rule, reason) for kind, rule, reason in closed if rule != game.ruleset.catalogue]


class PlaceChange(Frozen):
    """One place on the board, before and after."""

    label: str
    before: str
    after: str


def board_changes(game: Game, filmstrip: Filmstrip, shown: StepShown) -> list[PlaceChange]:
    """Return the step's changes of places that the game can name."""
    changes, scene = [], filmstrip.scene
    sealed = sealed_places(game, game.board_at(shown.step)) if leaves_sealed(game, shown.step) else ()
    figures = GAMES[scene.ruleset].figures
    for path, (before, after) in shown.changes.items():
        if figures is not None and path in figures.unlisted:
            continue
        if path in sealed:  # the sentence of the step says what it was, once it is revealed
            continue
        label = label_on_board(game, path, scene.names)
        if label is None:
            continue
        if scene.unshown.hides_place(path):
            changes.append(PlaceChange(label, "–", with_sign(after - before)))
            continue
        was, now = (value_at_place(scene.ruleset, path, value, scene.names) for value in (before, after))
        changes.append(PlaceChange(label, was, now))
    return [*changes, *derived_changes(game, filmstrip, shown)]


def derived_changes(game: Game, filmstrip: Filmstrip, shown: StepShown) -> Iterator[PlaceChange]:
    """Yield changes of figures that follow from open places: levels, prices, crates on display."""
    scene = filmstrip.scene
    figures, parent = GAMES[scene.ruleset].figures, game.parents[shown.step]
    if figures is None or not shown.step or not shown.changes:
        return
    documents = game.document_at(parent), game.document_at(shown.step)
    for path in figures.derived(scene.table):
        was, now = (figures.number_at(document, scene.table, path.split("/")[1:]) for document in documents)
        label = label_on_board(game, path, scene.names)
        if was != now and label and was is not None and now is not None:
            yield PlaceChange(label, *(value_at_place(scene.ruleset, path, n, scene.names) for n in (was, now)))
