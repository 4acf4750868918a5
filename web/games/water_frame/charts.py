"""The decisions of Arkwright: Water Frame as they lie on the table: markers and workers on rows, prices on scales."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from daybook.domain.games.water_frame import bank, inventor, moves, people, storage
from daybook.domain.games.water_frame.appeal import patent, usable_cost
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.machinery import machines_allowed, thresholds_reached
from daybook.domain.games.water_frame.printed import GOODS, PRODUCTION_ROWS, Good, name_of
from daybook.domain.games.water_frame.production import output
from daybook.domain.games.water_frame.setup import tiles_in_play
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Decision, Effect, Seat
from daybook.web.games.water_frame.values import good, goods, level, marker, pounds
from daybook.web.words.game_words import Chart, ChartCell, LaidOut, Lane
from daybook.web.words.say import N_, Names, of_kind, say, say_n, signed_amount, with_sign


def charts(b: Board, seat: Seat, legal: Sequence[Decision], names: Names) -> Iterator[Chart]:
    """Chart legal decisions. A chart has every decision of its kinds; others keep a button."""
    kinds = {type(decision) for decision in legal}
    for kind, draw in DRAWN.items():
        if kind in kinds:
            yield from draw(b, seat, legal)


def row_label(row: int) -> str:
    return say("Row {n}", n=row)


# --- the table's facts -----------------------------------------------------------------------------------------------


def economy(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart the numbers on the economy marker: a lane for each advance of the importer, a button for its workers."""
    some = of_kind(legal, moves.RevealEconomy)
    yield Chart(
        heading=say("Turn it over. The importer of {good} is on space {n}.", good=good(b.good), n=b.importers[b.good]),
        kinds=(moves.RevealEconomy,),
        lanes=[
            Lane(
                heading=say_n("The importer goes on {n} space", "The importer moves {n} spaces", advance)
                if advance
                else say("The importer does not move"),
                cells=[
                    ChartCell(label=say_n("{n} worker comes back", "{n} workers come back", d.workers), adds=[d])
                    for d in some
                    if d.importer == advance
                ],
                words=True,
            )
            for advance in sorted({d.importer for d in some})
        ],
    )


# --- the preparation round -------------------------------------------------------------------------------------------


