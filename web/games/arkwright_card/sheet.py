"""The component sheet of Arkwright: The Card Game."""

from __future__ import annotations

from daybook.web.games.arkwright import GOODS_WORDS
from daybook.web.words.say import Texts, say
from daybook.web.words.sheet_layout import Chapter, Layout, SheetLines, SheetTable, as_it_stands, each, named_rows

PLAYERS: Texts = {"2": "2 players", "3": "3 players", "4": "4 players"}
SLOTS: Texts = {"0": "Slot 1", "1": "Slot 2", "2": "Slot 3", "3": "Slot 4"}
SIDES: Texts = {"1": "side I", "2": "side II"}
TRACK_TITLES: Texts = {
    "quality": "Quality",
    "distribution": "Distribution",
    "cards": "Development cards",
    "machinery": "Machinery",
    "ship": "Ship",
    "stock": "Stock exchange",
}
CARDS: Texts = {
    "entrepreneur": "Entrepreneur",
    "customs_office": "Customs Office",
    "extra_shift": "Extra Shift",
    "workshop": "Workshop",
    "foreman": "Foreman",
    "broker": "Broker",
    "patron_clothes_food": "Patron of clothes and food",
    "patron_cutlery_food": "Patron of cutlery and food",
    "patron_lamps_cutlery": "Patron of lamps and cutlery",
    "patron_cutlery_clothes": "Patron of cutlery and clothes",
    "patron_lamps_food": "Patron of lamps and food",
    "patron_lamps_clothes": "Patron of lamps and clothes",
    "inventor": "Inventor",
    "developer": "Developer",
    "contract": "Contract",
    "patent": "Patent",
    "engineer": "Engineer",
    "big_storehouse": "Big Storehouse",
}
PATRONS = [card for card in CARDS if card.startswith("patron_")]
QUALITY: Texts = {"QA": "Card A", "QB": "Card B", "QC": "Card C", "QE": "Engineer"}
DISTRIBUTION: Texts = {"DA": "Card A", "DB": "Card B", "DP": "Patent"}
RANGE: Texts = {"0": "from", "1": "to"}
PLACES: Texts = {"0": "first place", "1": "second place"}
STOREHOUSES: Texts = {"SA": "Small storehouse A", "SB": "Small storehouse B", "SC": "Big Storehouse"}


def factory(good: str, side: str) -> str:
    return say("{good}, {side}", good=say(GOODS_WORDS[good]), side=say(SIDES[side]))


def good_at(*keys: str) -> str:
    """Of a list with a number for each good, in the order of the rounds."""
    return say(list(GOODS_WORDS.values())[int(keys[-1])]) if int(keys[-1]) < len(GOODS_WORDS) else keys[-1]


def from_to(*keys: str) -> str:
    return say("from {n} to {m}", n=int(keys[-1]), m=int(keys[-1]) + 1)


def position(*keys: str) -> str:
    return say("Position {n}", n=keys[0])


def starter(players: str, seat: str) -> str:
    return say("player {seat} of {players}", seat=seat, players=players)


def printed_place(*keys: str) -> str:
    """Places that are counted from 0, as they are printed."""
    return keys[-1]


