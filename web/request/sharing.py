"""How a link to a page looks where it is shared, and what search engines list: what everybody may read alone."""

from __future__ import annotations

import io
from functools import lru_cache
from urllib.parse import urlsplit

from flask import Response, current_app, g, request
from markupsafe import Markup

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.texts import without_controls
from daybook.services.files.receipts import short_code
from daybook.services.visits import Visit
from daybook.web.request.origin import own_address
from daybook.web.words import game_title, join_words, say, won_label

OPEN_PAGES = frozenset({"home.home", "help.help", "sheet.sheet", "static"})  # of nobody in particular
ABOUT_PEOPLE = frozenset({"person.person"})


class LinkPreview(Frozen):
    """title, says: in words; address: of the page, without what its query may hold that is nobody else's.

    picture: the address of one, 1200 by 630; empty: there is none.
    """

    title: str
    says: str
    address: str
    picture: str = ""

    @property
    def picture_path(self) -> str:
        """Of the picture, for the page itself, which may be reached at another address than others are told."""
        return urlsplit(self.picture).path


def share(title: str, says: str, picture: str = "", query: str = "", path: str = "") -> None:
    """Say how a link to the page of this request looks. picture: its path; path: of the page, if others open another."""
    g.preview = LinkPreview(
        title,
        without_controls(says),
        f"{own_address()}{path or request.path}{query}",
        f"{own_address()}{request.script_root}{picture}" if picture else "",
    )


def preview() -> LinkPreview | None:
    """What the page of this request says of itself, if it is for everybody."""
    found: LinkPreview | None = g.get("preview")
    return found


def for_search_engines(answer: Response) -> Response:
    """Keep search engines from pages without a preview, about one person, or opened by a share address."""
    left_out = "preview" not in g or request.endpoint in ABOUT_PEOPLE or request.blueprint == "shared"
    if request.endpoint not in OPEN_PAGES and left_out:
        answer.headers["X-Robots-Tag"] = "noindex"
    return answer


def share_game(visit: Visit) -> None:
    """Share a game by its title and its players, if others can open it as this visitor sees it."""
    if visit.kept.public or _opened_by_share(visit):
        share(
            visit.kept.title,
            f"{game_title(visit.game.game_key)}: {join_words(visit.names)}",
            path="" if visit.kept.public else f"/s/{visit.share}",
        )


def _opened_by_share(visit: Visit) -> bool:
    """Check if the visitor opened the game's share address, and sees no more than others do there."""
    return bool(visit.share) and visit.only_reads


def share_step(visit: Visit, step: int, says: str) -> None:
    """Share a step with its sentence, its picture, and who has won, if others can open it as this visitor sees it.

    says: as a visitor without a link may read it.
    """
    public = visit.kept.public
    if not (public or _opened_by_share(visit)) or "pictures" not in current_app.blueprints:
        return
    outcome = visit.game.ruleset.scoring.outcome(visit.game.board)
    title = visit.kept.title
    if outcome is not None and visit.game.status == "closed":
        title = say("{title}: {won}", title=title, won=won_label(visit.names, outcome.ranks))
    share(
        title,
        say("Step {step}: {says}", step=step, says=says) if step < visit.game.step else says,
        f"{f'/games/{visit.game.id}' if public else f'/s/{visit.share}'}/steps/{step}.png",
        f"?step={step}" if step < visit.game.step else "",
        "" if public else f"/s/{visit.share}",
    )


def seal_code(game: Game, step: int) -> str:
    return short_code(game.entries[step].seal)


def seal_qr(game: Game, step: int) -> Markup:
    """For the players' telephones: the address of the receipt, and behind its # the whole seal."""
    address = f"{own_address()}/games/{game.id}/receipt?step={step}"
    return qr(f"{address}#{step}.{game.entries[step].seal}")


@lru_cache(maxsize=64)  # which pattern reads best is found out by trying eight: longer than the rest of a page takes
def qr(text: str, error: str = "m") -> Markup:
    """A text as a QR code, to be drawn in an element that is hidden from who listens. error: how much of it may be
    spoilt; "l", the least, for what is long.
    """
    import segno

    drawn = io.BytesIO()
    segno.make(text, error=error, micro=False).save(
        drawn,
        kind="svg",
        xmldecl=False,
        svgns=True,
        omitsize=True,
        border=2,
        svgclass=None,
        lineclass=None,
        dark="#000",
        light="#fff",
        nl=False,
    )
    return Markup(drawn.getvalue().decode())
