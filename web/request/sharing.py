"""Link previews of shared pages, and indexing by search engines: only of public content."""

from __future__ import annotations

import io
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

import msgspec
from flask import Response, current_app, g, request, url_for
from markupsafe import Markup

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.texts import without_controls
from daybook.services.files.receipts import short_code
from daybook.services.permissions import access
from daybook.services.permissions.actions import may_with
from daybook.services.permissions.visits import Visit
from daybook.web.request.access import book
from daybook.web.request.origin import kind_of_device, link_reach, own_address
from daybook.web.request.parts import is_device
from daybook.web.words import game_title, join_words, say, won_label
from daybook.web.words.say import N_

OPENS = N_("Anyone with this link can watch and replay the game. Hands stay hidden until it ends. It records nothing.")
OPENS_ENDED = N_("Anyone with this link can watch and replay the game. It records nothing.")
HERE_ONLY = N_("This address works only on the computer that runs Daybook.")
LET_PHONES_IN = N_("To let phones in, start Daybook again: the window in which it runs says how.")
OPEN_PAGES = frozenset({"home.home", "help.help", "sheet.sheet", "static"})  # without personal content
ABOUT_PEOPLE = frozenset({"person.person"})


class LinkPreview(Frozen):
    """Preview of a link to a page.

    Args:
        title: in words.
        says: description in words.
        address: of the page, without private parts of its query.
        picture: address of a 1200 by 630 picture; "" for none.
    """

    title: str
    says: str
    address: str
    picture: str = ""

    @property
    def picture_path(self) -> str:
        """Path of the picture, for the page itself."""
        return urlsplit(self.picture).path


class ShareOffer(Frozen):
    """The content of a Share button, with one of `address`, `create` and `ask`."""

    title: str
    says: str
    address: str = ""  # of the page for others
    picture: str = ""  # path of the picture, or ""
    create: str = ""  # address at which the visitor creates the share address
    ask: str = ""  # address at which a player requests it from the scorekeeper
    step: int | None = None  # step of picture and address
    query: str = ""  # query of that step
    opens: str = ""  # a sentence that says what the link opens
    embed: str = ""  # address of the board for frames of other sites
    is_fixed: bool = False  # keep the sentence while stepping, because other sentences may name covered cards


def offer_to_share(title: str) -> ShareOffer | None:
    """Return the content of this page's Share button, or None if the visitor has no address that opens for others.

    Args:
        title: of a page that is not about a single game.
    """
    found, visit = current_preview(), g.get("shared_visit")
    if is_device():
        return None
    if found is not None:
        public = visit is None or visit.kept.public
        opens = _say_what_opens("" if public else _say_who_opens(visit))
        is_fixed = visit is not None and not _others_see_the_same(visit)
        offer = ShareOffer(found.title, found.says, found.address, found.picture_path, opens=opens, is_fixed=is_fixed)
        if visit is None or not visit.kept.public or "pictures" not in current_app.blueprints:
            return offer
        return msgspec.structs.replace(offer, embed=url_for("pictures.embed", game_id=visit.game.id))
    if visit is None:
        opens = _say_what_opens(say("Only members of the club can open this link."))
        return ShareOffer(title, title, f"{own_address()}{request.path}", opens=opens)
    return _offer_of_game(visit)


def _offer_of_game(visit: Visit) -> ShareOffer | None:
    """Return the Share content of a private game, without anything that only the visitor may see."""
    title, says, step, query = g.get("shared_text") or (visit.kept.title, _players_of(visit), visit.game.step, "")
    path = f"{request.script_root}/games/{visit.game.id}/share"
    has_pictures = "pictures" in current_app.blueprints
    offer = ShareOffer(
        title,
        says,
        step=step if has_pictures else None,
        query=query,
        opens=_say_what_opens(_say_who_opens(visit)),
        is_fixed=not _others_see_the_same(visit),
    )
    if visit.share:
        return msgspec.structs.replace(
            offer,
            address=f"{own_address()}/s/{visit.share}{query}",
            picture=f"{request.script_root}/s/{visit.share}/steps/{step}.png" if has_pictures else "",
        )
    if visit.shares:
        return msgspec.structs.replace(offer, create=path)
    if visit.seat_shared_from is None or not visit.kept.players_may_ask:
        return None
    return msgspec.structs.replace(offer, ask=f"{path}/ask")


def _say_who_opens(visit: Visit | None) -> str:
    """Say what a private link opens; a closed game keeps no hand hidden."""
    return say(OPENS if visit is None or visit.game.status != "closed" else OPENS_ENDED)


def _say_what_opens(opens: str) -> str:
    """Add that others cannot reach this Daybook, if only its own computer does."""
    if not link_reach().here_alone:
        return opens
    at_computer = kind_of_device() == "computer" and not link_reach().served
    return " ".join(filter(None, (opens, say(HERE_ONLY), say(LET_PHONES_IN) if at_computer else "")))


