"""Links to games, links that sign a person in, and what is taken off the public lists."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import click

from daybook.base import CannotUse, data_option, game_id, json_option, main, open_service, refusing, say, tell


@main.command()
@click.argument("game", callback=game_id)
@data_option
@json_option
def links(game: UUID, data: Path | None, as_json: bool) -> None:
    """Show all links of a GAME, for the person who runs the service. Keep them secret: a link is a key."""
    from daybook.services.people import access
    from daybook.services.settings import BadSetting
    from daybook.services.store.games import UnknownGame

    with open_service(data) as book, refusing(UnknownGame, BadSetting):
        book.games.get(game)
        for grant in access.make_first_grants(book, game):
            key = access.key_of(book, grant)
            if as_json:
                say({"place": grant.place, "key": key})
            else:
                tell(f"{grant.place:12} {book.settings.base_url or ''}/join#{key}")


@main.command()
@click.argument("thing")
@click.option("--why", required=True, help="The reason, which the owner reads.")
@data_option
def unlist(thing: str, why: str, data: Path | None) -> None:
    """Take a game, a club or a published component sheet off the public lists.

    THING is its id or the address of its page; of a sheet its whole hash. Whoever holds a link or a role
    keeps it, and nobody else can make it public again.
    """
    from daybook.services.league.clubs import OPERATOR
    from daybook.services.names import BadName
    from daybook.services.operation import withheld

    with open_service(data) as book, refusing(withheld.UnknownThing, BadName):
        found = withheld.thing_named(book, thing)
        withheld.take_off(book, found, why, by=OPERATOR)
    tell(f"{found.kind} {found.about} is off the public lists")


@main.command("list-again")
@click.argument("thing")
@click.option("--why", required=True, help="The reason, which is kept.")
@data_option
def list_again(thing: str, why: str, data: Path | None) -> None:
    """Put a THING back on the public lists, as its owner had it."""
    from daybook.services.names import BadName
    from daybook.services.operation import withheld

    with open_service(data) as book, refusing(withheld.UnknownThing, BadName):
        found = withheld.thing_named(book, thing)
        if not withheld.put_back(book, found, why):
            raise CannotUse(f"{found.kind} {found.about} was not taken off the public lists")
    tell(f"{found.kind} {found.about} is as its owner has it")


@main.command()
@click.argument("name")
@click.option("--dismiss", is_flag=True, help="The account may do so no more.")
@data_option
def operator(name: str, dismiss: bool, data: Path | None) -> None:
    """Let an account take things off the public lists on the page /operator.

    NAME is the sign-in name, or the person's id. The account is signed out everywhere and signs in anew, and no
    organiser of a club can make a link that signs it in.
    """
    from daybook.services.league.clubs import OPERATOR
    from daybook.services.people import accounts, operators

    with open_service(data) as book, refusing(accounts.BadAccount):
        person = accounts.person_of_sign_in(book, name) or name
        if dismiss:
            operators.dismiss(book, person)
        else:
            operators.name_operator(book, person, by=OPERATOR)
        for one in operators.operators(book):
            tell(one)


@main.command("sign-in-link")
@click.argument("name")
@data_option
@json_option
def sign_in_link(name: str, data: Path | None, as_json: bool) -> None:
    """Create a link that signs somebody in once, for example after a forgotten password.

    NAME is the sign-in name, or the person's id. The link is valid for two days. Hand it over as you would a key.
    """
    from daybook.services.league.clubs import OPERATOR
    from daybook.services.people import accounts, invitations

    with open_service(data) as book:
        with refusing(accounts.BadAccount):
            made = invitations.sign_in_link(book, accounts.person_of_sign_in(book, name) or name, by=OPERATOR)
        key, base = invitations.key_of(book, made), book.settings.base_url
    link = f"{base or ''}/invited#{key}"
    if as_json:
        say({"person": made.person, "link": link, "until": made.ends_at})
    else:
        tell(link, f"valid until {made.ends_at}")
