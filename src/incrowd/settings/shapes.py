"""How a setting's value is written, one function a shape: each returns the one form that is kept, or refuses.

A function takes the setting, its name as a message says it, and the value: a Python object (keyword), a plain value
(TOML key) or a text (option).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError, did_you_mean
from incrowd.settings.exact_numbers import as_fraction, short_fraction
from incrowd.settings.metadata import Setting
from incrowd.settings.option_text import split
from incrowd.settings.quotation import shortened

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["clean"]

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # on a cluster; a path would lose some of its slashes
MOST_WHOLE = 256  # bits of a whole number
MOST_NUMBER = 10**308


def clean(spec: Setting, name: str, value: Any) -> Any:
    """Return `value` in the one form that `incrowd` keeps, or refuse it.

    `spec` gives the shape, range and choices, and `name` is what messages call the setting. `value` is a Python object,
    a plain value of TOML or a text; None means not given: the setting's default. What is returned is hashable: numbers
    exact or float, lists and tables as tuples. PolicyError is raised with the setting's name, the value given and what
    was expected.
    """
    return SHAPES[spec.shape](spec, name, spec.default if value is None else value)


def _text(spec: Setting, name: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise PolicyError(f"{name} must be a text, not {shortened(value)}")


def _integer(spec: Setting, name: str, value: Any) -> int | None:
    if value is None:
        return None
    expected = f"a whole number{_range(spec)}"
    if isinstance(value, bool):
        raise PolicyError(f"{name} must be {expected}, not {shortened(value)}")
    try:
        if not isinstance(value, (int, str)) and not abs(float(value)) < 2.0**MOST_WHOLE:  # a decimal may be endless
            raise ValueError
        number = int(value)
        if number != (value if not isinstance(value, str) else int(value)):
            raise ValueError
        if number.bit_length() > MOST_WHOLE:
            expected += f" and below 2^{MOST_WHOLE}"
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise PolicyError(f"{name} must be {expected}, not {shortened(value)}") from None
    if (spec.least is not None and number < spec.least) or (spec.most is not None and number > spec.most):
        raise PolicyError(f"{name} must be {expected}, not {number}")
    return number


def _number(spec: Setting, name: str, value: Any) -> float | None:
    if value is None:
        return None
    exact = as_fraction(value, name)
    if abs(exact) > MOST_NUMBER:
        raise PolicyError(f"{name} must be a number{_range(spec)} below 1e308, not {shortened(value)}")
    number = float(exact)
    if (spec.least is not None and number < spec.least) or (spec.most is not None and number > spec.most):
        raise PolicyError(f"{name} must be a number{_range(spec)}, not {shortened(value)}")
    return number


def _fraction(spec: Setting, name: str, value: Any) -> Fraction | None:
    if value is None:
        return None
    number = as_fraction(value, name)
    if (spec.least is not None and number < spec.least) or (spec.most is not None and number > spec.most):
        raise PolicyError(f"{name} must be a number{_range(spec)}, not {short_fraction(number)}")
    return number


def _range(spec: Setting) -> str:
    if spec.least is not None and spec.most is not None:
        return f" from {spec.least:g} to {spec.most:g}"
    if spec.least is not None:
        return f" of at least {spec.least:g}"
    return ""


def _flag(spec: Setting, name: str, value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    hint = ": write it without quotes" if value in ("true", "false") else ""
    raise PolicyError(f"{name} must be true or false, not {shortened(value)}{hint}")


def _choice(spec: Setting, name: str, value: Any) -> str:
    if value in spec.choices:
        return str(value)
    near = did_you_mean(value, spec.choices) if isinstance(value, str) else ""
    raise PolicyError(f"{name} must be {' or '.join(repr(c) for c in spec.choices)}, not {shortened(value)}{near}")


def _list(spec: Setting, name: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,) if spec.repeat else split(value)
    if isinstance(value, Iterable) and not isinstance(value, (Mapping, bytes)):
        parts = tuple(value)
        if all(isinstance(part, str) for part in parts):
            return parts
    raise PolicyError(f"{name} must be a list of texts, not {shortened(value)}")


def _groups(spec: Setting, name: str, value: Any) -> tuple[tuple[str, ...], ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (split(value),)
    if isinstance(value, Iterable) and not isinstance(value, (Mapping, bytes)):
        parts = tuple(value)
        if parts and all(isinstance(part, str) for part in parts):
            return (parts,)
        if all(not isinstance(part, (str, Mapping)) and isinstance(part, Iterable) for part in parts):
            return tuple(_list(spec, name, part) for part in parts)
    raise PolicyError(f"{name} must be a list of lists of columns, not {shortened(value)}")


def _pairs(name: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if isinstance(value, Mapping):
        value = tuple(value.items())
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise PolicyError(f"{name} must be written COLUMN=VALUE, not {shortened(value)}")
    pairs: dict[str, Any] = {}
    for entry in value:
        if isinstance(entry, tuple) and len(entry) == 2:
            key, number = entry
            key = str(key) if type(key) is int and key.bit_length() <= MOST_WHOLE else key
        else:
            key, sign, number = entry.rpartition("=") if isinstance(entry, str) else ("", "", None)
            if not sign:
                raise PolicyError(f"{name} must be written COLUMN=VALUE, not {shortened(entry)}")
        if not isinstance(key, str):
            raise PolicyError(f"{name} must name columns by their text, not {shortened(key)}")
        if key in pairs:
            raise PolicyError(f"{name} is given twice for column {shortened(key)}")
        pairs[key] = number
    return pairs


def _weights(spec: Setting, name: str, value: Any) -> tuple[tuple[str, Fraction], ...]:
    cleaned = {column: as_fraction(number, f"{name} of {column!r}") for column, number in _pairs(name, value).items()}
    for column, number in cleaned.items():
        if number < 0:
            raise PolicyError(f"{name} of {column!r} must be a number of at least 0, not {short_fraction(number)}")
    return tuple(cleaned.items())


def _levels(spec: Setting, name: str, value: Any) -> tuple[tuple[str, int], ...]:
    whole = Setting(help="", shape="integer", least=0)
    return tuple((column, clean(whole, f"{name} of {column!r}", n)) for column, n in _pairs(name, value).items())


def _hierarchies(spec: Setting, name: str, value: Any) -> tuple[tuple[str, Any], ...]:
    """Split each text into column and hierarchy at its first equal sign; a path may hold further ones."""
    if isinstance(value, str):
        value = [value]
    if value is not None and not isinstance(value, Mapping):
        if not isinstance(value, Iterable) or isinstance(value, bytes):
            raise PolicyError(f"{name} must be written COLUMN=FILE, not {shortened(value)}")
        value = [entry.partition("=")[::2] if isinstance(entry, str) else entry for entry in value]
        if any(not isinstance(entry, (tuple, list)) or len(entry) != 2 or not entry[1] for entry in value):
            raise PolicyError(f"{name} must be written COLUMN=FILE")
        value = [tuple(entry) for entry in value]
    return tuple(_pairs(name, value).items())


def _models(spec: Setting, name: str, value: Any) -> tuple[Any, ...]:
    """Leave models, their words and tables as they are: who knows the models reads them."""
    if value is None:
        return ()
    alone = isinstance(value, (str, Mapping)) or not isinstance(value, Iterable)
    return (value,) if alone else tuple(value)


def _distances(spec: Setting, name: str, value: Any) -> tuple[tuple[str, str], ...]:
    found = tuple(_pairs(name, value).items())
    if any(not isinstance(kind, str) for _, kind in found):
        raise PolicyError(f"{name} must be written COLUMN=KIND, with one of the distances' names")
    return found


def _path(spec: Setting, name: str, value: Any) -> Path | str | None:
    if value is None or value == "-" or isinstance(value, Path):
        return value  # type: ignore[no-any-return]
    if isinstance(value, str) and value:
        return value if ADDRESS.match(value) else Path(value)
    raise PolicyError(f"{name} must be the path of a file, not {shortened(value)}")


SHAPES: dict[str, Callable[[Setting, str, Any], Any]] = {
    "text": _text,
    "name": _text,
    "integer": _integer,
    "number": _number,
    "fraction": _fraction,
    "flag": _flag,
    "choice": _choice,
    "list": _list,
    "groups": _groups,
    "weights": _weights,
    "levels": _levels,
    "hierarchies": _hierarchies,
    "models": _models,
    "distances": _distances,
    "path": _path,
}
