"""What is counted of a finished game of Making Profit."""

from __future__ import annotations

from daybook.domain.kernel.statistics import Added, Column, First, From, Greatest, Measure, PresetQuestion, Statistics

STATISTICS = Statistics(
    clock=("round",),
    measures=(
        Measure(
            "first_development",
            "Round of the first development",
            "rounds",
            First((From("card_developed", each="card"),)),
            things="card",
        ),
        Measure(
            "developments",
            "Cards developed",
            "cards",
            Added((From("card_developed", each="card"),)),
            by="round",
            things="card",
        ),
        Measure("level", "Level of the own factory", "count", Column("level"), by="round"),
        Measure("runs", "Times the factory was run", "count", Added((From("factory_run"),)), by="round"),
        Measure(
            "dividends",
            "Dividends received",
            "money",
            Added((From("dividend_paid", amount=("amount",), each="colour"),)),
            by="round",
            things="colour",
        ),
        Measure(
            "best_dividend",
            "Greatest dividend at once",
            "money",
            Greatest((From("dividend_paid", amount=("amount",)),)),
        ),
        Measure(
            "certificates_bought",
            "Certificates bought",
            "count",
            Added((From("stock_bought", each="colour"),)),
            by="round",
            things="colour",
        ),
        Measure(
            "spent_on_certificates",
            "Paid for certificates",
            "money",
            Added((From("stock_bought", amount=("price",), each="colour"),)),
            things="colour",
        ),
        Measure(
            "certificates_sold",
            "Certificates sold",
            "count",
            Added((From("stock_sold", amount=("count",), each="colour"),)),
            by="round",
            things="colour",
        ),
        Measure(
            "earned_by_certificates",
            "Received for certificates",
            "money",
            Added((From("stock_sold", amount=("amount",), each="colour"),)),
            things="colour",
        ),
        Measure("certificates", "Certificates owned", "count", Column("certificates"), by="round"),
        Measure(
            "resources_sold",
            "Received for cards",
            "money",
            Added((From("resources_sold", amount=("amount",)),)),
            by="round",
        ),
        Measure("cards_drawn", "Cards drawn", "cards", Added((From("card_drawn", amount=("count",)),)), by="round"),
        Measure(
            "cards_discarded",
            "Cards discarded",
            "cards",
            Added((From("card_discarded", amount=("count",), each="source"),)),
            things="place",
        ),
        Measure("third_cards", "Third cards claimed", "count", Added((From("third_card_claimed"),))),
        Measure("money", "Money", "money", Column("money"), by="round"),
    ),
    questions=(
        PresetQuestion("growth", "How fast do factories grow, round by round?", "level", "number"),
        PresetQuestion("own_or_others", "Which colours pay the dividends?", "dividends", "what"),
        PresetQuestion("first_card", "Which card is developed first, and does it matter?", "first_development", "what"),
    ),
)
