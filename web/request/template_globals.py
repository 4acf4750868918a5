"""What every template may use: seat marks, times, and the language and light a browser has chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from flask import Flask, session
from flask_babel import format_datetime

from daybook.domain.games import RULESETS
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.kernel.times import moment_of_play
from daybook.web import words
from daybook.web.boards import mark, styles
from daybook.web.request.access import dropped_grants, link_notice, shows_veiled, signed_in_name, this_address
from daybook.web.request.days import zone_of_visitor
from daybook.web.request.left_out import club_left_out, game_left_out
from daybook.web.request.lists import first_page
from daybook.web.request.parts import is_device, part_here
from daybook.web.request.sharing import offer_to_share, preview, seal_code, seal_qr
from daybook.web.words import Names, dispute_words
from daybook.web.words.places import text_of
from daybook.web.words.say import Texts, day_label
from daybook.web.words.seat_marks import letter, seat_mark

THEMES: Texts = {"": "as the device", "light": "light", "dark": "dark"}


def add_template_globals(app: Flask) -> None:
    app.jinja_env.globals.update(
        RULESETS=RULESETS,
        TABLE=TABLE,
        text_of=text_of,
        names_of=names_of,
        by_labels=by_labels,
        seat_mark=seat_mark,
        letter=letter,
        theme=theme,
        themes=THEMES,
        signed_in_name=signed_in_name,
        link_notice=link_notice,
        dropped_grants=dropped_grants,
        this_address=this_address,
        veil_lifted=shows_veiled,
        game_left_out=game_left_out,
        club_left_out=club_left_out,
        first_page=first_page,
        part_here=part_here,
        is_device=is_device,
        mark=mark,
        board_styles=styles,
        seal_code=seal_code,
        seal_qr=seal_qr,
        link_preview=preview,
        offer_to_share=offer_to_share,
        **{template.__name__: template for template in dispute_words.IN_TEMPLATES},
        **{name: getattr(words, name) for name in words.IN_TEMPLATES},
    )
    app.jinja_env.filters.update(
        moment=moment,
        day=day,
        capitalize_first=capitalize_first,
        as_sentence=as_sentence,
        begin=words.begin,
        beginning=beginning,
    )


def theme() -> str:
    """The light this browser has chosen: "light", "dark", or "" for the device's own."""
    chosen = session.get("theme", "")
    return chosen if chosen in THEMES else ""


def day(at: str, zone: str = "") -> str:
    """A day, or that of a moment: in this time zone, else in that of whoever looks."""
    return day_label(at, zone or zone_of_visitor())


def moment(at: str) -> str:
    """A time of the record as people say it: 20 Nov 2026, 19:30; a day, where only the day is known."""
    if at == moment_of_play(at[:10]):
        return day_label(at)
    return str(format_datetime(datetime.fromisoformat(at), words.say("d MMM y, HH:mm")))


def names_of(seats: Iterable[Seat], names: Names) -> list[str]:
    return [words.seat_name(seat, names) for seat in seats]


def by_labels(by: Iterable[str], names: Names, writers: Mapping[str, str]) -> list[str]:
    return [words.by_label(one, names, writers) for one in by]


def beginning(names: Iterable[str], with_: str) -> list[str]:
    """Those of the names that begin with this."""
    return [name for name in names if name.startswith(with_)]


def capitalize_first(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def as_sentence(reason: str, names: Names = ()) -> str:
    """With a capital at its beginning, which a name keeps as it is, and a full stop where nothing else ends it."""
    return words.begin(reason, names) + ("" if reason.endswith((".", "?", "!", "…", ":")) else ".")
