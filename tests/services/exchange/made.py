"""Files of other programs, made for tests."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from uuid import UUID

NAMES = ("Anna", "Ben", "Chloé", "민준", "Dan O'Neil", "Éva", "Farid", "Gül")
GAMES = ("Wingspan", "Go", "Catan", "7 Wonders", "Azul", "Pandemic")


def export(plays: int, seed: int = 1, **odd: Any) -> bytes:
    """An export of BG Stats. odd: fields of its first play."""
    chance = Random(seed)

    def uuid() -> str:
        return str(UUID(int=chance.getrandbits(128)))

    players = [{"id": n, "uuid": uuid(), "name": name, "isAnonymous": False} for n, name in enumerate(NAMES, 1)]
    players.append({"id": 99, "uuid": uuid(), "name": "Anonymous player", "isAnonymous": 1})
    games = [
        {
            "id": n,
            "uuid": uuid(),
            "name": name,
            "bggName": name,
            "bggId": 1000 + n,
            "cooperative": name == "Pandemic",
            "highestWins": name != "Go",
            "noPoints": name == "Pandemic",
        }
        for n, name in enumerate(GAMES, 1)
    ]
    rows = []
    for number in range(plays):
        game = chance.choice(games)
        sitting = chance.sample(players[:-1], chance.randint(2, 4))
        scores = [chance.randint(20, 90) for _ in sitting]
        won = chance.random() < 0.5
        day = f"20{10 + number % 15:02}-{1 + number % 12:02}-{1 + number % 28:02}"
        rows.append(
            {
                "uuid": uuid(),
                "playDate": f"{day} {10 + number % 12:02}:30:00",
                "durationMin": chance.randint(0, 180),
                "gameRefId": game["id"],
                "locationRefId": 1 + number % 2,
                "board": "",
                "comments": "late" if number % 7 == 0 else "",
                "bggId": 5_000_000 + number if number % 3 == 0 else 0,
                "playerScores": [
                    {
                        "playerRefId": value["id"],
                        "score": "" if game["noPoints"] else str(score),
                        "winner": won if game["noPoints"] else score == (max if game["highestWins"] else min)(scores),
                        "newPlayer": number % 11 == 0,
                        "startPlayer": seat == 0,
                        "rank": 0,
                        "seatOrder": seat,
                        "role": "Medic" if game["noPoints"] and seat == 0 else "",
                    }
                    for seat, (value, score) in enumerate(zip(sitting, scores, strict=True))
                ],
            }
        )
    if rows:
        rows[0] |= odd
    places = [{"id": 1, "uuid": uuid(), "name": "The cellar"}, {"id": 2, "uuid": uuid(), "name": "Ben’s"}]
    return json.dumps({"players": players, "locations": places, "games": games, "plays": rows}).encode()


BGG = b"""<?xml version="1.0" encoding="utf-8"?>
<plays username="anna" userid="7" total="4" page="1">
<play id="101" date="2026-04-18" quantity="2" length="1310" incomplete="1" nowinstats="0" location="kitchen">
<item name="Catan" objecttype="thing" objectid="13"><subtypes><subtype value="boardgame"/></subtypes></item>
<comments>late &amp; long</comments>
<players><player username="anna" userid="7" name="Anna" startposition="1" color="red" score="49-46ish" new="1" win="1"/>
<player username="" userid="0" name="Ben" startposition="2" color="" score="36" new="0" win="0"/></players></play>
<play id="102" date="0000-00-00" quantity="1" length="0" incomplete="0" nowinstats="1" location="">
<item name="Coup" objecttype="thing" objectid="131357"/>
<players><player name="Anna" score="" win="0"/><player name="Ben" score="" win="0"/></players></play>
</plays>
<?xml version="1.0" encoding="utf-8"?>
<plays username="anna" userid="7" total="4" page="2">
<play id="103" date="2026-13-40" quantity="1"><item name="Go" objectid="188"/><players><player name="Anna"/></players></play>
<play id="104" date="2026-05-02" quantity="1"><item name="Go" objectid="188"/>
<players><player name="Anna" win="1"/></players></play>
</plays>
"""

TABLE = """Date;Game;Players;Scores;Winner
2026-05-01;Azul;Anna; Ben | Chloé;51;Anna
""".encode()
