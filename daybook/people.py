"""Links to games, and links that sign a person in."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import click

from daybook.base import (
    data_option,
    game_id,
    json_option,
    main,
    open_service,
    refusing,
    say,
)


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
                click.echo(f"{grant.place:12} {book.settings.base_url or ''}/join#{key}")


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
        click.echo(f"{link}\nvalid until {made.ends_at}")
