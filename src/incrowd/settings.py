"""What a setting is. A value arrives as a keyword (Python), a TOML key or an option; `clean` turns all into one."""

from __future__ import annotations

import csv
import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from incrowd.errors import PolicyError, did_you_mean


# What the text of an option on the command line means.
def split(text: str) -> tuple[str, ...]:
    """Return the parts of a text at its commas, without blanks around them; quotes as in CSV.

    The text is one line; a part that holds a comma stands in double quotes. Empty parts are left out. PolicyError is
    raised if a part is longer than 131,072 characters, or a line ends inside the text outside quotes.
    """
    trouble = False
    try:
        row = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        trouble = True
    if trouble:
        raise PolicyError("an option with several names must be one line of them with commas between, quoted as in CSV")
    return tuple(part.strip() for part in row if part.strip())


def from_option(spec: Setting, value: Any) -> Any:
    """Return what an option's text means: each text of a repeated option for groups is one group, and lists add up.

    `value` is as click gives it: a tuple of texts for groups and lists. For groups a tuple of tuples of names is
    returned, for a tuple of lists the names of all; else `value` itself.
    """
    if spec.shape == "groups":
        return tuple(split(text) for text in value)
    if spec.shape == "list" and isinstance(value, tuple) and not spec.repeat:  # what is repeated is an item itself
        return tuple(name for text in value for name in split(text))
    return value


# Numbers from outside, read exactly and bounded before they are built; and the plainest text of an exact number.
MOST_DIGITS, MOST_EXPONENT = 1000, 999  # of a number that comes from outside


def exact_number(text: str) -> Fraction:
    """Return a number written as text, exactly: ``"0.1"``, ``"1/3"``, ``"1e-9"``.

    The text has at most 1000 characters and an exponent from -999 to 999; blanks around it do not count. ValueError is
    raised if it is no number, or so long or with so great an exponent that it would take the machine to hold it.
    """
    text = text.strip()
    exponent = text.lower().rpartition("e")[2].replace("_", "") if "e" in text.lower() else "0"
    if len(text) > MOST_DIGITS or len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > MOST_EXPONENT:
        raise ValueError
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError from None


def as_fraction(value: Any, name: str) -> Fraction:
    """Return a number exactly: a float means the decimal it prints as, a text may be ``"1/3"``.

    `name` is what the message calls it. A bool and None are refused. PolicyError is raised if it is no finite number,
    or one of more than a thousand digits or an exponent beyond 999.
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
    """Return the plainest way to write a fraction that `as_fraction` reads back exactly.

    It is a whole number as int, a float where its decimal is the value exactly, or else text such as ``1/3``.
    """
    if value.denominator == 1:
        return int(value)
    try:
        short = float(value)
    except OverflowError:
        return f"{value.numerator}/{value.denominator}"
    return short if Fraction(repr(short)) == value else f"{value.numerator}/{value.denominator}"


def short_fraction(value: Fraction) -> str:
    """Return a fraction as a message repeats it: cut after 80 characters."""
    return _cut(str(fraction_text(value)))


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}..."


# What a setting is: one field's help, shape and range, from which options, TOML keys and docs come.
Shape = Literal[
    "text", "integer", "number", "fraction", "flag", "choice", "list", "groups", "weights", "levels", "path", "name",
    "hierarchies", "models", "distances", "distance",
]  # fmt: skip
TABLES = ("weights", "levels", "hierarchies", "distances")  # shapes with an entry a column
LISTS = ("list", "groups", "models")
SEVERAL = (*TABLES, *LISTS)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting as people meet it.

    `help`: one sentence for ``--help`` and the reference. `shape`: how its value is written. `option`: its name on the
    command line (default: the field's name with hyphens). `off_option`: for flags: the option that turns it off.
    `off_help`: for flags that are only ever turned off: what the option does. `choices`: allowed words, for
    ``shape="choice"``. `least`, `most`, `above`: range of a number. `metavar`: placeholder in the help. `unit`: unit of
    a number. `repeat`: for lists: one option per entry, never split at commas. `default`: what it is where None is
    given.
    """

    help: str
    shape: Shape
    option: str = ""
    off_option: str = ""
    off_help: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    above: float | None = None
    metavar: str = ""
    unit: str = ""
    repeat: bool = False
    listed_in: str = ""
    default: Any = None

    def flag_name(self, name: str) -> str:
        """Return the option's name, for example ``--max-stars``.

        `name` is the field's name, used where the setting has no option of its own.
        """
        return self.option or "--" + name.replace("_", "-")


def setting(default: Any, help: str, shape: Shape, **more: Any) -> Any:  # noqa: A002
    """Return a dataclass field that carries a `Setting`.

    It is typed as Any, so that a dataclass may give the field the type of its values. `default` is the field's default
    value, not checked here, and `help` is one sentence for ``--help`` and the reference. `shape` says how a value is
    written, as of `Setting`, and `more` are further fields of `Setting`.
    """
    made = Setting(help=help, shape=shape, default=default, **more)
    return dataclasses.field(default=default, metadata={"setting": made})


def settings_of(kind: type) -> dict[str, Setting]:
    """Return the settings of a dataclass by field name, in order.

    Fields without a setting are left out. TypeError is raised if `kind` is no dataclass.
    """
    return {f.name: f.metadata["setting"] for f in dataclasses.fields(kind) if "setting" in f.metadata}


# How a message repeats a value that came from outside: on one line, and never at the price of the machine.
MOST_BITS = 4096  # a longer whole number is not written out, and no number of a setting is longer
MOST_CHARACTERS = 80  # of a value in a message


