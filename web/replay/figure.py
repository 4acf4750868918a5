"""The history of a figure: the steps that changed it, with the cause and the amounts before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, render_template, request

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document, fold, is_at, plain, value_at
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, as_points, is_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Seat
from daybook.domain.sealed_entries import leaves_sealed
from daybook.services.permissions.sights import hides_nothing
from daybook.services.play.period_scores import score_sheets
from daybook.services.play.replay import StepShown, opening_document
from daybook.web import words
from daybook.web.boards import table_privacy
from daybook.web.boards.pen import BRIEF
from daybook.web.replay import ledger
from daybook.web.replay.figure_changes import ExplainedFigure, explain_figure
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.replay.replay import counted_lines, filmstrip_of, requested_sight, requested_step
from daybook.web.request.access import book, visit_game
from daybook.web.request.long_work import takes_long
from daybook.web.request.template_globals import capitalize_first
from daybook.web.words import Names, say
from daybook.web.words.figure_words import FigureWords
from daybook.web.words.game_words import CountedLine
from daybook.web.words.places import label_on_board

page = Blueprint("figure", __name__)

SCORE = "score"  # the column of every game that decides it
MAX_PATH = 200  # characters in the address
MAX_OPEN_ROWS = 8  # of a history; older ones are folded into one row


class Place(Frozen):
    """A figure of a column, any place on the board, or a figure that the board only shows.

    Args:
        path: on the board, or "/columns/money/0".
        seat: whose figure it is, if the path names a seat.
        part: the part of the drawing that shows the figure, if the board does not hold it.
    """

    path: str
    label: str
    column: str = ""
    seat: Seat | None = None
    part: str = ""


class FigurePart(Frozen):
    """A part of a change.

    Args:
        by: its amount with its sign, "" if it has none.
        rule: that caused it.
    """

    says: str
    by: str = ""
    rule: str = ""


class FigureStep(Frozen):
    """A step that changed the figure.

    Args:
        parts: what changed it; amounts, if any, add up to the change.
        by: the change with its sign, for numbers.
    """

    step: int
    period: str
    parts: list[FigurePart]
    was: str
    now: str
    by: str
    counted: list[CountedLine] = []  # how the entered figure counts


@page.get("/games/<uuid:game_id>/figure")
@takes_long("GET")
def figure(game_id: UUID) -> str:
    """Show which steps changed a figure up to a step."""
    visit = visit_game(game_id)
    with filmstrip_of(visit, requested_sight(visit)) as (head, filmstrip):
        step = requested_step(visit.game, filmstrip.newest)
        place = _requested_place(visit.game, filmstrip, step, request.args.get("at", ""))
        covered = filmstrip.scene.unshown.hides_place(place.path) and not _is_official(visit.game, place, step)
        explained = None if covered else explain_figure(visit.game, filmstrip, place.path, step)
        values = [] if covered or explained else list(_values(visit.game, filmstrip, place, step))
        changes = (
            _explained_changes(filmstrip, explained)
            if explained
            else _changes(visit.game, filmstrip, place, values, step)
        )
        earlier, rows = fold_earlier(list(changes))
        return render_template(
            "replay_figure.html",
            game=head,
            filmstrip=filmstrip,
            scene=filmstrip.scene,
            place=place,
            step=step,
            value=_shown_value(filmstrip, place, values, explained),
            lines=[] if covered else _score_lines(visit.game, filmstrip, place, step),
            formula=explained.formula if explained else "" if covered else _formula(visit.game, filmstrip, place, step),
            counted=[] if covered else _how_counted(visit.game, place, step, filmstrip.scene.names),
            earlier=earlier,
            rows=rows,
            covered=covered,
            view=request.args.get("view", ""),
            hangs=table_privacy.veil_in_force(visit.game) is not None,
        )


def fold_earlier(rows: list[FigureStep]) -> tuple[list[FigureStep], list[FigureStep]]:
    """Return the earlier changes of a history, which are folded, and the newest ones; both newest first."""
    newest_first = rows[::-1]
    shown = MAX_OPEN_ROWS if len(rows) <= MAX_OPEN_ROWS else MAX_OPEN_ROWS - 1  # the folded ones take a row
    return newest_first[shown:], newest_first[:shown]


def _shown_value(
    filmstrip: Filmstrip, place: Place, values: list[tuple[int, Any]], explained: ExplainedFigure | None
) -> str:
    """Return a figure with its unit; "–" if it is covered."""
    if explained is not None:
        return explained.value
    return _value_text(filmstrip.scene.ruleset, place, values[-1][1], filmstrip.scene.names) if values else "–"


def _explained_changes(filmstrip: Filmstrip, explained: ExplainedFigure) -> Iterator[FigureStep]:
    for row in explained.steps:
        marks = filmstrip.steps[row.before].marks
        yield FigureStep(
            row.step,
            ledger.period_label(filmstrip.scene.ruleset, marks, filmstrip.periods),
            [FigurePart(part.says, part.by, part.rule) for part in row.parts],
            row.was,
            row.now,
            row.by,
        )


def _score_lines(game: Game, filmstrip: Filmstrip, place: Place, step: int) -> list[tuple[str, str, Points]]:
    """Return the lines of which a score consists, each with its explanation and amount; none of another figure."""
    if place.column != SCORE or place.seat is None or not place.path.startswith("/columns/"):
        return []
    score = game.ruleset.scoring.standing(game.ruleset.so_far(game.board_at(step)))[place.seat]
    rules, names = filmstrip.scene.ruleset, filmstrip.scene.names
    explained = [
        (line, words.explanation_of_line(rules, line) or words.rule_sentence(rules, line.rule)) for line in score.lines
    ]
    return [(words.line_label(rules, line, names), explains, line.amount) for line, explains in explained if explains]


def _formula(game: Game, filmstrip: Filmstrip, place: Place, step: int) -> str:
    """Return what a figure that the board only shows is worked out from; "" if it is not shown any more."""
    if not place.part:
        return ""
    return words.GAMES[filmstrip.scene.ruleset].board.formula(game.board_at(step), place.path.split("/")[1:])


def _how_counted(game: Game, place: Place, step: int, names: Names) -> list[CountedLine]:
    """Return how a figure of the board counts, for games that cover nothing."""
    if game.ruleset.secrecy.hides_something:
        return []
    return words.counted_at(game.ruleset.id, game.board_at(step), place.path, names)


def _is_official(game: Game, place: Place, step: int) -> bool:
    """Check if the players showed this figure themselves at this step, so that the score sheet shows it too."""
    return (
        bool(place.column)
        and place.path.startswith("/columns/")
        and any(sheet.step == step and sheet.taken == "official" for sheet in score_sheets(book(), game))
    )


def _requested_place(game: Game, filmstrip: Filmstrip, step: int, path: str) -> Place:
    """Return the figure in the address; 404 if this game has none like it."""
    path = path.removeprefix(BRIEF)
    keys, scene = path.split("/"), filmstrip.scene
    if len(path) > MAX_PATH or not path.startswith("/"):
        abort(404)
    if keys[1] == "columns":
        column, seat = (keys[2], _seat(keys[3], scene.names)) if len(keys) == 4 else ("", None)
        if column not in filmstrip.columns or seat is None:
            abort(404)
        is_over = game.ruleset.scoring.outcome(game.board_at(step)) is not None
        label = say("{name}: {what}", name=scene.names[seat], what=words.column_label(scene.ruleset, column, is_over))
        return Place(path, label, column, seat)
    label = label_on_board(game, path, scene.names) or ""
    if not label:
        abort(404)
    return Place(
        path,
        label,
        keys[-1] if keys[-1] in filmstrip.columns else "",
        _seat_of(scene.ruleset, keys, scene.names),
        _part_with(game, filmstrip, step, path),
    )


def _seat_of(ruleset_id: str, keys: Sequence[str], names: Names) -> Seat | None:
    """Return the seat whose figure a place is: on its own board, or as @ of the place's pattern; None for the table's."""
    if keys[1] == "players" and len(keys) > 2:
        return _seat(keys[2], names)
    for pattern in words.GAMES[ruleset_id].board.paths:
        parts = pattern.split("/")
        fits = len(parts) == len(keys) and all(part in ("*", "@", key) for part, key in zip(parts, keys, strict=True))
        if fits and "@" in parts:
            return _seat(keys[parts.index("@")], names)
    return None


def _part_with(game: Game, filmstrip: Filmstrip, step: int, path: str) -> str:
    """Return the part of the drawing that shows a figure after a step; "" if the board holds the number itself."""
    document = game.document_at(step)
    held = str(value_at(document, path)) if is_at(document, path) else None
    shown = filmstrip.draw_step(step).parts.items()
    places = (
        (part_id, place) for part_id, part in shown for at in (path, BRIEF + path) if (place := part.places.get(at))
    )
    return next((part_id for part_id, place in places if place.kind == "figure" and place.holds not in ("", held)), "")


def _seat(text: str, names: Names) -> Seat | None:
    return int(text) if text.isdecimal() and len(text) < 3 and int(text) < len(names) else None


def _values(game: Game, filmstrip: Filmstrip, place: Place, step: int) -> Iterator[tuple[int, Any]]:
    """Yield the value after each step that stands, up to a step, as the viewer sees it."""
    figures, keys = words.GAMES[filmstrip.scene.ruleset].figures, place.path.split("/")[1:]
    if place.part and figures is None:
        yield from _drawn_values(filmstrip, place, sorted(game.line(step)))
        return
    for number, document in _documents(game, filmstrip, step):
        if keys[0] == "columns":
            yield number, filmstrip.steps[number].columns[place.column][place.seat or 0]
        elif figures is not None and (value := figures.number_at(document, filmstrip.scene.table, keys)) is not None:
            yield number, value
        else:
            yield number, plain(value_at(document, place.path)) if is_at(document, place.path) else None


def _documents(game: Game, filmstrip: Filmstrip, step: int) -> Iterator[tuple[int, Document]]:
    """Yield the board after each step that stands, up to a step, as the viewer sees it; one document that changes."""
    line = {*game.line(step)}
    document = plain(opening_document(game, filmstrip.scene.sight))
    for shown in filmstrip.steps[: step + 1]:
        if shown.step:
            fold(document, shown.changes)
        if shown.step in line:
            yield shown.step, document


def _drawn_values(filmstrip: Filmstrip, place: Place, line: Sequence[int]) -> Iterator[tuple[int, Points | None]]:
    """Yield a figure as it is drawn after each step that stands; None where it is not drawn."""
    for step in line:
        places = filmstrip.draw_step(step).parts[place.part].places
        drawn = places.get(place.path) or places.get(BRIEF + place.path)
        yield step, as_points(float(drawn.holds)) if drawn and drawn.holds else None


def _changes(
    game: Game, filmstrip: Filmstrip, place: Place, values: list[tuple[int, Any]], step: int
) -> Iterator[FigureStep]:
    """Yield the steps that changed a figure, oldest first."""
    scene = filmstrip.scene
    figures = words.GAMES[scene.ruleset].figures
    unit = SCORE if is_cause(place.path, words.GAMES[scene.ruleset].board.money_paths) else place.column
    told = {} if figures is None else dict(_effect_parts(game, filmstrip, figures, place, step))
    for (before, was), (number, now) in pairwise(values):
        shown = scene.unshown.redact_step(filmstrip.steps[number])
        numbers = is_points(was) and is_points(now)
        if figures is not None and numbers:
            posted, causes = told.get(number, []), []
            if left := as_points(now - was - sum(n for _, n in posted)):
                posted.append((FigurePart(_other_cause(figures, scene.ruleset, shown, scene.names, place)), left))
            parts = [msgspec.structs.replace(part, by=words.gain_label(scene.ruleset, unit, n)) for part, n in posted]
        else:
            parts = _posted_parts(scene.ruleset, shown, scene.names, place, now - was if numbers else 0)
            causes = list(_cause_parts(game, filmstrip, place, before, number, parts)) if parts or was != now else []
        if was == now and not parts:
            continue
        yield FigureStep(
            number,
            ledger.period_label(scene.ruleset, filmstrip.steps[before].marks, filmstrip.periods),
            [*causes, *parts] or [FigurePart(words.sentence(scene.ruleset, shown, scene.names))],
            _value_text(scene.ruleset, place, was, scene.names),
            _value_text(scene.ruleset, place, now, scene.names),
            words.with_sign(now - was)
            if numbers and place.path not in words.GAMES[scene.ruleset].board.seat_paths
            else "",
            counted_lines(game, filmstrip, filmstrip.steps[number]) if place.column == SCORE else [],
        )


def _effect_parts(
    game: Game, filmstrip: Filmstrip, figures: FigureWords, place: Place, step: int
) -> Iterator[tuple[int, list[tuple[FigurePart, Points]]]]:
    """Yield steps with the effects that changed a figure, each with its amount; those that only seal change none."""
    scene, keys = filmstrip.scene, place.path.split("/")[1:]
    earlier: list[Any] = []
    before: Document = {}
    for number, document in _documents(game, filmstrip, step):
        shown = scene.unshown.redact_step(filmstrip.steps[number])
        effects = RULESETS[scene.ruleset].typed_effects(shown.effects)
        if number and effects and not leaves_sealed(game, number):  # what was sealed counts when it is revealed
            parts: list[tuple[FigurePart, Points]] = []
            for on in figures.effects_on(scene.table, before, effects, earlier, keys):
                sentence = words.effect_sentence(scene.ruleset, shown, shown.effects[on.at], scene.names)
                said = figures.says(on, sentence, scene.table, keys, scene.names)
                parts += [(FigurePart(text, rule=on.effect.rule), n) for text, n in said]
            yield number, parts
        earlier += effects
        before = plain(document)


def _other_cause(figures: FigureWords, ruleset_id: str, step: StepShown, names: Names, place: Place) -> str:
    """Say what changed a figure other than an effect: a correction, values entered by hand, or cards that are shown."""
    if step.type == "board_adjusted" and place.path in step.changes:
        only = msgspec.structs.replace(step, changes={place.path: step.changes[place.path]})
        return words.sentence(ruleset_id, only, names)
    if step.decision is None:
        return words.sentence(ruleset_id, step, names)
    if figures.uncovers is not None and tag_of(figures.uncovers) in [effect["type"] for effect in step.effects]:
        return say("All cards are shown at the end of the game")
    return say("entered by hand")


def _value_text(ruleset_id: str, place: Place, value: Any, names: Names) -> str:
    if place.path.startswith("/columns/"):
        return words.column_value(ruleset_id, place.column, value)
    return words.value_at_place(ruleset_id, place.path, value, names)


def _posted_parts(ruleset_id: str, step: StepShown, names: Names, place: Place, by: Points) -> list[FigurePart]:
    """Return the effects with an amount of a seat's figure, even if they add up to nothing, and the rest of the change."""
    account = words.GAMES[ruleset_id].account
    if account is None or not place.column or place.seat is None:
        return []
    typed = RULESETS[ruleset_id].typed_effects(step.effects)
    changes = account.changes_of(typed, place.column, place.seat)
    parts = [
        FigurePart(
            words.sentence(ruleset_id, step.effects[typed.index(effect)], names),
            words.gain_label(ruleset_id, place.column, n),
            effect.rule,
        )
        for effect, n in changes
    ]
    if parts and (by_hand := as_points(by - sum(n for _, n in changes))):
        parts.append(FigurePart(say("entered by hand"), words.gain_label(ruleset_id, place.column, by_hand)))
    return parts


