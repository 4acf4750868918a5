"""Public pictures of a game: share pictures of steps, embedded boards, and small boards for lists.

All have the view of a visitor without a link. Private games only have the small board, for their readers.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import msgspec
from flask import Blueprint, Response, abort, current_app, make_response, render_template, request, url_for
from flask_babel import force_locale, get_locale

from daybook.domain.kernel.record import Game
from daybook.services.people.places import open_cache
from daybook.services.permissions import visits
from daybook.services.permissions.actions import MayNotError
from daybook.services.permissions.sights import Sight, sights_of
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.replay import GameShown
from daybook.services.store.game_cache import UnknownGameError
from daybook.web.boards import Picture, Scene, cards, table_privacy
from daybook.web.boards.cards import Card, CardSeat
from daybook.web.boards.miniature import Miniature
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.replay.bars import build_bars, is_counted_at_end
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.replay.replay import Answers, filmstrip_of, requested_step, row_of, step_in_short
from daybook.web.request.access import book, visit_game
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import allow_framing, forbid_storing
from daybook.web.site.summary import example_names, example_record, summary_steps
from daybook.web.words import column_value, game_title, result_sentence, say, with_sign

page = Blueprint("pictures", __name__)

PICTURE_CACHE_BYTES = 64 * 1024 * 1024  # in the data folder
BOARD_CACHE_BYTES = 4 * 1024 * 1024
SMALL_WIDTH = 192  # pixels, in lists
LARGE_WIDTH = 380  # pixels; readable on a phone
BROWSER_CACHE_SECONDS = 300  # a game may cease to be public


@contextmanager
def public_view(game_id: UUID, share: str = "") -> Iterator[tuple[Visit, GameShown, Filmstrip]]:
    """Yield a public or shared game as a spectator sees it; 404 for others."""
    try:
        visit, _ = visits.visit_of(book(), game_id, links=[share] if share else [])
    except (UnknownGameError, MayNotError):
        abort(404)
    with filmstrip_of(visit, visit.sight) as (head, filmstrip):
        yield visit, head, filmstrip


@page.get("/games/<uuid:game_id>/steps/<int:step>.png")
@takes_long("GET")
def picture(game_id: UUID, step: int) -> Response:
    return step_picture(game_id, step)


def step_picture(game_id: UUID, step: int, share: str = "") -> Response:
    """Return the picture of a step, in English; names and titles are as users wrote them."""
    with force_locale("en"), public_view(game_id, share) as (visit, head, filmstrip):
        if step > filmstrip.newest:
            raise NoSuchStepError(visit.game)
        card = build_card(visit, head, filmstrip, step)
    return answer_with_picture(card)


def answer_with_picture(card: Card) -> Response:
    """Return a card as PNG, cached on disk."""
    return answer_with_svg(cards.card_svg(card), is_public=True)


def answer_with_svg(svg: str, is_public: bool) -> Response:
    """Return a picture as PNG, cached on disk; browsers and sites may keep a public one.

    The cache key is the content, so corrected or covered steps have other pictures. File names are HMACs and reveal
    nothing.
    """
    key = hashlib.sha256(f"{cards.renderer_version()} {svg}".encode()).hexdigest()
    secret_key = current_app.secret_key
    assert isinstance(secret_key, bytes)
    name = hmac.new(secret_key, f"picture {key}".encode(), hashlib.sha256).hexdigest()
    kept = open_cache(book(), "pictures", PICTURE_CACHE_BYTES)
    answer = Response(kept.get(name) or kept.keep(name, cards.render_png(svg)), mimetype="image/png")
    answer.set_etag(key)
    if is_public:
        answer.headers["Cache-Control"] = f"public, max-age={BROWSER_CACHE_SECONDS}"
        answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    else:
        forbid_storing(answer)
    answer.make_conditional(request)
    return answer


@page.get("/games/<uuid:game_id>/board.svg")
def board(game_id: UUID) -> Response:
    """Return the small board after a step for readers of the game; 404 if the game has none.

    It is drawn for spectators; browsers may cache that of a public game.
    """
    visit = visit_game(game_id)
    return answer_with_board(visit.game, visit.names, visit.kept.public)


def answer_with_board(game: Game, names: tuple[str, ...], public: bool) -> Response:
    """Return the requested step's board in the requested theme and size."""
    theme, width = request.args.get("theme", ""), LARGE_WIDTH if request.args.get("large") else SMALL_WIDTH
    step, privacy = requested_step(game, game.step), table_privacy.privacy_for(game, (), False)
    sight = sights_of(game, None)[0]
    key = (game.id, step, game.entries[step].seal, sight, privacy, theme if theme in ("light", "dark") else "", width)
    kept: Answers = current_app.extensions.setdefault("small_boards", Answers(BOARD_CACHE_BYTES))
    drawn = kept.get(key)
    if drawn is None:
        small = draw_small_board(game, names, step, sight, privacy) or abort(404)
        drawn = kept.keep(key, small.alone(width, key[-2]).encode())
    answer = Response(drawn, mimetype="image/svg+xml")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    return allow_browser_cache(answer, public)


