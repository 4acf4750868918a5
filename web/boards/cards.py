"""A picture of a game at a step, for where links are shared: the board, its sentence, and how everybody stands.

As SVG in the paper's colours, with the shapes and letters of the seats that the pages have; and as PNG, since the sites
that show such pictures take nothing else. resvg draws it (one wheel without needs of its own), with the letters of
Source Sans, which come as a wheel too, so that a server without fonts draws the same; letters that it has not (Korean)
are taken from the fonts of the machine, where there are some. The boards of the pages are HTML laid out by a browser:
what is in the picture is the board drawn small, of the same parts; of a game that has no such drawing, how its figures
came there.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from markupsafe import Markup

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Seat
from daybook.domain.kernel.texts import without_controls
from daybook.web.boards import charts, colours
from daybook.web.words.seat_marks import seat_letter, seat_outline, seat_paint

WIDTH, HEIGHT = 1200, 630  # what sites that show links ask for
PAPER, SHEET, INK, FADED, RULE, ACCENT, GOOD = (
    colours.LIGHT[name] for name in ("paper", "sheet", "ink", "faded", "rule", "accent", "good")
)
LINE, LINES, WIDE = 34, 3, 80  # of the sentence: height, how many, letters in each
BOARD, BOARD_AT = 756, (40, 124)  # of the board: how wide, twice its height, and where
FONTS = ("SourceSansPro-Regular.ttf", "SourceSansPro-Semibold.ttf")


class CardSeat(Frozen):
    """A seat of the picture. shown: its figure in words; value: None where it is covered; won: it has won; by: what the
    step made of the figure, signed.
    """

    seat: Seat
    name: str
    shown: str
    value: int | None
    won: bool = False
    colour: str = ""
    by: str = ""

    @property
    def paint(self) -> str:
        paint = seat_paint(self.seat, self.colour)
        return colours.LIGHT["edge" if paint == "c-white" else paint]  # white would not show on paper


class Card(Frozen):
    """What a picture shows. about: the game and where it stands; values: by step, of each seat, up to this step; empty
    where any of them is covered; steps: how many the game has; board: it as SVG, BOARD wide; empty where there is none.
    """

    title: str
    about: str
    sentence: str
    seats: tuple[CardSeat, ...]
    values: tuple[tuple[int, ...], ...]
    steps: int
    board: str = ""


def card_svg(card: Card) -> str:
    """The picture as SVG."""
    return _with_board(card) if card.board else _with_figures(card)


def _with_board(card: Card) -> str:
    """The board as large as can be, since such pictures are looked at on phones; beside it how everybody stands."""
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
            seats=_standing(card),
            sentence=_sentence(card.sentence, 40, 506),
        )
    )


def _standing(card: Card) -> Markup:
    """Everybody beside the board, each over a bar as long as their figure."""
    left, right, top = BOARD_AT[0] + BOARD + 30, WIDTH - 40, BOARD_AT[1]
    most = max([1, *(seat.value for seat in card.seats if seat.value is not None)])
    height = min(88, BOARD // 2 // len(card.seats))
    drawn = Markup()
    for row, one in enumerate(card.seats):
        y = top + row * height
        figure = 15 * len(one.shown) + 10 if one.shown else 0
        room = figure + (11 * len(one.by) + 10 if one.by else 0)
        length = 0 if one.value is None else max(2, round((right - left) * max(0, one.value) / most))
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
            colour=one.paint,
            shape=_shape(one.seat),
            name_x=left + 40,
            foot=y + 24,
            right=right,
            bar=y + 38,
            wide=right - left,
            weight=600 if one.won else 400,
            name=shorten_text(one.name, (right - left - 40 - room) // 14),
            shown=one.shown,
            rule=RULE,
            length=length,
            figure_x=right - room,
            figure_wide=room + 40,
            paper=PAPER,
            by_ink=GOOD if one.by.startswith("+") else INK,
            by_x=right - figure,
            by=one.by,
        )
    return drawn


def _with_figures(card: Card) -> str:
    """How everybody stands, and how that came."""
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
            seats=_seats(card),
            chart=_chart(card),
            sentence=_sentence(card.sentence, 60, 450),
        )
    )


def png_of(svg: str) -> bytes:
    """The picture as PNG."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=font_files(), sans_serif_family="Source Sans Pro"))


def drawn_with() -> str:
    """What a picture is made with: of another version it looks otherwise."""
    return f"resvg {metadata.version('resvg-py')} {font_files()}"


