"""Everything a game can record has words, so that a new game cannot forget any, and no sentence has a gap."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import chain, count, islice
from pathlib import Path
from pkgutil import iter_modules
from random import Random
from string import Formatter
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from flask import Flask

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import value_at
from daybook.domain.kernel.by_hand import causes_on
from daybook.domain.kernel.events import Cause, Objection
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import KEEPER, TABLE, Board, ByNumber, Reason, because
from daybook.services.play import period_scores
from daybook.services.play.practice import Dealer
from daybook.services.play.replay import StepShown
from daybook.services.store.printed_sheets import printed_sheet
from daybook.web import words
from daybook.web.request.forms import option_fields
from daybook.web.words import checks, plain
from daybook.web.words.game_pages import find_unknown_field, pages_of
from daybook.web.words.game_words import Chart
from daybook.web.words.places import iter_leaves
from daybook.web.words.record_words import ADJUSTED, TAKEN_BACK

ROOT = Path(__file__).parents[3]
SEVERAL_OF_ONE = re.compile(  # what is counted in several, after a 1 that is no part of £1, A1, 21 or −1
    r"(?<![\w£$.−+])1 (?:more |red |green |loan |shipping |stored |goods |special |worker |development )*"
    r"(?:actions|arrows|bars|cards|certificates|crates|draws|exchanges|factories|goods|lamps|levels|loans|machines|"
    r"markers|markets|points|resources|rounds|seats|shares|ships|spaces|steps|tokens|workers)\b(?! cards?\b)"
)
NAMES = (
    *("Anna", "Ben", "Cleo", "Dora", "Ewa", "Finn", "Gus", "Hana", "Ines", "Jo", "Kim", "Lars"),
    *("Mona", "Nils", "Olga", "Pia", "Quinn", "Rosa", "Sven", "Tess"),
)
KOREAN_NAMES = (
    *("지민", "수아", "도윤", "하준", "서연", "민서", "예은", "시우", "지우", "현우", "유진", "은우"),
    *("나은", "다은", "라온", "마루", "바다", "사랑", "아인", "자윤"),
)
TWICE = re.compile(r"\b([a-z]+) \1\b")  # position position 2
GAPS = re.compile(r"[{}]|%\(|\bNone\b|\bFalse\b|\bTrue\b(?! Worker)")

every_game = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))


@pytest.fixture(autouse=True)
def speaking(built_app: Flask) -> Iterator[None]:
    with built_app.test_request_context():
        yield


@pytest.fixture(autouse=True)
def words_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our games have sentences: none of their things shows its internal name."""

    def wanting(name: str) -> str:
        raise AssertionError(f"{name} has no words")

    monkeypatch.setattr(plain, "spaced_name", wanting)


def tags(union: Any) -> list[str]:
    return [str(kind.__struct_config__.tag) for kind in get_args(union)]


# What a game says is said again at most of its boards: a sentence is read once, and so is what it is made from.


@cache
def whole(sentence: str) -> str:
    """A sentence with something in it and nothing left open."""
    assert sentence.strip()
    assert not GAPS.search(sentence), sentence
    return sentence


@cache
def read_aloud(sentence: str) -> str:
    """Same as `whole`, with the singular for one thing, and no repeated word."""
    assert not SEVERAL_OF_ONE.search(whole(sentence)), sentence
    assert not TWICE.search(sentence), sentence
    return sentence


def story(sentence: str, names: Sequence[str]) -> str:
    """Same as `read_aloud`, beginning with a capital, a figure or a name."""
    assert not read_aloud(sentence)[0].islower() or sentence.startswith(tuple(names)), sentence
    return sentence


@every_game
def test_every_decision_has_a_button_and_each_field_a_question(rules):
    for kind in get_args(rules.types.decisions):
        tag = str(kind.__struct_config__.tag)
        whole(words.kind_label(rules.id, tag))
        assert kind in words.GAMES[rules.id].decisions.sentences
        for field in msgspec.structs.fields(kind):
            whole(words.field_label(rules.id, tag, field.name))


@every_game
def test_no_word_is_kept_for_what_a_game_does_not_have(rules):
    vocabulary = words.GAMES[rules.id]
    assert set(vocabulary.decisions.kinds) == set(tags(rules.types.decisions))
    assert set(vocabulary.decisions.sentences) == {*get_args(rules.types.decisions)}
    assert set(vocabulary.effects) == {*get_args(rules.types.effects)}
    assert set(vocabulary.ledger.columns) == set(rules.ledger.columns)
    assert vocabulary.ledger.money <= set(rules.ledger.columns)
    assert find_unknown_field(rules.id, pages_of(rules.id), {}) == ""
    says = set(reasons_of(rules))
    assert set(vocabulary.refusals.reasons) <= says, "a reason that no rule gives any more"


@every_game
def test_every_text_uses_fields_that_its_type_has(rules):
    vocabulary = words.GAMES[rules.id]
    for kind, text in {**vocabulary.decisions.sentences, **vocabulary.effects}.items():
        if isinstance(text, str):
            asked = {name for _, name, _, _ in Formatter().parse(text) if name}
            assert asked <= {*kind.__struct_fields__}, (kind, text)


