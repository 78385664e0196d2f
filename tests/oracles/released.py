"""Small tables with policies, whether a release of them is good, and what one costs at least: by trying everything.

Tables have at most 8 rows, with hierarchy, weights, missing values, masks and requirements of every model. Nothing of
`incrowd` is used; a policy is a plain dictionary as `Job.replace` takes it.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from oracle import masks
from oracle.costs import PLAIN
from oracles import sensitive as plain

COLUMNS = ("age", "sex", "town", "ill", "pay", "note")
QUASI = COLUMNS[:3]
STARRED = "\0star"  # a cell that is a star, whatever it is written as


def _ill(rows):
    return [row[0] for row in rows]


def _pay(rows):
    return [row[1] for row in rows]


def _moved(column, kind, t):
    def made(table):
        distance = plain.ground(kind, column(table))
        return lambda rows: plain.moved(column(rows), column(table), distance) <= t

    return made


# What a policy asks of classes: from the sensitive cells (ill, pay) of the table to a test of those of a class.
REQUIREMENTS = {
    "l-diversity l=2 column=ill": lambda table: lambda rows: plain.frequency(_ill(rows), 2),
    "l-diversity l=3/2 column=pay": lambda table: lambda rows: plain.frequency(_pay(rows), Fraction(3, 2)),
    "l-diversity l=2 column=ill kind=distinct": lambda table: lambda rows: plain.distinct(_ill(rows), 2),
    "l-diversity l=3/2 column=ill kind=entropy": lambda table: lambda rows: plain.entropy(_ill(rows), Fraction(3, 2)),
    "l-diversity l=2 c=2 column=ill kind=recursive": lambda table: lambda rows: plain.recursive(_ill(rows), 2, 2),
    "l-diversity l=2 columns=ill,pay kind=joint": lambda table: lambda rows: plain.joint(rows, 2),
    "t-closeness t=0.4 column=ill distance=equal": _moved(_ill, "equal", Fraction(2, 5)),
    "t-closeness t=0.3 column=pay distance=numeric": _moved(_pay, "numeric", Fraction(3, 10)),
    "t-closeness t=1/4 column=pay distance=ordered": _moved(_pay, "ordered", Fraction(1, 4)),
    "p-sensitive p=2 column=ill": lambda table: lambda rows: plain.distinct(_ill(rows), 2),
    "alpha-k alpha=0.6 column=ill": lambda table: lambda rows: plain.frequency(_ill(rows), Fraction(5, 3)),
    "beta-likeness beta=1 column=ill": lambda table: lambda rows: plain.beta(_ill(rows), _ill(table), 1),
    "beta-likeness beta=1 column=ill enhanced=true":
        lambda table: lambda rows: plain.beta(_ill(rows), _ill(table), 1, enhanced=True),
    "delta-disclosure delta=1.2 column=ill":
        lambda table: lambda rows: plain.delta(_ill(rows), _ill(table), Fraction(6, 5)),
}  # fmt: skip

MASKS = (
    {}, {}, {"max_stars": 2}, {"max_stars": 1, "full_suppression": True}, {"keep": ["sex"]}, {"together": [["age", "town"]]},
    {"at_most_one": [["age", "sex"]]}, {"never_together": [["sex", "town"]]}, {"patterns": [["age"], ["age", "town"], []]},
    {"max_level": {"town": 0}}, {"any": [{"max_stars": 1}, {"keep": ["age"]}]}, {"all": [{"max_stars": 2}, {"keep": ["town"]}]},
    {"full_suppression": False}, {"at_most_one": [["age", "sex", "town"]], "full_suppression": True},
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """A table and what is asked of its releases."""

    rows: list
    said: dict  # the policy
    lines: dict = field(default_factory=dict)  # of the hierarchies: by column, a line a value, without stars

    @property
    def names(self):
        """The columns of a release."""
        return COLUMNS if self.said.get("other", "keep") == "keep" else COLUMNS[:-1]

    @property
    def star(self):
        return None if self.said.get("suppressed") == "null" else self.said.get("star", "*")

    @functools.cached_property
    def heights(self):
        return tuple(len(self.lines[name][0]) if name in self.lines else 1 for name in QUASI)

    @functools.cached_property
    def vectors(self):
        return masks.vectors(self.said.get("mask", {}), QUASI, self.heights)

    @functools.cached_property
    def tests(self):
        table = [row[3:5] for row in self.rows]
        return [REQUIREMENTS[text](table) for text in self.said.get("require", [])]

    def shown(self, j, value, level):
        """What a cell shows at a level."""
        if level == self.heights[j]:
            return STARRED
        return value if level == 0 else next(line[level] for line in self.lines[QUASI[j]] if line[0] == value)

    def price(self, j, value, level):
        """What it costs, in the user's units; a missing value that is starred where a star is a NULL is as it was."""
        if value is None and self.star is None:
            return Fraction(0)
        weight = Fraction(str(self.said.get("weights", {}).get(QUASI[j], 1)))
        if QUASI[j] not in self.lines:
            return weight * (level > 0)
        return weight * PLAIN[self.said.get("cost", "leaves")](self.lines[QUASI[j]], value, level)

    @functools.cached_property
    def options(self):
        """Per row what each allowed vector makes of it: vector -> (cells, cost)."""
        return [
            {
                vector: (
                    tuple(self.shown(j, row[j], level) for j, level in enumerate(vector)),
                    sum(self.price(j, row[j], level) for j, level in enumerate(vector)),
                )
                for vector in self.vectors
            }
            for row in self.rows
        ]  # fmt: skip

    def crowded(self, sensitive, *, free):
        """Whether a class of rows with these sensitive cells may be; `free`: stars alone, without k."""
        return (free or len(sensitive) >= self.said["k"]) and all(met(sensitive) for met in self.tests)

    @functools.cached_property
    def least(self):
        """The least cost of a release; None if there is none.

        Every class lies in the rows that one vector shows alike; where a star is a NULL, in those with equal cells, whatever
        vectors show them.
        """
        classes, suppress = defaultdict(list), self.said.get("outliers") == "suppress"
        for b, options in enumerate(self.options):
            cheapest = {}
            for vector, (cells, cost) in options.items():
                alike = (None, written(cells, None)) if self.star is None else (vector, cells)
                cheapest[alike] = min(cost, cheapest.get(alike, cost))
            for alike, cost in cheapest.items():
                classes[alike].append((b, cost))
        best, known = {0: Fraction(0)}, {}
        for (_, cells), rows in classes.items():
            free = suppress and set(cells) == {None if self.star is None else STARRED}
            parts = []
            for some in itertools.product((False, True), repeat=len(rows)):
                mine = [row for row, take in zip(rows, some, strict=True) if take]
                part = sum(1 << b for b, _ in mine)
                if mine and (free, part) not in known:
                    known[free, part] = self.crowded([self.rows[b][3:5] for b, _ in mine], free=free)
                if mine and known[free, part]:
                    parts.append((part, sum(cost for _, cost in mine)))
            more = dict(best)
            for have, paid in best.items():
                for part, cost in parts:
                    if not have & part and paid + cost < more.get(have | part, math.inf):
                        more[have | part] = paid + cost
            best = more
        return best.get((1 << len(self.rows)) - 1)

    def fits(self, cells, o):
        """Whether cells can be what a row of the table is shown as."""
        return any(cells == written(shown, self.star) for shown, _ in self.options[o].values())

    def good(self, names, released):
        """Whether a table is a release as asked: its columns, classes, requirements, and every row from one of its own."""
        m, star = len(QUASI), self.star
        if (
            tuple(names) != self.names
            or len(released) != len(self.rows)
            or any(len(row) != len(names) for row in released)
        ):
            return False
        classes = defaultdict(list)
        for row in released:
            classes[row[:m]].append(row[3:5])
        suppress = self.said.get("outliers") == "suppress"
        for cells, sensitive in classes.items():
            mine = zip(*sensitive, strict=True)
            if any(not set(some) <= {row[3 + at] for row in self.rows} for at, some in enumerate(mine)):
                return False  # a value that its column does not hold
            if not self.crowded(sensitive, free=suppress and cells == (star,) * m):
                return False
        kept = len(self.names)
        fits = []
        for row in released:
            mine = [o for o, origin in enumerate(self.rows) if row[m:] == origin[m:kept] and self.fits(row[:m], o)]
            fits.append(mine)
        return all_placed(fits)


