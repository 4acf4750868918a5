"""The words of Making Profit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from daybook.domain.games.making_profit import checks, moves
from daybook.domain.games.making_profit.board import CARDS, SEEN_OR_NOT, Board
from daybook.domain.games.making_profit.rules import claimants
from daybook.domain.kernel.terms import TABLE, Decision, Seat, by_number
from daybook.web.games.making_profit.account import ACCOUNT
from daybook.web.games.making_profit.at_table import AT_TABLE, begins
from daybook.web.games.making_profit.document_figures import FIGURES, formula
from daybook.web.games.making_profit.rule_words import RULES
from daybook.web.words.decision_words import AT_ONCE, OPENS, DecisionWords, decides
from daybook.web.words.game_words import (
    WITH,
    BoardWords,
    Chart,
    ChartCell,
    Choosing,
    GameWords,
    Lane,
    LedgerWords,
    MarkWords,
    RefusalWords,
    ScoreWords,
    SeatWords,
    SetupWords,
)
from daybook.web.words.say import (
    N_,
    Names,
    Plain,
    Texts,
    join_words,
    of_kind,
    say,
    say_n,
    says,
    says_one_of,
    seat_name,
    sentences,
    tell_n_with,
    tell_with,
)

COLOURS: Texts = {
    "red": "red",
    "blue": "blue",
    "green": "green",
    "yellow": "yellow",
    "black": "black",
    "white": "white",
}
SEATS = frozenset({"seat", "owner", "to", "players"})
MAX_OWNERS_NAMED = 4  # with more, a column is too narrow for the name of its owner
MAX_SETS_OFFERED = 6  # of cards; beyond that, single cards are offered


def value(name: str, item: Any, names: Names) -> str:
    if isinstance(item, bool):
        return say("yes") if item else say("no")
    if name == "factory" and isinstance(item, str) and item.isdecimal():  # a place in the row of cards
        return str(int(item) + 1)
    if name in SEATS and names and isinstance(item, int):
        return seat_name(item, names)
    if isinstance(item, list | tuple):
        return (
            cards(item)
            if all(isinstance(card, str) for card in item)
            else "; ".join(value(name, part, names) for part in item)
        )
    if isinstance(item, Mapping):
        return ", ".join(f"{n} × {value(name, card, names)}" for card, n in item.items() if n) or say("nothing")
    if name == "known":  # colours, as a refusal lists them
        return ", ".join(colour(part) for part in str(item).split(", "))
    if item in COLOURS:
        return colour(item)
    if item == "?":
        return unseen(1)
    return str(item)


tell = partial(tell_with, value)
tell_n = partial(tell_n_with, value)


def colour(code: str) -> str:
    return say(COLOURS[code]) if code in COLOURS else code


def figure(name: str, item: Any, names: Names) -> str:
    """Format a value for a sentence of the rules, which list cards by name."""
    return cards(item.split(", ")) if name == "cards" and isinstance(item, str) else value(name, item, names)


def cards(codes: list[str] | tuple[str, ...]) -> str:
    """List cards: 2 × R1 and M2."""
    counted = Counter(codes)
    return join_words(
        [
            unseen(counted[card]) if card == "?" else (f"{counted[card]} × " if counted[card] > 1 else "") + card
            for card in SEEN_OR_NOT
            if counted[card]
        ]
    ) or say("none")


def unseen(n: int) -> str:
    return say_n("an unseen card", "{n} unseen cards", n)


def aside(name: str, item: Any, printed: Plain) -> str:
    """Explain what a card yields, by the game's sheet."""
    if name != "card" or f"cards.{item}.money" not in printed:
        return ""
    resources = printed[f"cards.{item}.resources"]
    if resources:
        return say_n("{n} resource", "{n} resources", resources)
    return say("{money} each", money=dollars(printed[f"cards.{item}.money"]))


def dollars(n: int) -> str:
    return say("${n}", n=n)


def so_many(n: int) -> str:
    return say_n("{n} card", "{n} cards", n)


