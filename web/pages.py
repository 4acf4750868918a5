"""The pages, one blueprint for each kind."""

from __future__ import annotations

from daybook.web.club.calendar import page as calendar
from daybook.web.club.closing import page as closing
from daybook.web.club.club import page as club
from daybook.web.club.clubs import page as clubs
from daybook.web.club.draw import page as draw
from daybook.web.club.league import page as league
from daybook.web.club.people import page as people
from daybook.web.club.person import page as person
from daybook.web.club.players import page as players
from daybook.web.club.ratings import page as ratings
from daybook.web.club.season import page as season
from daybook.web.club.table import page as table
from daybook.web.disputes.as_played import page as stood
from daybook.web.disputes.audit import page as audit
from daybook.web.disputes.claims import page as claims
from daybook.web.disputes.compare import page as compare
from daybook.web.disputes.correct import page as correct
from daybook.web.disputes.count import page as count
from daybook.web.disputes.photos import page as photos
from daybook.web.disputes.ruling import page as ruling
from daybook.web.disputes.umpires import page as umpires
from daybook.web.disputes.what_if import page as what_if
from daybook.web.disputes.wrong import page as wrong
from daybook.web.people.anonymous import page as anonymous
from daybook.web.people.invited import page as invited
from daybook.web.people.me import page as me
from daybook.web.people.signin import page as signin
from daybook.web.recording.adjust import page as adjust
from daybook.web.recording.importing import page as importing
from daybook.web.recording.links import page as links
from daybook.web.recording.live import page as live
from daybook.web.recording.new_game import page as new_game
from daybook.web.recording.practice import page as practice
from daybook.web.recording.record import page as record
from daybook.web.recording.sheet import page as sheet
from daybook.web.replay.about import page as about
from daybook.web.replay.evidence import page as evidence
from daybook.web.replay.replay import page as replay
from daybook.web.replay.score import page as score
from daybook.web.site.help import page as help_pages
from daybook.web.site.home import page as home
from daybook.web.site.manifest import page as manifest
from daybook.web.statistics.openings import page as openings
from daybook.web.statistics.statistics import page as statistics

PAGES = (
    home, new_game, importing, practice, links, record, adjust, stood, correct, count, compare,
    replay, live, score, sheet, about, help_pages, manifest,
    claims, ruling, umpires, photos, wrong, what_if, evidence, audit, signin, me, invited, people, anonymous,
    clubs, club, league, season, players, draw, table, closing, person, ratings, calendar, statistics, openings)
