"""A club in the pages' tests: signed-in people, a drawn season, results."""

from __future__ import annotations

import secrets
from typing import Any
from uuid import UUID

import msgspec
from flask import Flask

from daybook.domain.league.club import Club, Season
from daybook.domain.league.club_commands import (
    ChangeClubSettings,
    ClubCommand,
    DrawSchedule,
    EnterPlayers,
    EnterResult,
    FoundLeague,
    OpenSeason,
)
from daybook.domain.league.club_events import Role
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS, Entrant, Format, SeasonKind
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook
from tests.played import key
from tests.services.leagues import join
from tests.web.conftest import Visitor

PASSWORD = "a bag of red certificates"


class ClubAtHand:
    """A club with its organiser Olga, and what a test has it do."""

    def __init__(self, book: Daybook, app: Flask, public: bool = False) -> None:
        self.book = book
        self.app = app
        self.olga = accounts.make_account(book, "Olga", sign_in="olga", password=PASSWORD)
        self.id: UUID = clubs.found_club(book, "The Mill", self.olga, by=self.olga, key=key()).record
        self.path = f"/clubs/{self.id}"
        if public:
            self.by_olga(ChangeClubSettings(msgspec.structs.replace(self.club.settings, public=True)))
        self.by_olga(FoundLeague("Winter league", ["making_profit"]))

    def by_olga(self, command: ClubCommand, at: int | None = None) -> Receipt:
        """Write a command to the club for its organiser, with a new key."""
        return clubs.write(self.book, self.id, command, by=self.olga, key=key(), at=at)

    @property
    def club(self) -> Club:
        return self.book.clubs.get(self.id)

    @property
    def season(self) -> Season:
        return list(self.club.seasons.values())[-1]

    def member(self, name: str, *roles: Role) -> str:
        """Return a member with an account, who signs in by their name in small letters."""
        person = accounts.make_account(self.book, name, sign_in=name.lower(), password=PASSWORD)
        join(self.book, self.id, person, roles, by=self.olga)
        return person

    def guests(self, names: str) -> dict[str, str]:
        """Return new guests: their names by id."""
        return {f"{name.lower()}-{secrets.token_hex(4)}": name for name in names.split()}

    def open_season(
        self, kind: SeasonKind = "rounds", names: str = "Anna Ben Cleo Dora", title: str = "Autumn", **format: Any
    ) -> list[str]:
        """Open a season with guests, in the order of their names. Divisions are filled one after the other."""
        form: Format = msgspec.structs.replace(DEFAULTS[kind], **format)
        self.by_olga(OpenSeason("1", title, form))
        guests = self.guests(names)
        people = [*guests]
        places = [
            (division, group)
            for division, named in enumerate(form.divisions, 1)
            for group, size in enumerate(named.groups, 1)
            for _ in range(size)
        ] or [(1, 1)] * len(people)
        if people:
            self.by_olga(
                EnterPlayers(
                    self.season.id,
                    tuple(Entrant(person, *place) for person, place in zip(people, places, strict=True)),
                    guests,
                )
            )
        return people

    def draw(self, seed: int = 1, rounds: int = 0) -> None:
        self.by_olga(DrawSchedule(self.season.id, seed, rounds), at=self.club.step)

    def type(self, table: str, *people: str, why: str = "") -> None:
        """A result in this order, the first the winner, with scores that fall by ten."""
        seats = self.club.seats(self.season.tables[table])
        placed = tuple(
            Placed(person, seats.index(person), place, 100 - 10 * place) for place, person in enumerate(people, 1)
        )
        self.by_olga(EnterResult(self.season.id, "making_profit", placed, table, why=why))

    def signed_in(self, name: str = "olga") -> Visitor:
        somebody, person = Visitor(self.app), accounts.person_of_sign_in(self.book, name)
        assert person is not None
        somebody.sign_in(person)
        return somebody

    def signed_in_person(self, name: str) -> str:
        """Return the id of the person with a sign-in name."""
        person = accounts.person_of_sign_in(self.book, name)
        assert person is not None
        return person

    def at(self, rest: str = "") -> str:
        """The address of the season, or of a page of it."""
        return f"{self.path}/seasons/{self.season.id}{rest}"
