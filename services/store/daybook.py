"""Everything a process of the service needs, opened once."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from daybook.services.settings import Settings
from daybook.services.store import history, kept, migrations, read_models, sheets
from daybook.services.store.database import StoreEngine, create_tables, kept_engine, search_engine, views_engine
from daybook.services.store.folded_cache import Clubs
from daybook.services.store.games import Games
from daybook.services.store.kept import KeptTables
from daybook.services.store.known_types import make_types_known
from daybook.services.store.log import GameLog, open_log
from daybook.services.store.sheets import Sheets
from daybook.services.store.sqlite import ALONE, damage_of, put_aside

logger = logging.getLogger(__name__)

KEPT = (*kept.metadata.sorted_tables, *sheets.metadata.sorted_tables)  # all that cannot be rebuilt from the log


@dataclass(frozen=True, slots=True)
class Daybook:
    """The log, the games and clubs folded from it, what is kept beside it, and the read models."""

    settings: Settings
    log: GameLog
    games: Games
    clubs: Clubs
    kept: KeptTables
    sheets: Sheets
    views: StoreEngine
    search: StoreEngine  # reads the read models beside what is kept, in one query

    def close(self) -> None:
        self.log.close()
        self.kept.close()
        self.views.dispose()
        self.search.dispose()


def open_daybook(settings: Settings, *, create: bool = False, accept_loss: bool = False) -> Daybook:
    """The service on its data. create: make what is missing, and bring the kept tables to the newest version.

    accept_loss: where parts of the data are missing or older than others, continue with what is there.
    Raises NoLog, NotDurable, UnfitTables, LostDataError.
    """
    _fence(settings)
    if not accept_loss:
        history.refuse_lost_data(settings, create)
    make_types_known()  # before there is anything to read, and before anything begins a thread
    log = open_log(settings, create=create)
    if create and settings.database_url is None and not ALONE:  # a browser keeps no file beside those it knows
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
    if settings.database_url is not None:
        from daybook.services.store import postgres

        postgres.fence(settings)


def unhurried(settings: Settings) -> Settings:
    """For a process that answers nobody: it waits longer for a database that has much to do."""
    if settings.database_url is None:
        return settings
    from daybook.services.store import postgres

    return replace(settings, database_url=postgres.unhurried(settings.database_url))


def _renew_damaged_views(settings: Settings) -> None:
    """What can be made again is no reason to serve nothing."""
    file = settings.sqlite_file("views")
    if why := damage_of(file, "left"):
        logger.error("the read models are damaged (%s) and made anew; what was there is %s", why, put_aside(file))
