"""The parts of a live page, rendered once for all viewers, and the streams that send what changed.

A page has a region for each table and one for the standings. All viewers with the same language and the same permission
share a `LiveView`, which renders as a spectator without a session. While streams are open, one task in the server's event
loop renders what grew, and every stream sends the same bytes.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import zlib
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import lru_cache
from threading import Lock
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache
from flask import Flask, current_app, render_template
from flask_babel import force_locale

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Season
from daybook.services.league import live_round
from daybook.services.league.live_round import LiveGroup, LiveScope, LiveTable
from daybook.services.play.live import Stream, Streams
from daybook.services.store.daybook import Daybook
from daybook.web.boards import table_privacy
from daybook.web.boards.miniature import Miniature
from daybook.web.replay.pictures import draw_small_board
from daybook.web.request.clubs import Names, club_names, season_path, table_label
from daybook.web.words import game_title, league_words, line_label

MAX_VIEWS = 32
BOARD_WIDTH = 400  # pixels, about; smaller words are left out
FRESH_SECONDS = 1.0  # pages that are opened meanwhile show the same
STANDINGS_SECONDS = 3.0  # between two computations of the standings; longer for many viewers
VIEWERS_PER_SECOND = 250  # that get an event; with more viewers, each gets fewer events
CHECK_SECONDS = 15.0  # between two reads of all tables, in case a notification was lost
DELAYED_CHECK_SECONDS = 2.0  # the same, of leagues with a delay
STREAM_LIFETIME_SECONDS = 1800  # then the browser reconnects
SHEET_LINES = 8
STANDINGS = "standings"


class ViewKey(Frozen):
    """A live page and its kind of viewers.

    Args:
        round: of the season; None: of an evening.
        sees_private: viewers belong to the club and may read its games.
        root: path of the application.
    """

    club: UUID
    season: str
    round: int | None
    evening: str
    sees_private: bool
    locale: str
    root: str


class Region(Frozen):
    version: int
    html: str

    def marked(self, name: str) -> str:
        """Return the region for a page, with its comments (`web.request.regions`)."""
        return f"<!--region {name} {self.version}-->{self.html}<!--/region-->"


class LiveView:
    """The regions of a live page, and the version in which each of them changed last."""

    def __init__(self, app: Flask, key: ViewKey) -> None:
        self.app = app
        self.key = key
        self.book: Daybook = app.extensions["daybook"]
        self.birth = secrets.token_hex(4)  # versions of another process mean nothing here
        self.version = 0
        self.tables: dict[str, LiveTable] = {}
        self.groups: list[LiveGroup] = []
        self.regions: dict[str, Region] = {}
        self.delay_seconds = 0
        self.standings_due: float | None = None
        self.standings_seconds = STANDINGS_SECONDS  # between two computations
        self._boards: dict[str, tuple[str, Miniature]] = {}  # the newest drawing of each table, with its seal
        self._scope = LiveScope(())
        self._sees_game = live_round.game_reader(self.book, key.sees_private)
        self._club_step = -1
        self._newest = 0  # version
        self._rendered: dict[str, Region] = {}  # the next `regions`
        self._read_at = self._standings_at = -1e9
        self._lock = Lock()

    @property
    def token(self) -> str:
        return f"{self.birth}.{self.version}"

    @property
    def games(self) -> set[UUID]:
        return {UUID(table.table.game) for table in self.tables.values() if table.table.game}

    def version_of(self, token: str) -> int:
        """Return the version of a page's token; -1 for one of another process."""
        birth, _, version = token.partition(".")
        return int(version) if birth == self.birth and version.isdecimal() and len(version) < 10 else -1

    def changes_since(self, version: int) -> bytes:
        """Return the regions that changed after a version, as JSON for the page's script."""
        token, regions = self.token, self.regions  # without the lock: the event loop must not wait for rendering
        changed = [region.marked(name) for name, region in regions.items() if region.version > version]
        return msgspec.json.encode({"token": token, "names": [*regions], "html": "".join(changed)})

    # --- reading ---

    def refresh_if_stale(self) -> None:
        """Read everything, unless that was done just now or a channel keeps the view current."""
        if time.monotonic() - self._read_at >= FRESH_SECONDS:
            self.refresh()

    def refresh(self, grown: Collection[UUID] | None = None) -> None:
        """Read and render what changed.

        Args:
            grown: the games or clubs with new entries; None: read everything.
        """
        with self._lock:
            now = time.monotonic()
            self._rendered = dict(self.regions)
            with self._rendering():
                changed = self._read(grown)
                if self.key.round is not None and (changed or self.standings_due is not None):
                    self._read_standings(now)
            if self._rendered != self.regions:
                self._newest += self._rendered.keys() != self.regions.keys()
                self.regions = self._rendered  # replaced as a whole, before the version that announces it
                self.version = self._newest
            if grown is None:
                self._read_at = now

    @contextmanager
    def _rendering(self) -> Iterator[None]:
        with self.app.test_request_context("/", base_url=f"http://live{self.key.root}"), force_locale(self.key.locale):
            yield

    def _read(self, grown: Collection[UUID] | None) -> bool:
        """Read the tables that may have changed; check if any has."""
        club = self.book.clubs.get(self.key.club).with_delayed_results()
        has_club_grown = club.step != self._club_step
        if has_club_grown:
            self._club_step, self._scope = club.step, self._scope_in(club)
            seasons = {season for season, _ in self._scope.tables}
            self.delay_seconds = max(map(club.spectator_delay, seasons), default=0)
        wanted = [
            (season, table)
            for season, table in self._scope.all_tables
            if grown is None or has_club_grown or (table.game and UUID(table.game) in grown)
        ]
        names: Names | None = None
        read = dict[str, LiveTable]()
        for season, table in wanted:
            name = f"table.{season}.{table.id}"
            live = live_round.read_table(self.book, club, season, table, self._sees_game)
            read[name] = live.without_game()
            if self._signature(self.tables.get(name)) != self._signature(live) or has_club_grown:
                names = names or club_names(club)
                self._put(name, self._render_table(club, name, live, names))
        if not has_club_grown:
            changed = any(self._signature(self.tables[name]) != self._signature(live) for name, live in read.items())
            self.tables |= read
            return changed
        self.tables = read
        self._rendered = {name: region for name, region in self._rendered.items() if name in read or name == STANDINGS}
        self._boards = {name: drawn for name, drawn in self._boards.items() if name in read}
        return True

    def _scope_in(self, club: Club) -> LiveScope:
        if self.key.round is not None:
            return live_round.scope_of_round(club.seasons[self.key.season], self.key.round)
        return live_round.scope_of_evening(club, club.evenings[self.key.evening])

    @staticmethod
    def _signature(live: LiveTable | None) -> object:
        """Return what a table's drawing depends on, besides the club."""
        return live and (live.state, live.seal, live.seats, live.result)

    def _put(self, name: str, html: str) -> None:
        known = self._rendered.get(name)
        if known is None or known.html != html:
            self._newest += 1
            self._rendered[name] = Region(self._newest, html)

    # --- rendering ---

    def _render_table(self, club: Club, name: str, live: LiveTable, names: Names) -> str:
        season = club.season(live.season) if live.season else club.beside
        drawn, lines = "", list[tuple[str, list[int]]]()
        if live.game is not None and live.position is not None:
            drawn = self._draw(name, live, names)
            if not drawn and not table_privacy.veil_in_force(live.game):
                lines = sheet_lines(live)
        return render_template(
            "league/live_table.html",
            club=club,
            live=live,
            label=table_label(season, live.table, self.key.round) if live.season or live.table.game else "",
            plan=live.table.id.removeprefix("plan-"),
            title=game_title(live.game.game_key if live.game else live.table.ruleset)
            if live.game or live.table.ruleset
            else "",
            people=[league_words.person_name(seat.person, names) for seat in live.seats],
            drawn=drawn,
            lines=lines,
            acting=[milliseconds(seat.acts_since, self.delay_seconds) for seat in live.seats],
            facts_since=milliseconds(live.facts_since, self.delay_seconds),
            season_path=season_path(season),
            **{function.__name__: function for function in league_words.IN_TEMPLATES},
        )

    def _draw(self, name: str, live: LiveTable, names: Names) -> str:
        game = live.game
        assert game is not None
        shown = tuple(league_words.plain_name(seat.person, names) for seat in live.seats)
        if len(shown) != len(game.opening.seats):
            shown = tuple(seat.colour for seat in game.opening.seats)
        privacy = table_privacy.privacy_for(game, (), False)
        small = draw_small_board(game, shown, game.step, None, privacy)
        if small is None:
            return ""
        seal, before = self._boards.get(name, ("", None))
        self._boards[name] = game.seal, small.copy()
        if before is not None and seal != game.seal:
            small.mark_changes(before)
        return small.inline(BOARD_WIDTH, f"{name}.")

    def _read_standings(self, now: float) -> None:
        if now - self._standings_at < self.standings_seconds and STANDINGS in self._rendered:
            self.standings_due = self._standings_at + self.standings_seconds
            return
        club = self.book.clubs.get(self.key.club).with_delayed_results()
        season = club.seasons[self.key.season]
        assert self.key.round is not None
        self.groups = live_round.live_standings(self.book, club, season, self.key.round, self.tables.values())
        self._standings_at, self.standings_due = now, None
        names = club_names(club)
        self._put(STANDINGS, render_standings(club, season, self.groups, names))


