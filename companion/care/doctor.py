"""The doctor: every check in turn, over the machine and the settings that are handed in."""

from __future__ import annotations

from collections.abc import Iterator

from companion.care import device_checks, system_checks
from companion.care.device_checks import Touch
from companion.care.finding import Finding
from companion.care.machine import Machine
from companion.settings.settings import Settings
from companion.words import Text, text

SYSTEM = (
    system_checks.board, system_checks.system, system_checks.power, system_checks.clock,
    system_checks.memory, system_checks.disk, system_checks.state, system_checks.journal,
)  # fmt: skip
DEVICES = (
    device_checks.i2c, device_checks.spi, device_checks.groups, device_checks.camera,
    device_checks.displays, device_checks.buttons, device_checks.hub,
)  # fmt: skip


def diagnose(machine: Machine, settings: Settings, touch: Touch) -> Iterator[Finding]:
    """Every finding, the machine's first."""
    for check in SYSTEM:
        yield check(machine, settings)
    for looked in DEVICES:
        yield looked(machine, settings, touch)
    if settings.mqtt.broker and touch.lost is not None:
        yield device_checks.broker(touch.lost)


def ailing(machine: Machine, settings: Settings) -> dict[str, Text]:
    """What the glass of a Pi must say while the companion runs: by key, only what is wrong.

    Lost devices tell of themselves; these tell why, or what will go wrong next.
    """
    if not machine.is_pi:
        return {}
    checks = (system_checks.system, system_checks.power, system_checks.disk)
    found = [check(machine, settings) for check in checks]
    looks = (device_checks.i2c, device_checks.spi, device_checks.groups)
    found += [check(machine, settings, Touch(lost={})) for check in looks]
    return {
        one.key: text("{says} {do}", says=one.says, do=one.do)
        for one in found
        if one.verdict == "wrong"
    }
