"""Hierarchies that a policy makes by words, from the values of a column: `intervals`, `dates`, `prefix` and `auto`."""

from __future__ import annotations

import datetime
import itertools
import re
import unicodedata
from collections import defaultdict
from fractions import Fraction

from .exact import Unreadable, exact, grouped, plainest, refuse

UNITS = {  # [W4]
    "day": lambda d: f"{d.year:04}-{d.month:02}-{d.day:02}",
    "month": lambda d: f"{d.year:04}-{d.month:02}",
    "quarter": lambda d: f"{d.year:04}-Q{(d.month + 2) // 3}",
    "year": lambda d: f"{d.year:04}",
    "decade": lambda d: f"{d.year // 10}0s",
    "century": lambda d: f"{d.year // 100}00s",
}
A_NUMBER = re.compile(r"([+-]?)(?:([0-9]+)\.?([0-9]*)|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?")
A_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{2})-([0-9]{2})|([0-9]{2})([0-9]{2})|(-?W[0-9]{2}))(.*)", re.DOTALL)
A_TIME = re.compile(r"([0-9]{2})(?::([0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,6})?)?)?(?:Z|[+-]([0-9]{2}):([0-9]{2}))?")
TIME_SIGNS = re.compile(r"[0-9:.,+Z-]*")
MOST_PLACES, MOST_CHARACTERS, MOST_VALUES = 400, 60, 200_000


def odd_digits(text):
    """Return whether a text has digits, or signs like them, other than 0 to 9."""
    return not text.isascii() and any(ord(sign) > 127 and unicodedata.category(sign) in ("Nd", "No") for sign in text)


def number_in(value):
    """Return the number that a value writes; None: it writes none [W2]."""
    refuse(odd_digits(value), "values with digits other than 0 to 9 are not read as numbers by this program")
    found = A_NUMBER.fullmatch(value.strip().replace("_", ""))
    if found is None:
        return None
    sign, whole, part, alone, power = found.groups("")
    part, told = part or alone, (whole + (part or alone)).lstrip("0") or "0"
    if len(told) > MOST_PLACES or len(power.lstrip("+-0")) > 4:
        return None
    shift = int(power or 0) - len(part)
    if abs(shift + len(told) - 1) > MOST_PLACES:
        return None
    return int(sign + told) * Fraction(10) ** shift


def day_in(value):
    """Return the day that a value writes; None: it writes none [W2]."""
    found = A_DAY.match(value.strip())
    if found is None:
        return None
    try:
        week, rest = found[6], found[7]
        day = None if week else datetime.date(int(found[1]), int(found[2] or found[4]), int(found[3] or found[5]))
    except ValueError:
        return None
    if not TIME_SIGNS.fullmatch(rest[1:]):
        return None
    time = A_TIME.fullmatch(rest[1:] if rest and rest[0] in "T " else "" if rest else "00")
    hour, minute, second, ahead, beside = map(int, time.groups("0")) if time else (24, 0, 0, 0, 0)
    refuse(hour == 24 or week, "a value may be a date in a form that this program does not read")
    return day if max(hour, ahead) < 24 and max(minute, second, beside) < 60 else None


class Intervals:
    """Intervals of growing width [W3]."""

    def __init__(self, widths, start=Fraction(0), top=None):
        good = widths and widths[0] > 0
        good = good and all(b > a and (b / a).denominator == 1 for a, b in itertools.pairwise(widths))
        refuse(not good, "the widths of intervals do not grow by whole factors")
        self.widths, self.start, self.top = widths, start, top

    def lines(self, values, *, complete):
        """Return a line for every value."""
        found = read(values, number_in, complete)
        told = [number for number in found if number is not None]
        ends = (*told, *self.widths, self.start, self.top or 0)
        plain = all(Fraction(end).denominator == 1 for end in ends) and min(told, default=0) >= 0
        return [
            (value, *(value if number is None else self.label(number, width, plain) for width in self.widths))
            for value, number in zip(values, found, strict=True)
        ]

    def label(self, number, width, plain):
        """Return what a number shows at a width."""
        top = self.top
        if top is not None and number >= top:
            return f"{plainest(top)}+" if plain and top >= 0 else f">= {plainest(top)}"
        low = self.start + (number - self.start) // width * width
        end = low + width if top is None else min(low + width, top)
        if plain and low >= 0:
            return plainest(low) if end - low == 1 else f"{plainest(low)}-{plainest(end - 1)}"
        return f"[{plainest(low)}, {plainest(end)})"