@every_game
def test_words_look_up_nothing_by_a_text(rules):
    """Sentences, charts and prompts read fields, so that the type checker knows of each whether there is such a one.

    What is a table by its nature stays one: the figures of a score's line, printed numbers, the slots of a warehouse.
    """
    found = []
    for file in sorted((ROOT / "web/games" / rules.id).glob("*.py")):
        # these read documents, as they are drawn and changed; making.py a form and a refusal
        if file.name in ("drawing.py", "miniature.py", "document_figures.py", "making.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            key = (
                node.slice
                if isinstance(node, ast.Subscript)
                else (
                    node.args[0]
                    if isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr == "get"
                    and node.args
                    else None
                )
            )
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                found.append((file.name, ast.unparse(node)))
    assert [value for value in found if not value[1].startswith(("line", "printed", "slots"))] == []


@every_game
def test_what_each_viewer_is_told_is_of_the_types_of_the_game(rules):
    """Also what is covered for a viewer: it is written down as plain values, and told by its type again."""
    sheet, covered = printed_sheet(rules.id), 0
    for seed in range(2):
        options = {
            field.name: field.choices[seed % len(field.choices)]
            for field in option_fields(rules.types.options)
            if field.kind == "choice"
        }
        table = rules.table(rules.colours(sheet)[: rules.seats[-1]], options, sheet)
        board, dealer = rules.opening_board(table), Dealer(seed)
        while (chosen := dealer.next_decision(rules, board)) is not None:
            board, effects = rules.play(board, *chosen)
            for viewer in (None, *range(board.table.seats), *((KEEPER,) if rules.secrecy.seals else ())):
                decision, told = rules.secrecy.redact_step(board, *chosen, effects, viewer)
                assert rules.decision(msgspec.to_builtins(decision)) == decision
                assert rules.typed_effects(msgspec.to_builtins(list(told))) == list(told)
                covered += (decision, list(told)) != (chosen[1], effects)
    assert bool(covered) == (rules.id in ("making_profit", "london_markets")), "in the others all lies open"


@every_game
def test_options_columns_and_every_printed_number_have_names(rules):
    for field in option_fields(rules.types.options):
        whole(words.option_label(rules.id, field.name))
        for value in field.choices:
            whole(words.option_label(rules.id, field.name, value))
    for column in rules.ledger.columns:
        whole(words.column_label(rules.id, column))
        whole(words.column_value(rules.id, column, -3))
        whole(words.change_label(rules.id, column, -3))
    sheet = printed_sheet(rules.id)
    for path in sheet.numbers:
        whole(words.number_label(rules.id, path))
    for colour in rules.colours(sheet):
        whole(words.colour_label(rules.id, colour))
    for period in (*rules.course.periods, period_scores.FINAL):
        whole(words.mark_label(rules.id, period, 3))
    for seats in rules.seats:
        whole(words.GAMES[rules.id].setup.advice(seats) or "none")


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_are_told_without_a_gap(rules, seed):
    """Every board of random games: prompts, legal decisions, refusals, effects, marks, scores, places."""
    random = Random(seed)
    options = {
        field.name: random.choice(field.choices) if field.kind == "choice" else field.default
        for field in option_fields(rules.types.options)
    }
    sheet = printed_sheet(rules.id)
    table = rules.table(rules.colours(sheet)[: random.choice(rules.seats)], options, sheet)
    board, dealer = rules.opening_board(table), Dealer(seed)
    names = NAMES[: table.seats]
    for number in range(2_000):
        chosen = dealer.next_decision(rules, board)
        if chosen is None or number % 3 == 0:
            told_board(rules, board, names, random)
        if chosen is None:
            break
        after, effects = rules.play(board, *chosen)
        seat, decision = chosen[0], msgspec.to_builtins(chosen[1])
        step = decided_step(seat, decision, msgspec.to_builtins(effects))
        for effect in step.effects:
            story(words.sentence(rules.id, effect, names), names)
        said = words.sentence(rules.id, step, names)
        story(said, names)
        if seat != TABLE:
            assert said != words.sentence(rules.id, decision, names, seat), "a deed, not the button that was pressed"
        board = after
    outcome = rules.scoring.outcome(board)
    assert outcome is not None
    whole(words.outcome_sentence(rules.id, outcome, names))
    for tie in outcome.tiebreaks:
        whole(words.tiebreak_label(rules.id, tie.name))


def decided_step(seat: int, decision: dict[str, Any], effects: Sequence[Any] = ()) -> StepShown:
    return StepShown(
        step=4,
        type="decision_recorded",
        at="2026-11-20T19:30:00.000Z",
        by="scorekeeper",
        board_step=4,
        columns={},
        marks={},
        seat=seat,
        decision=decision,
        effects=list(effects),
    )


