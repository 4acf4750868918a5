"""A person's own log: the pages of a club without a club, and plays that a member brings from it into one."""

from __future__ import annotations

import msgspec
import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import ChangeClubSettings, DissolveClub, EnterResult, FoundLeague
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed
from daybook.services.league import account_merges, anonymity, clubs, members
from daybook.services.league.plays import PlayFilter, list_plays
from daybook.services.operation import erasing
from daybook.services.people import accounts, invitations
from daybook.services.people.accounts import account_of
from daybook.services.store.log import RecordErasedError
from daybook.web.club.own_log import CHOSEN
from tests.played import key, update_results
from tests.services.clubbing import bring_in
from tests.web.leagues import PASSWORD, ClubAtHand

TABLE = """date,game,players,scores,winner
2026-05-01,Azul,Anna; Zoe,51; 40,Anna
2026-05-02,Azul,Anna; Olga,44; 45,Olga
2026-05-03,Go,Zoe; Olga,1; 2,Olga
"""


@pytest.fixture
def anna(mill: ClubAtHand):
    """Anna with three plays in her own log; she took part in two of them."""
    mill.member("Anna")
    visitor = mill.signed_in("anna")
    page = visitor.send(visitor.get("/me/plays").form("Start my log"))
    assert "No play yet" in page.text and "Leagues" not in page.text and "Evenings" not in page.text
    page = visitor.press(page.link("Import and export"), "Preview the import", text=TABLE)
    assert "3 plays were added" in visitor.send(page.form("Add 3 plays")).text
    update_results(mill.book)
    return visitor


def own_log(mill: ClubAtHand):
    (log,) = clubs.own_logs_of(mill.book, mill.signed_in_person("anna"))
    return log


def test_own_log_is_the_owners_alone(mill, anna):
    person = mill.signed_in_person("anna")
    page = anna.get("/me/plays")
    assert "3 plays" in page.text and "Zoe" in page.text
    path = f"/clubs/{own_log(mill).id}"
    for tab in ("/statistics", "/people", "/import", "/settings", "/plays.csv"):
        assert anna.get(f"{path}{tab}").status == 200, tab
    assert "Invite someone" not in anna.get(f"{path}/people").text
    assert "My plays" not in anna.get("/me").text.partition("Your clubs")[2]
    olga = mill.signed_in()
    assert "My plays" not in olga.get("/clubs").html.partition("Yours")[2]
    assert olga.get(f"{path}/plays").status == olga.get(f"{path}/plays.csv").status == 403
    refused = anna.press(f"{path}/settings", "Save the settings", public="yes", name="Anna’s plays")
    assert own_log(mill).name == "Anna’s plays" and not own_log(mill).settings.public and refused.status == 200
    with pytest.raises(Refused, match="own log"):
        clubs.write(mill.book, own_log(mill).id, FoundLeague("L", ["making_profit"]), by=person, key=key())
    with pytest.raises(Refused, match="own log"):
        bring_in(mill.book, own_log(mill).id, mill.olga, by=person)
    clubs.write(mill.book, own_log(mill).id, DissolveClub("enough"), by=person, key=key())  # a program can
    page = anna.send(anna.get("/me/plays").form("Start my log"))
    assert "3 plays" in page.text and not own_log(mill).removed


@pytest.mark.parametrize("approval", [False, True])
def test_member_brings_plays_merged_with_the_clubs(mill, anna, approval):
    placed = (Placed(mill.olga, None, 1, 45), Placed(mill.signed_in_person("anna"), None, 2, 44))
    mill.by_olga(EnterResult(BESIDE, ":Azul", placed, ended_at="2026-05-02T10:00:00.000Z"))
    if approval:
        mill.by_olga(ChangeClubSettings(msgspec.structs.replace(mill.club.settings, approval=True)))
    update_results(mill.book)
    page = anna.get(anna.get(f"{mill.path}/import").link("Choose plays"))
    assert "Zoe" in page.text and "3 May" not in page.text, "plays in which Anna took part"
    page = anna.send(page.form("Preview the import"))
    assert "1 play is new" in page.text and "1 is here under another id" in page.text
    page = anna.send(page.form("Add 1 play"))
    assert "1 play was added. 1 play is one with a play of the club." in page.text
    tables = [*mill.club.beside.tables.values()]
    assert [table.is_unapproved for table in tables] == [False, approval]
    assert {mill.signed_in_person("anna")} < {mill.club.person(each.person) for each in tables[1].typed.placed}
    assert len(own_log(mill).beside.tables) == 3, "the log keeps its plays"
    again = anna.send(anna.get(f"{mill.path}/import/own").form("Preview the import"))
    assert "0 plays are new, 2 are already here" in again.text


