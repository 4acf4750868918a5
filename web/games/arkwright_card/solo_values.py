"""Single words of the solo game."""

from __future__ import annotations

from daybook.web.words.say import Texts

ACHIEVEMENTS: Texts = {
    "tycoon": "Tycoon",
    "patriot": "Patriot",
    "true_worker": "True Worker",
    "workers_hero": "Workers’ Hero",
    "gentleman": "Gentleman or Lady",
    "specialist": "Specialist",
    "all_rounder": "All-rounder",
    "full_lines": "Full production lines",
    "boss": "Boss",
    "professional_broker": "Professional broker",
    "stock_enthusiast": "Stock enthusiast",
    "big_fish": "Big fish of the exchange",
    "from_nothing": "From nothing",
    "nouveau_riche": "Nouveau riche",
    "sailor": "Sailor",
}
STAGES: Texts = {
    "grid": "the cards of the grid",
    "discs": "the discs of the grid",
    "factory_drawn": "the start factories",
    "automa_markers": "the automas’ appeal markers",
    "automa": "a marker out of the bag",
    "achievements": "an achievement",
}