def told_board(rules: Ruleset[Any], board: Board, names: tuple[str, ...], random: Random) -> None:
    document = board.document()
    whole(words.marks_label(rules.id, rules.course.marks(board)))
    for seat in rules.course.to_act(board):
        read_aloud(words.prompt(rules.id, board, seat, names))
        for decision in rules.legal(board, seat):
            decision_is_told(rules.id, msgspec.json.encode(decision), names)
        for chart in words.GAMES[rules.id].choosing.charts(board, seat, rules.legal(board, seat), names):
            for told in told_chart(chart):
                read_aloud(told)
            for closed in (cell.closed for lane in chart.lanes for cell in lane.cells if cell and cell.closed):
                assert rules.first_refusal(board, seat, closed), f"a closed place that no rule closes: {closed}"
                decision_is_told(rules.id, msgspec.json.encode(closed), names)
    for seat in range(len(names)):
        for name, text in words.GAMES[rules.id].seat.holds(board, seat):
            whole(name)
            read_aloud(text)
    for score in rules.scoring.standing(board):
        for line in score.lines:
            read_aloud(words.line_label(rules.id, line, names))
    for seat in (TABLE, random.randrange(len(names))):
        for kind in rules.kinds.values():
            for decision in kind.offers(board, seat) if seat in rules.course.to_act(board) else ():
                for verdict in rules.why(board, seat, decision):
                    if verdict.reason:
                        read_aloud(words.reason_sentence(verdict.reason, rules.id, names))
                        whole(words.reason_sentence(verdict.reason))
    for path, part in causes_on(document, rules.integrity.causes).items():
        for leaf, value in iter_leaves(path, part):
            assert value_at(document, leaf) == value
            place_is_named(rules.id, leaf, names)


@cache
def decision_is_told(ruleset_id: str, encoded: bytes, names: tuple[str, ...]) -> None:
    plain = msgspec.json.decode(encoded)
    read_aloud(words.sentence(ruleset_id, plain, names))
    for field, value in plain.items():
        whole(words.value_label(ruleset_id, field, value, names))


@cache
def place_is_named(ruleset_id: str, place: str, names: tuple[str, ...]) -> None:
    whole(words.path_label(ruleset_id, place, names))


def told_chart(chart: Chart) -> Iterator[str]:
    yield from (value for value in (chart.heading, *chart.columns) if value)
    for lane in chart.lanes:
        yield from (value for value in (lane.heading, lane.note) if value)
        for cell in lane.cells:
            if cell is not None and cell.closed is None:
                yield cell.why or cell.label
                yield from (item for item in (cell.note, cell.aloud) if item)
                assert not cell.note or cell.note not in cell.aloud, f"said twice: {cell.aloud}, {cell.note}"


# --- reasons: every refusal in the rules -----------------------------------------------------------------------------


def two_forms_of(rules: Ruleset[Any]) -> dict[str, ByNumber]:
    """The sentences of a game's rules that have two forms, by the names they have there."""
    package = import_module(f"daybook.domain.games.{rules.id}")
    modules = [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]
    return {name: of for module in modules for name, of in vars(module).items() if isinstance(of, ByNumber)}


SENTENCE_ARGUMENTS = {"because": 1, "refuse_unless": 2, "unplayable": 1}


