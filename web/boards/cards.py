"""Share pictures of a game at a step: board, sentence and standing.

As SVG with the pages' colours, shapes and letters, and as PNG for sites that show nothing else. resvg draws it with
Source Sans from a wheel, so that a server without fonts draws the same; missing letters (Korean) come from the
machine's fonts. The pages' boards are HTML, so the picture has the miniature board, or, without one, a chart of the
scores.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from markupsafe import Markup

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.terms import Seat
from daybook.domain.kernel.texts import without_controls
from daybook.web.boards import charts, colours
from daybook.web.words.seat_marks import seat_letter, seat_outline, seat_paint

WIDTH, HEIGHT = 1200, 630  # what sites that show links ask for
PAPER, SHEET, INK, FADED, RULE, ACCENT, GOOD = (
    colours.LIGHT[name] for name in ("paper", "sheet", "ink", "faded", "rule", "accent", "good")
)
LINE_PAINTS = [
    colours.LIGHT[name]
    for name in (*(f"s-{at}" for at in range(6)), "c-purple", "c-yellow", "c-brown", "c-grey", "c-teal", "c-red")
]  # of the lines of a score, as in charts.css
LINE, LINES, WIDE = 34, 3, 80  # of the sentence: height, how many, letters in each
BOARD, BOARD_AT = 756, (40, 124)  # of the board: how wide, twice its height, and where
PATH_PART = re.compile(r"([MHV])([\d.e+-]+)(?: ([\d.e+-]+))?")  # of a chart's line
FONTS = ("SourceSansPro-Regular.ttf", "SourceSansPro-Semibold.ttf")


class CardSeat(Frozen):
    """Seat in a picture.

    Args:
        shown: its figure in words.
        value: None if covered.
        by: signed change in this step.
        parts: of a bar that is split by line: shade, amount, left and width in hundredths, and the line's name.
    """

    seat: Seat
    name: str
    shown: str
    value: Points | None
    won: bool = False
    colour: str = ""
    by: str = ""
    parts: tuple[tuple[int, Points, float, float, str], ...] = ()

    @property
    def paint(self) -> str:
        paint = seat_paint(self.seat, self.colour)
        return colours.LIGHT["edge" if paint == "c-white" else paint]  # white would not show on paper


class Card(Frozen):
    """Content of a picture.

    Args:
        about: the game and its state.
        values: figures of each seat up to this step; empty if any is covered.
        steps: number of steps of the game, or of its rounds.
        rounds: the round of each step, of a chart over rounds.
        lowest_wins: the lowest figures are at the top.
        board: SVG of width BOARD; empty for none.
    """

    title: str
    about: str
    sentence: str
    seats: tuple[CardSeat, ...]
    values: tuple[tuple[Points, ...], ...]
    steps: int
    board: str = ""
    rounds: tuple[int, ...] = ()
    lowest_wins: bool = False


def card_svg(card: Card) -> str:
    """Draw the picture as SVG."""
    return _draw_with_board(card) if card.board else _draw_with_chart(card)


def _draw_bars(card: Card) -> Markup:
    """Draw a wide bar for each seat, split by line, and the names of the lines."""
    height = 220 // max(2, len(card.seats))
    drawn = Markup()
    for row, shown_seat in enumerate(card.seats):
        y = 164 + row * height
        drawn += Markup(
            '<g transform="translate(60 {y}) scale(1.1)" fill="{colour}" font-size="12" font-weight="600">{shape}</g>'
            '<text x="100" y="{foot}" font-size="24" font-weight="{weight}">{name}</text>'
            '<text x="{right}" y="{foot}" font-size="24" font-weight="600" text-anchor="end">{shown}</text>'
        ).format(
            y=y,
            colour=shown_seat.paint,
            shape=_draw_shape(shown_seat.seat),
            foot=y + 20,
            weight=600 if shown_seat.won else 400,
            name=shorten_text(shown_seat.name, 24),
            right=WIDTH - 60,
            shown=shown_seat.shown,
        )
        for shade, amount, left, width, _ in shown_seat.parts:
            drawn += Markup(
                '<rect x="{}" y="{}" width="{}" height="{}" fill="{}" stroke="{}" stroke-width="2"/>'
            ).format(
                360 + left * 6.8,
                y + 2,
                width * 6.8,
                min(24, height - 6),
                LINE_PAINTS[shade % len(LINE_PAINTS)] if amount > 0 else PAPER,
                PAPER if amount > 0 else LINE_PAINTS[shade % len(LINE_PAINTS)],
            )
    return drawn + _draw_lines_named(card)


def _draw_lines_named(card: Card) -> Markup:
    """Draw the names of the lines with their colours, as many as fit."""
    named = {shade: name for seat in card.seats for shade, _, _, _, name in seat.parts}
    drawn, x, y = Markup(), 60, 408
    for shade, name in sorted(named.items()):
        text = shorten_text(name, 18)
        if x + 34 + 10 * len(text) > WIDTH - 60:
            x, y = 60, y + 28
        if y > 436:
            break
        drawn += Markup(
            '<rect x="{}" y="{}" width="14" height="14" fill="{}"/><text x="{}" y="{}" font-size="20">{}</text>'
        ).format(x, y - 13, LINE_PAINTS[shade % len(LINE_PAINTS)], x + 20, y, text)
        x += 44 + 10 * len(text)
    return drawn


def _draw_with_board(card: Card) -> str:
    """Draw the board as large as possible, for phones, with the standing next to it."""
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
            'font-family="Source Sans Pro, sans-serif" fill="{ink}">'
            '<rect width="{w}" height="{h}" fill="{paper}"/><rect width="{w}" height="12" fill="{accent}"/>'
            '<text x="40" y="66" font-size="40" font-weight="600">{title}</text>'
            '<text x="40" y="102" font-size="24" fill="{faded}">{about}</text>{board}{seats}{sentence}'
            '<text x="{right}" y="102" font-size="22" text-anchor="end" fill="{faded}">Daybook</text></svg>'
        ).format(
            w=WIDTH,
            h=HEIGHT,
            right=WIDTH - 40,
            ink=INK,
            paper=PAPER,
            accent=ACCENT,
            faded=FADED,
            title=shorten_text(card.title, 58),
            about=shorten_text(card.about, 88),
            board=Markup(card.board),
            seats=_draw_standing(card),
            sentence=draw_sentence(card.sentence, 40, 506),
        )
    )


def _draw_standing(card: Card) -> Markup:
    """Draw the standing next to the board, each seat with a bar."""
    left, right, top = BOARD_AT[0] + BOARD + 30, WIDTH - 40, BOARD_AT[1]
    largest = max([1, *(seat.value for seat in card.seats if seat.value is not None)])
    height = min(88, BOARD // 2 // len(card.seats))
    drawn = Markup()
    for row, shown_seat in enumerate(card.seats):
        y = top + row * height
        figure = 15 * len(shown_seat.shown) + 10 if shown_seat.shown else 0
        room = figure + (11 * len(shown_seat.by) + 10 if shown_seat.by else 0)
        length = 0 if shown_seat.value is None else max(2, round((right - left) * max(0, shown_seat.value) / largest))
        drawn += Markup(
            '<g transform="translate({x} {y}) scale(1.2)" fill="{colour}" font-size="12" font-weight="600">{shape}</g>'
            '<text x="{name_x}" y="{foot}" font-size="26" font-weight="{weight}">{name}</text>'
            '<rect x="{figure_x}" y="{y}" width="{figure_wide}" height="36" fill="{paper}"/>'
            '<text x="{right}" y="{foot}" font-size="26" font-weight="600" text-anchor="end">{shown}</text>'
            '<text x="{by_x}" y="{foot}" font-size="20" font-weight="600" text-anchor="end" fill="{by_ink}">{by}</text>'
            '<rect x="{x}" y="{bar}" width="{wide}" height="5" fill="{rule}"/>'
            '<rect x="{x}" y="{bar}" width="{length}" height="5" fill="{colour}"/>'
        ).format(
            x=left,
            y=y,
            colour=shown_seat.paint,
            shape=_draw_shape(shown_seat.seat),
            name_x=left + 40,
            foot=y + 24,
            right=right,
            bar=y + 38,
            wide=right - left,
            weight=600 if shown_seat.won else 400,
            name=shorten_text(shown_seat.name, (right - left - 40 - room) // 14),
            shown=shown_seat.shown,
            rule=RULE,
            length=length,
            figure_x=right - room,
            figure_wide=room + 40,
            paper=PAPER,
            by_ink=GOOD if shown_seat.by.startswith("+") else INK,
            by_x=right - figure,
            by=shown_seat.by,
        )
    return drawn


def _draw_with_chart(card: Card) -> str:
    """Draw the standing and a chart of its history."""
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
            'font-family="Source Sans Pro, sans-serif" fill="{ink}">'
            '<rect width="{w}" height="{h}" fill="{paper}"/><rect width="{w}" height="12" fill="{accent}"/>'
            '<text x="60" y="92" font-size="52" font-weight="600">{title}</text>'
            '<text x="60" y="134" font-size="26" fill="{faded}">{about}</text>{seats}{chart}{sentence}'
            '<text x="{right}" y="604" font-size="22" text-anchor="end" fill="{faded}">Daybook</text></svg>'
        ).format(
            w=WIDTH,
            h=HEIGHT,
            right=WIDTH - 60,
            ink=INK,
            paper=PAPER,
            accent=ACCENT,
            faded=FADED,
            title=shorten_text(card.title, 44),
            about=shorten_text(card.about, 92),
            seats=_draw_bars(card) if any(seat.parts for seat in card.seats) else _draw_seats(card),
            chart=_draw_chart(card),
            sentence=draw_sentence(card.sentence, 60, 450),
        )
    )


def render_png(svg: str) -> bytes:
    """Render SVG as PNG."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=font_files(), sans_serif_family="Source Sans Pro"))


