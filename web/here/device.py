"""The games on this device: their sizes, saving and deleting them."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.sealed_entries import first_sealed
from daybook.services.store.held_leases import HeldLease, held_lease
from daybook.services.store.kept import GameKept
from daybook.services.store.removal import remove_game
from daybook.web.request.access import book
from daybook.web.request.json_answers import json_answer
from daybook.web.words import say

page = Blueprint("device", __name__)


class GameHere(Frozen):
    """A game on this device."""

    game: Game
    kept: GameKept
    size: int  # bytes of its record
    held: HeldLease | None  # if it was taken from a server

    @property
    def first_sealed_step(self) -> int | None:
        """The first step that its file omits because of sealed entries."""
        return first_sealed(self.game)

    @property
    def is_recorded_here(self) -> bool:
        """Check if the game is played and this device records it. It does not after it was handed back."""
        return self.game.status == "running" and (self.held is None or self.held.ended_at is None)

    @property
    def is_awaited(self) -> bool:
        """Check if a server waits for the steps recorded here."""
        return self.held is not None and self.held.ended_at is None


@page.get("/device")
def device() -> str:
    return render_template("device.html", games=games_here())


@page.post("/device/delete/<uuid:game_id>")
def delete(game_id: UUID) -> ResponseReturnValue:
    """Delete a game if the user has typed the word for it."""
    if request.form.get("word", "").strip().casefold() != say("delete").casefold():
        return render_template("device.html", games=games_here(), kept=game_id), 422
    remove_game(book(), game_id)
    return redirect(url_for("device.device"), 303)


@page.get("/device.json")
def state() -> Response:
    """Return the number of games recorded here, for the shell."""
    return json_answer(running=sum(game.is_recorded_here for game in games_here()))


def games_here() -> list[GameHere]:
    """Return every readable game of this device, the one that was written to last first."""
    games = []
    for game_id in book().log.game_ids():
        row, game = book().kept.game(game_id), book().games.find(game_id)
        if row is not None and game is not None:
            size = sum(map(len, book().log.lines(game_id)))
            games.append(GameHere(game, row, size, held_lease(book(), game_id)))
    return sorted(games, key=lambda here: here.game.entries[-1].event.at, reverse=True)
