"""What a die feels: acceleration in; handled, rolling, crooked or at rest on a face out."""

# No pins and no clock: samples of 1/400 s in thousandths of g (mg), in whole numbers, because each
# float costs memory on the die. Eight samples make a block of 20 ms; durations count blocks.
import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Faces = Sequence[Sequence[int]]

RATE = 400  # samples a second
BLOCK = 8

STILL = 16  # span of the block means in mg: the sensor's own noise gives 7, the calmest hand 20
STILL_ROLLED = 20  # blocks (0.4 s) that a thrown die must be still before it rests
STILL_HANDLED = 40  # blocks (0.8 s) for a die that was only carried: hands can hold their breath
MOVED = 50  # mg away from the resting reading ...
MOVED_FOR = 3  # ... for so many blocks: picked up. A knock on the table is shorter.
RESTLESS = 24  # each breach of STILL counts 8, each block takes 1 off: above, a hand trembles

FALL = 350  # mg: below, for FALL_FOR samples on end (25 ms, a drop of 3 mm), the die flies
FALL_FOR = 10
THROWN = 32  # samples on end (80 ms, a drop of 3 cm): nobody puts a die down like that
LIGHT = 700  # mg: below, and steady for FLOWN blocks, only spin is felt: it flies, too
FLOWN = 3
KNOCK = 1800  # mg: above, something hard was hit
KNOCKS = 2  # so many blocks with a knock are no putting down
TURN = 500  # cosine x 1000 of 60 degrees: the pull came from two directions this far apart
MEMORY = 30  # blocks (0.6 s) in which turn and flight or knocks must meet to be a roll
TIRED = 100  # blocks (2 s) without a sign of rolling: it is in the hand again

LEVEL = 985  # cosine x 1000 of 10 degrees: read as lying on a face. What the sensor may be wrong
LEANING = 15  # by stays below 5 degrees, so no die that leans by more than LEANING is ever at rest.

NOMINAL = (  # which way is up in the sensor's axes with face 1 to 6 on top; opposite faces make 7
    (0, 0, 1000),
    (0, 1000, 0),
    (1000, 0, 0),
    (-1000, 0, 0),
    (0, -1000, 0),
    (0, 0, -1000),
)


