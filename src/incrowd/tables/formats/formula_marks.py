"""CSV that a spreadsheet opens without running it: an apostrophe before cells that it would take for formulas.

A text that is no number and begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return gets an apostrophe, and
so does one that begins with apostrophes followed by such a text, so that the way back is never in doubt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import ibis

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine

__all__ = ["bare", "safe"]

MARK = "'"
# the same for the engine's regular expressions and for Python's
FORMULA = r"^'*[=+\-@\t\r]"
NUMBER = r"^'*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"


def safe(engine: Engine, rows: ir.Table, names: Sequence[str]) -> tuple[ir.Table, list[str]]:
    """Return rows whose text cells a spreadsheet shows and does not run, and columns' names treated alike.

    `names` are as the file has them; those of `rows` may be others.
    """
    texts = {name: engine.text(rows[name]) for name in rows.columns if rows[name].type().is_string()}
    marked = {name: ibis.ifelse(_runs(text), ibis.literal(MARK) + text, text) for name, text in texts.items()}
    shown = [MARK + name if _is_run(name) else name for name in names]
    return rows.mutate(**marked) if marked else rows, shown


def bare(engine: Engine, rows: ir.Table, names: Sequence[str]) -> tuple[ir.Table, list[str]]:
    """Return rows and columns' names as they were before `safe` [R10].

    `names` are as the file has them.
    """
    texts = {name: engine.text(rows[name]) for name in rows.columns if rows[name].type().is_string()}
    plain = {
        name: ibis.ifelse(text.startswith(MARK) & _runs(text.substr(1)), text.substr(1), text)
        for name, text in texts.items()
    }
    shown = [name[1:] if name.startswith(MARK) and _is_run(name[1:]) else name for name in names]
    return rows.mutate(**plain) if plain else rows, shown


def _runs(text: ir.Value) -> ir.Value:
    return text.re_search(FORMULA) & ~text.re_search(NUMBER)


def _is_run(text: str) -> bool:
    return re.match(FORMULA, text) is not None and re.fullmatch(NUMBER.removesuffix("$"), text) is None
