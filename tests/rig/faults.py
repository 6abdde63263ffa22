"""Everything that breaks at a table, broken through the kernel: told when, healed when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from hardware.panel.debounce import STABLE
from tests.rig.machine import PRESSED, RELEASED
from tests.rig.player import PINS
from tests.rig.recording import GLASSES
from tests.rig.report import Took
from tests.rig.rig import PARTS, Rig

ACM = "/sys/bus/usb/drivers/cdc_acm"
CHIP = "/sys/bus/platform/drivers/gpio-sim"
WATCHDOG = 60.0  # seconds, companion.service
DAEMON = "$(systemctl show companion -p MainPID --value)"
LATE = ", read more than a second late"
PATIENCE = 60.0  # seconds of the machine's own time; `Took` judges what is promised


def _set(mask: str, to: int) -> str:
    return f"echo {to} >{PARTS}/{mask}; echo >/dev/i2c-rec"


@dataclass(frozen=True, slots=True)
class Fault:
    """A thing that breaks and is mended; the words that the others read on their glasses."""

    name: str
    hurt: str
    mend: str
    told: str
    healed: str = ""
    within: float = 10.0  # seconds to be told in
    back_in: float = 15.0
    by_log: bool = False  # no glass is left that could tell
    repainted: tuple[str, ...] = ()  # healed when all of these show a picture again


FAULTS = (
    Fault("a display does not answer (NAK)", _set("nak", 8), _set("nak", 0),
          "display seat 3 is lost", within=2.0, repainted=("seat 3",)),
    Fault("the splitter does not answer (NAK); no glass is left, so in the log",
          _set("nak", 0x100), _set("nak", 0), "display seat 5 is lost", within=2.0,
          by_log=True, repainted=GLASSES),
    Fault("the hub's driver is unbound",
          f"ls {ACM} | grep -m1 '[.]0$' >/run/hub; cat /run/hub >{ACM}/unbind",
          f"cat /run/hub >{ACM}/bind",
          "The dice hub is lost", "The dice hub is back", within=5.0, back_in=5.0),
    Fault("the hub's cable is pulled", "systemctl stop hub; modprobe -r g_serial", "",
          "The dice hub is lost", "The dice hub is back", within=5.0, back_in=5.0),
    Fault("the camera stops giving pictures", "systemctl kill -s STOP feed",
          "systemctl kill -s CONT feed", "The eye is lost", "The eye is back", within=15.0,
          back_in=30.0),
    Fault("the camera is unplugged", "systemctl stop feed; for n in $(seq 100); do "
          "rmmod v4l2loopback 2>/dev/null && exit; sleep 0.1; done; exit 1", "",
          "The eye is lost", "The eye is back", within=15.0, back_in=30.0),
)  # fmt: skip


Seen: TypeAlias = Took | None


def timed(rig: Rig, act: Callable[[], int], find: Callable[[int], float | None]) -> Seen:
    """From an act (when, in ns of the guest) until something is found; None: never."""
    before = rig.machine.withheld()
    seconds = find(act())
    if seconds is None:
        return None
    return Took(seconds, min(seconds, max(0.0, rig.machine.withheld() - before)))


def kept(seen: Seen, limit: float) -> bool:
    """Was it seen, and soon enough?"""
    return seen is not None and seen.within(limit)


def break_and_mend(rig: Rig, fault: Fault, mend: Callable[[], int] | None = None) -> None:
    """Hurt, wait for the sentence, mend, wait for the other one."""
    find = rig.logged if fault.by_log else rig.told

    def well(since: int) -> float | None:
        if fault.repainted:
            return rig.repainted(fault.repainted, since, PATIENCE)
        return find(fault.healed, since, PATIENCE)

    told = timed(rig, lambda: rig.do(fault.hurt), lambda at: find(fault.told, at, PATIENCE))
    healed = timed(rig, mend or (lambda: rig.do(fault.mend)), well)
    rig.report.add(
        "Faults", fault.name, f"told in {_s(told)}, healed in {_s(healed)}",
        kept(told, fault.within) and kept(healed, fault.back_in),
    )  # fmt: skip
    _read(rig)


def _read(rig: Rig) -> None:
    """The players have seen the notices."""
    rig.machine.settled(0.5)
    for panel in (0, 1):
        rig.player.press(panel, "next", "previous")


def device(rig: Rig, fault: Fault) -> None:
    """A display, the splitter, the hub or the camera: lost and found again."""

    def plugged() -> int:
        if "hub" in fault.name:
            return rig.plug_hub()
        rig.feed()
        return rig.do("true")

    break_and_mend(rig, fault, None if fault.mend else plugged)


def unbound(rig: Rig) -> None:
    """The driver of the pins lets go of them. The glasses show the last of six losses alone."""
    break_and_mend(rig, Fault(
        "the chip of the pins is unbound: in the log",
        f"echo gpio >{CHIP}/unbind", f"echo gpio >{CHIP}/bind; sh /host/rig/pins.sh",
        "Panel 3 is lost", "Panel 3 is back", within=2.0, back_in=5.0, by_log=True,
    ))  # fmt: skip


def stuck_low(rig: Rig) -> None:
    """A button whose wires are joined: it counts once, and the health page names it."""
    line = PINS[2, "select"]
    rig.machine.pull((line, 0, 0))

    def named() -> bool:
        return any("held down" in str(one) for one in rig.health()["findings"])

    took = rig.machine.until(named, 30, quiet=2)
    rig.machine.pull((line, 1, 0))
    healed = rig.machine.until(lambda: not named(), 60, quiet=2)
    rig.report.add(
        "Faults", "a line is stuck low: in /health",
        f"told in {_s(took)}, healed in {_s(healed)}",
        took is not None and healed is not None,
    )  # fmt: skip


def bounces(rig: Rig, presses: int = 60, at_once: int = 2, late: bool = False) -> None:
    """Contacts bounce up to 3 ms: every press counts once. Looked at after every few presses.

    A host that is busy stretches some bounces into presses, or into what may be one; then the
    cursor tells nothing, nor does it under a notice: at most twice as many are tried.
    """
    rig.begin()  # the shelf: its choices have names of their own
    labels = _round(rig)

    def marked() -> int:
        label = rig.player.marked(0)
        return labels.index(label) if label in labels else -1

    tried, edges, judged, right = 0, 0, 0, 0
    while judged < presses and tried < 2 * presses:
        if (before := marked()) < 0:  # a notice hides the cursor
            rig.player.press(0, "next", "previous")
            before = marked()
        pulls = _bouncing(rig, at_once)
        if late:
            rig.do(f"kill -STOP {DAEMON}")
        made = rig.machine.edges(*pulls)
        if late:
            rig.do(f"sleep 1.5; kill -CONT {DAEMON}")
        least, most = rests([level for _, level, _ in pulls], made)
        wanted = {(before + count) % len(labels) for count in range(least, most + 1)}
        rig.machine.until(lambda wanted=wanted: marked() in wanted, PATIENCE / 3)  # type: ignore[misc]
        rig.machine.settled(0.5)  # nor may it go any further
        after = marked()
        tried, edges = tried + at_once, edges + len(pulls)
        if len(wanted) == 1 and before >= 0 and after >= 0:
            judged += at_once
            right += at_once * (after in wanted)
            if after not in wanted:
                _unexplained(rig, f"bounce-{tried}", (before, after, wanted), pulls, made)
    rig.report.add(
        "Faults", f"{tried} presses that bounce, {edges} edges{LATE if late else ''}",
        f"{right} of {judged} counted once each"
        + (f"; {tried - judged} that the host stretched, or a notice hid, tell nothing"
           if judged < tried else ""),
        right == judged > 0,
    )  # fmt: skip


def bounces_heard_late(rig: Rig) -> None:
    """The daemon has no time for over a second: the edges have the kernel's times."""
    bounces(rig, presses=10, late=True)


