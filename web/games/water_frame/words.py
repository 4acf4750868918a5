"""The words of Arkwright: Water Frame."""

from __future__ import annotations

from typing import Any

from daybook.domain.games.water_frame import moves, people
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import Effect, Seat
from daybook.web.games.water_frame.account import ACCOUNT
from daybook.web.games.water_frame.charts import brings, charts, in_need, laid_out, note, unused
from daybook.web.games.water_frame.decisions import DECISIONS
from daybook.web.games.water_frame.effects import EFFECTS
from daybook.web.games.water_frame.figures import cause_of_effect, figure_terms
from daybook.web.games.water_frame.places import PARTS, PATHS
from daybook.web.games.water_frame.prompts import declines, prompt
from daybook.web.games.water_frame.reasons import REFUSALS
from daybook.web.games.water_frame.rule_words import RULES
from daybook.web.games.water_frame.scores import (
    COLUMNS,
    EXPLANATIONS,
    LINES,
    MONEY_COLUMNS,
    OPTIONS,
    RANKED_BY,
    TIEBREAKS,
    aside,
    order,
)
from daybook.web.games.water_frame.values import SEATS, good, pounds, value
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
from daybook.web.words.say import N_, Names, say

IN_A_TURN = ("marker", "main", "additional")


def scope(b: Board) -> Any:
    """Return what stays the same during a turn: marker in the action phase, else the stage."""
    return b.decade, b.cycle, "turn" if b.stage in IN_A_TURN else b.stage


def turn_over(effect: Effect) -> bool:
    return isinstance(effect, moves.ActionClosed) and effect.which == "additional"


def cycle(n: int) -> str:
    return say("cycle {n}, {good}", n=n, good=good(GOODS[n - 1]))


def turn(n: int) -> str:
    return say("turn {n}", n=n) if n else say("set-up")


def holding_rows(b: Board, seat: Seat) -> list[tuple[str, str]]:
    """Return rows for the wages and upkeep of each factory, with its present workers and machines."""
    bills = [
        (name, people.factory_bill(b, seat, name, sum(factory.workers), sum(factory.machines))[-1])
        for name in b.players[seat].standing
        for factory in [b.factory(seat, name)]
    ]
    return (
        [
            (
                say("wages per production"),
                ", ".join(say("{good} {amount}", good=good(name), amount=pounds(amount)) for name, amount in bills),
            )
        ]
        if bills
        else []
    )


def ends_soon(b: Board, names: Names) -> tuple[str, str] | None:
    left = [decade for decade in b.printed.decades if decade > b.decade]
    if len(left) > 1:
        return None
    text = say("The game ends after {decade}", decade=left[0]) if left else say("This decade is the last")
    return text, "WF-4.24"


SHARE_EFFECTS = (moves.EmergencySale, moves.SharesSold, moves.SharesBought, moves.SharesReturned)

