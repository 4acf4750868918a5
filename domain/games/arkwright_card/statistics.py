"""Statistics of a finished game of Arkwright: The Card Game."""

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

LOANS = (From("loan_taken"), From("emergency_helped", amount=("tokens",)))

STATISTICS = Statistics(
    clock=("round",),
    measures=(
        sum_of(
            "start_factories",
            "Starting factories",
            "count",
            From("factory_opened", each="good", setup=True),
            things="good",
        ),
        sum_of(
            "factories_built",
            "Factories built",
            "count",
            From("factory_opened", each="good", setup=False),
            by="decade",
            things="good",
        ),
        sum_of(
            "factories_upgraded",
            "Factories upgraded",
            "count",
            From("factory_upgraded", each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "actions", "Actions chosen", "count", From("action_chosen", each="action"), by="decade", things="action"
        ),
        sum_of("actions_passed", "Actions passed", "count", From("action_passed"), by="decade"),
        first_round_of(
            "first_development",
            "Round of the first development",
            From("development_taken", each="track"),
            things="track",
        ),
        sum_of(
            "developments",
            "Developments taken",
            "count",
            From("development_taken", each="track"),
            by="decade",
            things="track",
        ),
        first_round_of(
            "first_card", "Round of the first development card", From("card_taken", each="card"), things="card"
        ),
        sum_of(
            "cards_taken",
            "Development cards taken",
            "cards",
            From("card_taken", each="card"),
            by="decade",
            things="card",
        ),
        sum_of("loans_taken", "Loans taken", "count", *LOANS, by="decade"),
        sum_of(
            "workers_employed",
            "Times workers were employed",
            "count",
            From("workers_employed", each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "machines_added",
            "Machines added",
            "count",
            From("machines_added", amount=("count",), each="good"),
            by="decade",
            things="good",
        ),
        first_round_of(
            "first_machine", "Round of the first machine", From("machines_added", each="good"), things="good"
        ),
        sum_of(
            "goods_made",
            "Goods made",
            "goods",
            From("goods_made", amount=("made",), each="good"),
            From("shift_worked", amount=("goods",), each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "goods_sold",
            "Goods sold at home",
            "goods",
            From("sold_home", amount=("made", "stored"), each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "sales",
            "Money from sales at home",
            "money",
            From("sold_home", amount=("amount",), each="good"),
            by="decade",
            things="good",
        ),
        greatest_of("best_sale", "Greatest sale at once", "money", From("sold_home", amount=("amount",))),
        sum_of(
            "goods_shipped", "Goods shipped", "goods", From("shipped", amount=("goods",)), by="decade", things="good"
        ),
        sum_of("shipping_money", "Money from shipping", "money", From("shipped", amount=("amount",)), by="decade"),
        sum_of("contract_money", "Money for contracts", "money", From("shipped", amount=("contract",)), by="decade"),
        sum_of(
            "goods_wasted", "Goods wasted", "goods", From("goods_wasted", amount=("count",), each="good"), things="good"
        ),
        sum_of("appeal_leads", "Times the appeal was highest", "count", From("top_point_won"), by="decade"),
        sum_of(
            "costs",
            "Costs of production",
            "money",
            From("cost_paid", amount=("amount",), each="good"),
            by="decade",
            things="good",
        ),
        sum_of(
            "shares_bought",
            "Shares bought",
            "count",
            From("shares_bought", amount=("count",)),
            From("last_shares_bought", amount=("count",)),
            by="decade",
        ),
        sum_of(
            "paid_for_shares",
            "Paid for shares",
            "money",
            From("shares_bought", amount=("amount",)),
            From("last_shares_bought", amount=("amount",)),
            by="decade",
        ),
        sum_of("bankruptcies", "Bankruptcies", "count", From("went_bankrupt")),
        sum_of(
            "achievements",
            "Achievements earned",
            "count",
            From("achievement_earned", each="achievement"),
            things="achievement",
        ),
        column_of("share_value", "Share value", "money", by="decade"),
        column_of("shares", "Shares owned", "count", by="decade"),
        column_of("portfolio", "Portfolio", "money", by="decade"),
        column_of("money", "Money", "money", by="decade"),
    ),
    questions=(
        PresetQuestion("start_factories", "Which factory is best to start with?", "start_factories", "what"),
        PresetQuestion(
            "first_development", "Which development comes first, and who wins with it?", "first_development", "what"
        ),
        PresetQuestion("goods_by_decade", "What is sold in which decade?", "goods_sold", "number"),
        PresetQuestion("loans", "Do loans pay?", "loans_taken", "value"),
        PresetQuestion("appeal", "How often is the winner's appeal the highest?", "appeal_leads", "won"),
    ),
)
