"""Short texts that views, advice and the log share: dice, plans, effects, fields of cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from companion.games.api import Die
from companion.games.cardfile import Value
from companion.games.records import replace
from companion.games.sao.assign import Plan
from companion.games.sao.fields import power
from companion.games.sao.kinds import SECTIONS, Cards, Power, Skill, Step
from companion.games.sao.state import State, name
from companion.words import Text, text

SECTION_NAMES = (text("Lower"), text("Middle"), text("Upper"), text("Final"))
BODY_NAMES = {"black": text("black"), "white": text("white"), "blue": text("blue")}
SIDE_NAMES = {
    "+2": text("+2"),
    "x2": text("x2"),
    "shield": text("shield"),
    "control": text("die control"),
}


def joined(texts: Iterable[Text]) -> Text:
    """Several texts in a row."""
    shown: Text | None = None
    for one in texts:
        shown = one if shown is None else text("{some}, {more}", some=shown, more=one)
    return shown or text("none")


def die_name(state: State, at: int) -> Text:
    """A die as one would call it: `black 5`, `Asuna's 1/2`."""
    die = state.dice[at]
    shown = shown_as(state.values(die)) if die.face else ""
    if die.of >= 0:
        return text("{who}'s {value}", who=name(state, die.of), value=shown)
    return text("{body} {value}", body=BODY_NAMES[die.body], value=shown)


def dice_names(state: State, dice: Iterable[int]) -> Text:
    """Some dice by their values only: `2 2 4`, a portrait is a star."""
    pool = state.pool
    return text("{values}", values=" ".join(shown_as(pool[i]) for i in dice))


def rolled_names(state: State, dice: Iterable[Die]) -> str:
    """A throw as it counts: what a face of a blue die stands for, not its number."""
    blue = (die for die in state.dice if not die.face and die.of >= 0)
    counts = (
        state.values(replace(own, face=die.value))
        if die.body == "blue" and (own := next(blue, None))
        else (die.value,)
        for die in dice
    )
    return " ".join(map(shown_as, counts))


def shown_as(values: tuple[int, ...]) -> str:
    """What a die counts as; a portrait is a star."""
    return "*" if len(values) == 6 else "/".join(map(str, values))


def leads_to(state: State, plan: Plan) -> Text:
    """What a plan brings after its damage, as far as anybody can take it (R56, R68, R70)."""
    if state.last and state.damage + plan.damage >= state.now.hp:
        return text("the game is won")
    if plan.complete and not state.last:
        after = text("switch, no counterattack")
    else:
        after = _struck_back(state, plan)
    extra = []
    if plan.healing and state.takers("heal"):
        extra.append(text("heals {n}", n=plan.healing))
    given = (side for side in plan.additions if state.takers(side))
    extra += [text("token {side}", side=SIDE_NAMES[side]) for side in given]
    return joined((after, *extra))


def _struck_back(state: State, plan: Plan) -> Text:
    hurt, unused = state.now.damage, dice_names(state, plan.left)
    if state.now.aoe:
        if not plan.left:
            return text("counterattack {hurt} to all", hurt=hurt)
        return text("{unused} unused: counterattack {hurt} to all", unused=unused, hurt=hurt)
    who = name(state, state.victims()[0])
    if not plan.left:
        return text("counterattack {hurt} to {who}", hurt=hurt, who=who)
    return text("{unused} unused: counterattack {hurt} to {who}", unused=unused, hurt=hurt, who=who)


def effects(step: Step) -> Text:
    """What makes this step special."""
    back = text("Strikes back at all: {n}", n=step.damage)
    found = [back if step.aoe else text("Strikes back: {n}", n=step.damage)]
    if step.defense:
        found.append(text("Defense {n}", n=step.defense))
    if step.rerolls == 1:
        found.append(text("Reroll -1"))
    if step.rerolls == 0:
        found.append(text("No reroll"))
    if not step.abilities:
        found.append(text("No abilities"))
    if not step.consumables:
        found.append(text("No consumables"))
    return joined(found)


_FIELDS = {
    "hp": text("HP"),
    "damage": text("damage"),
    "defense": text("Defense"),
    "aoe": text("strikes back at all (AoE)"),
    "rerolls": text("rerolls"),
    "abilities": text("abilities"),
    "consumables": text("consumables"),
    "dice": text("number of dice"),
    "pattern": text("dice"),
    "amount": text("amount"),
    "absorbs": text("damage stopped"),
    "piercing": text("Piercing"),
    "healing": text("Healing"),
    "addition": text("token"),
    "main": text("black dice"),
    "support": text("white dice"),
    "hurts": text("Kirito's loss a turn"),
    "bleeds": text("the enemy's loss a turn"),
    "ability": text("ability"),
    "name": text("name"),
    "kind": text("kind"),
    "section": text("section"),
    "steps": text("steps"),
    "copies": text("copies"),
    "effect": text("effect"),
    "uses": text("uses"),
    "level": text("level"),
}


def field_name(field: str) -> Text:
    """A field of a card: `step 1 HP`, `skill 3 damage`, `face 2`."""
    first, _, second = field.partition(".")
    if not second:
        return _FIELDS.get(first, text("{field}", field=first))
    if first == "hp":
        return text("HP {when}", when=_WORDS[second])
    if first == "face":
        return text("face {n}", n=second)
    part = _FIELDS.get(second, text("{field}", field=second))
    if first.startswith("step"):
        return text("step {n} {part}", n=first[4:], part=part)
    if first.startswith("skill"):
        return text("skill {n} {part}", n=first[5:], part=part)
    return text("uses")


_NAMELESS = {"uses": text("Ability uses"), "shield": SIDE_NAMES["shield"]}


def card_name(cards: Cards, card: str) -> Text:
    """The name on a card."""
    value = cards.values.get((card, "name"))
    return Text(str(value.value)) if value else _NAMELESS.get(card, text("{card}", card=card))


def printed(cards: Cards, card: str, field: str) -> Value:
    """A value as it stands, or what its absence means."""
    absent: dict[str, int | str] = {"rerolls": 2, "abilities": 1, "consumables": 1, "addition": ""}
    default = Value(absent.get(field.partition(".")[2], 0), "fan")
    return cards.values.get((card, field), default)


_WORDS = {
    **dict(zip(SECTIONS, SECTION_NAMES, strict=True)),
    "start": text("from the start"),
    "level50": text("from level 50"),
    "level80": text("from level 80"),
    "armour": text("worn: less damage"),
    "reroll": text("worn: more throws"),
    "edge": text("worn: more damage"),
    "ability": text("once: an ability again"),
    "heal": text("once: heals"),
    "revive": text("once: back to 1 HP"),
    "portrait": text("portrait: any value"),
}


class Priced(Protocol):
    """Cards, as far as their values are asked for."""

    @property
    def values(self) -> Mapping[tuple[str, str], Value]: ...


def value_name(cards: Priced, card: str, field: str, value: int | str) -> Text:
    """A value of a field as a player would say it: `3 alike`, `yes`, `none`."""
    first, _, second = field.partition(".")
    if second == "pattern":
        dice = cards.values.get((card, f"{first}.dice"))
        return pattern_name(str(value), int(dice.value) if dice else 1)
    if second in ("aoe", "abilities", "consumables"):
        return text("yes") if value else text("no")
    if field == "ability":
        return power_name(power(str(value)))
    if second == "addition":
        return SIDE_NAMES.get(str(value), text("none"))
    if name := _WORDS.get(str(value)):
        return name
    return text("{value}", value=str(value))


def pattern_name(pattern: str, dice: int) -> Text:
    """What dice a skill asks for, in words."""
    word, _, rest = pattern.partition(" ")
    values = rest.replace(" ", "/")
    match word:
        case "same":
            return text("{n} alike", n=dice)
        case "run":
            return text("a run of {n}", n=dice)
        case "different":
            return text("{n} different", n=dice)
        case "from" if dice == 1:
            return text("a {values}", values=values)
        case "from":
            return text("{n} dice, each {values}", n=dice, values=values)
        case "sets":
            return text("{sizes} alike", sizes=rest.replace(" ", "+"))
        case "sum" if rest.startswith(">="):
            return text("{n} dice, sum {sum} or more", n=dice, sum=rest[3:])
        case "sum":
            return text("{n} dice, sum {sum} or less", n=dice, sum=rest[3:])
        case _ if dice == 1:
            return text("a {values}", values=values)
        case _:
            return text("{values}", values=rest)


def power_name(power: Power) -> Text:
    """What an ability does, in words; dice are picked first."""
    to = "/".join(map(str, power.to))
    match power.kind:
        case "shift":
            return text("pick a die: all of its value go 1 up or down")
        case "restore":
            return text("another regains an ability use")
        case "flip" if power.dice == 1:
            return text("pick a die: turn it over")
        case "flip":
            return text("pick up to {n} dice: turn them over", n=power.dice)
        case _ if power.dice == 1:
            return text("pick a die: set it to {to}", to=to)
        case _:
            return text("pick up to {n} dice: set them to {to}", n=power.dice, to=to)


def skill_note(skill: Skill) -> Text:
    """A sword skill in one line: `2 alike, 4 damage`."""
    shown = [pattern_name(skill.pattern, skill.dice), text("{n} damage", n=skill.damage)]
    if skill.piercing:
        shown.append(text("Piercing {n}", n=skill.piercing))
    if skill.healing:
        shown.append(text("heals {n}", n=skill.healing))
    if skill.addition:
        shown.append(text("token {side}", side=SIDE_NAMES[skill.addition]))
    return joined(shown)