def test_member_without_role_imports_no_other_plays(mill, anna):
    page = anna.send(anna.get(f"{mill.path}/import/own").form("Preview the import"))
    form, me = page.form("Add 2 plays"), mill.signed_in_person("anna")
    own = next(name for name, value in form.fields.items() if name.startswith("person.") and value == me)
    assert anna.send(form, **{own: mill.olga}).status == 403
    assert anna.post(f"{mill.path}/import", text=TABLE).status == 403
    of_others = {f"{CHOSEN}{play.id}": "yes" for play in list_plays(mill.book, own_log(mill), PlayFilter(), "", 9).rows}
    forged = anna.send(anna.get(f"{mill.path}/import/own").form("Preview the import"), **of_others)
    assert anna.send(forged.form("Add 3 plays")).status == 403, "Anna was not in one of them"
    assert mill.signed_in().get(f"{mill.path}/import/own").status == 404, "Olga has no own log"


def test_own_log_of_a_forgotten_person_is_erased(mill, anna):
    log, person = own_log(mill), mill.signed_in_person("anna")
    anonymity.make_anonymous(mill.book, person, by=person)
    erasing.erase_own_logs(mill.book, [person])
    erasing.erase_own_logs(mill.book, [person])
    assert account_of(mill.book, person) is None
    with pytest.raises(RecordErasedError):
        mill.book.clubs.get(log.id)


def test_game_recorded_in_own_log_is_its_play(mill, anna):
    path = f"/clubs/{own_log(mill).id}"
    page = anna.get(anna.get(f"{path}/plays").link("Record a game"))
    assert page.status == 200
    form = anna.get(f"/new?club={own_log(mill).id}&game=making_profit")
    page = anna.send(form.form("Open the game"), **{"name.0": "Anna", "name.1": "Zoe", "name.2": "Kim"})
    assert len(own_log(mill).games) == 1, page.text


def test_person_who_joins_by_an_invitation_chooses_plays(mill, anna):
    """Also the other log of a person who merged two accounts is offered, to bring its plays into the first."""
    dora, mine = mill.signed_in_person("anna"), own_log(mill)
    other = clubs.found_club(mill.book, "The Other Club", mill.olga, by=mill.olga, key=key()).record
    key_of_link = invitations.key_of(mill.book, members.invite(mill.book, other, by=mill.olga))
    page = anna.post("/invited/accept", key=key_of_link, **{"as": "me"})
    assert "Welcome to The Other Club" in page.text and "2 plays are chosen" in page.text
    kim = accounts.make_account(mill.book, "Kim", sign_in="kim", password=PASSWORD)
    visitor = mill.signed_in("kim")
    page = visitor.send(visitor.get("/me/plays").form("Start my log"))
    table = "date,game,players,scores,winner\n2026-06-01,Azul,Kim; Zoe,51; 40,Kim\n"
    page = visitor.send(visitor.get(page.link("Import and export")).form("Preview the import"), text=table)
    visitor.send(page.form("Add 1 play"))
    account_merges.merge_accounts(mill.book, dora, kim)
    update_results(mill.book)
    anna.sign_in(dora)
    page = anna.get(f"/clubs/{mine.id}/import")
    page = anna.send(anna.get(page.link("Choose plays")).form("Preview the import"))
    anna.send(page.form("Add 1 play"))
    assert len(mill.book.clubs.get(mine.id).beside.tables) == 4
