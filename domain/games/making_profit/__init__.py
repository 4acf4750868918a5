"""Making Profit: factories, shares and the cards that build them."""

from daybook.domain.games.making_profit.rules import MAKING_PROFIT as MAKING_PROFIT
