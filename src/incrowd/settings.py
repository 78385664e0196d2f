"""What a setting is: one field's help, shape and range, from which options, TOML keys and docs come.

The same value arrives as a keyword (Python objects), a TOML key (plain values) or an option (text). `clean`
turns all three into one, and refuses the rest with a sentence that names the setting and quotes the value.
"""

from __future__ import annotations

import csv
import dataclasses
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from incrowd.errors import PolicyError, did_you_mean

__all__ = [
    "Setting", "as_fraction", "clean", "exact_number", "fraction_text", "from_option", "setting", "settings_of",
    "shortened", "split",
]  # fmt: skip

MOST_DIGITS, MOST_EXPONENT, MOST_BITS = 1000, 999, 4096  # of a number that comes from outside
MOST_WHOLE = 256  # bits of a whole number
MOST_NUMBER = 10**308
MOST_SAID = 80  # characters of a value that a message repeats

Shape = Literal[
    "text", "integer", "number", "fraction", "flag", "choice", "list", "groups", "weights", "levels", "path", "name",
    "hierarchies", "models", "distances", "distance",
]  # fmt: skip


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting as people meet it.

    Attributes
    ----------
    help : str
        One sentence for ``--help`` and the reference.
    shape : str
        How its value is written.
    option : str
        Its name on the command line (default: the field's name with hyphens).
    off_option : str
        For flags: the option that turns it off.
    off_help : str
        For flags that are only ever turned off: what the option does.
    choices : tuple of str
        Allowed words, for ``shape="choice"``.
    least, most : float, optional
        Range of a number.
    metavar : str
        Placeholder in the help.
    unit : str
        Unit of a number.
    repeat : bool
        For lists: one option per entry, never split at commas.
    """

    help: str
    shape: Shape
    option: str = ""
    off_option: str = ""
    off_help: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    metavar: str = ""
    unit: str = ""
    repeat: bool = False
    listed_in: str = ""

    def flag_name(self, name: str) -> str:
        """Return the option's name, for example ``--max-stars``."""
        return self.option or "--" + name.replace("_", "-")


def setting(default: Any, help: str, shape: Shape, **more: Any) -> Any:  # noqa: A002
    """Return a dataclass field that carries a `Setting`."""
    made = Setting(help=help, shape=shape, **more)
    return dataclasses.field(default=default, metadata={"setting": made, "help": help, "unit": made.unit})


def settings_of(kind: type) -> dict[str, Setting]:
    """Return the settings of a dataclass by field name, in order."""
    return {f.name: f.metadata["setting"] for f in dataclasses.fields(kind) if "setting" in f.metadata}


def exact_number(text: str) -> Fraction:
    """Return a number written as text, exactly: ``"0.1"``, ``"1/3"``, ``"1e-9"``.

    Raises
    ------
    ValueError
        If it is no number, or so long or with so great an exponent that it would take the machine to hold it.
    """
    text = text.strip()
    exponent = text.lower().rpartition("e")[2].replace("_", "") if "e" in text.lower() else "0"
    if len(text) > MOST_DIGITS or len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > MOST_EXPONENT:
        raise ValueError
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError from None


def shortened(value: Any) -> str:
    """Return a value that came from outside as a message repeats it: no longer than a line."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a whole number of {value.bit_length()} bits"
    try:
        told = repr(value)
    except (ValueError, RecursionError):  # a number of too many digits in it
        told = f"a {type(value).__name__}"
    return told if len(told) <= MOST_SAID else f"{told[:MOST_SAID]}..."


def as_fraction(value: Any, name: str) -> Fraction:
    """Return a number exactly: a float means the decimal it prints as, a text may be ``"1/3"``.

    Raises
    ------
    PolicyError
        If it is no finite number, or one of more than a thousand digits or an exponent beyond 999.
    """
    if isinstance(value, bool) or value is None:
        raise PolicyError(f"{name} must be a number, not {value!r}")
    if isinstance(value, (int, Fraction)):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
            raise PolicyError(f"{name} must be a number of at most {MOST_DIGITS} digits")
        return Fraction(value)
    try:
        if not isinstance(value, str):
            if not math.isfinite(value):
                raise ValueError
            value = repr(float(value))
        return exact_number(value)
    except (TypeError, ValueError, OverflowError):
        raise PolicyError(
            f"{name} must be a number such as 2, 0.5 or '1/3', its exponent at most {MOST_EXPONENT}, "
            f"not {shortened(value)}"
        ) from None


def fraction_text(value: Fraction) -> int | float | str:
    """Return the plainest way to write a fraction that `as_fraction` reads back exactly."""
    if value.denominator == 1:
        return int(value)
    try:
        short = float(value)
    except OverflowError:
        return f"{value.numerator}/{value.denominator}"
    return short if Fraction(repr(short)) == value else f"{value.numerator}/{value.denominator}"


def _said(number: Fraction) -> str:
    told = str(fraction_text(number))
    return told if len(told) <= MOST_SAID else f"{told[:MOST_SAID]}..."


def clean(spec: Setting, name: str, value: Any) -> Any:
    """Return `value` in the one form that `incrowd` keeps, or refuse it.

    Raises
    ------
    PolicyError
        With the setting's name, the value given and what was expected.
    """
    return _CLEANERS[spec.shape](spec, name, value)


def from_option(spec: Setting, value: Any) -> Any:
    """Return what an option's text means: each text of a repeated option for groups is one group."""
    return tuple(split(text) for text in value) if spec.shape == "groups" else value


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
        raise PolicyError(f"{name} must be a number{_range(spec)}, not {_said(number)}")
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
    if value in ("true", "false"):
        return bool(value == "true")
    raise PolicyError(f"{name} must be true or false, not {shortened(value)}")


def _choice(spec: Setting, name: str, value: Any) -> str:
    if value in spec.choices:
        return str(value)
    near = did_you_mean(value, spec.choices) if isinstance(value, str) else ""
    raise PolicyError(f"{name} must be {' or '.join(repr(c) for c in spec.choices)}, not {shortened(value)}{near}")


def split(text: str) -> tuple[str, ...]:
    """Return the parts of a text at its commas, without blanks around them; quotes as in CSV."""
    row = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(part.strip() for part in row if part.strip())


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
        return {str(key): entry for key, entry in value.items()}
    if isinstance(value, str):
        value = [value]
    pairs: dict[str, Any] = {}
    for entry in value:
        if isinstance(entry, tuple) and len(entry) == 2:
            key, number = entry
        else:
            key, sign, number = str(entry).rpartition("=")
            if not sign:
                raise PolicyError(f"{name} must be written COLUMN=VALUE, not {entry!r}")
        if key in pairs:
            raise PolicyError(f"{name} is given twice for column {key!r}")
        pairs[str(key)] = number
    return pairs


def _weights(spec: Setting, name: str, value: Any) -> tuple[tuple[str, Fraction], ...]:
    cleaned = {column: as_fraction(number, f"{name} of {column!r}") for column, number in _pairs(name, value).items()}
    for column, number in cleaned.items():
        if number < 0:
            raise PolicyError(f"{name} of {column!r} must be a number of at least 0, not {_said(number)}")
    return tuple(cleaned.items())


def _levels(spec: Setting, name: str, value: Any) -> tuple[tuple[str, int], ...]:
    whole = Setting(help="", shape="integer", least=0)
    return tuple((column, clean(whole, f"{name} of {column!r}", n)) for column, n in _pairs(name, value).items())


def _hierarchies(spec: Setting, name: str, value: Any) -> tuple[tuple[str, Any], ...]:
    """Split columns from what is said of them; a path may hold further equal signs."""
    if isinstance(value, str):
        value = [value]
    if value is not None and not isinstance(value, Mapping):
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
        return Path(value)
    raise PolicyError(f"{name} must be the path of a file, not {shortened(value)}")


_CLEANERS: dict[str, Any] = {
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