class Dates:
    """Levels of the calendar [W4]."""

    def __init__(self, units):
        places = [list(UNITS).index(unit) for unit in units if unit in UNITS]
        good = units and len(places) == len(units) and places == sorted(set(places))
        refuse(not good, "dates are no growing units")
        self.units = units

    def lines(self, values, *, complete):
        """Return a line for every value."""
        return [
            (value, *(value if day is None else UNITS[unit](day) for unit in self.units))
            for value, day in zip(values, read(values, day_in, complete), strict=True)
        ]


class Prefix:
    """First characters of codes [W5]."""

    def __init__(self, lengths):
        refuse(lengths != sorted(set(lengths), reverse=True), "prefix is no list of falling numbers above 0")
        self.lengths = lengths

    def lines(self, values, *, complete):
        """Return a line for every value."""
        del complete  # every text has its first characters
        lengths = self.lengths or range(max(map(len, values), default=1) - 1, 0, -1)
        return [(v, *(v if len(v) <= length else f"{v[:length]}*" for length in lengths)) for v in values]


def read(values, parse, complete):
    """Return what all values write; None for one that writes nothing, where these go under the root beside others."""
    found = [parse(value) for value in values]
    bad, of = sum(one is None for one in found), f"of the column's {len(found)} distinct values"
    refuse(bad and bad == len(found), f"none {of} is of its hierarchy's kind; write them so, or give a hierarchy file")
    refuse(
        bad and not complete, f"{bad} {of} are not of its hierarchy's kind; mend them, or complete_hierarchies = true"
    )
    return found


def made(spec):
    """Return what a policy's words make; None where they name a file [W1]."""

    def whole(length):
        refuse(isinstance(length, (bool, float)), "a length is no whole number")
        return exact(length, "a length", 1, whole=True)

    if isinstance(spec, str):
        word, colon, rest = spec.partition(":")
        if word not in ("intervals", "dates", "prefix") or (word == "intervals" and not colon):
            return None
        first, more = [part.strip() for part in rest.split(",") if part.strip()], {}
        if word == "intervals" and first and first[-1].endswith("+"):
            *first, top = first
            more = {"top": top[:-1]}
        first = first or word == "intervals" or True
    else:
        refuse(not isinstance(spec, dict), "a hierarchy is neither a text nor a table")
        words = set(spec) & {"file", "intervals", "dates", "prefix"}
        refuse(len(words) != 1, "a hierarchy names none, or several, of file, intervals, dates and prefix")
        (word,) = words
        if word == "file":
            return None
        first, more = spec[word], {name: spec[name] for name in spec if name != word}
    refuse(not set(more) <= ({"start", "top"} if word == "intervals" else set()), f"{word} has a setting too many")
    listed = first if isinstance(first, list) else [] if first is True else [first]
    if word == "intervals":
        ends = {name: exact(end, name) for name, end in more.items()}
        return Intervals([exact(width, "a width") for width in listed], **ends)
    if word == "prefix":
        return Prefix([whole(length) for length in listed])
    refuse(not all(isinstance(unit, str) for unit in listed), "dates are no growing units")
    return Dates(["month", "quarter", "year", "decade"] if first is True else listed)


# ------------------------------------------------------------------------------------------------- what `auto` makes