@cache
def draws_hangul() -> bool:
    """Check if the machine has a font with Korean letters: without one, all of them look alike."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text y="30" font-size="30">{}</text></svg>'
    return render_png(svg.format("가")) != render_png(svg.format("국"))


def renderer_version() -> str:
    """Return the versions that determine how a picture looks."""
    return f"resvg {metadata.version('resvg-py')} {font_files()}"


def font_files() -> list[str]:
    """Return the font files, if their wheel is installed."""
    spec = find_spec("font_source_sans_pro")
    folders = [Path(place) / "files" for place in (spec.submodule_search_locations or ())] if spec else []
    return [str(folder / name) for folder in folders for name in FONTS if (folder / name).is_file()]


def _draw_seats(card: Card) -> Markup:
    """Draw each seat with a bar."""
    largest = max([1, *(seat.value for seat in card.seats if seat.value is not None)])
    height = 264 // max(4, len(card.seats))
    drawn = Markup()
    for row, shown_seat in enumerate(card.seats):
        y = 172 + row * height
        length = 0 if shown_seat.value is None else max(2, round(470 * max(0, shown_seat.value) / largest))
        drawn += Markup(
            '<g transform="translate(60 {y}) scale(1.25)" fill="{colour}" font-size="12" font-weight="600">{shape}</g>'
            '<text x="104" y="{foot}" font-size="28" font-weight="{weight}">{name}</text>'
            '<text x="560" y="{foot}" font-size="28" font-weight="600" text-anchor="end">{shown}</text>'
            '<rect x="104" y="{bar}" width="456" height="5" fill="{rule}"/>'
            '<rect x="104" y="{bar}" width="{length}" height="5" fill="{colour}"/>'
        ).format(
            y=y,
            colour=shown_seat.paint,
            shape=_draw_shape(shown_seat.seat),
            foot=y + 25,
            bar=y + 37,
            weight=600 if shown_seat.won else 400,
            name=shorten_text(shown_seat.name, 24),
            shown=shown_seat.shown,
            rule=RULE,
            length=min(456, length),
        )
    return drawn


def _draw_shape(seat: Seat) -> Markup:
    return seat_outline(seat) + seat_letter(seat, SHEET)


def _draw_chart(card: Card) -> Markup:
    """Draw the figures over the steps so far, as wide as the game has progressed."""
    if len(card.values) < 2:
        return Markup()
    chart = charts.build_chart("", card.values, card.rounds, card.lowest_wins)
    across = 520 * chart.width / max(1, card.steps)
    x_scale, y_scale = across / max(1, chart.width), 240 / charts.CHART_HEIGHT
    lines = Markup().join(
        Markup('<path d="{}" fill="none" stroke="{}" stroke-width="4"/>').format(
            _scale_path(line.path, x_scale, y_scale), card.seats[line.seat].paint
        )
        for line in chart.lines
    )
    return Markup(
        '<path d="M620 180v240h520" fill="none" stroke="{}" stroke-width="2"/>{}'
        '<path d="M{x} 176v248" stroke="{accent}" stroke-width="2" stroke-dasharray="4 5"/>'
    ).format(RULE, lines, x=620 + across, accent=ACCENT)


def _scale_path(path: str, x_scale: float, y_scale: float) -> str:
    """Return a chart's line in the picture: its renderer would also scale the stroke."""

    def scale(part: re.Match[str]) -> str:
        sign, first, second = part.groups()
        x, y = 620 + float(first) * x_scale, 180 + float(second or first) * y_scale
        return f"M{x:.1f} {y:.1f}" if sign == "M" else f"H{x:.1f}" if sign == "H" else f"V{y:.1f}"

    return PATH_PART.sub(scale, path)


