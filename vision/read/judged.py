"""A face with everything that was found out about it, and what the witnesses say together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.events import Body
from vision.picture import Image
from vision.read import confidence, outline, paint, pips
from vision.read.find import Floats, Found

BODIES: tuple[Body, ...] = ("black", "white", "blue", "other")
WHITE, BLUE, OTHER = 1, 2, 3
CLEARLY = 0.95  # chance of black from which glare on the rim does not matter; rendered trays
COUNTED = 0.5  # how clear a count is that tells dark pips from light ones
LEAD = 0.6  # chance of a colour from which it is accepted; fitted on composites
FAINT = 0.35  # where nothing is read, from this already
FINDER_VOICE, PIPS_VOICE, PAINT_VOICE = 0.5, 3.0, 2.0  # beside the face reader, whose voice is 1
GLINT_VOICE = 4.0  # against a middle pip that is a lamp's reflection
SETTLED = 0.975  # chance of being right from which the face reader need not be asked


@dataclass(frozen=True, eq=False)
class Judged:
    """A face with everything that was found out about it."""

    found: Found
    face: Floats  # chances of 0..6 by the face reader
    body: Floats
    pips: pips.Pips
    look: Image  # the upright face
    blue: float = 0.0  # how well it is a light-blue square, measured plainly
    ace: bool = False  # one big spot, of any colour

    @cached_property
    def settled(self) -> bool:
        """Whether finder and plain count agree so well that nobody else need be asked."""
        agreed = 0 < self.pips.value == int(np.argmax(self.found.values))
        if not agreed or float(self.found.bodies.max()) < 0.8:
            return False
        return confidence.sure(self.signs(self.found.edge), confidence.weights()) > SETTLED

    @cached_property
    def worth(self) -> Floats:
        """Chances of 0..6, both networks and the plain count heard."""
        told = np.log(self.face + 1e-4) + FINDER_VOICE * np.log(self.found.values + 1e-3)
        print_like = self.pips.value <= 2 and int(np.argmax(self.hue)) == BLUE
        if self.pips.value and not print_like:
            told[self.pips.value] += PIPS_VOICE * self.pips.clear
            if self.pips.glint and self.pips.value % 2 == 0 and self.pips.value < 6:
                told[self.pips.value + 1] -= GLINT_VOICE  # networks count it
        told[0] += PAINT_VOICE * self.blue
        both = np.exp(told - told.max())
        return np.asarray(both / both.sum(), np.float32)

    @cached_property
    def hue(self) -> Floats:
        """Chances of the four body colours, both networks and the plain measure heard."""
        told = self.body + self.found.bodies
        told[BLUE] += PAINT_VOICE * self.blue
        if int(np.argmax(told)) == OTHER and self.paint == "white":  # by its red ace
            told[WHITE], told[OTHER] = told[WHITE] + told[OTHER], 0.0
        return np.asarray(told / told.sum(), np.float32)

    @cached_property
    def rim(self) -> Floats:
        """The paint of the body, measured where no pip lies."""
        return outline.tint(self.look)

    @cached_property
    def paint(self) -> Body:
        """The colour of the body by its rim alone."""
        return paint.named(self.rim)

    @cached_property
    def coloured(self) -> bool:
        """Whether nobody contradicts its colour: one that leads, and its rim shows no other.

        A rim without a name contradicts nothing: warm lamps make white bodies yellow. Nor does one
        that is dim or glares, where pips are counted that are darker or lighter than their body, or
        where none are and the body is clearly black: lamps glare on it.
        """
        body, other = BODIES[int(np.argmax(self.hue))], self.paint
        lead = float(self.hue.max())
        if lead <= LEAD:
            return False
        if {body, other} == {"black", "white"} and self.pips.value:
            return self.pips.clear > COUNTED and self.pips.light == (body == "black")
        glares = body == "black" and lead > CLEARLY
        return glares or body == "other" or other in (body, "other")

    @cached_property
    def light(self) -> bool | None:
        """Whether the pips are light, where the body's colour tells."""
        return {0: True, 1: False}.get(int(np.argmax(self.hue)))

    @cached_property
    def printed(self) -> bool:
        """Whether this is a character die: light blue, with print instead of pips."""
        return bool(np.argmax(self.hue) == BLUE and self.worth[0] > 0.5)

    @cached_property
    def value(self) -> int:
        """The likeliest value; 0 for print."""
        return 0 if self.printed else int(np.argmax(self.worth[1:])) + 1

    @cached_property
    def chance(self) -> float:
        """The chance that this is a face of a die at all."""
        measured = max(self.blue * self.face[0], self.ace * self.face[1])  # apart from the finder
        heat = max(self.found.heat, min(2 * self.found.heat, measured))
        return float(np.sqrt(heat * self._faced))

    @cached_property
    def _faced(self) -> float:
        """The chance that pips or print are here, where something is."""
        printed = max(self.body[BLUE] * self.found.bodies[BLUE], self.blue, float(self.ace))
        return float(1 - self.face[0] * (1 - printed))

    @cached_property
    def weight(self) -> float:
        """How much this is a die, of that value, and just here: paint tells no place."""
        worth = self.worth[self.value] * (self.hue[BLUE] if self.printed else 1)
        return float(np.sqrt(self.found.heat * self._faced) * worth)

    @cached_property
    def harmony(self) -> float:
        """How well face reader and plain count agree."""
        agreed = self.pips.clear if self.pips.value == self.value else -self.pips.clear
        return float(self.face[self.value]) + 0.5 * agreed

    @cached_property
    def clear(self) -> bool:
        """Whether all three say the same, without hesitation."""
        if self.printed and self.blue > 0.5:
            return True
        agreed = self.pips.value == self.value == int(np.argmax(self.found.values))
        return agreed and self.pips.clear > 0.5 and float(self.face[self.value]) > 0.8

    def signs(self, middle: float) -> Floats:
        """The signs of confidence; `middle` is the edge of its fellows."""
        f = self.found
        seen = pips.Pips(0, self.blue) if self.printed else self.pips  # print has none to count
        return confidence.signs(
            self.value, f.heat, self.face, f.values, seen, f.edge / middle, self.printed
        )
