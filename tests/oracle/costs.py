"""What a change costs, said once more in plain Python: by the name of the cost, one function each."""

import decimal
from collections import Counter
from decimal import Decimal
from fractions import Fraction


def leaves(lines, value, level):
    """Of a value and a level the share of the other leaves that its label lumps together with it."""
    if level in (0, len(lines[0])):
        return Fraction(1 if level else 0)
    return Fraction(len(below(lines, value, level)) - 1, max(len(lines) - 1, 1))


def cells(lines, value, level):
    """One for every changed cell."""
    return Fraction(1 if level > 0 else 0)


def levels(lines, value, level):
    """How far up the hierarchy the cell is shown."""
    return Fraction(level, len(lines[0]))


PLAIN = {"leaves": leaves, "cells": cells, "levels": levels}

# Costs that look at the table take its cells of the column (None: missing), and of a target.


def below(lines, value, level):
    """The values of the hierarchy that a value's label at a level stands for."""
    named = [(None if line[0] == "NULL" else line[0], line) for line in lines]
    own = next(line for v, line in named if v == value)
    return [v for v, line in named if level == len(own) or line[level] == own[level]]


def ncp(lines, cells, value, level, *, numeric=False):
    """The share of the column's different cells, or of the width of its numbers, that a label stands for."""
    if level in (0, len(lines[0])):
        return Fraction(1 if level else 0)
    inside = set(below(lines, value, level)) & set(cells)
    if not numeric:
        return Fraction(len(inside), len(set(cells))) if len(inside) > 1 else Fraction(0)
    numbers, every = ([Fraction(v) for v in some if v is not None] for some in (inside, cells))
    if None in inside and numbers:
        return Fraction(1)
    width = max(every, default=0) - min(every, default=0)
    return Fraction(max(numbers) - min(numbers), width) if numbers and width else Fraction(0)


def bits(number):
    """log2 rounded down to 10^-6, by logarithms of 60 digits; of no rows 0."""
    if not number:
        return Fraction(0)
    with decimal.localcontext(prec=60):
        exact = Decimal(number).ln() / Decimal(2).ln() * 10**6
        return Fraction(int((exact + Decimal("1e-40")).to_integral_value(decimal.ROUND_FLOOR)), 10**6)


def entropy(lines, cells, value, level):
    """How many bits a label hides of the value: rounded log2 of its rows less that of the value's."""
    inside = below(lines, value, level)
    return bits(sum(cell in inside for cell in cells)) - bits(cells.count(value))


def workload(lines, cells, value, level, *, counting=0, telling=()):
    """What queries lose by a label, and at least what they lose by those below it; `telling` has (weight, target)."""
    if level == 0:
        return Fraction(0)
    inside = [v for v in dict.fromkeys(below(lines, value, level)) if v in cells]
    cost = counting * Fraction((10**6 * (len(inside) - 1)) // len(inside), 10**6)
    for weight, target in telling:

        def unsure(values, target=target):
            rows = Counter(t for cell, t in zip(cells, target, strict=True) if cell in values)
            return rows.total() * bits(rows.total()) - sum(n * bits(n) for n in rows.values())

        rows = sum(cell in inside for cell in cells)
        grown = (unsure(inside) - sum(unsure([v]) for v in inside)) * 10**6 // rows
        cost += weight * Fraction(max(grown, 0), 10**6)
    more = {"counting": counting, "telling": telling}
    return max([cost, *(workload(lines, cells, v, level - 1, **more) for v in inside)])


LOOKING = {"ncp": ncp, "entropy": entropy, "workload": workload}