def name_and_options(text: str, what: str) -> tuple[str, dict[str, str]]:
    """Return the name and the options of a part, as a text ``NAME:key=value,key=value`` gives them.

    `what` is what the message calls it. PolicyError is raised for an option without a value, or given twice.
    """
    name, colon, rest = text.partition(":")
    parts = rest.split(",") if colon else ()
    return name, options_of(parts, f"{what} {shortened(name)}", "NAME:key=value,key=value")


def options_of(parts: Iterable[str], said: str, form: str) -> dict[str, str]:
    """Return the options that parts ``key=value`` give.

    Messages begin with `said`, and `form` is how all is written. PolicyError is raised for one without a value, or
    given twice.
    """
    options: dict[str, str] = {}
    for part in parts:
        key, sign, value = part.partition("=")
        if not sign or key in options:
            fault = "is given twice" if sign else "has no value"
            raise PolicyError(f"{said}: {shortened(key)} {fault}; write {form}, each key once")
        options[key] = value
    return options


def shortened(value: Any) -> str:
    """Return a value that came from outside as a message repeats it: at most 80 characters of it.

    The value may be of any type and size; a whole number of more than 4096 bits is only described. The value's ``repr``
    is built whole before it is cut, so time and memory grow with the value.
    """
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a whole number of {value.bit_length()} bits"
    try:
        return _cut(repr(value))
    except (ValueError, RecursionError):  # a number of too many digits in it
        return _cut(f"a {type(value).__name__}")


# How a setting's value is written, one function a shape: each returns the one form that is kept, or refuses.
#
# A function takes the setting, its name as a message says it, and the value: a Python object (keyword), a plain value
# (TOML key) or a text (option).
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
    value = spec.default if value is None else value
    if value is None and spec.shape != "choice":
        return () if spec.shape in SEVERAL else None
    return SHAPES[spec.shape](spec, name, value)


def _text(spec: Setting, name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise PolicyError(f"{name} must be a text, not {shortened(value)}")


def _integer(spec: Setting, name: str, value: Any) -> Any:
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
    return _inside(spec, number, f"{name} must be {expected}, not {number}")


def _number(spec: Setting, name: str, value: Any) -> Any:
    exact = as_fraction(value, name)
    if abs(exact) > MOST_NUMBER:
        raise PolicyError(f"{name} must be a number{_range(spec)} below 1e308, not {shortened(value)}")
    return _inside(spec, float(exact), f"{name} must be a number{_range(spec)}, not {shortened(value)}")


def _fraction(spec: Setting, name: str, value: Any) -> Any:
    number = as_fraction(value, name)
    return _inside(spec, number, f"{name} must be a number{_range(spec)}, not {short_fraction(number)}")


def _inside(spec: Setting, number: Any, why: str) -> Any:
    """Return a number in the range of its setting; PolicyError says `why` of any other."""
    below = (spec.least is not None and number < spec.least) or (spec.above is not None and number <= spec.above)
    if below or (spec.most is not None and number > spec.most):
        raise PolicyError(why)
    return number


def _range(spec: Setting) -> str:
    if spec.least is not None and spec.most is not None:
        return f" from {spec.least:g} to {spec.most:g}"
    if spec.least is not None:
        return f" of at least {spec.least:g}"
    if spec.above is not None:
        return f" above {spec.above:g}"
    return ""


def _flag(spec: Setting, name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    hint = ": write it without quotes" if value in ("true", "false") else ""
    raise PolicyError(f"{name} must be true or false, not {shortened(value)}{hint}")


def _choice(spec: Setting, name: str, value: Any) -> str:
    if value in spec.choices:
        return str(value)
    near = did_you_mean(value, spec.choices) if isinstance(value, str) else ""
    raise PolicyError(f"{name} must be {' or '.join(repr(c) for c in spec.choices)}, not {shortened(value)}{near}")


def _list(spec: Setting, name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if spec.repeat else split(value)
    if isinstance(value, Iterable) and not isinstance(value, (Mapping, bytes)):
        parts = tuple(value)
        if all(isinstance(part, str) for part in parts):
            return parts
    raise PolicyError(f"{name} must be a list of texts, not {shortened(value)}")


def _groups(spec: Setting, name: str, value: Any) -> tuple[tuple[str, ...], ...]:
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
    if not isinstance(value, Mapping):
        if not isinstance(value, Iterable) or isinstance(value, bytes):
            raise PolicyError(f"{name} must be written COLUMN=FILE, not {shortened(value)}")
        value = [entry.partition("=")[::2] if isinstance(entry, str) else entry for entry in value]
        if any(not isinstance(entry, (tuple, list)) or len(entry) != 2 or not entry[1] for entry in value):
            raise PolicyError(f"{name} must be written COLUMN=FILE")
        value = [tuple(entry) for entry in value]
    return tuple(_pairs(name, value).items())


def _models(spec: Setting, name: str, value: Any) -> tuple[Any, ...]:
    """Leave models, their words and tables as they are: who knows the models reads them."""
    alone = isinstance(value, (str, Mapping)) or not isinstance(value, Iterable)
    return (value,) if alone else tuple(value)


def _distances(spec: Setting, name: str, value: Any) -> tuple[tuple[str, str], ...]:
    found = tuple(_pairs(name, value).items())
    if any(not isinstance(kind, str) for _, kind in found):
        raise PolicyError(f"{name} must be written COLUMN=KIND, with one of the distances' names")
    return found


def _path(spec: Setting, name: str, value: Any) -> Path | str:
    if value == "-" or isinstance(value, Path):
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


# What a settings object prints: the settings that were made, and never the cells of a table it holds.
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
