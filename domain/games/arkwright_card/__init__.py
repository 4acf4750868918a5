"""Arkwright: The Card Game: four goods, three decades, and the worth of one's shares."""

from daybook.domain.games.arkwright_card.rules import ARKWRIGHT_CARD as ARKWRIGHT_CARD