def _players_of(visit: Visit) -> str:
    return f"{game_title(visit.game.game_key)}: {join_words(visit.names)}"


def set_preview(title: str, description: str, picture: str = "", query: str = "", path: str = "") -> None:
    """Set the link preview of the current page.

    Args:
        picture: its path.
    """
    g.preview = LinkPreview(
        title,
        without_controls(description),
        f"{own_address()}{path or request.path}{query}",
        f"{own_address()}{request.script_root}{picture}" if picture else "",
    )


def current_preview() -> LinkPreview | None:
    """Return the link preview of the current page, if it is public."""
    stored: LinkPreview | None = g.get("preview")
    return stored


def for_search_engines(answer: Response) -> Response:
    """Keep search engines from pages without a preview, about one person, or opened by a share address."""
    left_out = "preview" not in g or request.endpoint in ABOUT_PEOPLE or request.blueprint == "shared"
    if request.endpoint not in OPEN_PAGES and left_out:
        answer.headers["X-Robots-Tag"] = "noindex"
    return answer


def preview_game(visit: Visit) -> None:
    """Set the preview of a public game: its title and players."""
    g.shared_visit = visit
    if visit.kept.public or _opened_by_share(visit):
        set_preview(visit.kept.title, _players_of(visit), path="" if visit.kept.public else f"/s/{visit.share}")


def _others_see_the_same(visit: Visit) -> bool:
    """Check if the visitor sees nothing that is covered for others."""
    return visit.only_reads or bool(may_with((), visit.game, "save"))


def _opened_by_share(visit: Visit) -> bool:
    """Check if the visitor opened the game's share address, and sees no more than others do there."""
    return bool(visit.share) and visit.only_reads


def result_of_game(visit: Visit) -> str:
    """Return the sentence that names the winners; "" while the game is played or if it was abandoned."""
    outcome = visit.game.ruleset.scoring.outcome(visit.game.board) if visit.game.status == "closed" else None
    return "" if outcome is None else won_label(visit.names, outcome.ranks)


def title_at_end(visit: Visit) -> str:
    """Return the title of a finished game with its winners."""
    won = result_of_game(visit)
    return say("{title}: {won}", title=visit.kept.title, won=won) if won else visit.kept.title


def preview_step(visit: Visit, step: int, text: str) -> None:
    """Set the preview of a public game's step: sentence and picture. Only the newest step names the winner.

    Args:
        text: the step's sentence for the visitor; omitted if others may not read it.
    """
    g.shared_visit = visit
    public, is_older = visit.kept.public, step < visit.game.step
    query = f"?step={step}" if is_older and step else ""  # a replay starts at step 0: the user did not choose it
    title = visit.kept.title if is_older else title_at_end(visit)
    sentence = say("Step {step}: {says}", step=step, says=text) if is_older else text
    if not (step and _others_see_the_same(visit)):
        sentence = _players_of(visit)
    if not (public or _opened_by_share(visit)):
        g.shared_text = (title, sentence, step, query)
    elif "pictures" in current_app.blueprints:
        place = f"/games/{visit.game.id}" if public else f"/s/{visit.share}"
        set_preview(title, sentence, f"{place}/steps/{step}.png", query, "" if public else place)


def seal_code(game: Game, step: int) -> str:
    return short_code(game.entries[step].seal)


def seal_qr(visit: Visit, step: int) -> Markup:
    """Return a QR code of the receipt's address that opens for most, with the whole seal in its fragment."""
    game = visit.game
    path = f"/games/{game.id}" if visit.kept.public or not visit.share else f"/s/{visit.share}"
    return qr_code(f"{own_address()}{path}/receipt?step={step}#{step}.{game.entries[step].seal}")


def seal_qr_limits(visit: Visit) -> str:
    """Name the people for which the QR code of a receipt does not open; "" if it opens for all."""
    if link_reach().here_alone:
        return say("This code opens on this computer only.")
    if visit.kept.public or visit.share:
        return ""
    return say("This game is private: the code opens only for those who have a link to the game.")


@lru_cache(maxsize=64)  # a fixed mask: trying all eight takes longer than the rest of the page
def qr_code(text: str, error: str = "m") -> Markup:
    """Return a text as a QR code for an element that is hidden from screen readers.

    Args:
        error: correction level; "l", the lowest, for long texts.
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


def reportable_page() -> str:
    """Return the path of this page for a report of abuse, without secrets: of a sheet with its hash."""
    if request.blueprint == "reports" or request.method != "GET":
        return ""
    sheet = request.args.get("hash", "") if request.blueprint == "sheet" else ""
    return page_without_share(request.path) + (f"?{urlencode({'hash': sheet})}" if sheet else "")


def page_without_share(page: str) -> str:
    """Return the address of the game instead of a share address, which is a secret; other addresses as they are."""
    first, share, *_ = [*page.removeprefix("/").partition("?")[0].split("/"), ""]
    grant = access.read_share(book(), share) if first == "s" else None
    return f"/games/{grant.game}" if grant else page
