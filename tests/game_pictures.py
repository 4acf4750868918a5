"""Draws the pictures of the games for the list of new games: `python -m tests.game_pictures`.

Each shows the small board of a game in its middle, in the colours of paper, as `web/static/game-NAME.svg`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from daybook.web.replay.pictures import draw_small_board, sights_of, table_privacy
from tests.pictures import NAMES, SEATS, game_at_hand, serve_pages

FOLDER = Path(__file__).resolve().parents[1] / "web/static"
STEPS = {"making_profit": 40, "london_markets": 100, "water_frame": 100, "arkwright_card": 60}
WIDTH = 200  # pixels; smaller letters than a reader can read at this width are left out


def main() -> None:
    with tempfile.TemporaryDirectory() as data, serve_pages(Path(data)) as (book, app, _):
        for ruleset, step in STEPS.items():
            opened = game_at_hand(book, app, ruleset, SEATS[ruleset])
            with app.test_request_context("/"):
                game, names = opened.game, NAMES[: SEATS[ruleset]]
                sight, privacy = sights_of(game, None)[0], table_privacy.privacy_for(game, (), False)
                board = draw_small_board(game, names, min(step, game.step), sight, privacy)
                (FOLDER / f"game-{ruleset}.svg").write_text(board.alone(WIDTH, "light") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
