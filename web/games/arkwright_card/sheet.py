"""The component sheet of Arkwright: The Card Game."""

from __future__ import annotations

from daybook.web.games.arkwright import GOODS_WORDS
from daybook.web.words.say import N_, say
from daybook.web.words.sheet_layout import Chapter, Layout, SheetLines, SheetTable, as_it_stands, each, named_rows

PLAYERS = {"2": N_("2 players"), "3": N_("3 players"), "4": N_("4 players")}
SLOTS = {"0": N_("Slot 1"), "1": N_("Slot 2"), "2": N_("Slot 3"), "3": N_("Slot 4")}
SIDES = {"1": N_("side I"), "2": N_("side II")}
TRACK_TITLES = {
    "quality": N_("Quality"),
    "distribution": N_("Distribution"),
    "cards": N_("Development cards"),
    "machinery": N_("Machinery"),
    "ship": N_("Ship"),
    "stock": N_("Stock exchange"),
}
CARDS = {
    "entrepreneur": N_("Entrepreneur"),
    "customs_office": N_("Customs Office"),
    "extra_shift": N_("Extra Shift"),
    "workshop": N_("Workshop"),
    "foreman": N_("Foreman"),
    "broker": N_("Broker"),
    "patron_clothes_food": N_("Patron of clothes and food"),
    "patron_cutlery_food": N_("Patron of cutlery and food"),
    "patron_lamps_cutlery": N_("Patron of lamps and cutlery"),
    "patron_cutlery_clothes": N_("Patron of cutlery and clothes"),
    "patron_lamps_food": N_("Patron of lamps and food"),
    "patron_lamps_clothes": N_("Patron of lamps and clothes"),
    "inventor": N_("Inventor"),
    "developer": N_("Developer"),
    "contract": N_("Contract"),
    "patent": N_("Patent"),
    "engineer": N_("Engineer"),
    "big_storehouse": N_("Big Storehouse"),
}
PATRONS = [card for card in CARDS if card.startswith("patron_")]
QUALITY = {"QA": N_("Card A"), "QB": N_("Card B"), "QC": N_("Card C"), "QE": N_("Engineer")}
DISTRIBUTION = {"DA": N_("Card A"), "DB": N_("Card B"), "DP": N_("Patent")}
RANGE = {"0": N_("from"), "1": N_("to")}
PLACES = {"0": N_("first place"), "1": N_("second place")}
STOREHOUSES = {"SA": N_("Small storehouse A"), "SB": N_("Small storehouse B"), "SC": N_("Big Storehouse")}


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
        title=N_("Factories"),
        parts=(
            SheetTable(
                title=N_("Prices by slot"),
                rows=N_("Factory"),
                row=factory,
                columns=each("factories.*.*.prices[{}]", SLOTS),
            ),
            SheetTable(
                title=N_("Appeal by slot"),
                rows=N_("Factory"),
                row=factory,
                columns=each("factories.*.*.appeals[{}]", SLOTS),
            ),
            SheetTable(
                title=N_("What a factory shows"),
                rows=N_("Factory"),
                row=factory,
                columns={
                    "factories.*.*.goods": N_("Goods"),
                    "factories.*.*.workers": N_("Workers"),
                    "factories.*.*.fixed_cost": N_("Fixed cost"),
                    "factories.*.*.shipping_price": N_("Shipping price"),
                },
            ),
            SheetTable(
                title=N_("Office cards"),
                rows=N_("Good"),
                row=named_rows(GOODS_WORDS),
                columns={"office.*": N_("Price, or as much appeal")},
            ),
        ),
    ),
    Chapter(
        title=N_("Worker cards"),
        parts=(
            SheetTable(
                title=N_("Sides and goods"),
                rows=N_("Card"),
                row=position,
                columns={
                    "workers.*.sides[0]": N_("Decade of side I"),
                    "workers.*.sides[1]": N_("Decade of side II"),
                    "workers.*.goods[0]": N_("Goods of side I"),
                    "workers.*.goods[1]": N_("Goods of side II"),
                },
            ),
            SheetTable(
                title=N_("Workers of a card"),
                rows=N_("Card"),
                row=position,
                columns={f"workers.*.workers[{n}]": good for n, good in enumerate(GOODS_WORDS.values())},
            ),
            SheetTable(
                title=N_("Workers that machines can replace"),
                rows=N_("Card"),
                row=position,
                columns={f"workers.*.machines[{n}]": good for n, good in enumerate(GOODS_WORDS.values())},
            ),
        ),
    ),
    Chapter(
        title=N_("Quality, distribution, storehouses"),
        parts=(
            SheetTable(
                title=N_("Quality cards"),
                rows=N_("Card"),
                row=named_rows(QUALITY),
                columns={"quality.*[0]": N_("Value"), "quality.*[1]": N_("Other value")},
            ),
            SheetTable(
                title=N_("Distribution cards"),
                rows=N_("Card"),
                row=named_rows(DISTRIBUTION),
                columns={
                    "distribution.*[0]": N_("1st"),
                    "distribution.*[1]": N_("2nd"),
                    "distribution.*[2]": N_("3rd"),
                    "distribution.*[3]": N_("4th"),
                },
            ),
            SheetTable(
                title=N_("Storehouses"),
                rows=N_("Card"),
                row=named_rows(STOREHOUSES),
                columns={"storehouses.*": N_("Goods")},
            ),
        ),
    ),
    Chapter(
        title=N_("Market board"),
        parts=(
            SheetTable(
                title=N_("Demand by position"),
                rows=N_("Position"),
                row=printed_place,
                columns={f"side.{players}.demand[*]": text for players, text in PLAYERS.items()},
                grows=True,
            ),
            SheetTable(
                title=N_("Demand at the start"),
                rows=N_("Good"),
                row=good_at,
                columns={f"side.{players}.demand_start[*]": text for players, text in PLAYERS.items()},
                hint=N_("Positions on the tracks."),
            ),
            SheetLines(
                numbers={
                    "side.2.wages_start": N_("Wages at the start, 2 players: position"),
                    "side.3.wages_start": N_("Wages at the start, 3 players: position"),
                    "side.4.wages_start": N_("Wages at the start, 4 players: position"),
                    "market.appeal_top": N_("Highest appeal"),
                }
            ),
            SheetTable(
                title=N_("Wage of a worker"),
                rows=N_("Position"),
                row=printed_place,
                columns={"market.wages[*]": N_("Wage")},
                grows=True,
            ),
            SheetTable(
                title=N_("Red arrows passed upwards"),
                rows=N_("Step"),
                row=from_to,
                columns={f"market.red.{good}[*]": text for good, text in GOODS_WORDS.items()},
                grows=True,
            ),
            SheetTable(
                title=N_("Green arrows passed downwards"),
                rows=N_("Step"),
                row=from_to,
                columns={f"market.green.{good}[*]": text for good, text in GOODS_WORDS.items()},
                grows=True,
            ),
            SheetTable(
                title=N_("The neutral player of a game of two"),
                rows=N_("Good"),
                row=good_at,
                columns={"neutral.start[*]": N_("Appeal at the start")},
            ),
            SheetLines(numbers={"neutral.step": N_("Appeal more at the end of a decade")}),
        ),
    ),
    Chapter(
        title=N_("Development tracks"),
        parts=(
            SheetTable(
                title=N_("Development tracks"),
                rows=N_("Track"),
                row=named_rows(TRACK_TITLES),
                columns={
                    "tracks.*.levels[0]": N_("At first"),
                    "tracks.*.levels[1]": N_("1st upgrade"),
                    "tracks.*.levels[2]": N_("2nd upgrade"),
                    "tracks.*.first_decade": N_("1st from decade"),
                    "tracks.*.second_decade": N_("2nd from decade"),
                },
                wide=True,
                hint=N_("The decades count with restriction tokens alone."),
            ),
        ),
    ),
    Chapter(
        title=N_("Development cards"),
        parts=(
            SheetTable(
                title=N_("Development cards"),
                rows=N_("Card"),
                row=named_rows(CARDS),
                columns={
                    "cards.*.number": N_("Number"),
                    "cards.*.name": N_("Name on the card"),
                    "cards.*.rotates": N_("Rotated when used"),
                },
                wide=True,
            ),
            SheetLines(
                title=N_("What cards do"),
                numbers={
                    "cards.customs_office.fewer_tokens": N_("Customs Office: tokens fewer"),
                    "cards.extra_shift.goods": N_("Extra Shift: goods"),
                    "cards.workshop.free_machines": N_("Workshop: free machines"),
                    "cards.foreman.cheaper": N_("Foreman: less for each worker"),
                    "cards.foreman.workers": N_("Foreman: workers"),
                    "cards.broker.shares": N_("Broker: shares"),
                    "cards.inventor.factories": N_("Inventor: factories"),
                    "cards.inventor.tracks": N_("Inventor: tracks"),
                    "cards.developer.cheaper": N_("Developer: less fixed cost of each factory"),
                    "cards.contract.pays": N_("Contract: pays for 1, 2, 3 goods and so on"),
                },
            ),
            SheetLines(
                title=N_("Goods of the patrons"),
                numbers={f"cards.{card}.goods": CARDS[card] for card in PATRONS},
                words={f"cards.{card}.goods": GOODS_WORDS for card in PATRONS},
            ),
            SheetLines(
                title=N_("Goods more that a patron sells"),
                numbers={f"cards.{card}.more": CARDS[card] for card in PATRONS},
            ),
            SheetTable(
                title=N_("Faces of the cards"),
                rows=N_("Card"),
                row=as_it_stands,
                columns={"deck.*[0]": N_("One face"), "deck.*[1]": N_("The other")},
                words={"deck.*": CARDS},
            ),
            SheetTable(
                title=N_("Basic supply"), rows=N_("Card"), row=named_rows(CARDS), columns=each("supply.{}.*", PLAYERS)
            ),
            SheetLines(
                title=N_("Supply by chance"),
                numbers={
                    "random_supply.entrepreneurs": N_("Entrepreneurs"),
                    "random_supply.dealt": N_("Cards for each player"),
                    "random_supply.below_players": N_("Of a type at most: players less"),
                },
            ),
        ),
    ),
    Chapter(
        title=N_("The start"),
        parts=(
            SheetTable(
                title=N_("The start of each player"),
                rows=N_("Player"),
                row=starter,
                columns={
                    "seats.*.*.factories[0]": N_("First factory"),
                    "seats.*.*.factories[1]": N_("Second factory"),
                    "seats.*.*.development": N_("Development"),
                },
                words={"seats.*.*.factories": GOODS_WORDS, "seats.*.*.development": {**TRACK_TITLES, **CARDS}},
                wide=True,
            ),
            SheetLines(
                numbers={
                    "start.money": N_("Money"),
                    "start.shares": N_("Shares"),
                    "start.share_value": N_("Share value"),
                    "start.factories": N_("Factories"),
                    "start.side": N_("Side of a factory"),
                    "start.slot": N_("Slot of a factory that opens"),
                    "start.ships": N_("Ships"),
                    "start.loans": N_("Loans"),
                    "start.shipping_tokens": N_("Shipping tokens"),
                    "start.machines": N_("Machines"),
                    "start.level": N_("Level of the tracks"),
                    "start.quality_cap": N_("Quality of a factory at most"),
                }
            ),
            SheetLines(
                title=N_("The game"),
                numbers={
                    "game.colours": N_("Colours of the players"),
                    "game.goods": N_("Goods in the order of the rounds"),
                    "game.decades": N_("Decades"),
                    "game.rounds": N_("Rounds of a decade"),
                    "game.years": N_("Years of the decades"),
                },
                words={"game.goods": GOODS_WORDS},
            ),
        ),
    ),
    Chapter(
        title=N_("Numbers of the rulebook"),
        parts=(
            SheetLines(
                numbers={
                    "rules.quality_cap": N_("Quality of a factory at most, after the Engineer"),
                    "rules.distribution_cap": N_("Distribution of a factory at most"),
                    "rules.ships": N_("Ships on the shipping card"),
                    "rules.maintenance": N_("Maintenance of a machine"),
                    "rules.share_sales": N_("Goods sold at home that raise the share value"),
                    "rules.share_step": N_("Share value more for them"),
                    "rules.top_step": N_("Share value more for the highest appeal"),
                    "rules.decay": N_("Distribution lost"),
                    "rules.new_workers_demand": N_("New workers: demand down"),
                    "rules.new_workers_wages": N_("New workers: wages up"),
                    "rules.loans": N_("Places for loans"),
                    "rules.shipping_tokens": N_("Places for shipping tokens"),
                    "rules.shares_top": N_("Shares at most"),
                    "rules.share_value_top": N_("Highest share value"),
                }
            ),
            SheetTable(
                title=N_("Share value less by shipping tokens"),
                rows=N_("Tokens"),
                row=printed_place,
                columns={"scoring.share_value_less[*]": N_("Less")},
                grows=True,
            ),
            SheetTable(
                title=N_("Prices of stored goods"),
                rows=N_("Good"),
                row=good_at,
                columns={"scoring.stored_prices[*]": N_("Price")},
            ),
        ),
    ),
    Chapter(
        title=N_("The solo game"),
        parts=(
            SheetTable(
                title=N_("Appeal of the automas"),
                rows=N_("Good"),
                row=named_rows(GOODS_WORDS),
                columns={"solo.appeal.*": N_("At the start")},
            ),
            SheetTable(
                title=N_("Appeal of a new factory"),
                rows=N_("Good"),
                row=good_at,
                columns={"solo.factory_appeal[*]": N_("Appeal")},
                hint=N_("The number of the decade is added."),
            ),
            SheetLines(
                numbers={
                    "solo.shares": N_("Shares at the start"),
                    "solo.share_value": N_("Share value at the start"),
                    "solo.advance": N_("Advance"),
                    "solo.automa_markers": N_("Markers of each automa in the bag"),
                    "solo.neutral_markers": N_("Neutral markers in the bag"),
                    "solo.rows": N_("Rows of cards"),
                    "solo.columns": N_("Columns of cards"),
                    "solo.removed": N_("Cards taken out of the supply for 3 players"),
                }
            ),
            SheetTable(
                title=N_("Achievements with a range"),
                rows=N_("Range"),
                row=named_rows(RANGE),
                columns={"solo.goals.shares[*]": N_("Shares"), "solo.goals.share_value[*]": N_("Share value")},
            ),
            SheetLines(
                title=N_("Achievements"),
                numbers={
                    "solo.goals.score": N_("Points of the Tycoon"),
                    "solo.goals.few_factories": N_("Factories of the Specialist"),
                    "solo.goals.many_factories": N_("Factories of the All-rounder"),
                    "solo.goals.most_shares": N_("Shares of the Professional broker"),
                    "solo.goals.most_share_value": N_("Share value of the Big fish"),
                    "solo.goals.start_shares": N_("Shares of who starts from nothing"),
                    "solo.goals.money": N_("Money of the Nouveau riche"),
                    "solo.goals.shippings": N_("Shipping events of the Sailor"),
                },
            ),
            SheetTable(
                title=N_("Achievements that count with the variant"),
                rows=N_("Position"),
                row=named_rows(PLACES),
                columns={"solo.goals.picked[*]": N_("Achievements")},
            ),
        ),
    ),
    Chapter(
        title=N_("The box"),
        hint=N_("What it holds. No rule reads these numbers."),
        parts=(
            SheetLines(
                numbers={
                    "box.market_boards": N_("Market boards"),
                    "box.board_sides": N_("Sides of the board"),
                    "box.demand_markers": N_("Demand markers"),
                    "box.wages_markers": N_("Wages markers"),
                    "box.round_markers": N_("Round markers"),
                    "box.decade_markers": N_("Decade markers"),
                    "box.development_cards": N_("Development cards in the box"),
                    "box.start_player_cards": N_("Start player cards"),
                }
            ),
            SheetLines(
                title=N_("Of each player"),
                numbers={
                    "box.factories": N_("Factories"),
                    "box.factory_tokens": N_("Factory tokens"),
                    "box.machine_tokens": N_("Machine tokens"),
                    "box.money_tokens": N_("Money tokens"),
                    "box.worker_cards": N_("Worker cards"),
                    "box.office_cards": N_("Office cards"),
                    "box.quality_cards": N_("Quality cards"),
                    "box.distribution_cards": N_("Distribution cards"),
                    "box.small_storehouses": N_("Small storehouses"),
                    "box.shipping_cards": N_("Shipping cards"),
                    "box.markers": N_("Markers"),
                    "box.cards_of_each_good": N_("Office and worker cards of each good"),
                    "box.restriction_tokens": N_("Restriction tokens"),
                    "box.workers_for_a_machine": N_("Workers that a machine replaces"),
                    "box.engineer_tokens": N_("Engineer tokens"),
                },
            ),
        ),
    ),
)
