"""Small tables with one column of numbers or dates on a grid, whether a release of them is good, and what one costs.

A label is what some way of writing two lines of the grid is: all ways are listed, none is read. Nothing of `incrowd` is
used.
"""

from __future__ import annotations

import datetime
import functools
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

from oracles.released import QUASI, STARRED, Asked


def number_of(text):
    """The number of a value; of a date the day."""
    if text[4:5] == "-" and text[7:8] == "-":
        return Fraction(datetime.date.fromisoformat(text).toordinal())
    return Fraction(text)


def ways_to_write(number, digits):
    """A number with so many decimals, or nothing if that is not exact."""
    size = number * 10**digits
    if size.denominator != 1:
        return None
    whole, rest = divmod(abs(int(size)), 10**digits)
    return f"{'-' if number < 0 else ''}{whole}" + (f".{rest:0{digits}d}" if digits else "")


@dataclass(frozen=True)
class GridAsked(Asked):
    """A table whose first column is shown as ranges, and what is asked of its releases."""

    @functools.cached_property
    def dated(self):
        return self.rows[0][0][4:5] == "-"

    @functools.cached_property
    def values(self):
        return sorted({row[0] for row in self.rows})

    @functools.cached_property
    def labels(self):
        """Every label of a run, and the values that it stands for."""
        numbers = {value: number_of(value) for value in self.values}
        decimals = max(len(value.partition(".")[2]) for value in self.values)
        step = Fraction(str(self.said["round"]))
        lines = range(math.floor(min(numbers.values()) / step) - 1, math.floor(max(numbers.values()) / step) + 3)
        found = {}

        def written(number):
            if self.dated:
                return [(0, datetime.date.fromordinal(int(number)).isoformat())] if number.denominator == 1 else []
            ways = ((digits, ways_to_write(number, digits)) for digits in range(4))
            known = [(digits, text) for digits, text in ways if text is not None]
            return known + [(digits, f"-{text}") for digits, text in known if number == 0]

        least, most = min(numbers.values()), max(numbers.values())
        for line in lines:
            end = line * step
            if least < end <= most:
                below = {value for value in self.values if numbers[value] < end}
                for _, text in written(end):
                    found[f"< {text}"], found[f">= {text}"] = below, set(self.values) - below
        for a, b in itertools.combinations(lines, 2):
            inside = {value for value in self.values if a * step <= numbers[value] < b * step}
            if not inside or a * step <= least or b * step > most:
                continue
            for first, low in written(a * step):
                for second in range(1 if self.dated else 4):
                    unit = Fraction(1, 10 ** max(decimals, first, second))
                    for digits, high in written(b * step - unit):
                        if digits == second:
                            found[f"{low} to {high}"] = inside
                            if not self.dated and "-" not in low + high:
                                found[f"{low}-{high}"] = inside
        return found

    def fits(self, cells, o):
        """Whether cells can be what a row of the table is shown as."""
        row, star = self.rows[o], self.star
        if cells[0] not in (star, row[0]) and row[0] not in self.labels.get(cells[0], ()):
            return False
        for j in range(1, len(QUASI)):
            shown = {row[j], *(self.shown(j, row[j], level) for level in range(self.heights[j]))}
            if cells[j] != star and cells[j] not in shown:
                return False
        return True

    @functools.cached_property
    def cells(self):
        """The number of every value's cell of the grid."""
        step = Fraction(str(self.said["round"]))
        return {value: math.floor(number_of(value) / step) for value in self.values}

    def class_cost(self, rows):
        """What rows cost as one class, each at the least that it may show."""
        weight = Fraction(str(self.said.get("weights", {}).get(QUASI[0], 1)))
        values, cost = {row[0] for row in rows}, Fraction(0)
        if len(values) > 1:
            cells = [self.cells[value] for value in values]
            inside = sum(min(cells) <= cell <= max(cells) for cell in self.cells.values())
            cost = weight * Fraction(inside - 1, len(self.values) - 1)
        for j in range(1, len(QUASI)):
            level = next(
                level for level in range(self.heights[j] + 1)
                if len({STARRED if level == self.heights[j] else self.shown(j, row[j], level) for row in rows}) == 1
            )  # fmt: skip
            cost += self.price(j, rows[0][j], level)
        return cost * len(rows)

    @functools.cached_property
    def least(self):
        """The least cost of a release; None if there is none."""
        n, free = len(self.rows), self.said.get("outliers") == "suppress"
        star = sum(Fraction(str(self.said.get("weights", {}).get(name, 1))) for name in QUASI)
        best = {0: Fraction(0)}
        for mask in range(1, 1 << n):
            low = mask & -mask
            part = rest = mask ^ low
            found = []
            while True:
                block = part | low
                if (before := best.get(mask ^ block)) is not None:
                    price = self.block(block)
                    if price is not None:
                        found.append(before + price)
                    if free and block == low:
                        found.append(before + star)
                if not part:
                    break
                part = (part - 1) & rest
            if found:
                best[mask] = min(found)
        return best.get((1 << n) - 1)

    def block(self, block):
        """What a set of rows costs as a class; None if these are too few."""
        known = self.__dict__.setdefault("known_blocks", {})
        if block not in known:
            rows = [row for b, row in enumerate(self.rows) if block >> b & 1]
            known[block] = self.class_cost(rows) if len(rows) >= self.said["k"] else None
        return known[block]


def drawn(rng):
    """A table with a policy."""
    kind = rng.choice(["whole", "whole", "negative", "decimals", "dates"])
    if kind == "dates":
        start = datetime.date(rng.choice([1, 1999, 2024]), rng.choice([1, 2, 12]), 27).toordinal()
        pool = [datetime.date.fromordinal(start + rng.randrange(70)).isoformat() for _ in range(6)]
        step = rng.choice([1, 7, 30])
    else:
        low, high = {"whole": (0, 60), "negative": (-30, 30), "decimals": (-5, 15)}[kind]
        pool = [str(rng.randrange(low, high)) for _ in range(6)]
        step = rng.choice([1, 2, 5, 10, 0.5, 2.5])
        if kind == "decimals":
            pool = [text + rng.choice(["", ".5", ".25", ".0"]) for text in pool]
        if rng.random() < 0.1:
            pool.append("+" + pool[0].lstrip("-"))
    while True:
        table = [
            (rng.choice(pool), rng.choice("fm"), rng.choice("xyz"), rng.choice("pq"), str(rng.randrange(2)), rng.choice("no"))
            for _ in range(rng.randrange(6, 9))
        ]  # fmt: skip
        if len({number_of(row[0]) for row in table}) > 1:
            break
    said = {"quasi_identifiers": list(QUASI), "sensitive": ["ill", "pay"], "k": rng.choice([1, 2, 2, 2, 3, 4])}
    said |= {"other": rng.choice(["keep", "drop", "drop"]), "outliers": rng.choice(["forbid", "suppress"])}
    said |= {"recoding": "grid", "round": step, "numeric": ["age"], "star": rng.choice(["*", "?"])}
    lines = {}
    if rng.random() < 0.5:
        lines["town"] = [(town, "sea" if town == "x" else "land") for town in sorted({row[2] for row in table})]
    if rng.random() < 0.5:
        said["weights"] = {rng.choice(["age", "sex"]): rng.choice([2, 0.5, "1/3"])}
    return GridAsked(table, said, lines)
