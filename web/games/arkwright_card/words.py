"""The words of Arkwright: The Card Game."""

from __future__ import annotations

from functools import partial
from typing import Any

from daybook.domain.games.arkwright_card import factories, moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import Seat
from daybook.web.games.arkwright_card.account import ACCOUNT
from daybook.web.games.arkwright_card.charts import charts, note, unused
from daybook.web.games.arkwright_card.decisions import DECISIONS
from daybook.web.games.arkwright_card.effects import EFFECTS, LINE_EFFECTS
from daybook.web.games.arkwright_card.figures import BECAUSE, figure_terms
from daybook.web.games.arkwright_card.options import GROUPS, HINTS, OPTIONS
from daybook.web.games.arkwright_card.places import PARTS, PATHS
from daybook.web.games.arkwright_card.prompts import prompt
from daybook.web.games.arkwright_card.reasons import REFUSALS
from daybook.web.games.arkwright_card.rule_words import RULES
from daybook.web.games.arkwright_card.scores import COLUMNS, EXPLANATIONS, LINES, MONEY_COLUMNS, TIEBREAKS
from daybook.web.games.arkwright_card.values import SEATS, card, card_order, good, pounds, roman, value
from daybook.web.words.figure_terms import cause_before
from daybook.web.words.game_words import (
    BoardWords,
    Choosing,
    GameWords,
    LedgerWords,
    MarkWords,
    RevealWords,
    ScoreWords,
    SeatWords,
    SetupWords,
    TurnWords,
)
from daybook.web.words.say import Names, join_words, say


def scope(b: Board) -> Any:
    """Return what stays the same during a turn of the action phase; other decisions are recorded one by one."""
    return b.turns if b.phase == "action" else None


def decade(n: int) -> str:
    return say("decade {n}", n=roman(n))


def round_label(n: int) -> str:
    """Describe a round with its decade, which restarts the count, and the active good.

    Args:
        n: round of the whole game.
    """
    before, place = divmod(n - 1, len(GOODS))
    return say("decade {decade}, round {n}, {good}", decade=roman(before + 1), n=place + 1, good=good(GOODS[place]))


def turn(n: int) -> str:
    return say("turn {n}", n=n) if n else say("set-up")


def holding_rows(b: Board, seat: Seat) -> list[tuple[str, str]]:
    """Return each factory's production cost with its present cards, and the development cards."""
    player = b.players[seat]
    costs = ", ".join(
        say(
            "{good} {amount}",
            good=good(name),
            amount=pounds(factories.cost(b, player, name, factory, len(factory.workers)).amount),
        )
        for name, factory in player.open()
    )
    found = [(say("costs per production"), costs)] if costs else []
    if player.cards:
        found.append((say("development cards"), join_words([card(key) for key in player.cards])))
    return found


def ends_soon(b: Board, names: Names) -> tuple[str, str] | None:
    left = b.printed.game_rounds - b.round
    if b.decade != b.printed.game_decades or left > 1:
        return None
    return (say("The next round is the last") if left else say("This round is the last")), "ACG-4.1.3"