def _cause_parts(
    game: Game, filmstrip: Filmstrip, place: Place, before: int, number: int, posted: Sequence[FigurePart]
) -> Iterator[FigurePart]:
    """Yield the effects that changed a figure other than by an amount, and the changed lines of a score."""
    scene, seat = filmstrip.scene, place.seat
    step, score = scene.unshown.redact_step(filmstrip.steps[number]), words.GAMES[scene.ruleset].score
    if seat is None:
        yield from _causes_on_table(scene.ruleset, step, scene.names, place)
        return
    general = place.column == SCORE or not score.causes
    kinds = score.moved_by if general else score.causes.get(_own_figure(place), ())
    if not (posted and general):
        said = words.sentences_of_kinds(scene.ruleset, step, scene.names, seat, kinds)
        yield from (FigurePart(text) for text in said if text not in [part.says for part in posted])
    if place.column == SCORE and hides_nothing(game, scene.sight):
        yield from _changes_of_lines(game, filmstrip, seat, before, number)


def _causes_on_table(ruleset_id: str, step: StepShown, names: Names, place: Place) -> Iterator[FigurePart]:
    """Yield the effects that changed a figure of no seat: those that name it, such as soap of "/piles/soap"."""
    _, first, *rest = place.path.split("/")
    tags = {*map(tag_of, words.GAMES[ruleset_id].score.causes.get(first, ()))}
    for effect in step.effects:
        if effect["type"] in tags and rest[-1:] and rest[-1] in effect.values():
            yield FigurePart(words.effect_sentence(ruleset_id, step, effect, names), rule=effect["rule"])


def _own_figure(place: Place) -> str:
    """Return the column of a seat's figure, or its name on the seat's own board: "hand" of /players/0/hand/R1."""
    keys = place.path.split("/")
    return place.column or (keys[3] if len(keys) > 3 else "")


def _changes_of_lines(game: Game, filmstrip: Filmstrip, seat: Seat, before: int, number: int) -> Iterator[FigurePart]:
    """Yield the lines of a score that a step changed, with amounts that add up to its change."""
    rules, names = filmstrip.scene.ruleset, filmstrip.scene.names
    was, now = (
        {line.name: line for line in game.ruleset.scoring.standing(game.ruleset.so_far(board))[seat].lines}
        for board in (game.board_at(before), game.board_at(number))
    )
    for name in {**now, **was}:
        amounts = [lines[name].amount if name in lines else 0 for lines in (was, now)]
        if amounts[0] != amounts[1]:
            label = capitalize_first(words.line_label(rules, (now.get(name) or was[name]), names))
            yield FigurePart(label, words.gain_label(rules, SCORE, as_points(amounts[1] - amounts[0])))
