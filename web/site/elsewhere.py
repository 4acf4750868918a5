"""What an application says of its parts that are elsewhere: clubs and accounts are not on a device at the table."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request

page = Blueprint("elsewhere", __name__)


@page.get("/elsewhere")
def elsewhere() -> str:
    return render_template("elsewhere.html", part=request.args.get("part", ""), server=current_app.config["SERVER"])
