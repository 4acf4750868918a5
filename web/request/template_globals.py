"""Template globals: seat marks, times, and the browser's language and theme."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from flask import Flask, session
from flask_babel import format_datetime

from daybook.domain.games import RULESETS
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.kernel.times import is_day_alone
from daybook.services.permissions.actions import may
from daybook.services.permissions.sights import stays_covered
from daybook.web import words
from daybook.web.boards import draw_mark, style_sheets
from daybook.web.request.access import dropped_grants, link_notice, shows_veiled, signed_in_name, this_address
from daybook.web.request.claim_notices import claim_notice
from daybook.web.request.days import zone_of_visitor
from daybook.web.request.forms import fresh_key
from daybook.web.request.left_out import club_left_out, game_left_out
from daybook.web.request.lists import first_page
from daybook.web.request.origin import kind_of_device, link_reach, own_address
from daybook.web.request.parts import has_part, has_terms, is_device, takes_reports
from daybook.web.request.sharing import (
    current_preview,
    offer_to_share,
    reportable_page,
    seal_code,
    seal_qr,
    seal_qr_limits,
)
from daybook.web.words import Names, dispute_words
from daybook.web.words.places import text_of
from daybook.web.words.rule_marks import rule_mark
from daybook.web.words.say import Texts, day_label
from daybook.web.words.seat_marks import seat_letter_of, seat_mark

THEMES: Texts = {"": "System", "light": "light", "dark": "dark"}


def add_template_globals(app: Flask) -> None:
    app.jinja_env.globals.update(
        may=may,
        RULESETS=RULESETS,
        TABLE=TABLE,
        text_of=text_of,
        names_of=names_of,
        by_labels=author_labels,
        seat_mark=seat_mark,
        rule_mark=rule_mark,
        letter=seat_letter_of,
        theme=chosen_theme,
        themes=THEMES,
        signed_in_name=signed_in_name,
        link_notice=link_notice,
        dropped_grants=dropped_grants,
        this_address=this_address,
        shows_veiled=shows_veiled,
        stays_covered=stays_covered,
        fresh_key=fresh_key,
        claim_notice=claim_notice,
        game_left_out=game_left_out,
        club_left_out=club_left_out,
        first_page=first_page,
        kind_of_device=kind_of_device,
        link_reach=link_reach,
        own_address=own_address,
        part_here=has_part,
        has_terms=has_terms,
        takes_reports=takes_reports,
        reportable_page=reportable_page,
        is_device=is_device,
        mark=draw_mark,
        board_styles=style_sheets,
        seal_code=seal_code,
        seal_qr=seal_qr,
        seal_qr_limits=seal_qr_limits,
        link_preview=current_preview,
        offer_to_share=offer_to_share,
        **{template.__name__: template for template in dispute_words.IN_TEMPLATES},
        **{name: getattr(words, name) for name in words.IN_TEMPLATES},
    )
    app.jinja_env.tests["day_alone"] = is_day_alone
    app.jinja_env.filters.update(
        moment=format_moment,
        day=format_day,
        capitalize_first=capitalize_first,
        without_owner=without_owner,
        as_sentence=as_sentence,
        begin=words.begin,
        beginning=names_with_prefix,
    )


def chosen_theme() -> str:
    """Return the browser's theme: "light", "dark", or "" for the system's."""
    chosen = session.get("theme", "")
    return chosen if chosen in THEMES else ""


def format_day(at: str, zone: str = "") -> str:
    """Format the day of a moment in a time zone, by default the viewer's."""
    return day_label(at, zone or zone_of_visitor())


def format_moment(at: str) -> str:
    """Format a moment: 20 Nov 2026, 19:30; only the day for an entry without a time."""
    if is_day_alone(at):
        return day_label(at)
    return str(format_datetime(datetime.fromisoformat(at), words.say("d MMM y, HH:mm")))


def names_of(seats: Iterable[Seat], names: Names) -> list[str]:
    return [words.seat_name(seat, names) for seat in seats]


def author_labels(by: Iterable[str], names: Names, writers: Mapping[str, str]) -> list[str]:
    return [words.by_label(author, names, writers) for author in by]


def names_with_prefix(names: Iterable[str], with_: str) -> list[str]:
    """Return the names that begin with a prefix."""
    return [name for name in names if name.startswith(with_)]


def without_owner(label: str, owner: str) -> str:
    """Return the label of a place without the player's name, under a heading that has it."""
    return label.removeprefix(f"{owner}: ")


def capitalize_first(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def as_sentence(reason: str, names: Names = ()) -> str:
    """Capitalize a reason, except a name, and end it with a full stop if needed."""
    return words.begin(reason, names) + ("" if reason.endswith((".", "?", "!", "…", ":")) else ".")
