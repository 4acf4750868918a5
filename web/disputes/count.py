"""Pages for a count of the table: enter it, see the differences from the record, and possible causes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, make_response, request
from markupsafe import Markup
from werkzeug import Response

from daybook.domain.commands import AcceptCount, AdjustToCount, Command, Count
from daybook.domain.kernel.board import value_at
from daybook.domain.kernel.by_hand import places_of_patterns
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import is_points
from daybook.domain.kernel.terms import Seat
from daybook.domain.writing import count_of, supplies_of_count
from daybook.services.disputes import counting, explain_count, likelihood
from daybook.services.disputes.counting import Counted
from daybook.services.disputes.explain_count import Explanation, SearchPiece
from daybook.services.permissions.actions import may
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.repetition import MovedOnError
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards import framed_board
from daybook.web.boards.table_privacy import NOTHING, privacy_of_visit, veil_in_force
from daybook.web.disputes import side_by_side
from daybook.web.recording.grid import build_grid
from daybook.web.request.access import refusal_sentence, render_game_page, require_keeper, visit_game, write_sent
from daybook.web.request.forms import (
    BadTextError,
    fresh_key,
    parse_value,
    see_other,
    text_sent,
    whole_number_sent,
    why_sent,
)
from daybook.web.request.long_work import takes_long
from daybook.web.words import say
from daybook.web.words.places import AdjustablePlace, countable_places, name_on_board
from daybook.web.words.say import Texts, isolate

page = Blueprint("count", __name__)

SLIPS: Texts = {
    "not_taken": "The gain of step {step} was never taken",
    "taken_twice": "The gain of step {step} was taken twice",
    "never_paid": "The cost of step {step} was never paid",
    "paid_twice": "The cost of step {step} was paid twice",
    "laid_elsewhere": "The gain of step {step} went to another player",
    "never_happened": "Step {step} never happened",
    "forgotten": "A step was forgotten before step {step}",
    "something_else": "Step {step} was a different decision",
}


class Slip(Frozen):
    """One slip that would explain differences, in words. correct: the correction to look at, where it is one."""

    explanation: Explanation
    says: str
    decision: str
    places: list[str]
    shown: StepShown
    correct: str


class AlikeShown(Frozen):
    """Indistinguishable slips in words, likeliest first.

    Args:
        sure: they outweigh all other slips found.
    """

    mark: str
    weight: float
    sure: bool
    slips: list[Slip]


class CountRow(Frozen):
    """Figure that every player has.

    Args:
        key: identifies the row where the table confirms it as a whole; not for covered rows.
        cells: by seat; None for a seat that has no such place.
    """

    key: str
    label: str
    cells: list[AdjustablePlace | None]
    covered: bool = False


class RowGroup(Frozen):
    """Rows about one thing, such as a good or a round. The first group has no label.

    Args:
        newest: the group is shown unfolded.
    """

    label: str
    rows: list[CountRow]
    newest: bool = False


class CountShown(Frozen):
    """Count in words.

    Args:
        alike: places that match the record.
        unsaid: number of differences that this page does not show.
    """

    count: Counted
    differs: list[side_by_side.DifferingPlace]
    alike: list[side_by_side.DifferingPlace]
    unsaid: int


@page.route("/games/<uuid:game_id>/count", methods=["GET", "POST"])
def count(game_id: UUID) -> Response:
    """Show the count form to the scorekeeper, and earlier counts to all readers."""
    visit = visit_game(game_id)
    if request.method != "POST":
        return _count_form(visit, {})
    require_keeper(visit)
    values, wrong = _values_typed(visit)
    if not values and not wrong:
        wrong["form"] = say("Fill in at least one field.")
    if wrong:
        return _count_form(visit, wrong)
    try:
        receipt = write_sent(visit, Count(values, text_sent("text")), whole_number_sent("at"))
    except Refused as no:
        return _count_form(visit, {"form": words.reason_sentence(no.reason, visit.rules, visit.names)})
    except MovedOnError:
        return _count_form(visit, {"form": say("The game has continued")})
    return see_other("count.count_of_step", game_id=game_id, step=receipt.step)


@page.get("/games/<uuid:game_id>/counts/<int:step>")
@takes_long("GET")
def count_of_step(game_id: UUID, step: int) -> Response:
    """Show a count: its differences, their possible explanations, and what to do about them."""
    return _count_page(visit_game(game_id), step, "")


@page.post("/games/<uuid:game_id>/counts/<int:step>/adjust")
def adjust(game_id: UUID, step: int) -> Response:
    """Put the board right as it was counted."""
    said = say("The board is corrected as it was counted.")
    return _write_and_show(game_id, step, AdjustToCount(step, why_sent()), said, whole_number_sent("at"))


@page.post("/games/<uuid:game_id>/counts/<int:step>/accept")
def accept(game_id: UUID, step: int) -> Response:
    """Let the record stand although something else was counted."""
    shown = _write_and_show(game_id, step, AcceptCount(step, why_sent()), say("The record stays as it is."))
    is_written = shown.status_code == HTTPStatus.SEE_OTHER
    return see_other("count.count", game_id=game_id) if is_written and "again" in request.form else shown


def _write_and_show(game_id: UUID, step: int, command: Command, success: str, at: int | None = None) -> Response:
    visit = visit_game(game_id)
    try:
        write_sent(visit, command, at)
    except Refused as no:
        return _count_page(visit_game(game_id), step, refusal_sentence(visit, no))
    flash(success)
    return see_other("count.count_of_step", game_id=game_id, step=step)


# --- the form --------------------------------------------------------------------------------------------------------


def _count_form(visit: Visit, errors: Mapping[str, str]) -> Response:
    mine = may(visit, "correct")
    places = countable_groups(visit) if mine else {}
    groups = row_groups(visit, places)
    in_grid = {cell.path for group in groups for row in group.rows for cell in row.cells if cell}
    rest = {owner: [place for place in group if place.path not in in_grid] for owner, group in places.items()}
    labels = {place.path: place.label for group in places.values() for place in group}
    view, grid = privacy_of_visit(visit), build_grid(visit, (), 0)
    return make_response(
        render_game_page(
            "count.html",
            visit,
            wrong=errors,
            first_wrong=next(
                (f"{labels[path]}: {says}" if path in labels else says for path, says in errors.items()), ""
            ),
            groups=groups,
            agree=request.form.getlist("agree"),
            key=fresh_key(),
            mine=mine and visit.running,
            board=_draw_recorded_board(visit) if mine and visit.running else None,
            places={group: some for group, some in rest.items() if some},
            lists=any(isinstance(place.value, list) for group in rest.values() for place in group),
            sent=request.form,
            text=text_sent("text"),
            counts=[_count_in_words(visit, count) for count in counting.counts_of_game(visit.game, visit.sight)],
            covered=view.hidden_places(labels),
            hangs=mine and visit.running and veil_in_force(visit.game) is not None,
            halves=grid is not None and grid.grid.halves,
        ),
        422 if errors else 200,
    )


def _draw_recorded_board(visit: Visit) -> Markup:
    """Draw the recorded board, for tapping counted places."""
    document = replay.position_at(visit.game, None, visit.sight).board
    return framed_board(visit.game, visit.names, visit.sight, privacy_of_visit(visit), document)


def countable_groups(visit: Visit) -> dict[str, list[AdjustablePlace]]:
    """Return countable open places by owner: seat number, or "" for the table."""
    unseen_places = places_of_patterns(words.GAMES[visit.rules].board.unseen_places)
    groups: dict[str, list[AdjustablePlace]] = {str(seat): [] for seat in range(len(visit.names))}
    for seat, place in countable_places(visit.game, visit.names, visit.sight):
        if not unseen_places.match(place.path):
            groups.setdefault("" if seat is None else str(seat), []).append(place)
    return {group: group_places for group, group_places in groups.items() if group_places}


def row_groups(visit: Visit, places: Mapping[str, list[AdjustablePlace]]) -> list[RowGroup]:
    """Return the figures that several players have, in the game's order: common ones first, then those of each part.

    A part is a key that several rows share: food in `factories/food/workers` and `stored/food`.
    """
    seats, names = range(len(visit.names)), visit.names
    by_name: dict[str, dict[Seat, AdjustablePlace]] = {}
    groups: dict[str, list[CountRow]] = {"": []}
    for seat in seats:
        for cell in places.get(str(seat), []):
            if _line_on_sheet(visit, cell):
                continue
            key = _key_within(cell)
            groups.setdefault(_part_of(key), [])
            if _is_figure(cell.value) and not any(part.isdigit() for part in key.split("/")):
                by_name.setdefault(key, {})[seat] = cell
    rows_of = Counter(map(_part_of, by_name))
    columns = visit.game.ruleset.ledger.columns
    covered = privacy_of_visit(visit).hidden_places(place.path for group in places.values() for place in group)
    for name, cells in sorted(by_name.items(), key=lambda row: (row[0] not in columns, "/" in row[0])):
        part = _part_of(name)
        is_shared = part and rows_of[part] > 1
        if len(cells) == len(names) or is_shared:
            seat, cell = next(iter(cells.items()))
            row = CountRow(
                name,
                cell.label.removeprefix(f"{isolate(names[seat])}: "),
                [cells.get(seat) for seat in seats],
                not covered.isdisjoint([cell.path for cell in cells.values()]),
            )
            groups[part if is_shared else ""].append(row)
    value = words.GAMES[visit.rules].value
    lines = _line_groups(visit, places)
    groups[""] = [*lines.pop("", []), *groups[""]]
    return [
        *(RowGroup(label, rows, label == [*lines][-1]) for label, rows in lines.items()),
        *(RowGroup(value("", part, names) if part else "", rows) for part, rows in groups.items() if rows),
    ]


def _line_groups(visit: Visit, places: Mapping[str, list[AdjustablePlace]]) -> dict[str, list[CountRow]]:
    """Return the lines that players fill in on a sheet, by round."""
    groups: dict[str, dict[str, CountRow]] = {}
    for seat in range(len(visit.names)):
        for cell in places.get(str(seat), []):
            if line := _line_on_sheet(visit, cell):
                group, label = line
                key = _key_within(cell)
                empty: list[AdjustablePlace | None] = [None] * len(visit.names)
                row = groups.setdefault(group, {}).setdefault(key, CountRow(key, label, empty))
                row.cells[seat] = cell
    return {group: list(rows.values()) for group, rows in groups.items()}


def _line_on_sheet(visit: Visit, cell: AdjustablePlace) -> tuple[str, str] | None:
    """Return the round and the line of a cell on a sheet that players fill in; None for any other place."""
    count_line = words.GAMES[visit.rules].board.count_line
    return None if count_line is None else count_line(visit.game.board, _key_within(cell).split("/"))


def _key_within(cell: AdjustablePlace) -> str:
    """Return the path of a player's place without the player: `money` for `/players/0/money`."""
    return cell.path.split("/", 3)[3]


