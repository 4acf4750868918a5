"""The component sheet of London Markets."""

from __future__ import annotations

from daybook.domain.games.london_markets.printed import ICON, NOT_SHOWN
from daybook.web.games.london_markets.values import ACTIONS, GOODS_WORDS, KINDS, MARKETS, SYMBOLS
from daybook.web.words.say import N_, say
from daybook.web.words.sheet_layout import Chapter, Layout, SheetLines, SheetTable, each, named_rows, numbered_rows

GOODS = {goods: GOODS_WORDS[goods] for goods in ("coffee", "soap", "silk", "china")}
FACES = {**{str(n): str(n) for n in range(1, 7)}, ICON: N_("S"), NOT_SHOWN: N_("–")}
PLAYERS = {"3": N_("3 players"), "4": N_("4 players")}


def pair(markets: str) -> str:
    """Portobello and Covent Garden, from PORT+COVE."""
    return " + ".join(say(MARKETS[market]) if market in MARKETS else market for market in markets.split("+"))


SHEET: Layout = (
    Chapter(
        title=N_("Market cards"),
        parts=(
            SheetTable(
                title=N_("Market cards"),
                rows=N_("Card"),
                row=lambda card: card,
                columns=each("market_cards.*.{}", GOODS),
                words={"market_cards.*.*": FACES},
                hint=N_("For each type the pounds it pays, S for a special card, or – where it is not shown."),
            ),
            SheetLines(numbers={"market_cards.closed.copies": N_("Market cards that say closed")}),
        ),
    ),
    Chapter(
        title=N_("Special cards"),
        parts=(
            SheetTable(
                title=N_("Copies of each special card"),
                rows=N_("Card"),
                row=named_rows(KINDS),
                columns={"copies.*": N_("Copies")},
            ),
            SheetTable(
                title=N_("Copies of the cards that name a market"),
                rows=N_("Market"),
                row=named_rows(MARKETS),
                columns={"copies.clientele.*": N_("Clientele"), "copies.monopoly.*": N_("Monopoly")},
            ),
            SheetTable(
                title=N_("Copies of Combined offer"),
                rows=N_("Markets"),
                row=pair,
                columns={"copies.combined.*": N_("Copies")},
            ),
            SheetTable(
                title=N_("Monopoly"),
                rows=N_("Step"),
                row=numbered_rows(N_("Step {n}")),
                columns={"monopoly.crates[*]": N_("Crates at least"), "monopoly.pays[*]": N_("Pays")},
            ),
            SheetTable(
                title=N_("Combined offer"),
                rows=N_("Step"),
                row=numbered_rows(N_("Step {n}")),
                columns={"combined.crates[*]": N_("Crates at each market"), "combined.pays[*]": N_("Pays")},
            ),
            SheetTable(
                title=N_("Rich offer"),
                rows=N_("Step"),
                row=numbered_rows(N_("Step {n}")),
                columns={"rich_offer.markets[*]": N_("Markets at least"), "rich_offer.pays[*]": N_("Pays")},
            ),
            SheetLines(
                numbers={
                    "clientele.least": N_("Clientele pays at least"),
                    "specials.any_market_bars": N_("Bars placed with Any market"),
                    "specials.free_plays": N_("Special cards played free of charge in a round"),
                    "specials.plays": N_("Special cards played in a round"),
                    "specials.fee": N_("Price of a further special card"),
                    "specials.last_round_money": N_("Money instead of a special card in the last round"),
                    "specials.forbidden_rounds": N_("First rounds without Monopoly, Combined offer and Rich offer"),
                }
            ),
            SheetTable(
                title=N_("Special cards of each pile"),
                rows=N_("Pile"),
                row=numbered_rows(N_("Pile {n}")),
                columns={"specials.piles[*]": N_("Cards")},
            ),
            SheetLines(
                numbers={
                    "specials.smallest_pile": N_("Fewest special cards of a pile"),
                    "specials.largest_pile": N_("Most special cards of a pile"),
                }
            ),
        ),
    ),
    Chapter(
        title=N_("Assistants’ tracks"),
        parts=(
            SheetTable(
                title=N_("Assistants’ tracks"),
                rows=N_("Space"),
                row=numbered_rows(N_("Space {n}")),
                columns={
                    "tracks.A.actions[*]": N_("A: action"),
                    "tracks.A.symbols[*]": N_("A: symbol"),
                    "tracks.B.actions[*]": N_("B: action"),
                    "tracks.B.symbols[*]": N_("B: symbol"),
                },
                words={"tracks.*.actions": ACTIONS, "tracks.*.symbols": SYMBOLS},
                wide=True,
            ),
        ),
    ),
    Chapter(
        title=N_("Markets"),
        parts=(
            SheetTable(
                title=N_("The markets clockwise"),
                rows=N_("Position"),
                row=numbered_rows(N_("Place {n}")),
                columns={"markets.ring[*]": N_("Market")},
                words={"markets.ring": MARKETS},
            ),
            SheetTable(
                title=N_("Names of the markets"),
                rows=N_("Market"),
                row=named_rows(MARKETS),
                columns={"markets.*.name": N_("Name")},
            ),
        ),
    ),
    Chapter(
        title=N_("The set-up"),
        parts=(
            SheetTable(
                title=N_("By number of players"),
                rows=N_("Number"),
                row=named_rows(
                    {"tracks": N_("Assistants’ tracks"), "dealt": N_("Goods cards of each type that are dealt")}
                ),
                columns=each("seats.{}.*", PLAYERS),
            ),
            SheetLines(
                numbers={
                    "game.rounds": N_("Rounds"),
                    "setup.money": N_("Money at the start"),
                    "setup.hand": N_("Goods cards in hand at the start"),
                    "setup.bars_passed": N_("Bars passed to the left-hand neighbour"),
                    "setup.bars_in_market": N_("Most bars on a market in the set-up"),
                    "bars.colours": N_("Colours of the bars"),
                    "bars.each_colour": N_("Bars of each colour"),
                    "bars.crates": N_("Crates of a bar"),
                    "bars.layer": N_("Bars of a layer"),
                    "goods.each_type": N_("Goods cards of each type"),
                }
            ),
        ),
    ),
    Chapter(
        title=N_("Actions"),
        parts=(
            SheetLines(
                numbers={
                    "actions.stack_bars": N_("Bars placed with the Stack merchant"),
                    "actions.assistant_bars": N_("Bars placed with an assistant"),
                    "actions.least": N_("Least income and fewest goods cards"),
                    "replenishment.plain_cards": N_("Plain replenishment cards of a player"),
                }
            ),
        ),
    ),
    Chapter(
        title=N_("The box"),
        hint=N_("What it holds. No rule reads these numbers."),
        parts=(
            SheetLines(
                numbers={
                    "box.board_sides": N_("Sides of the board"),
                    "box.goods_bars": N_("Goods bars in the box"),
                    "box.replenishment_cards": N_("Plain replenishment cards in the box"),
                    "box.market_cards": N_("Market cards in the box"),
                    "box.cover_markers": N_("Cover markers"),
                    "box.merchants": N_("Merchants"),
                    "box.assistants": N_("Assistants"),
                    "box.goods_types": N_("Types of goods"),
                    "box.goods_cards": N_("Goods cards in the box"),
                    "box.offer_cards": N_("Offer cards in the box"),
                    "box.special_cards": N_("Special cards in the box"),
                    "box.special_piles": N_("Piles of special cards"),
                    "box.starting_player_tokens": N_("Coaches"),
                    "box.money": N_("Money in the bank"),
                },
                words={"box.goods_types": GOODS},
            ),
            SheetTable(
                title=N_("Goods cards in each pile after the deal"),
                rows=N_("Players"),
                row=lambda *keys: say(PLAYERS[keys[-1]]),
                columns={"box.height_of_goods_piles[*]": N_("Cards")},
            ),
        ),
    ),
)