def allow_browser_cache(answer: Response, public: bool) -> Response:
    """Let browsers cache a response if it is public."""
    answer.set_etag(hashlib.sha256(answer.data).hexdigest())
    answer.headers["Cache-Control"] = f"private, max-age={BROWSER_CACHE_SECONDS}" if public else "private, no-store"
    answer.make_conditional(request)
    return answer


def draw_small_board(
    game: Game, names: tuple[str, ...], step: int, sight: Sight, privacy: TablePrivacy
) -> Miniature | None:
    """Draw the board after a step for spectators; None if the game has no small board."""
    picture = Picture(Scene(game.ruleset.id, game.table, names, sight, str(get_locale()), privacy))
    return picture.draw_miniature(replay.position_at(game, step, sight).board)


@page.get("/games/<uuid:game_id>/in-passing.json")
def in_passing(game_id: UUID) -> Response:
    """Return a few steps that summarize a game, with sentences, for spectators."""
    visit = visit_game(game_id)
    return answer_with_steps(visit.game, visit.names, visit.kept.public)


def answer_with_steps(game: Game, names: tuple[str, ...], public: bool) -> Response:
    answer = Response(msgspec.json.encode(summary_steps(game, names)), mimetype="application/json")
    answer.vary.update(["Cookie", "Accept-Language"])
    return allow_browser_cache(answer, public)


# --- an example, where no game has been played ---


@page.get("/example/board.svg")
def example_board() -> Response:
    return answer_with_board(example_record().game, example_names(), True)


@page.get("/example/in-passing.json")
def example_in_passing() -> Response:
    return answer_with_steps(example_record().game, example_names(), True)


def build_card(visit: Visit, head: GameShown, filmstrip: Filmstrip, step: int) -> Card:
    """Build the share picture's content for a step."""
    column, scene = filmstrip.columns[-1], filmstrip.scene
    values, before = (filmstrip.steps[at].columns[column] for at in (step, max(0, step - 1)))
    covered = [scene.unshown.hides_column(column, seat) for seat in range(len(scene.names))]
    row = row_of(filmstrip, step)
    small = filmstrip.picture.miniature_of(filmstrip.draw_step(step).parts)
    if small and step and (was := filmstrip.picture.miniature_of(filmstrip.draw_step(step - 1).parts)):
        small.mark_changes(was)
    at_end, chart = is_counted_at_end(filmstrip), filmstrip.chart(column)
    parts = {
        bar.seat: tuple((part.shade, part.amount, part.left, part.width, part.name) for part in bar.parts)
        for bar in (build_bars(visit.game, step, scene.names) if at_end else [])
    }
    outcome = visit.game.ruleset.scoring.outcome(visit.game.board) if step == filmstrip.newest else None
    by_rank = [*enumerate(scene.names)]
    if outcome is not None and small:
        by_rank.sort(key=lambda seat_name: outcome.ranks[seat_name[0]])
    return Card(
        head.title,
        " · ".join(
            part
            for part in (
                game_title(visit.game.game_key),
                "" if at_end else row.period,
                "" if at_end else say("step {step} of {newest}", step=step, newest=filmstrip.newest),
            )
            if part
        ),
        step_in_short(filmstrip, row)
        if outcome is None
        else result_sentence(visit.rules, outcome, values, scene.names),
        tuple(
            CardSeat(
                seat,
                f"{outcome.place(seat)}. {name}" if outcome and outcome.place(seat) else name,
                "" if covered[seat] else column_value(visit.rules, column, values[seat]),
                None if covered[seat] else values[seat],
                outcome is not None and outcome.ranks[seat] == 1,
                scene.table.colours[seat],
                "" if covered[seat] or values[seat] == before[seat] else with_sign(values[seat] - before[seat]),
                parts.get(seat, ()),
            )
            for seat, name in by_rank
        ),
        () if any(covered) or at_end else tuple(map(tuple, filmstrip.chart_values(column)[: step + 1])),
        chart.width,
        small.inside(*cards.BOARD_AT, cards.BOARD) if small else "",
        chart.places[: step + 1],
        filmstrip.lowest_wins,
    )


@page.get("/games/<uuid:game_id>/embed")
@takes_long("GET", alone=False)
def embed(game_id: UUID) -> Response:
    """Return the board with its steps for frames of other sites, the only page that allows framing."""
    with public_view(game_id) as (visit, head, filmstrip):
        step = requested_step(visit.game, filmstrip.newest)
        answer = make_response(
            render_template(
                "embed.html",
                game=head,
                scene=filmstrip.scene,
                step=step,
                newest=filmstrip.newest,
                row=row_of(filmstrip, step),
                account=filmstrip.account_at(step),
                frame=filmstrip.board_at(step),
                strip=filmstrip.strip_at(step),
                to=lambda other: url_for(".embed", game_id=game_id, step=other),
            )
        )
    return allow_framing(answer)
