"""Statistics of a finished game of Making Profit."""

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

STATISTICS = Statistics(
    clock=("round",),
    measures=(
        first_round_of(
            "first_development", "Round of the first development", From("card_developed", each="card"), things="card"
        ),
        sum_of(
            "developments", "Cards developed", "cards", From("card_developed", each="card"), by="round", things="card"
        ),
        column_of("level", "Level of the own factory", "count", by="round"),
        sum_of("runs", "Times the factory was run", "count", From("factory_run"), by="round"),
        sum_of(
            "dividends",
            "Dividends received",
            "money",
            From("dividend_paid", amount=("amount",), each="colour"),
            by="round",
            things="colour",
        ),
        greatest_of("best_dividend", "Greatest dividend at once", "money", From("dividend_paid", amount=("amount",))),
        sum_of(
            "certificates_bought",
            "Certificates bought",
            "count",
            From("stock_bought", each="colour"),
            by="round",
            things="colour",
        ),
        sum_of(
            "spent_on_certificates",
            "Paid for certificates",
            "money",
            From("stock_bought", amount=("price",), each="colour"),
            things="colour",
        ),
        sum_of(
            "certificates_sold",
            "Certificates sold",
            "count",
            From("stock_sold", amount=("count",), each="colour"),
            by="round",
            things="colour",
        ),
        sum_of(
            "earned_by_certificates",
            "Received for certificates",
            "money",
            From("stock_sold", amount=("amount",), each="colour"),
            things="colour",
        ),
        column_of("certificates", "Certificates owned", "count", by="round"),
        sum_of("resources_sold", "Received for cards", "money", From("resources_sold", amount=("amount",)), by="round"),
        sum_of("cards_drawn", "Cards drawn", "cards", From("card_drawn", amount=("count",)), by="round"),
        sum_of(
            "cards_discarded",
            "Cards discarded",
            "cards",
            From("card_discarded", amount=("count",), each="source"),
            things="place",
        ),
        sum_of("third_cards", "Third cards claimed", "count", From("third_card_claimed")),
        column_of("money", "Money", "money", by="round"),
    ),
    questions=(
        PresetQuestion("growth", "How fast do factories grow, round by round?", "level", "number"),
        PresetQuestion("own_or_others", "Which colours pay the dividends?", "dividends", "what"),
        PresetQuestion("first_card", "Which card is developed first, and does it matter?", "first_development", "what"),
    ),
)
