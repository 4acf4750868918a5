"""What is kept on this device: its games, how much room they take, and how to save them or throw them away."""

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
    """A game on this device, and how many bytes its record file has."""

    game: Game
    kept: GameKept
    size: int
    held: HeldLease | None

    @property
    def first_sealed_step(self) -> int | None:
        """The step from which on its file leaves out what lies sealed."""
        return first_sealed(self.game)

    @property
    def is_recorded_here(self) -> bool:
        """Whether it is played on and this device writes it down: handed back, it does not."""
        return self.game.status == "running" and (self.held is None or self.held.ended_at is None)

    @property
    def is_awaited(self) -> bool:
        """Whether a server waits for what is recorded here."""
        return self.held is not None and self.held.ended_at is None


@page.get("/device")
def device() -> str:
    return render_template("device.html", games=games_here())


@page.post("/device/delete/<uuid:game_id>")
def delete(game_id: UUID) -> ResponseReturnValue:
    """Delete one game, for whoever types the word; another word deletes nothing."""
    if request.form.get("word", "").strip().casefold() != say("delete").casefold():
        return render_template("device.html", games=games_here(), kept=game_id), 422
    remove_game(book(), game_id)
    return redirect(url_for("device.device"), 303)


@page.get("/device.json")
def state() -> Response:
    """For the shell: how many games are being recorded here."""
    return json_answer(running=sum(here.is_recorded_here for here in games_here()))


def games_here() -> list[GameHere]:
    """Every game of this device that can be read, the one that was written to last first."""
    found = []
    for game_id in book().log.game_ids():
        kept, game = book().kept.game(game_id), book().games.find(game_id)
        if kept is not None and game is not None:
            size = sum(map(len, book().log.lines(game_id)))
            found.append(GameHere(game, kept, size, held_lease(book(), game_id)))
    return sorted(found, key=lambda here: here.game.entries[-1].event.at, reverse=True)
