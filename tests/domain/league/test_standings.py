"""Standings against tables that were worked out on paper, and against a second computation over random seasons."""

from __future__ import annotations

import cProfile
from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybook.domain.league.results import MARKS, Result
from daybook.domain.league.seasons import DEFAULTS, TIEBREAKS, WORTH, Bye, Division, Entrant, Format, Points
from daybook.domain.league.standings import Standings, compute_standings, standing_changes
from daybook.domain.league.tiebreaks import BY_CODE, figure, mixed_number
from tests.domain.league import second
from tests.domain.league.tables import penalty, places, ranking, result, row_of, why

SEVEN = ["C E F G", "A D F G", "A=B E G", "B A C F", "D B=C G", "E A C D", "B D E F"]
# on paper, by 10-6-3-1 with ties split:
#   A 10 + 8 + 6 + 6 = 30      B 8 + 10 + 4.5 + 10 = 32.5   C 10 + 3 + 4.5 + 3 = 20.5   D 6 + 10 + 1 + 6 = 23
#   E 6 + 3 + 10 + 3 = 22      F 3 + 3 + 1 + 1 = 8          G 1 + 1 + 1 + 1 = 4         in all 7 x 20 = 140
FEW = settings(max_examples=40)
EVERY_SIZE = Format("free", tuple(range(2, 7)), tiebreaks=("points",))


def points(standings: Standings, people: str) -> list[float]:
    return [float(row_of(standings, person).points) for person in people]


def test_seven_people_at_seven_tables():
    found = ranking("ABCDEFG", SEVEN)
    assert points(found, "ABCDEFG") == [30, 32.5, 20.5, 23, 22, 8, 4]
    assert places(found) == "B A D E C F G"
    assert why(found, "B") == ["more points: 32½ to 30"]
    assert [row_of(found, person).games_played for person in "ABCDEFG"] == [4] * 7


def test_each_tie_break_has_a_column_of_its_own():
    columns = row_of(ranking("ABCDEFG", SEVEN), "B").columns
    assert list(columns) == list(Format().tiebreaks)
    assert {code: value for code, value in columns.items() if value is not None} == {
        "points": Fraction(65, 2),
        "wins": Fraction(5, 2),
        "seconds": 1,
        "thirds": Fraction(1, 2),
    }
    # half a first and half a second at the third table, half a second and half a third at the fifth; no scores


def test_a_place_says_why():
    found = ranking("ABCDEFG", SEVEN, penalties=[penalty("D", 1)])
    assert why(found, "D") == ["equal points: 22", "equal wins: 1", "more second places: 2 to 1"]
    reason = row_of(found, "D").why
    assert reason is not None
    assert str(reason.reason) == "D comes before E"
    assert row_of(found, "G").why is None


def test_a_penalty_takes_points_off_and_is_kept_with_its_reason():
    found = ranking("ABCDEFG", SEVEN, penalties=[penalty("B", 2), penalty("B", 1, "no show")])
    assert points(found, "AB") == [30, 29.5]
    assert places(found).startswith("A B")
    assert [item.why for item in row_of(found, "B").penalties] == ["late", "no show"]


@pytest.mark.parametrize(("ties", "expected"), [("split", [8, 8]), ("high", [10, 10]), ("low", [6, 6])])
def test_ties_split_points_or_take_the_higher_or_lower(ties, expected):
    format = Format(points=Points(ties=ties))  # type: ignore[arg-type]
    assert points(ranking("ABCD", ["A=B C D"], format), "AB") == expected


def test_three_who_tie_split_exactly():
    found = ranking("ABCD", ["A=B=C D"] * 3)
    assert [row_of(found, person).points for person in "ABC"] == [Fraction(19)] * 3
    assert ranking("ABCD", ["A=B=C D"]).groups[0].rows[0].points == Fraction(19, 3)


def test_points_are_those_of_the_size_of_the_table():
    found = ranking("ABCDEF", ["A B", "A B C", "A B C D E", "A B C D E F"], EVERY_SIZE)
    assert points(found, "ABCDEF") == [40, 4 + 5 + 7 + 7, 2 + 4 + 5, 2 + 3, 1 + 2, 1]


def test_table_size_without_points_is_shown_and_does_not_count():
    four = Format(points=Points({"4": (10, 6, 3, 1)}))
    line = row_of(ranking("ABC", ["A B C"], four), "A").lines[0]
    assert (str(line.why_not), line.points) == ("say what the places at a table of 3 are worth", 0)