def _unexplained(rig: Rig, name: str, *what: object) -> None:
    """Everything that is known of presses that came out wrong, for who looks for the reason."""
    rig.pictures(name)
    log = "\n".join(rig.log(rig.do("journalctl --sync") - 30e9))
    (rig.report.folder / f"{name}.txt").write_text("\n".join(map(repr, what)) + "\n" + log)


def _bouncing(rig: Rig, presses: int) -> list[tuple[int, int, int]]:
    """Pulls of one line: each press and each release with up to four bounces."""
    pulls, line, chance = list[tuple[int, int, int]](), PINS[0, "next"], rig.player.chance
    for _ in range(presses):
        for level in (0, 1):
            for _ in range(chance.randrange(1, 5)):
                pulls += [(line, level, chance.randrange(60, 350)), (line, 1 - level, 60)]
            pulls.append((line, level, 80_000))
    return pulls


def rests(levels: list[int], edges: list[tuple[int, int]]) -> tuple[int, int]:
    """How many presses a line made, at least and at most: how often it came to rest pressed.

    An edge was somewhere between its two times, so a rest of about 5 ms may be one or none.
    """
    counts = []
    for sure in (True, False):
        held, presses = RELEASED, 0
        for level, (at, by), after in zip(levels, edges, [*edges[1:], (1 << 62,) * 2], strict=True):
            lasted = after[0] - by if sure else after[1] - at
            if lasted >= STABLE * 1e9 and level != held:
                held, presses = level, presses + (level == PRESSED)
        counts.append(presses)
    return min(counts), max(counts)


