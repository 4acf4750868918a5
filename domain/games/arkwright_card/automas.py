"""Actions of the automas of the solo game, which decide nothing (ACG-6.3, ACG-6.4)."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import market, solo_moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import SoloNumbers
from daybook.domain.kernel.terms import Seat, Tell

GRANTED = 1  # shares, or steps of share value, at a time


def numbers(b: Board) -> SoloNumbers:
    """Return the solo game's numbers. Raises LookupError in a game of several."""
    if b.printed.solo is None:
        raise LookupError("this is no solo game")
    return b.printed.solo


# --- the market board ---


def set_marker(b: Board, colour: str, good: str, tell: Tell) -> None:
    """Set an automa's appeal marker to its starting place; the wages stay (ACG-6.2.6)."""
    appeal = min(numbers(b).appeal[good], b.printed.market_appeal_top)
    passed = market.arrows(b, good, 0, appeal)
    b.alone.automas[colour].appeal[good] = appeal
    tell(solo_moves.AutomaMarkerSet("ACG-6.2.6", colour, good, appeal, passed))
    market.move_demand(b, good, passed, "ACG-4.0.8", tell)


def advance(b: Board, colour: str, before: int, to: int, rule: str, tell: Tell) -> None:
    """Move an automa's appeal marker on the active good's track."""
    good, after = b.active, min(to, b.printed.market_appeal_top)
    passed = market.arrows(b, good, before, after)
    b.alone.automas[colour].appeal[good] = after
    tell(solo_moves.AutomaAdvanced(rule, colour, good, before, after, passed))
    market.move_demand(b, good, passed, "ACG-4.0.8", tell)


def build_automa_factory(b: Board, colour: str, tell: Tell) -> None:
    """Build an automa's factory with new workers, and a marker out of the stock (ACG-6.3.5)."""
    good, automa = b.active, b.alone.automas[colour]
    automa.appeal[good] = 0
    tell(solo_moves.AutomaBuilt("ACG-6.3.5", colour, good, len(b.demand) - len(automa.appeal)))
    market.wages_rise(b, tell)
    advance(b, colour, 0, numbers(b).factory_appeal[good] + b.decade, "ACG-6.3.5", tell)


def markers_on(b: Board, good: str) -> int:
    """Appeal markers of all on a track."""
    return sum([player.factories[good] is not None for player in b.players]) + sum(
        [good in automa.appeal for _, automa in b.opponents]
    )


# --- the turn ---


def take_turn(b: Board, drawn: str, tell: Tell) -> None:
    """All that follows from a marker out of the bag (ACG-6.3.3 to ACG-6.3.9)."""
    solo = b.alone
    solo.bag[drawn] -= 1
    tell(solo_moves.MarkerShown("ACG-6.3.3", drawn, solo.bag[drawn]))
    automa = solo.automas.get(drawn)
    if automa is None:
        tell(solo_moves.NeutralShown("ACG-6.3.6", drawn))
    elif b.active in automa.appeal:
        before = automa.appeal[b.active]
        advance(b, drawn, before, before + numbers(b).advance, "ACG-6.3.4", tell)
    else:
        build_automa_factory(b, drawn, tell)
    for colour, _ in b.opponents:
        if colour != drawn:
            gain_share(b, colour, "ACG-6.3.7", tell)
    move_disc(b, drawn, tell)
    solo.drawn.append(drawn)
    tell(solo_moves.MarkerLaidAside("ACG-6.3.9", drawn, sum(solo.bag.values())))


def gain_share(b: Board, colour: str, rule: str, tell: Tell) -> None:
    automa = b.alone.automas[colour]
    gained = min(GRANTED, b.printed.rules_shares_top - automa.shares)
    automa.shares += gained
    tell(solo_moves.AutomaSharesGained(rule, colour, gained, automa.shares))


