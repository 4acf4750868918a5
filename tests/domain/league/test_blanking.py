"""Parts of a club's texts that are left out: what can be left out, and what the club is afterwards."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from daybook.domain.kernel.chronicle import ChronicleEvent
from daybook.domain.league.blanking import DETAIL_TEXTS, EVENT_TEXTS, find_texts
from daybook.domain.league.club import Club
from daybook.domain.league.club_events import (
    BESIDE,
    AnyEvent,
    BlankedText,
    ClubRenamed,
    ImportedPlay,
    LeagueFounded,
    MemberJoined,
    PlaysImported,
    ResultTyped,
    TextsBlanked,
)
from daybook.domain.league.event_checks import event_fault
from daybook.domain.league.results import PlayDetails
from tests.domain.league.clubs import after, entry, event, founded_club, places

DETAILS = PlayDetails(
    place="at Mina’s",
    expansions=("Mina’s box", "none"),
    variant="Mina’s rules",
    comments="Mina won, said Mina",
    roles={"olga": "Mina’s mother"},
    teams={"ben": "Mina"},
    scores={"ben": "as Mina"},
)
NOT_TEXTS = {  # fields of events that hold ids, days, marks and tags, and nothing that anybody writes freely
    *("at", "by", "key", "nonce", "club", "founder", "zone", "person", "kept", "merged", "evening", "when", "games"),
    *("games_brought", "games_wanted", "until", "series"),
    *(
        "league",
        "rulesets",
        "season",
        "table",
        "seats",
        "game",
        "ruleset",
        "recorded",
        "separate_from",
        "ended_at",
        "batch",
    ),
    *("challenge", "since", "until"),
    *("origin", "record", "seal", "former_members"),
    *(
        "source",
        "source_people",
        "source_games",
        "columns",
        "answered",
        "deleted",
        "into_season",
        "into_table",
        "other_season",
        "other_table",
        "people",
        "answer",
        "roles",
        "texts",
        "substitute",
        "qualifying_season",
        "automa",
    ),
}


def find(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer("Mina", text)]


def club_with_texts() -> Club:
    return after(
        founded_club(),
        [
            entry(ClubRenamed, name="Mina’s Mill"),
            entry(MemberJoined, person="ben", roles=()),
            entry(LeagueFounded, league="1", name="Mina’s Cup", rulesets=("making_profit",)),
            entry(
                ResultTyped,
                season=BESIDE,
                table="1",
                ruleset=":go",
                placed=places("olga", "ben"),
                why="Mina said so",
                details=DETAILS,
            ),
            entry(
                PlaysImported,
                season=BESIDE,
                batch="b",
                source="bgstats",
                plays=(ImportedPlay("b-1", "bgstats:1", ":go", places("olga", "ben"), details=DETAILS),),
            ),
        ],
    )


def blank(club: Club) -> Club:
    texts = tuple(text for item in club.entries for text in find_texts(item.event, find))
    return after(club, [entry(TextsBlanked, texts=texts)])


def test_blanked_club_has_the_name_in_no_text():
    club = club_with_texts()
    blanked = blank(club)
    assert "Mina" in repr(vars(club)), "a club that was handed out stays as it was"
    assert "Mina" not in repr([item.event for item in blanked.entries]) + repr(blanked.beside) + repr(blanked.leagues)
    assert (blanked.name, blanked.leagues["1"].name) == ("…’s Mill", "…’s Cup")
    typed = blanked.beside.tables["1"].typed
    assert typed is not None and typed.details.comments == "… won, said …"
    assert typed.details.expansions == ("…’s box", "none") and typed.details.teams == {"ben": "…"}
    imported = blanked.beside.tables["b-1"].typed
    assert imported is not None and imported.details == typed.details
    assert (blanked.people(), blanked.beside.imported) == (club.people(), club.beside.imported)


def test_club_goes_on_after_texts_were_blanked():
    club = after(blank(club_with_texts()), [entry(MemberJoined, person="cleo", roles=())])
    assert "cleo" in club.people() and "Mina" not in repr(club.beside)
    assert "won, said …" in repr(after(blank_again(club), []).beside)


def blank_again(club: Club) -> Club:
    """Leave out the first letter that is left of a remark, which stands behind what was left out before."""
    step = next(item.step for item in club.entries if isinstance(item.event, ResultTyped))
    return after(club, [entry(TextsBlanked, texts=(BlankedText(step, ("details", "comments"), ((0, 1),)),))])


@pytest.mark.parametrize(
    "text",
    [
        BlankedText(1, ("name",), ((0, 40),)),
        BlankedText(1, ("name",), ((3, 2),)),
        BlankedText(1, ("name",), ((0, 2), (1, 3))),
        BlankedText(1, ("name",), ()),
        BlankedText(1, ("at",), ((0, 2),)),
        BlankedText(1, ("key",), ((0, 2),)),
        BlankedText(2, ("person",), ((0, 2),)),
        BlankedText(4, ("details", "start_player"), ((0, 1),)),
        BlankedText(4, ("details", "comments", "0"), ((0, 1),)),
        BlankedText(6, ("texts",), ((0, 1),)),
        BlankedText(-1, ("name",), ((0, 1),)),
        BlankedText(99, ("name",), ((0, 1),)),
    ],
)
def test_only_parts_of_texts_are_blanked(text):
    club = club_with_texts()
    assert event_fault(club, event(club, entry(TextsBlanked, texts=(text,)))) is not None


def test_same_text_is_blanked_once_an_event():
    club, text = club_with_texts(), BlankedText(1, ("name",), ((0, 4),))
    assert event_fault(club, event(club, entry(TextsBlanked, texts=(text,)))) is None
    assert event_fault(club, event(club, entry(TextsBlanked, texts=(text, text)))) is not None


def test_every_field_with_text_is_known_as_text_or_not():
    fields = {
        name for kind in get_args(AnyEvent) for name, said in kind.__annotations__.items() if "str" in str(said)
    } | {*ChronicleEvent.__annotations__}
    assert fields - EVENT_TEXTS - NOT_TEXTS <= {"step", "details"}
    of_plays = {name for name, said in PlayDetails.__annotations__.items() if "str" in str(said)}
    assert of_plays - DETAIL_TEXTS == {"start_player", "new", "automas", "hour"}, "ids of people, and a time"
