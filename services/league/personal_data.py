"""Everything that is stored of a person, for that person."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.league.club import SeasonTable
from daybook.services.league import anonymity, calendars, clubs, join_requests, members, portraits, told_apart
from daybook.services.league.clubs import account_in as account_in
from daybook.services.league.clubs import came_by_choice as came_by_choice
from daybook.services.people import accounts, anonymise, mail_addresses, photos
from daybook.services.people.byte_limits import client_of_person
from daybook.services.people.writers import role_grant_id
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_fork, kept_game, kept_seat, kept_stored
from daybook.services.store.sheets import by_person, kept_sheet


def export_personal_data(book: Daybook, person: str) -> bytes:
    """Return everything that is stored of a person, as JSON, for that person."""
    shown = portraits.read_portrait(book, person)
    sessions = [
        {"device": session.device, "since": session.made_at, "last": session.seen_at, "until": session.ends_at}
        for session in accounts.sessions_of(book, person)
    ]
    keys = [
        {"name": key.name, "since": key.made_at, "last": key.seen_at, "until": key.ends_at}
        for key in accounts.keys_of_person(book, person)
    ]
    told: dict[str, Any] = {
        "person": person,
        "name": members.name_of(book, person),
        "earlier_names": sorted(anonymise.earlier_names(book, anonymity.all_ids_of(book, person))),
        "account": accounts.account_of(book, person),
        "photo": None
        if shown is None
        else {"media_type": photos.MEDIA_TYPE, "base64": base64.b64encode(shown.bytes).decode()},
        "signed_in": sessions,
        "keys": keys,
        "calendar_address": calendars.address_of(book, person),
        "messages": mail_addresses.export_messages(book, person),
        "changes": accounts.changes_of(book, [person], 10_000),
        "clubs": [
            {"club": str(club.id), "name": club.name, "roles": club.roles(person)}
            for club in clubs.clubs_of(book, person)
        ],
        "join_requests": join_requests.export_requests(book, person),
        **club_data_of(book, person),
        "sheets": sheets_of(book, person),
        "stored": stored_of(book, person),
        "games": games_of(book, person),
        "private_lines": forks_of(book, person),
        "evenings_told_apart": told_apart.said_by(book, person),
        "told": "Passwords, keys and links are not in this file: Daybook keeps only what they are checked against. "
        "What was recorded in a game stays in its record, where this person stands by id alone.",
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"


def club_data_of(book: Daybook, person: str) -> dict[str, list[dict[str, Any]]]:
    """Return a person's data in clubs, without recorded games: imported and typed plays, evenings, seasons."""
    ids = anonymity.all_ids_of(book, person)
    plays, evenings, seasons = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for club in book.clubs.with_people(ids):
        mine, named = {person_id for person_id in ids if club.knows(person_id)}, {"club": str(club.id)}
        for season in club.all_seasons():
            tables = (table for table in season.tables.values() if not mine.isdisjoint(table.people))
            plays += [named | play for table in tables for play in _play_of(table, mine)]
            entered = [player for person_id, player in season.players.items() if person_id in mine]
            seasons += [{**named, "season": season.name, "withdrew": player.withdrew is not None} for player in entered]
        evenings += [
            {
                **named,
                "evening": evening.when,
                "answer": answered.answer,
                "games_brought": answered.games_brought,
                "games_wanted": answered.games_wanted,
            }
            for evening in club.evenings.values()
            for person_id, answered in evening.answers.items()
            if person_id in mine
        ]
    return {"plays": plays, "evenings": evenings, "seasons": seasons}


def _play_of(table: SeasonTable, ids: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield a person's part of a play that was typed in or imported; what others did is theirs."""
    if table.typed is None or table.game:
        return
    details = table.typed.details
    for placed in table.typed.placed:
        if placed.person in ids:
            told = {
                "game": table.typed.ruleset,
                "day": table.typed.day,
                "imported": bool(table.batch),
                "players": len(table.typed.placed),
                "place": placed.place,
                "score": details.scores.get(placed.person, placed.score),
                "role": details.roles.get(placed.person, ""),
                "team": details.teams.get(placed.person, ""),
                "began": details.start_player == placed.person,
                "new_to_it": placed.person in details.new,
                "minutes": details.minutes,
                "where": details.place,
                "variant": details.variant,
                "expansions": details.expansions,
                "remarks": details.comments,
                "hour": details.hour,
                "colour": details.colours.get(placed.person, ""),
            }
            yield {name: value for name, value in told.items() if value or name == "score"}


def sheets_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """Return the component sheets that a person published."""
    query = sa.select(kept_sheet.c.hash, kept_sheet.c.name, kept_sheet.c.at).where(kept_sheet.c.by == by_person(person))
    return [{"sheet": row.hash, "name": row.name, "at": row.at} for row in book.kept.engine.rows(query)]


def stored_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """Return how many bytes a person stored, by day and kind."""
    query = sa.select(kept_stored).where(kept_stored.c.client == client_of_person(person)).order_by(kept_stored.c.day)
    return [{"day": row.day, "kind": row.kind, "bytes": row.bytes} for row in book.kept.engine.rows(query)]


def games_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """Return the games of a person by any id, the newest first, with corrections by their clubs.

    seat: where they sat. named_in: where the record names them, if that is elsewhere.
    """
    ids = anonymity.all_ids_of(book, person)
    mine = {club.id: club for person_id in ids for club in clubs.clubs_of(book, person_id)}
    put_right = clubs.seats_put_right(mine.values(), person)
    sitting = kept_seat.c.person.in_(ids)
    query = (
        sa.select(kept_game.c.id, kept_game.c.title, kept_game.c.created_at)
        .where(
            sa.or_(kept_game.c.id.in_(sa.select(kept_seat.c.game).where(sitting)), kept_game.c.id.in_(put_right.sat))
        )
        .order_by(kept_game.c.created_at.desc(), kept_game.c.id)
    )
    named = defaultdict[UUID, list[int | None]](list)
    with book.kept.engine.connect() as c:
        rows = c.execute(query).all()
        for game, at in c.execute(sa.select(kept_seat.c.game, kept_seat.c.seat).where(sitting)):
            named[game].append(at)
    found = []
    for row in rows:
        for named_in in named.get(row.id, [None]):
            seat = None if row.id in put_right.not_sat else put_right.sat.get(row.id, named_in)
            told = {"game": str(row.id), "title": row.title, "seat": seat, "opened": row.created_at}
            found.append(told if named_in in (seat, None) else {**told, "named_in": named_in})
    return found


def forks_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """Return the private lines of a person."""
    query = sa.select(kept_fork).where(kept_fork.c.owner == role_grant_id(person)).order_by(kept_fork.c.made_at)
    return [
        {
            "game": str(row.game),
            "at": row.at,
            "title": row.title,
            "moves": msgspec.json.decode(row.moves),
            "made": row.made_at,
        }
        for row in book.kept.engine.rows(query)
    ]
