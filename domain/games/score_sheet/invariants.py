"""Invariants of every score sheet (SC-8), and its names."""

from __future__ import annotations

from collections.abc import Iterator

from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.definition import LARGEST, MOST_TEAMS
from daybook.domain.kernel.naming import NamedThings
from daybook.domain.kernel.terms import Breach, because

NAMES = (
    NamedThings(("/players/*/role",), lambda b: b.definition.game_roles),
    NamedThings(("/players/*/team",), lambda b: range(MOST_TEAMS + 1 if b.may_have_teams else 1)),
    NamedThings(("/expansions",), lambda b: b.definition.game_expansions),
    NamedThings(("/players/*/rounds/*",), lambda b: b.definition.keys_by_round, keys=True),
    NamedThings(("/players/*/once",), lambda b: b.definition.keys_once, keys=True),
    NamedThings(("/start",), lambda b: range(b.seats)),
)


def breaches(b: Board) -> Iterator[Breach]:
    yield from columns_alike(b)
    yield from figures_fit(b)
    yield from expansions_in_order(b)
    yield from outs_in_order(b)
    yield from ended_as_counted(b)
    yield from sides_differ(b)
    yield from away_as_said(b)


def columns_alike(b: Board) -> Iterator[Breach]:
    """Every column has as many rounds, each with every line of the sheet."""
    lines, once = {*b.definition.keys_by_round}, {*b.definition.keys_once}
    if not b.round or any(len(player.rounds) != b.round for player in b.players):
        yield Breach("SC-8.1", because("rounds", "the players do not have the same number of rounds"))
    elif b.round > 1 and not b.definition.by_rounds:
        yield Breach("SC-8.1", because("no_rounds", "this game is not counted by rounds"))
    if any(figures.keys() != lines for player in b.players for figures in player.rounds) or any(
        player.once.keys() != once for player in b.players
    ):
        yield Breach("SC-8.1", because("lines", "a round does not have the lines of the sheet"))


def figures_fit(b: Board) -> Iterator[Breach]:
    for line in b.definition.lines.values():
        for player in b.players:
            for figures in (*player.rounds, player.once):
                figure = figures.get(line.key)
                if figure is not None and not b.definition.takes(line, figure):
                    yield Breach(
                        "SC-8.2", because("figure", "{name} cannot be {figure}", name=line.name, figure=figure)
                    )
                    return


def expansions_in_order(b: Board) -> Iterator[Breach]:
    if b.expansions != [name for name in b.definition.game_expansions if name in b.expansions]:
        yield Breach("SC-8.3", because("expansions", "the expansions are not in the order of the sheet"))


def outs_in_order(b: Board) -> Iterator[Breach]:
    """Check that players went out one after the other, in a game that the last one left wins."""
    out = sorted(player.out for player in b.players if player.out)
    if out != list(range(1, len(out) + 1)) or (out and b.definition.score_wins != "last"):
        yield Breach("SC-8.4", because("out", "no player is out, or players went out one after another"))


def ended_as_counted(b: Board) -> Iterator[Breach]:
    together = b.definition.score_wins == "together"
    if (b.won is not None) != (together and b.ended == "said"):
        yield Breach("SC-8.5", because("won", "only a finished cooperative game is won or lost together"))
    if b.definition.score_wins == "last" and (b.ended == "last") != (len(b.left) <= 1):
        yield Breach("SC-8.5", because("last", "the game ends when one player is left"))


def sides_differ(b: Board) -> Iterator[Breach]:
    """Check that not all players are in one team."""
    if b.players and len(b.side(0)) == b.seats > 1:
        yield Breach("SC-8.6", because("one_side", "all players are in one team"))


def away_as_said(b: Board) -> Iterator[Breach]:
    """Check players that left or come later, and settled ties."""
    for seat, player in enumerate(b.players):
        rounds = player.missed
        if rounds != sorted({*rounds}) or any(not 1 <= number <= b.round for number in rounds):
            yield Breach("SC-8.7", because("missed", "the missed rounds of seat {seat} are not its rounds", seat=seat))
        if player.away and b.definition.score_wins == "last":
            yield Breach("SC-8.7", because("away", "players go out of this game and do not leave it", seat=seat))
        if not -1 <= player.agreed <= b.seats or (player.agreed and player.away != "left"):
            yield Breach("SC-8.7", because("agreed", "only a player who left has an agreed place"))
        if abs(player.joined_with) > LARGEST:
            yield Breach("SC-8.7", because("points", "the agreed points of seat {seat} are too many", seat=seat))
    words = [player.settled for player in b.players if player.settled]
    if len({*words}) != len(words) or min(words, default=1) < 1:
        yield Breach("SC-8.8", because("settled", "a player appears twice in a settled tie"))
