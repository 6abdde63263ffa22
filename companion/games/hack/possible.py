"""Which states a game of .hack//ENEMY can be in: what comes from outside is checked here."""

from __future__ import annotations

from collections import Counter

from companion.errors import BadState
from companion.games.hack.cards import MOST, MOST_DESTINY, deck, doubtful
from companion.games.hack.flow import settle
from companion.games.hack.hand import OPENED
from companion.games.hack.kinds import ACTION, ITEM, MONSTER, PC
from companion.games.hack.state import (
    MOST_HIDDEN,
    MOST_PCS,
    NOBODY,
    SEATS,
    UNKNOWN,
    WIN,
    State,
    known,
)
from companion.games.hack.turn import NOT_NOW
from companion.games.hack.verbs import VERBS

_BUSY = ("assign", "extra", "order", "flip", "destiny", "reward", "score", "learn", "over")
_WITH_ATTACKERS = ("join", "stand", "assign", "extra", "reward", "over")
_FOUGHT = ("destiny", "reward", "score", "over")
_OUTCOMES = ("won", "held", "wounded", "destroyed")
_WORDS = ("text", "actions", "destiny")


def possible(state: State) -> None:
    """Raise BadState, with the reason, on a game that no play can reach."""
    options = state.options
    _need(options.decks in ("ab", "aa", "bb"), "the decks are ab, aa or bb")
    _need(options.cards in ("companion", "table"), "the cards are companion or table")
    first = options.corrections
    _need(state.corrections[: len(first)] == first, "corrections are missing")
    cards = state.cards  # raises BadState itself on a correction that cannot be
    phases = (*NOT_NOW, "deal", "played")
    _need(state.phase in (*phases, "over"), f"there is no phase {state.phase!r}")
    _need(
        not state.back or (state.phase == "over" and state.back in phases), "nothing to go back to"
    )
    _need(state.mover in SEATS and len(state.sides) == 2, "two play")
    _need(state.stage in ("cut", "deal") or state.turns >= 1, "no turn has begun")
    _need(state.turns >= 0 and 0 <= state.passed <= 2, "a count is below zero")
    _need(state.cardboard or not (state.kind or state.shown), "only cardboard is shown")
    shown = state.stage in ("play", "learn") or not state.shown
    _need(shown, "a card lies shown that nobody asked for")
    _need(not state.shown or state.shown in cards, f"there is no card {state.shown!r}")
    _possible_attack(state)
    for seat in SEATS:
        conserved(state, seat)
        _possible_side(state, seat)
    _possible_learning(state)
    _possible_start(state)
    for due in state.due:
        fits = due.verb in VERBS and due.seat in SEATS and 1 <= due.amount <= 9
        _need(fits and due.card in cards, "an effect that no card has")
    won = any(state.points(seat) >= WIN for seat in SEATS)
    _need(state.phase != "over" or won or state.last, "the game is over without an end")
    _possible_report(state)
    _need(settle(state) == state, "nobody is waited for, though the game would go on")


def conserved(state: State, seat: int) -> None:
    """Each copy of a seat's deck is in exactly one place."""
    side = state.sides[seat]
    secret = Counter(side.deck + side.hand + side.hidden)
    lying = known(state, seat)
    if not state.cardboard:
        whole = secret + lying == Counter(state.list_of(seat))
        _need(whole, f"the cards of seat {seat + 1} are not those of its deck")
        return
    _need(set(secret) <= {UNKNOWN}, "a card that nobody can know has a name")
    number = secret.total() + lying.total() + side.discard.count(UNKNOWN)
    whole_deck = _deck_size(state, seat)
    _need(number == whole_deck, f"seat {seat + 1} has {number} cards, not {whole_deck}")
    _need(lying <= Counter(state.list_of(seat)), f"seat {seat + 1} has too many copies of a card")


def _deck_size(state: State, seat: int) -> int:
    """The cards that a seat began with: whatever is learnt of them later, they stay as many."""
    return len(deck(state.options.corrections).decks[state.options.decks[seat]])


