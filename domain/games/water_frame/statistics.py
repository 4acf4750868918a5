"""Statistics of a finished game of Arkwright: Water Frame."""

from __future__ import annotations

from daybook.domain.kernel.game_statistics import (
    From,
    PresetQuestion,
    Statistics,
    column_of,
    first_round_of,
    greatest_of,
    sum_of,
)

APPEAL = (("cause", ("appeal",)),)

STATISTICS = Statistics(
    clock=("decade", "cycle"),
    measures=(
        sum_of("start_factories", "Starting factories", "count", From("factory_founded", each="good"), things="good"),
        sum_of(
            "start_price",
            "Prices of the starting factories together",
            "money",
            From("factory_founded", amount=("price",), each="good"),
            things="good",
        ),
        first_round_of(
            "first_marker",
            "Cycle of the first special marker",
            From("grey_marker_taken", each="name"),
            things="special marker",
        ),
        sum_of(
            "markers_taken",
            "Special markers taken",
            "count",
            From("grey_marker_taken", each="name"),
            by="decade",
            things="special marker",
        ),
        first_round_of(
            "first_tile", "Cycle of the first development tile", From("tile_taken", each="kind"), things="tile"
        ),
        sum_of(
            "tiles_taken",
            "Development tiles taken",
            "count",
            From("tile_taken", each="kind"),
            by="decade",
            things="tile",
        ),
        sum_of(
            "actions",
            "Action markers placed",
            "count",
            From("marker_placed", each="marker"),
            From("marker_reused", each="marker"),
            by="decade",
            things="action",
        ),
        sum_of("loans_taken", "Loans taken", "count", From("loans_taken", amount=("count",)), by="decade"),
        sum_of("loans_repaid", "Loans repaid", "count", From("loans_repaid", amount=("count",)), by="decade"),
        sum_of(
            "emergency_shares", "Shares sold in need", "count", From("emergency_sale", amount=("count",)), by="decade"
        ),
        sum_of(
            "factories_built",
            "Factories built",
            "count",
            From("factory_built", each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "factories_modernized",
            "Factories modernized",
            "count",
            From("factory_modernized", each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "factories_closed",
            "Factories closed",
            "count",
            From("factory_closed", each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "workers_hired", "Workers hired", "count", From("worker_hired", each="good"), by="decade", things="good"
        ),
        sum_of(
            "machines_installed",
            "Machines installed",
            "count",
            From("machine_installed", each="good"),
            by="decade",
            things="good",
        ),
        first_round_of(
            "first_machine", "Cycle of the first machine", From("machine_installed", each="good"), things="good"
        ),
        sum_of(
            "contracts_placed",
            "Contracts placed",
            "count",
            From("contract_placed", where=(("before", (0,)),), each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "contracts_fulfilled",
            "Contracts fulfilled",
            "count",
            From("contract_fulfilled", each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "contract_money",
            "Money from contracts",
            "money",
            From("contract_fulfilled", amount=("amount",), each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "goods_sold",
            "Goods sold at home",
            "goods",
            From("sales_paid", amount=("count",), each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "sales",
            "Money from sales at home",
            "money",
            From("sales_paid", amount=("amount",), each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "stored_sold",
            "Stored goods sold at the fixed price",
            "goods",
            From("stored_sold", amount=("count",), each="good"),
            by="decade",
            things="good",
        ),
        greatest_of("best_sale", "Greatest sale at once", "money", From("sales_paid", amount=("amount",))),
        sum_of(
            "appeal_leads",
            "Times the appeal was highest",
            "count",
            From("share_value_moved", where=APPEAL),
            by="decade",
        ),
        sum_of(
            "appeal_spaces",
            "Spaces gained for the highest appeal",
            "spaces",
            From("share_value_moved", amount=("spaces",), where=APPEAL),
            by="decade",
        ),
        sum_of(
            "quality_raised", "Quality raised", "count", From("quality_raised", each="good"), by="decade", things="good"
        ),
        sum_of(
            "distribution_raised",
            "Distribution raised",
            "count",
            From("distribution_raised", each="good"),
            by="decade",
            things="good",
        ),
        sum_of("shares_bought", "Shares bought", "count", From("shares_bought", amount=("count",)), by="decade"),
        sum_of("paid_for_shares", "Paid for shares", "money", From("shares_bought", amount=("amount",)), by="decade"),
        sum_of("ships_taken", "Ships taken", "count", From("ship_taken"), by="decade"),
        sum_of(
            "goods_wasted",
            "Goods lost without room",
            "goods",
            From("goods_lost", amount=("count",), each="good"),
            things="good",
        ),
        sum_of(
            "expenses",
            "Expenses",
            "money",
            From("paid", amount=("amount",), each="expense"),
            by="decade",
            things="expense",
        ),
        column_of("share_value", "Share value", "money", by="decade"),
        column_of("shares", "Shares owned", "count", by="decade"),
        column_of("portfolio", "Portfolio", "money", by="decade"),
        column_of("loans", "Loans left", "count", by="decade"),
        column_of("workers", "Workers in the factories", "count", by="decade"),
        column_of("machines", "Machines in the factories", "count", by="decade"),
    ),
    questions=(
        PresetQuestion(
            "first_marker", "Which special marker comes first, and who wins with it?", "first_marker", "what"
        ),
        PresetQuestion("start_factories", "Which factory is best to start with?", "start_factories", "what"),
        PresetQuestion("goods_by_decade", "What is sold in which decade?", "goods_sold", "number"),
        PresetQuestion("loans", "Do loans pay?", "loans_taken", "value"),
        PresetQuestion("appeal", "How often is the winner's appeal the highest?", "appeal_leads", "won"),
    ),
)
