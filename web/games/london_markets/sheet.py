"""The component sheet of London Markets."""

from __future__ import annotations

from daybook.domain.games.london_markets.printed import ICON, NOT_SHOWN
from daybook.web.games.london_markets.values import ACTIONS, GOODS_WORDS, KINDS, MARKETS, SYMBOLS
from daybook.web.words.say import N_, Texts, say
from daybook.web.words.sheet_layout import Chapter, Layout, SheetLines, SheetTable, each, named_rows, numbered_rows

GOODS = {goods: GOODS_WORDS[goods] for goods in ("coffee", "soap", "silk", "china")}
FACES = N_({**{str(n): str(n) for n in range(1, 7)}, ICON: "S", NOT_SHOWN: "–"})
PLAYERS: Texts = {"3": "3 players", "4": "4 players"}


def pair(markets: str) -> str:
    """Portobello and Covent Garden, from PORT+COVE."""
    return " + ".join(say(MARKETS[market]) if market in MARKETS else market for market in markets.split("+"))


SHEET: Layout = (
    Chapter(
        title="Market cards",
        parts=(
            SheetTable(
                title="Market cards",
                rows="Card",
                row=lambda card: card,
                columns=each("market_cards.*.{}", GOODS),
                words={"market_cards.*.*": FACES},
                hint="For each type the pounds it pays, S for a special card, or – where it is not shown.",
            ),
            SheetLines(numbers={"market_cards.closed.copies": "Market cards that say closed"}),
        ),
    ),
    Chapter(
        title="Special cards",
        parts=(
            SheetTable(
                title="Copies of each special card", rows="Card", row=named_rows(KINDS), columns={"copies.*": "Copies"}
            ),
            SheetTable(
                title="Copies of the cards that name a market",
                rows="Market",
                row=named_rows(MARKETS),
                columns={"copies.clientele.*": "Clientele", "copies.monopoly.*": "Monopoly"},
            ),
            SheetTable(
                title="Copies of Combined offer", rows="Markets", row=pair, columns={"copies.combined.*": "Copies"}
            ),
            SheetTable(
                title="Monopoly",
                rows="Step",
                row=numbered_rows("Step {n}"),
                columns={"monopoly.crates[*]": "Crates at least", "monopoly.pays[*]": "Pays"},
            ),
            SheetTable(
                title="Combined offer",
                rows="Step",
                row=numbered_rows("Step {n}"),
                columns={"combined.crates[*]": "Crates at each market", "combined.pays[*]": "Pays"},
            ),
            SheetTable(
                title="Rich offer",
                rows="Step",
                row=numbered_rows("Step {n}"),
                columns={"rich_offer.markets[*]": "Markets at least", "rich_offer.pays[*]": "Pays"},
            ),
            SheetLines(
                numbers={
                    "clientele.least": "Clientele pays at least",
                    "specials.any_market_bars": "Bars placed with Any market",
                    "specials.free_plays": "Special cards played free of charge in a round",
                    "specials.plays": "Special cards played in a round",
                    "specials.fee": "Price of a further special card",
                    "specials.last_round_money": "Money instead of a special card in the last round",
                    "specials.forbidden_rounds": "First rounds without Monopoly, Combined offer and Rich offer",
                }
            ),
            SheetTable(
                title="Special cards of each pile",
                rows="Pile",
                row=numbered_rows("Pile {n}"),
                columns={"specials.piles[*]": "Cards"},
            ),
            SheetLines(
                numbers={
                    "specials.smallest_pile": "Fewest special cards of a pile",
                    "specials.largest_pile": "Most special cards of a pile",
                }
            ),
        ),
    ),
    Chapter(
        title="Assistants’ tracks",
        parts=(
            SheetTable(
                title="Assistants’ tracks",
                rows="Space",
                row=numbered_rows("Space {n}"),
                columns={
                    "tracks.A.actions[*]": "A: action",
                    "tracks.A.symbols[*]": "A: symbol",
                    "tracks.B.actions[*]": "B: action",
                    "tracks.B.symbols[*]": "B: symbol",
                },
                words={"tracks.*.actions": ACTIONS, "tracks.*.symbols": SYMBOLS},
                wide=True,
            ),
        ),
    ),
    Chapter(
        title="Markets",
        parts=(
            SheetTable(
                title="The markets clockwise",
                rows="Position",
                row=numbered_rows("Place {n}"),
                columns={"markets.ring[*]": "Market"},
                words={"markets.ring": MARKETS},
            ),
            SheetTable(
                title="Names of the markets", rows="Market", row=named_rows(MARKETS), columns={"markets.*.name": "Name"}
            ),
        ),
    ),
    Chapter(
        title="The set-up",
        parts=(
            SheetTable(
                title="By number of players",
                rows="Number",
                row=named_rows(
                    N_({"tracks": "Assistants’ tracks", "dealt": "Goods cards of each type that are dealt"})
                ),
                columns=each("seats.{}.*", PLAYERS),
            ),
            SheetLines(
                numbers={
                    "game.rounds": "Rounds",
                    "setup.money": "Money at the start",
                    "setup.hand": "Goods cards in hand at the start",
                    "setup.bars_passed": "Bars passed to the left-hand neighbour",
                    "setup.bars_in_market": "Most bars on a market in the set-up",
                    "bars.colours": "Colours of the bars",
                    "bars.each_colour": "Bars of each colour",
                    "bars.crates": "Crates of a bar",
                    "bars.layer": "Bars of a layer",
                    "goods.each_type": "Goods cards of each type",
                }
            ),
        ),
    ),
    Chapter(
        title="Actions",
        parts=(
            SheetLines(
                numbers={
                    "actions.stack_bars": "Bars placed with the Stack merchant",
                    "actions.assistant_bars": "Bars placed with an assistant",
                    "actions.least": "Least income and fewest goods cards",
                    "replenishment.plain_cards": "Plain replenishment cards of a player",
                }
            ),
        ),
    ),
    Chapter(
        title="The box",
        hint="What it holds. No rule reads these numbers.",
        parts=(
            SheetLines(
                numbers={
                    "box.board_sides": "Sides of the board",
                    "box.goods_bars": "Goods bars in the box",
                    "box.replenishment_cards": "Plain replenishment cards in the box",
                    "box.market_cards": "Market cards in the box",
                    "box.cover_markers": "Cover markers",
                    "box.merchants": "Merchants",
                    "box.assistants": "Assistants",
                    "box.goods_types": "Types of goods",
                    "box.goods_cards": "Goods cards in the box",
                    "box.offer_cards": "Offer cards in the box",
                    "box.special_cards": "Special cards in the box",
                    "box.special_piles": "Piles of special cards",
                    "box.starting_player_tokens": "Coaches",
                    "box.money": "Money in the bank",
                },
                words={"box.goods_types": GOODS},
            ),
            SheetTable(
                title="Goods cards in each pile after the deal",
                rows="Players",
                row=lambda *keys: say(PLAYERS[keys[-1]]),
                columns={"box.height_of_goods_piles[*]": "Cards"},
            ),
        ),
    ),
)