def test_who_drops_out_has_the_points_for_it_and_no_place():
    found = ranking("ABCD", ["A B C D!", "A B C=D!"], Format(points=Points(drop=-2)))
    assert points(found, "CD") == [3 + 2, -4]
    assert row_of(found, "D").columns["thirds"] == 0


def test_a_bye_counts_as_soon_as_its_round_is_played():
    byes = [Bye("E", 1), Bye("A", 2)]
    found = ranking("ABCDE", ["A B C D"], byes=byes)
    assert points(found, "AE") == [10, 5]
    assert row_of(found, "E").lines[0].result is None
    assert points(ranking("ABCDE", ["A B C D", "B C D E"], byes=byes), "AE") == [15, 6]


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        (None, [18, 27, 19, 16]),
        (4, [18, 27, 19, 16]),
        (3, [17, 24, 16, 15]),
        (2, [16, 18, 13, 14]),
        (1, [10, 10, 10, 8]),
    ],
)
def test_only_the_best_count(best, expected):
    found = ranking("ABCD", ["A B C D", "B A C D", "C D B A", "B=D C A"], Format(best=best, tiebreaks=("points",)))
    # B: 6 + 10 + 3 + 8 = 27; D: 1 + 1 + 6 + 8 = 16; A: 10 + 6 + 1 + 1 = 18; C: 3 + 3 + 10 + 3 = 19
    assert points(found, "ABCD") == expected
    left_out = [line for line in row_of(found, "B").lines if line.why_not is not None]
    assert len(left_out) == 4 - (best or 4)


@pytest.mark.parametrize("mark", MARKS)
def test_marked_games_count_where_the_season_says_so(mark):
    marked = result(1, "A B C D", marks=(mark,))
    assert points(ranking("ABCD", [marked], Format(counts=(mark,))), "A") == [10]  # type: ignore[arg-type]
    line = row_of(ranking("ABCD", [marked], Format(counts=())), "A").lines[0]
    assert line.why_not is not None
    assert line.why_not.key == mark


def test_withdrawal_keeps_results_loses_points_or_removes_games():
    tables = ["A B C D", "D A B C", "A B C E"]
    kept = ranking("ABCDE", tables, Format(withdrawn="keep"), withdrawn="D")
    assert points(kept, "ABCDE") == [26, 15, 7, 11, 1]
    assert row_of(kept, "D").withdrawn
    zero = ranking("ABCDE", tables, Format(withdrawn="zero"), withdrawn="D")
    assert points(zero, "ABCDE") == [26, 15, 7, 0, 1]
    assert str(row_of(zero, "D").lines[0].why_not) == "D withdrew, and has no points"
    void = ranking("ABCDE", tables, Format(withdrawn="void"), withdrawn="D")
    assert points(void, "ABCDE") == [10, 6, 3, 0, 1]
    assert str(row_of(void, "A").lines[0].why_not) == "D withdrew, and the games count for no one"


# --- tie-breaks ------------------------------------------------------------------------------------------------------


def chain(*codes: str) -> Format:
    return Format(tiebreaks=codes)


def column(code: str, people: str, tables: list[str]) -> list[Fraction | None]:
    found = ranking(people, tables, chain(code))
    return [row_of(found, person).columns[code] for person in people]


