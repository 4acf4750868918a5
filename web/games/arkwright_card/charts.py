"""Charts of the Card Game's decisions, one tap each.

A usual action is one tap: the table of actions by goods combines the choice of the action with its first step. Settings
of one step (slot, office, quality) are one tap for each possible price.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product

import msgspec

from daybook.domain.games.arkwright_card import factories, moves, production, storing
from daybook.domain.games.arkwright_card.board import Board, Factory
from daybook.domain.games.arkwright_card.printed import GOODS, SLOTS, Good
from daybook.domain.games.arkwright_card.rules import ARKWRIGHT_CARD
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Decision, IllegalDecision, Seat
from daybook.web.games.arkwright_card import grid
from daybook.web.games.arkwright_card.decisions import DECISIONS
from daybook.web.games.arkwright_card.values import (
    card,
    card_effect,
    card_order,
    good,
    goods,
    pounds,
    roman,
    shares,
    track,
    value,
)
from daybook.web.words.game_words import Chart, ChartCell, Kinds, Lane
from daybook.web.words.say import N_, Names, Texts, of_kind, say, say_n, sentence_for, signed_amount, with_sign

Building = moves.Build | moves.Upgrade | moves.InventorUpgrade
Machines = moves.Rotate | moves.PlaceToken
Setting = moves.SetSlot | moves.SetOffice | moves.SetQuality
ChartRow = tuple[str, str, dict[str, ChartCell | None]]  # heading, note, cells by good


def charts(b: Board, seat: Seat, legal: Sequence[Decision], names: Names) -> Iterator[Chart]:
    """Chart legal decisions. A chart has every decision of its kinds; others keep a button."""
    drawn = DRAWN.get(b.stage)
    if drawn is not None:
        yield from drawn(b, seat, legal)


def board_after(b: Board, seat: Seat, decisions: Iterable[Decision]) -> Board | None:
    """Return the board after several decisions; None if one of them is illegal."""
    for decision in decisions:
        if seat not in ARKWRIGHT_CARD.course.to_act(b):
            return None
        try:
            b, _ = ARKWRIGHT_CARD.play(b, seat, decision)
        except IllegalDecision:
            return None
    return b


# --- step A: the table of actions ------------------------------------------------------------------------------------


def actions(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart every action with its usual first step; the dots open an action step by step."""
    rows: list[ChartRow] = []
    lanes: list[Lane] = []
    opens: list[ChartCell] = []
    for choice in of_kind(legal, moves.ChooseAction):
        begun = board_after(b, seat, [choice])
        if begun is None:
            continue
        steps = ARKWRIGHT_CARD.legal(begun, seat)
        rows += step_rows(begun, seat, steps, [choice])
        lanes += amount_lanes(begun, seat, steps, [choice])
        if choice.action not in WHOLLY_SHOWN:
            opens.append(ChartCell(label=say(IN_STEPS[choice.action]), adds=[choice]))
    yield from goods_table(say("One action"), rows, (moves.ChooseAction, moves.PassAction))
    opens += [ChartCell(label=say("no action"), adds=[d]) for d in of_kind(legal, moves.PassAction)]
    lanes.append(Lane(heading=say("Step by step, or no action"), cells=opens, words=True, folded=bool(rows)))
    yield Chart(heading="", lanes=lanes, kinds=(moves.ChooseAction, moves.PassAction))


IN_STEPS: Texts = {
    "quality": "quality, card by card",
    "distribution": "distribution, card by card",
    "build": "build or upgrade",
    "automate": "machinery, step by step",
    "extra_production": "extra production",
    "early_shipping": "early shipping",
}
WHOLLY_SHOWN = frozenset({"employ", "stock"})  # actions with every first step on the chart


def goods_table(heading: str, rows: Sequence[ChartRow], kinds: Kinds) -> Iterator[Chart]:
    """Yield a chart of rows by goods, without goods that have no cell."""
    shown = [name for name in GOODS if any((cell := cells.get(name)) and cell.adds for _, _, cells in rows)]
    if shown:
        yield Chart(
            heading=heading,
            columns=[good(name) for name in shown],
            kinds=kinds,
            lanes=[
                Lane(heading=title, note=note, cells=[cells.get(name) for name in shown]) for title, note, cells in rows
            ],
        )


