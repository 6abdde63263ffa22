"""Which states a game of Sainome Colosseum can be in: what comes from outside is checked here."""

from __future__ import annotations

from collections import Counter

from companion.errors import BadState
from companion.games.effects import open_targets
from companion.games.sainome.cards import MOST, deck, doubtful
from companion.games.sainome.damage import catalysts, reacts
from companion.games.sainome.flow import settle
from companion.games.sainome.hand import SHOWING
from companion.games.sainome.kinds import COUNTER, EQUIP, KINDS, STAR
from companion.games.sainome.state import (
    CHAINS,
    IN_HAND,
    NOBODY,
    SEATS,
    SETTING_UP,
    SLOTS,
    UNKNOWN,
    Attack,
    State,
    lying,
)
from companion.games.sainome.turn import NOT_NOW, random_targets
from companion.games.sainome.verbs import VERBS

_ACTIONS = ("draw", "equip", "instant", "attack")
_ATTACKING = (
    "declare", "attack", "pick", "weigh", "again", "dodge", "six", "order", "strike", "charge",
    "pay", "burn", "land", "pause",
)  # fmt: skip
_ACTS_NOW = ("strike", "pay", "burn", "land")
_THROWS = {  # why dice are thrown: the phases in which they are
    "off": ("off",),
    "attack": ("attack",),
    "weigh": ("dodge",),
    "luck": ("strike",),
    "guts": ("land", "pause", "act", "bomb"),
    "reckless": ("act",),
}
_WORDS = ("count", "burn", "luck", "skill", "charge", "guard")
_ENDS = ("hit", "miss", "passed", "idle", "unpaid", "ready")


def possible(state: State) -> None:
    """Raise BadState, with the reason, on a game that no play can reach."""
    options = state.options
    _need(options.hp in range(1, 21), "HP can be 1 to 20")
    _need(options.draft in ("no", "yes"), "a draft or none")
    _need(options.cards in ("companion", "table"), "the cards are companion or table")
    _need(options.chain in CHAINS, "a press, a moment, or go on")
    first = options.corrections
    _need(state.corrections[: len(first)] == first, "corrections are missing")
    _ = state.cards  # raises BadState itself on a correction that cannot be
    _need(state.phase in NOT_NOW, f"there is no phase {state.phase!r}")
    seats = (state.mover, state.chooser, state.fitting)
    _need(all(seat in SEATS for seat in seats) and len(state.sides) == 2, "two play")
    _need(len(set(state.done)) == len(state.done) <= 2, "an action twice, or a third one")
    _need(set(state.done) <= set(_ACTIONS), "an action that is none")
    started = state.phase not in (*SETTING_UP, "equip")
    _need(state.turns >= int(started), "no turn has begun")
    _possible_start(state)
    for seat in SEATS:
        _possible_side(state, seat)
    conserved(state)
    _possible_attack(state)
    _possible_hit(state)
    _possible_throw(state)
    _possible_shown(state)
    _possible_report(state)
    for due in state.due:
        fits = due.verb in VERBS and 1 <= due.amount <= 9
        _need(fits and due.card in state.cards, "an effect that no card has")
        _need(due.seat == (NOBODY if due.verb == "drop" else due.seat), "chance has no choice")
        _need(due.seat in (NOBODY, *SEATS), "an effect of nobody")
        _need((due.seat == NOBODY) == (due.verb == "drop"), "an effect of nobody")
    _need(not state.due or state.turns > 0, "an effect before the first turn")
    _need(settle(state) == state, "nobody is waited for, though the game would go on")
    waits = state.due and not (state.over or state.hit or state.throw or state.shuffling)
    if waits and not state.shown:
        _need(len(open_targets(state, VERBS)) > 1, "an effect without a choice")
        _need(state.due[0].seat != NOBODY or bool(random_targets(state)), "chance has no choice")


def conserved(state: State) -> None:
    """Each card of the deck is in exactly one place."""
    secret = Counter(state.deck)
    for side in state.sides:
        secret.update((*side.stack, *side.hand, *side.pack))
    seen = lying(state)
    if not state.cardboard:
        _need(secret + seen == Counter(state.cards.deck), "the cards are not those of the deck")
        return
    _need(all(card in state.cards.deck for card in seen), "there is no such card")
    unknown = secret[UNKNOWN] + state.discard.count(UNKNOWN)
    _need(unknown + seen.total() == _deck_size(state), "some cards are lost, or too many")


def _deck_size(state: State) -> int:
    """The cards that the game began with: whatever is learnt of them later, they stay as many."""
    return len(deck(state.options.corrections).deck)


