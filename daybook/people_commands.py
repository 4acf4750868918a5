"""Commands for links to games, links that sign a person in, and the removal of things from the public lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import click

from daybook.base import (
    CommandError,
    base_of_links,
    data_option,
    game_id,
    json_option,
    main,
    open_service,
    print_json,
    print_lines,
    refusing,
)

if TYPE_CHECKING:
    from daybook.services.store.daybook import Daybook


@main.command()
@click.argument("game", callback=game_id)
@data_option
@json_option
def links(game: UUID, data: Path | None, as_json: bool) -> None:
    """Show all links of a GAME, for the operator. Keep them secret: a link is a key."""
    from daybook.services.permissions import access
    from daybook.services.settings import BadSettingError
    from daybook.services.store.game_cache import UnknownGameError

    with open_service(data) as book, refusing(UnknownGameError, BadSettingError):
        book.games.get(game)
        for grant in access.make_first_grants(book, game):
            key = access.key_of(book, grant)
            if as_json:
                print_json({"place": grant.place, "key": key})
            else:
                print_lines(f"{grant.place:12} {base_of_links(book.settings)}/join#{key}")


@main.command()
@click.argument("thing")
@click.option("--why", required=True, help="The reason, which the owner reads.")
@data_option
def unlist(thing: str, why: str, data: Path | None) -> None:
    """Take a game, a club or a published component sheet off the public lists.

    THING is its id or the address of its page, or the whole hash of a sheet. Holders of a link or a role
    can still read it, and only you can make it public again.
    """
    from daybook.services.league.clubs import OPERATOR
    from daybook.services.names import BadNameError
    from daybook.services.operation import withheld

    with open_service(data) as book, refusing(withheld.UnknownThingError, BadNameError):
        found = withheld.parse_thing(book, thing)
        withheld.take_off(book, found, why, by=OPERATOR)
    print_lines(f"{found.kind} {found.about} is off the public lists")


@main.command("list-again")
@click.argument("thing")
@click.option("--why", required=True, help="The reason, which is kept.")
@data_option
def list_again(thing: str, why: str, data: Path | None) -> None:
    """Put a THING back on the public lists, as its owner had it."""
    from daybook.services.names import BadNameError
    from daybook.services.operation import withheld

    with open_service(data) as book, refusing(withheld.UnknownThingError, BadNameError):
        found = withheld.parse_thing(book, thing)
        if not withheld.put_back(book, found, why):
            raise CommandError(f"{found.kind} {found.about} was not taken off the public lists")
    print_lines(f"{found.kind} {found.about} is back, as its owner set it")


@main.command()
@click.argument("name")
@click.option("--dismiss", is_flag=True, help="The account may do so no more.")
@data_option
def operator(name: str, dismiss: bool, data: Path | None) -> None:
    """Let an account take things off the public lists on the page /operator.

    NAME is the sign-in name, or the person's id. The account is signed out everywhere and has to sign in again, and no
    organiser of a club can make a link that signs it in.
    """
    from daybook.services.league.clubs import OPERATOR
    from daybook.services.people import accounts, operators

    with open_service(data) as book, refusing(accounts.InvalidAccountError):
        if dismiss:
            operators.dismiss_operator(book, accounts.person_of_sign_in(book, name) or name)
        else:
            operators.name_operator(book, _account_named(book, name), by=OPERATOR)
        for person in operators.operators(book):
            print_lines(person)


@main.command("send-messages")
@data_option
def send_messages(data: Path | None) -> None:
    """Let a restored or copied Daybook send clubs' messages; nothing that was recorded before is sent.

    Until then it sends none, because the original may still do so.
    """
    from daybook.services.messages import outbox

    with open_service(data) as book:
        outbox.permit_sending(book)
    print_lines("clubs' messages are sent from here")


@main.command("operator-link")
@data_option
def operator_link(data: Path | None) -> None:
    """Create a link that opens the operator's page once, within 15 minutes, for a session of 15 minutes.

    The page shows parts, jobs, disk and backups. Hand the link to no one.
    """
    from daybook.services.operation import operator_sessions

    with open_service(data) as book:
        key, until = operator_sessions.make_link(book)
        print_lines(f"{base_of_links(book.settings)}/operation#{key}", f"valid until {until}, once")


@main.command("sign-in-link")
@click.argument("name")
@data_option
@json_option
def sign_in_link(name: str, data: Path | None, as_json: bool) -> None:
    """Create a link that signs a person in once, for example after a forgotten password.

    NAME is the sign-in name, or the person's id. The link is valid for two days. Hand it over as you would a key.
    The old password keeps working, and for 14 days the person's other devices can undo what the link set.
    """
    from daybook.services.league.clubs import OPERATOR
    from daybook.services.people import accounts, invitations

    with open_service(data) as book:
        person = _account_named(book, name)
        with refusing(accounts.InvalidAccountError):
            made = invitations.sign_in_link(book, person, by=OPERATOR)
        key = invitations.key_of(book, made)
        link = f"{base_of_links(book.settings)}/invited#{key}"
    if as_json:
        print_json({"person": made.person, "link": link, "until": made.ends_at})
    else:
        print_lines(link, f"valid until {made.ends_at}")


@main.command()
@click.argument("name")
@click.option("--called", required=True, help="The name that games show, as a confirmation.")
@data_option
def anonymise(name: str, called: str, data: Path | None) -> None:
    """Make a person anonymous permanently, when they ask for it and cannot sign in.

    NAME is the sign-in name, or the person's id. The name, the photo, the address and the account are deleted. The
    games stay.
    """
    from daybook.domain.kernel.chronicle import Refused
    from daybook.services.league import anonymity, members
    from daybook.services.league.clubs import OPERATOR
    from daybook.services.operation import erasing
    from daybook.services.people import accounts, anonymise

    with open_service(data) as book:
        person = accounts.person_of_sign_in(book, name) or name
        shown = members.name_of(book, person)
        if not shown or anonymise.is_anonymous(book, person):
            raise CommandError(f"no person has the sign-in name or id {name}")
        if " ".join(called.split()).casefold() != shown.casefold():
            raise CommandError(f"{name} is not called {called}: games show “{shown}”")
        with refusing(Refused):
            cleaned = anonymity.make_anonymous(book, person, by=OPERATOR)
        erasing.erase_own_logs(book, [person])
    print_lines(f"{person} is anonymous" + ("" if cleaned else "; the files are cleaned later, by the follower"))


def _account_named(book: Daybook, name: str) -> str:
    """Return the person with a sign-in name or id. Raises CommandError, which lists the accounts with that name."""
    from daybook.services.people import accounts

    person = accounts.person_of_sign_in(book, name) or name
    if accounts.account_of(book, person) is not None:
        return person
    called = [
        f"  {account.person}  signs in as {account.sign_in or 'no one: only with links'}, since {account.made_at[:10]}"
        for account in accounts.accounts_called(book, name)
    ]
    also = [f"games show this name for {len(called)}; ask them which sign-in name is theirs:", *called]
    raise CommandError("\n".join([f"no account has the sign-in name or id {name}", *(also if called else [])]))
