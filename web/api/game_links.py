"""Open a game, read and change its header, and manage its links."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from daybook.domain.kernel.field_types import Day, PlayerSeat
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.points import Points
from daybook.services.league import late_players
from daybook.services.league.seekers import seeker_of
from daybook.services.names import NAME_LIMIT
from daybook.services.people.writers import opening_writer
from daybook.services.permissions import access
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import require
from daybook.services.permissions.sights import sights_of
from daybook.services.permissions.visits import Visit
from daybook.services.play import recording, replay
from daybook.services.play.game_search import search_games
from daybook.services.play.recording import NewGame, SeatedPerson, Title
from daybook.services.play.writing import Receipt, Writer
from daybook.services.statistics import visibility
from daybook.services.store.damage import damaged_step
from daybook.services.store.read_models import GameList
from daybook.web.api.answers import GameAnswer, GamesShown, Link, Links, Opened, Revoked, Shared, You
from daybook.web.api.base import ASK, READ, WRITE, book, section
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import entry_key, holder, opening_key, person, requested_visit, sight_name
from daybook.web.api.pages import bad_place, next_address
from daybook.web.api.requests import GameKey, Once, OnceSecret, PageQuery, RulesetId, TimeZone
from daybook.web.api.schemas import body_of
from daybook.web.request.counts import take
from daybook.web.request.game_query import MAX_QUERY_CHARACTERS, read_query
from daybook.web.request.lists import ROWS_PER_PAGE
from daybook.web.request.origin import own_address
from daybook.web.words.record_words import joined_note

games = section("Games", "Open games, list them, and create links to them.")
PlayerName = Annotated[str, Meta(min_length=1, max_length=NAME_LIMIT)]


class GamesQuery(PageQuery):
    # words that each occur in the title, a player's name, the game's name or the club's name
    q: Annotated[str, Meta(max_length=MAX_QUERY_CHARACTERS, pattern=r"^[^\x00-\x1f]*$")] | None = None
    since: Day | None = None  # last recorded on this day or later
    until: Day | None = None  # last recorded on this day or earlier
    tz: TimeZone | None = None  # the time zone of these days, such as Asia/Seoul; default: UTC
    list: GameList | None = None  # only games of one kind
    whose: Literal["mine"] | None = None  # the game of this link, or the games with the person of this key
    game: GameKey | None = None  # a ruleset's id, or a colon and the name of another game
    club: UUID | None = None  # only games of this club


class NewPlayer(Exact):
    name: PlayerName
    colour: Annotated[str, Meta(min_length=1, max_length=40)]


class Players(Exact):
    ruleset_id: RulesetId = msgspec.field(name="ruleset")
    # clockwise, each with a different colour
    players: Annotated[list[NewPlayer], Meta(min_length=1, max_length=20)]


NewGameBody = body_of("NewGameBody", NewGame, Players, without={"kind"})


class GameChanges(Exact):
    title: Title | UnsetType = UNSET
    names: Annotated[list[PlayerName], Meta(min_length=1, max_length=20)] | UnsetType = UNSET  # all players, by seat
    public: bool | UnsetType = UNSET  # everyone may read it


class LatePlayer(Exact):
    name: PlayerName
    points: Points = 0  # agreed to begin with; a half only on a sheet with halves


class NewLink(Exact):
    role: Literal["scorekeeper", "seat", "reader"]
    seat: PlayerSeat | None = None  # only for the role seat


@games.reads(
    "/games",
    GamesShown,
    "a page of games, the one recorded in last first",
    query=GamesQuery,
    fails=(400, 401, 422, 503),
)
def list_games(query: GamesQuery) -> GamesShown:
    """Find games

    The list has all public games and the game of this key, or with a person's key the games of the person's clubs. A new
    game may be missing for a moment. `next` is the address of the next page, or null on the last page.
    """
    grant, limit = holder(), query.limit or ROWS_PER_PAGE["Games.list_games"]
    sent = {name: value for name, value in msgspec.structs.asdict(query).items() if value is not None}
    wanted = read_query(sent, query.tz or "UTC")
    if wanted.faults:
        raise ApiError(
            422,
            "bad_days",
            "the last day is before the first one",
            "send a `since` that is not after `until`",
            fields={"until": ["Before since."]},
        )
    if query.after and wanted.after is None:
        raise bad_place()
    seeker = seeker_of(book(), person(), () if grant is None else (grant.game,))
    found = search_games(book(), seeker, wanted.asked, wanted.after, limit)
    if found.next is None:
        return GamesShown(found.rows, None)
    zone = {"tz": query.tz} if query.tz else {}
    more = {**wanted.filled_fields, **zone, "limit": limit, "after": found.next.text}
    return GamesShown(found.rows, next_address(more.items()))


@games.route("/games", methods=["POST"])
@games.arguments(OnceSecret, location="headers")
@games.arguments(NewGameBody)
@games.answers(201, Opened, "the game and its links", fails=(400, 404, 413, 415, 422, 429, 503))
def open_game(headers: OnceSecret, body: Any) -> Opened:
    """Open a game

    No key is needed. Without a person's key, the number of games per network address and hour is limited. The answer
    holds a link for the scorekeeper, one for each seat and one for readers. The scorekeeper's key shows them again
    later.
    """
    players = [SeatedPerson(player.name, player.colour) for player in body.players]
    receipt = recording.open_game(
        book(),
        NewGame(**{**msgspec.structs.asdict(body), "players": players}),
        by=opening_writer(person()),
        key=opening_key(headers.key),
        admit=partial(take, "game"),
    )
    return opened_answer(receipt)


def opened_answer(receipt: Receipt) -> Opened:
    """Return the answer for an opened game, and create the links of a new one."""
    links = [link_shown(grant) for grant in access.make_first_grants(book(), receipt.record)]
    return Opened(str(receipt.record), receipt.step, receipt.seal, receipt.repeated, links)


def link_shown(grant: Grant) -> Link:
    return Link(grant.id, grant.role, grant.seat, access.key_of(book(), grant))


@games.reads("/games/<uuid:game_id>", GameAnswer, "the game's head")
def show_game(game_id: UUID) -> GameAnswer:
    """Show a game's header

    The answer has the ruleset, the players, the newest step, the seat that decides next, and the permissions of this
    key.
    """
    return _game_answer(requested_visit(game_id))


def _game_answer(visit: Visit) -> GameAnswer:
    game, running = visit.game, visit.running
    sights = sights_of(game, visit.grant)
    return GameAnswer(
        replay.build_header(game, visit.kept),
        replay.position_at(game, None, sights[0]).to_act if running else [],
        recording.undo_step(game) if running else None,
        recording.undo_turn(game) if running else None,
        recording.redo_step(game) if running else None,
        You(visit.role, None if visit.grant is None else visit.grant.seat, [sight_name(sight) for sight in sights]),
        [entry.step for entry in visit.against_rules],
        damaged_step(book(), game.id),
    )


@games.acts("/games/<uuid:game_id>", GameAnswer, "the game's head", body=GameChanges, method="PATCH", fails=(*ASK, 409))
def change_game(body: GameChanges, game_id: UUID) -> GameAnswer:
    """Change a game's title, its players' names, or make it public

    For the scorekeeper. Title and names are not part of the record, so its seals do not change. A name is changed only
    in this game. If the administrator took the game off the public lists, it cannot be made public: 409 `taken_off`.
    """
    require(requested_visit(game_id), "manage")
    recording.rename_game(book(), game_id, body.title or None, body.names or None)
    if body.public is not UNSET:
        visibility.show_game(book(), game_id, body.public)
    return _game_answer(requested_visit(game_id))


@games.route("/games/<uuid:game_id>/players", methods=["POST"])
@games.arguments(Once, location="headers")
@games.arguments(LatePlayer)
@games.answers(201, GameAnswer, "the head of the new record", fails=WRITE)
@games.needs_key
def add_player(headers: Once, body: LatePlayer, game_id: UUID) -> GameAnswer:
    """Let a player without a seat join

    For the scorekeeper, in a running game of a score sheet. The game continues in a new record with one more seat. All
    links and keys of the game lead there, and the old record is abandoned.
    """
    stored = book().kept.game(game_id)
    if stored is not None and stored.replaced_by not in (None, game_id):
        continued = requested_visit(stored.replaced_by)
        if continued.game.opening.key == entry_key(require(continued, "manage"), headers.key):
            return _game_answer(continued)
    visit = requested_visit(game_id)
    grant = require(visit, "manage")
    new_id = late_players.add_player(
        book(),
        visit.game,
        body.name,
        body.points,
        joined_note(body.name),
        by=Writer(grant.by),
        person=person() or "",
        key=entry_key(grant, headers.key),
    )
    return _game_answer(requested_visit(new_id))


# --- links -----------------------------------------------------------------------------------------------------------


@games.reads("/games/<uuid:game_id>/links", Links, "the links that work", key=True)
def list_links(game_id: UUID) -> Links:
    """List a game's links with their keys

    For the scorekeeper.
    """
    require(requested_visit(game_id), "manage")
    return Links([link_shown(grant) for grant in access.grants_of_game(book(), game_id)])


@games.acts("/games/<uuid:game_id>/links", Links, "the new link", body=NewLink, status=201, fails=ASK)
def make_link(body: NewLink, game_id: UUID) -> Links:
    """Make a new link

    For the scorekeeper.
    """
    visit, role, seat = requested_visit(game_id), body.role, body.seat
    require(visit, "manage")
    seats = len(visit.game.opening.seats)
    if (role == "seat") != (seat is not None) or (seat is not None and seat >= seats):
        raise ApiError(
            422,
            "bad_seat",
            f"a link of the role seat needs a seat from 0 to {seats - 1}, and other links have none",
            "send `seat` only for the role seat",
        )
    return Links([link_shown(access.make_grant(book(), game_id, role, seat))])


@games.acts("/games/<uuid:game_id>/share", Shared, "the address", method="POST", fails=ASK)
def share(game_id: UUID) -> Shared:
    """Share a game

    For the scorekeeper, and for players if the scorekeeper allows it. The address shows what a spectator sees. It is not
    a key and cannot write. A game has one share address: a repeated request returns the same.
    """
    visit = requested_visit(game_id)
    if not visit.shares:
        require(visit, "manage")
    return Shared(f"{own_address()}/s/{access.share_game(book(), game_id).id}")


@games.acts("/games/<uuid:game_id>/share", Shared, "the address opens nothing any more", method="DELETE", fails=ASK)
def end_share(game_id: UUID) -> Shared:
    """Stop sharing a game

    For the scorekeeper. The share address stops working. A later one is a different address.
    """
    visit = requested_visit(game_id)
    require(visit, "manage")
    access.revoke(book(), visit.share)
    return Shared("")


@games.acts(
    "/games/<uuid:game_id>/links/<string:link_id>", Revoked, "it opens nothing any more", method="DELETE", fails=READ
)
def revoke_link(game_id: UUID, link_id: str) -> Revoked:
    """Revoke a link

    For the scorekeeper. A link cannot revoke itself.
    """
    mine = require(requested_visit(game_id), "manage")
    if link_id not in [grant.id for grant in access.grants_of_game(book(), game_id)]:
        raise ApiError(404, "unknown_link", "the game has no such link", "GET /games/{game}/links lists them")
    if link_id == mine.id:
        raise ApiError(422, "own_link", "a link cannot revoke itself", "make another scorekeeper's link and use that")
    access.revoke(book(), link_id)
    return Revoked(link_id)
