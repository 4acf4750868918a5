"""Seasons that are cancelled or removed, and clubs that are dissolved."""

from __future__ import annotations

import io
import zipfile

import pytest

from daybook.domain.league.club_commands import CloseSeason, WithdrawPlayer
from daybook.services.league import season_end
from daybook.services.league.results import season_results
from daybook.services.people import accounts
from tests.played import key
from tests.web.conftest import VisitedPage

pytestmark = pytest.mark.sqlite_suffices


def play_season(mill):
    mill.open_season()
    mill.draw(rounds=1)
    seats = mill.season.tables["1"].seats
    mill.type("1", *seats)
    return seats


@pytest.mark.both_databases
def test_cancelled_season_has_no_winner_and_opens_again(mill):
    winner, olga = play_season(mill)[0], mill.signed_in()
    assert olga.press(mill.at("/run"), "Cancel the season", why="").status == 422
    page = olga.press(mill.at("/run"), "Cancel the season", why="too few came")
    assert "no one won it" in page.text and "too few came" in page.text
    assert not mill.season.is_open and season_end.winners(mill.book, mill.club, mill.season, ()) == []
    assert "won by" not in olga.get(mill.path).text and "cancelled" in olga.get(mill.path).text
    assert mill.season.tables["1"].typed is not None and winner in olga.get(mill.at()).html
    assert olga.press(mill.at("/run"), "Open the season again", why="they came").status == 200
    assert mill.season.is_open and season_end.winners(
        mill.book, mill.club, mill.season, season_results(mill.book, mill.club, "1")
    ) == [[winner]]


def test_winner_of_a_closed_season_has_not_withdrawn(mill):
    first, second, *_ = play_season(mill)
    mill.by_olga(WithdrawPlayer("1", first))
    for number in range(2, 5):
        if str(number) in mill.season.tables:
            mill.type(str(number), *mill.season.tables[str(number)].seats)
    mill.by_olga(CloseSeason("1"))
    assert season_end.winners(mill.book, mill.club, mill.season, ()) == [[second]]


def test_removed_season_is_in_no_list_and_can_be_restored(mill):
    mill.open_season()
    olga = mill.signed_in()
    assert olga.press(mill.at("/run"), "Remove the season", why="twice").status == 200
    assert "Autumn" not in olga.get(f"{mill.path}/leagues/1").text
    assert mill.club.open_seasons() == []
    olga.press(mill.at("/run"), "Restore the season", why="not twice")
    assert "Autumn" in olga.get(f"{mill.path}/leagues/1").text and mill.season.is_open


def test_season_with_results_is_not_removed(mill):
    play_season(mill)
    page = mill.signed_in().press(mill.at("/run"), "Remove the season", why="a mistake")
    assert page.status == 422 and not mill.season.removed


def test_dissolved_club_keeps_its_past_and_refuses_changes(mill):
    play_season(mill)
    olga = mill.signed_in()
    page = olga.press(f"{mill.path}/settings", "Dissolve it", why="moved away")
    assert "was dissolved" in page.text and "Autumn" in page.text
    assert mill.club.open_seasons() == [] and mill.club.is_dissolved
    body = olga.client.get(f"{mill.path}/archive.zip").data
    with zipfile.ZipFile(io.BytesIO(body)) as file:
        names = file.namelist()
        assert {"club.daybook", "seasons/1/standings.csv", "SHA256SUMS"} <= {*names}
        assert len(file.read("club.daybook").splitlines()) == mill.club.step + 2
    assert olga.post(mill.at("/run/cancel"), key=key(), why="why").status == 422
    olga.press(mill.path, "Restore the club", why="moved back")
    assert not mill.club.removed and mill.season.is_open


def test_member_may_not_end_a_season_or_a_club(mill):
    play_season(mill)
    mill.member("Ines")
    ines = mill.signed_in("ines")
    for path in (mill.at("/run/cancel"), mill.at("/run/remove"), f"{mill.path}/dissolve"):
        assert ines.post(path, key=key(), why="spite").status == 403
    assert ines.get(f"{mill.path}/archive.zip").status == 403


def test_club_moves_in_by_page_and_by_api(mill):
    """The club comes back to its own Daybook, as a club of a stranger."""
    play_season(mill)
    file = mill.signed_in().client.get(f"{mill.path}/entries.daybook").data
    ida = accounts.make_account(mill.book, "Ida", sign_in="ida", password="seven looms at dawn")
    stranger = mill.signed_in("ida")

    def send(content: bytes):
        form = stranger.get("/clubs/import").form_to("/clubs/import")
        fields = {**form.fields, "file": (io.BytesIO(content), "club.daybook")}
        kind = "multipart/form-data"
        return VisitedPage(stranger.client.post(form.action, data=fields, content_type=kind, follow_redirects=True))

    cut = send(file[:-80])
    assert cut.status == 422 and "does not end with its seal" in cut.text
    assert send(b"").status == 422
    page = send(file)
    assert page.status == 200 and "entries with intact seals" in page.text and "Anna" in page.text
    moved = mill.book.clubs.with_people([ida])[0]
    assert "came from another Daybook" in stranger.get(f"/clubs/{moved.id}/settings").text
    assert "Anna" in stranger.get(f"/clubs/{moved.id}/seasons/1").text
    table = stranger.get(f"/clubs/{moved.id}/seasons/1/tables/1").text
    assert "on another Daybook" in table
    assert mill.signed_in().get(f"/clubs/{moved.id}").status in (403, 404)
    assert "You imported this file before" in send(file).text
    program = accounts.make_key(mill.book, ida, "a program")
    told = {"Authorization": f"Bearer {program}"}
    kind = "application/x-ndjson"
    answer = mill.app.test_client().post("/api/v1/clubs/import", data=file, headers=told, content_type=kind)
    assert (answer.status_code, answer.json["club"], answer.json["repeated"]) == (201, str(moved.id), True)
    for content, headers, status in ((file[:-9], told, 422), (file, {}, 403), (b"", told, 422)):
        client = mill.app.test_client()
        answer = client.post("/api/v1/clubs/import", data=content, headers=headers, content_type=kind)
        assert answer.status_code == status, answer.json
