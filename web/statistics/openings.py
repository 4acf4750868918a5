"""Opening explorer: first moves, next decisions, and their results."""

from __future__ import annotations

from typing import cast, get_args

import msgspec
from flask import Blueprint, abort, request
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import TABLE
from daybook.services.certainty import wilson
from daybook.services.statistics import explorer
from daybook.services.statistics.explorer import Node, UnknownOpeningError
from daybook.services.statistics.openings import Way
from daybook.services.statistics.table import FEW, FigureRow, FigureTable
from daybook.web.request.access import book
from daybook.web.statistics import game_lists
from daybook.web.statistics.answers import file_of_table
from daybook.web.statistics.game_lists import ListedGame, listed_games
from daybook.web.statistics.inquiry import Inquiry, requested_inquiry
from daybook.web.statistics.pictures import Branch, Series, Value, build_branch
from daybook.web.statistics.statistics import render_statistics
from daybook.web.words import options_label, say, say_n, statistics_words

page = Blueprint("openings", __name__)

GAMES_PER_PLACE = 50  # listed
MAX_FOLDED = 24  # rare decisions with a name; the table has all of them


class NextDecision(Frozen):
    """Decision that came next, in words, with its address."""

    who: str
    says: str
    row: FigureRow
    to: str


@page.get("/statistics/<game:ruleset_id>/openings")
def setups(ruleset_id: str) -> str:
    of = requested_inquiry(ruleset_id)
    table = explorer.find_setups(book(), of.readable())
    return render_statistics(
        "statistics/setups.html",
        of,
        rows=[
            (row, of.to_opening(row.key, ruleset_id=row.cells[0]), options_label(row.cells[0], row.cells[2]))
            for row in table.rows
        ],
    )


@page.get("/statistics/<game:ruleset_id>/openings/<setup>")
def opening(ruleset_id: str, setup: str) -> str:
    """Show a place in the openings of a set-up: its moves, next decisions, results by seat, and games."""
    of, way, at = requested_inquiry(ruleset_id), requested_way(), request.args.get("at", "")
    node = require_node(of, setup, way, at)
    return render_statistics(
        "statistics/opening.html",
        of,
        node=node,
        way=way,
        path=[
            (
                statistics_words.opening_seat(made.seat, way),
                statistics_words.opening_decision_label(node.ruleset, made.decision, way),
                of.to_opening(setup, way=way, at=made.key),
            )
            for made in node.path
        ],
        tree=build_tree(of, node, setup),
        nexts=[build_next(of, node, setup, row) for row in node.next.rows],
        seats=[(statistics_words.opening_seat(row.cells[0], way), row) for row in node.seats.rows],
        start=of.to_opening(setup, way=way),
        ways=[
            (name, label, of.to_opening(setup, way=name))
            for name, label in (("seats", say("the players’ decisions")), ("every", say("everything, draws too")))
        ],
        back=of.to_opening(setup, way=way, at=node.path[-2].key if len(node.path) > 1 else None),
        games=readable_games_at(of, setup, way, at, GAMES_PER_PLACE),
        most=GAMES_PER_PLACE,
        files=file_links(of, setup, way, at, "opening_file"),
        game_files=file_links(of, setup, way, at, "games_file"),
        hides_next=hides_rates(node.next),
        hides_seats=hides_rates(node.seats),
        draws=any(row.cells[0] == TABLE for row in node.next.rows),
        depth=explorer.DEPTH,
    )


def file_links(scope: Inquiry, setup: str, way: Way, at: str, page: str) -> list[tuple[str, str]]:
    return [
        (kind.upper(), scope.to_opening(setup, page=page, way=way, at=at or None, kind=kind))
        for kind in ("csv", "json")
    ]


def readable_games_at(scope: Inquiry, setup: str, way: Way, at: str, limit: int) -> list[ListedGame]:
    """Return the readable games that reached a place, newest first."""
    ids = explorer.games_at(book(), setup, way, at, scope.readable(), limit)
    return [game for game in listed_games(scope, ids).values() if game.game]


def hides_rates(table: FigureTable) -> bool:
    """Check if a win rate is hidden because it is from few games."""
    rate = [heading.key for heading in table.headings].index("rate")
    return any(row.cells[rate] is None and row.cells[0] != TABLE for row in table.rows)


