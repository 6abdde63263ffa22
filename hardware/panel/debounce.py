"""When is a press a press: the contact rested long enough, and was let go since the last one."""

from __future__ import annotations

from collections import deque
from typing import Literal, TypeAlias

ButtonChange: TypeAlias = Literal["press", "storm", "over", "stuck", "freed"]

STABLE = 0.005  # seconds; good contacts bounce for about two milliseconds
STORM_EDGES = 200  # in one second; the fastest finger on a bouncing button stays well below
QUIET = 1.0  # seconds without an edge that end a storm
STUCK = 10.0  # seconds that no finger rests on a button


class Debounce:
    """One button. Feed it every edge with its time, and call `poll` when `due` has come."""

    def __init__(
        self, stable: float = STABLE, storm_edges: int = STORM_EDGES, quiet: float = QUIET,
        stuck: float = STUCK,
    ) -> None:  # fmt: skip
        self.storming = False
        self._stable = stable
        self._quiet = quiet
        self._too_long = stuck
        self._down = False  # the level of the contact as last heard
        self._held = False  # the level that rested long enough
        self._stuck = False  # told as held for too long
        self._since = float("-inf")  # of the last edge
        self._again: float | None = None  # when to ask a pin again that says what no edge told
        self._edges: deque[float] = deque(maxlen=storm_edges + 1)

    @property
    def due(self) -> float | None:
        """When to look again if no edge comes before."""
        if self.storming:
            return self._since + self._quiet
        if self._again is not None:
            return self._again
        if self._down != self._held:
            return self._since + self._stable
        return self._since + self._too_long if self._held and not self._stuck else None

    @property
    def since(self) -> float:
        """When the contact last changed."""
        return self._since

    @property
    def closed(self) -> bool:
        """The button is down, and rests; a chattering one never is."""
        return self._held and self._down and not self.storming

    def start(self, down: bool, now: float) -> None:
        """The level before the first edge: a button that is held already is no press."""
        self._down = self._held = down
        if down:
            self._since = now

    def feed(self, down: bool, now: float) -> list[ButtonChange]:
        """An edge: the contact closed or opened. Gives what came to rest before it, and a storm."""
        self._again = None
        verdicts = self.poll(now)
        if down != self._down and self._edge(down, now):
            verdicts.append("storm")
        return verdicts

    def poll(self, now: float, down: bool | None = None) -> list[ButtonChange]:
        """What has come to rest by now; `down` is what the pin says, should an edge be missing."""
        if down is not None and down != self._down:
            if self._again is None:  # its edge may be on its way still, with its time
                self._again = now + self._stable
                return []
            self._again = None
            return ["storm"] if self._edge(down, now) else []
        self._again = None
        if self.due is None or now < self.due:
            return []
        if self.storming:
            self.storming = False
            self._held = self._down  # a contact that ends closed is no press
            self._edges.clear()
            return ["over"]
        if self._held == self._down:
            self._stuck = True
            return ["stuck"]
        self._held = self._down
        if self._held:
            return ["press"]
        freed, self._stuck = self._stuck, False
        return ["freed"] if freed else []

    def rattle(self, down: bool, now: float) -> None:
        """The last of the edges of a storm; the others do not matter."""
        self._down = down
        self._since = max(now, self._since)

    def _edge(self, down: bool, now: float) -> bool:
        """Note an edge; True when it is one too many."""
        self._down = down
        self._since = max(now, self._since)
        self._edges.append(self._since)
        full = len(self._edges) == self._edges.maxlen
        if self.storming or not full or self._since - self._edges[0] > 1.0:
            return False
        self.storming, self._stuck = True, False
        return True


class Hold:
    """A button that must stay down for so long to be meant; let go for an instant, it begins anew.

    Tell it each press, then poll it now and then, while it is `waiting`.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: float | None = None

    @property
    def waiting(self) -> bool:
        """The button is down, not yet for long enough."""
        return self._since is not None

    def press(self, now: float) -> None:
        """The button went down."""
        self._since = now

    def poll(self, closed: bool, now: float) -> bool:
        """True once, when it has been down for long enough."""
        if self._since is None or not closed:
            self._since = None
            return False
        if now - self._since < self._seconds:
            return False
        self._since = None
        return True
