"""Someone who asks a referee, and takes its answers apart, for the tests."""

from __future__ import annotations

import json
from typing import Any

from companion.cli.referee import Referee
from tests.games.guess import GUESS


class Bench:
    """A referee and someone who asks it."""

    def __init__(self, seed: int | None = 7, game: Any = GUESS) -> None:
        self.referee = Referee(game, seed)

    def ask(self, ask: str, **fields: Any) -> Any:
        """The answer, whatever it is."""
        said = self.referee.answer(json.dumps({"ask": ask, **fields}))
        assert "\n" not in said
        return json.loads(said)

    def ok(self, ask: str, **fields: Any) -> Any:
        """The answer, which must be a good one."""
        answer = self.ask(ask, **fields)
        assert answer["ok"] is True, answer
        return answer

    def refused(self, ask: str, **fields: Any) -> tuple[str, str]:
        """Kind and reason of a refusal."""
        answer = self.ask(ask, **fields)
        assert answer["ok"] is False
        return answer["error"]["kind"], answer["error"]["why"]

    def guess(self, seat: int, number: int, **more: Any) -> Any:
        return self.ok("do", action={"do": "Guess", "seat": seat, "number": number, **more})

    def rolled(self, value: int) -> Any:
        die = {"body": "black", "value": value}
        return self.ok("do", action={"do": "Rolled", "dice": [die]})

    def step(self, answer: Any) -> Any:
        """Give the game what it waits for: some legal action, or chance."""
        waiting = answer["waiting"]
        if waiting["seats"]:
            seat = waiting["seats"][-1]
            actions = self.ok("legal", seat=seat)["actions"]
            return self.ok("do", action=actions[len(str(answer)) % len(actions)])
        return self.ok("chance") if waiting["dice"] or waiting["chance"] else answer

    def tossed(self, winner: int = 0) -> Bench:
        self.ok("new", seats=2)
        self.ok("do", action={"do": "Toss", "winner": winner})
        return self
