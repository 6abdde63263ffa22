"""The chip's `machine`, faked: a board whose parts a test can look at and break."""


class Restart(Exception):
    """The board started anew or went to sleep."""


class Board:
    memory = b""  # what outlives a reset
    fed = 0
    bus = None
    millivolts = 1950


Board.pins = {}


class Pin:
    IN, OUT = 0, 1

    def __init__(self, number, _mode=0):
        self.number = number

    def value(self, level):
        Board.pins[self.number] = level


class ADC:
    ATTN_11DB = 3

    def __init__(self, pin, atten=0):
        pass

    def read_uv(self):
        return Board.millivolts * 1000


class RTC:
    def memory(self, value=None):
        if value is None:
            return Board.memory
        Board.memory = value


class WDT:
    def __init__(self, timeout):
        Board.timeout, Board.fed = timeout, 0

    def feed(self):
        Board.fed += 1


class I2C:
    def __init__(self, number, sda=None, scl=None, freq=0):
        pass

    def readfrom_mem_into(self, address, register, buf):
        Board.bus.readfrom_mem_into(address, register, buf)

    def writeto_mem(self, address, register, buf):
        Board.bus.writeto_mem(address, register, buf)


def reset():
    raise Restart("reset")


def deepsleep():
    raise Restart("sleep")
