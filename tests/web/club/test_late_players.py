"""A player without a seat joins a score sheet that is entered in a club."""

from __future__ import annotations

from tests.played import update_results
from tests.web.club.test_own_log import own_log
from tests.web.leagues import ClubAtHand


def test_late_player_is_seated_at_the_table_of_the_club(mill: ClubAtHand):
    mill.member("Anna")
    anna = mill.signed_in("anna")
    anna.send(anna.get("/me/plays").form("Start my log"))
    log = own_log(mill)
    chosen = anna.get(f"/new?club={log.id}")
    page = anna.get(chosen.link("Skull King"))
    anna.send(page.form("Open the game"), **{"name.0": "Anna", "name.1": "Zoe", "name.2": ""})
    (old,) = own_log(mill).games
    page = anna.send(anna.get(f"/games/{old}/record").form("Add the player"), name="Kim", points="")
    assert "Kim joins" in page.text
    (new,) = own_log(mill).games
    (table,) = own_log(mill).beside.tables.values()
    names = mill.book.kept.names(own_log(mill).everybody())
    assert new != old and [names[person] for person in table.played] == ["Anna", "Zoe", "Kim"]
    page = anna.send(anna.get(f"/games/{new}/record").form("Add the player"), name="Zoe", points="")
    assert "Nothing was saved" in page.text, "Zoe sits there"
    update_results(mill.book)
    assert anna.get("/me/plays").status == 200
