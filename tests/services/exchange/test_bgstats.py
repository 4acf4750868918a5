"""BG Stats: what a finished game tells its app, field by field."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote
from uuid import UUID

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import SeatTaken
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.times import written_time
from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.services.exchange import bgstats
from daybook.services.exchange.recorded import play_of_game
from daybook.services.play.practice import Dealer, play_out
from daybook.services.store.printed_sheets import printed_sheet

NAMES = ("Anna", "Bo", "Chiara")
PEOPLE = tuple(f"person-{name}-0123456789" for name in NAMES)
STEP = timedelta(minutes=2)
NIGHT = timedelta(hours=14)  # between the second step and the third


def game_of(limit: int = 5000, **opening: Any) -> Game:
    """A game of Making Profit, played out in two evenings, a step every two minutes."""
    ruleset, sheet = RULESETS["making_profit"], printed_sheet("making_profit")
    colours = ruleset.colours(sheet)[:3]
    table = ruleset.table(colours, {"hands": "open"}, sheet)
    seats = [SeatTaken(person, colour) for person, colour in zip(PEOPLE, colours, strict=True)]
    begun = datetime.fromisoformat("2026-11-20T19:30:00.000Z")

    def written(step: int) -> Written:
        at = begun + step * STEP + (NIGHT if step > 2 else timedelta(0))
        return Written(written_time(at), "anna", f"step-{step}")

    told = {"kind": "table", "recorded": "live"} | opening
    game = Game(UUID(int=7), ruleset)
    game.apply(opening_entry(game.id, ruleset, table, seats, plain(table.options), {}, written=written(0), **told))
    for _ in play_out(game, Dealer(7), written, limit):
        pass
    return game


def exported_play(game: Game) -> Play | None:
    return play_of_game(game, NAMES, PEOPLE, "Making Profit", ("red", "blue", "green"), "open hands", "The cellar")


def test_every_field_of_a_finished_game_is_as_the_app_takes_it():
    game = game_of()
    play = exported_play(game)
    assert play is not None
    address = bgstats.create_link(play)
    assert address.startswith(bgstats.CREATE) and not {*' "{}[]'} & {*address}
    said = json.loads(unquote(address.removeprefix(bgstats.CREATE)))
    steps = len(game.line())
    assert {key: value for key, value in said.items() if key != "players"} == {
        "sourceName": "Daybook",
        "sourcePlayId": str(game.id),
        "playDate": "2026-11-20 19:30:00",
        "game": {"name": "Making Profit", "sourceGameId": "making_profit", "highestWins": True, "noPoints": False},
        "durationMin": 2 * (steps - 2),
        "location": "The cellar",
        "board": "open hands",
    }
    outcome = game.ruleset.scoring.outcome(game.board)
    assert outcome is not None
    for seat, each_item in enumerate(said["players"]):
        assert each_item["name"] == NAMES[seat]
        assert each_item["sourcePlayerId"] == PEOPLE[seat][:12]
        assert (each_item["rank"], each_item["winner"]) == (outcome.ranks[seat], outcome.ranks[seat] == 1)
        assert each_item["score"] == game.ruleset.scoring.standing(game.board)[seat].total
        assert each_item["role"] == ("red", "blue", "green")[seat]
    assert sum(item["startPlayer"] for item in said["players"]) == 1


@pytest.mark.parametrize(
    ("opening", "at", "minutes"),
    [({"recorded": "notes"}, "closed", 0), ({"played_on": "2026-11-03"}, "2026-11-03T10:00:00.000Z", 0)],
)
def test_game_not_recorded_live_exports_its_day_and_no_minutes(opening, at, minutes):
    game = game_of(**opening)
    play = exported_play(game)
    assert play is not None
    assert play.minutes == minutes
    assert play.at == (game.entries[-1].event.at if at == "closed" else at)


def test_nothing_is_told_of_a_game_that_runs_and_of_practice():
    assert exported_play(game_of(limit=20)) is None
    assert exported_play(game_of(kind="practice")) is None


def test_yes_and_no_are_always_written_and_unknowns_left_out():
    play = Play(
        "p", "2026-11-20", PlayedGame("Coup", bgg=131357, points=False), (Player("Anna"), Player("Ben", won=True))
    )
    assert bgstats.encode_play(play) == {
        "sourceName": "Daybook",
        "sourcePlayId": "p",
        "playDate": "2026-11-20 10:00:00",
        "game": {"name": "Coup", "sourceGameId": "Coup", "highestWins": True, "noPoints": True, "bggId": 131357},
        "players": [
            {"name": "Anna", "sourcePlayerId": "Anna", "startPlayer": False, "winner": False},
            {"name": "Ben", "sourcePlayerId": "Ben", "startPlayer": False, "winner": True},
        ],
    }