def draw_sentence(text: str, x: int, y: int) -> Markup:
    rule = Markup('<rect x="{}" y="{}" width="{}" height="1" fill="{}"/>').format(x, y, WIDTH - 2 * x, RULE)
    return rule + Markup().join(
        Markup('<text x="{}" y="{}" font-size="28">{}</text>').format(x, y + 40 + LINE * row, line)
        for row, line in enumerate(wrap_sentence(text))
    )


def wrap_sentence(text: str) -> list[str]:
    """Wrap a sentence to the available lines."""
    lines = [""]
    for word in without_controls(text).split():
        if len(lines[-1]) + 1 + _width_of(word) > WIDE and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], lines[LINES - 1] + " …"]
    return [shorten_text(line, WIDE + 6) for line in lines]


def _width_of(text: str) -> int:
    """Return the width of a text in letters; Korean and Chinese letters count twice."""
    return sum(2 if letter > "\u1100" else 1 for letter in text)


def shorten_text(text: str, limit: int) -> str:
    """Shorten a text to a width in letters."""
    if _width_of(text) <= limit:
        return text
    while _width_of(text) > limit - 1:
        text = text[:-1]
    return f"{text}…"


def draw_bars(paints: Sequence[str], values: Sequence[Points | None]) -> Markup:
    """Draw small bars of figures for a line of a list; none for covered ones.

    Args:
        paints: CSS class of each seat's colour.
    """
    largest = max([1, *(value for value in values if value is not None)])
    return Markup('<svg class="mini" viewBox="0 0 72 {}" aria-hidden="true">{}</svg>').format(
        8 * len(values),
        Markup().join(
            Markup('<path class="{}" d="M0 {}h{}"/>').format(
                paint, 8 * row + 4, 0 if value is None else max(1, round(72 * max(0, value) / largest))
            )
            for row, (paint, value) in enumerate(zip(paints, values, strict=True))
        ),
    )
