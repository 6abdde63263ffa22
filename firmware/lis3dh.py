"""The accelerometer LIS3DH on an I2C bus that is handed in."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ADDRESSES = (0x18, 0x19)
_WHO_AM_I, _THAT_IS = 0x0F, 0x33
_CTRL1, _CTRL2, _CTRL3, _CTRL4, _CTRL5 = 0x20, 0x21, 0x22, 0x23, 0x24
_REFERENCE, _OUT, _FIFO, _FIFO_SOURCE = 0x26, 0x28, 0x2E, 0x2F
_INT1, _INT1_SOURCE, _INT1_LEVEL, _INT1_LASTS = 0x30, 0x31, 0x32, 0x33
_MANY = 0x80  # with a register's number: read on into the following ones


class Lis3dh:
    """Samples in mg, 400 a second, out of the chip's queue of 32; wakes the board on motion."""

    def __init__(self, bus: "Any", address: int = ADDRESSES[0]) -> None:
        self._bus = bus
        self._address = address
        self._one = bytearray(1)
        self._bytes = bytearray(32 * 6)
        who = self._get(_WHO_AM_I)
        if who != _THAT_IS:
            raise OSError("no LIS3DH at 0x%02x: it says 0x%02x" % (address, who))
        self.measure()

    def measure(self) -> None:
        """400 samples a second, 12 bits, up to 4 g, queued."""
        self._set(_CTRL1, 0x77)
        self._set(_CTRL2, 0x00)
        self._set(_CTRL3, 0x00)
        self._set(_CTRL4, 0x98)
        self._set(_CTRL5, 0x40)
        self._set(_FIFO, 0x00)  # empties the queue
        self._set(_FIFO, 0x80)  # the newest push out the oldest

    def watch(self) -> None:
        """10 samples a second at 4 microamperes; pin INT1 rises when 64 mg of motion come."""
        self._set(_FIFO, 0x00)
        self._set(_CTRL5, 0x08)  # INT1 stays up until it is read
        self._set(_CTRL4, 0x80)
        self._set(_CTRL2, 0x01)  # motion, not weight
        self._set(_CTRL1, 0x2F)
        self._get(_REFERENCE)  # what is felt now counts as stillness
        self._set(_INT1_LEVEL, 4)
        self._set(_INT1_LASTS, 0)
        self._set(_INT1, 0x2A)
        self._set(_CTRL3, 0x40)
        self._get(_INT1_SOURCE)

    def read(self) -> "list[tuple[int, int, int]]":
        """The samples since the last call, at most 32."""
        count = self._get(_FIFO_SOURCE)
        count = 32 if count & 0x40 else count & 0x1F  # full, and the oldest were lost
        if not count:
            return []
        buf = memoryview(self._bytes)[: 6 * count]
        self._bus.readfrom_mem_into(self._address, _OUT | _MANY, buf)
        samples = []
        for i in range(0, 6 * count, 6):
            samples.append((_mg(buf, i), _mg(buf, i + 2), _mg(buf, i + 4)))
        return samples

    def _get(self, register: int) -> int:
        self._bus.readfrom_mem_into(self._address, register, self._one)
        return self._one[0]

    def _set(self, register: int, value: int) -> None:
        self._one[0] = value
        self._bus.writeto_mem(self._address, register, self._one)


def _mg(buf: "memoryview", i: int) -> int:
    value = buf[i] | buf[i + 1] << 8
    if value & 0x8000:
        value -= 0x10000
    return (value >> 4) * 2  # 12 bits, left in the word; 2 mg each