MISSING = {
    "?", "-", "--", ".", "..", "n/a", "na", "n.a.", "#n/a", "nan", "nil", "none", "null", "missing", "unknown", "unk",
    "not available", "not known", "unbekannt", "k.a.", "keine angabe", "brak", "nieznane", "inconnu", "desconocido",
}  # fmt: skip
AGE = re.compile(r"(^|[_\W\d])(age|ages|alter|lebensalter|wiek|edad|leeftijd|eta|years_old)($|[_\W\d])", re.IGNORECASE)
POSTCODE = re.compile(
    r"(^|[_\W\d])(zip|zip_?code|plz|postleitzahl|post_?code|postal_?code|cap|cp)($|[_\W\d])", re.IGNORECASE
)
ICD = re.compile(r"[A-Z][0-9][0-9A-Z](\.?[0-9A-Z]{1,4})?[*+!]?")
ZIP = re.compile(r"[0-9]{2,6}(-[0-9]{3,4})?")
A_DATE = re.compile(r"[0-9]{4}-[0-9][0-9]-[0-9][0-9]([T ].*)?|(18|19|20|21)[0-9]{6}")


def proposed(column, values):
    """Return what `auto` makes of a column's values, each once; None: nothing [W6]."""
    if len(values) > MOST_VALUES:
        return None
    values = sorted(values)
    strange = [sign for sign in column if not sign.isascii()]
    odd = any(sign in "\u0131\u0130\u017f\u212a" or unicodedata.category(sign)[0] == "N" for sign in strange)
    odd = odd or any(map(odd_digits, values))
    refuse(odd, "auto is not read of values, or names of columns, with such letters or digits")
    said = [value.strip() for value in values if value.strip() and value.strip().casefold() not in MISSING]
    spec, placed = suiting(column, said) if len(said) > 1 else (None, 0)
    marked = any(value.endswith("*") for value in values)
    if spec is not None and (marked or (placed < len(values) and not isinstance(spec, Prefix))):
        lines = spec.lines(values, complete=True)
        try:
            check_tree(bare(lines))
        except Unreadable:
            return None
    return spec


def bare(lines):
    """Return the lines of a hierarchy without a last column of stars."""
    return [line[:-1] for line in lines] if len(lines[0]) > 1 and all(line[-1] == "*" for line in lines) else lines


def check_tree(lines):
    """Refuse lines that are no tree, or a label that names two sets of values."""
    bad = len({line[0] for line in lines}) < len(lines) or len(lines[0]) > 120 or any("*" in line for line in lines)
    refuse(bad, "its hierarchy has a value in two lines, a star below its top, or too many levels")
    named = {}
    for level in range(len(lines[0])):
        for label, members in grouped(range(len(lines)), lambda i, level=level: lines[i][level]).items():
            parted = 0 < level < len(lines[0]) - 1 and len({lines[i][level + 1] for i in members}) > 1
            bad = parted or named.setdefault(label, members) != members
            refuse(bad, "the lines of its hierarchy are no tree: equal entries stay equal, and name one set of values")


def most(found, said):
    """Return whether nine in ten of the values are of a kind, and two at least."""
    return len(found) >= 2 and 10 * len(found) >= 9 * len(said)


def matching(pattern, said):
    """Return the values that a pattern matches, if they are most."""
    found = [value for value in said if len(value) <= MOST_CHARACTERS and pattern.fullmatch(value)]
    return found if most(found, said) else []


def parsed(parse, said):
    """Return what values write."""
    return [one for one in map(parse, said) if one is not None]


def suiting(column, said):
    """Return the hierarchy that suits values, and how many of them have a place in it [W6]."""
    days = parsed(day_in, [value for value in said if len(value) <= MOST_CHARACTERS and A_DATE.fullmatch(value)])
    if most(days, said):
        return calendar(days), len(days)
    codes, form = codes_among(column, said)
    if codes:
        return prefixes(codes, form, said), len(codes)
    numbers = sorted(parsed(number_in, [value for value in said if len(value) <= MOST_CHARACTERS]))
    return (bands(column, numbers, said), len(numbers)) if most(numbers, said) else (None, 0)