class Feel:
    """Feed it samples; it changes `state` and `face` and says when it did."""

    def __init__(self, faces: "Faces" = NOMINAL) -> None:
        self.learn(faces)
        self.state = "handled"
        self.face = 0
        self.mean = (0, 0, 0)  # of the last block, freed of what the sensor is off by
        self.still = 0  # blocks on end without motion
        self._steady = 0
        self._low = [0, 0, 0]
        self._high = [0, 0, 0]
        self._count = self._x = self._y = self._z = 0
        self._falling = 0
        self._fell = self._thrown = self._knocked = False
        self._clock = MEMORY
        self._last_fall = 0  # block number of the last flight
        self._knocks = []  # type: list[int]  # block numbers
        self._pulls = []  # type: list[tuple[int, int, int, int]]  # block number, direction x 1000
        self._last_sign = 0
        self._rested = (0, 0, 0)
        self._away = 0
        self._restless = 0

    def learn(self, faces: "Faces") -> None:
        """Take these readings for the six faces; their middle is what the sensor is off by."""
        x, y, z = [(sum([face[i] for face in faces]) + 3) // 6 for i in range(3)]
        self.faces = [(a - x, b - y, c - z) for a, b, c in faces]
        self.zero = (x, y, z)

    def feed(self, x: int, y: int, z: int) -> bool:
        """Take one sample; True when `state` or `face` changed."""
        a, b, c = self.zero
        x, y, z = x - a, y - b, z - c
        square = x * x + y * y + z * z
        if square < FALL * FALL:
            self._falling += 1
            if self._falling >= FALL_FOR:
                self._fell = True
            if self._falling >= THROWN:
                self._thrown = True
        else:
            self._falling = 0
            if square > KNOCK * KNOCK:
                self._knocked = True
        self._x += x
        self._y += y
        self._z += z
        self._count += 1
        if self._count < BLOCK:
            return False
        half = BLOCK // 2  # rounds to the nearest
        x, y, z = (self._x + half) // BLOCK, (self._y + half) // BLOCK, (self._z + half) // BLOCK
        self._count = self._x = self._y = self._z = 0
        self.mean = (x, y, z)
        return self._block(x, y, z)

    def lean(self) -> "tuple[int, int]":
        """The face that looks up most, and the cosine (x 1000) of what it lacks to be level."""
        best, cosine = 0, -1001
        x, y, z = self.mean
        for i in range(6):
            a, b, c = self.faces[i]
            long = root(a * a + b * b + c * c) * root(x * x + y * y + z * z)
            now = 1000 * (a * x + b * y + c * z) // max(long, 1)
            if now > cosine:
                best, cosine = i + 1, now
        return best, cosine

    def _block(self, x: int, y: int, z: int) -> bool:
        self._clock += 1
        self._watch_still(x, y, z)
        rolled = self._watch_roll(x, y, z) or self._thrown
        self._fell = self._thrown = self._knocked = False
        if self.state == "rest" or self.state == "crooked":
            return self._watch_rest(x, y, z)
        if rolled:
            self._last_sign = self._clock
            if self.state != "rolling":
                return self._become("rolling", 0)
        if self.still >= (STILL_ROLLED if self.state == "rolling" else STILL_HANDLED):
            return self._settle()
        if self.state == "rolling" and self._clock - self._last_sign > TIRED:
            return self._become("handled", 0)
        return False

    def _watch_still(self, x: int, y: int, z: int) -> None:
        low, high, now = self._low, self._high, (x, y, z)
        self._steady += 1
        for i in range(3):
            low[i] = min(low[i], now[i])
            high[i] = max(high[i], now[i])
            if high[i] - low[i] > STILL:
                self._steady = 0
        if self._steady == 0:
            self._low, self._high = [x, y, z], [x, y, z]
        square = x * x + y * y + z * z
        weight = 722500 < square < 1322500  # 0.85 g to 1.15 g: nothing else pulls
        self.still = self._steady if weight else 0
        if square < LIGHT * LIGHT and self._steady >= FLOWN:
            self._thrown = True

    def _watch_roll(self, x: int, y: int, z: int) -> bool:
        """Has the die flown a little or knocked about, and turned meanwhile? Both make a roll."""
        since = self._clock - MEMORY
        if self._fell:
            self._last_fall = self._clock
        if self._knocked:
            self._knocks.append(self._clock)
        while self._knocks and self._knocks[0] < since:
            self._knocks.pop(0)
        while self._pulls and self._pulls[0][0] < since:
            self._pulls.pop(0)
        long = root(x * x + y * y + z * z)
        if long < FALL:  # in flight there is no up
            return False
        x, y, z = 1000 * x // long, 1000 * y // long, 1000 * z // long
        turned = False
        for _, a, b, c in self._pulls:
            if a * x + b * y + c * z < TURN * 1000:
                turned = True
                break
        if self._clock % 3 == 0:  # ten directions of the last 0.6 s are enough
            self._pulls.append((self._clock, x, y, z))
        return turned and (self._last_fall >= since or len(self._knocks) >= KNOCKS)

    def _watch_rest(self, x: int, y: int, z: int) -> bool:
        a, b, c = self._rested
        far = abs(x - a) > MOVED or abs(y - b) > MOVED or abs(z - c) > MOVED
        self._away = self._away + 1 if far else 0
        self._restless = max(0, self._restless - 1 if self.still else self._restless + 8)
        if self._away >= MOVED_FOR or self._restless > RESTLESS:
            return self._become("handled", 0)
        return False

    def _settle(self) -> bool:
        face, cosine = self.lean()
        self._rested = self.mean
        self._away = self._restless = 0
        if cosine >= LEVEL:
            return self._become("rest", face)
        return self._become("crooked", 0)

    def _become(self, state: str, face: int) -> bool:
        self.state, self.face = state, face
        return True


def good_faces(faces: "Faces") -> bool:
    """Can these six readings be the faces of a cube? Neighbours square, opposites opposite."""
    for i in range(6):
        for j in range(i):
            a, b = faces[i], faces[j]
            dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
            long = root(a[0] ** 2 + a[1] ** 2 + a[2] ** 2) * root(b[0] ** 2 + b[1] ** 2 + b[2] ** 2)
            wanted = -1000 if i + j == 5 else 0
            if abs(1000 * dot // max(long, 1) - wanted) > 260:  # 15 degrees
                return False
    return True


def root(square: int) -> int:
    """The whole square root."""
    return int(math.sqrt(square))
