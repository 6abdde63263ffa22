"""Inside the machine: throws the rendered dice by the page until the eye has read a roll for sure.

Prints what the pages then know of the tray, and how large the eye's picture is.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import httpx
from websockets.sync.client import connect

HERE = "127.0.0.1:8080"
THROWS = 5  # a die may come to rest against another


def read(feed: Any, table: dict[str, Any]) -> dict[str, Any]:
    """What lies in the tray once it rests otherwise than before."""
    before = table["tray"]
    while table["tray"] == before or table["tray"].get("state") != "rest":
        told = json.loads(feed.recv())
        table |= told.get("all", told.get("set", {}))
    return dict(table["tray"])


def main() -> None:
    """Look, throw, look again."""
    with (
        httpx.Client(base_url=f"http://{HERE}", timeout=60) as page,
        connect(f"ws://{HERE}/api/feed?as=public", max_size=None) as feed,
    ):
        table = json.loads(feed.recv())["all"]
        while table["eye"]["state"] != "rest":  # it opens, and learns the empty tray
            table |= json.loads(feed.recv()).get("set", {})
        for throw in itertools.count(1):
            page.post("/api/tray/throw", json={"id": str(throw)}).raise_for_status()
            tray = read(feed, table)
            if tray["accepted"] or throw == THROWS:
                break
        picture = page.get("/api/eye/picture").raise_for_status().content
        dice = [[die["body"], die["value"]] for die in tray["dice"]]
        print(json.dumps({"accepted": tray["accepted"], "dice": dice, "picture": len(picture)}))


main()
