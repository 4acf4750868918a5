"""Commands that measure practice players and win chances over hundreds of games.

    python -m tests.laboratory strength making_profit     one level against another, and who won
    python -m tests.laboratory calibrate making_profit    the chances of positions, held against who won

A run of days is kept in a file (--keep) and goes on there. What was found stands in docs/analysis.md.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from daybook.base import OPTIONS, CommandError, Commands, json_option, print_json, progress, refusing
from daybook.domain.games import PRACTISED
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import IllegalDecision
from daybook.exchange import PLAYOUTS
from daybook.services.play.practice import Level
from daybook.services.play.search import NoPolicyError
from daybook.services.store.printed_sheets import printed_sheet
from tests.laboratory import calibrating
from tests.laboratory.kept_runs import OtherRun
from tests.laboratory.strength import measure_strength, seatings


@click.group(cls=Commands)
def laboratory() -> None:
    """Measure practice players and win chances over many games."""


def file_option(name: str, help: str) -> Callable[[Any], Any]:
    return click.option(name, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help=help)


def _rules_of(game: str) -> Ruleset[Any]:
    if game not in PRACTISED:
        raise CommandError(f"the laboratory does not know the game {game!r}; it knows {', '.join(PRACTISED)}")
    return PRACTISED[game]


@laboratory.command()
@click.argument("game")
@click.option(
    "--players", type=click.IntRange(1), metavar="N", help="How many seats. Default: 4, or fewer if the game has fewer."
)
@click.option("--games", type=click.IntRange(1), default=400, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option(
    "--level",
    type=click.Choice(["chance", "steady", "strong"]),
    default="steady",
    show_default=True,
    help="The level to measure.",
)
@click.option("--against", type=click.Choice(["chance", "steady", "strong"]), default="chance", show_default=True)
@PLAYOUTS
@click.option("--at-table", is_flag=True, help="By the seconds of a practice table instead of --playouts.")
@click.option("--rotate", is_flag=True, help="Play each deal again with seats changed.")
@file_option("--keep", "Add each game to FILE, and continue from the games in it.")
@OPTIONS
@json_option
def strength(
    game: str,
    players: int | None,
    games: int,
    seed: int,
    level: Level,
    against: Level,
    playouts: int,
    at_table: bool,
    rotate: bool,
    keep: Path | None,
    options: dict[str, Any],
    as_json: bool,
) -> None:
    """Let practice players of two levels play a GAME against each other, and print the wins of each.

    Half the seats play at --level, other seats in each game. With --players 1 the solo game is played.
    """
    rules = _rules_of(game)
    seats = players or min(4, rules.seats[-1])
    with refusing(IllegalDecision, NoPolicyError, OtherRun, OSError), progress("playing", games) as on:
        found = measure_strength(
            rules,
            printed_sheet(game),
            level,
            against,
            seats=seats,
            games=games,
            seed=seed,
            options=options,
            playouts=None if at_table else playouts,
            rotations=seatings(seats) if rotate else 1,
            folder=keep,
            on=on,
        )
    if as_json:
        print_json(found)
        return
    low, high = (f"{100 * bound:.1f}" for bound in found.interval)
    click.echo(
        f"{rules.title}: {found.games} games of {found.seats} seats, half of them {found.level}, "
        f"the others {found.against}"
        if found.against
        else f"{rules.title}: {found.games} solo games"
    )
    click.echo(f"  won by {found.level}: {100 * found.share:.1f} % (95 % interval {low} to {high})")
    against_place = "" if found.other_place is None else f" against {found.other_place:.2f}"
    click.echo(f"  mean place: {found.place:.2f}{against_place}")
    click.echo(f"  decisions a second of processor time: {found.decisions_a_second:.3g}")
    if found.unfinished:
        click.echo(f"  not ended: {found.unfinished}")


@laboratory.command()
@click.argument("game")
@click.option(
    "--players", type=click.IntRange(2), metavar="N", help="How many seats. Default: 4, or fewer if the game has fewer."
)
@click.option("--games", type=click.IntRange(2), default=1_000, show_default=True)
@click.option("--positions", type=click.IntRange(1), default=4, show_default=True, help="How many from each game.")
@click.option("--seed", type=int, default=1_000_000, show_default=True, help="The same seed plays the same games.")
@file_option("--keep", "Add each game to FILE, and continue from the games in it.")
@file_option("--to", "Write the result to FILE. Pages use calibration.json in the game's folder.")
@click.option("--rows", is_flag=True, help="Print it as rows of a Markdown table.")
@OPTIONS
@json_option
def calibrate(
    game: str,
    players: int | None,
    games: int,
    positions: int,
    seed: int,
    keep: Path | None,
    to: Path | None,
    rows: bool,
    options: dict[str, Any],
    as_json: bool,
) -> None:
    """Compare the win chances of a GAME's positions with the winners.

    Steady players who waver play these games.
    """
    rules = _rules_of(game)
    with refusing(IllegalDecision, OtherRun, calibrating.TooFewGames, OSError), progress("playing", games) as on:
        found = calibrating.calibrate(
            rules,
            printed_sheet(game),
            seats=players or min(4, rules.seats[-1]),
            games=games,
            seed=seed,
            positions=positions,
            options=options,
            folder=keep,
            on=on,
        )
        if to is not None:
            to.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    if as_json:
        print_json(found)
        return
    if rows:
        click.echo("\n".join(calibrating.markdown_rows(found, rules.title)))
        return
    click.echo(f"{rules.title}: {found.games} games of {found.seats} seats, {found.positions} positions")
    click.echo("  predicted   forecasts   mean   came true")
    for tenth, item in enumerate(found.tenths):
        if item.forecasts:
            click.echo(
                f"  {10 * tenth:>3}-{10 * tenth + 10:<3} % {item.forecasts:>10} {100 * item.predicted:>6.1f} "
                f"{100 * item.actual:>8.1f}"
            )
    click.echo(
        f"  {found.added:.1f} even play-outs counted in; without them a Brier score of {found.brier_as_played:.3f}"
    )
    click.echo(
        f"  Brier score: {found.brier:.3f}; whoever leads wins: {found.brier_leader:.3f}; the standing through "
        f"a fitted curve: {found.brier_standing:.3f}"
    )
    for than, ahead in (("whoever leads", found.ahead_of_leader), ("the standing", found.ahead_of_standing)):
        click.echo(f"  better than {than} by {ahead.mean:.3f} (95 % interval {ahead.low:.3f} to {ahead.high:.3f})")
    click.echo(f"  clearly better than both: {'yes' if found.is_clearly_better else 'no'}")
    if found.curve is not None:
        click.echo(
            f"  worth at the ends of periods: slope {found.curve[0]}, rise {found.curve[1]}; "
            f"{found.length:.0f} steps in the mean"
        )