def calendar(days):
    """Return the levels of dates [W7]."""
    kinds = {unit: len({label(day) for day in days}) for unit, label in UNITS.items()}
    wanted = ("month", "year", "decade") if kinds["decade"] > 1 else ("month", "quarter", "year")
    units = [unit for unit in (wanted if kinds["year"] > 1 else ("month", "quarter")) if kinds[unit] > 1]
    units = ["day", *units] if 1 < kinds["day"] < len(days) else units
    return Dates(units) if units else None


def shape(value):
    """Return a text with 9 for every digit and A for every letter."""
    return "".join("9" if sign.isdigit() else "A" if sign.isalpha() else sign for sign in value)


def codes_among(column, said):
    """Return the values that are codes of one form, and the form; none where these are not most [W8]."""
    found = matching(ICD, said)
    if any(len(code) > 3 for code in found):
        return found, "icd"
    if POSTCODE.search(column) and (found := matching(ZIP, said)):
        alike = len(set(map(len, found))) == 1 or all("-" in code for code in found if len(code) != 5)
        return (found, "postcode") if alike else ([], "")
    forms = defaultdict(list)
    for value in said:
        if 3 <= len(value) <= 12 and " " not in value:
            forms[shape(value)].append(value)
    codes = max(forms.values(), key=lambda some: (len(some), some), default=[])
    if not most(codes, said) or "9" not in shape(codes[0]):
        return [], ""
    if all(value.isdecimal() for value in codes):
        good = len(codes[0]) > 3 and any(code[0] == "0" for code in codes)
    else:
        good = "A" in shape(codes[0]) and not parsed(number_in, codes)
    return (codes, "code") if good else ([], "")


def prefixes(codes, form, said):
    """Return the first characters of codes [W8]."""
    longest = max(map(len, codes))
    usual = tuple(range(longest - 1, 0, -1)) if longest <= 4 else (3, 2, 1) if longest == 5 else (6, 4, 2)
    usual = {"icd": (3, 1), "postcode": (3, 2, 1)}.get(form, usual)
    telling = [n for n in range(longest - 1, 0, -1) if len({code[:n] for code in codes}) > 1]
    lengths = [n for n in telling if n in usual] or telling[:3]
    return Prefix(lengths) if lengths and (form != "code" or len(said) >= 6) else None


def bands(column, numbers, said):
    """Return intervals of numbers, sorted ones [W9]."""
    cut = len(numbers) // 20
    spread = numbers[len(numbers) - 1 - cut] - numbers[cut]
    human = most([number for number in numbers if 0 <= number <= 130], numbers)
    if AGE.search(column) and human and (spread >= 20 or len(numbers) < 6):
        return Intervals([Fraction(5), Fraction(10), Fraction(20)], top=Fraction(90))
    if len(said) < 6 or not Fraction(1, 10**9) <= spread <= 10**15:
        return None
    least = next(n * power_in(spread / 25) for n in (1, 2, 5, 10) if n * power_in(spread / 25) >= spread / 25)
    aged = AGE.search(column) and human
    if (aged or all(number.denominator == 1 for number in numbers)) and least <= 1:
        return Intervals([Fraction(2), Fraction(10)] if spread > 10 else [Fraction(2)])
    unit = power_in(least)
    return Intervals([unit * n for n in {1: (1, 5, 10), 2: (2, 10, 20), 5: (5, 10, 20)}[int(least / unit)]])


def power_in(size):
    """Return the greatest power of ten that is no more than a size."""
    power = Fraction(10) ** (len(str(size.numerator)) - len(str(size.denominator)))
    return power if power <= size else power / 10