def move_disc(b: Board, colour: str, tell: Tell) -> None:
    """Card by card, as many as there are markers on the active track; then on to a card without one (ACG-6.3.8)."""
    solo = b.alone
    steps = markers_on(b, b.active)
    place = solo.discs[colour]
    others = [other for disc, other in solo.discs.items() if disc != colour]
    for _ in range(steps):
        place = next_card(b, place)
    while place in others:
        place = next_card(b, place)
    solo.discs[colour] = place
    row, column = row_and_column(b, place)
    tell(solo_moves.DiscMoved("ACG-6.3.8", colour, steps, row, column, solo.card(place) or ""))


def next_card(b: Board, place: int) -> int:
    """Return the next place with a card, in reading order; after the last place, the first."""
    grid = b.alone.grid
    cards = [other for other, card in enumerate(grid, 1) if card is not None]
    return next((other for other in cards if other > place), cards[0])


def row_and_column(b: Board, place: int) -> tuple[int, int]:
    """Both from 1."""
    row, column = divmod(place - 1, numbers(b).columns)
    return row + 1, column + 1


# --- production ---


def sales(b: Board, colour: str) -> int | None:
    """Goods that an automa sells now, as many as the market takes; None: it has no factory of them (ACG-6.4.2)."""
    appeal = b.alone.automas[colour].appeal.get(b.active)
    return None if appeal is None else max(0, appeal - b.demand_value(b.active))


def any_sale(b: Board) -> bool:
    return any(b.active in automa.appeal for _, automa in b.opponents)


def produce(b: Board, tell: Tell) -> None:
    """Let each automa sell the active good (ACG-6.4.4)."""
    for colour, automa in b.opponents:
        sold = sales(b, colour)
        if sold is None:
            tell(solo_moves.AutomaIdle("ACG-6.4.4", colour, b.active))
            if b.options.solo_idle_share:
                gain_share(b, colour, "ACG-7.1.5", tell)
            continue
        tell(
            solo_moves.AutomaSold(
                "ACG-6.4.2", colour, b.active, automa.appeal[b.active], b.demand_value(b.active), sold
            )
        )
        if sold >= b.printed.rules_share_sales:
            steps = raise_value(b, colour, b.printed.rules_share_step)
            tell(solo_moves.AutomaValueRaised("ACG-6.4.3", colour, sold, steps, automa.share_value))
        else:
            gain_share(b, colour, "ACG-6.4.3", tell)


def raise_value(b: Board, colour: str, steps: int) -> int:
    """Raise the share value by as many steps as the track still has; return their number."""
    automa = b.alone.automas[colour]
    taken = min(steps, b.printed.rules_share_value_top - automa.share_value)
    automa.share_value += taken
    return taken


# --- the highest appeal ---


def rivals(b: Board) -> dict[str, int]:
    """Return the appeals of automas that sell enough for the extra point, unless a ruling leaves them out (ACG-6.4.5)."""
    if not b.options.solo_automa_bonus:
        return {}
    return {
        colour: automa.appeal[b.active]
        for colour, automa in b.opponents
        if (sold := sales(b, colour)) is not None and sold >= b.printed.rules_share_sales
    }


def leading(b: Board) -> list[str]:
    """Return the colours of the automas with the highest appeal."""
    found = rivals(b)
    return [colour for colour, appeal in found.items() if appeal == max(found.values())]


def settle_top(b: Board, tell: Tell) -> None:
    """Give the point for the highest appeal to an automa that has it alone, else to no one."""
    first = leading(b)
    if len(first) == 1:
        automa = b.alone.automas[first[0]]
        steps = raise_value(b, first[0], b.printed.rules_top_step)
        tell(solo_moves.AutomaTopPointWon("ACG-6.4.5", first[0], automa.appeal[b.active], steps, automa.share_value))
    else:
        lose_top(b, [], tell)


def lose_top(b: Board, tied: list[Seat], tell: Tell) -> None:
    tell(solo_moves.TopPointShared("ACG-6.4.5", b.active, tuple(tied), tuple(leading(b))))
