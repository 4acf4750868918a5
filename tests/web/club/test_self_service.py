"""Actions of members at their own tables of a season: results with confirmation, absences, other days."""

from __future__ import annotations

import re

import msgspec
import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import (
    AcceptResult,
    AgreeToDay,
    ChangeClubSettings,
    ChangeSeats,
    CloseSeason,
    EnterPlayers,
    EnterResult,
    GiveRoles,
    PlanTable,
    ProposeDay,
    RecordForfeit,
    ReportAbsence,
    RestoreSeat,
    SeatSubstitute,
)
from daybook.domain.league.club_events import MEMBER_ACTIONS
from daybook.domain.league.event_checks.table_days import MAX_REQUESTS_PER_USER
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import Entrant
from daybook.services.clock import later_time, now
from daybook.services.league import clubs, results
from daybook.services.people import accounts
from daybook.services.permissions.actions import MayNotError
from tests.played import key
from tests.web.api.conftest import Caller
from tests.web.leagues import ClubAtHand

THURSDAY = later_time(now(), days=3)
SUNDAY = later_time(now(), days=6)


class SeasonAtHand(ClubAtHand):
    """A season with one table of Anna, Ben, Cleo and Dora, who all have accounts, and Ella without a seat."""

    def __init__(self, book, app, services=MEMBER_ACTIONS):
        super().__init__(book, app)
        self.people = [self.member(name) for name in ("Anna", "Ben", "Cleo", "Dora")]
        self.ella = self.member("Ella")
        self.open_season(rounds=1, table_sizes=(4,), names="")
        self.by_olga(EnterPlayers("1", tuple(Entrant(person) for person in self.people)))
        self.draw()
        if self.table.seats != tuple(self.people):
            self.by_olga(ChangeSeats("1", "1", tuple(self.people)))
        self.by_olga(PlanTable("1", "1", THURSDAY, "The Swan"))
        self.open_to(*services)

    @property
    def table(self):
        return self.club.seasons["1"].tables["1"]

    def open_to(self, *services):
        settings = msgspec.structs.replace(self.club.settings, members_may=services)
        if settings != self.club.settings:
            self.by_olga(ChangeClubSettings(settings))

    def write(self, person, command, at=None):
        return clubs.write(self.book, self.id, command, by=person, key=key(), at=at)

    def report(self, person, winner=0, why=""):
        placed = tuple(Placed(each, seat, 1 if seat == winner else 2) for seat, each in enumerate(self.people))
        return self.write(person, EnterResult("1", "making_profit", placed, "1", why=why))

    def confirm(self, person):
        return self.write(person, AcceptResult("1", "1"))

    def points(self, person):
        return results.standings_at(self.book, self.club, "1").row(person).games_played


@pytest.fixture
def mill(book, app):
    return SeasonAtHand(book, app)


def test_reported_result_counts_when_another_player_confirms(mill):
    anna, ben = mill.people[:2]
    mill.report(anna)
    assert mill.table.is_unapproved and mill.points(anna) == 0
    with pytest.raises(MayNotError):
        mill.confirm(anna)
    with pytest.raises(MayNotError):
        mill.confirm(mill.ella)
    mill.confirm(ben)
    assert not mill.table.is_unapproved and mill.points(anna) == 1
    with pytest.raises(Refused, match="does not wait"):
        mill.confirm(mill.people[2])
    with pytest.raises(Refused, match="confirmed"):
        mill.report(ben, winner=1, why="I won")


def test_disputed_report_is_replaced_until_one_is_confirmed(mill):
    anna, ben, cleo, _ = mill.people
    mill.report(anna)
    with pytest.raises(Refused, match="reason"):
        mill.report(ben, winner=1)
    mill.report(ben, winner=1, why="I won")
    with pytest.raises(MayNotError):
        mill.confirm(ben)
    mill.confirm(cleo)
    typed = mill.table.typed
    assert typed.by == ben and not mill.table.is_unapproved


def test_umpire_who_plays_reports_for_confirmation(mill):
    anna, ben = mill.people[:2]
    mill.by_olga(GiveRoles(anna, ("umpire",)))
    mill.report(anna)
    assert mill.table.is_unapproved and mill.points(anna) == 0
    mill.confirm(ben)
    assert mill.points(anna) == 1


