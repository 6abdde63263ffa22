"""Views as the games make them: for the golden screens, the tests and the README's pictures."""

from __future__ import annotations

from dataclasses import replace

from companion.settings.settings import WifiSettings
from companion.views import (
    Beat,
    Cards,
    Cell,
    Choice,
    Cross,
    Dice,
    Ending,
    Face,
    Grid,
    Line,
    Meter,
    Part,
    Piece,
    Slot,
    Tally,
    Track,
    View,
)
from companion.web.invite import codes
from companion.words import Seat, Text, text

NAMES = (text("Asuna"), text("Kirito"), text("Klein"), text("Leafa"))


def leaf(*parts: Part, title: str = "Round 3", waiting: str = "Asuna: roll 5 dice") -> View:
    """A view without choices."""
    return View(Text(title), Text(waiting), parts, names=NAMES)


def menu(*labels: str, cursor: int = 0, barred: tuple[int, ...] = (), detail: str = "") -> View:
    """A view with choices; those in `barred` are forbidden by rule R15."""
    choices = tuple(
        Choice(Text(label), number, Text(detail), "R15" if number in barred else "")
        for number, label in enumerate(labels)
    )
    waiting = text("{who}: choose a skill", who=Seat(0))
    return View(text("Boss fight"), waiting, choices=choices, names=NAMES, cursor=cursor)


SKILLS = ("Linear", "Parry", "Star Splash", "Switch", "Heal", "Guard", "Flash")

BEATS = (
    Beat(text("{who} takes the counterattack: HP 10 → 7", who=Seat(1))),
    Beat(text("The enemy takes 8 damage")),
    Beat(text("Step 1 is beaten"), weight=2),
)
SHINE = ((text("Gems"), 21), (text("Blade"), 8), (text("Magic"), 3))
FOUR = (
    Tally(NAMES[0], 32, True, SHINE),
    Tally(NAMES[1], 28),
    Tally(NAMES[2], 19),
    Tally(NAMES[3], 7),
)
ROLL = (
    *(Face("black", value) for value in (1, 2, 3, 4, 5)),
    Face("white", 6),
    Face("white", 3),
    Face("blue", 5),
)
MARKED = (
    Face("black", 6, "kept"),
    Face("black", 4, "thrown"),
    Face("white", 2, "doubt"),
    Face("blue", 1),
)
DUEL = Track(5, (Piece("A", 2, "right", raised=True), Piece("K", 4, "left", hurt=True)))
DUEL_CLOSE = Track(
    5, (Piece("A", 3, "right", raised=False, hurt=True), Piece("K", 4, "left", raised=True))
)
HP = (
    Meter(text("Asuna"), 17, 20),
    Meter(text("Kirito"), 8, 24),
    Meter(text("Klein"), 0, 22),
    Meter(text("Leafa"), 21, 21),
)
SWORD = Grid(
    tuple(
        tuple(
            Cell(sign, group=int(column >= 2), lit=(row, column) == (1, 2))
            for column, sign in enumerate(line)
        )
        for row, line in enumerate(("RGBY", "GGRB", "YBRG", "RYBG"))
    ),
    cut=((2, 0), (2, 2)),
)
HAND = Cards(
    text("Hand"),
    (
        (text("Approach / retreat"), text("")),
        (text("Charge"), text("set aside")),
        (text("High strike"), text("house value")),
        (text("Low strike"), text("")),
    ),
)
FIGHTER = Cross(
    text("Swordsman"),
    text("AWAKENED"),
    (
        Slot("*", text("Battle Axe")),
        Slot("4", text("Dagger"), lit=True),
        Slot("5", text("Sickle and Chain")),
        Slot("3"),
    ),
)
LONG = text(
    "Geschwindigkeitsüberschreitungen und Donaudampfschifffahrtsgesellschaften sind hier "
    "verboten, weil Regel R15 nur einen Würfel je Fertigkeit erlaubt."
)

CODES = codes("192.168.178.20:8080", WifiSettings("Our home", "correct horse; battery"))