@cache
def calls_with_sentence(folder: Path) -> list[tuple[str, ast.Call]]:
    """Return the calls that hold a refusal's sentence, each with its place."""
    return [
        (f"{file.name}:{node.lineno}", node)
        for file in sorted(folder.rglob("*.py"))
        if re.search(rf"\b({'|'.join(SENTENCE_ARGUMENTS)})\(", source := file.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SENTENCE_ARGUMENTS
    ]


def reasons_of(rules: Ruleset[Any]) -> dict[str, set[str]]:
    """Return each sentence of a refusal in a game's folder, with the names of its figures."""
    found: dict[str, set[str]] = {}
    folders = ROOT / "domain/games" / rules.id, ROOT / "domain/kernel", ROOT / "services"
    for where, node in chain.from_iterable(map(calls_with_sentence, folders)):
        match node.args[SENTENCE_ARGUMENTS[node.func.id]]:
            case ast.Constant(value=says) | ast.Call(args=[_, _, ast.Constant(value=says)]):  # by_number
                pass
            case ast.Name(id=name) | ast.Attribute(attr=name) if name.isupper():
                says = two_forms_of(rules)[name].many
            case _:
                raise AssertionError(f"{where}: gettext finds constants alone")
        found[str(says)] = {word.arg or "" for word in node.keywords}
    return found


@every_game
def test_every_refusal_is_filled_from_its_figures(rules):
    for says, figures in reasons_of(rules).items():
        asked = {name for _, name, _, _ in Formatter().parse(says) if name}
        assert asked <= figures, says
        reason = Reason("key", says, dict.fromkeys(figures, 1))
        whole(words.reason_sentence(reason, rules.id, NAMES))
        whole(words.reason_sentence(reason, rules.id))
        if any(says == forms.many for forms in two_forms_of(rules).values()):
            read_aloud(words.reason_sentence(reason, rules.id, NAMES))
            several = Reason("key", says, dict.fromkeys(figures, 2))
            assert words.reason_sentence(several, rules.id, NAMES) != words.reason_sentence(reason, rules.id, NAMES)


@every_game
def test_refusal_by_number_reads_alike_in_record_page_and_cli(rules):
    for forms in two_forms_of(rules).values():
        figures = {name: 1 for _, name, _, _ in Formatter().parse(forms.one + forms.many) if name}
        reason = because("key", forms, **figures)
        recorded = Objection("X-1", reason.key, reason.sentence, reason.figures).reason
        assert str(reason) == forms.one.format(**figures)
        assert words.reason_sentence(recorded, rules.id) == words.reason_sentence(reason, rules.id)


@every_game
def test_no_refusal_names_a_seat_by_number_where_names_are_known(rules):
    for says, figures in reasons_of(rules).items():
        asked = {name for _, name, _, _ in Formatter().parse(says) if name}
        seats = words.GAMES[rules.id].seat_fields & asked
        if seats and figures:
            text = words.reason_sentence(Reason("key", says, dict.fromkeys(figures, 1)), rules.id, NAMES)
            assert "seat Ben" not in text, says
            assert "Ben" in text, says


# --- what is not of one game -----------------------------------------------------------------------------------------


def test_place_with_an_exact_name_has_that_name(app):
    with app.test_request_context():
        assert words.path_label("making_profit", "/deck/?", NAMES) == "unseen cards in the deck"
        assert words.path_label("making_profit", "/deck/R1", NAMES) == "R1 cards in the deck"


def test_every_kind_of_entry_has_a_sentence():
    said = []
    for type, fields in {
        "game_opened": {},
        "decisions_taken_back": {"to_step": 3, "cause": "table"},
        "note_added": {"about_step": 3, "text": "tea"},
        "board_adjusted": {"cause": "ruling", "changes": {"/players/0/money": [1, 2], "/players/0/level": [1, 2]}},
        "game_closed": {},
        "game_abandoned": {"why": "late"},
        "game_reopened": {"why": "early"},
    }.items():
        step = StepShown(
            step=4,
            type=type,
            at="2026-11-20T19:30:00.000Z",
            by="scorekeeper",
            board_step=4,
            columns={},
            marks={},
            **fields,
        )
        said.append(whole(words.sentence("making_profit", step, NAMES)))
    assert said[2] == "On step 3: tea"
    assert said[3] == "A ruling changes Anna: money $1 → $2"


@pytest.mark.parametrize("cause", get_args(Cause))
def test_every_cause_has_words_of_its_own(cause):
    whole(words.cause_label(cause))
    assert cause in TAKEN_BACK
    assert cause in ADJUSTED


def test_statuses_kinds_and_sources_have_words():
    from daybook.domain.kernel.events import GameOpened
    from daybook.domain.kernel.sheet import Tag

    hints = get_type_hints(GameOpened)
    for kind in get_args(hints["kind"]):
        whole(words.kind_of_game_label(kind))
    for recorded in get_args(hints["recorded"]):
        whole(words.recorded_label(recorded))
    for status in ("running", "closed", "abandoned"):
        whole(words.status_label(status))
    for tag in get_args(Tag):
        whole(words.source_label(tag))


def test_who_wrote_an_entry_is_named():
    assert words.by_label("seat:1", NAMES) == "Ben"
    assert words.by_label("scorekeeper", NAMES) == "the scorekeeper"
    assert words.by_label("<script>", NAMES) == "<script>"


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        (
            {"type": "stock_bought", "seat": 0, "colour": "red", "price": 2, "level": 0, "owner": 1},
            "Anna buys a red certificate for the lowest price, $2: Ben’s factory is at level 0",
        ),
        (
            {"type": "stock_bought", "seat": 0, "colour": "red", "price": 5, "level": 5, "owner": 0},
            "Anna buys a red certificate for $5: Anna’s factory is at level 5",
        ),
        (
            {"type": "stock_sold", "seat": 1, "colour": "blue", "count": 3, "price": 4, "amount": 12},
            "Ben sells 3 blue certificates: 3 × $4 = $12",
        ),
        (
            {"type": "stock_sold", "seat": 1, "colour": "blue", "count": 1, "price": 0, "amount": 0},
            "Ben sells a blue certificate for $0",
        ),
        (
            {
                "type": "dividend_paid",
                "seat": 0,
                "colour": "red",
                "certificates": 2,
                "per_certificate": 5,
                "amount": 10,
            },
            "Anna is paid for 2 certificates: 2 × $5 = $10",
        ),
        (
            {"type": "resources_sold", "seat": 0, "cards": ["R1", "R1", "M2"], "amount": 10},
            "Anna sells 2 × R1 and M2 for $10",
        ),
        ({"type": "card_drawn", "seat": 0, "card": "?", "count": 4}, "Anna draws 4 cards"),
        ({"type": "card_drawn", "seat": 0, "card": "M1", "count": 1}, "Anna draws M1"),
        (
            {"type": "discards_owed", "seat": 2, "count": 1, "waived": 2},
            "Cleo has to discard 1 card: one for each certificate sold; there are no cards for 2 more",
        ),
        ({"type": "turn_passed", "seat": 0, "to": 1, "turn": 4}, "It is Ben’s turn"),
        ({"type": "hand_cut", "seat": 0, "cards": []}, "Anna discards none"),
    ],
)
def test_effects_are_told_as_a_player_would(effect, message):
    assert words.sentence("making_profit", {"rule": "MP-1", **effect}, NAMES) == message


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        (
            {"type": "auction_won", "seat": 0, "goods": "silk", "count": 3, "amount": 4, "special": False},
            "Anna sells the most silk, 3, for £4",
        ),
        (
            {"type": "auction_won", "seat": 0, "goods": "china", "count": 1, "amount": 0, "special": True},
            "Anna sells the most china, 1, for a special card",
        ),
        (
            {
                "type": "auction_won",
                "seat": 0,
                "goods": "silk",
                "count": 3,
                "amount": 4,
                "special": False,
                "lost": [{"seat": 1, "count": 2}, {"seat": 2, "count": 1}],
            },
            "Anna sells the most silk, 3 against Ben’s 2 and Cleo’s 1, for £4",
        ),
        (
            {
                "type": "auction_won",
                "seat": 0,
                "goods": "coffee",
                "count": 3,
                "amount": 4,
                "special": False,
                "lost": [{"seat": 1, "count": 3}, {"seat": 2, "count": 2}],
            },
            "Anna sells 3 coffee, as many as Ben, and wins by the Tiebreaker: £4",
        ),
        (
            {"type": "special_paid", "seat": 0, "card": "clientele:PORT", "crates": {"PORT": 2}, "amount": 3},
            "Anna shows 2 crates at Portobello and is paid the least: £3",
        ),
        (
            {
                "type": "market_card_turned",
                "round": 2,
                "card": "M01",
                "shows": {"china": "S", "coffee": 4, "silk": 2, "soap": 3},
            },
            "Round 2: coffee £4, soap £3, silk £2, china a special card",
        ),
        ({"type": "goods_covered", "goods": "soap"}, "No more soap is sold this round: the type is covered"),
        (
            {
                "type": "auction_shared",
                "seats": [0, 1],
                "goods": "coffee",
                "count": 2,
                "amount": 3,
                "each": 1,
                "special": False,
            },
            "Anna and Ben tie with 2 coffee: £3 ÷ 2 = £1 each, rounded down",
        ),
        (
            {
                "type": "auction_shared",
                "seats": [0, 2],
                "goods": "china",
                "count": 2,
                "amount": 0,
                "each": 0,
                "special": True,
            },
            "Anna and Cleo tie with 2 china: no one gets the special card",
        ),
        (
            {"type": "tie_broken", "seat": 1, "goods": "soap", "others": [0, 2]},
            "Ben has the Tiebreaker and wins the tie for soap against Anna and Cleo",
        ),
        (
            {"type": "offer_shown", "seat": 1, "cards": {"soap": 1, "silk": 1}, "null": "mixed"},
            "Ben offers 1 soap and 1 silk: several types, which is no offer",
        ),
        (
            {"type": "profit_gained", "seat": 0, "market": "PORT", "crates": 5, "amount": 5},
            "Anna is paid for 5 crates at Portobello: £5",
        ),
        (
            {"type": "profit_gained", "seat": 0, "market": "PORT", "crates": 1, "amount": 3},
            "Anna shows 1 crate at Portobello and is paid the least: £3",
        ),
        (
            {
                "type": "special_paid",
                "seat": 2,
                "card": "combined:PORT+PETT",
                "crates": {"PORT": 5, "PETT": 6},
                "amount": 14,
            },
            "Cleo shows 5 crates at Portobello and 6 crates at Petticoat Lane: the smaller number, 5, pays £14",
        ),
        (
            {"type": "special_played", "seat": 2, "card": "monopoly:BORO", "fee": 3, "stays": False},
            "Cleo pays £3 and plays Monopoly Borough",
        ),
        (
            {"type": "market_card_turned", "round": 3, "card": "M01", "shows": {"coffee": 4, "china": "S"}},
            "Round 3: coffee £4, china a special card",
        ),
        ({"type": "market_card_turned", "round": 4, "card": "closed", "shows": {}}, "Round 4: the markets are closed"),
    ],
)
def test_markets_are_told_as_a_player_would(effect, message):
    assert words.sentence("london_markets", {"rule": "LM-1", **effect}, NAMES) == message


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        (
            {"type": "marker_reused", "seat": 0, "marker": "quality", "row": 6, "paid": 6, "fee": 2},
            "Anna pays £8 for Quality on the £6 row (£6 + £2 fee)",
        ),
        (
            {"type": "marker_placed", "seat": 1, "marker": "distribution:dark", "row": 4, "paid": 2},
            "Ben places dark grey Distribution on the £4 row and pays £2",
        ),
        (
            {"type": "marker_placed", "seat": 1, "marker": "ship:6", "row": 6, "paid": 6},
            "Ben places ship of 6 on the £6 row",
        ),
        (
            {
                "type": "factory_built",
                "seat": 0,
                "good": "lamps",
                "level": 2,
                "cost": 14,
                "less": 5,
                "price": 8,
                "appeal": 6,
                "workers": 3,
            },
            "Anna builds lamps II for £14 − £5 at £8: 3 workers, appeal 6",
        ),
        (
            {
                "type": "wages_reckoned",
                "seat": 2,
                "good": "lamps",
                "workers": 6,
                "wage": 4,
                "cheaper": 4,
                "cheaper_wage": 2,
                "machines": 3,
                "upkeep": 1,
                "amount": 17,
            },
            "Cleo, lamps: 2 × £4 + 4 × £2 + £1 for 3 machines = £17",
        ),
        (
            {"type": "sales_paid", "seat": 0, "good": "clothes", "count": 3, "each": 7, "amount": 21},
            "Anna sells 3 clothes: 3 × £7 = £21",
        ),
        (
            {
                "type": "share_value_moved",
                "seat": 0,
                "spaces": 3,
                "origin": 22,
                "to": 25,
                "lost": 0,
                "value": 18,
                "cause": "sales",
            },
            "Anna’s share value: space 22 + 3 = 25, £18 (the goods sold)",
        ),
        (
            {
                "type": "share_value_moved",
                "seat": 0,
                "spaces": -4,
                "origin": 3,
                "to": 1,
                "lost": 2,
                "value": 1,
                "cause": "emergency",
            },
            "Anna’s share value: space 3 − 4, no further than 1, £1 (the emergency sale)",
        ),
        (
            {"type": "emergency_sale", "seat": 1, "count": 2, "each": 19, "amount": 38, "penalty": 2},
            "Ben has to sell 2 shares: 2 × £19 = £38; share value 4 spaces down",
        ),
        ({"type": "loans_taken", "seat": 1, "count": 1, "amount": 10}, "Ben takes 1 loan: £10"),
        (
            {
                "type": "goods_taken",
                "space": 4,
                "produced": [0, 1],
                "extra": [],
                "stored": [2],
                "importer": True,
                "demand": 3,
                "beyond": 1,
            },
            "Call on 4: Anna, Ben, Cleo (out of storage) and the importer; demand left 3, 1 beyond it",
        ),
        (
            {
                "type": "contract_fulfilled",
                "seat": 0,
                "good": "lamps",
                "space": 4,
                "produced": 1,
                "stored": 3,
                "each": 14,
                "amount": 56,
                "ships": [2, 4],
            },
            "Anna ships 4 lamps with ship of 2 and ship of 4: 4 × £14 = £56",
        ),
        (
            {"type": "price_set", "seat": 0, "good": "food", "before": 6, "price": 8, "cost": 1, "appeal": 2},
            "Anna changes the price of food from £6 to £8 with £1 of the administrative costs: appeal 2",
        ),
        (
            {"type": "economy_revealed", "good": "food", "advance": 1, "importer": 3, "workers": 3, "returned": 2},
            "Economy of food: importer +1, now on 3; 2 of 3 workers come back",
        ),
        (
            {"type": "start_player_named", "seat": 2, "by": 1, "how": "lowest_portfolio"},
            "Ben has the lowest portfolio and names Cleo start player",
        ),
        ({"type": "game_ended", "scores": [418, None]}, "The game ends: Anna £418, Ben is out with loans"),
    ],
)
def test_mills_are_told_as_a_player_would(effect, message):
    names = NAMES[:2] if effect["type"] == "game_ended" else NAMES
    assert words.sentence("water_frame", {"rule": "WF-4", **effect}, names) == message