def _part_of(name: str) -> str:
    return next(iter(name.split("/")[1:]), "")


def _is_figure(value: Any) -> bool:
    """Check if a value is a number, or a list of some."""
    return is_points(value) or (isinstance(value, list) and bool(value) and all(map(is_points, value)))


def _values_typed(visit: Visit) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of the form; empty fields are not counted, unless their row is confirmed."""
    places = countable_groups(visit)
    agreed = {
        cell.path: cell.value
        for group in row_groups(visit, places)
        for row in group.rows
        if row.key in request.form.getlist("agree") and not row.covered
        for cell in row.cells
        if cell
    }
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for place in (place for some in places.values() for place in some):
        text = request.form.get(place.path, "")
        if not text.strip():
            if place.path in agreed:
                values[place.path] = agreed[place.path]
            continue
        try:
            values[place.path] = (
                ([] if isinstance(place.value, list) else None)
                if text.strip() == "–"
                else parse_value(_without_coin(visit, text), None if place.seat else place.value)
            )
        except BadTextError as bad:
            wrong[place.path] = str(bad)
    return values, wrong


def _without_coin(visit: Visit, text: str) -> str:
    """Remove the coin from a typed amount: £11 is 11."""
    sign = words.GAMES[visit.rules].coin.replace("{n}", "").strip()
    return text.replace(sign, "") if sign else text


# --- one count -------------------------------------------------------------------------------------------------------


def _count_page(visit: Visit, step: int, error: str) -> Response:
    game = visit.game
    found = next((count for count in counting.counts_of_game(game, visit.sight) if count.step == step), None)
    if found is None:
        abort(404)
    mine = may(visit, "correct") and visit.running
    looked: SearchPiece | None = None
    if mine and found.differences and not found.settled:
        looked = explain_count.search_slips(game, step, _search_start())
    answer = make_response(
        render_game_page(
            "counted.html",
            visit,
            wrong=error,
            key=fresh_key(),
            mine=mine,
            shown=_count_in_words(visit, found),
            follows=_supplies_in_words(visit, found) if mine else [],
            looked=looked,
            begins=_search_start() == explain_count.SearchCursor(),
            sure=likelihood.SURE_FROM,
            slips=[] if looked is None else _slips_in_words(visit, found, looked),
        ),
        422 if error else 200,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _search_start() -> explain_count.SearchCursor:
    """Return the cursor of this search piece; by default the newest step."""
    text = request.args.get("from", "")
    try:
        return explain_count.parse_cursor(text) if text else explain_count.SearchCursor()
    except Refused:
        abort(404)


def _count_in_words(visit: Visit, counted: Counted) -> CountShown:
    """Describe a count. The counting user sees all of it, even what is covered during the game."""
    game, view = visit.game, NOTHING if may(visit, "correct") else privacy_of_visit(visit)
    alike = {path: [value, value] for path, value in counted.counted.items() if path not in counted.differences}
    differs = side_by_side.differing_places(game, counted.differences, visit.names, view)
    return CountShown(
        counted,
        differs,
        side_by_side.differing_places(game, alike, visit.names, view),
        len(counted.differences) - len(differs),
    )


def _supplies_in_words(visit: Visit, counted: Counted) -> list[side_by_side.DifferingPlace]:
    """Describe the supplies that a correction by this count changes."""
    supplies = supplies_of_count(visit.game, count_of(visit.game, counted.step), counted.differences)
    changes = {path: [value_at(visit.game.document, path), lies] for path, lies in supplies.items()}
    return side_by_side.differing_places(visit.game, changes, visit.names, NOTHING)


def _slips_in_words(visit: Visit, counted: Counted, looked: SearchPiece) -> list[AlikeShown]:
    """Describe possible explanations of the differences, as far as visible."""
    told = {step.step: step for step in replay.iter_steps(visit.game, visit.sight)}
    view = privacy_of_visit(visit)
    groups = explain_count.rank_slips(looked.slips)
    return [
        AlikeShown(
            group.slips[0].alike,
            group.weight,
            group.is_sure(groups, looked.unexplained),
            [_slip_in_words(visit, slip, view.redact_step(told[slip.step]), counted) for slip in group.slips],
        )
        for group in groups
        if all(path in counted.differences for slip in group.slips for path in slip.explains)
    ]


def _slip_in_words(visit: Visit, explanation: Explanation, shown: StepShown, counted: Counted) -> Slip:
    instead = explanation.to_correction(visit.game)
    return Slip(
        explanation,
        say(SLIPS[_kind_in_words(explanation, counted)], step=explanation.step),
        ""
        if explanation.decision is None
        else words.sentence(visit.rules, explanation.decision.decision, visit.names, explanation.decision.seat),
        [label for path in explanation.explains if (label := name_on_board(visit.game, path, visit.names))],
        shown,
        "" if instead is None else side_by_side.pack_resolutions(instead),
    )


def _kind_in_words(explanation: Explanation, count: Counted) -> str:
    """Return the kind of a slip; costs are paid instead of taken."""
    recorded, counted = count.differences[explanation.explains[0]]
    if explanation.kind == "not_taken" and counted > recorded:
        return "never_paid"
    return "paid_twice" if explanation.kind == "taken_twice" and counted < recorded else explanation.kind
