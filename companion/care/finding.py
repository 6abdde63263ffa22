"""What a look at one thing came to: right, wrong or not looked at, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.views import BLANK
from companion.words import Text, Translate

Condition: TypeAlias = Literal["right", "wrong", "unseen"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence says what is so, one what to do."""

    key: str  # for programs: "power"
    name: Text
    verdict: Condition
    says: Text
    do: Text = BLANK

    def as_json(self, translate: Translate = str) -> dict[str, str]:
        """Plain JSON, in the reader's language."""
        return {
            "key": self.key, "name": self.name.show((), translate), "verdict": self.verdict,
            "says": self.says.show((), translate), "do": self.do.show((), translate),
        }  # fmt: skip


def well(findings: Iterable[Finding]) -> bool:
    """Is nothing wrong?"""
    return all(finding.verdict != "wrong" for finding in findings)
