"""Single words of the solo game."""

from __future__ import annotations

from daybook.web.words.say import N_

ACHIEVEMENTS = {
    "tycoon": N_("Tycoon"),
    "patriot": N_("Patriot"),
    "true_worker": N_("True Worker"),
    "workers_hero": N_("Workers’ Hero"),
    "gentleman": N_("Gentleman or Lady"),
    "specialist": N_("Specialist"),
    "all_rounder": N_("All-rounder"),
    "full_lines": N_("Full production lines"),
    "boss": N_("Boss"),
    "professional_broker": N_("Professional broker"),
    "stock_enthusiast": N_("Stock enthusiast"),
    "big_fish": N_("Big fish of the exchange"),
    "from_nothing": N_("From nothing"),
    "nouveau_riche": N_("Nouveau riche"),
    "sailor": N_("Sailor"),
}
STAGES = {
    "grid": N_("the cards of the grid"),
    "discs": N_("the discs of the grid"),
    "factory_drawn": N_("the start factories"),
    "automa_markers": N_("the automas’ appeal markers"),
    "automa": N_("a marker out of the bag"),
    "achievements": N_("an achievement"),
}
