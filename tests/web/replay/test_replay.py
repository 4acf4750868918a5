"""The replay: every step by its link, as the viewer may see it, with its reasons."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from daybook.domain.commands import Abandon, Adjust, Note, TakeBack
from daybook.domain.kernel.terms import TABLE
from daybook.services.play import recording
from tests.played import write
from tests.web.conftest import Opened, Visitor

ITS_OWN = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|<time.*?</time>|value=\"[\w-]{22}(\.[\w-]*)?\""
)
# what tells two games of the same moves apart: their id, the times, and the form's token


def answer(visitor: Visitor, opened: Opened, **query: Any) -> dict[str, Any]:
    got = visitor.client.get(f"{opened.path}/replay.json", query_string=query)
    assert got.status_code == 200
    data: dict[str, Any] = got.get_json()
    return data


def take_back(opened: Opened, to: int, cause: Any = "mistyped", why: str = "it was Ben") -> None:
    opened.write(TakeBack(to, cause, why))


@pytest.fixture
def evening(open_game: Callable[..., Opened]) -> Opened:
    """A public game of some rounds, with a take-back in it, still being played."""
    opened = open_game(public=True)
    opened.deal()
    for card in ("R2", "R2", "M1"):
        seat = opened.game.ruleset.course.to_act(opened.game.board)[0]
        opened.decide(seat, type="develop", card=card)
        opened.decide(seat, type="run")
        while opened.game.ruleset.course.to_act(opened.game.board) == (TABLE,):
            opened.decide(TABLE, type="drawn", card="R1")
    take_back(opened, opened.step - 1)
    if opened.game.document["draws"]:
        opened.decide(TABLE, type="drawn", card="M2")
    return opened


# --- the page, without scripts ---------------------------------------------------------------------------------------


def test_replay_opens_at_newest_step_and_steps_have_addresses(evening, visitor):
    assert f"step {evening.step} of {evening.step}" in visitor.get(evening.path).text
    page = visitor.get(evening.path, step=8)
    assert f"step 8 of {evening.step}" in page.text
    assert "Anna develops R2: the factory is at level 1 MP-4.4.1" in page.text


@pytest.mark.parametrize("step", ["999", "-1", "x", "1e3", "٣"])
def test_a_step_the_record_does_not_have_is_not_found(evening, visitor, step):
    assert visitor.get(evening.path, step=step).status == 404


def test_the_buttons_lead_on_without_scripts(evening, visitor):
    page = visitor.get(evening.path, step=9)
    goes = {key: value for value, key in re.findall(r'<button name="step" value="(\d*)" data-go="([\w-]+)"', page.html)}
    assert goes["back"] == "8" and goes["forward"] == "10"
    assert goes["first"] == "0" and goes["last"] == str(evening.step)
    assert goes["period-back"] == "8", "the first step that the ledger has in the round"
    assert page.form_to("").method == "get"


def test_every_row_of_the_ledger_is_a_link_to_its_step(evening, visitor):
    page = visitor.get(evening.path, step=8)
    rows = re.findall(r'<tbody[^>]*id="step-(\d+)"', page.html)
    assert rows == [str(step) for step in range(evening.step + 1)]
    assert ("9", "?step=9#step-9") in page.links
    assert re.search(r'<tbody aria-current="step" id="step-8"', page.html)


def test_row_shows_change_and_new_value_of_each_column(evening, visitor):
    row = re.search(r'<tbody id="step-8".*?</tbody>', visitor.get(evening.path).html, re.S)
    assert row
    cells = re.findall(r'<td class="n(?: same)?">(.*?)</td>', re.sub("</?a[^>]*>", "", row[0]))
    assert cells == ["$0", "2", '<i class="gain">+1</i> 1', "<i>−1</i> 1", '<i class="gain">+2</i> $2'], (
        "money, certificates, level, hand, score"
    )


def test_passes_and_facts_are_plain_and_decisions_are_not(evening, visitor):
    html = visitor.get(evening.path).html
    assert re.search(r'id="step-1"[^>]*class="fact plain"', html)
    assert re.search(r'id="step-8"[^>]*class="decision"', html)


def test_what_was_taken_back_is_struck_and_says_by_what(evening, visitor):
    back = next(entry.step for entry in evening.game.entries if entry.topic == "decisions_taken_back")
    page = visitor.get(evening.path)
    assert re.search(rf'id="step-{back - 1}"[^>]*class="[^"]*\bstruck"', page.html)
    assert f"undone by step {back}, mistyped; recorded by the scorekeeper: it was Ben" in page.text
    assert f"Mistyped: step {back - 1} does not count: it was Ben" in page.text


def test_adjustments_notes_and_the_closing_are_told_plainly(friday, visitor):
    friday.write(Adjust({"/players/0/money": 3}, "three chips too few", "table"))
    friday.write(Note(7, "Cleo came late"))
    friday.write(Abandon("it grew late"))
    text = friday.visitor().get(friday.path).text
    assert "three chips too few" in text
    assert "On step 7: Cleo came late" in text
    assert "The game was abandoned: it grew late" in text


def test_periods_head_the_ledger(evening, visitor):
    assert re.findall(r"<h3>((?:set-up|round).*?)</h3>", visitor.get(evening.path).html)[:2] == ["set-up", "round 1"]


def test_changed_figures_are_marked_on_the_page_itself(evening, visitor):
    html = visitor.get(evening.path, step=8).html
    assert re.search(
        r'class="figure after changed" data-at="/players/0/factory" title="Anna: cards in the factory">'
        r'<span class="delta" aria-hidden="true"><s>0</s> <i class="gain">\+1</i></span>1</b>',
        html,
    )


def test_names_and_titles_are_text(open_game):
    opened = open_game(names=("<i>Anna", "Ben & Co", '"Cleo'), title="</title><script>", public=True)
    opened.deal()
    html = Visitor(opened.app).get(opened.path).html
    assert "<script>" not in html and "<i>Anna" not in html
    assert "Ben &amp; Co" in html


# --- sights ----------------------------------------------------------------------------------------------------------


def test_a_private_game_is_not_shown_to_strangers(friday, visitor):
    for path in ("", "/replay.json", "/why?step=3", "/figures", "/figures.csv", "/events", "/newest.json"):
        assert visitor.client.get(friday.path + path).status_code == 403, path


def test_a_game_that_is_not_there_is_not_found(visitor):
    nowhere = "/games/00000000-0000-0000-0000-000000000000"
    for path in ("", "/replay.json", "/why", "/figures", "/figures.csv", "/events", "/newest.json"):
        assert visitor.client.get(nowhere + path).status_code == 404, path


def test_who_may_look_through_what_while_a_game_is_played(friday):
    seat = friday.visitor("seat", 1).get(friday.path)
    offered = re.compile(r'<option value="(all|spectator|\d)"(?: selected)?>(?:everything|as )')
    assert offered.findall(friday.visitor().get(friday.path).html) == ["all", "0", "1", "2", "spectator"]
    assert offered.findall(seat.html) == ["1", "spectator"]
    assert "as a spectator" in friday.visitor("reader").get(friday.path).text


@pytest.mark.parametrize("view", ["all", "0", "2", "7", "nobody"])
def test_a_sight_that_may_not_be_had_is_refused(friday, view):
    seat = friday.visitor("seat", 1)
    assert seat.client.get(f"{friday.path}/replay.json?view={view}").status_code == 403
    assert seat.client.get(f"{friday.path}/why?step=3&view={view}").status_code == 403
    assert seat.client.get(f"{friday.path}?step=3&view={view}").location == f"{friday.path}?step=3", "the own sight"


def test_a_finished_game_is_seen_as_each_seat_saw_it(open_game):
    opened = open_game(public=True)
    opened.play(400, seed=3)
    visitor = Visitor(opened.app)
    assert opened.game.status == "closed"
    everything, second = visitor.get(opened.path, step=4, view="all"), visitor.get(opened.path, step=4, view="1")
    hand = re.compile(r'data-part="hand-0">(.*?)</div>\s*</div>', re.S)
    assert "card-back" not in hand.findall(everything.html)[0]
    assert "card-back" in hand.findall(second.html)[0]


def test_links_to_other_steps_keep_the_sight_of_the_address(evening, visitor):
    """Also in rows that come later; and where it names none, they name none."""
    before = evening.step
    for view in ("", "spectator"):
        named = f"view={view}&amp;" if view else ""
        page = visitor.get(evening.path, **({"view": view} if view else {}))
        links = re.findall(r'<td class="no"><a href="([^"]*)"', page.html)
        assert links == [f"?{named}step={step}#step-{step}" for step in range(before + 1)]
        assert re.findall(r'<tbody aria-current="step" id="step-(\d+)"', page.html) == [str(before)]
    take_back(evening, 9)
    for view in ("", "spectator", ""):
        named = f"view={view}&amp;" if view else ""
        told = answer(visitor, evening, after=before, **({"view": view} if view else {}))
        assert f'href="?{named}step={before + 1}#step-{before + 1}"' in told["rows"][str(before + 1)]
        assert f'class="struck-by"><a href="?{named}step={before + 1}#' in told["rows"]["10"]
    page = visitor.get(evening.path, view="spectator")
    assert page.html.count('href="?view=spectator&amp;step=') == page.html.count("#step-") >= before + 2


def same_moves(opened: Opened, hidden: str) -> None:
    """Deal, and play on by public moves."""
    opened.deal(hidden)
    for seat in (0, 0, 1):
        opened.decide(seat, type="run")
    opened.decide(1, type="end_turn")
    opened.decide(2, type="run")


@pytest.mark.parametrize(
    ("holder", "cards", "rest"),
    [
        (("reader", None), "R2 M1 R2 M2 M1 M2", "M2 M2 R1 R1 R2 R2"),
        (("seat", 1), "R2 M1 R2 M2 M1 M2", "M2 M2 R2 M2 R2 R2"),
        (("seat", 0), "R2 M1 R2 M2 M1 M2", "R2 M1 R1 R1 R2 R2"),
    ],
)
def test_no_secret_reaches_who_may_not_know_it(open_game, holder, cards, rest):
    """Two games that differ only in things hidden from a viewer look the same to that viewer, byte for byte."""
    seen = []
    for hidden in (cards, rest):
        opened = open_game(title="Friday")
        same_moves(opened, hidden)
        somebody = opened.visitor(*holder)
        paths = [
            "",
            "?view=spectator",
            "?step=2",
            "/replay.json",
            "/replay.json?after=2",
            "/figures",
            "/figures.csv",
            *(f"/why?step={step}" for step in range(opened.step + 1)),
        ]
        texts = [somebody.client.get(opened.path + path).get_data(as_text=True) for path in paths]
        seen.append([ITS_OWN.sub("*", text) for text in texts])
    for value, other, path in zip(*seen, paths, strict=True):
        assert value == other, path


def test_the_scorekeeper_sees_the_difference(open_game):
    """The test above would notice a secret."""
    seen = []
    for hidden in ("R2 M1 R2 M2 M1 M2", "M2 M2 R1 R1 R2 R2"):
        opened = open_game(title="Friday")
        same_moves(opened, hidden)
        seen.append(ITS_OWN.sub("*", json.dumps(answer(opened.visitor(), opened))))
    assert seen[0] != seen[1]


# --- everything in one answer ----------------------------------------------------------------------------------------


def lying(answer: dict[str, Any], step: int) -> dict[str, str]:
    """The parts as a browser has them after a step."""
    parts: dict[str, str] = {}
    for drawn, _ in answer["steps"][: step + 1]:
        parts |= {part: answer["html"][place] for part, place in drawn.items()}
    return parts


def test_the_answer_holds_every_step_as_the_page_shows_it(evening, visitor):
    told = answer(visitor, evening)
    assert told["first"] == 0 and told["newest"] == evening.step and len(told["steps"]) == evening.step + 1
    for step in range(evening.step + 1):
        html = re.sub(r'<span class="delta".*?</span>| changed(?=")', "", visitor.get(evening.path, step=step).html)
        for part, drawn in lying(told, step).items():
            assert drawn in html, (step, part)


def test_a_step_draws_only_what_it_changed(evening, visitor):
    drawn, marks = answer(visitor, evening)["steps"][8]
    assert sorted(drawn) == ["bank", "course", "factory-0", "hand-0", "strip"]
    assert marks["/players/0/factory"] == ["0", "+1"]
    assert marks["/players/0/factory/0"] == ["", ""]


def test_what_came_after_a_step_is_told_with_its_rows(evening, visitor):
    before = evening.step
    whole = answer(visitor, evening)
    take_back(evening, 9)
    told = answer(visitor, evening, after=before)
    assert told["first"] == before + 1 and len(told["steps"]) == 1
    assert str(before + 1) in told["rows"] and "10" in told["rows"], "and the rows that it struck out"
    assert "9" not in told["rows"]
    assert lying(answer(visitor, evening), evening.step) == lying(whole, 9)
    assert told["stops"]["periods"][0] == [0, "set-up"]
    assert "<svg" in told["charts"]


def test_filmstrip_extended_step_by_step_equals_one_made_at_once(open_game):
    opened = open_game(public=True)
    visitor = Visitor(opened.app)
    for _ in range(12):
        opened.play(3, seed=8)
        answer(visitor, opened)
    take_back(opened, 20)
    opened.play(6, seed=9)
    grown = answer(visitor, opened), visitor.get(opened.path).html
    opened.app.extensions["filmstrips"].forget()
    opened.app.extensions["replay_answers"].forget()
    afresh = answer(visitor, opened), visitor.get(opened.path).html
    assert grown[0]["steps"] == afresh[0]["steps"] and grown[0]["html"] == afresh[0]["html"]
    assert ITS_OWN.sub("*", grown[1]) == ITS_OWN.sub("*", afresh[1])


def test_an_answer_is_packed_and_asked_for_once(evening, visitor):
    client: FlaskClient = visitor.client
    first = client.get(f"{evening.path}/replay.json", headers={"Accept-Encoding": "gzip"})
    assert first.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(first.data)) == answer(visitor, evening)
    known = {"If-None-Match": first.headers["ETag"]}
    assert client.get(f"{evening.path}/replay.json", headers=known).status_code == 304
    assert client.get(f"{evening.path}/replay.json?after=1", headers=known).status_code == 200
    write(evening.book, evening.id, Note(1, "another"), key="another")
    assert client.get(f"{evening.path}/replay.json", headers=known).status_code == 200


def test_another_viewers_mark_does_not_fit(friday):
    mine = friday.visitor("seat", 0).client.get(f"{friday.path}/replay.json")
    other = friday.visitor("seat", 1).client.get(
        f"{friday.path}/replay.json", headers={"If-None-Match": mine.headers["ETag"]}
    )
    assert other.status_code == 200
    assert "Cookie" in mine.headers["Vary"] and "private" in mine.headers["Cache-Control"]


def test_a_new_name_is_told_at_once(evening, visitor):
    known = visitor.client.get(f"{evening.path}/replay.json").headers["ETag"]
    (kept,) = evening.book.kept.games_of([evening.game.id])
    recording.rename_game(evening.book, evening.game.id, names=["Annabel", *kept.names[1:]])
    assert visitor.client.get(f"{evening.path}/replay.json", headers={"If-None-Match": known}).status_code == 200
    assert "Annabel develops R2" in visitor.get(evening.path).text


@pytest.mark.parametrize("after", ["-1", "x", "1.5"])
def test_what_comes_after_nonsense_is_refused(evening, visitor, after):
    assert visitor.client.get(f"{evening.path}/replay.json?after={after}").status_code == 400


def test_a_page_is_packed_only_for_our_own_pages(evening, visitor):
    def encoding(site: str) -> str | None:
        headers = {"Accept-Encoding": "gzip", "Sec-Fetch-Site": site}
        return visitor.client.get(evening.path, headers=headers).headers.get("Content-Encoding")

    assert (encoding("none"), encoding("same-origin"), encoding("cross-site")) == ("gzip", "gzip", None)


# --- figures and reasons ---------------------------------------------------------------------------------------------


def test_the_figures_of_the_charts_stand_in_a_table_and_a_file(evening, visitor):
    assert "Figures" in visitor.get(f"{evening.path}/figures").text
    rows = list(csv.DictReader(io.StringIO(visitor.client.get(f"{evening.path}/figures.csv").data.decode("utf-8-sig"))))
    assert len(rows) == evening.step + 1
    assert rows[8]["level A"] == "1" and rows[8]["period"] == "round 1"


def test_why_names_the_rule_of_each_effect_and_every_check(evening, visitor):
    page = visitor.get(f"{evening.path}/why", step=8)
    assert "Anna develops R2: the factory is at level 1 MP-4.4.1" in page.text
    assert 'id="MP-4.4.1"' in page.html
    assert "✓ It is this player’s turn holds MP-4.1.1" in page.text
    assert "What Anna could have decided" not in page.text, "a spectator does not see Anna's hand"


def test_why_lists_what_was_legal_and_why_the_rest_was_not(friday):
    friday.decide(0, type="develop", card="R2")
    page = friday.visitor("seat", 0).get(f"{friday.path}/why", step=8)
    assert "What Anna could have decided" in page.text
    assert "Develop M1" in [says for says, _ in page.links]
    assert "✗ Buy a certificate: a red certificate costs $2, and the player has $0 MP-4.2.1" in page.text
    assert "Card drawn" not in page.text
    other = friday.visitor("seat", 1).get(f"{friday.path}/why", step=8)
    assert "Develop M1" not in other.text


def test_why_not_answers_for_any_decision(friday):
    friday.decide(0, type="develop", card="R2")
    asked = {"step": 8, "decision": json.dumps({"type": "buy_stock", "colour": "red"})}
    page = friday.visitor("seat", 0).get(f"{friday.path}/why", **asked)
    assert "Would this have been legal: Buy a red certificate?" in page.text
    assert "✗ There is money to pay for it: a red certificate costs $2, and the player has $0 MP-4.2.1" in page.text
    assert friday.visitor("seat", 1).get(f"{friday.path}/why", **asked).status == 403


@pytest.mark.parametrize("decision", ["{", "[]", "3", '{"type": "fly"}', '{"type": "run", "to": 3}', "{}"])
def test_what_is_no_decision_has_no_reasons(friday, decision):
    friday.decide(0, type="run")
    assert friday.visitor().get(f"{friday.path}/why", step=8, decision=decision).status == 400


def test_steps_that_are_no_decisions_are_explained_too(evening, visitor):
    for step in range(evening.step + 1):
        assert visitor.get(f"{evening.path}/why", step=step).status == 200


def test_what_is_asked_for_beyond_the_newest_step_is_kept_once(friday):
    """Any visitor may ask for the entries after any number, and each answer is cached."""
    keeper = friday.visitor()
    marks = {
        keeper.client.get(f"{friday.path}/replay.json?after={after}").headers["ETag"]
        for after in (friday.step, friday.step + 1, 10**8)
    }
    assert len(marks) == 1