def requested_way() -> Way:
    requested = request.args.get("way", "seats")
    return cast(Way, requested) if requested in get_args(Way) else abort(404)


def require_node(scope: Inquiry, setup: str, way: Way, at: str) -> Node:
    """Return a place in the openings; 404 if no readable game reached it."""
    try:
        return explorer.explore_opening(book(), setup, way, at, scope.readable())
    except UnknownOpeningError:
        abort(404)


def build_next(scope: Inquiry, node: Node, setup: str, row: FigureRow) -> NextDecision:
    seat, decision = row.cells[:2]
    return NextDecision(
        statistics_words.opening_seat(seat, node.way) if seat != TABLE else statistics_words.seat_label(seat),
        statistics_words.opening_decision_label(node.ruleset, decision, node.way),
        row,
        scope.to_opening(setup, way=node.way, at=row.key),
    )


BRANCHES, TWIGS = 6, 3  # the commonest decisions that are drawn, and after each of them


class Tree(Frozen):
    """branches: the commonest decisions; folded: those that fewer than FEW games took."""

    branches: tuple[Branch, ...]
    folded: tuple[tuple[str, str], ...]


def build_tree(scope: Inquiry, node: Node, setup: str) -> Tree | None:
    """Build the tree of the next decisions; None if none was taken in enough games."""
    after = explorer.following_decisions(book(), node, scope.readable(), BRANCHES)
    expected = 1 / len(node.seats.rows)

    def draw_tree(table: FigureTable, limit: int, games: int) -> Tree:
        branches, folded = list[Branch](), list[tuple[str, str]]()
        for row in table.rows:
            shown = build_next(scope, node, setup, row)
            if row.n < FEW:
                folded.append((f"{shown.who}: {shown.says}", shown.to))
            elif len(branches) < limit:
                under = draw_tree(after[row.key], TWIGS, row.n) if row.key in after else Tree((), ())
                branches.append(
                    build_branch(
                        shown.who,
                        shown.says,
                        shown.to,
                        row.n / games,
                        win_rate(row, expected),
                        under.branches,
                        under.folded if under.branches else (),
                    )
                )
        return Tree(tuple(branches), tuple(folded[:MAX_FOLDED]))

    tree = draw_tree(node.next, BRANCHES, node.n)
    return tree if tree.branches else None


def win_rate(row: FigureRow, expected: float) -> Value:
    """Return the win rate after a decision, without a value for facts of the table."""
    n, wins, rate = row.n, row.cells[4], row.cells[5]
    games = say_n("{n} game", "{n} games", n)
    if rate is None:
        return Value(Series(""), Series(""), None, lambda: games)
    return Value(
        Series(""),
        Series(""),
        rate,
        lambda: say("{games}, won {rate}", games=games, rate=statistics_words.share_label(rate)),
        wilson(wins, n),
        expected=expected,
        games=n,
    )


@page.get("/statistics/<game:ruleset_id>/openings/<setup>/next.<any(csv,json):kind>")
def opening_file(ruleset_id: str, setup: str, kind: str) -> Response:
    of = requested_inquiry(ruleset_id)
    return file_of_table(
        of,
        encode_decisions(require_node(of, setup, requested_way(), request.args.get("at", "")).next),
        kind,
        f"{ruleset_id}-opening",
    )


@page.get("/statistics/<game:ruleset_id>/openings/<setup>/games.<any(csv,json):kind>")
def games_file(ruleset_id: str, setup: str, kind: str) -> Response:
    of, way, at = requested_inquiry(ruleset_id), requested_way(), request.args.get("at", "")
    require_node(of, setup, way, at)
    return game_lists.games_file(
        of,
        readable_games_at(of, setup, way, at, game_lists.MAX_GAMES_IN_FILE),
        "opening_games",
        "Games that began alike",
        kind,
        f"{ruleset_id}-opening-games",
    )


def encode_decisions(table: FigureTable) -> FigureTable:
    """Return the table with decisions as JSON, for spreadsheets."""
    rows = tuple(
        msgspec.structs.replace(row, cells=(row.cells[0], msgspec.json.encode(row.cells[1]).decode(), *row.cells[2:]))
        for row in table.rows
    )
    return msgspec.structs.replace(table, rows=rows)