def _round(rig: Rig) -> list[str]:
    """All choices of panel 0, beginning with the one under the cursor."""
    labels = [rig.player.marked(0)]
    while True:
        rig.player.press(0, "next")
        if (label := rig.player.marked(0)) == labels[0] or len(labels) > 30:
            return labels
        labels.append(label)


def storm(rig: Rig) -> None:
    """A loose wire: thousands of edges."""
    line = PINS[2, "back"]
    pulls = [(line, n % 2, 600) for n in range(1, 1401)]
    began = rig.machine.pull(*pulls)[0]
    told = rig.told("chatters", began, 20)
    mended = rig.machine.pull((line, 1, 0))[0]
    healed = rig.told("quiet again", mended, 20)
    rig.report.add(
        "Faults", f"a storm of {len(pulls)} edges", f"told in {_s(told)}, quiet in {_s(healed)}",
        told is not None and healed is not None,
    )  # fmt: skip
    _read(rig)


def full_disk(rig: Rig) -> None:
    """No room for a move: it is refused, and taken when there is room again."""
    rig.do("fallocate -l 100G /var/full 2>/dev/null || "
           "dd if=/dev/zero of=/var/full bs=1M status=none || true; sync")  # fmt: skip
    took = None
    began = rig.do("true")
    for _ in range(4):
        rig.player.press(0, "select")
        took = rig.told("disk", began, 5) or rig.told("full", began, 1)
        if took is not None:
            break
    said = rig.player.words(0)
    rig.do("rm -f /var/full; sync")
    rig.player.press(0, "select")
    rig.machine.settled(0.5)
    rig.player.press(0, "select")
    alive = rig.machine.run("systemctl is-active companion", ok=None) == "active"
    rig.report.add(
        "Faults", "the disk is full", f"told in {_s(took)}: {' / '.join(said)}; "
        f"{'plays on' if alive else 'service gone'} when there is room",
        took is not None and alive,
    )  # fmt: skip


def clock_back(rig: Rig) -> None:
    """The clock is set back by a day: the game goes on."""
    pid = rig.machine.run("systemctl show companion -p MainPID --value")
    began = rig.do('date -s "yesterday" >/dev/null')
    told = rig.told("clock", began, 20)
    before = len(rig.player.answers)
    rig.player.press(0, "next", "previous")
    same = rig.machine.run("systemctl show companion -p MainPID --value") == pid
    rig.do('date -s "tomorrow" >/dev/null')
    rig.report.add(
        "Faults", "the clock is set back by a day",
        f"told in {_s(told)}; {len(rig.player.answers) - before} of 2 presses answered",
        same and len(rig.player.answers) - before == 2,
    )  # fmt: skip
    _read(rig)


def stopped(rig: Rig) -> None:
    """SIGSTOP: systemd's watchdog ends it, and it goes on where it was."""
    _by_watchdog(rig, "the daemon stands still (SIGSTOP)",
                 f"kill -STOP {DAEMON}", "true")  # fmt: skip


def hangs(rig: Rig) -> None:
    """A transfer that never ends: the watchdog again."""
    _by_watchdog(rig, "a transfer to a display never ends", _set("hang", 8), _set("hang", 0))


def _by_watchdog(rig: Rig, name: str, hurt: str, mend: str) -> None:
    began = rig.do(hurt)
    if "hang" in hurt:
        rig.machine.press(PINS[2, "next"])
    fired = rig.watchdog(began, 3 * WATCHDOG)
    rig.do(mend)
    rig.machine.until(lambda: rig.started() > began, 3 * PATIENCE, quiet=1)
    back = (rig.started() - began) / 1e9
    rig.ready()
    rig.report.add(
        "Faults", name, f"the watchdog fires after {_s(fired)}, the table is back after {_s(back)}",
        fired is not None and fired <= 2 * WATCHDOG and back > 0,
    )  # fmt: skip


def _s(seconds: float | Seen) -> str:
    if seconds is None:
        return "never"
    return str(seconds) if isinstance(seconds, Took) else f"{seconds:.1f} s"


OTHERS = (stuck_low, bounces, bounces_heard_late, storm, full_disk, clock_back, unbound)