def font_files() -> list[str]:
    """The files of the letters, where their wheel is installed."""
    spec = find_spec("font_source_sans_pro")
    folders = [Path(place) / "files" for place in (spec.submodule_search_locations or ())] if spec else []
    return [str(folder / name) for folder in folders for name in FONTS if (folder / name).is_file()]


def _seats(card: Card) -> Markup:
    """Everybody with a bar as long as their figure."""
    most = max([1, *(seat.value for seat in card.seats if seat.value is not None)])
    height = 264 // max(4, len(card.seats))
    drawn = Markup()
    for row, one in enumerate(card.seats):
        y = 172 + row * height
        length = 0 if one.value is None else max(2, round(470 * max(0, one.value) / most))
        drawn += Markup(
            '<g transform="translate(60 {y}) scale(1.25)" fill="{colour}" font-size="12" font-weight="600">{shape}</g>'
            '<text x="104" y="{foot}" font-size="28" font-weight="{weight}">{name}</text>'
            '<text x="560" y="{foot}" font-size="28" font-weight="600" text-anchor="end">{shown}</text>'
            '<rect x="104" y="{bar}" width="456" height="5" fill="{rule}"/>'
            '<rect x="104" y="{bar}" width="{length}" height="5" fill="{colour}"/>'
        ).format(
            y=y,
            colour=one.paint,
            shape=_shape(one.seat),
            foot=y + 25,
            bar=y + 37,
            weight=600 if one.won else 400,
            name=shorten_text(one.name, 24),
            shown=one.shown,
            rule=RULE,
            length=min(456, length),
        )
    return drawn


def _shape(seat: Seat) -> Markup:
    return seat_outline(seat) + seat_letter(seat, SHEET)


def _chart(card: Card) -> Markup:
    """The figures over the steps up to this one, across as much of the width as the game has come."""
    if len(card.values) < 2:
        return Markup()
    chart = charts.chart("", card.values)
    across = 520 * (len(card.values) - 1) / max(1, card.steps)
    lines = Markup().join(
        Markup(
            '<path d="{}" transform="translate(620 180) scale({} {})" fill="none" stroke="{}" stroke-width="4" '
            'vector-effect="non-scaling-stroke"/>'
        ).format(line.path, across / chart.width, 240 / charts.HEIGHT, card.seats[line.seat].paint)
        for line in chart.lines
    )
    return Markup(
        '<path d="M620 180v240h520" fill="none" stroke="{}" stroke-width="2"/>{}'
        '<path d="M{x} 176v248" stroke="{accent}" stroke-width="2" stroke-dasharray="4 5"/>'
    ).format(RULE, lines, x=620 + across, accent=ACCENT)


def _sentence(text: str, x: int, y: int) -> Markup:
    rule = Markup('<rect x="{}" y="{}" width="{}" height="1" fill="{}"/>').format(x, y, WIDTH - 2 * x, RULE)
    return rule + Markup().join(
        Markup('<text x="{}" y="{}" font-size="28">{}</text>').format(x, y + 40 + LINE * row, line)
        for row, line in enumerate(lines_of(text))
    )


def lines_of(text: str) -> list[str]:
    """A sentence in as many lines as there is room for."""
    lines = [""]
    for word in without_controls(text).split():
        if len(lines[-1]) + 1 + _wide(word) > WIDE and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], lines[LINES - 1] + " …"]
    return [shorten_text(line, WIDE + 6) for line in lines]


def _wide(text: str) -> int:
    """How many letters wide a text is; a Korean or Chinese one takes the room of two."""
    return sum(2 if letter > "\u1100" else 1 for letter in text)


def shorten_text(text: str, most: int) -> str:
    """A text that fits into so many letters."""
    if _wide(text) <= most:
        return text
    while _wide(text) > most - 1:
        text = text[:-1]
    return f"{text}…"


def bars(paints: Sequence[str], values: Sequence[int | None]) -> Markup:
    """Everybody's figure as a bar, small, for a line of a list; nothing of whom it is covered.

    paints: the classes that give each seat its colour.
    """
    most = max([1, *(value for value in values if value is not None)])
    return Markup('<svg class="mini" viewBox="0 0 72 {}" aria-hidden="true">{}</svg>').format(
        8 * len(values),
        Markup().join(
            Markup('<path class="{}" d="M0 {}h{}"/>').format(
                paint, 8 * row + 4, 0 if value is None else max(1, round(72 * max(0, value) / most))
            )
            for row, (paint, value) in enumerate(zip(paints, values, strict=True))
        ),
    )