@pytest.mark.parametrize(
    ("game", "effect", "message"),
    [
        (
            "making_profit",
            {"type": "discards_owed", "seat": 2, "count": 0, "waived": 1},
            "Cleo has to discard 1 card, and has none",
        ),
        (
            "making_profit",
            {"type": "dividend_paid", "seat": 1, "colour": "red", "certificates": 1, "per_certificate": 2, "amount": 2},
            "Ben is paid $2 for 1 certificate",
        ),
        (
            "water_frame",
            {"type": "patron_sold", "seat": 2, "good": "lamps", "source": "production"},
            "Cleo sells 1 lamp to the patron, from the production",
        ),
        (
            "water_frame",
            {"type": "row_closed", "seat": 0, "good": "food", "row": 3, "less": 0},
            "Anna closes row 3 of food by the school: no goods fewer",
        ),
        (
            "water_frame",
            {"type": "shares_returned", "seat": 0, "count": 0, "factories": 1},
            "Anna has no share to return for the marked factories",
        ),
        (
            "arkwright_card",
            {"type": "loans_repaid", "seat": 2, "loans": 1, "shares": 13},
            "Cleo gives a share for 1 loan token: 13 shares left",
        ),
        (
            "arkwright_card",
            {"type": "loans_repaid", "seat": 2, "loans": 7, "shares": 13},
            "Cleo gives a share for each of 7 loan tokens: 13 shares left",
        ),
        (
            "arkwright_card",
            {
                "type": "factory_upgraded",
                "seat": 0,
                "good": "lamps",
                "side": 2,
                "slot": 4,
                "workers": [2],
                "inventor": True,
            },
            "Anna upgrades the lamps factory by the Inventor: side II, worker card II",
        ),
        ("arkwright_card", {"type": "neutral_shown", "colour": "purple"}, "Purple is neutral: neither automa acts"),
    ],
)
def test_nothing_and_one_are_told_as_such(game, effect, message):
    assert words.sentence(game, {"rule": "X-1", **effect}, NAMES) == message