@pytest.mark.parametrize(
    ("code", "tables", "expected"),
    [
        ("wins", ["A B C D", "A=B C D"], [Fraction(3, 2), Fraction(1, 2), 0, 0]),
        ("seconds", ["A B C D", "A=B C D", "D C=B A"], [Fraction(1, 2), 2, Fraction(1, 2), 0]),
        ("thirds", ["A B C D", "A B=C D"], [0, Fraction(1, 2), Fraction(3, 2), 0]),
        ("games", ["A B C D", "A B C D"], [2, 2, 2, 2]),
        ("highest", ["A:50 B:40 C:30 D:-5", "B:45 C:41 A:12 D:-9"], [50, 45, 41, -5]),
        (
            "share",
            ["A:50 B:40 C:30 D:-5", "B:45 A:45 C:18 D:9"],
            [1, Fraction(9, 10), Fraction(1, 2), Fraction(1, 10)],
        ),  # D: (0 + 1/5) / 2
        ("share", ["A:0 B:-1 C:-1 D:-2"], [None, None, None, None]),  # no winner's score to have a share of
        ("share", ["A:10 B:5 C:4 D!"], [1, Fraction(1, 2), Fraction(2, 5), 0]),
        (
            "margin",
            ["A:50 B:40 C:30 D:10", "B:48 A:45 C:30 D:12"],
            [Fraction(7, 2), Fraction(-7, 2), -19, -38],
        ),  # A: (10 - 3) / 2; C: (-20 - 18) / 2
        ("margin", ["A:10 B:4 C:3 D:99!"], [6, -6, -7, None]),  # the score of who left is no measure
        # opponents: points are A 10, B 6, C 3, D 1 after one game
        ("opponents", ["A B C D"], [10, 14, 17, 19]),
        ("average_opponents", ["A B C D"], [Fraction(10, 3), Fraction(14, 3), Fraction(17, 3), Fraction(19, 3)]),
        ("sonneborn_berger", ["A B C D"], [10, 4, 1, 0]),
        # after two: A 10 + 8 = 18, B 6 + 8 = 14, C 3 + 3 = 6, D 1 + 1 = 2
        ("sonneborn_berger", ["A B C D", "A=B C D"], [22 + 7 + 8, 8 + 9 + 8, 4, 0]),
    ],
)
def test_a_tie_break_on_paper(code, tables, expected):
    assert column(code, "ABCD", tables) == expected


def test_opponents_are_counted_once_for_every_meeting():
    tables = ["A B C D", "A B E F"]
    # A 20, B 12, C 3, D 1, E 3, F 1; A met B twice, the others once: 12 + 12 + 3 + 1 + 3 + 1
    assert column("opponents", "ABCDEF", tables)[0] == 32
    assert column("average_opponents", "ABCDEF", tables)[0] == Fraction(32, 6)


def test_head_to_head_counts_among_those_who_are_tied_alone():
    format = chain("points", "direct")
    found = ranking("ABCDE", ["A B C D", "B D E A", "E A D C"], format)
    # A 10 + 1 + 6 = 17, B 6 + 10 = 16, C 3 + 1, D 1 + 6 + 3 = 10, E 3 + 10 = 13
    assert all(row_of(found, person).columns["direct"] is None for person in "ABCDE")
    tied = ranking("ABCDE", ["A B C D", "B C D A", "C D A B", "D A B C"], format)
    # all 20; A before B 3 of 4, before C 2 of 4, before D 1 of 4: 3/2; so for each
    assert places(tied) == "A=B=C=D E"
    assert [row_of(tied, person).columns["direct"] for person in "ABCD"] == [Fraction(3, 2)] * 4
    assert why(tied, "A") == ["equal points: 20", "equal head to head: 1.5"]
    one_before = ranking("ABCD", ["A B C D", "A B D C", "B A D C", "D B A C"], chain("wins", "direct"))
    # A, 2 wins; B and D 1 each, B before D 3 of 4
    assert places(one_before) == "A B D C"
    assert why(one_before, "B") == ["equal wins: 1", "better head to head: 0.75 to 0.25"]


def test_head_to_head_says_nothing_where_not_all_have_met():
    found = ranking("ABCDEFGH", ["A B C D", "E F G H"], chain("points", "direct", "lot"), lots=[["E", "A"]])
    assert why(found, "E") == [
        "equal points: 10",
        "not all who are tied have met",
        "drawn earlier in the lot: 1 before 2",
    ]


def test_a_lot_decides_among_those_it_was_drawn_among():
    tables, format = ["A=B C=D"], chain("points", "lot")
    assert places(ranking("ABCD", tables, format)) == "A=B C=D"
    assert places(ranking("ABCD", tables, format, lots=["BA"])) == "B A C=D"
    assert places(ranking("ABCD", tables, format, lots=["BA", "DABC"])) == "A B D C"  # the newest holds
    assert why(ranking("ABCD", tables, format), "A") == ["equal points: 8", "no lot has been drawn among them"]


def test_a_shared_place_uses_up_places():
    found = ranking("ABCDE", ["A=B C D"], chain("points"))
    assert [(row.person, row.place) for row in found.groups[0].rows] == [
        ("A", 1),
        ("B", 1),
        ("C", 3),
        ("D", 4),
        ("E", 5),
    ]


def test_heats_are_won_by_most_wins():
    format = Format("heats", (3,), tiebreaks=("wins", "seconds", "highest", "lot"))
    found = ranking("ABCD", ["A:9 B:8 C:7", "A:9 B:8 D:7", "C:12 B:11 D:2", "C:8 D:7 A:1"], format)
    # A two wins, C two wins; no seconds; highest 9 against 12. D one second, B three
    assert places(found) == "C A B D"
    assert why(found, "C") == ["equal wins: 2", "equal second places: 0", "a higher best score: 12 to 9"]
    assert why(found, "B") == ["equal wins: 0", "more second places: 3 to 1"]