def _possible_start(state: State) -> None:
    _need(all(0 <= n <= 6 for n in state.off) and len(state.off) == 2, "a die shows 1 to 6")
    if state.phase == "off":
        _need(state.off[1] == 0, "the roll-off is decided")
    else:
        _need(0 not in state.off and state.off[0] != state.off[1], "nobody won the roll-off")
    chosen = [side.character for side in state.sides if side.character]
    _need(all(key in state.cards.characters for key in chosen), "there is no such character")
    _need(len(set(chosen)) == len(chosen), "a character is there once")
    if state.phase in ("off", "right"):
        _need(not chosen, "a character before the roll-off")
    elif state.phase != "choose":
        _need(len(chosen) == 2, "a character is missing")
    if state.phase in SETTING_UP:
        _need(not (state.turns or state.done or state.due or state.played), "a turn too early")
        _need(state.attack is None and state.hit is None and not state.swift, "an attack too early")
        rest = [(s.hand, s.worn, s.owed) for s in state.sides]
        _need(all(zones == ((), ("",) * 4, 0) for zones in rest), "cards before they are dealt")
        if state.phase != "draft":
            bare = not state.deck and not any(s.stack or s.pack for s in state.sides)
            _need(bare and len(state.discard) == _deck_size(state), "cards before they are dealt")
    draft = state.phase == "draft"
    _need(not draft or (state.options.draft == "yes" and not state.cardboard), "no draft")
    packs = [len(side.pack) for side in state.sides]
    _need(draft == any(packs), "a draft has packs, and nothing else has")
    if draft:
        whole = [len(s.pack) + len(s.stack) for s in state.sides]
        _need(whole == [state.options.hp] * 2 and abs(packs[0] - packs[1]) <= 1, "a lost pick")


def _possible_side(state: State, seat: int) -> None:
    side, cards = state.sides[seat], state.cards
    _need(len(side.worn) == 4, "a character has four sides")
    for key in side.worn:
        fits = not key or (key in cards and (cards[key].use == EQUIP or cards[key].planted))
        _need(fits, f"{key!r} cannot be attached")
    fits = all(key in cards and cards[key].use == COUNTER for key in side.ready)
    _need(fits, "only a counter card lies open")
    _need(0 <= side.owed <= MOST and 0 <= side.fewer <= 9, "a count that cannot be")
    if state.cardboard:
        _need(set(side.stack) <= {UNKNOWN}, "a card that nobody can know has a name")
        known = set(side.hand) <= {UNKNOWN}
        bared = state.phase == "equip" and seat == state.fitting
        _need(known or bared, "a card that nobody can know has a name")
        _need(all(key == UNKNOWN or key in cards for key in side.hand), "a hand of no cards")
    _need(state.turns > 0 or not (side.awake or side.driven or side.fewer), "changed too early")


def _possible_attack(state: State) -> None:
    attack, cards = state.attack, state.cards
    _need((attack is not None) == (state.phase in _ATTACKING), "an attack out of its phase")
    fits = state.phase == "equip" and state.turns > 0
    _need(not state.swift or fits, "a Quick Change out of its phase")
    _need(not fits or state.fitting == state.mover, "the other re-equips")
    if attack is None:
        return
    _need(state.turns > 0, "an attack before the first turn")
    fair = all(1 <= n <= 6 for n in attack.dice) and len(attack.dice) <= 9
    _need(fair and 0 <= attack.number <= 6 and 0 <= attack.luck <= 6, "a die shows 1 to 6")
    _need(attack.star in (0, 2, 3, 4, 5), "a star slot is 2 to 5")
    counts = (attack.plus, attack.paid, attack.burnt)
    _need(all(0 <= n <= 99 for n in counts), "a count that cannot be")
    _need(len(set(attack.queue)) == len(attack.queue), "a slot acts twice")
    _need(all(place in SLOTS for place in attack.queue), "there are four sides")
    before = ("declare", "attack", "pick")
    _need(bool(attack.number) == (state.phase not in before), "a roll out of its phase")
    _need(bool(attack.dice) == (state.phase not in before[:2]), "a roll out of its phase")
    early = (*before, "again", "dodge", "weigh", "six")
    if state.phase in early:
        plain = Attack(attack.two, attack.star, attack.dice, attack.number)
        _need(attack == plain, "a card acts before the roll")
    if state.phase == "declare":
        _need(STAR in state.face(state.mover).slots, "there is no star slot")
    _need(state.phase != "six" or attack.number == 6, "no 6 was rolled")
    if state.phase in _ACTS_NOW:
        acts = attack.place in SLOTS or attack.place == IN_HAND
        _need(acts, "no card acts")
        worn = state.sides[state.mover].worn
        key = attack.card if attack.place == IN_HAND else worn[attack.place]
        _need(key in cards and not cards[key].planted, "no card acts")
        if state.phase == "pay":
            more = catalysts(state, cards[key]) - attack.paid
            _need(0 < more <= len(state.sides[state.mover].hand), "no catalyst to pay")
    out = attack.place == IN_HAND and state.phase in (*_ACTS_NOW, "pause")
    _need((attack.card in cards) if out else not attack.card, "a card out of nowhere")


