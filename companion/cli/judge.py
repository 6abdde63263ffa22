"""The venue's judge as a process: a line with an ended game comes in, a line with its verdict goes.

Started by companion/venue/judge.py; it ends when the line to the venue is cut.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress

from companion.games import GAMES
from companion.memory.codec import json_line
from companion.venue.letters import judged


def main() -> None:
    """Until the input ends."""
    os.nice(10)  # to keep what comes in goes first
    for line in sys.stdin.buffer:
        rows, game, finish = json.loads(line)
        verdict = json_line(judged(rows, game, finish, GAMES)) + "\n"
        with suppress(BrokenPipeError):  # then the input ends, too
            os.write(sys.stdout.fileno(), verdict.encode())


if __name__ == "__main__":
    main()