SHEET: Layout = (
    Chapter(
        title="Factories",
        parts=(
            SheetTable(
                title="Prices by slot", rows="Factory", row=factory, columns=each("factories.*.*.prices[{}]", SLOTS)
            ),
            SheetTable(
                title="Appeal by slot", rows="Factory", row=factory, columns=each("factories.*.*.appeals[{}]", SLOTS)
            ),
            SheetTable(
                title="What a factory shows",
                rows="Factory",
                row=factory,
                columns={
                    "factories.*.*.goods": "Goods",
                    "factories.*.*.workers": "Workers",
                    "factories.*.*.fixed_cost": "Fixed cost",
                    "factories.*.*.shipping_price": "Shipping price",
                },
            ),
            SheetTable(
                title="Office cards",
                rows="Good",
                row=named_rows(GOODS_WORDS),
                columns={"office.*": "Price, or as much appeal"},
            ),
        ),
    ),
    Chapter(
        title="Worker cards",
        parts=(
            SheetTable(
                title="Sides and goods",
                rows="Card",
                row=position,
                columns={
                    "workers.*.sides[0]": "Decade of side I",
                    "workers.*.sides[1]": "Decade of side II",
                    "workers.*.goods[0]": "Goods of side I",
                    "workers.*.goods[1]": "Goods of side II",
                },
            ),
            SheetTable(
                title="Workers of a card",
                rows="Card",
                row=position,
                columns={f"workers.*.workers[{n}]": good for n, good in enumerate(GOODS_WORDS.values())},
            ),
            SheetTable(
                title="Workers that machines can replace",
                rows="Card",
                row=position,
                columns={f"workers.*.machines[{n}]": good for n, good in enumerate(GOODS_WORDS.values())},
            ),
        ),
    ),
    Chapter(
        title="Quality, distribution, storehouses",
        parts=(
            SheetTable(
                title="Quality cards",
                rows="Card",
                row=named_rows(QUALITY),
                columns={"quality.*[0]": "Value", "quality.*[1]": "Other value"},
            ),
            SheetTable(
                title="Distribution cards",
                rows="Card",
                row=named_rows(DISTRIBUTION),
                columns={
                    "distribution.*[0]": "1st",
                    "distribution.*[1]": "2nd",
                    "distribution.*[2]": "3rd",
                    "distribution.*[3]": "4th",
                },
            ),
            SheetTable(
                title="Storehouses", rows="Card", row=named_rows(STOREHOUSES), columns={"storehouses.*": "Goods"}
            ),
        ),
    ),
    Chapter(
        title="Market board",
        parts=(
            SheetTable(
                title="Demand by position",
                rows="Position",
                row=printed_place,
                columns={f"side.{players}.demand[*]": text for players, text in PLAYERS.items()},
                grows=True,
            ),
            SheetTable(
                title="Demand at the start",
                rows="Good",
                row=good_at,
                columns={f"side.{players}.demand_start[*]": text for players, text in PLAYERS.items()},
                hint="Positions on the tracks.",
            ),
            SheetLines(
                numbers={
                    "side.2.wages_start": "Wages at the start, 2 players: position",
                    "side.3.wages_start": "Wages at the start, 3 players: position",
                    "side.4.wages_start": "Wages at the start, 4 players: position",
                    "market.appeal_top": "Highest appeal",
                }
            ),
            SheetTable(
                title="Wage of a worker",
                rows="Position",
                row=printed_place,
                columns={"market.wages[*]": "Wage"},
                grows=True,
            ),
            SheetTable(
                title="Red arrows passed upwards",
                rows="Step",
                row=from_to,
                columns={f"market.red.{good}[*]": text for good, text in GOODS_WORDS.items()},
                grows=True,
            ),
            SheetTable(
                title="Green arrows passed downwards",
                rows="Step",
                row=from_to,
                columns={f"market.green.{good}[*]": text for good, text in GOODS_WORDS.items()},
                grows=True,
            ),
            SheetTable(
                title="The neutral player of a game of two",
                rows="Good",
                row=good_at,
                columns={"neutral.start[*]": "Appeal at the start"},
            ),
            SheetLines(numbers={"neutral.step": "Appeal more at the end of a decade"}),
        ),
    ),
    Chapter(
        title="Development tracks",
        parts=(
            SheetTable(
                title="Development tracks",
                rows="Track",
                row=named_rows(TRACK_TITLES),
                columns={
                    "tracks.*.levels[0]": "At first",
                    "tracks.*.levels[1]": "1st upgrade",
                    "tracks.*.levels[2]": "2nd upgrade",
                    "tracks.*.first_decade": "1st from decade",
                    "tracks.*.second_decade": "2nd from decade",
                },
                wide=True,
                hint="The decades count with restriction tokens alone.",
            ),
        ),
    ),
    Chapter(
        title="Development cards",
        parts=(
            SheetTable(
                title="Development cards",
                rows="Card",
                row=named_rows(CARDS),
                columns={
                    "cards.*.number": "Number",
                    "cards.*.name": "Name on the card",
                    "cards.*.rotates": "Rotated when used",
                },
                wide=True,
            ),
            SheetLines(
                title="What cards do",
                numbers={
                    "cards.customs_office.fewer_tokens": "Customs Office: tokens fewer",
                    "cards.extra_shift.goods": "Extra Shift: goods",
                    "cards.workshop.free_machines": "Workshop: free machines",
                    "cards.foreman.cheaper": "Foreman: less for each worker",
                    "cards.foreman.workers": "Foreman: workers",
                    "cards.broker.shares": "Broker: shares",
                    "cards.inventor.factories": "Inventor: factories",
                    "cards.inventor.tracks": "Inventor: tracks",
                    "cards.developer.cheaper": "Developer: less fixed cost of each factory",
                    "cards.contract.pays": "Contract: pays for 1, 2, 3 goods and so on",
                },
            ),
            SheetLines(
                title="Goods of the patrons",
                numbers={f"cards.{card}.goods": CARDS[card] for card in PATRONS},
                words={f"cards.{card}.goods": GOODS_WORDS for card in PATRONS},
            ),
            SheetLines(
                title="Goods more that a patron sells", numbers={f"cards.{card}.more": CARDS[card] for card in PATRONS}
            ),
            SheetTable(
                title="Faces of the cards",
                rows="Card",
                row=as_it_stands,
                columns={"deck.*[0]": "One face", "deck.*[1]": "The other"},
                words={"deck.*": CARDS},
            ),
            SheetTable(title="Basic supply", rows="Card", row=named_rows(CARDS), columns=each("supply.{}.*", PLAYERS)),
            SheetLines(
                title="Supply by chance",
                numbers={
                    "random_supply.entrepreneurs": "Entrepreneurs",
                    "random_supply.dealt": "Cards for each player",
                    "random_supply.below_players": "Of a type at most: players less",
                },
            ),
        ),
    ),
    Chapter(
        title="The start",
        parts=(
            SheetTable(
                title="The start of each player",
                rows="Player",
                row=starter,
                columns={
                    "seats.*.*.factories[0]": "First factory",
                    "seats.*.*.factories[1]": "Second factory",
                    "seats.*.*.development": "Development",
                },
                words={"seats.*.*.factories": GOODS_WORDS, "seats.*.*.development": {**TRACK_TITLES, **CARDS}},
                wide=True,
            ),
            SheetLines(
                numbers={
                    "start.money": "Money",
                    "start.shares": "Shares",
                    "start.share_value": "Share value",
                    "start.factories": "Factories",
                    "start.side": "Side of a factory",
                    "start.slot": "Slot of a factory that opens",
                    "start.ships": "Ships",
                    "start.loans": "Loans",
                    "start.shipping_tokens": "Shipping tokens",
                    "start.machines": "Machines",
                    "start.level": "Level of the tracks",
                    "start.quality_cap": "Quality of a factory at most",
                }
            ),
            SheetLines(
                title="The game",
                numbers={
                    "game.colours": "Colours of the players",
                    "game.goods": "Goods in the order of the rounds",
                    "game.decades": "Decades",
                    "game.rounds": "Rounds of a decade",
                    "game.years": "Years of the decades",
                },
                words={"game.goods": GOODS_WORDS},
            ),
        ),
    ),
    Chapter(
        title="Numbers of the rulebook",
        parts=(
            SheetLines(
                numbers={
                    "rules.quality_cap": "Quality of a factory at most, after the Engineer",
                    "rules.distribution_cap": "Distribution of a factory at most",
                    "rules.ships": "Ships on the shipping card",
                    "rules.maintenance": "Maintenance of a machine",
                    "rules.share_sales": "Goods sold at home that raise the share value",
                    "rules.share_step": "Share value more for them",
                    "rules.top_step": "Share value more for the highest appeal",
                    "rules.decay": "Distribution lost",
                    "rules.new_workers_demand": "New workers: demand down",
                    "rules.new_workers_wages": "New workers: wages up",
                    "rules.loans": "Places for loans",
                    "rules.shipping_tokens": "Places for shipping tokens",
                    "rules.shares_top": "Shares at most",
                    "rules.share_value_top": "Highest share value",
                }
            ),
            SheetTable(
                title="Share value less by shipping tokens",
                rows="Tokens",
                row=printed_place,
                columns={"scoring.share_value_less[*]": "Less"},
                grows=True,
            ),
            SheetTable(
                title="Prices of stored goods", rows="Good", row=good_at, columns={"scoring.stored_prices[*]": "Price"}
            ),
        ),
    ),
    Chapter(
        title="The solo game",
        parts=(
            SheetTable(
                title="Appeal of the automas",
                rows="Good",
                row=named_rows(GOODS_WORDS),
                columns={"solo.appeal.*": "At the start"},
            ),
            SheetTable(
                title="Appeal of a new factory",
                rows="Good",
                row=good_at,
                columns={"solo.factory_appeal[*]": "Appeal"},
                hint="The number of the decade is added.",
            ),
            SheetLines(
                numbers={
                    "solo.shares": "Shares at the start",
                    "solo.share_value": "Share value at the start",
                    "solo.advance": "Advance",
                    "solo.automa_markers": "Markers of each automa in the bag",
                    "solo.neutral_markers": "Neutral markers in the bag",
                    "solo.rows": "Rows of cards",
                    "solo.columns": "Columns of cards",
                    "solo.removed": "Cards taken out of the supply for 3 players",
                }
            ),
            SheetTable(
                title="Achievements with a range",
                rows="Range",
                row=named_rows(RANGE),
                columns={"solo.goals.shares[*]": "Shares", "solo.goals.share_value[*]": "Share value"},
            ),
            SheetLines(
                title="Achievements",
                numbers={
                    "solo.goals.score": "Points of the Tycoon",
                    "solo.goals.few_factories": "Factories of the Specialist",
                    "solo.goals.many_factories": "Factories of the All-rounder",
                    "solo.goals.most_shares": "Shares of the Professional broker",
                    "solo.goals.most_share_value": "Share value of the Big fish",
                    "solo.goals.start_shares": "Shares of who starts from nothing",
                    "solo.goals.money": "Money of the Nouveau riche",
                    "solo.goals.shippings": "Shipping events of the Sailor",
                },
            ),
            SheetTable(
                title="Achievements that count with the variant",
                rows="Position",
                row=named_rows(PLACES),
                columns={"solo.goals.picked[*]": "Achievements"},
            ),
        ),
    ),
    Chapter(
        title="The box",
        hint="What it holds. No rule reads these numbers.",
        parts=(
            SheetLines(
                numbers={
                    "box.market_boards": "Market boards",
                    "box.board_sides": "Sides of the board",
                    "box.demand_markers": "Demand markers",
                    "box.wages_markers": "Wages markers",
                    "box.round_markers": "Round markers",
                    "box.decade_markers": "Decade markers",
                    "box.development_cards": "Development cards in the box",
                    "box.start_player_cards": "Start player cards",
                }
            ),
            SheetLines(
                title="Of each player",
                numbers={
                    "box.factories": "Factories",
                    "box.factory_tokens": "Factory tokens",
                    "box.machine_tokens": "Machine tokens",
                    "box.money_tokens": "Money tokens",
                    "box.worker_cards": "Worker cards",
                    "box.office_cards": "Office cards",
                    "box.quality_cards": "Quality cards",
                    "box.distribution_cards": "Distribution cards",
                    "box.small_storehouses": "Small storehouses",
                    "box.shipping_cards": "Shipping cards",
                    "box.markers": "Markers",
                    "box.cards_of_each_good": "Office and worker cards of each good",
                    "box.restriction_tokens": "Restriction tokens",
                    "box.workers_for_a_machine": "Workers that a machine replaces",
                    "box.engineer_tokens": "Engineer tokens",
                },
            ),
        ),
    ),
)
