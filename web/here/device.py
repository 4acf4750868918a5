"""What is kept on this device: its games, how much room they take, and how to save them or throw them away."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, jsonify, render_template

from daybook.domain.kernel.record import Game
from daybook.services.store.kept import GameKept
from daybook.web.request.access import book

page = Blueprint("device", __name__)


class GameHere(msgspec.Struct, frozen=True):
    """A game on this device, and how many bytes its record file has."""

    game: Game
    kept: GameKept
    size: int


@page.get("/device")
def device() -> str:
    return render_template("device.html", games=games_here())


@page.get("/device.json")
def state() -> Response:
    """For the shell: how many games are being recorded here."""
    answer = jsonify(running=sum(here.game.status == "running" for here in games_here()))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def games_here() -> list[GameHere]:
    """Every game of this device, the one that was written to last first."""
    found = []
    for id in book().log.game_ids():
        kept = book().kept.game(id)
        if kept is not None:
            found.append(GameHere(book().games.get(id), kept, sum(map(len, book().log.lines(id)))))
    return sorted(found, key=lambda here: here.game.entries[-1].event.at, reverse=True)