@pytest.mark.parametrize(
    ("game", "reason", "message"),
    [
        (
            "arkwright_card",
            (
                "the card on position {position} of the {good} factory is full of machines",
                {"position": 1, "good": "cutlery"},
            ),
            "the card on position 1 of the cutlery factory is full of machines",
        ),
        ("arkwright_card", ("the factory token lies on slot {slot}", {"slot": 4}), "the factory token lies on slot 4"),
        ("arkwright_card", ("the office shows {mode}", {"mode": "price"}), "the office shows its price side"),
        (
            "making_profit",
            ("the hand does not hold {cards}", {"cards": "R1, R1, ?"}),
            "the hand does not hold 2 × R1 and an unseen card",
        ),
        (
            "water_frame",
            ("the player already has the {kind} tile", {"kind": "inventor"}),
            "the player already has the Inventor tile",
        ),
    ],
)
def test_refusals_are_told_as_a_player_would(game, reason, message):
    assert words.reason_sentence(Reason("key", *reason), game, NAMES) == message


@pytest.mark.parametrize(
    ("game", "message", "figures", "english", "korean"),
    [
        ("making_profit", "it is the turn of seat {seat}", {"seat": 1}, "it is the turn of Ben", "Ben님의 차례입니다"),
        (
            "making_profit",
            "seat {seat} has {count} cards to discard first",
            {"seat": 2, "count": 1},
            "Cleo has 1 card to discard first",
            "Cleo님은 먼저 카드 1장을 버려야 합니다",
        ),
        (
            "making_profit",
            "discard {held} hand cards first",
            {"held": 1},
            "discard 1 hand card first",
            "먼저 손패 1장을 버리십시오",
        ),
        ("london_markets", "pile {pile} is empty", {"pile": 3}, "pile 3 is empty", "3번 더미가 비어 있습니다"),
        ("water_frame", "there is no seat {seat}", {"seat": 99}, "there is no seat 99", "99번 자리가 없습니다"),
    ],
)
def test_objection_is_recorded_by_number_and_told_by_name(app, game, message, figures, english, korean):
    """The record keeps the rules' English: no name, and the form for several."""
    line = msgspec.json.encode({"rule": "X-1", "key": "key", "sentence": message, "figures": figures})
    reason = msgspec.json.decode(line, type=Objection).reason
    for language, told in (("en", english), ("ko", korean)):
        with app.app_context(), app.test_request_context(headers={"Accept-Language": language}):
            assert words.reason_sentence(reason, game, NAMES) == told


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        ({"type": "found", "good": "lamps", "price": 5}, "Open the lamps factory at £5"),
        ({"type": "name_start_player", "seat": 1}, "Make Ben start player"),
    ],
)
def test_a_decision_reads_after_the_name_of_who_takes_it(decision, message):
    """Anna: Open the lamps factory; never Anna: Found lamps, Ben: Ben starts."""
    assert words.sentence("water_frame", decision, NAMES) == message


