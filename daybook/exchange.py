"""Record files in and out of the data folder, and practice games."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from uuid import UUID

import click

from daybook.base import (
    FILES,
    GAME,
    OPTIONS,
    CommandError,
    data_option,
    each,
    game_id,
    json_option,
    main,
    open_service,
    print_json,
    print_lines,
    progress,
    refusing,
)
from daybook.services.counted import counted

if TYPE_CHECKING:
    from daybook.domain.kernel.record import Game
    from daybook.services.play.practice import Level
    from daybook.services.store.daybook import Daybook

LEVEL = click.option(
    "--level",
    type=click.Choice(["chance", "steady", "strong"]),
    default="chance",
    show_default=True,
    help="How well they play: chance picks any legal decision, steady plays for points, strong tries out what steady "
    "likes best, which takes long.",
)
PLAYOUTS = click.option(
    "--playouts",
    type=click.IntRange(1),
    default=24,
    show_default=True,
    metavar="N",
    help="How many games strong players play out before each decision.",
)


@main.command(name="export")
@click.argument("game", callback=game_id)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it. Default: print it.",
)
@click.option("--bare", is_flag=True, help="Only the decisions, as a bare file.")
@data_option
def export_file(game: UUID, out: Path | None, bare: bool, data: Path | None) -> None:
    """Export a GAME as a record file, hidden cards included."""
    from daybook.services.files import import_export, recordfile
    from daybook.services.files.signed_seats import sign_file
    from daybook.services.store.game_cache import UnknownGameError

    with open_service(data) as book, refusing(UnknownGameError, OSError):
        content = sign_file(book, import_export.export_game(book, game))
        if bare:
            held = recordfile.read_record_file(io.BytesIO(content), "")
            content = b"".join(recordfile.bare_file(held.header, held.game.entries))
        if out is None:
            sys.stdout.buffer.write(content)
        else:
            out.write_bytes(content)


@main.command(name="import")
@FILES
@click.option("--public", is_flag=True, help="Show the games to everybody.")
@data_option
@json_option
def import_files(files: Sequence[BinaryIO], public: bool, data: Path | None, as_json: bool) -> None:
    """Import record files, sealed or bare. Steps that are already there stay as they are."""
    from daybook.services.files import import_export
    from daybook.services.files.recordfile import BadFileError

    with open_service(data) as book:
        for file in each("importing", files):
            with refusing(BadFileError, import_export.RecordsDivergeError, about=file.name):
                content = file.read()
                before = len(book.log.lines(import_export.game_id_in(content)))
                game_id = import_export.import_file(book, content, public)
            game = book.games.get(game_id)
            added = len(game.entries) - before
            if as_json:
                print_json({"file": file.name, "game": game_id, "added": added, "step": game.step, "seal": game.seal})
            else:
                print_lines(f"{file.name}: game {game_id}, {counted(added, 'step')} added, now at step {game.step}")


@main.command()
@GAME
@click.option("--players", type=click.IntRange(1), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1), default=10, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@OPTIONS
@click.option("--save", is_flag=True, help="Keep the games in the data folder, as practice games.")
@click.option(
    "--fill",
    type=click.IntRange(1),
    metavar="N",
    help="Fill the data folder with N games for a demonstration: copies of the games played, with new ids, "
    "other people and other days of the last two years. A hundred copies take about a second. They "
    "have the decisions of the few games that were played.",
)
@click.option(
    "--people",
    type=click.IntRange(1),
    default=24,
    show_default=True,
    metavar="N",
    help="How many people play them, with --fill. The same seed gives the same people.",
)
@click.option(
    "--club",
    "with_club",
    is_flag=True,
    help="Create a practice club in the data folder: two divisions, a finished season and the next one.",
)
@click.option(
    "--files",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the games as record files.",
)
@LEVEL
@PLAYOUTS
@data_option
@json_option
def simulate(
    ruleset: str,
    players: int,
    games: int,
    seed: int,
    options: dict[str, Any],
    save: bool,
    fill: int | None,
    people: int,
    with_club: bool,
    folder: Path | None,
    level: Level,
    playouts: int,
    data: Path | None,
    as_json: bool,
) -> None:
    """Play practice games and print a summary."""
    if with_club:
        simulate_club(seed, level, data, as_json)
        return
    from daybook.domain.games import RULESETS
    from daybook.domain.kernel.terms import IllegalDecision
    from daybook.services.play import simulate

    if ruleset not in RULESETS:
        raise CommandError(f"Daybook does not know the game {ruleset!r}; it knows {', '.join(RULESETS)}")
    rules = RULESETS[ruleset]
    with refusing(IllegalDecision), ExitStack() as held:
        if fill and people < players:
            raise CommandError(f"{players} seats need at least {players} people, not {people}: give --people {players}")
        book = held.enter_context(open_service(data, create=True)) if save or fill else None
        played: list[Game] = []
        with progress("playing", games) as on:
            simulated = simulate.simulate_games(rules, players, games, seed, options, level, playouts)
            for number, game in enumerate(simulated, 1):
                played.append(_write_simulated(number, game, book if save else None, folder, on))
        if book is not None and fill:
            with progress("laying again", fill) as on:
                for _ in simulate.insert_copies(book, played, fill, simulate.demonstration_players(people, seed), seed):
                    on(1)
        summary = simulate.summarize_games(played)
    if as_json:
        print_json(summary)
        return
    fewest, middle, most = summary.steps
    games_played = counted(summary.games, "game")
    print_lines(f"{games_played} of {rules.title}, {fewest} to {most} steps, half of them within {middle:g}")
    for rule, count in summary.ended.items():
        print_lines(f"  ended by {rule}: {count}")
    if summary.unfinished:
        print_lines(f"  not ended: {summary.unfinished}")
    for seat in summary.seats:
        print_lines(f"  seat {seat.seat}: won {seat.won}, mean total {seat.mean_total:g}")
    if fill:
        kept = counted(fill, "game is", "games are")
        print_lines(f"{kept} kept, laid again with {counted(people, 'person', 'people')}")


def simulate_club(seed: int, level: Level, data: Path | None, as_json: bool) -> None:
    """Make a practice club; the same seed makes the same one, and a second time nothing."""
    from uuid import UUID, uuid5

    from daybook.services.following import projections
    from daybook.services.league import clubs
    from daybook.services.league.demonstration import TABLES, Demonstration

    with open_service(data, create=True) as book:
        projections.catch_up(book, projections.results_projection(book))  # no follower runs on this folder
        organiser = uuid5(UUID(int=seed % 2**128), "organiser of a practice club").hex
        book.kept.keep_person(organiser, "Olga")
        made = Demonstration(
            book,
            "Practice club",
            organiser,
            by=clubs.OPERATOR,
            public=True,
            level=level,
            key=f"practice-club-{seed}" if level == "chance" else f"practice-club-{seed}-{level}",
        )
        with progress("playing", TABLES) as on:
            made.make(
                "Practice league",
                "Season 1",
                lambda season, table: f"{season.name}, round {table.round}, table {table.id} (practice)",
                on,
            )
        club = made.club
    if as_json:
        print_json(
            {"club": club.id, "seasons": [season.id for season in club.seasons.values()], "games": [*club.games]}
        )
        return
    print_lines(
        f"{club.name} has {counted(len(club.people()), 'member')}, {counted(len(club.games), 'game')} and "
        f"{counted(len(club.seasons), 'season')}: /clubs/{club.id}"
    )


def _write_simulated(
    number: int, game: Game, book: Daybook | None, folder: Path | None, on: Callable[[int], object]
) -> Game:
    """Write a simulated game to the database or the folder that the command names."""
    from daybook.services.files import recordfile

    header = recordfile.build_header(
        game,
        f"{game.ruleset.title}, simulation {number}",
        [f"Player {seat + 1}" for seat in range(len(game.opening.seats))],
    )
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{game.id}.daybook").write_bytes(b"".join(recordfile.write_full_file(header, game.entries)))
    if book is not None:
        from daybook.services.files.import_export import store_record

        store_record(book, recordfile.Record(header, game, bare=False), 0, public=True, trusted=True)
    on(1)
    return game
