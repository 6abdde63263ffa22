"""The chip's `esp32`, faked."""

WAKEUP_ANY_HIGH = 1
WOKEN_BY = []


def wake_on_gpio(pins, level):
    WOKEN_BY.append((pins[0].number, level))
