"""The component sheet of Arkwright: Water Frame."""

from __future__ import annotations

from daybook.domain.games.water_frame.written import read_effects
from daybook.web.games.arkwright import GOODS_WORDS
from daybook.web.words.say import Texts, say
from daybook.web.words.sheet_layout import (
    Chapter,
    Layout,
    SheetLines,
    SheetTable,
    as_it_stands,
    each,
    named_rows,
    numbered_rows,
)

LEVELS: Texts = {"I": "I", "II": "II", "III": "III", "IV": "IV"}
ROWS: Texts = {"1": "Row 1", "2": "Row 2", "3": "Row 3", "4": "Row 4"}
PLAYERS: Texts = {"2": "2 players", "3": "3 players", "4": "4 players"}
OUTPUTS: Texts = {
    "food": "Goods made by a complete row of food",
    "clothes": "Goods made by a complete row of clothes",
    "cutlery": "Goods made by a complete row of cutlery",
    "lamps": "Goods made by a complete row of lamps",
}
SHADES: Texts = {"colour": "own colour", "light": "light grey", "dark": "dark grey"}
GREY: Texts = {
    "machinery": "machinery",
    "quality": "quality",
    "distribution": "distribution",
    "production": "production",
}
MARKERS: Texts = {
    **GREY,
    "factory": "factory",
    "workers": "workers",
    "stock_exchange": "stock exchange",
    "ship": "ship",
}
SEATS: Texts = {"blue": "blue", "red": "red", "green": "green", "yellow": "yellow"}
TILES: Texts = {
    "charisma": "Charisma",
    "patron_food": "Patron of food",
    "patron_clothes": "Patron of clothes",
    "patron_cutlery": "Patron of cutlery",
    "patron_lamps": "Patron of lamps",
    "inventor": "Inventor",
    "accountant": "Accountant",
    "administrator": "Administrator",
    "agent": "Agent in the colonies",
    "broker": "Broker",
    "developer": "Developer",
    "engineer": "Engineer",
    "engineering_works": "Engineering works",
    "extra_shifts": "Extra shifts",
    "foreman": "Foreman",
    "office": "Office",
    "patent": "Patent",
    "school": "School",
    "small_warehouse": "Small warehouse",
    "workshop": "Workshop",
    "unknown_a": "Unknown A",
    "unknown_b": "Unknown B",
    "unknown_c": "Unknown C",
    "unknown_d": "Unknown D",
}
EVENTS: Texts = {
    "bureaucracy": "Bureaucracy",
    "end_of_game": "End of Game",
    "lobby": "Lobby",
    "war_on_the_continent": "War on the Continent",
    "world_exhibition": "World Exhibition",
    "navigation_acts": "Navigation Acts",
    "economic_crisis": "Economic Crisis",
    "hamburg_credit_crisis": "Hamburg Credit Crisis",
    "opium_war": "Opium War",
    "unknown_a": "Unknown A",
    "unknown_b": "Unknown B",
    "unknown_c": "Unknown C",
    "unknown_d": "Unknown D",
    "unknown_e": "Unknown E",
    "unknown_f": "Unknown F",
    "unknown_g": "Unknown G",
    "unknown_h": "Unknown H",
}
EVENT_EFFECTS: Texts = {
    "none": "nothing, or what the table tells",
    "close_row": "nobody uses the row of this price",
    "final_exchange": "a last stock exchange, then the end",
    "special_step": "everyone may take a special marker step",
    "fired_to_box": "so many fired workers go to the box",
    "best_quality": "the best quality of each good moves so many spaces",
    "importers_back": "every importer goes back",
    "importers_on": "every importer goes on",
    "share_value_back": "every share value goes back",
    "share_value_on": "every share value goes on",
    "pay": "everyone pays, and more for each loan",
    "contracts_up": "every contract goes up",
}
SETUP: Texts = {
    "fired": "Workers on the fired space",
    "box": "Workers out of the game",
    "contract_track": "Spaces of the contract track",
    "ships": "Ships in the game, by capacity",
    "grey_sets": "Sets of light and of dark markers",
    "laid": "Grey markers on each row of the mat",
    "tiles_drawn": "Tiles drawn",
    "tiles_with_patrons": "Tiles drawn with the patrons",
    "copies": "Tiles of one kind at most",
}
STARTS: Texts = {
    "goods": "Factories",
    "prices": "Prices",
    "shares": "Shares",
    "capital": "Start capital",
    "marker": "Special marker",
}


def unwritten(text: str) -> str:
    """Why a text is not what a marker does, written out."""
    return (
        ""
        if read_effects(text, tuple(GOODS_WORDS))
        else say(
            "each effect is one of: importer food -1 · workers fired box 4 · share_spaces -2 · cash -5 · "
            "distribution each -1 · quality lamps 1 · contract each 1 · close_row 2 · special_step, "
            "with a semicolon between two"
        )
    )


