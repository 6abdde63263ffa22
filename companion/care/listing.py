"""Findings as a table on the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.markup import escape
from rich.table import Table

from companion.care.finding import Finding
from companion.words import Translate

SIGNS = {
    "right": "[green]right[/]",
    "wrong": "[bold red]wrong[/]",
    "unseen": "[dim]not looked at[/]",
}


def listing(findings: Iterable[Finding], translate: Translate) -> Table:
    """One row for each, in the reader's language."""
    rows = Table()
    for head in ("", "what", "how it is", "what to do"):
        rows.add_column(head, overflow="fold")  # Japanese has no spaces to break a line at
    for finding in findings:
        row = finding.as_json(translate)
        words = (escape(row[key]) for key in ("name", "says", "do"))
        rows.add_row(SIGNS[finding.verdict], *words)
    return rows
