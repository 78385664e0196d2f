"""Refusals, exact numbers, and what a value of a policy says."""

from __future__ import annotations

import csv
import decimal
import functools
import math
from collections import defaultdict
from fractions import Fraction


class Unreadable(Exception):
    """Something cannot be read, or not by this program: exit status 2."""


class Refuted(Exception):
    """A part of a proof does not hold, so that nothing is proven."""


def refuse(bad, why):
    """Stop where something cannot be read, or is not of the form that the page says."""
    if bad:
        raise Unreadable(why)


def refute(wrong, claim="proof"):
    """Stop where a part of a proof does not hold."""
    if wrong:
        raise Refuted(claim)


def by_bytes(value):
    """Return the key that sorts values by their UTF-8 bytes, a missing one first [T1]."""
    return (value is not None, (value or "").encode())


def grouped(items, key):
    """Return lists of items by what a function says of them."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def digits_of(number, **more):
    """Return a context of so many decimal digits, of any exponent; ln and exp are correctly rounded in it."""
    return decimal.localcontext(prec=number, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, **more)


def logarithm_sign(powers, constant=Fraction(0)):
    """Return the sign of sum(times * ln(base)) - constant, known not to be 0: digits are added until they tell."""
    digits = 40
    while True:
        with digits_of(digits):
            terms = [decimal.Decimal(base).ln() * times for base, times in powers]
            terms.append(-decimal.Decimal(constant.numerator) / decimal.Decimal(constant.denominator))
            total = sum(terms)
            # every operation is off by at most one unit in its last digit
            if abs(total) > sum(map(abs, terms)).scaleb(1 - digits) * (len(terms) + 4):
                return 1 if total > 0 else -1
        digits *= 2


def ln_between(number):
    """Return two fractions around the logarithm of a fraction above 0 other than 1, 40 digits or so apart."""
    with digits_of(40):
        terms = [decimal.Decimal(number.numerator).ln(), -decimal.Decimal(number.denominator).ln()]
        total, error = Fraction(sum(terms)), sum(Fraction(abs(term)) for term in terms) * 4 / Fraction(10) ** 39
    return total - error, total + error


def floor_of_ln(times, number):
    """Return the whole part of times * ln(number), in ever more digits."""
    if times == 0 or number == 1:
        return 0
    guess = math.floor(times * ln_between(number)[0])
    powers = [(number.numerator, times), (number.denominator, -times)]
    while logarithm_sign(powers, Fraction(guess + 1)) > 0:
        guess += 1
    return guess


@functools.lru_cache(maxsize=1 << 16)
def micro_bits(number):
    """Return log2 of a whole number, rounded down to 10^-6 [T4]; 0 of 0."""
    whole = max(number.bit_length() - 1, 0)
    if number in (0, 1 << whole):
        return Fraction(whole)
    parts = int(math.log2(number) * 10**6)  # about; the sign of a sum of logarithms tells which number it is
    while logarithm_sign([(number, 10**6), (2, -parts - 1)]) > 0:
        parts += 1
    while logarithm_sign([(number, 10**6), (2, -parts)]) < 0:
        parts -= 1
    return Fraction(parts, 10**6)


def plainest(value):
    """Return the plainest text of a fraction: 2, 0.5, 1/3."""
    if value.denominator == 1:
        return str(int(value))
    try:
        short = repr(float(value))
    except OverflowError:
        return str(value)
    return short if Fraction(short) == value else str(value)


def exact(value, name, least=None, *, whole=False):
    """Return a number of the policy exactly; a float means the decimal that it prints as."""
    try:
        text = (repr(value) if isinstance(value, float) else str(value)).strip().lower()
        known = isinstance(value, (int, float, str, Fraction)) and not isinstance(value, bool) and len(text) <= 1000
        if not known or abs(int(text.rpartition("e")[2] if "e" in text else 0)) > 999:
            raise ValueError
        if whole and isinstance(value, str):
            text = str(int(text))
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(f"{name} is no number") from None
    refuse(whole and number.denominator != 1, f"{name} is no whole number")
    refuse(least is not None and number < least, f"{name} is below {least}")
    return int(number) if whole else number


def texts(value, name, *, split=True):
    """Return a list of texts; one text is split at its commas."""
    if isinstance(value, str):
        parts = next(csv.reader([value], skipinitialspace=True), [])
        return tuple(part.strip() for part in parts if part.strip()) if split else (value,)
    good = isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)
    refuse(not good, f"{name} is no list of texts")
    return tuple(value)


def choice(value, name, *choices):
    """Return a value that is one of some."""
    good = isinstance(value, type(choices[0])) and value in choices
    refuse(not good, f"{name} is none of {', '.join(map(str, choices))}")
    return value


def table_of(said, name):
    """Return a table of the policy."""
    refuse(not isinstance(said.get(name, {}), dict), f"[{name}] is no table")
    return dict(said.get(name, {}))
