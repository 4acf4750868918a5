"""Value of the shares and outcome (ACG-5).

The final account is worked out from the board and moves nothing on it: it is the projected score of the last step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from daybook.domain.games.arkwright_card import moves, printed
from daybook.domain.games.arkwright_card.board import Board, Player, Solo
from daybook.domain.games.arkwright_card.printed import ACHIEVEMENTS, GOODS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.terms import (
    LedgerRow,
    Outcome,
    Reason,
    Score,
    ScoreLine,
    Seat,
    Table,
    Tell,
    Tiebreak,
    because,
    ranks_of,
)


class FinalScoring(Frozen):
    """A player's final scoring, step by step (ACG-5.1)."""

    stored: dict[str, int]  # goods in storehouses, by good
    sales: int  # what they bring
    bought: int  # shares for all the money
    left: int  # money that buys no whole share
    repaid: int  # shares given for loans
    shares: int
    steps: int  # down for shipping tokens
    value: int

    @property
    def score(self) -> int:
        return self.value * self.shares


def account(b: Board, player: Player) -> FinalScoring:
    """Return a player's final scoring with the sale of stored goods and repaid loans."""
    numbers, price = b.printed, player.share_value
    stored: dict[str, int] = {}
    sales = 0
    for good in GOODS:
        factory = player.factories[good]
        if factory is not None and factory.storehouses and (goods := factory.goods_stored):
            stored[good] = goods
            sales += goods * numbers.stored_prices[good]
    money = player.money + sales
    bought = min(money // price, numbers.rules_shares_top - player.shares) if price else 0
    shares = player.shares + bought
    repaid = min(player.loans, shares)
    steps = min(numbers.scoring_share_value_less[player.shipping_tokens], price)
    return FinalScoring(stored, sales, bought, money - bought * price, repaid, shares - repaid, steps, price - steps)


def standing(b: Board) -> tuple[Score, ...]:
    """Return each seat's score, by seat."""
    return tuple(score(b, seat) for seat in range(b.seats))


def score(b: Board, seat: Seat) -> Score:
    """Return the score; its lines add up to final share value times final shares (ACG-5.1.5)."""
    player, own = b.players[seat], f"/players/{seat}"
    if player.bankrupt:
        return Score(seat, (ScoreLine("bankrupt", 0, "ACG-5.1.8", paths=(f"{own}/bankrupt",)), *solo_lines(b)))
    final, value = account(b, player), player.share_value
    shares, worth = (f"{own}/shares",), (f"{own}/share_value",)
    return Score(
        seat,
        (
            ScoreLine(
                "portfolio", player.portfolio, "ACG-5.2.1", {"shares": player.shares, "value": value}, shares + worth
            ),
            ScoreLine(
                "last_shares",
                final.bought * value,
                "ACG-5.1.2",
                {
                    "money": player.money,
                    "goods": sum(final.stored.values()),
                    "sales": final.sales,
                    "count": final.bought,
                    "value": value,
                    "left": final.left,
                },
                (f"{own}/money", f"{own}/factories", *worth, *shares),
            ),
            ScoreLine(
                "loans",
                -final.repaid * value,
                "ACG-5.1.3",
                {"loans": player.loans, "count": final.repaid, "value": value},
                (f"{own}/loans", *worth),
            ),
            ScoreLine(
                "shipping",
                -final.steps * final.shares,
                "ACG-5.1.4",
                {"tokens": player.shipping_tokens, "steps": final.steps, "shares": final.shares},
                (f"{own}/shipping_tokens", *shares),
            ),
            *solo_lines(b),
        ),
    )


def solo_lines(b: Board) -> Iterator[ScoreLine]:
    """Yield the score lines of a solo player, which add nothing (ACG-6.5.2, ACG-6.7)."""
    for colour, automa in b.opponents:
        path = f"/solo/automas/{colour}"
        yield ScoreLine(
            f"automa.{colour}",
            0,
            "ACG-6.5.2",
            {"colour": colour, "shares": automa.shares, "value": automa.share_value, "score": automa.score},
            (f"{path}/shares", f"{path}/share_value"),
        )
    if b.solo is not None:
        yield from achievement_lines(b.solo, b.stage == "over")


def achievement_lines(solo: Solo, over: bool) -> Iterator[ScoreLine]:
    """Yield the achievements that are earned, or, before the end, certain."""
    for number, name in enumerate(ACHIEVEMENTS, 1):
        said: dict[str, Points | str] = {"achievement": name}
        if over and name in solo.earned:
            yield ScoreLine(f"earned.{name}", 0, f"ACG-6.7.{number}", said, ("/solo/earned",))
        elif not over and solo.achievements[name] == "reached":
            yield ScoreLine(f"reached.{name}", 0, f"ACG-6.7.{number}", said, (f"/solo/achievements/{name}",))


def total(b: Board, seat: Seat) -> int:
    """Return a seat's score if the game ended now; 0 for a bankrupt player."""
    player = b.players[seat]
    return 0 if player.bankrupt else account(b, player).score


def totals(b: Board) -> list[int]:
    """Return every seat's score if the game ended now."""
    return [total(b, seat) for seat in range(b.seats)]


def money_left(b: Board, seat: Seat) -> int:
    player = b.players[seat]
    return 0 if player.bankrupt else account(b, player).left


def outcome(b: Board) -> Outcome | None:
    """Equal scores are settled by money left; what is still equal shares the rank (ACG-5.1.6, ACG-5.1.8)."""
    if b.stage != "over":
        return None
    if b.solo is not None:
        return solo_outcome(b)
    seats = range(b.seats)
    scores, money = [total(b, seat) for seat in seats], tuple(money_left(b, seat) for seat in seats)
    order = [(not b.players[seat].bankrupt, scores[seat], money[seat]) for seat in seats]
    equal = len(set(scores)) < len(scores)
    rule, reason = ending(b)
    return Outcome(rule, reason, ranks_of(order), (Tiebreak("money_left", "ACG-5.1.6", money),) if equal else ())


def solo_rank(b: Board) -> int:
    """1 for a win over both automas, which have no money left; a first place that is shared is none (ACG-6.6.1)."""
    if b.players[0].bankrupt:
        return len(b.alone.automas) + 1
    own = (total(b, 0), money_left(b, 0))
    others = [(automa.score, 0) for _, automa in b.opponents]
    return max(1 + sum(other > own for other in others), 2 if own in others else 1)


def places(b: Board) -> tuple[int, ...]:
    """Return the current ranks, in a solo game among the automas too."""
    return (solo_rank(b),) if b.solo is not None else ranks_of([total(b, seat) for seat in range(b.seats)])


def automas_beside(table: Table) -> int:
    """Return the number of automas in a solo game."""
    solo = printed.of(table).solo
    return 0 if solo is None else len(solo.automas)


def solo_outcome(b: Board) -> Outcome:
    rank, own, money = solo_rank(b), total(b, 0), money_left(b, 0)
    scores = [automa.score for _, automa in b.opponents]
    tiebreaks = (Tiebreak("money_left", "ACG-5.1.6", (money,)),) if own in scores else ()
    best = max(scores)
    if b.players[0].bankrupt:
        return Outcome("ACG-6.6.2", because("solo_bankrupt", "lost: bankrupt"), (rank,))
    if rank == 1:
        reason = because("solo_won", "won with {score}: the better automa has {best}", score=own, best=best)
    elif own == best:
        reason = because("solo_shared", "not won: an automa has {score} too, and no money is left", score=own)
    else:
        reason = because("solo_lost", "lost with {score}: the better automa has {best}", score=own, best=best)
    return Outcome("ACG-6.6.1", reason, (rank,), tiebreaks)


def ending(b: Board) -> tuple[str, Reason]:
    """Return the rule that ended the game, and why."""
    if not b.remaining:
        return "ACG-4.14.5", because("all_bankrupt", "everyone is bankrupt, and no one wins")
    if len(b.remaining) == 1:
        return "ACG-4.14.5", because("one_left", "only seat {seat} is not bankrupt", seat=b.remaining[0])
    return "ACG-4.1.3", because("decades_over", "{decades} decades are over", decades=b.decade)


def end_game(b: Board, tell: Tell) -> None:
    """Make the final account of all remaining players, step by step (ACG-5.1)."""
    b.stage, b.mover = "over", None
    tell_accounts(b, tell)
    tell(moves.GameEnded("ACG-4.1.3", b.decade, b.round))


def tell_accounts(b: Board, tell: Tell) -> None:
    for seat in b.from_start():
        player = b.players[seat]
        if not player.bankrupt:
            tell_account(seat, player, account(b, player), tell)


def tell_account(seat: Seat, player: Player, final: FinalScoring, tell: Tell) -> None:
    if final.sales:
        tell(moves.StoresSold("ACG-5.1.1", seat, final.stored, final.sales, player.money + final.sales))
    tell(
        moves.LastSharesBought(
            "ACG-5.1.2",
            seat,
            final.bought,
            player.share_value,
            final.bought * player.share_value,
            player.shares + final.bought,
            final.left,
        )
    )
    if player.loans:
        tell(moves.LoansRepaid("ACG-5.1.3", seat, player.loans, final.shares))
    if player.shipping_tokens:
        tell(moves.ShippingCounted("ACG-5.1.4", seat, player.shipping_tokens, final.steps, final.value))
    tell(moves.Scored("ACG-5.1.5", seat, final.shares, final.value, final.score))


def marks(b: Board) -> dict[str, int]:
    """Return the decade, the round (counted over the whole game) and the number of turns begun."""
    if not b.round:
        return {"turn": 0}
    return {"decade": b.decade, "round": (b.decade - 1) * b.printed.game_rounds + b.round, "turn": b.turns}


COLUMNS = ("money", "shares", "share_value", "portfolio", "loans", "ships", "shipping_tokens", "lead", "score")


def rows(b: Board, seats: Iterable[Seat]) -> list[LedgerRow]:
    scores = [total(b, seat) for seat in range(b.seats)]
    ahead = leads(b, scores)
    return [row(b.players[seat], ahead[seat], scores[seat]) for seat in seats]


def row(player: Player, lead: int, score: int) -> LedgerRow:
    return (
        player.money,
        player.shares,
        player.share_value,
        player.portfolio,
        player.loans,
        player.ships,
        player.shipping_tokens,
        lead,
        score,
    )


def leads(b: Board, scores: list[int]) -> list[int]:
    """Return each player's lead over the best other, or the better automa; negative: behind."""
    if b.solo is not None:
        return [scores[0] - max([automa.score for _, automa in b.opponents])]
    *_, second, best = sorted(scores)
    return [score - (best if score < best else second) for score in scores]
