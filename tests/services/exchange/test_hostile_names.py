"""Files of plays read back what they were written from, whatever games, people and places are called."""

from __future__ import annotations

import pytest

from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.services.exchange import bgg, bgstats_file, table
from daybook.services.exchange.plays_file import read_plays

WRITTEN_AT = "2026-11-30T08:00:00.000Z"
WRITERS = {
    "csv": table.file_of,
    "json": lambda plays: bgstats_file.write_bgstats(plays, WRITTEN_AT),
    "xml": bgg.write_bgg,
}
HOSTILE = (
    "semi; colon; s",
    'quotes " \' ` „“',
    "comma, tab",
    "=1+1",
    "+49",
    "-1",
    "@cmd",
    "\u05d0\u05d1\u05d2 right to left",
    "emoji \U0001f3b2\U0001f469\u200d\U0001f467",
    "<b>&amp;</b> ]]>",
    "{name} %s \\n",
    "# comment",
    "x" * 60,
    "yes",
    "1.",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", WRITERS)
def test_plays_with_hostile_names_read_back(kind, name):
    players = (
        Player(name, id="a", score=7, place=1, won=True, seat=0),
        Player("Ben", id="b", score=5, place=2, won=False, seat=1),
    )
    play = Play("play-1", "2026-11-29", PlayedGame(name), players, place=name, variant=name, comments=name)
    incoming = read_plays(WRITERS[kind]([play]))
    assert incoming.spoilt == []
    (came,) = incoming.plays
    assert (came.game.name, came.place) == (name, name)
    assert [player.name for player in came.players] == [name, "Ben"]
    assert [player.score for player in came.players] == [7, 5]
    assert came.comments == name


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_expansions_with_semicolons_read_back(kind):
    players = (Player("Anna", id="a", won=True), Player("Ben", id="b", won=False))
    expansions = ("Seafarers; Extended", "Cities")
    play = Play("play-1", "2026-11-29", PlayedGame("Catan"), players, expansions=expansions)
    (came,) = read_plays(WRITERS[kind]([play])).plays
    assert came.expansions == expansions
