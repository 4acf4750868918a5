"""Everything a process of the service needs, opened once."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from daybook.services.settings import Settings
from daybook.services.store import history, kept, migrations, read_models, sheets
from daybook.services.store.database import StoreEngine, create_tables, kept_engine, search_engine, views_engine
from daybook.services.store.folded_cache import Clubs
from daybook.services.store.game_cache import Games
from daybook.services.store.kept import KeptTables
from daybook.services.store.known_types import prepare_decoders
from daybook.services.store.log import GameLog, open_log
from daybook.services.store.sheets import Sheets
from daybook.services.store.sqlite import IN_BROWSER, find_damage, move_damaged_file

logger = logging.getLogger(__name__)

KEPT = (*kept.metadata.sorted_tables, *sheets.metadata.sorted_tables)  # they cannot be rebuilt from the log


@dataclass(frozen=True, slots=True)
class Daybook:
    """The log, the caches of games and clubs, the kept tables and the read models."""

    settings: Settings
    log: GameLog
    games: Games
    clubs: Clubs
    kept: KeptTables
    sheets: Sheets
    views: StoreEngine
    search: StoreEngine  # for queries on read models and kept tables

    def close(self) -> None:
        self.log.close()
        self.kept.close()
        self.views.dispose()
        self.search.dispose()


def open_daybook(settings: Settings, *, create: bool = False, accept_loss: bool = False) -> Daybook:
    """Open the data of the service. create: create what is missing, and migrate the kept tables to the newest version.

    accept_loss: continue although parts of the data are missing, or older than others.
    Raises NoLogError, NotDurableError, UnfitTablesError, LostDataError.
    """
    _fence(settings)
    if not accept_loss:
        history.refuse_lost_data(settings, create)
    prepare_decoders()  # before any thread starts
    log = open_log(settings, create=create)
    if create and settings.database_url is None and not IN_BROWSER:  # a browser has no other files
        _renew_damaged_views(settings)
    kept_at, views_at = kept_engine(settings), views_engine(settings, read_models.SCHEMA)
    try:
        if create:
            migrations.migrate(kept_at, KEPT)
            create_tables(views_at, read_models.metadata)
        else:
            migrations.require_newest(kept_at, KEPT)
        history.check_history(settings, log, kept_at, views_at, create=create, accept_loss=accept_loss)
    except BaseException:
        log.close()
        kept_at.dispose()
        views_at.dispose()
        raise
    return Daybook(
        settings,
        log,
        Games(log),
        Clubs(log),
        KeptTables(kept_at),
        Sheets(kept_at),
        views_at,
        search_engine(settings, views_at),
    )


def _fence(settings: Settings) -> None:
    """Refuse to write to a former primary of PostgreSQL."""
    if settings.database_url is not None:
        from daybook.services.store import postgres

        postgres.fence(settings)


def with_long_timeouts(settings: Settings) -> Settings:
    """Return settings that wait longer for a busy database, for a process that answers no requests."""
    if settings.database_url is None:
        return settings
    from daybook.services.store import postgres

    return replace(settings, database_url=postgres.with_long_timeouts(settings.database_url))


def _renew_damaged_views(settings: Settings) -> None:
    """Move damaged read models out of the way: they can be rebuilt."""
    file = settings.database_file("views")
    if why := find_damage(file, "left"):
        logger.error(
            "the read models are damaged (%s) and are rebuilt; the old file is %s", why, move_damaged_file(file)
        )