def step_rows(b: Board, seat: Seat, steps: Sequence[Decision], first: Sequence[Decision]) -> list[ChartRow]:
    """Build the chart rows for the next steps of an action, such as building or employing.

    Args:
        first: decisions before them.
    """
    match b.stage:
        case "build":
            return building(b, seat, steps, first)
        case "employ":
            return employing(b, seat, steps, first)
        case "automate":
            return automating(b, seat, steps, first)
        case "quality" | "distribution":
            return adding(b, seat, first)
        case "extra_production":
            return producing(b, seat, steps, first)
        case "early_shipping":
            return shipping_early(b, seat, steps, first)
    return []


def add_closed_cells(
    cells: dict[str, ChartCell | None], would: Callable[[Good], Decision], first: Sequence[Decision]
) -> dict[str, ChartCell | None]:
    """Return a row with a cell for each good.

    Args:
        would: the decision that a disabled cell would make, for the reason.
    """
    return {name: cells.get(name) or ChartCell(label="", closed=would(name), first=first) for name in GOODS}


def one_step(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart the next steps of the open action."""
    kinds = SHOWN.get(b.stage, ())
    yield from goods_table(say("More in this action"), step_rows(b, seat, legal, []), kinds)


SHOWN: Mapping[str, Kinds] = {
    "build": (moves.Build, moves.Upgrade, moves.InventorUpgrade),
    "employ": (moves.Employ,),
    "automate": (moves.Rotate, moves.PlaceToken),
    "extra_production": (moves.ExtraProduce,),
    "early_shipping": (moves.ShipStored,),
}


def building(b: Board, seat: Seat, steps: Sequence[Decision], first: Sequence[Decision]) -> list[ChartRow]:
    """Return rows for factories to build or upgrade, with their side and output."""
    rows: list[ChartRow] = []
    titles: dict[type[Building], str] = {
        moves.Build: say("Build"),
        moves.Upgrade: say("Upgrade"),
        moves.InventorUpgrade: say("By the Inventor"),
    }
    for kind, title in titles.items():
        cells: dict[str, ChartCell | None] = {}
        for d in of_kind(steps, kind):
            later = board_after(b, seat, [d])
            if later is not None:
                cells[d.good] = ChartCell(
                    label=roman(later.players[seat].factory(d.good).side),
                    adds=[*first, d],
                    note=output(b, later, seat, d.good),
                )
        if cells:
            rows.append((title, say("side, goods made"), add_closed_cells(cells, kind, first)))
    return rows


def output(b: Board, later: Board, seat: Seat, good: str) -> str:
    """Describe what a factory makes now, and what it will make."""
    factory = b.players[seat].factories[good]
    more = factories.production(later, good, later.players[seat].factory(good))
    if factory is None:
        return str(more)
    return say("{before} → {after}", before=factories.production(b, good, factory), after=more)


def employing(b: Board, seat: Seat, steps: Sequence[Decision], first: Sequence[Decision]) -> list[ChartRow]:
    """Return rows for the next worker card of each factory, and for both at once if there is none yet."""
    single: dict[str, ChartCell | None] = {}
    both: dict[str, ChartCell | None] = {}
    for d in of_kind(steps, moves.Employ):
        of = d.good
        count = b.printed.workers[d.position].workers[of]
        later = board_after(b, seat, [d])
        if later is not None:
            single[of] = ChartCell(label=with_sign(count), adds=[*first, d], note=output(b, later, seat, of))
        second = msgspec.structs.replace(d, position=d.position + 1)
        later = board_after(b, seat, [d, second]) if second.position in b.printed.workers else None
        if later is not None:
            both[of] = ChartCell(
                label=with_sign(count + b.printed.workers[second.position].workers[of]),
                adds=[*first, d, second],
                note=output(b, later, seat, of),
                aloud=say("Employ workers: {good}, both positions", good=good(of)),
            )
    player = b.players[seat]

    def next_card(good: Good) -> moves.Employ:
        factory = player.factories[good]
        return moves.Employ(good, 1 if factory is None else min(len(factory.workers) + 1, max(b.printed.workers)))

    rows: list[ChartRow] = (
        [(say("Employ"), say("goods made"), add_closed_cells(single, next_card, first))] if single else []
    )
    if both:
        rows.append(
            (say("Employ both"), say("goods made"), add_closed_cells(both, lambda name: moves.Employ(name, 1), first))
        )
    return rows


def automating(b: Board, seat: Seat, steps: Sequence[Decision], first: Sequence[Decision]) -> list[ChartRow]:
    """Return rows for worker cards to rotate, and places for the machine token."""
    rows: list[ChartRow] = []
    titles: dict[type[Machines], str] = {moves.Rotate: say("Machines"), moves.PlaceToken: say("Machine token")}
    for kind, title in titles.items():
        for position in b.printed.workers:
            cells: dict[str, ChartCell | None] = {}
            for d in of_kind(steps, kind):
                if d.position == position:
                    cells[d.good] = machine_cell(b, seat, d, first)
            if cells and (kind is moves.Rotate or not first):
                rows.append(
                    (
                        title,
                        say("position {n}, production cost", n=position),
                        add_closed_cells(cells, partial(kind, position=position), first),
                    )
                )
    return rows


def machine_cell(b: Board, seat: Seat, d: Machines, first: Sequence[Decision]) -> ChartCell:
    player = b.players[seat]
    worker_card = player.factory(d.good).workers[d.position - 1]
    count = (
        1
        if not isinstance(d, moves.Rotate)
        else (factories.machine_capacity(b, d.good, d.position) - worker_card.machines)
    )
    later = board_after(b, seat, [d])
    saved = 0 if later is None else cost_of(later, seat, d.good) - cost_of(b, seat, d.good)
    return ChartCell(label=with_sign(count), adds=[*first, d], note=cost_change(saved))


def cost_change(difference: int) -> str:
    """Describe the change in production cost: £2 less."""
    if not difference:
        return say("costs the same")
    return (
        say("{amount} less", amount=pounds(-difference))
        if difference < 0
        else say("{amount} more", amount=pounds(difference))
    )


def signed_pounds(n: int) -> str:
    return signed_amount("+", pounds(n)) if n > 0 else pounds(n)


def cost_of(b: Board, seat: Seat, good: str) -> int:
    player = b.players[seat]
    factory = player.factory(good)
    return factories.cost(b, player, good, factory, len(factory.workers)).amount


# --- quality and distribution ----------------------------------------------------------------------------------------


def adding(b: Board, seat: Seat, first: Sequence[Decision]) -> list[ChartRow]:
    """Return rows for adding points to a factory with the fewest steps."""
    player, kind = b.players[seat], b.stage
    rows: dict[int, dict[str, ChartCell | None]] = {}
    for name, factory in player.open():
        before = factory.quality_value if kind == "quality" else factory.distribution_value
        for more in range(1, b.turn.allowance + 1):
            steps = fewest_steps(b, seat, name, before + more)
            if steps:
                rows.setdefault(more, {})[name] = ChartCell(
                    label=str(before + more),
                    adds=[*first, *steps],
                    note=say("from {n}", n=before) if before else "",
                    aloud=points_aloud(kind, name, before + more),
                )
    text = N_("Quality {by}" if kind == "quality" else "Distribution {by}")
    return [
        (
            say(text, by=with_sign(more)),
            say("new total"),
            {name: cells.get(name) or closed_points(b, seat, name, more) for name in GOODS},
        )
        for more, cells in sorted(rows.items())
    ]


def closed_points(b: Board, seat: Seat, counter: Good, more: int) -> ChartCell:
    """Build a disabled cell for points, with the reason."""
    factory, kind = b.players[seat].factories[counter], b.stage
    if factory is None:
        return ChartCell(label="", why=say("the {good} factory is not open", good=good(counter)), aloud=good(counter))
    before = factory.quality_value if kind == "quality" else factory.distribution_value
    return ChartCell(
        label="",
        aloud=points_aloud(kind, counter, before + more),
        why=say("the cards next to it and in the reserve cannot make {n}", n=before + more),
    )


def points_aloud(kind: str, counter: str, total: int) -> str:
    return (
        say("Quality of {good} to {n}", good=good(counter), n=total)
        if kind == "quality"
        else say("Distribution of {good} to {n}", good=good(counter), n=total)
    )


def fewest_steps(b: Board, seat: Seat, good: Good, total: int) -> list[Decision]:
    """Return the fewest steps that bring a factory to this total; empty if impossible."""
    player, kind = b.players[seat], b.stage
    factory, numbers = player.factory(good), b.printed.quality if kind == "quality" else b.printed.distribution
    lying = (
        {name: lies.value for name, lies in factory.quality.items()}
        if kind == "quality"
        else ({factory.distribution.card: factory.distribution.value} if factory.distribution is not None else {})
    )
    names = [name for name in numbers if player.has(name) and player.where(name) in (good, None)]
    found: list[list[Decision]] = []
    for values in product(*((0, *numbers[name]) for name in names)):
        wanted = dict(zip(names, values, strict=True))
        if sum(values) == total and (kind == "quality" or sum(n > 0 for n in values) == 1):
            found.append(steps_to(lying, wanted, good, factory))
    for steps in sorted(found, key=len):
        if steps and board_after(b, seat, steps) is not None:
            return steps
    return []


def steps_to(lying: dict[str, int], wanted: dict[str, int], good: Good, factory: Factory) -> list[Decision]:
    """Return steps in a legal order: removals, then decreases, then increases."""
    steps: list[tuple[int, Decision]] = []
    for name, n in wanted.items():
        before = lying.get(name, 0)
        if before and not n:
            steps.append((-10, moves.Lift(name)))
        elif n and not before:
            steps.append((n, moves.Place(name, good, n, None if name.startswith("D") else "appeal")))
        elif n != before:
            steps.append(
                (n - before, moves.SetCard(name, n, None if name.startswith("D") else factory.quality[name].mode))
            )
    return [step for _, step in sorted(steps, key=lambda item: item[0])]


# --- the stock exchange ----------------------------------------------------------------------------------------------


def amount_lanes(b: Board, seat: Seat, steps: Sequence[Decision], first: Sequence[Decision]) -> list[Lane]:
    """Return lanes for several shares, loans or ships at once."""
    lanes = [
        lane
        for lane in (
            Lane(heading=say("Buy shares"), cells=repeated_decisions(b, seat, steps, first, moves.BuyShare, 8)),
            Lane(
                heading=say("Bank loans"),
                note=say("each takes 1 share at the end"),
                cells=repeated_decisions(b, seat, steps, first, moves.TakeLoan, 4),
            ),
            Lane(
                heading=say("Ships"),
                cells=[
                    ChartCell(label=say("regain"), adds=[*first, d], note=say("{n} ready", n=b.printed.rules_ships))
                    for d in of_kind(steps, moves.RegainShips)
                ],
                words=True,
            ),
        )
        if lane.cells
    ]
    return lanes if b.stage in ("buy_shares", "take_loans", "regain_ships") else []


def repeated_decisions(
    b: Board,
    seat: Seat,
    steps: Sequence[Decision],
    first: Sequence[Decision],
    kind: type[moves.BuyShare | moves.TakeLoan],
    limit: int,
) -> list[ChartCell]:
    """Yield up to `limit` repetitions of a decision; more can follow."""
    cells: list[ChartCell] = []
    decisions: list[Decision] = [*of_kind(steps, kind)[:1]]
    later = board_after(b, seat, decisions) if decisions else None
    while later is not None and len(decisions) <= limit:
        amount = abs(later.players[seat].money - b.players[seat].money)
        cells.append(
            ChartCell(
                label=str(len(decisions)),
                adds=[*first, *decisions],
                note=pounds(-amount if kind is moves.BuyShare else amount),
                aloud=many(kind, len(decisions)),
            )
        )
        decisions = [*decisions, kind()]
        later = board_after(later, seat, [kind()])
    return cells


def many(kind: type[moves.BuyShare | moves.TakeLoan], n: int) -> str:
    return (
        say("Buy {shares}", shares=shares(n))
        if kind is moves.BuyShare
        else say_n("Take {n} bank loan", "Take {n} bank loans", n)
    )


def exchange(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    lanes = amount_lanes(b, seat, legal, [])
    if lanes:
        yield Chart(
            heading=say("Stock exchange"), lanes=lanes, kinds=(moves.BuyShare, moves.TakeLoan, moves.RegainShips)
        )


# --- extra production and early shipping -----------------------------------------------------------------------------


def producing(b: Board, seat: Seat, steps: Sequence[Decision], first: Sequence[Decision]) -> list[ChartRow]:
    """Return rows for numbers of working cards, with output and cost."""
    rows: dict[int, dict[str, ChartCell | None]] = {}
    player = b.players[seat]
    for d in of_kind(steps, moves.ExtraProduce):
        factory = player.factory(d.good)
        made = b.tile(d.good, factory).goods + sum(factories.goods_of_cards(b, factory)[: d.cards])
        paid = factories.cost(b, player, d.good, factory, d.cards).amount
        rows.setdefault(d.cards, {})[d.good] = ChartCell(label=with_sign(made), adds=[*first, d], note=pounds(-paid))
    return [
        (
            say("Produce now"),
            say_n("{n} worker card", "{n} worker cards", count),
            add_closed_cells(cells, partial(moves.ExtraProduce, cards=count), first),
        )
        for count, cells in sorted(rows.items())
    ]


def shipping_early(b: Board, seat: Seat, steps: Sequence[Decision], first: Sequence[Decision]) -> list[ChartRow]:
    rows: dict[int, dict[str, ChartCell | None]] = {}
    for d in of_kind(steps, moves.ShipStored):
        each = b.tile(d.good, b.players[seat].factory(d.good)).shipping_price
        rows.setdefault(d.count, {})[d.good] = ChartCell(
            label=str(d.count), adds=[*first, d], note=signed_pounds(each * d.count)
        )
    return [
        (say("Ship stored goods"), "", add_closed_cells(cells, partial(moves.ShipStored, count=count), first))
        for count, cells in sorted(rows.items())
    ]


# --- step B: price and appeal ----------------------------------------------------------------------------------------


def prices(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart each reachable price with its appeal, by the fewest changes."""
    now = b.players[seat].factory(b.active)
    best: dict[int, list[Setting]] = {}
    for steps in sorted(combine_settings(legal, now), key=len):
        factory = with_settings(now, steps)
        best.setdefault(factories.goods_price(b, b.active, factory), steps)
    total = factories.goods_price(b, b.active, now) + factories.appeal(b, b.active, now)
    cells = {
        price: ChartCell(
            label=pounds(price),
            adds=steps or [moves.ConfirmPrice()],
            note=price_note(total - price, not steps, sales_note(b, seat, steps, price)),
            aloud=say("Price {price}", price=pounds(price)),
        )
        for price, steps in best.items()
    }
    for slot in map(moves.SetSlot, SLOTS):  # prices that an earlier choice of this turn rules out
        price = factories.goods_price(b, b.active, with_settings(now, [slot]))
        cells.setdefault(price, ChartCell(label=pounds(price), closed=slot))
    yield Chart(
        heading=say(
            "Price of {good}, with its appeal: marker on {n}, demand {demand}",
            good=good(b.active),
            n=now.appeal,
            demand=b.demand_value(b.active),
        ),
        kinds=SETTINGS,
        lanes=[
            Lane(
                heading="",
                cells=[cells[price] for price in sorted(cells, reverse=True)],
                replaces=lambda d: isinstance(d, SETTINGS),
            ),
            *settings_lanes(legal),
        ],
    )


SETTINGS = (moves.SetSlot, moves.SetOffice, moves.SetQuality)


def settings_lanes(legal: Sequence[Decision]) -> list[Lane]:
    """Return lanes for single settings."""
    cells = [
        ChartCell(label=sentence_for(d, DECISIONS.sentences, value, ()), adds=[d])
        for d in legal
        if isinstance(d, Setting)
    ]
    return [Lane(heading=say("Or one by one"), cells=cells, words=True)] if cells else []


def price_note(appeal: int, stays: bool, sales: str) -> str:
    note = say("appeal {n}, as it is", n=appeal) if stays else say("appeal {n}", n=appeal)
    return f"{note}; {sales}" if sales else note


def sales_note(b: Board, seat: Seat, steps: Sequence[Setting], price: int) -> str:
    """Describe what the factory would sell at home if no other player changed the market: "sells 2: £10"."""
    later = board_after(b, seat, steps)
    if later is not None and later.stage == "price":
        later = board_after(later, seat, [moves.ConfirmPrice()])
    if later is None or later.phase != "action":
        return ""
    factory = later.players[seat].factory(b.active)
    sold = min(factories.production(later, b.active, factory), production.most_at_home(later, factory, 0))
    return say("sells {n} now: {amount}", n=sold, amount=pounds(sold * price)) if sold else say("sells nothing now")


def combine_settings(legal: Sequence[Decision], factory: Factory) -> Iterator[list[Setting]]:
    """Yield every combination of the settings that are still possible, including none."""
    parts: dict[str, list[Setting | None]] = {}
    for d in legal:
        if isinstance(d, Setting):
            parts.setdefault(d.card if isinstance(d, moves.SetQuality) else tag_of(type(d)), [None]).append(d)
    for chosen in product(*parts.values()):
        yield [d for d in chosen if d is not None]


def with_settings(factory: Factory, steps: Sequence[Setting]) -> Factory:
    """Return the factory with its slot, office and quality cards set."""
    quality = dict(factory.quality)
    slot, office = factory.slot, factory.office
    for d in steps:
        match d:
            case moves.SetSlot():
                slot = d.slot
            case moves.SetOffice():
                office = d.mode
            case moves.SetQuality():
                quality[d.card] = msgspec.structs.replace(quality[d.card], mode=d.mode)
    return msgspec.structs.replace(factory, slot=slot, office=office, quality=quality)


# --- step C: one development -----------------------------------------------------------------------------------------


def developments(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    player = b.players[seat]
    board = [
        ChartCell(
            label=track(d.track),
            adds=[d],
            note=say(
                "{before} → {after}",
                before=b.level(player, d.track),
                after=b.printed.tracks[d.track].levels[player.levels[d.track] + 1],
            ),
        )
        for d in of_kind(legal, moves.TakeDevelopment)
    ]
    cards = [
        ChartCell(
            label=card(d.card),
            adds=[d],
            note="; ".join(
                filter(
                    None,
                    (
                        card_effect(b.printed, d.card),
                        say("{n} left", n=b.supply[d.card]) if b.supply[d.card] > 1 else "",
                    ),
                )
            ),
        )
        for d in sorted(of_kind(legal, moves.TakeCard), key=lambda d: card_order(d.card))
        if b.solo is None
    ]
    none = [ChartCell(label=say("no development"), adds=[d]) for d in of_kind(legal, moves.SkipDevelopment)]
    yield Chart(
        heading=say("One development"),
        kinds=(moves.TakeDevelopment, moves.TakeCard, moves.SkipDevelopment),
        lanes=[
            Lane(heading=title, cells=cells, words=True)
            for title, cells in ((say("On your board"), board), (say("A card"), cards), ("", none))
            if cells
        ],
    )
    yield from grid.grid(b, of_kind(legal, moves.TakeCard))


# --- the production phase --------------------------------------------------------------------------------------------


def shipments(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart numbers of goods for the ships, with their revenue."""
    player = b.players[seat]
    each, size = b.tile(b.active, player.factory(b.active)).shipping_price, b.level(player, "ship")
    contract = b.printed.cards_contract_pays if "contract" in player.cards else ()
    cells: dict[bool, list[ChartCell]] = {False: [], True: []}
    for d in of_kind(legal, moves.Ship):
        n, customs = d.count, d.customs
        bonus = contract[min(n, len(contract)) - 1] if contract and n else 0
        cells[customs].append(
            ChartCell(
                label=str(n),
                adds=[d],
                note=say(
                    "{amount}, {ships}",
                    amount=signed_pounds(n * each + bonus),
                    ships=say_n("{n} ship", "{n} ships", -(-n // size)),
                )
                if n
                else say("ship nothing"),
            )
        )
    yield Chart(
        heading=say("Ship {good}", good=good(b.active)),
        kinds=(moves.Ship,),
        lanes=[
            Lane(heading=title, cells=some)
            for title, some in (
                ("", cells[False]),
                (say("With Customs Office (2), one shipping token fewer"), cells[True]),
            )
            if some
        ],
    )


def home_sales(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart numbers of stored goods for the home market, with their revenue."""
    each = factories.goods_price(b, b.active, b.players[seat].factory(b.active))
    yield Chart(
        heading=say("Stored {good} for the home market at {price}", good=good(b.active), price=pounds(each)),
        kinds=(moves.SellHome,),
        lanes=[
            Lane(
                heading="",
                cells=[
                    ChartCell(
                        label=str(d.count),
                        adds=[d],
                        note=signed_pounds(d.count * each) if d.count else say("keep them"),
                    )
                    for d in of_kind(legal, moves.SellHome)
                ],
            )
        ],
    )


# --- storehouses -----------------------------------------------------------------------------------------------------


def storehouses(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart the storehouses that can be added, each with the goods that are then stored and thrown away.

    Storehouses that were added keep their places, so that the others do not move.
    """
    assignments = of_kind(legal, moves.AssignStorehouse)
    if not assignments and b.stage != "store":
        return
    player, counter = b.players[seat], storing.at_work(b)
    there = player.factory(counter).storehouses
    offered = {d.card: d for d in assignments}
    cells = [
        storehouse_cell(b, seat, offered[name])
        if name in offered
        else ChartCell(label=card(name), closed=moves.AssignStorehouse(name))
        for name in b.printed.storehouses
        if name in offered or name in there
    ]
    ends = of_kind(legal, moves.EndProduction)
    label = storing_label(b, seat, there)
    cells += [ChartCell(label=label, adds=[d], note=packing_note(b, seat, there), aloud=label) for d in ends]
    yield Chart(
        heading="" if ends else say("{goods} left over", goods=goods(storing.goods_to_pack(b, seat), counter)),
        kinds=(moves.AssignStorehouse, moves.EndProduction) if ends else (moves.AssignStorehouse,),
        lanes=[Lane(heading="", cells=cells, words=True)],
    )


def storehouse_cell(b: Board, seat: Seat, d: moves.AssignStorehouse) -> ChartCell:
    """Build the cell of a storehouse; one that holds goods of another factory is confirmed first."""
    player = b.players[seat]
    origin = player.where(d.card)
    result = packing_note(b, seat, [*player.factory(storing.at_work(b)).storehouses, d.card])
    name = card(d.card)
    if origin is None:
        label = say("Add {card}", card=name)
        return ChartCell(label=label, adds=[d], note=result, aloud=label)
    lost = player.factory(origin).storehouses[d.card]
    label = say("Move {card} here from {good}", card=name, good=good(origin))
    return ChartCell(
        label=label,
        adds=[d],
        note=say("{result}; throws away {goods} stored in it", result=result, goods=goods(lost, origin)),
        aloud=label,
        confirm=bool(lost),
    )


def storing_label(b: Board, seat: Seat, cards: Collection[str]) -> str:
    """Label the answer that adds no storehouse: it stores all goods, some or none."""
    stored = sum(b.printed.storehouses[card] for card in cards)
    if stored >= storing.goods_to_pack(b, seat):
        return say("Done")
    return say("Add none") if stored else say("Throw away")


def packing_note(b: Board, seat: Seat, cards: Collection[str]) -> str:
    """Describe how many of the goods these storehouses hold: "2 stored, 1 thrown away"."""
    left, counter = storing.goods_to_pack(b, seat), storing.at_work(b)
    stored = min(left, sum(b.printed.storehouses[card] for card in cards))
    if stored == left:
        return say("stores {goods}", goods=goods(stored, counter))
    if not stored:
        return say("throws away {goods}", goods=goods(left, counter))
    return say("stores {goods}, throws away {n}", goods=goods(stored, counter), n=left - stored)


def extra_production(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    yield from one_step(b, seat, legal)
    yield from storehouses(b, seat, legal)


DRAWN = {
    "action": actions,
    "build": one_step,
    "employ": one_step,
    "automate": one_step,
    "quality": one_step,
    "distribution": one_step,
    "extra_production": extra_production,
    "early_shipping": one_step,
    "buy_shares": exchange,
    "take_loans": exchange,
    "regain_ships": exchange,
    "price": prices,
    "development": developments,
    "take_card": developments,
    "start_development": grid.start,
    "ship": shipments,
    "sell": home_sales,
    "store": storehouses,
}


# --- what a decision brings ------------------------------------------------------------------------------------------


def note(before: Board, later: Board, seat: Seat, decision: Decision) -> str:
    """Describe the effect of a decision on the seat: "£6 less, 11 shares"."""
    was, now = before.players[seat], later.players[seat]
    parts = [signed_pounds(now.money - was.money)] if now.money != was.money else []
    if now.shares != was.shares:
        parts.append(shares(now.shares))
    return ", ".join(parts)


def unused(b: Board, seat: Seat) -> str:
    """Describe what the action still allows, where countable: 2 machines unused."""
    left = b.turn.allowance
    if b.stage == "automate":
        return say_n("{n} machine unused", "{n} machines unused", left)
    if b.stage in ("quality", "distribution"):
        return say_n("{n} point unused", "{n} points unused", left)
    return ""
