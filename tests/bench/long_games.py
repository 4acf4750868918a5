"""Games to measure with: the longest of some practice games, and what was decided in them."""

from __future__ import annotations

from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.play.recording import NewGame, SeatedPerson, open_game
from daybook.services.store.daybook import Daybook
from daybook.services.store.printed_sheets import printed_sheet

STEPS = 500


def long_game(ruleset: str, steps: int = STEPS) -> Game:
    """The longest of some practice games, cut at `steps`; the same every time."""
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    colours = rules.colours(sheet)[: rules.seats[-1]]
    best: Game | None = None
    for seed in range(12):
        seated = [PracticeSeat(f"Player {n}", colour, f"p{n}") for n, colour in enumerate(colours)]
        game = open_practice_game(uuid5(NAMESPACE_URL, f"{ruleset} {seed}"), rules, sheet, seated, {}, written_at(0))
        for entry in play_out(game, Dealer(seed), written_at, steps):
            if entry.step >= steps:
                break
        if best is None or game.step > best.step:
            best = game
        if game.step >= steps:
            break
    assert best is not None
    return best


def written_at(step: int) -> Written:
    return Written("2026-01-01T00:00:00.000Z", "practice", f"bench-{step}")


def replayed_decisions(game: Game, limit: int = 200) -> list[DecisionRecorded]:
    """The first decisions of a game."""
    return [entry.event for entry in game.entries if isinstance(entry.event, DecisionRecorded)][:limit]


def opened_again(book: Daybook, game: Game) -> UUID:
    """A game of a service with the same seats and options, of which nothing is decided yet."""
    players = [SeatedPerson(f"Player {n}", seat.colour) for n, seat in enumerate(game.opening.seats)]
    return open_game(
        book,
        NewGame(ruleset_id=game.ruleset.id, title="Bench", players=players, options=game.opening.options),
        key=uuid4().hex,
    ).record


def title_of(game: Game) -> str:
    """The column of a game."""
    return game.ruleset.title.removeprefix("Arkwright: ")