def test_every_tie_break_names_itself_and_its_source():
    for code, rule in BY_CODE.items():
        assert rule.code == code
        assert all(str(text) for text in (rule.name, rule.says, rule.source, rule.silent))
        assert "{ours}" in rule.equal.sentence
        assert "{theirs}" in rule.better.sentence


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(3), 3),
        (Fraction(9, 2), "4.5"),
        (Fraction(19, 3), "6.33"),
        (Fraction(-1, 20), "-0.05"),
        (Fraction(-7, 2), "-3.5"),
    ],
)
def test_figures_are_written_as_people_write_them(value, shown):
    assert figure(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *((Fraction(n), n) for n in (0, 7, -3)),
        (Fraction(1, 2), "½"),
        (Fraction(-7, 2), "-3½"),
        (Fraction(13, 6), "2⅙"),
        (Fraction(8, 5), "1⅗"),
        (Fraction(3, 4), "¾"),
        (Fraction(7, 12), "0.58"),
    ],
)
def test_shared_places_are_written_as_fractions(value, shown):
    assert mixed_number(value) == shown


def test_share_is_written_in_percent_with_needed_digits():
    assert (figure(Fraction(1), 1, True), figure(Fraction(7, 8), 1, True)) == ("100%", "87.5%")
    found = ranking("ABCD", ["A:1000 B:1000 C:1 D:1", "A:2000 C:1999 D:1 B:1", "B:2000 D:1998 C:1 A:1"], chain("share"))
    assert why(found, "A") == ["equal share of the winner's score: 66.7%"]
    close = ranking("ABCD", ["A:100000 C:50000 D:49999 B:1"], chain("share"))
    assert why(close, "C") == ["a greater share of the winner's score: 50% to 49.999%"]


# --- divisions -------------------------------------------------------------------------------------------------------

TWO = Format("divisions", (4,), divisions=(Division("Oak", (4,)), Division("Elm", (4, 4))), promote=1, relegate=2)


def in_divisions(season_format: Format = TWO, withdrawn: str = "", lots: tuple[str, ...] = ()) -> Standings:
    entrants = [Entrant(p) for p in "ABCD"] + [Entrant(p, 2, 1) for p in "EFGH"] + [Entrant(p, 2, 2) for p in "IJKL"]
    results = [
        result(1, "A B C D"),
        result(2, "E F G H", division=2, group=1),
        result(3, "I=J K L", division=2, group=2),
    ]
    return compute_standings(season_format, entrants, results, withdrawn=withdrawn, lots=lots)


def moves(standings: Standings) -> dict[str, str]:
    return {row.person: row.move for group in standings.groups for row in group.rows if row.move}


def test_each_group_has_standings_and_a_promotion_preview():
    found = in_divisions()
    assert [(group.division, group.group, [row.person for row in group.rows]) for group in found.groups] == [
        (1, 1, [*"ABCD"]),
        (2, 1, [*"EFGH"]),
        (2, 2, [*"IJKL"]),
    ]
    assert moves(found) == {"C": "down", "D": "down", "E": "up", "I": "open", "J": "open"}
    assert moves(in_divisions(lots=("JI",))) == {"C": "down", "D": "down", "E": "up", "J": "up"}


def test_withdrawn_player_leaves_and_takes_no_promotion():
    assert moves(in_divisions(withdrawn="BE")) == {"D": "down", "F": "up", "I": "open", "J": "open"}


def test_no_one_of_a_partial_group_goes_up_and_down_at_once():
    three = msgspec.structs.replace(
        TWO, divisions=tuple(Division(name, (4,)) for name in ("Oak", "Elm", "Ash")), promote=2, relegate=2
    )
    found = compute_standings(three, [Entrant(p, 2) for p in "EFG"], [result(1, "E F G", division=2)])
    assert moves(found) == {"E": "up", "F": "up", "G": "down"}
    alone = compute_standings(three, [Entrant("E", 2)], [])
    assert moves(alone) == {"E": "up"}