def test_results_are_reported_by_players_only_and_if_open(mill):
    with pytest.raises(MayNotError):
        mill.report(mill.ella)
    mill.open_to("report_absences", "propose_days")
    for person in mill.people:
        with pytest.raises(MayNotError):
            mill.report(person)
    mill.report(mill.olga)
    assert not mill.table.is_unapproved


def test_season_with_an_unconfirmed_result_is_not_closed(mill):
    mill.report(mill.people[0])
    with pytest.raises(Refused, match="waits for"):
        mill.by_olga(CloseSeason("1"), at=mill.club.step)
    mill.by_olga(AcceptResult("1", "1"))
    mill.by_olga(CloseSeason("1"), at=mill.club.step)
    assert not mill.season.is_open


def test_repeated_confirmation_with_one_key_is_one_entry(mill):
    mill.report(mill.people[0])
    written = [
        clubs.write(mill.book, mill.id, AcceptResult("1", "1"), by=mill.people[1], key="k" * 20) for _ in range(2)
    ]
    assert written[0].step == written[1].step and written[1].repeated


def test_absence_is_reported_withdrawn_and_ended_by_a_new_day(mill):
    anna, ben = mill.people[:2]
    mill.write(anna, ReportAbsence("1", "1"))
    step = mill.club.step
    mill.write(anna, ReportAbsence("1", "1"))
    assert mill.club.absent(mill.table) == [anna] and mill.club.step == step
    with pytest.raises(MayNotError):
        mill.write(anna, ReportAbsence("1", "1", person=ben))
    with pytest.raises(MayNotError):
        mill.write(mill.ella, ReportAbsence("1", "1"))
    mill.write(anna, ReportAbsence("1", "1", absent=False))
    assert mill.club.absent(mill.table) == []
    mill.by_olga(ReportAbsence("1", "1", person=ben))
    assert mill.club.absent(mill.table) == [ben]
    mill.by_olga(PlanTable("1", "1", SUNDAY))
    assert mill.club.absent(mill.table) == []


def test_table_moves_when_all_players_agree(mill):
    anna, ben, cleo, dora = mill.people
    mill.write(anna, ProposeDay("1", "1", SUNDAY))
    for person in (ben, cleo):
        mill.write(person, AgreeToDay("1", "1", SUNDAY))
    assert mill.table.when == THURSDAY and mill.club.players_to_agree(mill.table) == [dora]
    with pytest.raises(Refused, match="already"):
        mill.write(ben, AgreeToDay("1", "1", SUNDAY))
    with pytest.raises(Refused, match="no longer proposed"):
        mill.write(dora, AgreeToDay("1", "1", THURSDAY))
    mill.write(dora, AgreeToDay("1", "1", SUNDAY))
    assert (mill.table.when, mill.table.place, mill.table.proposal) == (SUNDAY, "The Swan", None)


def test_newer_proposal_of_a_day_needs_new_agreements(mill):
    anna, ben, cleo, dora = mill.people
    mill.write(anna, ProposeDay("1", "1", SUNDAY))
    mill.write(ben, ProposeDay("1", "1", later_time(SUNDAY, days=1), "At Ben’s"))
    assert mill.table.proposal.agreed == (ben,)
    for person in (anna, cleo, dora):
        mill.by_olga(AgreeToDay("1", "1", later_time(SUNDAY, days=1), person))
    assert mill.table.place == "At Ben’s"


@pytest.mark.parametrize("when", ["tomorrow", "2020-01-01T12:00:00.000Z", THURSDAY], ids=["word", "past", "same"])
def test_day_that_cannot_be_proposed_is_refused(mill, when):
    with pytest.raises(Refused):
        mill.write(mill.people[0], ProposeDay("1", "1", when))


def test_member_names_and_withdraws_an_own_substitute(mill):
    anna, ben = mill.people[:2]
    mill.write(anna, ReportAbsence("1", "1"))
    mill.write(anna, SeatSubstitute("1", "1", anna, mill.ella, "a train"))
    assert mill.club.seats(mill.table)[0] == mill.ella and mill.club.absent(mill.table) == []
    mill.write(anna, SeatSubstitute("1", "1", anna, "zoe-1", guests={"zoe-1": "Zoe"}))
    with pytest.raises(MayNotError):
        mill.write(ben, RestoreSeat("1", "1", anna))
    mill.write(anna, RestoreSeat("1", "1", anna))
    assert mill.club.seats(mill.table)[0] == anna and mill.club.absent(mill.table) == []