def _possible_side(state: State, seat: int) -> None:
    side, cards = state.sides[seat], state.cards
    room = MOST_HIDDEN + (state.stage == "room" and seat == state.mover)
    full = state.stage != "room" or seat != state.mover or len(side.hidden) == room
    _need(len(side.hidden) <= room and full, f"{len(side.hidden)} hidden cards cannot be")
    names = [hero.card for hero in side.heroes]
    _need(len(names) <= MOST_PCS and len(set(names)) == len(names), "too many PCs")
    for hero in side.heroes:
        _need(hero.card in cards and cards[hero.card].kind == PC, f"{hero.card!r} is no PC")
        items = [cards[item] for item in hero.items if item in cards]
        fit = len(items) == len(hero.items) and all(item.kind == ITEM for item in items)
        _need(fit, f"{hero.card} bears what is no item")
        _need(len({item.subtype for item in items}) == len(items), "two items of one subtype")
    for pile in (side.portal, side.score):
        _need(all(c in cards and cards[c].kind == MONSTER for c in pile), "that is no monster")
    _need(0 <= side.owed <= MOST, "a number of cards that cannot be owed")


def _possible_attack(state: State) -> None:
    cards, phase = state.cards, state.stage
    monsters = state.attacking()
    _need(all(m in cards and cards[m].kind == MONSTER for m in monsters), "no monster attacks")
    _need(not state.attackers or phase in _WITH_ATTACKERS, "attackers without an attack")
    _need(bool(monsters) or phase not in ("join", "stand", "assign", "extra"), "nobody attacks")
    _need(not state.battles or phase in _BUSY, "fights without an attack")
    _need(bool(state.battles) or phase not in ("extra", "flip", "destiny", "score"), "no fight")
    _need(bool(state.battles) or phase != "reward" or bool(state.attackers), "nobody has won")
    pcs = [battle.pc for battle in state.battles]
    _need(len(set(pcs)) == len(pcs), "a PC fights twice")
    loser = phase in ("reward", "score", "over")
    for place, battle in enumerate(state.battles):
        there = state.hero(state.other, battle.pc) is not None
        _need(there or (loser and place == 0 and battle.pc in cards), "a fight without its PC")
        _need(bool(battle.monsters), "a fight without a monster")
        now = place == 0 and phase in _FOUGHT
        drawn = all(NOBODY <= n <= MOST_DESTINY for n in battle.destiny)
        _need(drawn and (now or set(battle.destiny) == {NOBODY}), "a destiny out of turn")
        _need(len(battle.plus) == len(battle.fate) == 2, "two sides fight")
    in_play = state.battle.monsters if state.battles else state.attackers
    _need(phase == "reward" or not state.rewards, "a reward out of turn")
    _need(Counter(state.rewards) <= Counter(in_play), "a reward of nobody")
    _need(phase != "flip" or state.passed < 2, "both have flipped enough")


def _possible_learning(state: State) -> None:
    cards = state.cards
    _need(state.kind in ("", *OPENED), f"there is no kind {state.kind!r}")
    _need(not state.kind or state.stage in ("play", "learn"), "a kind is open out of turn")
    known_cards = all(card in cards for card in state.asked)
    _need(known_cards and len(set(state.asked)) == len(state.asked), "asked for an unknown card")
    _need((state.stage == "learn") <= bool(state.shown), "no card to compare")
    if state.shown:
        kind = ACTION if state.battles else state.kind
        _need(cards[state.shown].kind == kind, "the shown card is of another kind")
    if state.editing:
        _need(state.stage == "learn", "a value is open out of turn")
        _need(state.editing in doubtful(cards, state.shown), "that value is sure")


def _possible_start(state: State) -> None:
    _need(all(NOBODY <= n <= MOST_DESTINY for n in state.cut), "a cut that no card has")
    if state.stage != "cut":
        return
    _need(NOBODY in state.cut, "the cut is decided")
    _need(state.cardboard or set(state.cut) == {NOBODY}, "half a cut")
    whole = all(len(state.sides[seat].discard) == _deck_size(state, seat) for seat in SEATS)
    _need(whole, "cards before the cut")


def _possible_report(state: State) -> None:
    cards = state.cards
    _need(state.report is not None or not state.earlier, "fights before the first")
    for report in (*state.earlier, *((state.report,) if state.report else ())):
        _need(report.pc in cards and report.outcome in _OUTCOMES, "a fight of nobody")
        parts = [part for parts in report.sums for part, _ in parts]
        _need(all(part in cards or part in _WORDS for part in parts), "a strength of nothing")


def _need(holds: bool, why: str) -> None:
    if not holds:
        raise BadState(f"not a game of .hack//ENEMY: {why}")