def test_what_another_result_changes_is_told():
    before = ranking("ABCD", ["A B C D", "B A C D"])
    after = ranking("ABCD", ["A B C D", "A B C D"])
    assert [
        (change.person, change.place, tuple(map(int, change.points))) for change in standing_changes(before, after)
    ] == [("A", (1, 1), (16, 20)), ("B", (1, 2), (16, 12))]
    assert standing_changes(after, after) == []
    assert standing_changes(ranking("A", []), ranking("AB", []))[0].place == (None, 1)


# --- a second computation --------------------------------------------------------------------------------------------

PEOPLE = "ABCDEFGHI"


@st.composite
def tables(draw: st.DrawFn) -> Result:
    people = draw(st.permutations(PEOPLE))[: draw(st.integers(2, 6))]
    ranks = sorted(draw(st.lists(st.integers(1, 4), min_size=len(people), max_size=len(people))))
    scores = draw(st.booleans())
    told = [people[0] + (f":{60 - 9 * ranks[0]}" if scores else "")]
    for before, (rank, person) in pairwise(zip(ranks, people, strict=True)):
        told.append(("=" if before[0] == rank else " ") + person + (f":{60 - 9 * rank}" if scores else ""))
    if draw(st.integers(0, 5)) == 0:
        told[-1] = told[-1].replace("=", " ") + "!"
    marks = tuple(draw(st.sets(st.sampled_from(MARKS), max_size=1)))
    return result(draw(st.integers(1, 28)), "".join(told), marks=marks)


@FEW
@given(
    st.lists(tables(), max_size=12),
    st.permutations(
        [code for code in BY_CODE if code not in ("lot", "rounds_survived", "last_table_place")]
    ),  # of knock-outs
    st.sampled_from(["split", "high", "low"]),
    st.one_of(st.none(), st.integers(1, 4)),
    st.dictionaries(st.sampled_from(PEOPLE), st.integers(1, 9), max_size=2),
)
def test_standings_are_what_a_second_computation_says(results, codes, ties, best, taken):
    results = [msgspec.structs.replace(item, id=f"{item.id}-{n}") for n, item in enumerate(results)]
    format = Format(tiebreaks=tuple(codes), points=Points(dict(WORTH), ties), best=best)  # type: ignore[arg-type]
    found = compute_standings(
        format,
        [Entrant(person) for person in PEOPLE],
        results,
        penalties=[penalty(person, n) for person, n in taken.items()],
    )
    by_hand = second.Season(PEOPLE, results, codes, ties, best, taken)
    assert {row.person: row.points for row in found.groups[0].rows} == by_hand.points
    assert [(row.place, row.person) for row in found.groups[0].rows] == by_hand.order()


@FEW
@given(st.lists(tables(), max_size=10), st.randoms(use_true_random=False))
def test_the_order_in_which_results_are_told_changes_nothing(results, chance):
    results = [
        msgspec.structs.replace(item, id=f"{item.id}-{n}", at=f"2026-01-01T20:{n:02}:00.000Z")
        for n, item in enumerate(results)
    ]
    mixed = list(results)
    chance.shuffle(mixed)
    people = [Entrant(person) for person in PEOPLE]
    assert compute_standings(Format(), people, results) == compute_standings(Format(), people[::-1], mixed)


@FEW
@given(st.lists(tables(), max_size=12))
def test_points_are_shared_out_and_neither_made_nor_lost(results):
    """If ties split and nobody drops out, a table awards the value of its places, whatever the result."""
    stayed = [item for item in results if not any(placed.dropped for placed in item.placed)]
    rows = compute_standings(Format(counts=MARKS), [Entrant(person) for person in PEOPLE], stayed).groups[0].rows
    assert sum(row.points for row in rows) == sum(sum(WORTH[str(value.seats)]) for value in stayed)


@FEW
@given(st.lists(tables(), max_size=10))
def test_every_reason_holds_and_places_never_run_backwards(results):
    rows = compute_standings(Format(), [Entrant(person) for person in PEOPLE], results).groups[0].rows
    for row, behind in pairwise(rows):
        assert row.why is not None
        assert (row.why.person, row.why.other) == (row.person, behind.person)
        assert (row.why.decided is None) == (row.place == behind.place)
        differs = [
            code
            for code in Format().tiebreaks
            if not BY_CODE[code].among
            and None not in (row.columns[code], behind.columns[code])
            and row.columns[code] != behind.columns[code]
        ]
        if row.why.decided is not None and not BY_CODE[row.why.decided.key].among:
            ours, theirs = row.columns[row.why.decided.key], behind.columns[row.why.decided.key]
            assert ours is not None and theirs is not None and ours > theirs
            assert differs[0] == row.why.decided.key or BY_CODE[differs[0]].silent in row.why.passed