def drawn_sentence(e: moves.CardDrawn, names: Names) -> str:
    if e.card == "?":
        return tell("{seat} draws {cards}", e, names, cards=so_many(e.count))
    return tell("{seat} draws {cards}", e, names, cards=cards([e.card] * e.count))


def owed_sentence(e: moves.DiscardsOwed, names: Names) -> str:
    if not e.count:
        return tell_n(
            "{seat} has to discard {n} card, and has none",
            "{seat} has to discard {n} cards, and has none",
            e.waived,
            e,
            names,
        )
    told = tell("{seat} has to discard {cards}: one for each certificate sold", e, names, cards=so_many(e.count))
    if e.waived:
        told += say_n("; there is no card for {n} more", "; there are no cards for {n} more", e.waived)
    return told


def stock(line: Plain, names: Names) -> str:
    return say_n(
        "{n} {colour} certificate at {level}",
        "{n} {colour} certificates at {level} each",
        line["certificates"],
        colour=colour(line["colour"]),
        level=dollars(line["level"]),
    )


def claim_sentence(d: moves.ThirdCard, names: Names) -> str:
    return say("Show two R1 and take a third card") if d.claimed else say("No third card")


def prompt(board: Board, seat: Seat, names: Names) -> str:
    if seat == TABLE:
        if board.draws:
            return say_n(
                "{seat} draws a card: name it",
                "{seat} draws {n} cards: name one of them",
                board.draws,
                seat=names[board.drawer],
            )
        return say("who is the starting player?")
    if board.nationalising:
        return say("nationalisation: choose the cards to keep")
    if owes := board.players[seat].owes:
        if not board.players[seat].cards:
            return say_n(
                "discard {n} card from the factory, for a sold certificate",
                "discard {n} cards from the factory, one for each sold certificate",
                owes,
            )
        return say_n(
            "discard {n} card from the hand, for a sold certificate",
            "discard {n} cards from the hand, one for each sold certificate",
            owes,
        )
    if any(board.sale.values()):
        return say(
            "finish the sale: {lots}",
            lots=join_words([f"{count} {colour(name)}" for name, count in board.sale.items() if count]),
        )
    if seat != board.mover:
        return say("take a third card?")
    if not board.first_action_begun and seat in claimants(board):
        return say_n("third card first? {n} action left", "third card first? {n} actions left", board.actions)
    return say_n("{n} action left", "{n} actions left", board.actions)


def closes(board: Board, seat: Seat, names: Names) -> tuple[str, str] | None:
    """Name the players that can claim no third card after the seat's next decision."""
    if seat == TABLE or board.start is None or board.draws or board.ended or board.first_action_begun:
        return None
    waiting = claimants(board)
    if seat not in (board.mover, *waiting):
        return None
    if seat == board.mover:
        late = [names[other] for other in waiting]
        rule, about = "MP-3.2.3", N_("After the first action no one takes a third card. Not answered yet: {names}.")
    else:
        late = [names[other] for other in waiting[: waiting.index(seat)]]
        rule, about = (
            "MP-3.2.1",
            N_("After {seat}’s answer, players before {seat} take no third card. Not answered yet: {names}."),
        )
    return (say(about, names=join_words(late), seat=names[seat]), rule) if late else None


def holding_rows(board: Board, seat: Seat) -> list[tuple[str, str]]:
    hand = board.players[seat].hand
    return [(say("in hand"), cards([card for card in SEEN_OR_NOT for _ in range(hand.get(card, 0))]))]