def test_place_of_crates_names_its_market():
    assert words.path_label("london_markets", "/crates/PORT/0", NAMES) == "Anna: crates on display at Portobello"


def test_what_was_added_up_is_called_by_what_it_adds_up():
    rules = RULESETS["water_frame"]
    table = rules.table(rules.colours(printed_sheet(rules.id))[:2], {}, printed_sheet(rules.id))
    tally = rules.opening_board(table).document()["players"][0]["tally"]
    labels = [words.path_label(rules.id, f"/players/0/tally/{name}", NAMES) for name in tally]
    assert len({*labels}) == len(labels) and all(label.startswith("Anna: ") for label in labels)
    assert words.path_label(rules.id, "/players/0/tally/spaces_down", NAMES) == "Anna: share spaces lost so far"
    assert not [label for label in labels if "added up" in label or "_" in label]


def test_what_the_table_shows_is_told_without_a_seat():
    shown = decided_step(TABLE, {"type": "market_card_revealed", "card": "closed"})
    assert words.step_sentences("london_markets", shown, NAMES) == ["Market closed"]
    wrong = msgspec.structs.replace(shown, decision=None)
    assert (
        words.sentence("london_markets", wrong, NAMES)
        == "Something against the rules was turned up, and the table let it stand"
    )


@pytest.mark.parametrize(
    ("game", "decision", "effects", "message"),
    [
        ("water_frame", {"type": "done"}, [], "Ben passes"),
        (
            "making_profit",
            {"type": "end_turn"},
            [{"type": "turn_passed", "seat": 1, "to": 0, "turn": 4}],
            "Ben ends the turn",
        ),
        ("london_markets", {"type": "special_or_money", "choice": "special"}, [], "Ben takes a special card"),
    ],
)
def test_step_without_telling_effect_says_what_was_done(game, decision, effects, message):
    effects = [{**effect, "rule": "X-1"} for effect in effects]
    assert words.sentence(game, decided_step(1, decision, effects), NAMES) == message


@every_game
def test_decision_never_has_the_field_of_an_effect(rules):
    assert not [kind for kind in rules.kinds if words.RULE in kind.__struct_fields__]


def test_sentence_begins_with_a_capital_and_keeps_names_as_typed():
    assert words.begin("purple is neutral", NAMES) == "Purple is neutral"
    assert words.begin("3 decades are over", NAMES) == "3 decades are over"
    assert words.begin("ida sells", ("ida", "Ben")) == "ida sells"
    assert words.begin("automa green sells", ("a", "Ben")) == "Automa green sells"


def test_a_refusal_says_its_pounds_once():
    reason = Reason("no_cash", "this costs £{amount}, and the cash is £{cash}", {"amount": 30, "cash": 18})
    assert words.reason_sentence(reason, "water_frame", NAMES) == "this costs £30, and the cash is £18"