def player(seats: str, colour: str) -> str:
    return say("{colour} of {seats}", colour=say(SEATS[colour]), seats=seats)


def band(number: str) -> str:
    return say("Band {n}", n=number)


SHEET: Layout = (
    Chapter(
        title="Factories",
        parts=(
            SheetTable(
                title="Factory markers",
                rows="Good",
                row=named_rows(GOODS_WORDS),
                columns=each("factories.*.{}", LEVELS),
                hint="Building cost by level, which is the cost of modernizing and the base quality too.",
            ),
            SheetTable(
                title="Spaces of a production row",
                rows="Good",
                row=named_rows(GOODS_WORDS),
                columns=each("rows.*.{}.spaces", ROWS),
            ),
            SheetTable(
                title="Spaces that a machine may take",
                rows="Good",
                row=named_rows(GOODS_WORDS),
                columns=each("rows.*.{}.machines", ROWS),
            ),
            SheetTable(
                title="Goods made by a complete row",
                rows="Level",
                row=named_rows(LEVELS),
                columns=each("output.*.{}", ROWS),
                hint="The same for all goods.",
            ),
            *(
                SheetTable(
                    title=title,
                    rows="Level",
                    row=named_rows(LEVELS),
                    columns=each(f"output.{good}.*.{{}}", ROWS),
                    hint="Where it makes other than all goods do. What is left empty is as for all goods.",
                    adds=f"output.{good}",
                )
                for good, title in OUTPUTS.items()
            ),
            SheetLines(
                title="Prices and appeal",
                numbers={
                    "price.least": "Lowest price",
                    "price.most": "Highest price",
                    "price.unaffected": "Price adjustment of an unaffected good",
                    "quality.most": "Highest quality level",
                    "quality.engineer": "Highest quality level with the engineer",
                    "distribution.most": "Highest distribution level",
                    "distribution.decay": "Distribution levels lost in a production phase",
                    "distribution.price_falls": "The price falls by, where no level is left",
                    "distribution.spaces_back": "Share value spaces back, where no level is left",
                    "machines.upkeep": "Upkeep of a machine",
                },
            ),
        ),
    ),
    Chapter(
        title="Job market",
        parts=(
            SheetTable(
                title="Wages",
                rows="Band",
                row=band,
                columns={"wages.*.up_to": "Down to row", "wages.*.wage": "Wage"},
                hint="By the row of the lowest empty space, from the top. A band that ends on row 0 is not there.",
                adds="wages",
            ),
            SheetTable(
                title="Goods",
                rows="Good",
                row=named_rows(GOODS_WORDS),
                columns={"goods.*.unnumbered": "Spaces without a number", "goods.*.fixed_price": "Warehouse price"},
                hint="Spaces without a number lie at the top of the good’s column.",
            ),
            SheetLines(
                numbers={
                    "goods.order": "Columns from left to right",
                    "workers.total": "Workers",
                    "workers.full_market_wage": "Wage while no space is empty",
                },
                words={"goods.order": GOODS_WORDS},
            ),
        ),
    ),
    Chapter(
        title="Share value",
        parts=(
            SheetTable(
                title="Share value track",
                rows="Band",
                row=band,
                columns={"share_track.*.up_to": "Up to space", "share_track.*.spaces": "Spaces for a pound"},
                hint="A band that ends on space 0 is not there.",
                adds="share_track",
            ),
            SheetLines(numbers={"share_track.lowest": "Lowest space"}),
            SheetLines(
                title="Rise of the share value, in spaces",
                numbers={
                    "rise.one_sold": "One good sold",
                    "rise.more_sold": "More goods sold",
                    "rise.appeal": "Highest appeal",
                    "rise.sales": "Most goods sold",
                },
            ),
            SheetLines(
                title="Shares and loans",
                numbers={
                    "shares.held": "Shares held at the start",
                    "shares.bank": "Shares in the bank at the start",
                    "shares.start_space": "Space at the start",
                    "shares.setup_price": "Price of a share sold in the set-up",
                    "shares.purchase_minimum": "Lowest price when buying",
                    "shares.minimum_up_to": "up to space",
                    "loan.amount": "A loan",
                    "loan.repay": "Paid back",
                    "loan.spaces": "Spaces back for a loan",
                },
            ),
        ),
    ),
    Chapter(
        title="Administration chart and markers",
        parts=(
            SheetTable(
                title="Rows of the chart",
                rows="Row",
                row=numbered_rows("Row {n}"),
                columns={"chart.rows[*]": "Costs"},
                grows=True,
            ),
            SheetLines(numbers={"chart.fee": "Fee for a marker that lies on the chart"}),
            SheetTable(
                title="Costs from which a marker has one, two, three effects",
                rows="Marker",
                row=lambda name, shade: say("{name}, {shade}", name=say(GREY[name]), shade=say(SHADES[shade])),
                columns={"thresholds.*.*[0]": "One", "thresholds.*.*[1]": "Two", "thresholds.*.*[2]": "Three"},
            ),
            SheetTable(
                title="What a marker reaches",
                rows="Marker",
                row=named_rows(SHADES),
                columns={"distribution_cap.*": "Distribution at most", "production_rows.*": "Production rows"},
            ),
            SheetTable(
                title="Additional action",
                rows="Marker",
                row=named_rows(MARKERS),
                columns={"additional.*": "It offers"},
                words={"additional.*": {"price": "price adjustment", "special": "special marker"}},
            ),
            SheetTable(
                title="Rows of the special markers mat",
                rows="Row",
                row=named_rows(LEVELS),
                columns={"mat.*.shade": "Grey markers"},
                words={"mat.*.shade": {"light": SHADES["light"], "dark": SHADES["dark"]}},
            ),
        ),
    ),
    Chapter(
        title="Ships and harbour",
        parts=(
            SheetTable(
                title="Ships",
                rows="Capacity",
                row=as_it_stands,
                columns={"ships.*.copies": "Copies", "ships.*.row": "Row of the mat", "ships.*.crew": "Crew"},
                words={"ships.*.row": LEVELS},
            ),
            SheetLines(
                title="Harbour",
                numbers={
                    "harbour.piers": "Piers",
                    "harbour.rows": "Rows of the large warehouse",
                    "harbour.rise": "Spaces that an unfulfilled contract goes up",
                    "harbour.full_track": "Share value spaces back where it cannot",
                    "harbour.action_spaces": "Share value spaces back for a ship action",
                    "harbour.ship_spaces": "Share value spaces back for each ship of a production phase",
                },
            ),
        ),
    ),
    Chapter(
        title="Timetable",
        parts=(
            SheetTable(
                title="Timetable",
                rows="Decade",
                row=as_it_stands,
                columns={
                    "timetable.*.level": "Development level",
                    "timetable.*.obsolete": "Levels that become obsolete",
                },
                words={"timetable.*.level": LEVELS, "timetable.*.obsolete": LEVELS},
            ),
            SheetLines(
                numbers={
                    "obsolescence.workers": "Additional workers of an obsolete factory",
                    "end.marked_spaces": "Share value spaces back for a marked factory",
                    "end.marked_shares": "Shares returned for a marked factory",
                }
            ),
        ),
    ),
    Chapter(
        title="Development tiles",
        parts=(
            SheetTable(
                title="Development tiles",
                rows="Tile",
                row=named_rows(TILES),
                columns={"tiles.*.name": "Name on the tile", "tiles.*.copies": "Copies"},
                adds="tiles",
                another="Another tile",
                hint=(
                    "Name an unknown one after your tile and count its copies. It lies out like the others and has no "
                    "effect in the record."
                ),
            ),
            SheetLines(
                title="What tiles do",
                numbers={
                    "tiles.inventor.next_use": "Inventor: cost of the next uses",
                    "tiles.accountant.amount": "Accountant: more or less, at most",
                    "tiles.agent.goods": "Agent in the colonies: goods more or fewer",
                    "tiles.broker.shares": "Broker: shares at half price",
                    "tiles.developer.less": "Developer: less for a factory",
                    "tiles.engineer.paid_most": "Engineer: highest amount",
                    "tiles.engineering_works.pays": "Engineering works: for each machine",
                    "tiles.extra_shifts.goods": "Extra shifts: goods",
                    "tiles.foreman.workers": "Foreman: workers",
                    "tiles.foreman.less": "Foreman: less wage",
                    "tiles.foreman.least": "Foreman: lowest wage",
                    "tiles.office.pays": "Office: for each shipment",
                    "tiles.patent.amount": "Patent: distribution more",
                    "tiles.patent.levels": "Patent: levels, when returned",
                    "tiles.small_warehouse.goods": "Small warehouse: goods",
                    "tiles.workshop.machinery": "Workshop: machinery costs more",
                    "tiles.workshop.upkeep": "Workshop: upkeep of the factory",
                },
            ),
            SheetLines(
                title="Tiles laid out",
                numbers={
                    "tile_rules.spaces": "Tile spaces of a player",
                    "tile_rules.laid_first": "Laid out first",
                    "tile_rules.patrons": "Patrons",
                },
                words={"tile_rules.laid_first": TILES, "tile_rules.patrons": TILES},
            ),
        ),
    ),
    Chapter(
        title="Events",
        parts=(
            SheetTable(
                title="Event markers",
                rows="Event",
                row=named_rows(EVENTS),
                columns={
                    "events.*.name": "Name on the marker",
                    "events.*.two_players": "With two players",
                    "events.*.effect": "Effect",
                    "events.*.amount": "How much",
                    "events.*.per_loan": "For each loan",
                },
                words={"events.*.effect": EVENT_EFFECTS},
                free={"events.*.effect": unwritten},
                adds="events",
                another="Another event",
                wide=True,
                hint=(
                    "Name an unknown one after the marker of your box. What no effect of the list says can be written "
                    "out, or left at nothing and told at the table when the marker is turned over."
                ),
            ),
        ),
    ),
    Chapter(
        title="Economy markers",
        parts=(
            SheetTable(
                title="Economy markers",
                rows="Marker",
                row=numbered_rows("Marker {n}"),
                columns=each("economy.{}[*]", GOODS_WORDS),
                hint="Spaces the importer advances / workers that come back: 1/3.",
            ),
            SheetLines(numbers={"economy.taken_out": "Workers on the markers that are taken out"}),
        ),
    ),
    Chapter(
        title="By number of players",
        parts=(
            SheetTable(
                title="By number of players",
                rows="Number",
                row=named_rows(SETUP),
                columns=each("seats.{}.*", PLAYERS),
                wide=True,
            ),
            SheetLines(numbers={"seats.colours": "Colours of the players"}, words={"seats.colours": SEATS}),
        ),
    ),
    Chapter(
        title="The predetermined set-up",
        parts=(
            SheetTable(
                title="Players",
                rows="Player",
                row=player,
                columns=each("predetermined.players.*.*.{}", STARTS),
                words={"predetermined.players.*.*.goods": GOODS_WORDS, "predetermined.players.*.*.marker": GREY},
                wide=True,
            ),
            SheetTable(
                title="Player order",
                rows="Players",
                row=lambda seats: say(PLAYERS[seats]),
                columns={"predetermined.order.*.colours": "Colours, the start player first"},
                words={"predetermined.order.*.colours": SEATS},
            ),
            SheetTable(
                title="Special markers mat",
                rows="Row",
                row=named_rows(LEVELS),
                columns=each("predetermined.mat.{}.*", PLAYERS),
                words={"predetermined.mat.*.*": GREY},
                wide=True,
            ),
            SheetTable(
                title="Tiles",
                rows="Players",
                row=lambda seats: say(PLAYERS[seats]),
                columns={"predetermined.tiles.*": "Tiles laid out"},
                words={"predetermined.tiles.*": TILES},
                hint="Each number of players has the lists up to its own.",
            ),
            SheetLines(
                title="Events",
                numbers={
                    **{f"predetermined.events.{year}": str(year) for year in (1770, 1780, 1790, 1800, 1810)},
                    "predetermined.events.starred": "Those that may be shuffled",
                },
                words={f"predetermined.events.{key}": EVENTS for key in (1770, 1780, 1790, 1800, 1810, "starred")},
            ),
        ),
    ),
    Chapter(
        title="Rulings",
        hint=(
            "Where the text leaves a choice, a table may take the other way. Loans have no limit: beyond the shares of the "
            "bank, something else marks them."
        ),
        parts=(
            SheetLines(
                numbers={
                    "rulings.charisma_beats_importer_tie": "Charisma wins a tie with the importer",
                    "rulings.single_digit_space_penalty": "Spaces lost for a share on spaces 1 to 9",
                    "rulings.bureaucracy_permanent": "Bureaucracy lasts to the end",
                    "rulings.importer_sells_on": "The importer sells on when all players have stopped",
                    "rulings.inventor_keep_by_emergency": "The inventor may be kept by an emergency sale",
                },
                words={
                    "rulings.single_digit_space_penalty": {
                        "one": "one",
                        "none": "none",
                        "digit": "the number of the space",
                    }
                },
            ),
        ),
    ),
    Chapter(
        title="The box",
        hint=(
            "What it holds. No rule reads these numbers. The second edition has 17 events, 51 tiles and 7 action markers a "
            "player, the first one 16, 40 and 6. No source says which tiles and which event the first lacks: set the copies "
            "of each tile and the events to those of your box. The mats of the first are said to have a misprint: read the "
            "tiles, not the mat."
        ),
        parts=(
            SheetLines(
                numbers={
                    "box.machines": "Machines",
                    "box.goods": "Goods",
                    "box.money": "Money",
                    "box.factory_markers": "Factory markers of a player",
                    "box.action_markers": "Action markers of a player",
                    "box.light_markers": "Light grey markers",
                    "box.dark_markers": "Dark grey markers",
                    "box.event_markers": "Event markers",
                    "box.economy_markers": "Economy markers",
                    "box.development_tiles": "Development tiles",
                    "box.ships": "Ships",
                    "box.importer_markers": "Importer markers",
                    "box.appeal_indicators": "Appeal indicators of a player",
                    "box.unused_markers": "Markers without a rule",
                }
            ),
        ),
    ),
)