def charts(board: Board, seat: Seat, legal: Sequence[Decision], names: Names) -> Iterable[Chart]:
    """Chart the subjects of an action, one tap each: cards in hand, and certificates.

    In a turn every chart stays, with all its cells, so that nothing moves from action to action.
    """
    if not any(isinstance(d, moves.EndTurn | moves.SellDone) for d in legal):
        return
    printed = board.table.sheet.values()
    sets = of_kind(legal, moves.SellResources)
    yield one_chart(
        say("Develop a card"),
        moves.Develop,
        [
            subject(
                moves.Develop(card),
                legal,
                label=card,
                note=aside("card", card, printed),
                aloud=say("Develop {card}", card=card),
                closed_label=card,
            )
            for card in CARDS
        ],
    )
    yield certificates(board, legal, names)
    size = board.printed.turn_set_cards
    heading = say("Sell {n} cards: +{money}", n=size, money=dollars(board.printed.turn_set_price))
    if 0 < len(sets) <= MAX_SETS_OFFERED:
        yield one_chart(
            heading,
            moves.SellResources,
            [ChartCell(label=cards(d.cards), adds=(d,), aloud=say("Sell {cards}", cards=cards(d.cards))) for d in sets],
            in_words=True,
        )
    else:
        yield one_chart(
            heading,
            moves.SellResources,
            [
                ChartCell(
                    label=say("unseen") if card == "?" else card,
                    kind=moves.SellResources,
                    chosen={"cards": {WITH: [card]}},
                    aloud=say("Sell {cards} and others", cards=cards([card])),
                )
                if any(card in d.cards for d in sets)
                else ChartCell(label=say("unseen") if card == "?" else card, closed=moves.SellResources((card,) * size))
                for card in SEEN_OR_NOT
            ],
        )


def certificates(board: Board, legal: Sequence[Decision], names: Names) -> Chart:
    """Chart the certificates that a player can buy and sell: a column for each colour, with its owner."""
    colours = board.table.colours
    return Chart(
        heading="",
        columns=[
            say("{colour} ({owner})", colour=colour(code), owner=name)
            if len(colours) <= MAX_OWNERS_NAMED
            else colour(code)
            for code, name in zip(colours, names, strict=True)
        ],
        lanes=[
            Lane(
                heading=say("Buy a certificate"),
                cells=[
                    subject(
                        d,
                        legal,
                        label=f"−{dollars(board.price(d.colour))}",
                        aloud=tell(N_("Buy a {colour} certificate"), d, names),
                    )
                    for d in map(moves.BuyStock, colours)
                ],
            ),
            Lane(
                heading=say("Sell certificates"),
                cells=[
                    subject(
                        d,
                        legal,
                        label=f"+{dollars(board.worth(d.colour))}",
                        aloud=tell(N_("Put a {colour} certificate up for sale"), d, names),
                    )
                    for d in map(moves.SellAdd, colours)
                ],
            ),
        ],
        kinds=(moves.BuyStock, moves.SellAdd),
    )


def subject(
    d: Decision, legal: Sequence[Decision], *, label: str, aloud: str, note: str = "", closed_label: str = ""
) -> ChartCell:
    """Build the cell of a decision, closed where it is not legal."""
    if d in legal:
        return ChartCell(label=label, adds=(d,), note=note, aloud=aloud)
    return ChartCell(label=closed_label, closed=d)


def brings(effects: Sequence[Any]) -> str | None:
    """Say what a run of the factory brings its owner: money and cards."""
    if not effects or not isinstance(effects[0], moves.FactoryRun):
        return None
    owner = effects[0].seat
    paid = sum(effect.amount for effect in effects if isinstance(effect, moves.DividendPaid) and effect.seat == owner)
    drawn = effects[0].resources - sum(effect.count for effect in effects if isinstance(effect, moves.DrawsLost))
    return " · ".join([f"+{dollars(paid)}"] * (paid > 0 or not drawn) + [f"+{so_many(drawn)}"] * bool(drawn))


def one_chart(heading: str, kind: type[Decision], cells: Sequence[ChartCell], in_words: bool = False) -> Chart:
    """Return a chart of one line."""
    return Chart(heading=heading, lanes=[Lane(heading="", cells=cells, words=in_words)], kinds=(kind,))