def milliseconds(at: str, delay_seconds: int) -> int:
    """Return the moment at which viewers see what happened at a time, for their clocks; 0 for no time."""
    return int(1000 * (datetime.fromisoformat(at).timestamp() + delay_seconds)) if at else 0


def render_standings(club: Club, season: Season, groups: Collection[LiveGroup], names: Names) -> str:
    return render_template(
        "league/live_standings.html",
        season=season,
        groups=groups,
        names=names,
        **{function.__name__: function for function in league_words.IN_TEMPLATES},
    )


def sheet_lines(live: LiveTable) -> list[tuple[str, list[int]]]:
    """Return the newest lines of a score sheet, each with the amounts of all seats."""
    assert live.game is not None and live.position is not None
    scores = live.position.standing
    if len({len(score.lines) for score in scores}) != 1:
        return []
    rules, names = live.game.ruleset.id, [seat.colour for seat in live.game.opening.seats]
    rows = [
        (line_label(rules, lines[0], names), [line.amount for line in lines])
        for lines in zip(*(score.lines for score in scores), strict=True)
    ]
    return rows[-SHEET_LINES:]


# --- streams ---------------------------------------------------------------------------------------------------------


class LiveChannel:
    """The streams of a view, and the task that keeps the view current while there are any."""

    def __init__(self, view: LiveView, streams: Streams) -> None:
        self.view = view
        self.streams = streams
        self.viewers = 0
        self.changed = asyncio.Event()  # replaced with each change
        self._task: asyncio.Task[None] | None = None
        self._encoded: dict[int, bytes] = {}  # by the version that a viewer knows, for the present version
        self._encoded_version = -1
        self.strangers_checked_until = 0.0

    def enter(self) -> None:
        self.viewers += 1
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._follow())

    def leave(self) -> None:
        self.viewers -= 1

    def event_since(self, version: int) -> bytes:
        """Return the event with the changes since a version; many viewers get the same one."""
        if self._encoded_version != self.view.version:
            self._encoded, self._encoded_version = {}, self.view.version
        if version not in self._encoded:
            data = self.view.changes_since(version).decode()
            self._encoded[version] = pack(f"id: {self.view.token}\ndata: {data}\n\n".encode())
        return self._encoded[version]

    async def _follow(self) -> None:
        view = self.view
        await self._refresh(None)
        while self.viewers:
            stream, games = Stream([*view.games, view.key.club]), view.games
            rendered = dict(stream.newest)
            with self.streams.watching(stream):
                await self._refresh(None)  # entries since the read before
                while self.viewers and view.games == games:
                    await self._wait(stream, rendered)

    async def _wait(self, stream: Stream, rendered: dict[UUID, int]) -> None:
        """Wait for new entries, and render them. Games with a delay are read every few seconds.

        Args:
            rendered: the steps of the stream that were rendered; updated.
        """
        view = self.view
        until = time.monotonic() + (DELAYED_CHECK_SECONDS if view.delay_seconds else CHECK_SECONDS)
        while (left := until - time.monotonic()) > 0 and self.viewers:
            if view.standings_due is not None:
                left = min(left, max(0.0, view.standings_due - time.monotonic()))
            grown = await stream.wait_for_steps(rendered, max(left, 0.001))
            rendered |= grown
            if view.delay_seconds:
                grown = {view.key.club: 0} if view.key.club in grown else {}
            is_due = view.standings_due is not None and view.standings_due <= time.monotonic()
            if grown or is_due:
                games = view.games
                await self._refresh(grown)
                if view.games != games:
                    return
        await self._refresh(None)

    async def _refresh(self, grown: Collection[UUID] | None) -> None:
        view, before = self.view, self.view.version
        view.standings_seconds = max(STANDINGS_SECONDS, self.viewers / VIEWERS_PER_SECOND * STANDINGS_SECONDS)
        await asyncio.to_thread(view.refresh, grown)
        if view.version != before:
            changed, self.changed = self.changed, asyncio.Event()
            changed.set()
            await asyncio.sleep(self.viewers / VIEWERS_PER_SECOND)  # the next event has all that grows meanwhile


GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def pack(content: bytes) -> bytes:
    """Compress an event so that it can follow any other in a gzip stream: many streams send the same bytes."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)


@lru_cache(maxsize=64)
def beat_event(pause: float) -> bytes:
    return pack(f'event: beat\ndata: {{"pause": {pause:g}}}\n\n'.encode())


class LiveStream:
    """One viewer's stream of a live page, compressed. It ends when permission is lost, or after its lifetime.

    Args:
        may_read: checks the viewer's permission.
        is_stranger: the viewer is not signed in.
    """

    def __init__(
        self, channel: LiveChannel, stream: Stream, may_read: Callable[[], bool], known_version: int, is_stranger: bool
    ) -> None:
        self.channel = channel
        self.stream = stream
        self.may_read = may_read
        self.is_stranger = is_stranger
        self.version = known_version
        self._entered = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        channel, streams = self.channel, self.channel.streams
        until = time.monotonic() + STREAM_LIFETIME_SECONDS
        look_at = beat_at = 0.0
        self._entered = True
        channel.enter()
        yield GZIP_HEADER + pack(b"retry: 2000\n\n")
        while not self.stream.ended and (now := time.monotonic()) < until:
            if now >= look_at:
                if not await self._may_still_read(now):
                    yield pack(b"event: closed\ndata: {}\n\n")
                    return
                look_at = now + streams.look_seconds
            if channel.view.version > self.version:
                changes, self.version = channel.event_since(self.version), channel.view.version
                beat_at = now + streams.beat_pause()
                yield changes
            elif now >= beat_at:
                pause = streams.beat_pause()
                beat_at = now + pause
                yield beat_event(pause)
            changed = channel.changed
            if channel.view.version <= self.version:
                with suppress(TimeoutError):
                    async with asyncio.timeout(max(0.01, min(look_at, beat_at) - time.monotonic())):
                        await changed.wait()

    async def _may_still_read(self, now: float) -> bool:
        """Check the permission; once for all viewers that are not signed in."""
        if self.is_stranger and now < self.channel.strangers_checked_until:
            return True
        allowed = await asyncio.to_thread(self.may_read)
        if self.is_stranger and allowed:
            self.channel.strangers_checked_until = now + self.channel.streams.look_seconds
        return allowed

    async def aclose(self) -> None:
        if self._entered:
            self._entered = False
            self.channel.leave()
        self.channel.streams.close_stream(self.stream)


class LiveViews:
    """The views of an application that were used last, and the channels that have streams."""

    def __init__(self) -> None:
        self._views: LRUCache[ViewKey, LiveView] = LRUCache(MAX_VIEWS)
        self._channels: WeakValueDictionary[ViewKey, LiveChannel] = WeakValueDictionary()  # kept by their streams
        self._lock = Lock()

    def view(self, key: ViewKey) -> LiveView:
        with self._lock:
            return self._view(key)

    def channel(self, key: ViewKey, streams: Streams) -> LiveChannel:
        with self._lock:
            channel = self._channels.get(key)
            if channel is None:
                channel = self._channels[key] = LiveChannel(self._view(key), streams)
            return channel

    def _view(self, key: ViewKey) -> LiveView:
        channel = self._channels.get(key)
        if channel is not None:
            return channel.view
        if key not in self._views:
            self._views[key] = LiveView(current_app._get_current_object(), key)  # type: ignore[attr-defined]
        return self._views[key]
