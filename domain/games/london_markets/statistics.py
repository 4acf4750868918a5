"""What is counted of a finished game of London Markets."""

from __future__ import annotations

from daybook.domain.kernel.statistics import Added, Column, First, From, Greatest, Measure, PresetQuestion, Statistics

WON = (From("auction_won", each="goods"), From("auction_shared", seat="seats", each="goods"))
SPECIAL = (("special", (True,)),)

STATISTICS = Statistics(
    clock=("round",),
    measures=(
        Measure("auctions_won", "Auctions won, shared ones included", "count", Added(WON), by="round", things="goods"),
        Measure(
            "auctions_shared",
            "Auctions shared",
            "count",
            Added((From("auction_shared", seat="seats", each="goods"),)),
            things="goods",
        ),
        Measure(
            "cards_paid",
            "Cards paid in auctions",
            "cards",
            Added(
                (
                    From("auction_won", amount=("count",), each="goods"),
                    From("auction_shared", amount=("count",), seat="seats", each="goods"),
                )
            ),
            by="round",
            things="goods",
        ),
        Measure(
            "dearest_auction",
            "Most cards paid in one auction",
            "cards",
            Greatest((From("auction_won", amount=("count",)), From("auction_shared", amount=("count",), seat="seats"))),
        ),
        Measure(
            "auction_money",
            "Money from auctions",
            "money",
            Added(
                (
                    From("auction_won", amount=("amount",), each="goods"),
                    From("auction_shared", amount=("each",), seat="seats", each="goods"),
                    From("money_instead", amount=("amount",), thing="instead"),
                )
            ),
            by="round",
            things="goods",
        ),
        Measure(
            "special_prizes",
            "Auctions won for a special card",
            "count",
            Added((From("auction_won", where=SPECIAL, each="goods"),)),
            things="goods",
        ),
        Measure(
            "null_offers",
            "Null offers",
            "count",
            Added((From("offer_shown", where=(("null", ("empty", "mixed", "covered", "not_shown")),), each="null"),)),
            by="round",
            things="reason",
        ),
        Measure("first_special", "Round of the first special card", "rounds", First((From("special_taken"),))),
        Measure(
            "specials_taken",
            "Special cards taken",
            "cards",
            Added((From("special_taken", each="card"),)),
            by="round",
            things="card",
        ),
        Measure(
            "first_special_played",
            "Round in which a special card was first played",
            "rounds",
            First((From("special_played", each="card"),)),
            things="card",
        ),
        Measure(
            "specials_played",
            "Special cards played",
            "cards",
            Added((From("special_played", each="card"),)),
            by="round",
            things="card",
        ),
        Measure(
            "special_fees",
            "Paid to play special cards",
            "money",
            Added((From("special_played", amount=("fee",), each="card"),)),
            things="card",
        ),
        Measure(
            "special_money",
            "Money from special cards",
            "money",
            Added((From("special_paid", amount=("amount",), each="card"),)),
            by="round",
            things="card",
        ),
        Measure(
            "profit",
            "Profit from crates",
            "money",
            Added((From("profit_gained", amount=("amount",), each="market"),)),
            by="round",
            things="market",
        ),
        Measure(
            "best_profit", "Greatest profit at once", "money", Greatest((From("profit_gained", amount=("amount",)),))
        ),
        Measure(
            "bars_placed",
            "Own bars placed",
            "count",
            Added((From("bar_placed", seat="owner", each="market"),)),
            by="round",
            things="market",
        ),
        Measure(
            "merchants_used",
            "Merchants used",
            "count",
            Added((From("merchant_used", each="merchant"),)),
            by="round",
            things="merchant",
        ),
        Measure(
            "assistants_used",
            "Assistants used",
            "count",
            Added((From("assistant_used", each="action"),)),
            by="round",
            things="action",
        ),
        Measure(
            "goods_drawn",
            "Goods cards drawn",
            "cards",
            Added((From("goods_drawn", amount=("count",), each="goods"),)),
            by="round",
            things="goods",
        ),
        Measure(
            "goods_replenished",
            "Goods cards taken in replenishment",
            "cards",
            Added((From("goods_taken", each="goods"),)),
            by="round",
            things="goods",
        ),
        Measure(
            "exchanges",
            "Goods cards exchanged",
            "cards",
            Added((From("goods_exchanged", each="took"),)),
            things="goods",
        ),
        Measure("crates", "Crates on display", "count", Column("crates"), by="round"),
        Measure("money", "Money", "money", Column("money"), by="round"),
    ),
    questions=(
        PresetQuestion("auction_cost", "How many cards do auctions cost, goods by goods?", "cards_paid", "what"),
        PresetQuestion("best_specials", "Which special cards do winners play?", "specials_played", "what"),
        PresetQuestion("where_bars", "On which markets do winners place their bars?", "bars_placed", "what"),
    ),
)