# --- what table sizes and byes cannot bend ---------------------------------------------------------------------------

SWISS = Format("swiss", (4, 3), tiebreaks=DEFAULTS["swiss"].tiebreaks)


def test_a_bigger_table_is_no_advantage_among_equals():
    round_one = [result(1, "A B C D"), result(2, "E F G", round=1)]
    found = ranking("ABCDEFG", round_one, SWISS)
    assert places(found).startswith("A=E ") and why(found, "A")[:2] == [
        "equal points: 10",
        "the opponents of some of them have met no one else",
    ]
    sums = ranking("ABCDEFG", round_one, chain("points", "opponents"))
    assert why(sums, "A") == ["equal points: 10", "stronger opponents, by their points: 10 to 7"]
    later = ranking("ABCDEFG", [*round_one, result(3, "B E C F", round=2), result(4, "G A D", round=2)], SWISS)
    # without A there, B came before all of three, C before one of three, G before none of two; D never sat without A
    assert row_of(later, "A").columns["opponents_strength"] == mean_of(mean_of(1, Fraction(1, 3)), 0)


def test_a_bye_is_a_round_against_somebody_as_strong_as_oneself():
    found = ranking("ABCDE", ["A B C D", "A E B C"], SWISS, byes=[Bye("E", 1), Bye("D", 2)])
    of_e = Fraction(2, 3)  # came before two of three, in the one game
    assert row_of(found, "E").columns["opponents_strength"] == mean_of(of_e, mean_of(1, Fraction(2, 3), Fraction(1, 3)))
    assert row_of(found, "D").columns["opponents_strength"] == mean_of(mean_of(1, Fraction(1, 3), 0), 0)


def test_a_walkover_counts_in_the_standings_and_as_no_opponent():
    found = ranking("ABCD", [result(1, "D C B A", marks=("typed", "walkover")), "A B C D"], SWISS)
    assert row_of(found, "A").points == 11
    assert row_of(found, "A").columns["opponents_strength"] == 1  # against oneself; nobody else played without A
    only = ranking("ABCD", [result(1, "A B C D", marks=("walkover",))], Format(counts=()))
    assert row_of(only, "A").points == 10


def mean_of(*values: Fraction | int) -> Fraction:
    return sum(map(Fraction, values), Fraction(0)) / len(values)


def test_earlier_seasons_keep_their_tie_breakers():
    assert "opponents" in TIEBREAKS and "average_opponents" in TIEBREAKS and set(TIEBREAKS) == set(BY_CODE)
    assert not {"opponents", "sonneborn_berger", "wins"} & {*DEFAULTS["swiss"].tiebreaks}


@pytest.mark.parametrize(("ties", "points"), [("split", Fraction(10, 4)), ("high", 6), ("low", 0)])
def test_joint_losers_are_second_with_no_place_behind_them(ties, points):
    format = Format("free", (4,), points=Points(ties=ties))
    lost = result(1, "A B C D")
    lost = msgspec.structs.replace(lost, placed=tuple(msgspec.structs.replace(place, place=2) for place in lost.placed))
    found = ranking("ABCD", [lost], format)
    assert places(found) == "A=B=C=D" and row_of(found, "A").points == points


@pytest.mark.parametrize("place", [0, -3, 5, 10**15])
def test_a_place_that_no_table_has_is_worth_nothing(place):
    """A record that was brought from outside may say anything of its end."""
    forged = result(1, "A B C D")
    forged = msgspec.structs.replace(
        forged, placed=(msgspec.structs.replace(forged.placed[0], place=place), *forged.placed[1:])
    )
    found = ranking("ABCD", [forged, "B A C D"], Format("free", (4,)))
    assert row_of(found, "A").points == 6 and row_of(found, "B").points == 16


@pytest.mark.parametrize("played", [0, 150])
def test_standings_work_grows_with_the_players_not_their_square(played):
    """A club of 12,000 has seasons of 2,000: the process that answers taps computes them."""

    def calls(players: int) -> int:
        people = [f"p{number:04}" for number in range(players)]
        results = [result(1, " ".join(people[4 * at : 4 * at + 4])) for at in range(played * players // 600)]
        profile = cProfile.Profile()
        profile.runcall(compute_standings, DEFAULTS["free"], [Entrant(person) for person in people], results)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(1200) < 3 * calls(600)
