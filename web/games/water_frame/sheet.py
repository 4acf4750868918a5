"""The component sheet of Arkwright: Water Frame."""

from __future__ import annotations

from daybook.domain.games.water_frame.written import read_effects
from daybook.web.games.arkwright import GOODS_WORDS
from daybook.web.words.say import N_, say
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

LEVELS = {"I": N_("I"), "II": N_("II"), "III": N_("III"), "IV": N_("IV")}
ROWS = {"1": N_("Row 1"), "2": N_("Row 2"), "3": N_("Row 3"), "4": N_("Row 4")}
PLAYERS = {"2": N_("2 players"), "3": N_("3 players"), "4": N_("4 players")}
OUTPUTS = {
    "food": N_("Goods made by a complete row of food"),
    "clothes": N_("Goods made by a complete row of clothes"),
    "cutlery": N_("Goods made by a complete row of cutlery"),
    "lamps": N_("Goods made by a complete row of lamps"),
}
SHADES = {"colour": N_("own colour"), "light": N_("light grey"), "dark": N_("dark grey")}
GREY = {
    "machinery": N_("machinery"),
    "quality": N_("quality"),
    "distribution": N_("distribution"),
    "production": N_("production"),
}
MARKERS = {
    **GREY,
    "factory": N_("factory"),
    "workers": N_("workers"),
    "stock_exchange": N_("stock exchange"),
    "ship": N_("ship"),
}
SEATS = {"blue": N_("blue"), "red": N_("red"), "green": N_("green"), "yellow": N_("yellow")}
TILES = {
    "charisma": N_("Charisma"),
    "patron_food": N_("Patron of food"),
    "patron_clothes": N_("Patron of clothes"),
    "patron_cutlery": N_("Patron of cutlery"),
    "patron_lamps": N_("Patron of lamps"),
    "inventor": N_("Inventor"),
    "accountant": N_("Accountant"),
    "administrator": N_("Administrator"),
    "agent": N_("Agent in the colonies"),
    "broker": N_("Broker"),
    "developer": N_("Developer"),
    "engineer": N_("Engineer"),
    "engineering_works": N_("Engineering works"),
    "extra_shifts": N_("Extra shifts"),
    "foreman": N_("Foreman"),
    "office": N_("Office"),
    "patent": N_("Patent"),
    "school": N_("School"),
    "small_warehouse": N_("Small warehouse"),
    "workshop": N_("Workshop"),
    "unknown_a": N_("Unknown A"),
    "unknown_b": N_("Unknown B"),
    "unknown_c": N_("Unknown C"),
    "unknown_d": N_("Unknown D"),
}
EVENTS = {
    "bureaucracy": N_("Bureaucracy"),
    "end_of_game": N_("End of Game"),
    "lobby": N_("Lobby"),
    "war_on_the_continent": N_("War on the Continent"),
    "world_exhibition": N_("World Exhibition"),
    "navigation_acts": N_("Navigation Acts"),
    "economic_crisis": N_("Economic Crisis"),
    "hamburg_credit_crisis": N_("Hamburg Credit Crisis"),
    "opium_war": N_("Opium War"),
    "unknown_a": N_("Unknown A"),
    "unknown_b": N_("Unknown B"),
    "unknown_c": N_("Unknown C"),
    "unknown_d": N_("Unknown D"),
    "unknown_e": N_("Unknown E"),
    "unknown_f": N_("Unknown F"),
    "unknown_g": N_("Unknown G"),
    "unknown_h": N_("Unknown H"),
}
EVENT_EFFECTS = {
    "none": N_("nothing, or what the table tells"),
    "close_row": N_("nobody uses the row of this price"),
    "final_exchange": N_("a last stock exchange, then the end"),
    "special_step": N_("everyone may take a special marker step"),
    "fired_to_box": N_("so many fired workers go to the box"),
    "best_quality": N_("the best quality of each good moves so many spaces"),
    "importers_back": N_("every importer goes back"),
    "importers_on": N_("every importer goes on"),
    "share_value_back": N_("every share value goes back"),
    "share_value_on": N_("every share value goes on"),
    "pay": N_("everyone pays, and more for each loan"),
    "contracts_up": N_("every contract goes up"),
}
SETUP = {
    "fired": N_("Workers on the fired space"),
    "box": N_("Workers out of the game"),
    "contract_track": N_("Spaces of the contract track"),
    "ships": N_("Ships in the game, by capacity"),
    "grey_sets": N_("Sets of light and of dark markers"),
    "laid": N_("Grey markers on each row of the mat"),
    "tiles_drawn": N_("Tiles drawn"),
    "tiles_with_patrons": N_("Tiles drawn with the patrons"),
    "copies": N_("Tiles of one kind at most"),
}
STARTS = {
    "goods": N_("Factories"),
    "prices": N_("Prices"),
    "shares": N_("Shares"),
    "capital": N_("Start capital"),
    "marker": N_("Special marker"),
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
        title=N_("Factories"),
        parts=(
            SheetTable(
                title=N_("Factory markers"),
                rows=N_("Good"),
                row=named_rows(GOODS_WORDS),
                columns=each("factories.*.{}", LEVELS),
                hint=N_("Building cost by level, which is the cost of modernizing and the base quality too."),
            ),
            SheetTable(
                title=N_("Spaces of a production row"),
                rows=N_("Good"),
                row=named_rows(GOODS_WORDS),
                columns=each("rows.*.{}.spaces", ROWS),
            ),
            SheetTable(
                title=N_("Spaces that a machine may take"),
                rows=N_("Good"),
                row=named_rows(GOODS_WORDS),
                columns=each("rows.*.{}.machines", ROWS),
            ),
            SheetTable(
                title=N_("Goods made by a complete row"),
                rows=N_("Level"),
                row=named_rows(LEVELS),
                columns=each("output.*.{}", ROWS),
                hint=N_("The same for all goods."),
            ),
            *(
                SheetTable(
                    title=title,
                    rows=N_("Level"),
                    row=named_rows(LEVELS),
                    columns=each(f"output.{good}.*.{{}}", ROWS),
                    hint=N_("Where it makes other than all goods do. What is left empty is as for all goods."),
                    adds=f"output.{good}",
                )
                for good, title in OUTPUTS.items()
            ),
            SheetLines(
                title=N_("Prices and appeal"),
                numbers={
                    "price.least": N_("Lowest price"),
                    "price.most": N_("Highest price"),
                    "price.unaffected": N_("Price adjustment of an unaffected good"),
                    "quality.most": N_("Highest quality level"),
                    "quality.engineer": N_("Highest quality level with the engineer"),
                    "distribution.most": N_("Highest distribution level"),
                    "distribution.decay": N_("Distribution levels lost in a production phase"),
                    "distribution.price_falls": N_("The price falls by, where no level is left"),
                    "distribution.spaces_back": N_("Share value spaces back, where no level is left"),
                    "machines.upkeep": N_("Upkeep of a machine"),
                },
            ),
        ),
    ),
    Chapter(
        title=N_("Job market"),
        parts=(
            SheetTable(
                title=N_("Wages"),
                rows=N_("Band"),
                row=band,
                columns={"wages.*.up_to": N_("Down to row"), "wages.*.wage": N_("Wage")},
                hint=N_("By the row of the lowest empty space, from the top. A band that ends on row 0 is not there."),
                adds="wages",
            ),
            SheetTable(
                title=N_("Goods"),
                rows=N_("Good"),
                row=named_rows(GOODS_WORDS),
                columns={
                    "goods.*.unnumbered": N_("Spaces without a number"),
                    "goods.*.fixed_price": N_("Warehouse price"),
                },
                hint=N_("Spaces without a number lie at the top of the good’s column."),
            ),
            SheetLines(
                numbers={
                    "goods.order": N_("Columns from left to right"),
                    "workers.total": N_("Workers"),
                    "workers.full_market_wage": N_("Wage while no space is empty"),
                },
                words={"goods.order": GOODS_WORDS},
            ),
        ),
    ),
    Chapter(
        title=N_("Share value"),
        parts=(
            SheetTable(
                title=N_("Share value track"),
                rows=N_("Band"),
                row=band,
                columns={"share_track.*.up_to": N_("Up to space"), "share_track.*.spaces": N_("Spaces for a pound")},
                hint=N_("A band that ends on space 0 is not there."),
                adds="share_track",
            ),
            SheetLines(numbers={"share_track.lowest": N_("Lowest space")}),
            SheetLines(
                title=N_("Rise of the share value, in spaces"),
                numbers={
                    "rise.one_sold": N_("One good sold"),
                    "rise.more_sold": N_("More goods sold"),
                    "rise.appeal": N_("Highest appeal"),
                    "rise.sales": N_("Most goods sold"),
                },
            ),
            SheetLines(
                title=N_("Shares and loans"),
                numbers={
                    "shares.held": N_("Shares held at the start"),
                    "shares.bank": N_("Shares in the bank at the start"),
                    "shares.start_space": N_("Space at the start"),
                    "shares.setup_price": N_("Price of a share sold in the set-up"),
                    "shares.purchase_minimum": N_("Lowest price when buying"),
                    "shares.minimum_up_to": N_("up to space"),
                    "loan.amount": N_("A loan"),
                    "loan.repay": N_("Paid back"),
                    "loan.spaces": N_("Spaces back for a loan"),
                },
            ),
        ),
    ),
    Chapter(
        title=N_("Administration chart and markers"),
        parts=(
            SheetTable(
                title=N_("Rows of the chart"),
                rows=N_("Row"),
                row=numbered_rows(N_("Row {n}")),
                columns={"chart.rows[*]": N_("Costs")},
                grows=True,
            ),
            SheetLines(numbers={"chart.fee": N_("Fee for a marker that lies on the chart")}),
            SheetTable(
                title=N_("Costs from which a marker has one, two, three effects"),
                rows=N_("Marker"),
                row=lambda name, shade: say("{name}, {shade}", name=say(GREY[name]), shade=say(SHADES[shade])),
                columns={
                    "thresholds.*.*[0]": N_("One"),
                    "thresholds.*.*[1]": N_("Two"),
                    "thresholds.*.*[2]": N_("Three"),
                },
            ),
            SheetTable(
                title=N_("What a marker reaches"),
                rows=N_("Marker"),
                row=named_rows(SHADES),
                columns={"distribution_cap.*": N_("Distribution at most"), "production_rows.*": N_("Production rows")},
            ),
            SheetTable(
                title=N_("Additional action"),
                rows=N_("Marker"),
                row=named_rows(MARKERS),
                columns={"additional.*": N_("It offers")},
                words={"additional.*": {"price": N_("price adjustment"), "special": N_("special marker")}},
            ),
            SheetTable(
                title=N_("Rows of the special markers mat"),
                rows=N_("Row"),
                row=named_rows(LEVELS),
                columns={"mat.*.shade": N_("Grey markers")},
                words={"mat.*.shade": {"light": SHADES["light"], "dark": SHADES["dark"]}},
            ),
        ),
    ),
    Chapter(
        title=N_("Ships and harbour"),
        parts=(
            SheetTable(
                title=N_("Ships"),
                rows=N_("Capacity"),
                row=as_it_stands,
                columns={
                    "ships.*.copies": N_("Copies"),
                    "ships.*.row": N_("Row of the mat"),
                    "ships.*.crew": N_("Crew"),
                },
                words={"ships.*.row": LEVELS},
            ),
            SheetLines(
                title=N_("Harbour"),
                numbers={
                    "harbour.piers": N_("Piers"),
                    "harbour.rows": N_("Rows of the large warehouse"),
                    "harbour.rise": N_("Spaces that an unfulfilled contract goes up"),
                    "harbour.full_track": N_("Share value spaces back where it cannot"),
                    "harbour.action_spaces": N_("Share value spaces back for a ship action"),
                    "harbour.ship_spaces": N_("Share value spaces back for each ship of a production phase"),
                },
            ),
        ),
    ),
    Chapter(
        title=N_("Timetable"),
        parts=(
            SheetTable(
                title=N_("Timetable"),
                rows=N_("Decade"),
                row=as_it_stands,
                columns={
                    "timetable.*.level": N_("Development level"),
                    "timetable.*.obsolete": N_("Levels that become obsolete"),
                },
                words={"timetable.*.level": LEVELS, "timetable.*.obsolete": LEVELS},
            ),
            SheetLines(
                numbers={
                    "obsolescence.workers": N_("Additional workers of an obsolete factory"),
                    "end.marked_spaces": N_("Share value spaces back for a marked factory"),
                    "end.marked_shares": N_("Shares returned for a marked factory"),
                }
            ),
        ),
    ),
    Chapter(
        title=N_("Development tiles"),
        parts=(
            SheetTable(
                title=N_("Development tiles"),
                rows=N_("Tile"),
                row=named_rows(TILES),
                columns={"tiles.*.name": N_("Name on the tile"), "tiles.*.copies": N_("Copies")},
                adds="tiles",
                another=N_("Another tile"),
                hint=N_(
                    "Name an unknown one after your tile and count its copies. It lies out like the others and has no "
                    "effect in the record."
                ),
            ),
            SheetLines(
                title=N_("What tiles do"),
                numbers={
                    "tiles.inventor.next_use": N_("Inventor: cost of the next uses"),
                    "tiles.accountant.amount": N_("Accountant: more or less, at most"),
                    "tiles.agent.goods": N_("Agent in the colonies: goods more or fewer"),
                    "tiles.broker.shares": N_("Broker: shares at half price"),
                    "tiles.developer.less": N_("Developer: less for a factory"),
                    "tiles.engineer.paid_most": N_("Engineer: highest amount"),
                    "tiles.engineering_works.pays": N_("Engineering works: for each machine"),
                    "tiles.extra_shifts.goods": N_("Extra shifts: goods"),
                    "tiles.foreman.workers": N_("Foreman: workers"),
                    "tiles.foreman.less": N_("Foreman: less wage"),
                    "tiles.foreman.least": N_("Foreman: lowest wage"),
                    "tiles.office.pays": N_("Office: for each shipment"),
                    "tiles.patent.amount": N_("Patent: distribution more"),
                    "tiles.patent.levels": N_("Patent: levels, when returned"),
                    "tiles.small_warehouse.goods": N_("Small warehouse: goods"),
                    "tiles.workshop.machinery": N_("Workshop: machinery costs more"),
                    "tiles.workshop.upkeep": N_("Workshop: upkeep of the factory"),
                },
            ),
            SheetLines(
                title=N_("Tiles laid out"),
                numbers={
                    "tile_rules.spaces": N_("Tile spaces of a player"),
                    "tile_rules.laid_first": N_("Laid out first"),
                    "tile_rules.patrons": N_("Patrons"),
                },
                words={"tile_rules.laid_first": TILES, "tile_rules.patrons": TILES},
            ),
        ),
    ),
    Chapter(
        title=N_("Events"),
        parts=(
            SheetTable(
                title=N_("Event markers"),
                rows=N_("Event"),
                row=named_rows(EVENTS),
                columns={
                    "events.*.name": N_("Name on the marker"),
                    "events.*.two_players": N_("With two players"),
                    "events.*.effect": N_("Effect"),
                    "events.*.amount": N_("How much"),
                    "events.*.per_loan": N_("For each loan"),
                },
                words={"events.*.effect": EVENT_EFFECTS},
                free={"events.*.effect": unwritten},
                adds="events",
                another=N_("Another event"),
                wide=True,
                hint=N_(
                    "Name an unknown one after the marker of your box. What no effect of the list says can be written "
                    "out, or left at nothing and told at the table when the marker is turned over."
                ),
            ),
        ),
    ),
    Chapter(
        title=N_("Economy markers"),
        parts=(
            SheetTable(
                title=N_("Economy markers"),
                rows=N_("Marker"),
                row=numbered_rows(N_("Marker {n}")),
                columns=each("economy.{}[*]", GOODS_WORDS),
                hint=N_("Spaces the importer advances / workers that come back: 1/3."),
            ),
            SheetLines(numbers={"economy.taken_out": N_("Workers on the markers that are taken out")}),
        ),
    ),
    Chapter(
        title=N_("By number of players"),
        parts=(
            SheetTable(
                title=N_("By number of players"),
                rows=N_("Number"),
                row=named_rows(SETUP),
                columns=each("seats.{}.*", PLAYERS),
                wide=True,
            ),
            SheetLines(numbers={"seats.colours": N_("Colours of the players")}, words={"seats.colours": SEATS}),
        ),
    ),
    Chapter(
        title=N_("The predetermined set-up"),
        parts=(
            SheetTable(
                title=N_("Players"),
                rows=N_("Player"),
                row=player,
                columns=each("predetermined.players.*.*.{}", STARTS),
                words={"predetermined.players.*.*.goods": GOODS_WORDS, "predetermined.players.*.*.marker": GREY},
                wide=True,
            ),
            SheetTable(
                title=N_("Player order"),
                rows=N_("Players"),
                row=lambda seats: say(PLAYERS[seats]),
                columns={"predetermined.order.*.colours": N_("Colours, the start player first")},
                words={"predetermined.order.*.colours": SEATS},
            ),
            SheetTable(
                title=N_("Special markers mat"),
                rows=N_("Row"),
                row=named_rows(LEVELS),
                columns=each("predetermined.mat.{}.*", PLAYERS),
                words={"predetermined.mat.*.*": GREY},
                wide=True,
            ),
            SheetTable(
                title=N_("Tiles"),
                rows=N_("Players"),
                row=lambda seats: say(PLAYERS[seats]),
                columns={"predetermined.tiles.*": N_("Tiles laid out")},
                words={"predetermined.tiles.*": TILES},
                hint=N_("Each number of players has the lists up to its own."),
            ),
            SheetLines(
                title=N_("Events"),
                numbers={
                    "predetermined.events.1770": "1770",
                    "predetermined.events.1780": "1780",
                    "predetermined.events.1790": "1790",
                    "predetermined.events.1800": "1800",
                    "predetermined.events.1810": "1810",
                    "predetermined.events.starred": N_("Those that may be shuffled"),
                },
                words={f"predetermined.events.{key}": EVENTS for key in (1770, 1780, 1790, 1800, 1810, "starred")},
            ),
        ),
    ),
    Chapter(
        title=N_("Rulings"),
        hint=N_(
            "Where the text leaves a choice, a table may take the other way. Loans have no limit: beyond the shares of the "
            "bank, something else marks them."
        ),
        parts=(
            SheetLines(
                numbers={
                    "rulings.charisma_beats_importer_tie": N_("Charisma wins a tie with the importer"),
                    "rulings.single_digit_space_penalty": N_("Spaces lost for a share on spaces 1 to 9"),
                    "rulings.bureaucracy_permanent": N_("Bureaucracy lasts to the end"),
                    "rulings.importer_sells_on": N_("The importer sells on when all players have stopped"),
                    "rulings.inventor_keep_by_emergency": N_("The inventor may be kept by an emergency sale"),
                },
                words={
                    "rulings.single_digit_space_penalty": {
                        "one": N_("one"),
                        "none": N_("none"),
                        "digit": N_("the number of the space"),
                    }
                },
            ),
        ),
    ),
    Chapter(
        title=N_("The box"),
        hint=N_(
            "What it holds. No rule reads these numbers. The second edition has 17 events, 51 tiles and 7 action markers a "
            "player, the first one 16, 40 and 6. No source says which tiles and which event the first lacks: set the copies "
            "of each tile and the events to those of your box. The mats of the first are said to have a misprint: read the "
            "tiles, not the mat."
        ),
        parts=(
            SheetLines(
                numbers={
                    "box.machines": N_("Machines"),
                    "box.goods": N_("Goods"),
                    "box.money": N_("Money"),
                    "box.factory_markers": N_("Factory markers of a player"),
                    "box.action_markers": N_("Action markers of a player"),
                    "box.light_markers": N_("Light grey markers"),
                    "box.dark_markers": N_("Dark grey markers"),
                    "box.event_markers": N_("Event markers"),
                    "box.economy_markers": N_("Economy markers"),
                    "box.development_tiles": N_("Development tiles"),
                    "box.ships": N_("Ships"),
                    "box.importer_markers": N_("Importer markers"),
                    "box.appeal_indicators": N_("Appeal indicators of a player"),
                    "box.unused_markers": N_("Markers without a rule"),
                }
            ),
        ),
    ),
)
