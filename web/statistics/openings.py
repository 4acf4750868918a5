"""The opening explorer: what games began with, which decisions came next and how those fared who made them."""

from __future__ import annotations

from typing import cast, get_args

import msgspec
from flask import Blueprint, abort, request
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import TABLE
from daybook.services.certainty import wilson
from daybook.services.statistics import explorer
from daybook.services.statistics.explorer import Node, UnknownOpening
from daybook.services.statistics.openings import Way
from daybook.services.statistics.table import FEW, FigureRow, FigureTable
from daybook.web.request.access import book
from daybook.web.statistics import game_lists
from daybook.web.statistics.answers import file_of_table
from daybook.web.statistics.asking import shown_meanwhile
from daybook.web.statistics.game_lists import ListedGame, listed_games
from daybook.web.statistics.inquiry import Inquiry, inquiry
from daybook.web.statistics.pictures import Branch, Series, Value, branch
from daybook.web.statistics.statistics import statistics_page
from daybook.web.words import options_label, say, say_n, statistics_words

page = Blueprint("openings", __name__)

GAMES = 50  # listed at a place
MOST_FOLDED = 24  # rare decisions that are named; all of them stand in the table


class Next(Frozen):
    """A decision that came next. who, says: in words; to: where it leads."""

    who: str
    says: str
    row: FigureRow
    to: str


@page.get("/statistics/<game:ruleset_id>/openings")
@shown_meanwhile
def setups(ruleset_id: str) -> str:
    of = inquiry(ruleset_id)
    table = explorer.setups(book(), of.readable())
    return statistics_page(
        "statistics/setups.html",
        of,
        rows=[
            (row, of.to_opening(row.key, ruleset_id=row.cells[0]), options_label(row.cells[0], row.cells[2]))
            for row in table.rows
        ],
    )


@page.get("/statistics/<game:ruleset_id>/openings/<setup>")
@shown_meanwhile
def opening(ruleset_id: str, setup: str) -> str:
    """A place in the openings of a set-up: the way there, what came next, how the seats fared, the games."""
    of, way, at = inquiry(ruleset_id), way_asked(), request.args.get("at", "")
    node = node_at(of, setup, way, at)
    return statistics_page(
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
        tree=tree_of(of, node, setup),
        nexts=[next_shown(of, node, setup, row) for row in node.next.rows],
        seats=[(statistics_words.opening_seat(row.cells[0], way), row) for row in node.seats.rows],
        start=of.to_opening(setup, way=way),
        ways=[
            (name, label, of.to_opening(setup, way=name))
            for name, label in (("seats", say("the players’ decisions")), ("every", say("everything, draws too")))
        ],
        back=of.to_opening(setup, way=way, at=node.path[-2].key if len(node.path) > 1 else None),
        games=games_at(of, setup, way, at, GAMES),
        most=GAMES,
        files=files(of, setup, way, at, "opening_file"),
        game_files=files(of, setup, way, at, "games_file"),
        hides_next=hides(node.next),
        hides_seats=hides(node.seats),
        draws=any(row.cells[0] == TABLE for row in node.next.rows),
        depth=explorer.DEPTH,
    )


def files(of: Inquiry, setup: str, way: Way, at: str, page: str) -> list[tuple[str, str]]:
    return [
        (kind.upper(), of.to_opening(setup, page=page, way=way, at=at or None, kind=kind)) for kind in ("csv", "json")
    ]


def games_at(of: Inquiry, setup: str, way: Way, at: str, limit: int) -> list[ListedGame]:
    """The games that went to a place, those that who asks may read, the newest first."""
    ids = explorer.games_at(book(), setup, way, at, of.readable(), limit)
    return [game for game in listed_games(of, ids).values() if game.game]


def hides(table: FigureTable) -> bool:
    """Whether a rate of players' decisions is hidden that rests on few games."""
    rate = [heading.key for heading in table.headings].index("rate")
    return any(row.cells[rate] is None and row.cells[0] != TABLE for row in table.rows)


def way_asked() -> Way:
    asked = request.args.get("way", "seats")
    return cast(Way, asked) if asked in get_args(Way) else abort(404)


def node_at(of: Inquiry, setup: str, way: Way, at: str) -> Node:
    """404 where no game that may be read began like that."""
    try:
        return explorer.explore(book(), setup, way, at, of.readable())
    except UnknownOpening:
        abort(404)


def next_shown(of: Inquiry, node: Node, setup: str, row: FigureRow) -> Next:
    seat, decision = row.cells[:2]
    return Next(
        statistics_words.opening_seat(seat, node.way) if seat != TABLE else statistics_words.seat_label(seat),
        statistics_words.opening_decision_label(node.ruleset, decision, node.way),
        row,
        of.to_opening(setup, way=node.way, at=row.key),
    )


BRANCHES, TWIGS = 6, 3  # the commonest decisions that are drawn, and after each of them


class Tree(Frozen):
    """branches: the commonest decisions; folded: those that fewer than FEW games took."""

    branches: tuple[Branch, ...]
    folded: tuple[tuple[str, str], ...]


def tree_of(of: Inquiry, node: Node, setup: str) -> Tree | None:
    """What came next and after that, as a tree; None where no decision was taken in enough games."""
    after = explorer.next_of_next(book(), node, of.readable(), BRANCHES)
    expected = 1 / len(node.seats.rows)

    def draw_tree(table: FigureTable, most: int, games: int) -> Tree:
        branches, folded = list[Branch](), list[tuple[str, str]]()
        for row in table.rows:
            shown = next_shown(of, node, setup, row)
            if row.n < FEW:
                folded.append((f"{shown.who}: {shown.says}", shown.to))
            elif len(branches) < most:
                under = draw_tree(after[row.key], TWIGS, row.n) if row.key in after else Tree((), ())
                branches.append(
                    branch(
                        shown.who,
                        shown.says,
                        shown.to,
                        row.n / games,
                        rate_of(row, expected),
                        under.branches,
                        under.folded if under.branches else (),
                    )
                )
        return Tree(tuple(branches), tuple(folded[:MOST_FOLDED]))

    tree = draw_tree(node.next, BRANCHES, node.n)
    return tree if tree.branches else None


def rate_of(row: FigureRow, expected: float) -> Value:
    """How often those won who decided so; nobody of what the table turned up."""
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
    of = inquiry(ruleset_id)
    return file_of_table(
        of,
        with_plain_decisions(node_at(of, setup, way_asked(), request.args.get("at", "")).next),
        kind,
        f"{ruleset_id}-opening",
    )


@page.get("/statistics/<game:ruleset_id>/openings/<setup>/games.<any(csv,json):kind>")
def games_file(ruleset_id: str, setup: str, kind: str) -> Response:
    of, way, at = inquiry(ruleset_id), way_asked(), request.args.get("at", "")
    node_at(of, setup, way, at)
    return game_lists.games_file(
        of,
        games_at(of, setup, way, at, game_lists.IN_A_FILE),
        "opening_games",
        "Games that began alike",
        kind,
        f"{ruleset_id}-opening-games",
    )


def with_plain_decisions(table: FigureTable) -> FigureTable:
    """The same with each decision as JSON, which a spreadsheet shows as it is."""
    rows = tuple(
        msgspec.structs.replace(row, cells=(row.cells[0], msgspec.json.encode(row.cells[1]).decode(), *row.cells[2:]))
        for row in table.rows
    )
    return msgspec.structs.replace(table, rows=rows)
