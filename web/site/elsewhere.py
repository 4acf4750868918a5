"""Page about parts that a device lacks: clubs and accounts."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, render_template, request
from flask.blueprints import BlueprintSetupState

page = Blueprint("elsewhere", __name__)

ADDRESSES = {  # of a game, that may have been copied from a server
    "evidence": ("/games/<uuid:game_id>/receipt", "/games/<uuid:game_id>/receipt/file"),
    "photos": ("/games/<uuid:game_id>/photos/<hash>",),
}


@page.get("/elsewhere")
def elsewhere(part: str = "", **_address: Any) -> str:
    return render_template(
        "elsewhere.html", part=part or request.args.get("part", ""), server=current_app.config["SERVER"]
    )


@page.record
def answer_for_others(state: BlueprintSetupState) -> None:
    """Register the addresses of missing parts, to say where these parts are."""
    for part, addresses in ADDRESSES.items():
        if part not in state.app.blueprints:
            for address in addresses:
                state.add_url_rule(address, "elsewhere", elsewhere, defaults={"part": part})
