"""Numbered events, kept until somebody says that they have arrived; one per die, on both hops."""

WINDOW = 4  # so many are under way at once
FIRST, LONGEST = 60, 2000  # milliseconds before the same is said again, at first and at last


class Outbox:
    """A short queue that repeats itself, ever slower; without room the oldest is given up."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.tries = 0  # since the last acknowledgement
        self._waiting = []  # type: list[tuple[int, tuple[str, int, int]]]
        self._under_way = 0
        self._again = 0
        self._pause = FIRST

    def __len__(self) -> int:
        return len(self._waiting)

    def full(self) -> bool:
        """Would one more push out the oldest?"""
        return len(self._waiting) >= self.room

    def add(self, number: int, what: "tuple[str, int, int]") -> None:
        """Keep an event (state, face, battery) under its number."""
        if self.full():
            self._waiting.pop(0)
            self._under_way = max(0, self._under_way - 1)
        self._waiting.append((number, what))

    def ack(self, number: int) -> bool:
        """Forget that number and all before; True if there was something to forget."""
        count = len(self._waiting)
        while self._waiting and self._waiting[0][0] <= number:
            self._waiting.pop(0)
            self._under_way = max(0, self._under_way - 1)
        if len(self._waiting) == count:
            return False
        self._pause, self.tries = FIRST, 0
        return True

    def hurry(self) -> None:
        """Say everything again at once: a new listener is there."""
        self._under_way, self._again, self._pause = 0, 0, FIRST

    def due(self, now: int) -> "list[tuple[int, int, tuple[str, int, int]]]":
        """What must be said now: (number, number before it or 0, event).

        The number before lets the listener see a gap: events count in order only.
        """
        if self._under_way and now >= self._again:
            self._under_way = 0
            self._pause = min(2 * self._pause, LONGEST)
            self.tries += 1
        said = []
        while self._under_way < min(WINDOW, len(self._waiting)):
            number, what = self._waiting[self._under_way]
            before = self._waiting[self._under_way - 1][0] if self._under_way else 0
            said.append((number, before, what))
            self._under_way += 1
        if said:
            self._again = now + self._pause
        return said

    def items(self) -> "list[tuple[int, tuple[str, int, int]]]":
        """All that waits, oldest first."""
        return list(self._waiting)
