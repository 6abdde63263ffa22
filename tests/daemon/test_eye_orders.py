"""What the daemon tells its eye to look for: a roll, or tiles where the game waits for a grid."""

from __future__ import annotations

from pathlib import Path

from companion.daemon.devices import Devices
from companion.daemon.eye_orders import EyeOrders
from companion.events import GridRead
from companion.eye.child import EyeChild
from companion.eye.protocol import Expect, Order, Tiles
from companion.ports import News
from companion.table.grids import COLOURS_FILE
from tests.games.test_swordcrafters_ways import SMALL, tracked


class Ordered(EyeChild):
    """An eye that only remembers what it was told."""

    def __init__(self) -> None:
        super().__init__(["twin"])
        self.orders: list[Order] = []

    def order(self, given: Order) -> bool:
        self.orders.append(given)
        return True


def test_the_eye_looks_for_tiles_while_a_grid_is_waited_for_and_for_dice_again_after(
    tmp_path: Path,
) -> None:
    (tmp_path / COLOURS_FILE).write_text("{}")
    table, eye = tracked(tmp_path).table, Ordered()
    orders = EyeOrders(table, Devices(eye=eye), tmp_path, lambda _: None)
    orders.changed(News())
    orders.changed(News())  # said once
    assert eye.orders == [Expect(asked=False), Tiles(colours=str(tmp_path / COLOURS_FILE))]
    table.handle(GridRead(SMALL, ((0.99,) * 4,) * 3, True))
    orders.changed(News())
    assert eye.orders[2:] == [Tiles()]


def test_no_tiles_are_looked_for_before_their_colours_are_learnt(tmp_path: Path) -> None:
    table, eye = tracked(tmp_path).table, Ordered()
    EyeOrders(table, Devices(eye=eye), tmp_path, lambda _: None).changed(News())
    assert table.watched.wants_grid
    assert eye.orders == [Expect(asked=False)]
