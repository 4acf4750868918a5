"""Luck and play over many games: effects of chance and of decisions, costliest moves and largest swings."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from flask import Blueprint, url_for
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.services.analysis import reports
from daybook.services.statistics.reports import people_in
from daybook.services.statistics.table import FigureRow, FigureTable
from daybook.services.store.kept import GameKept
from daybook.web.request.access import book
from daybook.web.statistics.answers import FigureAnswer, file_of_table, people_shown
from daybook.web.statistics.inquiry import Inquiry, names_for, requested_inquiry
from daybook.web.statistics.pictures import Rows, Series, Value, build_rows, people_in_picture, with_names
from daybook.web.statistics.statistics import render_statistics
from daybook.web.words import say, sentence, statistics_words
from daybook.web.words.league_words import person_name

page = Blueprint("luck", __name__)

MOMENTS = {"moves": reports.costly_moves_table, "swings": reports.turning_points_table}
LISTED, IN_A_FILE = 10, 1_000  # moments


class ListedMoment(Frozen):
    """Moment of a game in words.

    Args:
        game: its title.
        to: address of the step.
        better: the practice player's choice.
        more: its value, or how chances changed.
        what_if: address to try it; "" for a swing.
    """

    game: str
    at: str
    to: str
    says: str
    more: str
    what_if: str = ""
    step: int = 0


@page.get("/statistics/<game:ruleset_id>/luck")
def luck(ruleset_id: str) -> str:
    """Show luck and play by person, and the moments that mattered most."""
    of = requested_inquiry(ruleset_id)
    may_read = of.readable()
    return render_statistics(
        "statistics/luck.html",
        of,
        reckoned=reports.count_analysed(book(), may_read),
        reckons=bool(book().settings.win_chances_seconds_per_day),
        answer=luck_answer(of),
        moves=describe_moments(of, reports.costly_moves_table(book(), may_read, LISTED)),
        swings=describe_moments(of, reports.turning_points_table(book(), may_read, LISTED)),
        files={
            name: [(kind.upper(), of.to("luck.file", name=name, kind=kind)) for kind in ("csv", "json")]
            for name in MOMENTS
        },
    )


@page.get("/statistics/<game:ruleset_id>/<any(luck,moves,swings):name>.<any(csv,json):kind>")
def file(ruleset_id: str, name: str, kind: str) -> Response:
    of = requested_inquiry(ruleset_id)
    may_read = of.readable()
    table = (
        reports.luck_and_play_table(book(), may_read) if name == "luck" else MOMENTS[name](book(), may_read, IN_A_FILE)
    )
    return file_of_table(of, table, kind, f"{ruleset_id}-{name}")


# --- by person -------------------------------------------------------------------------------------------------------


def luck_answer(scope: Inquiry) -> FigureAnswer:
    """Build the picture and table of luck and play by person, with links to people in a club."""
    table = reports.luck_and_play_table(book(), scope.readable())
    drawn = luck_picture(table)
    names = names_for(scope, people_shown(table) | people_in_picture(drawn))
    opens = scope.club is not None and not scope.person
    return FigureAnswer(
        say(table.says),
        table,
        names,
        scope.ruleset,
        lambda row: scope.to("luck.luck", person=row.key) if opens else "",
        scope.to("luck.file", name="luck", kind="csv"),
        scope.to("luck.file", name="luck", kind="json"),
        scope.filter.zone,
        picture=with_names(drawn, lambda person: person_name(person, names)),
    )


def luck_picture(table: FigureTable) -> Rows | None:
    """Build bars of luck and play per person; None if all have played too few games."""
    keys = [heading.key for heading in table.headings]
    values = [
        value_of(row, keys.index(f"{change}_mean"), heading)
        for change, heading in (("decided", say("Play: by decisions")), ("drawn", say("Luck: by chance")))
        for row in table.rows
    ]
    if all(value.value is None for value in values):
        return None
    return build_rows(
        "gains", say("Percentage points a game, on average"), values, statistics_words.signed_number, from_zero=True
    )


def value_of(row: FigureRow, place: int, heading: str) -> Value:
    mean, low, high = row.cells[place : place + 3]
    return Value(
        Series(heading),
        Series(row.cells[0], person=True),
        mean,
        lambda: say("{gain} a game", gain=statistics_words.signed_number(round(mean, 1))),
        None if mean is None else (low, high),
        expected=0.0,
        games=row.n,
    )


# --- moments ---------------------------------------------------------------------------------------------------------


def describe_moments(scope: Inquiry, table: FigureTable) -> list[ListedMoment]:
    """Describe the moments of a table, with links to the steps of readable games."""
    names = names_for(scope, people_in([table]))
    kept = {game.id: game for game in book().kept.games_of([row.game for row in table.rows if row.game is not None])}
    found = []
    for row in table.rows:
        assert row.game is not None and row.step is not None
        cells = dict(zip((heading.key for heading in table.headings), row.cells, strict=True))
        to = url_for("replay.replay", game_id=row.game, step=row.step)
        who = person_name(cells["person"], names)
        in_words = (describe_move if table.key == "moves" else describe_swing)(cells, who, row.step, kept[row.game])
        found.append(
            ListedMoment(
                kept[row.game].title,
                cells["at"],
                to,
                *in_words,
                what_if_address(row.game) if table.key == "moves" else "",
                row.step,
            )
        )
    return found


def what_if_address(game_id: UUID) -> str:
    return url_for("better_moves.try_better", game_id=game_id)


def describe_move(cells: Mapping[str, object], who: str, step: int, stored: GameKept) -> tuple[str, str]:
    """Describe the played move and the practice player's choice."""

    def label(decision: object) -> str:
        assert isinstance(decision, dict)
        return sentence(str(cells["ruleset"]), decision, stored.names)

    return (
        say("step {step}, {name}: {played}", step=step, name=who, played=label(cells["played"])),
        say(
            "{better} instead: +{cost} percentage points, likely {low} to {high}",
            better=label(cells["better"]),
            **{key: round(float(str(cells[key]))) for key in ("cost", "low", "high")},
        ),
    )


def describe_swing(cells: Mapping[str, object], who: str, step: int, stored: GameKept) -> tuple[str, str]:
    """Describe the place of a swing and the largest change."""
    where = (
        say("step {step}", step=step)
        if cells["first"] == step
        else say("steps {first} to {last}", first=cells["first"], last=step)
    )
    gain = statistics_words.signed_number(round(float(str(cells["gain"]))))
    brought = say(statistics_words.CHANGES[str(cells["change"])])
    return where, say("{name} {gain} percentage points ({change})", name=who, gain=gain, change=brought)
