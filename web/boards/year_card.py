"""Share picture of a year in review: its figures, its most played games and a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from daybook.domain.kernel.frozen import Frozen
from daybook.web.boards.cards import ACCENT, FADED, HEIGHT, INK, PAPER, RULE, WIDTH, draw_sentence, shorten_text

MAX_FIGURES = 4
MAX_BARS = 5
MARGIN_PX = 60
BAR_LEFT, BAR_HEIGHT, BAR_TOP = 520, 40, 250


class YearCard(Frozen):
    """Content of the picture.

    Args:
        about: the club, or the person and the club.
        figures: up to MAX_FIGURES figures with their labels.
        bars: up to MAX_BARS games with their number of plays, the most played first.
    """

    title: str
    about: str
    figures: tuple[tuple[str, str], ...]
    bars: tuple[tuple[str, int], ...]
    sentence: str


def year_svg(card: YearCard) -> str:
    """Draw the picture as SVG, of the size of all share pictures."""
    return str(
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
            'font-family="Source Sans Pro, sans-serif" fill="{ink}">'
            '<rect width="{w}" height="{h}" fill="{paper}"/><rect width="{w}" height="12" fill="{accent}"/>'
            '<text x="{left}" y="92" font-size="52" font-weight="600">{title}</text>'
            '<text x="{left}" y="134" font-size="26" fill="{faded}">{about}</text>{figures}{bars}{sentence}'
            '<text x="{right}" y="604" font-size="22" text-anchor="end" fill="{faded}">Daybook</text></svg>'
        ).format(
            w=WIDTH,
            h=HEIGHT,
            left=MARGIN_PX,
            right=WIDTH - MARGIN_PX,
            ink=INK,
            paper=PAPER,
            accent=ACCENT,
            faded=FADED,
            title=shorten_text(card.title, 44),
            about=shorten_text(card.about, 92),
            figures=_draw_figures(card.figures[:MAX_FIGURES]),
            bars=_draw_bars(card.bars[:MAX_BARS]),
            sentence=draw_sentence(card.sentence, MARGIN_PX, 478),
        )
    )


def _draw_figures(figures: Sequence[tuple[str, str]]) -> Markup:
    width = (WIDTH - 2 * MARGIN_PX) // MAX_FIGURES
    return Markup().join(
        Markup(
            '<text x="{x}" y="196" font-size="46" font-weight="600">{figure}</text>'
            '<text x="{x}" y="226" font-size="22" fill="{faded}">{label}</text>'
        ).format(x=MARGIN_PX + width * place, figure=figure, label=shorten_text(label, 22), faded=FADED)
        for place, (figure, label) in enumerate(figures)
    )


def _draw_bars(bars: Sequence[tuple[str, int]]) -> Markup:
    right = WIDTH - MARGIN_PX - 80
    most = max((n for _, n in bars), default=1)
    return Markup().join(
        Markup(
            '<text x="{left}" y="{foot}" font-size="26" font-weight="{weight}">{name}</text>'
            '<rect x="{bar_left}" y="{y}" width="{whole}" height="18" fill="{rule}"/>'
            '<rect x="{bar_left}" y="{y}" width="{width}" height="18" fill="{accent}"/>'
            '<text x="{end}" y="{foot}" font-size="26" font-weight="600" text-anchor="end">{n}</text>'
        ).format(
            left=MARGIN_PX,
            foot=BAR_TOP + row * BAR_HEIGHT + 26,
            weight=400 if row else 600,
            name=shorten_text(name, 34),
            bar_left=BAR_LEFT,
            y=BAR_TOP + row * BAR_HEIGHT + 9,
            whole=right - BAR_LEFT,
            width=max(2, round((right - BAR_LEFT) * n / most)),
            rule=RULE,
            accent=ACCENT,
            end=WIDTH - MARGIN_PX,
            n=n,
        )
        for row, (name, n) in enumerate(bars)
    )