def test_member_may_replace_no_other_player(mill):
    anna, ben = mill.people[:2]
    for person in (ben, mill.ella):
        with pytest.raises(MayNotError):
            mill.write(person, SeatSubstitute("1", "1", anna, mill.ella))
    with pytest.raises(Refused, match="already sits"):
        mill.write(anna, SeatSubstitute("1", "1", anna, ben))
    mill.open_to("report_results", "report_absences", "propose_days")
    with pytest.raises(MayNotError):
        mill.write(anna, SeatSubstitute("1", "1", anna, mill.ella))


def test_member_may_replace_no_forfeit_and_no_result(mill):
    anna, ben = mill.people[:2]
    mill.by_olga(RecordForfeit("1", "1", anna))
    for command in (SeatSubstitute("1", "1", anna, mill.ella), RestoreSeat("1", "1", anna)):
        with pytest.raises(MayNotError):
            mill.write(anna, command)
    mill.by_olga(RestoreSeat("1", "1", anna))
    mill.report(ben)
    with pytest.raises(MayNotError):
        mill.write(anna, SeatSubstitute("1", "1", anna, mill.ella))


def test_own_substitutes_at_a_table_are_limited(mill):
    anna = mill.people[0]
    for _ in range(MAX_REQUESTS_PER_USER // 2):
        mill.write(anna, SeatSubstitute("1", "1", anna, mill.ella))
        mill.write(anna, RestoreSeat("1", "1", anna))
    with pytest.raises(Refused, match="same user"):
        mill.write(anna, SeatSubstitute("1", "1", anna, mill.ella))
    mill.by_olga(SeatSubstitute("1", "1", anna, mill.ella))


def test_absence_leads_player_and_organiser_to_a_substitute(mill):
    anna, where = mill.signed_in("anna"), mill.at("/tables/1")
    page = anna.send(anna.get(where).form("I cannot come on"))
    assert "Name a substitute" in page.text and "Substitutes and forfeits" not in page.text
    assert re.search(r'<details id="stand-in" open>', page.html)
    olga = mill.signed_in()
    assert "Find a substitute" in olga.get(where).text and "Find a substitute" not in page.text
    page = olga.get(f"{where}?absent={mill.people[0]}")
    assert f'<option value="{mill.people[0]}" selected>' in page.html
    page = anna.send(anna.get(where).form_to("/stand-in"), substitute=mill.ella)
    assert "Ella plays for Anna" in page.text and "Anna plays after all" in page.text
    assert "Anna plays after all" not in mill.signed_in("ben").get(where).text
    page = olga.post(f"{where}/absence", key=key(), absent="yes", person=mill.ella)
    assert f'<option value="{mill.people[0]}" selected>' in page.html
    page = anna.send(anna.get(where).form_to("/restore-seat"))
    assert mill.club.seats(mill.table) == tuple(mill.people) and ">cannot come<" not in page.html


def test_member_cannot_forfeit_by_the_page(mill):
    anna, where = mill.signed_in("anna"), mill.at("/tables/1/stand-in")
    for instead in ("nobody", "automa", "what"):
        assert anna.post(where, key=key(), person=mill.people[0], instead=instead).status == 403
    assert anna.post(where, key=key(), person=mill.people[1], instead="substitute").status == 403
    assert anna.post(where, key=key(), person=mill.people[0], instead="substitute").status == 422
    assert not mill.table.stand_ins


def test_requests_of_one_player_at_a_table_are_limited(mill):
    anna, ben = mill.people[:2]
    for number in range(MAX_REQUESTS_PER_USER):
        mill.write(anna, ReportAbsence("1", "1", absent=not number % 2))
    with pytest.raises(Refused, match="same user"):
        mill.write(anna, ReportAbsence("1", "1"))
    with pytest.raises(Refused, match="same user"):
        mill.report(anna)
    mill.write(ben, ReportAbsence("1", "1"))


def test_settled_table_takes_no_requests(mill):
    mill.report(mill.people[0])
    for command in (ReportAbsence("1", "1"), ProposeDay("1", "1", SUNDAY)):
        with pytest.raises(Refused, match="has a game or a result"):
            mill.write(mill.people[1], command)


def test_players_use_their_tables_page(mill):
    anna, ben = mill.signed_in("anna"), mill.signed_in("ben")
    where = mill.at("/tables/1")
    page = anna.send(anna.get(where).form("I cannot come on"))
    assert "You said that you cannot come." in page.text and "cannot come" in ben.get(where).text
    anna.send(page.form("I can come after all"))
    page = anna.send(anna.get(where).form("Propose this day"), when=SUNDAY[:16], zone="UTC", place="At Anna’s")
    assert "Another day is proposed" in page.text and "At Anna’s" in page.text
    page = ben.send(ben.get(where).form("I agree to this day"))
    assert page.status == 200 and "I agree to this day" not in page.text
    assert "Anna proposes another day" in page.text
    page = anna.get(where)
    form = page.form("Save the result")
    assert anna.send(form, **{f"place.{seat}": str(seat + 1) for seat in range(4)}).status == 200
    assert mill.table.is_unapproved
    assert "waits for your confirmation" in ben.get(mill.path).text
    assert "waits for your confirmation" not in anna.get(mill.path).text
    page = ben.send(ben.get(where).form("Confirm the result"))
    assert "was confirmed" in page.text and not mill.table.is_unapproved
    assert "Save the result" not in ben.get(where).text


def test_organisers_choose_what_is_open_on_the_settings_page(mill):
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/settings").form("Save the settings")
    choices = ("report_results", "propose_days", "name_substitutes")
    olga.send(form, **{f"members_may.{action}": None for action in choices})
    assert mill.club.settings.members_may == ("report_absences",)
    page = mill.signed_in("anna").get(mill.at("/tables/1")).text
    assert "Propose another day" not in page and "Save the result" not in page and "I cannot come" in page


def test_days_and_absences_are_hidden_where_evenings_are(mill):
    anna = mill.people[0]
    mill.by_olga(ChangeClubSettings(msgspec.structs.replace(mill.club.settings, public=True)))
    mill.write(anna, ReportAbsence("1", "1"))
    mill.write(anna, ProposeDay("1", "1", SUNDAY, "At Anna’s"))
    page = mill.app.test_client().get(mill.at("/tables/1")).text
    assert "Anna" in page and "cannot come" not in page and "At Anna’s" not in page and "proposes" not in page


def test_api_reports_confirms_and_moves(mill, app):
    caller = Caller(app.test_client())
    anna, ben, ella = (accounts.make_key(mill.book, person, "script") for person in (*mill.people[:2], mill.ella))
    season = f"/clubs/{mill.id}/seasons/1"
    assert caller.post(f"{season}/tables/1/absence", {}, anna).status_code == 201
    assert caller.post(f"{season}/tables/1/absence", {}, ella).json["error"]["code"] == "role_missing"
    replaced = {"person": mill.people[0], "substitute": mill.ella}
    assert caller.post(f"{season}/tables/1/substitute", replaced, ben).json["error"]["code"] == "role_missing"
    assert caller.post(f"{season}/tables/1/substitute", replaced, anna).status_code == 201
    assert caller.post(f"{season}/tables/1/restore-seat", {"person": mill.people[0]}, anna).status_code == 201
    assert caller.post(f"{season}/tables/1/absence", {}, anna).status_code == 201
    assert caller.post(f"{season}/tables/1/propose-day", {"when": SUNDAY}, anna).status_code == 201
    assert caller.post(f"{season}/tables/1/agree-to-day", {"when": SUNDAY}, ben).status_code == 201
    (shown,) = caller.get(f"{season}/tables", ben).json["tables"]
    assert shown["absent"] == [mill.people[0]] and shown["proposal"]["agreed"] == mill.people[:2]
    placed = [{"person": person, "seat": seat, "place": seat + 1} for seat, person in enumerate(mill.people)]
    body = {"ruleset": "making_profit", "placed": placed, "table": "1"}
    assert caller.post(f"{season}/results", body, anna).status_code == 201
    assert caller.post(f"{season}/tables/1/accept", {}, anna).json["error"]["code"] == "role_missing"
    assert caller.post(f"{season}/tables/1/accept", {}, ben).status_code == 201
    assert not mill.table.is_unapproved
