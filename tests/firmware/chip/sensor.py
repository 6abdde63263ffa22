"""A LIS3DH as its data sheet tells it: registers, queue, interrupt."""

# Runs under CPython and MicroPython.


class Chip:
    """Answers on the bus like the sensor; `push` puts a sample (mg) into it."""

    def __init__(self, who=0x33, address=0x18):
        self.registers = bytearray(64)
        self.registers[0x0F] = who
        self.address = address
        self.queue = []
        self.broken = False

    def push(self, x, y, z):
        if self.registers[0x24] & 0x40 and self.registers[0x2E] >> 6 == 2:
            self.queue.append((x, y, z))
            self.overrun = len(self.queue) > 32
            self.queue = self.queue[-32:]

    def readfrom_mem_into(self, address, register, buf):
        self._answer(address)
        many, register = register & 0x80, register & 0x7F
        if register == 0x2F:
            full = len(self.queue) == 32
            buf[0] = (0x40 if full else 0) | (len(self.queue) & 0x1F) | (0 if self.queue else 0x20)
        elif register == 0x28 and many:
            data = b""
            for _ in range(len(buf) // 6):
                for mg in self.queue.pop(0):
                    data += (mg // 2 << 4 & 0xFFFF).to_bytes(2, "little")
            buf[:] = data
        else:
            buf[0] = self.registers[register]

    def writeto_mem(self, address, register, buf):
        self._answer(address)
        self.registers[register] = buf[0]
        if register == 0x2E and buf[0] >> 6 == 0:
            self.queue = []

    def _answer(self, address):
        if self.broken or address != self.address:
            raise OSError(19)
