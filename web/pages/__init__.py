"""The pages, one blueprint for each kind."""

from __future__ import annotations

from web.pages.about import page as about
from web.pages.adjust import page as adjust
from web.pages.anonymous import page as anonymous
from web.pages.audit import page as audit
from web.pages.calendar import page as calendar
from web.pages.claims import page as claims
from web.pages.closing import page as closing
from web.pages.club import page as club
from web.pages.clubs import page as clubs
from web.pages.compare import page as compare
from web.pages.correct import page as correct
from web.pages.count import page as count
from web.pages.draw import page as draw
from web.pages.evidence import page as evidence
from web.pages.help import page as help_pages
from web.pages.home import page as home
from web.pages.importing import page as importing
from web.pages.invited import page as invited
from web.pages.league import page as league
from web.pages.links import page as links
from web.pages.live import page as live
from web.pages.me import page as me
from web.pages.new_game import page as new_game
from web.pages.openings import page as openings
from web.pages.people import page as people
from web.pages.person import page as person
from web.pages.photos import page as photos
from web.pages.players import page as players
from web.pages.practice import page as practice
from web.pages.ratings import page as ratings
from web.pages.record import page as record
from web.pages.replay import page as replay
from web.pages.ruling import page as ruling
from web.pages.score import page as score
from web.pages.season import page as season
from web.pages.sheet import page as sheet
from web.pages.signin import page as signin
from web.pages.statistics import page as statistics
from web.pages.stood import page as stood
from web.pages.table import page as table
from web.pages.umpires import page as umpires
from web.pages.what_if import page as what_if
from web.pages.wrong import page as wrong

PAGES = (
    home, new_game, importing, practice, links, record, adjust, stood, correct, count, compare,
    replay, live, score, sheet, about, help_pages,
    claims, ruling, umpires, photos, wrong, what_if, evidence, audit, signin, me, invited, people, anonymous,
    clubs, club, league, season, players, draw, table, closing, person, ratings, calendar, statistics, openings)
