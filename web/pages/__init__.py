"""The pages, one blueprint for each kind."""

from __future__ import annotations

from web.pages.about import page as about
from web.pages.help import page as help_pages
from web.pages.home import page as home
from web.pages.importing import page as importing
from web.pages.links import page as links
from web.pages.live import page as live
from web.pages.new_game import page as new_game
from web.pages.practice import page as practice
from web.pages.record import page as record
from web.pages.replay import page as replay
from web.pages.score import page as score
from web.pages.sheet import page as sheet

PAGES = (home, new_game, importing, practice, links, record, replay, live, score, sheet, about, help_pages)