WORDS = GameWords(
    title="Arkwright: The Card Game",
    value=value,
    alike=(
        "position = worker card = worker = card",
        "slot = price slot = spot = space",
        "position = spot = space",
        "appeal side = appeal",
        "price side = price",
        "office = office card = sales office",
        "track = development = develop = dev = improve = upgrade = mark one development = player board",
        "break the tie = win the tie",
        "turn = switch = change = flip = lower = raise = go = up = down = raise to = change to",
        "step = development",
        "small storehouse 1 = small storehouse = other small storehouse",
        "small storehouse 2 = small storehouse = other small storehouse",
        "distribution card A = distribution = distribution card = other distribution card",
        "distribution card B = distribution = distribution card = other distribution card",
        "quality card A = quality = quality card = other quality card",
        "quality card B = quality = quality card = other quality card",
        "quality card C = quality = quality card = other quality card",
        "employ = hire = add = get = put = place = allocate",
        "rotate to machines = automate = mechanise = replace workers by machines = replace workers by a machine = replace by machine = replace with machines = replace = rotate",
        "upgrade = improve = flip = flip to decade II = flip to II side = flip to decade II side = modernise",
        "add = use = fill = take = improve = raise = store = store in = store goods",
        "regain = recover = return = get back = get = back = take back",
        "at = worth = value",
        "take a bank loan = borrow",
        "for another = limit = for the limit",
        "keep = not use",
        "leave = confirm = done = keep = ok = okay = stay = right = are right = correct",
        "good = goods",
        "the Big Storehouse = SC",
        "small storehouse 1 = SA = storehouse 1",
        "small storehouse 2 = SB = storehouse 2",
        "distribution card A = DA = distribution A",
        "distribution card B = DB = distribution B",
        "quality card A = QA = quality A",
        "quality card B = QB = quality B",
        "quality card C = QC = quality C",
        "beside = beside the factory",
    ),
    twins=(
        "small storehouse 1 = small storehouse 2",
        "distribution card A = distribution card B",
        "quality card A = quality card B",
        "소형 창고 1 = 소형 창고 2",
        "유통 A = 유통 B",
        "품질 A = 품질 B",
    ),
    coin="£{n}",
    points="£{n}",
    seat_fields=SEATS,
    decisions=DECISIONS,
    effects=EFFECTS,
    line_sentences=LINE_EFFECTS,
    line_omits=dict.fromkeys((moves.SetSlot, moves.SetOffice, moves.SetQuality), moves.PriceFixed),
    line_effects=(moves.EmergencyHelped, moves.GoodsWasted, moves.WentBankrupt),
    refusals=REFUSALS,
    seat=SeatWords(prompt=prompt, holds=holding_rows, turn_begins="an action"),
    choosing=Choosing(
        charts=charts,
        turn=TurnWords(
            decisions=DECISIONS,
            scope=scope,
            closed=moves.ActionEnded,
            goes_on=(moves.TurnBegun, moves.PhaseBegun),
            unsaid=(moves.ActionChosen, moves.DemandMoved, moves.WagesMoved),
            note=note,
            unused=unused,
        ),
        order=lambda field, value, printed: card_order(value) if field == "card" else 0,
    ),
    ledger=LedgerWords(
        columns=COLUMNS,
        money=MONEY_COLUMNS,
        shown=("money", "shares", "share_value", "loans", "score"),
        at_hand=("money", "shares", "share_value", "loans"),
    ),
    marks=MarkWords(
        labels={"decade": decade, "round": round_label, "turn": turn},
        told_by_finer=frozenset({"decade"}),
        ends_soon=ends_soon,
    ),
    reveals=RevealWords(periods=frozenset({"decade"})),
    score=ScoreWords(
        lines=LINES,
        explanations=EXPLANATIONS,
        tiebreaks=TIEBREAKS,
        moved_by=(
            moves.SharesBought,
            moves.ShareValueRaised,
            moves.TopPointWon,
            moves.CostPaid,
            moves.Shipped,
            moves.SoldHome,
            moves.GoodsStored,
            moves.GoodsWasted,
            moves.EmergencyHelped,
            moves.LoanTaken,
            moves.WentBankrupt,
            moves.LastSharesBought,
            moves.LoansRepaid,
        ),
        causes={
            "shares": (moves.SharesBought, moves.LastSharesBought),
            "share_value": (moves.ShareValueRaised, moves.TopPointWon),
            "portfolio": (moves.SharesBought, moves.LastSharesBought, moves.ShareValueRaised, moves.TopPointWon),
            "worth": (moves.SharesBought, moves.LastSharesBought, moves.ShareValueRaised, moves.TopPointWon),
            "loans": (moves.LoanTaken, moves.EmergencyHelped),
            "ships": (moves.Shipped, moves.ShipsRegained),
            "shipping_tokens": (moves.Shipped,),
        },
    ),
    board=BoardWords(
        paths=PATHS,
        parts=PARTS,
        seat_paths=("/start",),
        terms=figure_terms,
        cause=partial(cause_before, because=BECAUSE),
    ),
    setup=SetupWords(options=OPTIONS, hints=HINTS, groups=GROUPS),
    account=ACCOUNT,
    rules=RULES,
)