def test_a_name_is_never_taken_for_a_figure():
    names = ("{seat}", "%(n)s", "{0.__class__}")
    assert (
        words.sentence("making_profit", {"type": "turn_passed", "seat": 0, "to": 1, "turn": 4, "rule": "MP-1"}, names)
        == "It is %(n)s’s turn"
    )
    assert "{0.__class__}" in words.sentence(
        "making_profit",
        {"type": "stock_bought", "seat": 0, "colour": "red", "price": 2, "level": 0, "owner": 2, "rule": "MP-1"},
        names,
    )


def test_the_best_language_a_browser_asks_for_is_spoken(app):
    assert set(words.languages()) >= {"en"}
    with app.test_request_context(headers={"Accept-Language": "xx, en;q=0.5"}):
        assert words.language() == "en"


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.id)
def test_every_check_is_named_as_a_player_would_say_it(app, ruleset):
    names = {name for kind in ruleset.kinds.values() for _, name in kind.rules} | {"on_offer"}
    with app.test_request_context("/"):
        labels = {name: words.check_label(ruleset.id, name) for name in names}
    assert not [label for label in labels.values() if "_" in label or not label[0].islower()]
    assert names - {*checks.COMMON}.union(*(row.held for row in ruleset.kinds.values())) == set()


def test_acg_1_4_round_is_told_with_its_decade_as_rules_count():
    assert [words.mark_label("arkwright_card", "round", n) for n in (1, 6, 12)] == [
        "decade I, round 1, food",
        "decade II, round 2, clothes",
        "decade III, round 4, lamps",
    ]
    marks = {"decade": 2, "round": 6, "turn": 17}
    assert words.marks_label("arkwright_card", marks) == "decade II, round 2, clothes, turn 17"
    assert words.stand_label("arkwright_card", marks) == "decade II, round 2, clothes"
    assert words.mark_label("arkwright_card", "decade", 2) == "decade II"


# --- another language ------------------------------------------------------------------------------------------------

LEFT = re.compile(r"[A-Za-z]{3,}")
NOT_TRANSLATED = re.compile(r"III|Event of 1[78]\d0")  # a numeral, and the name that a table gave an event
WRITTEN_TWICE = re.compile(
    r"번 (?:위치|칸)번|카드 [A-C] 카드|카드 카드|(\d)~\1번|"
    r"개개|장장|대대|명명|척척|단계칸|님님|[을은이과와]\([를는가와과]\)|\(으\)로|\(이\)라"
)


@cache
def korean(sentence: str) -> None:
    """A sentence with nothing left in English, no unit twice, and of each particle the form that fits."""
    assert not LEFT.search(NOT_TRANSLATED.sub("", whole(sentence))), sentence
    assert not WRITTEN_TWICE.search(sentence), sentence


@every_game
@pytest.mark.parametrize("on", [False, True], ids=["basic", "with every option"])
def test_whole_games_are_told_in_korean(app, rules, on):
    """Prompts, decisions, effects, refusals, charts and scores of a game for as few as can play, and for as many."""
    options = {field.name: on for field in msgspec.structs.fields(rules.types.options) if field.type is bool}
    sheet = printed_sheet(rules.id)
    with app.test_request_context(headers={"Accept-Language": "ko"}):
        for seats in (rules.seats[0], rules.seats[-1]):
            names = KOREAN_NAMES[:seats]
            board = rules.opening_board(rules.table(rules.colours(sheet)[:seats], options, sheet))
            dealer = Dealer(seats)
            for number in count():
                if (chosen := dealer.next_decision(rules, board)) is None:
                    break
                if number % 3 == 0:
                    told_in_korean(rules, board, names)
                board, effects = rules.play(board, *chosen)
                for effect in msgspec.to_builtins(effects):
                    korean(words.sentence(rules.id, effect, names))
            told_in_korean(rules, board, names)


def told_in_korean(rules: Ruleset[Any], board: Board, names: tuple[str, ...]) -> None:
    korean(words.marks_label(rules.id, rules.course.marks(board)))
    for seat in range(len(names)):
        for name, text in words.GAMES[rules.id].seat.holds(board, seat):
            whole(name)
            read_aloud(text)
    for score in rules.scoring.standing(board):
        for line in score.lines:
            korean(words.line_label(rules.id, line, names))
    for seat in rules.course.to_act(board):
        korean(words.prompt(rules.id, board, seat, names))
        legal = rules.legal(board, seat)
        for decision in legal[:: 1 + len(legal) // 20]:
            decision_is_told_in_korean(rules.id, msgspec.json.encode(decision), names)
        for kind in rules.kinds.values():
            for decision in islice(kind.offers(board, seat), 3):
                for verdict in rules.why(board, seat, decision):
                    if verdict.reason:
                        korean(words.reason_sentence(verdict.reason, rules.id, names))
        for chart in words.GAMES[rules.id].choosing.charts(board, seat, legal, names):
            for text in (chart.heading, *(lane.heading + lane.note for lane in chart.lanes), *chart.columns):
                korean(text or "–")


@cache
def decision_is_told_in_korean(ruleset_id: str, encoded: bytes, names: tuple[str, ...]) -> None:
    korean(words.sentence(ruleset_id, msgspec.json.decode(encoded), names))
