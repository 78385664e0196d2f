"""What a settings object prints: the settings that were made, and never the cells of a table it holds."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path
from typing import Any

from incrowd.settings.exact_numbers import fraction_text

__all__ = ["short_repr"]

PLAIN = (str, Path, int, float, type(None))


def short_repr(made: Any) -> str:
    """Return a dataclass as the call that makes it, without what is as usual.

    Tables among its fields are named by their kind.
    """
    told = []
    for field in dataclasses.fields(made):
        value = getattr(made, field.name)
        usual = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
        if not (value is usual or (_settled(value) and _settled(usual) and value == usual)):
            told.append(f"{field.name}={_shown(value)}")
    return f"{type(made).__name__}({', '.join(told)})"


def _shown(value: Any) -> str:
    if isinstance(value, Fraction):
        return str(value) if value.denominator == 1 else repr(fraction_text(value))
    if isinstance(value, PLAIN):
        return repr(str(value) if isinstance(value, Path) else value)
    if isinstance(value, tuple | list) and all(_settled(part) for part in value):
        inner = ", ".join(map(_shown, value))
        return f"[{inner}]"
    return repr(value) if _settled(value) else f"<{type(value).__module__.partition('.')[0]} {type(value).__name__}>"


def _settled(value: Any) -> bool:
    """Whether a value is a setting, and no table."""
    if isinstance(value, tuple):
        return all(map(_settled, value))
    ours = type(value).__module__.partition(".")[0] == "incrowd"
    return isinstance(value, (*PLAIN, Fraction)) or (ours and dataclasses.is_dataclass(value))