SAMPLES: dict[str, View] = {
    "meter-1": leaf(Meter(text("Boss HP"), 128, 200)),
    "meter-plain": leaf(Meter(text("Points"), 7)),
    "meter-2": leaf(*HP[:2]),
    "meter-3": leaf(*HP[:3]),
    "meter-4": leaf(*HP),
    "dice-1": leaf(Dice((Face("black", 5),), text("Initiative"))),
    "dice-2": leaf(Dice((Face("black", 6), Face("white", 6)))),
    "dice-5": leaf(Dice(ROLL[:5], text("Second roll"))),
    "dice-8": leaf(Dice(ROLL, text("Asuna's roll"))),
    "dice-14": leaf(Dice((ROLL + ROLL)[:14])),
    "dice-marks": leaf(Dice(MARKED, text("Kept, thrown, in doubt"))),
    "track-duel": leaf(DUEL, waiting="Both: choose two cards"),
    "track-close": leaf(DUEL_CLOSE, waiting="Both: choose two cards"),
    "track-ends": leaf(Track(7, (Piece("B", 1), Piece("R", 7, "left", raised=True, hurt=True)))),
    "track-shared": leaf(Track(7, (Piece("B", 4, raised=True), Piece("R", 4, "left", hurt=True)))),
    "track-long": leaf(Track(12, (Piece("A", 2, raised=True), Piece("K", 9, "left", hurt=True)))),
    "grid-cut": leaf(SWORD, title="Sword 2 of 4", waiting="Klein: confirm the cut"),
    "cards-1": leaf(HAND),
    "cards-2": replace(leaf(HAND), page=1),
    "cards-notes": leaf(
        Cards(
            text("Your hand"),
            (
                (text("Change Stance"), text("Heaven <> Earth")),
                (text("Zan-Tetsu Strike"), text("7820F9")),
            ),
        )
    ),
    "cross": leaf(FIGHTER, waiting="Asuna: which card first?"),
    "line": leaf(Line(text("The boss sleeps until somebody hits it."))),
    "line-big": leaf(Line(text("Asuna wins"), big=True), waiting="The game is over"),
    "line-figure": leaf(Line(text("12"), big=True), waiting="Damage in all"),
    "line-long": leaf(Line(LONG)),
    "line-japanese": leaf(
        Line(text("ボスは攻撃されるまで眠っています。次はアスナの番です。")),
        title="第三ラウンド",
        waiting="アスナ、ダイスを5個",
    ),
    "big-japanese": leaf(Line(text("勝者 キリト"), big=True), waiting="ゲーム終了"),
    "pages": replace(leaf(*HP, Dice(ROLL), DUEL, HAND), page=1),
    "code": leaf(CODES[1], waiting="Scan this"),
    "code-pages": leaf(*CODES, waiting="By phone"),
    "extra": replace(leaf(), extra=(("phone", "10.0.0.7:8000"), ("code", "K7Q2"))),
    "told": replace(menu("Go on"), beats=BEATS, leaf=0),
    "told-great": replace(menu("Go on"), beats=BEATS, leaf=1),
    "ending": leaf(Ending(text("You win!"), text("Red is wounded twice."))),
    "ending-lost": leaf(Ending(text("Asuna has fallen: the game is lost."), text(""))),
    "ending-points": leaf(Ending(text("You win!"), text("The most points."), FOUR)),
    "ending-made": replace(leaf(Ending(text("You win!"), text(""), FOUR)), page=1),
    "ending-japanese": replace(
        leaf(Ending(text("あなたの勝ち"), text("最も多くの得点。"), FOUR[:2])), live=False
    ),
    "menu-1": menu("Roll again"),
    "menu-2": menu("Take damage", "Spend a token", cursor=1),
    "menu-2-detail": menu("Take damage", "Spend a token", detail="Lose 4 HP, keep the token"),
    "menu-3": menu("Linear", "Parry", "Star Splash", cursor=1),
    "menu-top": menu(*SKILLS),
    "menu-middle": menu(*SKILLS, cursor=3),
    "menu-bottom": menu(*SKILLS, cursor=6),
    "menu-barred": menu(*SKILLS, cursor=2, barred=(1, 2)),
    "menu-barred-other": menu(*SKILLS, cursor=1, barred=(0, 2)),
    "menu-detail": menu(*SKILLS, cursor=4, detail="2 black dice: 3 damage"),
    "menu-long": menu("Fertigkeitsauswahl", "Donaudampfschifffahrtsgesellschaft", "Weiter"),
    "menu-japanese": replace(
        menu("リニアー", "スター・スプラッシュ", "受け流し", cursor=1),
        waiting=text("アスナ、技を選ぶ"),
    ),
    "notice": replace(
        menu(*SKILLS, barred=(0,)), notice=text("R15: one die per skill, you gave 2.")
    ),
    "notice-short": replace(leaf(Dice(ROLL)), notice=text("Camera lost")),
    "notice-long": replace(leaf(*HP), notice=LONG),
    "stale": replace(leaf(*HP), live=False),
    "stale-menu": replace(menu(*SKILLS), live=False),
    "waiting-long": leaf(*HP[:2], waiting="Everybody: choose who takes the damage of the boss"),
    "empty": leaf(title="Table companion", waiting="Nobody is seated"),
}
