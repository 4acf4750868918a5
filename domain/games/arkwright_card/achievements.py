"""The fifteen achievements of the solo game, and how it ends (ACG-6.5.2, ACG-6.6, ACG-6.7).

What they ask for is counted from the effects as they are told. Those that speak of shares, share value or money before
the final scoring are read off the board, which the final account does not move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from daybook.domain.games.arkwright_card import automas, moves, scoring
from daybook.domain.games.arkwright_card.board import Board, Player, Solo, State
from daybook.domain.games.arkwright_card.printed import ACHIEVEMENTS, GOODS, LIFTS, POSITIONS, Achievement, Goals
from daybook.domain.games.arkwright_card.solo_moves import (
    AchievementEarned,
    AchievementLost,
    AchievementReached,
    AutomaScored,
    PickAchievement,
    SoloLost,
    SoloWon,
)
from daybook.domain.kernel.rule_parts import Action, DecisionKind
from daybook.domain.kernel.terms import Decision, Effect, Seat, Tell, WhyNot, holds, refuse_unless

SKILLED = ("engineer", "patent")
SKILLED_CARDS = ("QE", "DP")  # cards of skilled workers, besides factories

# --- what is counted ---


def with_achievements(kinds: Mapping[type[Decision], DecisionKind[Board]]) -> dict[type[Decision], DecisionKind[Board]]:
    """Return the table of decisions; in a solo game, achievements are updated after each."""
    return {kind: replace(row, does=counting_achievements(row.does)) for kind, row in kinds.items()}


def counting_achievements(action: Action[Board]) -> Action[Board]:
    """Let an action also note its effects for the achievements of a solo game."""

    def play(b: Board, seat: Seat, d: Any, tell: Tell) -> None:
        if b.solo is None:
            action(b, seat, d, tell)
            return

        def tell_and_note(effect: Effect) -> None:
            tell(effect)
            note_achievement(b, b.alone, effect)

        action(b, seat, d, tell_and_note)
        settle_achievements(b, tell)

    return play


def note_achievement(b: Board, solo: Solo, effect: Effect) -> None:
    """Note in the solo player's tallies what an effect means for the achievements."""
    match effect:
        case moves.Shipped() if effect.ships:
            solo.shippings += 1
        case moves.ActionChosen(action="automate"):
            solo.automated = True
        case moves.CardDiscarded(card="broker") if effect.rule == "ACG-4.11.4":
            solo.brokered = True
        case moves.SharesBought() if effect.rule == "ACG-3.3.6":
            player = b.players[effect.seat]
            solo.penniless = not player.money and player.shares == automas.numbers(b).goals.start_shares
        case moves.CardPlaced() if effect.card in SKILLED_CARDS:
            solo.helped = True
        case moves.DevelopmentTaken() if allowed_by_card(b, effect):
            solo.helped = True
    solo.helped = solo.helped or any(
        factory.quality_value > b.printed.start_quality_cap for _, factory in b.players[0].open()
    )


def allowed_by_card(b: Board, effect: moves.DevelopmentTaken) -> bool:
    """Check if only the Patent or the Engineer allowed the step: its decade has not come (ACG-4.11.9)."""
    if not b.options.restrictions or effect.rule != "ACG-4.11.1" or effect.track not in [LIFTS[c] for c in SKILLED]:
        return False
    return b.decade < b.printed.tracks[effect.track].limits[effect.level - 1]


# --- what is fulfilled ---


def factories(p: Player) -> int:
    """Count a player's open factories."""
    return len(list(p.open()))


def complete(p: Player) -> int:
    """Open factories with all worker cards."""
    return sum([len(factory.workers) == len(POSITIONS) for _, factory in p.open()])


Fulfilled = Callable[[Board, Solo, Player, Goals], bool]
FULFILLED: dict[Achievement, Fulfilled] = {  # if the game ended now
    "tycoon": lambda b, solo, p, g: scoring.total(b, 0) >= g.score,
    "patriot": lambda b, solo, p, g: not solo.shippings,
    "true_worker": lambda b, solo, p, g: not solo.helped,
    "workers_hero": lambda b, solo, p, g: not solo.automated,
    "gentleman": lambda b, solo, p, g: not p.levels["stock"] and not solo.brokered,
    "specialist": lambda b, solo, p, g: factories(p) == g.few_factories,
    "all_rounder": lambda b, solo, p, g: factories(p) == g.many_factories,
    "full_lines": lambda b, solo, p, g: complete(p) == g.many_factories,
    "boss": lambda b, solo, p, g: g.shares[0] <= p.shares <= g.shares[1],
    "professional_broker": lambda b, solo, p, g: p.shares == g.most_shares,
    "stock_enthusiast": lambda b, solo, p, g: g.share_value[0] <= p.share_value <= g.share_value[1],
    "big_fish": lambda b, solo, p, g: p.share_value == g.most_share_value,
    "from_nothing": lambda b, solo, p, g: solo.penniless,
    "nouveau_riche": lambda b, solo, p, g: p.money >= g.money,
    "sailor": lambda b, solo, p, g: solo.shippings >= g.shippings,
}
STAYS = frozenset({"all_rounder", "full_lines", "professional_broker", "big_fish", "from_nothing", "sailor"})
# once fulfilled they are for good: factories and worker cards stay, shares and their value never fall
NEVER_AGAIN = frozenset({"patriot", "true_worker", "workers_hero", "gentleman"})  # once not fulfilled


def is_fulfilled(b: Board, name: Achievement) -> bool:
    """Check if an achievement would be fulfilled if the game ended now."""
    return not b.players[0].bankrupt and FULFILLED[name](b, b.alone, b.players[0], automas.numbers(b).goals)


