"""The hub's program: joins its mind to cable, radio and watchdog."""

import time

from firmware import board
from firmware.hub import Hub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PAUSE = 2  # ms between looks


def main() -> None:
    """Run until new files are wanted; started by main.py."""
    if board.update_wanted():
        return
    radio, cable, clock = board.Radio(), board.Cable(), board.Clock()
    store = board.Store("hub.json")
    hub = Hub(radio.me, board.random_word(), store.load({}), store.keep)
    dog = board.watchdog()
    while not hub.updating:
        step(hub, cable, radio, clock.now())
        dog.feed()
        time.sleep_ms(PAUSE)
    board.start_for_update()


def step(hub: Hub, cable: "Any", radio: "Any", now: int) -> None:
    """Hear everybody, then speak."""
    data = cable.read()
    if data:
        hub.hear_host(data, now)
    for sender, line in radio.receive():
        hub.hear_die(sender, line, now)
    hub.tick(now)
    for line in hub.to_host:
        cable.write(line)
    for to, line in hub.to_dice:
        radio.send(to, line)
    hub.to_host, hub.to_dice = [], []
