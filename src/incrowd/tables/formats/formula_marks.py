"""CSV that a spreadsheet opens without running it: an apostrophe before cells that it would take for formulas.

A text that is no number and begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return gets an apostrophe, and
so does one that begins with apostrophes followed by such a text, so that the way back is never in doubt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import ibis

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine

__all__ = ["bare", "bare_name", "safe", "safe_name"]

MARK = "'"
# the same for the engine's regular expressions and for Python's
FORMULA = r"^'*[=+\-@\t\r]"
NUMBER = r"^'*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"


def safe(engine: Engine, rows: ir.Table) -> ir.Table:
    """Return rows whose text cells a spreadsheet shows and does not run.

    Parameters
    ----------
    engine : Engine
    rows : ibis table
    """
    texts = {name: engine.text(rows[name]) for name in rows.columns if rows[name].type().is_string()}
    marked = {name: ibis.ifelse(_runs(text), ibis.literal(MARK) + text, text) for name, text in texts.items()}
    return rows.mutate(**marked) if marked else rows


def bare(engine: Engine, rows: ir.Table) -> ir.Table:
    """Return rows as they were before `safe`.

    Parameters
    ----------
    engine : Engine
    rows : ibis table
    """
    texts = {name: engine.text(rows[name]) for name in rows.columns if rows[name].type().is_string()}
    plain = {
        name: ibis.ifelse(text.startswith(MARK) & _runs(text.substr(1)), text.substr(1), text)
        for name, text in texts.items()
    }
    return rows.mutate(**plain) if plain else rows


def safe_name(name: str) -> str:
    """Return the name of a column as `safe` leaves a cell.

    Parameters
    ----------
    name : str
    """
    return MARK + name if _is_run(name) else name


def bare_name(name: str) -> str:
    """Return the name of a column as `bare` leaves a cell.

    Parameters
    ----------
    name : str
    """
    return name[1:] if name.startswith(MARK) and _is_run(name[1:]) else name


def _runs(text: ir.Value) -> ir.Value:
    return text.re_search(FORMULA) & ~text.re_search(NUMBER)


def _is_run(text: str) -> bool:
    return re.match(FORMULA, text) is not None and re.fullmatch(NUMBER.removesuffix("$"), text) is None