def beyond(b: Board, name: Achievement) -> bool:
    """Check if an achievement cannot be fulfilled any more."""
    p, goals = b.players[0], automas.numbers(b).goals
    match name:
        case "specialist":
            return factories(p) > goals.few_factories
        case "all_rounder":
            return (
                len([good for good in GOODS if p.factories[good] is not None or can_build(b, good)])
                < goals.many_factories
            )
        case "full_lines":
            return len([good for good in GOODS if can_complete(b, p, good)]) < goals.many_factories
        case "boss":
            return p.shares > goals.shares[1]
        case "stock_enthusiast":
            return p.share_value > goals.share_value[1]
        case "from_nothing":
            return bool(b.round)
    return name in NEVER_AGAIN and not is_fulfilled(b, name)


def can_build(b: Board, good: str) -> bool:
    """Check if an action is left in which a factory could be built or workers employed (ACG-4.3.4)."""
    if b.decade < b.printed.game_decades:
        return True
    place = GOODS.index(good)
    return place >= b.round or (place == b.round - 1 and before_step_b(b))


def before_step_b(b: Board) -> bool:
    """Check if the player's action of this round is running or still to come."""
    if b.stage == "automa":
        return b.alone.first
    return b.phase == "action" and b.stage not in ("price", "development", "take_card", "foreman", "replace")


def can_complete(b: Board, p: Player, good: str) -> bool:
    factory = p.factories[good]
    return can_build(b, good) if factory is None or len(factory.workers) < len(POSITIONS) else True


def state(b: Board, name: Achievement) -> State:
    """Return the certain state of an achievement; in the end all are certain."""
    if name in STAYS and is_fulfilled(b, name):
        return "reached"
    return "lost" if b.players[0].bankrupt or beyond(b, name) else "open"


def settle_achievements(b: Board, tell: Tell) -> None:
    """Emit the achievements that have become certain during the game."""
    solo = b.alone
    if b.phase == "over":
        return
    for number, name in enumerate(ACHIEVEMENTS, 1):
        if solo.achievements[name] != "open":
            continue
        now = state(b, name)
        solo.achievements[name] = now
        if now == "reached":
            tell(AchievementReached(f"ACG-6.7.{number}", 0, name))
        elif now == "lost":
            tell(AchievementLost(f"ACG-6.7.{number}", 0, name))


# --- the end ---


def end_game(b: Board, tell: Tell) -> None:
    """Find the winner and the achievements that count (ACG-6.6)."""
    solo = b.alone
    scoring.tell_accounts(b, tell)
    for colour, automa in b.opponents:
        tell(AutomaScored("ACG-6.5.2", colour, automa.shares, automa.share_value, automa.score))
    rank, best = scoring.solo_rank(b), max(automa.score for _, automa in b.opponents)
    if rank == 1:
        tell(SoloWon("ACG-6.6.1", 0, scoring.total(b, 0), best, scoring.money_left(b, 0)))
    else:
        rule = "ACG-6.6.2" if b.players[0].bankrupt else "ACG-6.6.1"
        tell(SoloLost(rule, 0, scoring.total(b, 0), best, rank))
    solo.achievements = {name: "reached" if is_fulfilled(b, name) else "lost" for name in ACHIEVEMENTS}
    if picks(b) and len(reached_achievements(b)) > picks(b):
        b.stage, b.mover = "achievements", 0
        return
    for name in reached_achievements(b) if picks(b) else ():
        earn(b, name, False, tell)
    close(b, tell)


def reached_achievements(b: Board) -> list[Achievement]:
    return [name for name in ACHIEVEMENTS if b.alone.achievements[name] == "reached"]


def picks(b: Board) -> int:
    """Return the number of achievements that count: all after a win, or a number by the variant (ACG-6.6.3)."""
    rank = scoring.solo_rank(b)
    if not b.options.solo_pick_achievements:
        return len(ACHIEVEMENTS) if rank == 1 else 0
    first, second = automas.numbers(b).goals.picked
    return {1: first, 2: second}.get(rank, 0)


def earn(b: Board, name: Achievement, picked: bool, tell: Tell) -> None:
    """Give the solo player an achievement; picked: chosen by the player, not met."""
    b.alone.earned.append(name)
    rule = "ACG-6.6.3" if picked else f"ACG-6.7.{ACHIEVEMENTS.index(name) + 1}"
    tell(AchievementEarned(rule, 0, name, picked))


def close(b: Board, tell: Tell) -> None:
    """End the game after the last decade (ACG-4.1.3)."""
    b.stage, b.mover = "over", None
    tell(moves.GameEnded("ACG-4.1.3", b.decade, b.round))


def pick_achievement(b: Board, seat: Seat, d: PickAchievement, tell: Tell) -> None:
    earn(b, d.achievement, True, tell)
    if len(b.alone.earned) == picks(b):
        close(b, tell)


@holds("the achievement is fulfilled")
def is_reached(b: Board, d: PickAchievement) -> WhyNot:
    return refuse_unless(
        b.alone.achievements[d.achievement] == "reached",
        "not_fulfilled",
        "the achievement is not fulfilled: {achievement}",
        achievement=d.achievement,
    )


@holds("the achievement is not chosen yet")
def not_picked(b: Board, d: PickAchievement) -> WhyNot:
    return refuse_unless(
        d.achievement not in b.alone.earned,
        "already_done",
        "{achievement} is already chosen",
        achievement=d.achievement,
    )


PICKS = tuple(PickAchievement(name) for name in ACHIEVEMENTS)