WORDS = GameWords(
    title="Arkwright: Water Frame",
    value=value,
    alike=(
        "row = space = 줄 = 칸",
        "marker = tile",
        "I = level I = level 1 = lvl 1 = lvl I",
        "II = level II = level 2 = lvl 2 = lvl II",
        "III = level III = level 3 = lvl 3 = lvl III",
        "IV = level IV = level 4 = lvl 4 = lvl IV",
        "Importer ±0 = no imports = no importer = importer 0 = 0 importer = importer stays = importer doesn’t move = importer does not move = no change for the importer = importer unchanged = importer no change",
        "back = job market = to the job market",
        "a development tile = assign = put",
        "light grey = light = light gray",
        "dark grey = dark = dark gray",
        "event = event marker",
        "£0 = nothing = free = for free",
        "hire = employ = 고용 = 채용",
        "let the worker go = dismiss = let go = fire = fire workers = fire the replaced workers = replaced workers to fired workers = put on fired workers = on fired workers = to fired workers = worker to fired workers",
        "install a machine = mechanise = machine = machinery = mach = replace workers by a machine = replace workers by machines = replace worker by machine = replace with a machine",
        "move the worker = move the fired worker = move the replaced worker = transfer = relocate = shift = move = transfer the worker = transfer the fired worker",
        "keep = pay = usage = next usage",
        "price = selling = lower = reduce = raise = increase = cut = now costs = cost = sell at = selling price = adjustment = change",
        "open = found = start with = build",
        "factory = mill",
        "use again = once more = reuse = again = second time = £2 fee",
        "raise = +1 = by 1 = plus 1 = plus",
        "Importer = the importer goes up = importer goes up = importer moves = importer forward = importer moves forward = importer advances",
        "back = return to the job market = worker returns",
        "no special marker = nothing = take nothing",
        "close = close down = shut down = shut",
        "row = production row",
        *(f"rows 1 to {n} = {n} rows = first {n} rows" for n in (2, 3, 4)),
        "modernize = upgrade",
        "sell no more = stop = stop selling = done selling",
        "event = event drawn",
        "hire for = worker in warehouse = puts a worker in the warehouse = warehouse worker",
        "distribution = distr",
        "contract = contract with East India Company",
        "contract for = sign contract = space",
        "−1 by the agent = one less = 1 less = one fewer",
        "ship = fulfil contract = deliver",
        "tile = dev tile = development tile",
        "ship = hold = capacity = ship capacity = ship with capacity",
        "done = pass = no tile = take no tile",
        "cycle = sale",
    ),
    coin="£{n}",
    points="£{n}",
    seat_fields=SEATS,
    decisions=DECISIONS,
    effects=EFFECTS,
    deed_effects=(moves.FactoryBuilt, moves.FactoryModernized, moves.InventorKept, moves.GoodsProduced),
    line_effects=(moves.EmergencySale, moves.LoansTaken),
    refusals=REFUSALS,
    seat=SeatWords(prompt=prompt, holds=holding_rows, turn_begins="place an action marker"),
    choosing=Choosing(
        charts=charts,
        turn=TurnWords(
            decisions=DECISIONS,
            scope=scope,
            closed=moves.ActionClosed,
            over=turn_over,
            figures=("cash", "loans", "shares", "share_value", "workers", "machines", "stored"),
            unsaid=(moves.Paid, moves.PhaseBegun),
            note=note,
            in_need=in_need,
            unused=unused,
        ),
        order=order,
        aside=aside,
        brings=brings,
        declines=declines,
        laid_out=laid_out,
    ),
    ledger=LedgerWords(
        columns=COLUMNS,
        money=MONEY_COLUMNS,
        shown=("cash", "shares", "share_value", "workers", "score"),
        at_hand=("cash", "shares", "share_value", "score"),
    ),
    marks=MarkWords(labels={"decade": N_("{n}"), "cycle": cycle, "turn": turn}, ends_soon=ends_soon),
    reveals=RevealWords(periods=frozenset({"decade"})),
    score=ScoreWords(
        lines=LINES,
        explanations=EXPLANATIONS,
        tiebreaks=TIEBREAKS,
        ranked_by=RANKED_BY,
        unranked="out with loans",
        moved_by=(*SHARE_EFFECTS, moves.ShareValueMoved),
        causes={
            "shares": SHARE_EFFECTS,
            "space": (moves.ShareValueMoved,),
            "share_value": (moves.ShareValueMoved,),
            "portfolio": (*SHARE_EFFECTS, moves.ShareValueMoved),
            "worth": (*SHARE_EFFECTS, moves.ShareValueMoved),
            "value": (moves.ShareValueMoved,),
            "bank": SHARE_EFFECTS,
            "cash": (moves.WagesReckoned, moves.HarbourReckoned),
            "wages": (moves.WagesReckoned, moves.HarbourReckoned),
            "upkeep": (moves.WagesReckoned,),
            "income": (moves.SalesPaid, moves.StoredSold),
            "shipped": (moves.ContractFulfilled, moves.OfficePaid),
            "stored": (moves.GoodsStored, moves.StoredSold, moves.PatronSold, moves.ContractFulfilled, moves.GoodsLost),
        },
    ),
    board=BoardWords(paths=PATHS, parts=PARTS, seat_paths=("/start",), terms=figure_terms, cause=cause_of_effect),
    setup=SetupWords(
        options=OPTIONS, quickest={"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
    ),
    account=ACCOUNT,
    rules=RULES,
)
