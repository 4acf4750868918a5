"""One list of every place in which Daybook stores data about a person.

The person's file (`services.league.personal_data`), deletion (`services.people.anonymise`) and the page that explains
what stays (`web.people.anonymous`) use it. A new table, file or cache is either here or in WITHOUT_PEOPLE;
tests/services/people/test_places.py compares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.people import photo_store
from daybook.services.people.blanking import blank_names
from daybook.services.people.byte_limits import client_of_person
from daybook.services.people.writers import opening_writer, role_grant_id
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook
from daybook.services.store.file_cache import FileCache
from daybook.services.store.kept import (
    kept_account,
    kept_anonymous,
    kept_apart,
    kept_calendar,
    kept_club_link,
    kept_earlier_name,
    kept_fork,
    kept_game,
    kept_invitation,
    kept_join_request,
    kept_key,
    kept_link_consent,
    kept_link_sign_in,
    kept_mail,
    kept_message,
    kept_message_choice,
    kept_operator,
    kept_person,
    kept_portrait,
    kept_push,
    kept_report,
    kept_seat,
    kept_session,
    kept_stored,
    kept_withheld,
    note_looks,
)
from daybook.services.store.sheets import by_person, kept_sheet


class Leaving(Frozen):
    """Person to be made anonymous."""

    ids: Sequence[str]  # of the person, the account's first
    game_ids: Sequence[str]  # further ids, each of which names the person in one game
    names: Sequence[str]  # all of the person's, the longest first
    games: Sequence[object]
    new_name: str
    at: str


class Place(Frozen):
    """Kind of data about a person. The page has words for what is deleted, what stays, or both."""

    key: str  # of the page's words
    tables: tuple[str, ...] = ()  # kept tables, or read models built from the log
    files: tuple[str, ...] = ()  # of the data folder
    exported: tuple[str, ...] = ()  # fields of the person's file
    not_exported: str = ""  # the reason, if no field has it
    delete: Callable[[sa.Connection, Leaving], None] | None = None  # in one transaction with the other places
    elsewhere: str = ""  # the function that deletes it otherwise
    stays: bool = False  # part of it stays

    @property
    def is_deleted(self) -> bool:
        return self.delete is not None or bool(self.elsewhere)


# --- how each is deleted ---------------------------------------------------------------------------------------------


def _delete_names(c: sa.Connection, leaving: Leaving) -> None:
    ids = [*leaving.ids, *leaving.game_ids]
    c.execute(kept_person.update().where(kept_person.c.id.in_(ids)).values(name=leaving.new_name))
    note_looks(c, dict.fromkeys(ids, leaving.new_name))
    c.execute(kept_earlier_name.delete().where(kept_earlier_name.c.person.in_(ids)))
    c.execute(kept_seat.update().where(kept_seat.c.person.in_(ids)).values(name=None))


def _delete_rows(*tables: sa.Table) -> Callable[[sa.Connection, Leaving], None]:
    def delete(c: sa.Connection, leaving: Leaving) -> None:
        for table in tables:
            c.execute(table.delete().where(table.c.person.in_(leaving.ids)))

    return delete


def _delete_portrait(c: sa.Connection, leaving: Leaving) -> None:
    photo_store.delete_photos(c, kept_portrait, kept_portrait.c.person.in_(leaving.ids))


def _revoke_invitations(c: sa.Connection, leaving: Leaving) -> None:
    open_ones = kept_invitation.c.person.in_(leaving.ids), kept_invitation.c.used_at.is_(None)
    c.execute(kept_invitation.update().where(*open_ones).values(revoked_at=leaving.at))


def _delete_join_requests(c: sa.Connection, leaving: Leaving) -> None:
    c.execute(kept_join_request.delete().where(kept_join_request.c.person.in_(leaving.ids)))
    c.execute(kept_club_link.delete().where(kept_club_link.c.made_by.in_(leaving.ids)))


def _delete_lines(c: sa.Connection, leaving: Leaving) -> None:
    c.execute(kept_fork.delete().where(kept_fork.c.owner.in_([role_grant_id(person) for person in leaving.ids])))


def _blank_titles(c: sa.Connection, leaving: Leaving) -> None:
    for table, key in ((kept_game, kept_game.c.id), (kept_fork, kept_fork.c.game)):
        _blank_texts(c, table.c.title, [table.c.id], key.in_(leaving.games), leaving)


def _blank_reasons(c: sa.Connection, leaving: Leaving) -> None:
    of_games = sa.or_(kept_apart.c.game.in_(leaving.games), kept_apart.c.other.in_(leaving.games))
    by_them = kept_apart.c.by.in_([opening_writer(person) for person in leaving.ids])
    _blank_texts(c, kept_apart.c.why, [kept_apart.c.id], sa.or_(of_games, by_them), leaving)
    withheld = kept_withheld.c.about.in_([str(game) for game in leaving.games])
    for reason in (kept_withheld.c.why, kept_withheld.c.back_why):
        key = [*kept_withheld.primary_key.columns]
        _blank_texts(c, reason, key, sa.and_(withheld, reason.is_not(None)), leaving)
    for text in (kept_report.c.why, kept_report.c.answer):
        _blank_texts(c, text, [kept_report.c.id], text.is_not(None), leaving)


def _blank_texts(
    c: sa.Connection,
    column: sa.Column[str],
    key: Sequence[sa.Column[object]],
    where: sa.ColumnElement[bool],
    leaving: Leaving,
) -> None:
    table = column.table
    assert isinstance(table, sa.Table)
    for *values, text in c.execute(sa.select(*key, column).where(where)).all():
        blanked = blank_names(text, leaving.names)
        if blanked != text:
            row = (part == value for part, value in zip(key, values, strict=True))
            c.execute(table.update().where(*row).values({column.name: blanked}))


def _leave_sheets(c: sa.Connection, leaving: Leaving) -> None:
    published_by = [*leaving.names, *map(by_person, leaving.ids)]
    c.execute(kept_sheet.update().where(kept_sheet.c.by.in_(published_by)).values(by=""))


def _delete_stored(c: sa.Connection, leaving: Leaving) -> None:
    c.execute(
        kept_stored.delete().where(kept_stored.c.client.in_([client_of_person(person) for person in leaving.ids]))
    )


# --- the list --------------------------------------------------------------------------------------------------------

OWN_SECRETS = "only what a secret is checked against"

PLACES: tuple[Place, ...] = (
    Place(
        "names",
        ("kept_person", "kept_look", "kept_seat", "kept_earlier_name"),
        exported=("person", "name", "earlier_names"),
        delete=_delete_names,
    ),
    Place("portrait", ("kept_portrait", "kept_photo_bytes"), exported=("photo",), delete=_delete_portrait),
    Place(
        "account",
        ("kept_account", "kept_link_sign_in", "kept_link_consent", "kept_operator", "kept_merged_account"),
        exported=("account",),
        delete=_delete_rows(kept_account, kept_link_sign_in, kept_link_consent, kept_operator),
    ),
    Place("sessions", ("kept_session",), exported=("signed_in",), delete=_delete_rows(kept_session)),
    Place("keys", ("kept_key",), exported=("keys",), delete=_delete_rows(kept_key)),
    Place("calendar", ("kept_calendar",), exported=("calendar_address",), delete=_delete_rows(kept_calendar)),
    Place(
        "messages",
        ("kept_mail", "kept_push", "kept_message_choice", "kept_message"),
        exported=("messages",),
        delete=_delete_rows(kept_mail, kept_push, kept_message_choice, kept_message),
    ),
    Place(
        "attempts", ("kept_attempt",), not_exported=OWN_SECRETS, elsewhere="services.people.sign_in_limits.forget_tries"
    ),
    Place("stored", ("kept_stored", "kept_stranger_file"), exported=("stored",), delete=_delete_stored),
    Place("invitations", ("kept_invitation",), not_exported=OWN_SECRETS, delete=_revoke_invitations),
    Place(
        "join_requests",
        ("kept_join_request", "kept_club_link"),
        exported=("join_requests",),
        delete=_delete_join_requests,
    ),
    Place("lines", ("kept_fork",), exported=("private_lines",), delete=_delete_lines),
    Place("titles", ("kept_game",), exported=("games",), delete=_blank_titles),
    Place(
        "reasons",
        ("kept_apart", "kept_withheld", "kept_report"),
        exported=("evenings_told_apart",),
        delete=_blank_reasons,
    ),
    Place("sheets", ("kept_sheet",), exported=("sheets",), delete=_leave_sheets),
    Place(
        "plays",
        files=("log.db",),
        exported=("clubs", "plays", "evenings", "seasons"),
        elsewhere="services.league.anonymity.make_anonymous",
        stays=True,
    ),
    Place("imports", ("kept_forgotten",), not_exported="digests, made when the person is made anonymous", stays=True),
    Place(
        "pictures",
        files=("pictures",),
        not_exported="drawn from the rest",
        elsewhere="services.people.anonymise.clean_files",
    ),
    Place(
        "results",
        (
            *(
                "seat_summary",
                "person_sum",
                "summed_person",
                "rating_row",
                "year_review",
                "result_row",
                "club_row",
                "club_game",
                "club_play",
                "club_play_person",
                "game_row",
                "kept_anonymous",
            ),
            *("kept_change", "kept_lease", "kept_brought"),
        ),
        files=("views.db", "kept.db"),
        exported=("changes",),
        stays=True,
    ),
    Place("records", ("kept_grant",), not_exported="each game has its file; a record knows ids alone", stays=True),
    Place("claims", ("kept_photo",), not_exported="each belongs to a game; its page shows it", stays=True),
    Place("saved", files=("backups",), not_exported="files outside this Daybook", stays=True),
)

WITHOUT_PEOPLE = frozenset(  # tables and files without data about people
    {
        *("kept_version", "kept_appeal", "kept_chances", "kept_disagreement", "kept_receipt_key", "kept_secret"),
        *("kept_without_chances", "kept_clock_step", "kept_history"),
        *("kept_operator_link", "kept_operator_action"),  # digests; reasons that the operator wrote
        *("kept_outbox", "kept_webhook", "kept_mail_refusal"),  # ids of clubs; keyed digests
        "kept_practice",  # keyed digests, for two days
        "kept_import",  # keyed digests
        *("analysed_game", "analysed_moment", "analysed_piece", "analysed_seat", "analysis_spent", "audit_row"),
        *("counted_game", "counted_table", "figures_version", "game_fact", "game_part", "health", "opening_step"),
        *("figure_sum", "summed_month"),
        *(
            "period_score",
            "position",
            "rated_club",
            "read_from",
            "reviewed_club",
            "set_aside",
            "unanalysed_game",
            "uncounted_game",
        ),
        *("unscored_period", "views_schema"),
        *("secret", "receipt-key.pem", "queue", "queue.sock", "queue.folder", "here", "history.json"),
    }
)


def unlisted(tables: Sequence[sa.Table], files: Sequence[str]) -> list[str]:
    """Return the tables and files that are neither in PLACES nor in WITHOUT_PEOPLE."""
    listed = {name for place in PLACES for name in (*place.tables, *place.files)} | WITHOUT_PEOPLE
    return [name for name in (*(table.name for table in tables), *files) if name not in listed]


def rewritten_tables() -> list[str]:
    """Return the kept tables to clean: all that deletion touches, except the photos' bytes."""
    names = (name for place in PLACES if place.delete is not None for name in place.tables)
    return [name for name in dict.fromkeys(names) if name != "kept_photo_bytes"]


class UnlistedCacheError(LookupError):
    """A cache is missing from the list of places: add it to PLACES or WITHOUT_PEOPLE."""


_cleared = dict[Path, str]()  # time up to which this process has cleared each cache


def open_cache(book: Daybook, folder: str, bytes_limit: int) -> FileCache:
    """Open a cache in this host's data folder, cleared of what is older than the newest anonymous person.

    Raises UnlistedCacheError.
    """
    if unlisted((), [folder]):
        raise UnlistedCacheError(folder)
    cache = FileCache(book.settings.folder() / folder, bytes_limit)
    newest = book.kept.engine.value(sa.select(sa.func.max(kept_anonymous.c.at))) or ""
    if newest > _cleared.get(cache.folder, ""):
        cache.remove_older(datetime.fromisoformat(newest).timestamp())
        _cleared[cache.folder] = newest
    return cache


def caches_with_people(settings: Settings) -> list[Path]:
    """Return the folders of caches that may contain names."""
    return [settings.data / name for place in PLACES if place.key == "pictures" for name in place.files]