def _possible_hit(state: State) -> None:
    found, cards = state.hit, state.cards
    _need(not state.played or state.played in cards, "there is no such card")
    left, so_far = state.reckless
    _need((left > 0) == (state.throw == "reckless"), "an assault out of its phase")
    _need(0 <= left <= MOST and 0 <= so_far <= MOST, "a count that cannot be")
    _need(left > 0 or not so_far, "an assault out of its phase")
    _need(state.throw != "reckless" or bool(state.played), "an assault out of nothing")
    if found is None:
        return
    _need(state.phase in ("land", "pause", "act", "bomb"), "damage out of its phase")
    _need(found.victim in SEATS and 0 <= found.amount <= 99, "damage that cannot be")
    _need(state.phase != "land" or found.victim != state.mover, "the attacker is hit")
    _need(found.card in ("", *cards.cards), "damage of no card")
    _need(all(part in (*_WORDS, *cards.cards) for part, _ in found.parts), "damage of nothing")
    _need(0 <= found.guarded <= 9 and 0 <= found.number <= 6, "a count that cannot be")
    _need(found.countered in ("", *cards.cards), "a counter of no card")
    guts = bool(found.countered) and cards[found.countered].verb("guts", "counter") > 0
    _need(guts or not (found.number or found.guts), "Guts without the card")
    _need(bool(found.number) or not found.guts, "Guts without a number")
    _need(bool(found.number) or state.throw != "guts", "Guts without a number")
    _need(reacts(state) or bool(state.throw or state.over or state.shown), "damage not taken")


def _possible_throw(state: State) -> None:
    _need((state.phase == "attack") == (state.throw == "attack"), "dice out of their phase")
    if not state.throw:
        return
    _need(state.throw in _THROWS, "dice for nothing")
    _need(state.phase in _THROWS[state.throw], "dice out of their phase")
    _need((state.throw == "guts") == (state.hit is not None), "dice before the damage")
    _need(not state.shown and not state.shuffling, "dice before the cards")
    if state.throw == "reckless":
        _need(not state.due, "dice before the effect")


def _possible_shown(state: State) -> None:
    cards, known = state.cards, {*state.cards.cards, *state.cards.characters}
    _need(set(state.asked) <= known, "asked for an unknown card")
    _need(len(set(state.asked)) == len(state.asked), "asked twice")
    _need(state.cardboard or not (state.kind or state.shown), "only cardboard is shown")
    _need(state.kind in ("", *KINDS), f"there is no kind {state.kind!r}")
    _need(not state.learning or bool(state.shown), "no card to compare")
    _need(not state.editing or state.learning, "a value is open out of turn")
    if not state.shown:
        return
    _need(state.shown in known, f"there is no card {state.shown!r}")
    _need(not state.editing or state.editing in doubtful(cards, state.shown), "a sure value")
    if state.shown in cards.characters:
        mine = state.sides[state.chooser].character == state.shown
        _need(state.phase == "choose" and state.learning and mine, "a character out of turn")
        return
    _need(cards[state.shown].kind == state.kind, "the shown card is of another kind")
    _need(state.hit is not None or state.phase in SHOWING, "a card is shown out of turn")
    _need(state.hit is not None or not state.due, "a card is shown before the effect")
    _need(not state.played or state.hit is not None, "a card is shown out of turn")
    _need(not any(side.owed for side in state.sides), "a card is shown before the draw")


def _possible_report(state: State) -> None:
    report, cards = state.report, state.cards
    if report is None:
        return
    _need(report.end in _ENDS and report.victim in SEATS, "a report of nothing")
    _need(report.card in ("", *cards.cards), "a report of no card")
    _need(all(part in (*_WORDS, *cards.cards) for part, _ in report.parts), "damage of nothing")


def _need(holds: bool, why: str) -> None:
    if not holds:
        raise BadState(f"not a game of Sainome Colosseum: {why}")