def ends_soon(board: Board, names: Names) -> tuple[str, str] | None:
    """Announce the last turn of a round without development, and factories one card below the last level.

    A turn without an action left can develop no card any more, such as one in which cards are still to be discarded.
    """
    if board.start is None:
        return None
    high = [
        names[seat] for seat, player in board.clockwise(0) if player.level == board.printed.factories_last_level - 1
    ]
    if high:
        about = N_("Level {n} ends the game at once. One card below it: {names}")
        return say(about, n=board.printed.factories_last_level, names=join_words(high)), "MP-4.8.1"
    back_to = board.start if board.developer is None else board.developer
    if board.follower != back_to:
        return None
    rule = "MP-4.8.3" if board.developer is None else "MP-4.8.2"
    if not board.actions:
        return say("The game ends after this turn"), rule
    return say("The game ends after this turn, unless {name} develops a card", name=names[board.mover]), rule


WORDS = GameWords(
    value=value,
    coin="${n}",
    points="${n}",
    seat_fields=SEATS,
    alike=(
        "certificate = stock = share = stock certificate = 증서 = 주식",
        "card = resource = deck",
        "keep = remain = stay with",
        "drawn = turn over = turn up",
        "M1 = 1$ = 1$ card = 1 dollar = 1 m = 1 money = 1 buck card = 1 달러",
        "M2 = 2$ = 2$ card = 2 dollars = 2 m = 2 money = 2 money card = 2 달러",
        "R1 = 1 resource = 1 resource card = 1 r = 1 res = 1 res card = one resource = 자원 1",
        "R2 = 2 resources = 2 resource = 2 resource card = 2 resources card = 2 r = 2 res = 2 res card = 자원 2",
        "put = sell = offer",
        "buy = pay = invest in",
        "sale = to the bank = bank",
        "sell = exchange = swap = trade = cash = to the bank = for money = sell resources = sell res = resources sold = discard 3 = discard 3 cards = 3 for 10$ = for 10$ = discard = turn in = hand in = cash in = cash in 3 cards = trade in = 3 cards",
        "sell what is put up = sale done = sale finished = finish the sale = end the sale = sale over = done selling = done selling stock = through with selling = done with selling = finished selling stock = done = finished = finished selling = sell them = no more to sell = no more = nothing more to sell = "
        "all he sells = all she sells = that’s all he sells = that’s all she sells = that’s all = enough = enough sold = stops selling = that is all = that was it = sold = nothing else = nothing else to sell = no further sale = no more sales = sale finished = that’s it = sale over",
        "run = produce with = produce = run factory = let run = lets factory run = operate",
        "develop = lay out = open = play = add = put = put down = lay down = lay open = play to factory = put in factory = extend = enlarge = improve = build = put next to factory = next to factory = beside factory = add to factory = upgrade = upgrade factory = expand = level up = dev = put into factory",
        "keep = hold = nationalisation = nationalization",
        "from the factory = factory = off factory = from factory = out of factory",
        "from the hand = from hand = in hand = hand",
        "third card = starting hand = extra card",
    ),
    decisions=DecisionWords(
        (
            decides(moves.Drawn, "Card drawn", "{card}", how=AT_ONCE),
            decides(moves.StartPlayerDrawn, "Starting player", "{seat} starts", how=AT_ONCE, seat=N_("Who starts?")),
            decides(moves.ThirdCard, "Third card", claim_sentence, claimed=N_("Two R1 shown, a third card taken?")),
            decides(
                moves.BuyStock,
                "Buy a certificate",
                "Buy a {colour} certificate",
                colour=N_("Which factory’s certificate?"),
            ),
            decides(
                moves.SellAdd,
                "Sell certificates",
                "Put a {colour} certificate up for sale",
                how=OPENS,
                colour=N_("Which certificate?"),
            ),
            decides(moves.SellDone, "Finish the sale"),
            decides(moves.Develop, "Develop a card", "Develop {card}"),
            decides(moves.Run, "Run the factory"),
            decides(moves.SellResources, "Sell resources", "Sell {cards}", cards=N_("Which cards?")),
            decides(moves.EndTurn, "End the turn", deed=N_("{seat} ends the turn")),
            decides(moves.DiscardHand, "Discard from the hand", "Discard {card} from the hand"),
            decides(moves.DiscardFactory, "Discard from the factory", "Discard {card} from the factory"),
            decides(moves.Nationalise, "Keep cards", "Keep {keep}", keep=N_("Which cards stay?")),
        ),
        questions={"card": "Which card?", "factory": "Whose factory?"},
    ),
    effects=sentences(
        says(moves.StartPlayerChosen, "{seat} is the starting player"),
        says(moves.ThirdCardClaimed, "{seat} shows two R1 and takes a third card"),
        says(moves.ThirdCardDeclined, "{seat} takes no third card"),
        says(moves.CardDrawn, drawn_sentence),
        says(
            moves.DrawsLost,
            by_number(
                "n", "{seat} has no card to draw: {n} draw is lost", "{seat} has no card to draw: {n} draws are lost"
            ),
            n="count",
        ),
        says(
            moves.DeckReshuffled,
            by_number(
                "n",
                "The discard pile is shuffled: a deck of {n} card",
                "The discard pile is shuffled: a deck of {n} cards",
            ),
            n="cards",
        ),
        says(moves.Nationalised, "Nationalisation: {seat} has drawn the last card"),
        says(moves.HandCut, "{seat} discards {cards}"),
        says_one_of(
            moves.StockBought,
            lambda e: (
                "{seat} buys a {colour} certificate for the lowest price, {price}: {owner}’s factory is at level {level}"
                if e.price > e.level
                else "{seat} buys a {colour} certificate for {price}: {owner}’s factory is at level {level}"
            ),
            price=lambda e: dollars(e.price),
        ),
        says(
            moves.StockOffered,
            by_number(
                "n",
                "{seat} puts up {n} {colour} certificate for sale",
                "{seat} puts up {n} {colour} certificates for sale",
            ),
            n="count",
        ),
        says(
            moves.StockSold,
            by_number(
                "n",
                "{seat} sells a {colour} certificate for {amount}",
                "{seat} sells {n} {colour} certificates: {n} × {price} = {amount}",
            ),
            price=lambda e: dollars(e.price),
            amount=lambda e: dollars(e.amount),
            n="count",
        ),
        says(moves.DiscardsOwed, owed_sentence),
        says_one_of(
            moves.CardDiscarded,
            lambda e: (
                "{seat} discards {cards} from the hand"
                if e.source == "hand"
                else "{seat} discards {cards} from the factory"
            ),
            cards=lambda e: cards([e.card] * e.count),
        ),
        says(moves.CardDeveloped, "{seat} develops {card}: the factory is at level {level}"),
        says(
            moves.FactoryRun,
            "{seat} runs the factory: {money} for each certificate, {cards}",
            money=lambda e: dollars(e.money),
            cards=lambda e: so_many(e.resources),
        ),
        says(
            moves.DividendPaid,
            by_number(
                "n",
                "{seat} is paid {each} for {n} certificate",
                "{seat} is paid for {n} certificates: {n} × {each} = {amount}",
            ),
            each=lambda e: dollars(e.per_certificate),
            amount=lambda e: dollars(e.amount),
            n="certificates",
        ),
        says(moves.ResourcesSold, "{seat} sells {cards} for {amount}", amount=lambda e: dollars(e.amount)),
        says(moves.RoundEnded, "Round {round} is over"),
        says(moves.TurnPassed, "It is {to}’s turn"),
        says_one_of(
            moves.GameEnded,
            lambda e: (
                "The game ends: {seat}’s factory has reached the last level"
                if e.cause == "level_ten"
                else (
                    "The game ends: no one developed a card in the first round, and it would be {seat}’s turn again"
                    if e.rule == "MP-4.8.3"
                    else "The game ends: no one developed a card since {seat} did, and it would be {seat}’s turn again"
                )
            ),
        ),
    ),
    refusals=RefusalWords(
        numbered=(checks.CERTIFICATES_HELD, checks.HAND_FIRST, checks.DISCARD_FIRST, checks.DRAW_FIRST),
        better=N_(
            {
                "the {colour} factory has reached level {level}": "{seat}’s factory has reached level {level}",
                "no one has developed a factory since {colour} did, a whole round ago": "no one has developed a card since {seat} did, and it would be {seat}’s turn again",
                "no one developed a factory in the first round, which {colour} began": "no one has developed a card in the first round, which {seat} began",
            }
        ),
        figure=figure,
    ),
    seat=SeatWords(prompt=prompt, holds=holding_rows, turn_begins="take two actions", closes=closes),
    choosing=Choosing(charts=charts, aside=aside, brings=brings),
    ledger=LedgerWords(
        columns=N_(
            {
                "money": "money",
                "certificates": "certificates",
                "level": "level",
                "hand": "cards",
                "score": "would score",
            }
        ),
        money=frozenset({"money", "score"}),
    ),
    marks=MarkWords(
        labels={"round": N_("round {n}"), "turn": lambda n: say("turn {n}", n=n) if n else say("set-up")},
        ends_soon=ends_soon,
    ),
    score=ScoreWords(
        lines={"money": N_("money"), "stock": stock},
        moved_by=(moves.DividendPaid, moves.ResourcesSold, moves.StockSold, moves.CardDeveloped),
        causes={
            "certificates": (moves.StockBought, moves.StockSold),
            "level": (moves.CardDeveloped, moves.CardDiscarded),
            "factory": (moves.CardDeveloped, moves.CardDiscarded),
            "hand": (
                moves.CardDrawn,
                moves.CardDeveloped,
                moves.ResourcesSold,
                moves.CardDiscarded,
                moves.HandCut,
                moves.ThirdCardClaimed,
            ),
        },
    ),
    board=BoardWords(
        paths=N_(
            {
                "/players/*/money": "{k0}: money",
                "/players/*/certificates/*": "{k0}: {k1} certificates",
                "/players/*/hand/*": "{k0}: {k1} cards in hand",
                "/players/*/hand/?": "{k0}: unseen cards in hand",
                "/players/*/factory": "{k0}: cards in the factory",
                "/players/*/factory/*": "{k0}: card {k1} in the factory",
                "/players/*/shown": "{k0}: R1 shown to all",
                "/players/*/owes": "{k0}: cards to discard",
                "/bank/*": "the bank’s {k0} certificates",
                "/aside/*": "{k0} certificates put aside",
                "/deck/*": "{k0} cards in the deck",
                "/deck/?": "unseen cards in the deck",
                "/discard/*": "{k0} cards in the discard pile",
                "/discard/?": "unseen cards in the discard pile",
                "/start": "starting player",
                "/actions": "actions left",
                "/turn": "turn",
                "/developer": "the last to develop",
                "/stocks": "what is known of unseen cards",
                # figures that the board shows and does not hold
                "/players/*/hand": "{k0}: cards in hand",
                "/runs/@/money": "{k0}: money a run pays for each certificate",
                "/runs/@/resources": "{k0}: cards a run brings the owner",
                "/price/*": "price of {k0} certificates",
                "/worth/*": "{k0} certificates sell for",
                "/deck": "cards in the deck",
                "/discard": "cards in the discard pile",
                "/draws": "cards to draw",
                "/sale/*": "{k0} certificates for sale",
            }
        ),
        parts=N_({"/bank": "the bank’s certificates", "/deck": "cards in the deck", "/discard": "discard pile"}),
        unseen_places=("/stocks",),
        seat_paths=("/developer",),
        money_paths=("/price/*", "/worth/*"),
        formula=formula,
    ),
    setup=SetupWords(
        options=N_(
            {
                "hands": "Hands",
                "hands.open": "open: every card drawn is written down",
                "hands.hidden": "hidden: a card is named when it leaves the hand",
            }
        ),
        quickest={"hands": "hidden"},
        advice=lambda seats: (
            say(
                "With two players the game ends as soon as a turn passes without development right after the other one "
                "developed (MP-1.2). It is at its best with three to six."
            )
            if seats == 2
            else None
        ),
    ),
    account=ACCOUNT,
    at_table=AT_TABLE,
    table_begins=begins,
    figures=FIGURES,
    rules=RULES,
)
