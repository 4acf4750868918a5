"""What is counted of a finished game of Arkwright: The Card Game."""

from __future__ import annotations

from daybook.domain.kernel.statistics import Added, Column, First, From, Greatest, Measure, PresetQuestion, Statistics

LOANS = (From("loan_taken"), From("emergency_helped", amount=("tokens",)))

STATISTICS = Statistics(
    clock=("round",),
    measures=(
        Measure(
            "start_factories",
            "Starting factories",
            "count",
            Added((From("factory_opened", each="good", setup=True),)),
            things="good",
        ),
        Measure(
            "factories_built",
            "Factories built",
            "count",
            Added((From("factory_opened", each="good", setup=False),)),
            by="decade",
            things="good",
        ),
        Measure(
            "factories_upgraded",
            "Factories upgraded",
            "count",
            Added((From("factory_upgraded", each="good"),)),
            by="decade",
            things="good",
        ),
        Measure(
            "actions",
            "Actions chosen",
            "count",
            Added((From("action_chosen", each="action"),)),
            by="decade",
            things="action",
        ),
        Measure("actions_passed", "Actions passed", "count", Added((From("action_passed"),)), by="decade"),
        Measure(
            "first_development",
            "Round of the first development",
            "rounds",
            First((From("development_taken", each="track"),)),
            things="track",
        ),
        Measure(
            "developments",
            "Developments taken",
            "count",
            Added((From("development_taken", each="track"),)),
            by="decade",
            things="track",
        ),
        Measure(
            "first_card",
            "Round of the first development card",
            "rounds",
            First((From("card_taken", each="card"),)),
            things="card",
        ),
        Measure(
            "cards_taken",
            "Development cards taken",
            "cards",
            Added((From("card_taken", each="card"),)),
            by="decade",
            things="card",
        ),
        Measure("loans_taken", "Loans taken", "count", Added(LOANS), by="decade"),
        Measure(
            "workers_employed",
            "Times workers were employed",
            "count",
            Added((From("workers_employed", each="good"),)),
            by="decade",
            things="good",
        ),
        Measure(
            "machines_added",
            "Machines added",
            "count",
            Added((From("machines_added", amount=("count",), each="good"),)),
            by="decade",
            things="good",
        ),
        Measure(
            "first_machine",
            "Round of the first machine",
            "rounds",
            First((From("machines_added", each="good"),)),
            things="good",
        ),
        Measure(
            "goods_made",
            "Goods made",
            "goods",
            Added(
                (
                    From("goods_made", amount=("made",), each="good"),
                    From("shift_worked", amount=("goods",), each="good"),
                )
            ),
            by="decade",
            things="good",
        ),
        Measure(
            "goods_sold",
            "Goods sold at home",
            "goods",
            Added((From("sold_home", amount=("made", "stored"), each="good"),)),
            by="decade",
            things="good",
        ),
        Measure(
            "sales",
            "Money from sales at home",
            "money",
            Added((From("sold_home", amount=("amount",), each="good"),)),
            by="decade",
            things="good",
        ),
        Measure("best_sale", "Greatest sale at once", "money", Greatest((From("sold_home", amount=("amount",)),))),
        Measure(
            "goods_shipped",
            "Goods shipped",
            "goods",
            Added((From("shipped", amount=("goods",)),)),
            by="decade",
            things="good",
        ),
        Measure(
            "shipping_money", "Money from shipping", "money", Added((From("shipped", amount=("amount",)),)), by="decade"
        ),
        Measure(
            "contract_money",
            "Money for contracts",
            "money",
            Added((From("shipped", amount=("contract",)),)),
            by="decade",
        ),
        Measure(
            "goods_wasted",
            "Goods wasted",
            "goods",
            Added((From("goods_wasted", amount=("count",), each="good"),)),
            things="good",
        ),
        Measure("appeal_leads", "Times the appeal was highest", "count", Added((From("top_point_won"),)), by="decade"),
        Measure(
            "costs",
            "Costs of production",
            "money",
            Added((From("cost_paid", amount=("amount",), each="good"),)),
            by="decade",
            things="good",
        ),
        Measure(
            "shares_bought",
            "Shares bought",
            "count",
            Added((From("shares_bought", amount=("count",)), From("last_shares_bought", amount=("count",)))),
            by="decade",
        ),
        Measure(
            "paid_for_shares",
            "Paid for shares",
            "money",
            Added((From("shares_bought", amount=("amount",)), From("last_shares_bought", amount=("amount",)))),
            by="decade",
        ),
        Measure("bankruptcies", "Bankruptcies", "count", Added((From("went_bankrupt"),))),
        Measure(
            "achievements",
            "Achievements earned",
            "count",
            Added((From("achievement_earned", each="achievement"),)),
            things="achievement",
        ),
        Measure("share_value", "Share value", "money", Column("share_value"), by="decade"),
        Measure("shares", "Shares owned", "count", Column("shares"), by="decade"),
        Measure("portfolio", "Portfolio", "money", Column("portfolio"), by="decade"),
        Measure("money", "Money", "money", Column("money"), by="decade"),
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