def written(cells, star):
    """The cells as a release writes them."""
    return tuple(star if cell == STARRED else cell for cell in cells)


def all_placed(fits):
    """Whether everyone can have a place of their own among those that fit."""
    holder = {}

    def place(r, seen):
        for o in fits[r]:
            if o not in seen:
                seen.add(o)
                if o not in holder or place(holder[o], seen):
                    holder[o] = r
                    return True
        return False

    return all(place(r, set()) for r in range(len(fits)))


def drawn(rng, *, rows=(6, 8), require=None):
    """A table with a policy."""
    ages = [str(rng.randrange(20, 60)) for _ in range(rng.randrange(2, 6))]
    missing = rng.random() < 0.3
    table = [
        (
            rng.choice(ages), rng.choice(["f", "m", None] if missing else ["f", "m"]), rng.choice("xyz"), rng.choice("pqr"),
            str(rng.randrange(4)), rng.choice("nopq"),
        )
        for _ in range(rng.randrange(rows[0], rows[1] + 1))
    ]  # fmt: skip
    said = {"quasi_identifiers": list(QUASI), "sensitive": ["ill", "pay"], "k": rng.choice([1, 2, 2, 2, 3, 4])}
    said |= {"other": rng.choice(["keep", "drop"]), "outliers": rng.choice(["forbid", "suppress"])}
    said["mask"] = rng.choice(MASKS)
    lines, null = {}, rng.random() < 0.2
    said |= {"suppressed": "null"} if null else {"star": rng.choice(["*", "?"])}
    if not null and rng.random() < 0.6:
        every = sorted({*ages, "33"} if rng.random() < 0.3 else {row[0] for row in table})
        lines["age"] = [(age, f"{int(age) // 10}0s", "young" if int(age) < 40 else "old") for age in every]
        said["cost"] = rng.choice(["leaves", "cells", "levels"])
    if rng.random() < 0.5:
        said["weights"] = {"sex": rng.choice([2, 0.5, "1/3"])}
    texts = list(REQUIREMENTS)
    said["require"] = require if require is not None else rng.choice([[], [rng.choice(texts)], rng.sample(texts, 2)])
    if lines and rng.random() < 0.4:  # the policy makes the same lines by words
        word, label = rng.choice([
            ("prefix:1", lambda age: (f"{age[0]}*",)),
            ("intervals:10,30", lambda age: tuple(f"{int(age) // w * w}-{int(age) // w * w + w - 1}" for w in (10, 30))),
        ])  # fmt: skip
        lines["age"] = [(age, *label(age)) for age in sorted({row[0] for row in table})]
        said["hierarchies"] = {"age": word}
    return Asked(table, said, lines)


def save(asked, folder):
    """Write the table and its hierarchies; return the policy's words with the hierarchies' files."""
    text = [",".join(COLUMNS), *(",".join(cell or "" for cell in row) for row in asked.rows)]
    (folder / "original.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
    said = dict(asked.said)
    for name, lines in asked.lines.items():
        (folder / f"{name}.csv").write_text("".join(";".join([*line, "*"]) + "\n" for line in lines), encoding="utf-8")
        said["hierarchies"] = {name: folder / f"{name}.csv"} | said.get("hierarchies", {})
    return said
