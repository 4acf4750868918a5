"""Covered and sealed things in London Markets cannot be learnt from a correction, illegal move, count or comparison."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest

from daybook.domain.commands import Count, RecordAsPlayed, Resolution
from daybook.domain.corrections import correctable
from daybook.domain.kernel.events import DecisionRecorded, Move
from daybook.domain.kernel.terms import TABLE
from daybook.services.disputes import counting
from daybook.services.play.recording import append_command
from daybook.web.disputes import side_by_side
from tests.web.test_secrets import (
    BEN,
    SEALED_FROM,
    Answer,
    Twin,
    Twins,
    alike,
    answers_to,
    dealt_twins,
    plain,
    sealed_twins,
    twins,
)

__all__ = ["dealt_twins", "sealed_twins", "twins"]  # the twins of the covered hands and of the sealed offers

SIGHTS = ("all", "spectator", "0", "1", "3")
OFFERS = [
    {"type": "offer", "coffee": 0, "soap": 0, "silk": 0, "china": 0, goods: n}
    for goods in ("silk", "soap")
    for n in (1, 2)
]
PLACES = ("/players/1/hand/silk", "/players/1/unseen/soap", "/players/1/specials", "/players/1/money")


def addresses(twin: Twin) -> Iterator[str]:
    game = twin.book.games.get(twin.id)
    able = correctable(game)
    for step, how in product(able[-5:], ("right", "before", "stood")):
        yield f"/games/{twin.id}/correct?step={step}&how={how}"
    for step in able[-5:]:
        yield f"/games/{twin.id}/correct?step={step}&how=stood&recorded=yes"
        for instead in instead_of(step):
            yield f"/games/{twin.id}/correct?c={side_by_side.pack_resolutions({step: instead})}"
    for seat, offer in product((0, BEN), OFFERS):
        yield f"/games/{twin.id}/as-played?seat={seat}&decision={msgspec.json.encode(offer).decode()}"
    for seat, kind in product((0, BEN, TABLE), ("offer", "take_special", "offers_revealed", "special_stacked")):
        yield f"/games/{twin.id}/as-played?seat={seat}&kind={kind}"
    for view in SIGHTS:
        yield f"/games/{twin.id}/compare?a=3&view={view}"
        yield f"/games/{twin.id}/compare?with={twin.id}&view={view}"
        yield f"/games/{twin.id}/undone-steps?view={view}"
        yield f"/api/v1/games/{twin.id}/compare?one=3&other={twin.step}&view={view}"
        yield f"/api/v1/games/{twin.id}/compare/{twin.id}?view={view}"
        yield f"/api/v1/games/{twin.id}/counts?view={view}"
    for count in counting.counts_of_game(game):
        yield f"/games/{twin.id}/counts/{count.step}"
        yield f"/api/v1/games/{twin.id}/counts/{count.step}/explanations?plays=60"
    yield f"/games/{twin.id}/count"


def instead_of(step: int) -> Iterator[Resolution]:
    yield Resolution()
    yield Resolution(as_played=True)
    yield Resolution(as_played=True, values={"/players/0/money": 1})
    for offer in OFFERS:
        yield Resolution([Move(BEN, offer)])
        yield Resolution([Move(BEN, offer)], as_played=True)


def questions(twin: Twin) -> Iterator[tuple[str, dict[str, Any]]]:
    able = correctable(twin.book.games.get(twin.id))
    for step in able[-5:]:
        for instead in instead_of(step):
            yield "corrections/plan", {"replacements": {str(step): msgspec.to_builtins(instead)}}
            yield (
                "corrections/plan",
                {"replacements": {str(able[-9]): {"moves": []}, str(step): msgspec.to_builtins(instead)}},
            )
    for seat, offer in product((0, BEN, 3), OFFERS):
        yield "as-played/preview", {"seat": seat, "decision": offer}
        yield "as-played/preview", {"seat": seat, "decision": offer, "values": {"/players/1/money": 3}}


def answers(twin: Twin, who: str) -> Iterator[Answer]:
    return answers_to(twin, who, addresses(twin), questions(twin))


def dispute_both(both: Twins) -> Twins:
    """A count and an illegal move in both, alike as far as they are open."""
    for twin in both:
        if any(
            isinstance(entry.event, DecisionRecorded) and hasattr(entry.event, "rules_applied")
            for entry in twin.book.games.get(twin.id).entries
        ):
            continue
        append_command(
            twin.book,
            twin.id,
            Count(dict.fromkeys(PLACES[:2], 2) | {"/players/1/money": 1}),
            at=twin.step,
            by="scorekeeper",
            key=secrets.token_hex(8),
        )
    return both


@pytest.mark.slow
@pytest.mark.parametrize(("sealed_twins", "who"), SEALED_FROM, indirect=["sealed_twins"])
def test_what_is_sealed_stays_sealed(sealed_twins: Twins, who: str) -> None:
    assert alike(sealed_twins, who, answers) > 100


@pytest.mark.slow
@pytest.mark.parametrize("who", ["seat 0", "reader"])
def test_what_is_covered_stays_covered(dealt_twins: Twins, who: str) -> None:
    assert alike(dispute_both(dealt_twins), who, answers) > 100


def test_an_illegal_move_tells_others_no_more_than_its_rules(dealt_twins: Twins) -> None:
    for twin, silk in zip(dealt_twins, (41, 42), strict=True):
        append_command(
            twin.book,
            twin.id,
            RecordAsPlayed(
                BEN, {"type": "offer", "silk": silk}, {"/players/0/money": 3}, "it stood", rules_applied=False
            ),
            at=twin.step,
            by="scorekeeper",
            key=secrets.token_hex(8),
        )
    for who in ("seat 0", "reader"):
        for name in ("", "/why", "/undone-steps", "/compare"):
            one, other = (plain(twin.browser(who).get(f"/games/{twin.id}{name}").text) for twin in dealt_twins)
            assert one == other, name