def foundations(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    lanes = []
    for name in GOODS:
        quality = b.printed.cost(name, 1)
        cells = [
            ChartCell(label=pounds(d.price), adds=[d], note=appeal_note(quality - d.price))
            for d in of_kind(legal, moves.Found)
            if d.good == name
        ]
        if cells:
            lanes.append(Lane(heading=good(name), note=say("costs {cost}", cost=pounds(quality)), cells=cells))
    yield Chart(heading=say("Price, and its appeal"), lanes=lanes, kinds=(moves.Found,))


def capital(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    each = b.printed.shares_setup_price
    bill = sum(b.base_quality(seat, name) for name in b.players[seat].standing)
    yield Chart(
        heading=say("Shares to sell, and the cash left after paying {bill}", bill=pounds(bill)),
        kinds=(moves.SellShares,),
        lanes=[
            Lane(
                heading="",
                cells=[
                    ChartCell(label=str(d.count), adds=[d], note=pounds(d.count * each - bill))
                    for d in of_kind(legal, moves.SellShares)
                ],
            )
        ],
    )


# --- a marker on a row -----------------------------------------------------------------------------------------------


def administration(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart free markers by rows of the administration chart, then markers that are there already and cost a fee."""
    placed, reused = of_kind(legal, moves.Place), of_kind(legal, moves.Reuse)
    rows = b.printed.chart_rows
    lanes = []
    for marker_name in dict.fromkeys(d.marker for d in placed):
        by_row = {row: [d for d in placed if (d.marker, d.row) == (marker_name, row)] for row in rows}
        cells = [
            place_cell(b, seat, here, row) if here else ChartCell(label="", closed=moves.Place(marker_name, row, row))
            for row, here in by_row.items()
        ]
        lanes.append(Lane(heading=marker(marker_name), cells=cells))
    if lanes:
        yield Chart(
            heading=say(
                "Tap what to pay. Small figures: machines or quality levels it allows, or what it pays for distribution."
            ),
            columns=[pounds(row) for row in rows],
            kinds=(moves.Place,),
            lanes=lanes,
        )
    if reused:
        row_of = {name: int(row) for row, name in b.players[seat].chart.items() if name}
        by_marker = {name: [d for d in reused if d.marker == name] for name in dict.fromkeys(d.marker for d in reused)}
        yield Chart(
            heading=say("Use a marker again"),
            kinds=(moves.Reuse,),
            lanes=[
                Lane(
                    heading="",
                    cells=[reuse_cell(b, seat, some, row_of[name]) for name, some in by_marker.items()],
                    words=True,
                )
            ],
        )


def place_cell(b: Board, seat: Seat, placements: Sequence[moves.Place], row: int) -> ChartCell:
    """Build the cell of a free row; if several amounts are possible, it asks for one."""
    first = placements[0]
    if len(placements) > 1:
        return ChartCell(
            label=say("{amount}…", amount=pounds(row)),
            kind=moves.Place,
            chosen={"marker": first.marker, "row": row},
            note=reach(b, seat, first),
            aloud=say("{marker} on the £{row} row", marker=marker(first.marker), row=row),
        )
    return ChartCell(label=pounds(first.paid), adds=[first], note=reach(b, seat, first))


def reuse_cell(b: Board, seat: Seat, some: Sequence[moves.Reuse], row: int) -> ChartCell:
    """Build the cell of a marker that can be used again."""
    fee = 0 if b.players[seat].owns("administrator") else b.printed.chart_fee
    usual = next((d for d in some if d.paid == row), some[0])
    label = marker(usual.marker)
    if len(some) > 1:
        return ChartCell(
            label=label,
            kind=moves.Reuse,
            chosen={"marker": usual.marker},
            note=reuse_sum(say("{amount}…", amount=pounds(row + fee)), row, fee),
            aloud=say("Use {marker} again", marker=label),
        )
    return ChartCell(
        label=label,
        adds=[usual],
        note=reuse_sum(pounds(usual.paid + fee), usual.paid, fee),
        aloud=say("Use {marker} again for {amount}", marker=label, amount=pounds(usual.paid + fee)),
    )


def reuse_sum(total: str, paid: int, fee: int) -> str:
    """Describe the price of a marker that is already in the row: "£4: £2 + £2 fee"."""
    price = say("{paid} + {fee} fee", paid=pounds(paid), fee=pounds(fee)) if fee else say("no fee")
    return say("{total}: {price}", total=total, price=price)


def reach(b: Board, seat: Seat, d: moves.Place) -> str:
    """Describe how far a marker gets for the amount paid: +2, £4."""
    name = d.marker.partition(":")[0]
    if name in ("machinery", "quality"):
        bonus = b.printed.tiles_workshop_machinery if name == "machinery" and b.players[seat].owns("workshop") else 0
        uses = thresholds_reached(b.printed.thresholds[d.marker], d.paid + bonus)
        return with_sign(uses) if uses else say("nothing")
    if name == "distribution":
        return say("uses {amount}", amount=pounds(min(d.paid, b.printed.distribution_cap[d.marker]) + patent(b, seat)))
    return ""


# --- main actions ----------------------------------------------------------------------------------------------------


def buildings(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart new factories of the best level at every price; lower levels and the developer have buttons.

    A factory built this turn keeps its line, where another price can replace the first.
    """
    some = of_kind(legal, moves.Build)
    built = [name for name in b.players[seat].standing if name in b.turn.built]
    lanes = []
    for name in GOODS:
        levels = [d.level for d in some if d.good == name]
        if not levels and name not in built:
            continue
        best = max(levels) if levels else b.factory(seat, name).level
        quality = b.printed.cost(name, best)
        lanes.append(
            Lane(
                heading=say("{good} {level}", good=good(name), level=level(best)),
                note=pounds(quality),
                replaces=partial(builds, name),
                cells=[
                    ChartCell(label=pounds(d.price), adds=[d], note=appeal_note(quality - d.price))
                    for d in some
                    if (d.good, d.level, d.developer) == (name, best, False)
                ],
            )
        )
    shown = sum(len(lane.cells) for lane in lanes)
    yield Chart(heading=say("Build, at this price"), lanes=lanes, kinds=(moves.Build,) if shown == len(some) else ())


def builds(name: str, d: Decision) -> bool:
    return isinstance(d, moves.Build) and d.good == name


def hires(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart rows to fill with the missing workers; single workers have buttons."""
    there = people.hireable(b)
    open_rows: dict[tuple[str, int], moves.Hire] = {(d.good, d.row): d for d in of_kind(legal, moves.Hire)}
    lanes = []
    for name in b.players[seat].standing:
        cells: list[ChartCell | None] = []
        for row in PRODUCTION_ROWS:
            decision = open_rows.get((name, row))
            missing = min(lacking(b, seat, name, row), there)
            cells.append(
                ChartCell(label="", closed=moves.Hire(name, row))
                if decision is None
                else ChartCell(
                    label=with_sign(missing),
                    adds=[decision] * missing,
                    note=row_note(b, seat, name, row),
                    aloud=say_n(
                        "{good}, row {row}: {n} worker",
                        "{good}, row {row}: {n} workers",
                        missing,
                        good=good(name),
                        row=row,
                    ),
                )
            )
        lanes.append(Lane(heading=good(name), cells=cells))
    alone = all(lacking(b, seat, name, row) == 1 for name, row in open_rows)
    yield Chart(
        heading=say("Workers who fill a row, and what the row then makes"),
        columns=[row_label(row) for row in PRODUCTION_ROWS],
        lanes=lanes,
        kinds=(moves.Hire,) if alone else (),
    )


def lacking(b: Board, seat: Seat, good: str, row: int) -> int:
    factory = b.factory(seat, good)
    return b.printed.row(good, row).spaces - factory.workers[row - 1] - factory.machines[row - 1]


def row_note(b: Board, seat: Seat, good: str, row: int) -> str:
    """Describe what the row makes when complete."""
    return say("makes {n}", n=b.printed.row_output(good, b.factory(seat, good).level, row))


def warehouse(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Yield the chart of places for a new warehouse worker."""
    slots = b.players[seat].slots
    yield Chart(
        heading=say(
            "A warehouse worker: room for {n} of one good, or a row with room for 1 more of each",
            n=b.printed.harbour_rows,
        ),
        kinds=(moves.HireWarehouse,),
        lanes=[
            Lane(
                heading="",
                cells=[
                    ChartCell(
                        label=say("a row") if d.slot == "row" else good(d.slot),
                        adds=[d],
                        note=say("{n} so far", n=slots["row"]) if d.slot == "row" else "",
                    )
                    for d in of_kind(legal, moves.HireWarehouse)
                ],
            )
        ],
    )


def machinery(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    left = machines_allowed(b, seat) - b.turn.steps
    yield in_rows(b, seat, say("Machines, {n} left (workers + machines now)", n=left), of_kind(legal, moves.Install))


def relocations(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    heading = say("The worker moves to (workers + machines now)")
    yield in_rows(b, seat, heading, of_kind(legal, moves.Relocate))


def in_rows(b: Board, seat: Seat, heading: str, some: Sequence[moves.Install] | Sequence[moves.Relocate]) -> Chart:
    """Chart one decision for each row of a factory."""
    by_place: dict[tuple[str, int], moves.Install | moves.Relocate] = {(d.good, d.row): d for d in some}
    lanes = [
        Lane(
            heading=good(name),
            cells=[
                ChartCell(label="", closed=type(some[0])(name, row))
                if (d := by_place.get((name, row))) is None
                else ChartCell(
                    label=with_sign(1), adds=[d], note=standing(b, seat, name, row), aloud=row_of_factory_text(d)
                )
                for row in PRODUCTION_ROWS
            ],
        )
        for name in b.players[seat].standing
    ]
    return Chart(
        heading=heading, columns=[row_label(row) for row in PRODUCTION_ROWS], lanes=lanes, kinds=(type(some[0]),)
    )


def row_of_factory_text(d: moves.Install | moves.Relocate) -> str:
    return say("{good}, row {row}", good=good(d.good), row=d.row)


def standing(b: Board, seat: Seat, good: str, row: int) -> str:
    """Describe workers and machines of a row: 2 + 1."""
    factory = b.factory(seat, good)
    return say("{workers} + {machines}", workers=factory.workers[row - 1], machines=factory.machines[row - 1])


def quality(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    left = thresholds_reached(b.printed.thresholds[b.turn.marker], b.turn.paid) - b.turn.steps
    yield Chart(
        heading=say_n("Quality, {n} level left", "Quality, {n} levels left", left),
        kinds=(moves.RaiseQuality,),
        lanes=[
            Lane(
                heading="",
                cells=[
                    ChartCell(label=good(d.good), adds=[d], note=change(b.appeal(seat, d.good), 1))
                    for d in of_kind(legal, moves.RaiseQuality)
                ],
            )
        ],
    )


def distribution(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart levels, each with the total cost of all its steps."""
    left = usable_cost(b) + patent(b, seat) - b.turn.spent
    some = of_kind(legal, moves.RaiseDistribution)
    paid = [d for d in some if not d.free]
    lanes = []
    for d in paid:
        now = b.factory(seat, d.good).distribution
        cells = [distribution_cell(b, seat, d, now, to, left) for to in range(1, b.printed.distribution_most + 1)]
        lanes.append(Lane(heading=good(d.good), cells=cells))
    if lanes:
        yield Chart(
            heading=say("Distribution up to, {left} left", left=pounds(left)),
            lanes=lanes,
            columns=[str(n) for n in range(1, b.printed.distribution_most + 1)],
            kinds=(moves.RaiseDistribution,) if len(paid) == len(some) else (),
        )


def distribution_cell(b: Board, seat: Seat, d: moves.RaiseDistribution, now: int, to: int, left: int) -> ChartCell:
    """Build the cell of all steps from one level to another, or say why they are impossible."""
    if to <= now:
        return ChartCell(
            label="",
            aloud=say("Distribution of {good} to {n}", good=good(d.good), n=to),
            why=say("the distribution of {good} is {now} already", good=good(d.good), now=now),
        )
    cost = sum(range(now + 1, to + 1))
    aloud = say("Distribution of {good} to {n} for {cost}", good=good(d.good), n=to, cost=pounds(cost))
    if cost > left:
        return ChartCell(
            label="", aloud=aloud, why=say("it takes {cost}; {left} left", cost=pounds(cost), left=pounds(left))
        )
    return ChartCell(
        label=pounds(cost), adds=[d] * (to - now), note=change(b.appeal(seat, d.good), to - now), aloud=aloud
    )


def purchases(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    each = bank.purchase_price(b, seat)
    yield amounts(say("Buy shares at {each}", each=pounds(each)), of_kind(legal, moves.Buy), each)


def repayments(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    each = b.printed.loan_repay
    yield amounts(say("Pay loans back at {each}", each=pounds(each)), of_kind(legal, moves.Repay), each)


def amounts(heading: str, options: Sequence[moves.Buy] | Sequence[moves.Repay], each: int) -> Chart:
    """Chart the possible numbers, and the next one with the reason why it is not possible."""
    kind, more = type(options[0]), max(d.count for d in options) + 1
    cells = [ChartCell(label=str(d.count), adds=[d], note=pounds(d.count * each)) for d in options]
    closed = ChartCell(label=str(more), closed=kind(more))
    return Chart(heading=heading, kinds=(kind,), lanes=[Lane(heading="", cells=[*cells, closed])])


def storage_charts(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    lanes = []
    for name in dict.fromkeys(d.good for d in of_kind(legal, moves.SellGoods)):
        each = b.printed.goods_rows[name].fixed_price
        lanes.append(
            Lane(
                heading=good(name),
                note=pounds(each),
                cells=[
                    ChartCell(label=str(d.count), adds=[d], note=pounds(d.count * each))
                    for d in of_kind(legal, moves.SellGoods)
                    if d.good == name
                ],
            )
        )
    yield Chart(heading=say("Sell stored goods"), lanes=lanes, kinds=(moves.SellGoods,))


def contracts(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    by_place = {(d.good, d.space): d for d in of_kind(legal, moves.Contract)}
    yield Chart(
        heading=say("A contract for this many goods"),
        columns=[str(space) for space in b.printed.seats_contract_track],
        kinds=(moves.Contract,),
        lanes=[
            Lane(
                heading=good(name),
                cells=[
                    ChartCell(label="", closed=moves.Contract(name, space))
                    if (d := by_place.get((name, space))) is None
                    else ChartCell(label=str(space), adds=[d])
                    for space in b.printed.seats_contract_track
                ],
            )
            for name in GOODS
        ],
    )


def productions(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart numbers of producing rows, each with goods and wages."""
    some = [d for d in of_kind(legal, moves.Produce) if not d.extra]
    by_place: dict[tuple[str, int], moves.Produce] = {(d.good, d.rows): d for d in some}
    most = max(d.rows for d in some)
    yield Chart(
        heading=say("Rows that produce: goods made, and what they cost"),
        columns=[say("row {n}", n=n) if n == 1 else say("rows 1–{n}", n=n) for n in range(1, most + 1)],
        kinds=(moves.Produce,) if len(some) == len(of_kind(legal, moves.Produce)) else (),
        lanes=[
            Lane(
                heading=good(name),
                note=room_left(b, seat, name),
                cells=[
                    production_cell(b, seat, d)
                    if (d := by_place.get((name, n)))
                    else ChartCell(label="", closed=moves.Produce(name, n))
                    for n in range(1, most + 1)
                ],
            )
            for name in b.players[seat].standing
        ],
    )


def room_left(b: Board, seat: Seat, good: Good) -> str:
    """Describe the space in the large warehouse; further goods are lost without a small one."""
    if b.players[seat].owns("small_warehouse"):
        return ""
    return say("room for {n}", n=max(0, storage.room(b, seat, good) - b.players[seat].stored[good]))


def production_cell(b: Board, seat: Seat, d: moves.Produce) -> ChartCell:
    of, rows = d.good, d.rows
    factory = b.factory(seat, of)
    bill = people.factory_bill(b, seat, of, sum(factory.workers[:rows]), sum(factory.machines[:rows]))
    return ChartCell(label=with_sign(output(b, seat, of, rows)), adds=[d], note=pounds(-bill[-1]))


# --- additional actions ----------------------------------------------------------------------------------------------


def prices(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    """Chart the prices of each good that may change, with their appeal."""
    lanes = []
    for name in b.players[seat].standing:
        possible = [d.price for d in of_kind(legal, moves.SetPrice) if d.good == name]
        now, appeal = b.factory(seat, name).price, b.appeal(seat, name)
        dearer = max([now, *possible]) + 1
        note = say("{price}, appeal {appeal}", price=pounds(now), appeal=appeal)
        if name not in b.turn.affected:
            note = say("{now}; costs {cost}", now=note, cost=pounds(b.printed.price_unaffected))
        lanes.append(
            Lane(
                heading=good(name),
                note=note,
                replaces=partial(sets_price, name),
                cells=[
                    *(
                        ChartCell(
                            label=pounds(price),
                            adds=[moves.SetPrice(name, price)],
                            note=appeal_note(appeal + now - price),
                            aloud=say("{good} at {price}", good=good(name), price=pounds(price)),
                        )
                        for price in possible
                    ),
                    ChartCell(label=pounds(dearer), closed=moves.SetPrice(name, dearer)),
                ],
            )
        )
    yield Chart(heading=say("Prices, each with its appeal"), lanes=lanes, kinds=(moves.SetPrice,))


def sets_price(name: str, d: Decision) -> bool:
    return isinstance(d, moves.SetPrice) and d.good == name


def appeal_note(n: int) -> str:
    return say("appeal {n}", n=n)


def change(before: int, difference: int) -> str:
    """Describe a change: appeal 2 → 4."""
    return say("appeal {change}", change=f"{before}\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}{before + difference}")


DRAWN: Mapping[
    type[Decision], Callable[[Board, Seat, Sequence[Decision]], Iterable[Chart]]
] = {  # the charts that show a kind; one that stands here first stands first
    moves.RevealEconomy: economy,
    moves.Found: foundations,
    moves.SellShares: capital,
    moves.Place: administration,
    moves.Reuse: lambda b, seat, legal: () if of_kind(legal, moves.Place) else administration(b, seat, legal),
    moves.Build: buildings,
    moves.Hire: hires,
    moves.HireWarehouse: warehouse,
    moves.Install: machinery,
    moves.Relocate: relocations,
    moves.RaiseQuality: quality,
    moves.RaiseDistribution: distribution,
    moves.Buy: purchases,
    moves.Repay: repayments,
    moves.Contract: contracts,
    moves.SellGoods: storage_charts,
    moves.Produce: productions,
    moves.SetPrice: prices,
}


# --- what a decision brings ------------------------------------------------------------------------------------------


def note(before: Board, after: Board, seat: Seat, decision: Decision) -> str:
    """Describe the effect of a decision on the seat: "Appeal of food 2 → 4, −£8"."""
    told = []
    for name in GOODS:
        was, now = before.appeal(seat, name), after.appeal(seat, name)
        if was != now:
            told.append(say("appeal of {good} {before} → {after}", good=good(name), before=was, after=now))
    paid = after.players[seat].cash - before.players[seat].cash
    if paid:
        told.append(pounds(paid) if paid < 0 else signed_amount("+", pounds(paid)))
    moved = after.players[seat].space - before.players[seat].space
    if moved:
        told.append(say("share value {by}", by=with_sign(moved)))
    crew = after.players[seat].crew - before.players[seat].crew
    if crew:
        told.append(say("crews {by}", by=with_sign(crew)))
    if isinstance(decision, moves.Discard):
        told.append(say("{n} left", n=before.players[seat].stored[decision.good] - 1))
    elif isinstance(decision, moves.InventorKeep):
        told = [pounds(-inventor.next_cost(before, seat))]
    elif not isinstance(decision, moves.Sell) and (need := in_need(before, after, seat)):
        told.append(need)
    return ", ".join(told)


def in_need(before: Board, after: Board, seat: Seat) -> str:
    """Describe what must be sold or borrowed because the cash is not enough: "−1 share"."""
    was, now = before.players[seat], after.players[seat]
    told = []
    if now.shares < was.shares:
        told.append(say_n("−{n} share", "−{n} shares", was.shares - now.shares))
    if now.loans > was.loans:
        told.append(say_n("+{n} loan", "+{n} loans", now.loans - was.loans))
    return ", ".join(told)


def brings(effects: Sequence[Effect]) -> str:
    """Describe the effect of an answer in the production phase, without automatic actions."""
    match effects[0] if effects else None:
        case moves.RowClosed() as closed:
            text = N_("row {row}: {goods} fewer" if closed.less else "row {row}: no goods fewer")
            return say(text, row=closed.row, goods=goods(closed.less, closed.good))
        case moves.ContractFulfilled() as shipped:
            back = sum(
                effect.to - effect.origin
                for effect in effects
                if isinstance(effect, moves.ShareValueMoved)
                and (effect.seat, effect.cause) == (shipped.seat, "shipping")
            )
            earned = signed_amount("+", pounds(shipped.amount))
            return f"{earned}, " + say("share value {by}", by=with_sign(back)) if back else earned
    return ""


def unused(b: Board, seat: Seat) -> str:
    """Describe what the marker still allows, where countable: 2 machines unused."""
    name = name_of(b.turn.marker) if b.stage == "main" else ""
    if name == "machinery":
        left = machines_allowed(b, seat) - b.turn.steps
        return say_n("{n} machine unused", "{n} machines unused", left)
    if name == "quality":
        left = thresholds_reached(b.printed.thresholds[b.turn.marker], b.turn.paid) - b.turn.steps
        return say_n("{n} level unused", "{n} levels unused", left)
    if name == "distribution":
        return say("{amount} unused", amount=pounds(usable_cost(b) + patent(b, seat) - b.turn.spent))
    return ""


def laid_out(b: Board, kind: str) -> LaidOut | None:
    """Return the initial forms for the mat and the development tiles."""
    if kind == tag_of(moves.LayOutTiles):
        return LaidOut(begins={"tiles": dict(b.tiles)}, in_all=tiles_in_play(b))
    if kind == tag_of(moves.LayOutMat):
        rows = ("I", "II", "III", "IV")
        places = b.printed.seats_laid
        return LaidOut(
            begins={
                row: [*mat_row.markers, *[""] * (places - len(mat_row.markers))]
                for row, mat_row in zip(rows, b.mat, strict=True)
            },
            listed={row: list(markers) for row, markers in zip(rows, b.printed.mat, strict=True)},
        )
    return None
