"""What a release of a table is, what it costs and the least that one can cost: from the definitions, by trying everything.

For tables of some nine rows. A policy is a plain dictionary with the names of the policy file, a row a tuple of texts and
None, a hierarchy a list of lines without their star. Nothing of the program that is tested is used.
"""

from __future__ import annotations

import datetime
import functools
import itertools
import math
import shlex
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

import networkx as nx

from oracle import costs, masks, rules

STAR = "\0star"  # a cell that is a star, whatever it is written as


# --- models: what the sensitive values of a class must be --------------------------------------------------------


def apart(settings, table):
    """The distance of two values of a column as a function."""
    kind, values = settings.get("distance", "equal"), sorted({v for v in table if v is not None}, key=str.encode)
    if kind == "equal":
        return lambda a, b: Fraction(a != b)
    if kind == "hierarchical":
        lines = {line[0]: line for line in settings["hierarchy"]}
        height = len(settings["hierarchy"][0]) - 1
        return lambda a, b: Fraction(next(h for h in range(height + 1) if lines[a][h] == lines[b][h]), height)
    if not isinstance(kind, str):
        order = settings.get("order", values)
        return lambda a, b: Fraction(str(kind[order.index(a)][order.index(b)]))
    if kind == "ordered" and "order" in settings:
        place = {value: Fraction(at) for at, value in enumerate(settings["order"])}
    else:
        try:
            place = {value: Fraction(value) for value in values}
        except ValueError:
            place = {value: Fraction(at) for at, value in enumerate(values)}
        if kind == "ordered":
            ranks = sorted(set(place.values()))
            place = {value: Fraction(ranks.index(number)) for value, number in place.items()}
    spread = max(place.values()) - min(place.values()) or 1
    return lambda a, b: abs(place[a] - place[b]) / spread


def moved(values, table, distance):
    """The least work that turns the table's shares into those of a class (the earth mover's distance)."""
    have, want = Counter(values), Counter(table)
    every = sorted(want, key=str)
    scale = math.lcm(*(distance(a, b).denominator for a in every for b in every))
    graph = nx.DiGraph()
    for a in every:
        graph.add_node(("from", a), demand=-have[a] * len(table))
        graph.add_node(("to", a), demand=want[a] * len(values))
        for b in every:
            graph.add_edge(("from", a), ("to", b), weight=int(distance(a, b) * scale))
    return Fraction(nx.network_simplex(graph)[0], scale * len(table) * len(values))


def close(values, table, settings):
    distance = apart(settings, table)
    scale = 1
    if settings.get("rescale") and settings.get("distance", "equal") != "equal":
        scale = 1 / max(distance(a, b) for a in set(table) for b in set(table))
    return moved(values, table, lambda a, b: distance(a, b) * scale) <= number(settings["t"])


def number(said):
    return Fraction(str(said))


def model_of(said):
    """A requirement of a policy, text or table, as (model, settings)."""
    if not isinstance(said, str):
        return said["model"], {name: value for name, value in said.items() if name != "model"}
    name, *pairs = shlex.split(said)
    settings = dict(pair.split("=", 1) for pair in pairs)
    if "columns" in settings:
        settings["columns"] = settings["columns"].split(",")
    for switch in {"enhanced", "rescale"} & set(settings):
        settings[switch] = settings[switch] == "true"
    return name, settings


def meets(name, settings, rows, table):
    """Whether a class meets a model; `rows` and `table` are its and the table's sensitive cells by column."""
    columns = settings.get("columns") or [settings["column"]]
    mine, every = rows[columns[0]], table[columns[0]]
    kind = settings.get("kind", "frequency")
    if name == "l-diversity" and kind == "joint":
        return rules.joint(list(zip(*(rows[column] for column in columns), strict=True)), int(number(settings["l"])))
    if name == "l-diversity":
        least = number(settings["l"])
        return {
            "frequency": lambda: rules.frequency(mine, least), "distinct": lambda: rules.distinct(mine, least),
            "entropy": lambda: rules.entropy(mine, least),
            "recursive": lambda: rules.recursive(mine, int(least), number(settings["c"])),
        }[kind]()  # fmt: skip
    return {
        "k-anonymity": lambda: len(mine) >= int(settings["k"]),
        "p-sensitive": lambda: rules.distinct(mine, number(settings["p"])),
        "alpha-k": lambda: rules.frequency(mine, 1 / number(settings["alpha"])),
        "t-closeness": lambda: close(mine, every, settings),
        "beta-likeness": lambda: rules.beta(
            mine, every, number(settings["beta"]), enhanced=settings.get("enhanced", False)
        ),
        "delta-disclosure": lambda: rules.delta(mine, every, number(settings["delta"])),
    }[name]()


# --- ranges on a grid ----------------------------------------------------------------------------------------------


def dated(text):
    return text[4:5] == "-" and text[7:8] == "-"


def place_of(text):
    """The number of a value; of a date its day."""
    return Fraction(datetime.date.fromisoformat(text).toordinal()) if dated(text) else Fraction(text)


def written_numbers(value, *, date):
    """The ways to write an end of a run, each with its decimals."""
    if date:
        return [(0, datetime.date.fromordinal(int(value)).isoformat())] if value.denominator == 1 else []
    found = []
    for digits in range(4):
        size = value * 10**digits
        if size.denominator == 1:
            whole, rest = divmod(abs(int(size)), 10**digits)
            found.append((digits, f"{'-' if value < 0 else ''}{whole}" + (f".{rest:0{digits}d}" if digits else "")))
    return found + [(digits, f"-{text}") for digits, text in found if value == 0]


def run_labels(values, step):
    """Every label of a run of a column's values on a grid, and the values that it stands for."""
    numbers, date = {value: place_of(value) for value in values}, dated(next(iter(values)))
    decimals = max(len(value.partition(".")[2]) for value in values)
    least, most = min(numbers.values()), max(numbers.values())
    lines = [line * step for line in range(math.floor(least / step) - 1, math.floor(most / step) + 3)]
    found = {}
    for end in lines:
        if least < end <= most:
            low = {value for value in values if numbers[value] < end}
            for _, text in written_numbers(end, date=date):
                found[f"< {text}"], found[f">= {text}"] = low, set(values) - low
    for a, b in itertools.combinations(lines, 2):
        inside = {value for value in values if a <= numbers[value] < b}
        if not inside or a <= least or b > most:
            continue
        for first, low in written_numbers(a, date=date):
            for second in range(1 if date else 4):
                unit = Fraction(1, 10 ** max(decimals, first, second))
                for digits, high in written_numbers(b - unit, date=date):
                    if digits == second:
                        found[f"{low} to {high}"] = inside
                        if not date and "-" not in low + high:
                            found[f"{low}-{high}"] = inside
    return found


# --- the question ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Question:
    """A table with a policy: `said` in the words of the policy file, `trees` the hierarchies' lines without their star.

    `own_costs` has by column {"level_costs": [...]} or {"node_costs": {...}}; `queries` are those of a workload file.
    """

    names: tuple
    rows: list
    said: dict
    trees: dict = field(default_factory=dict)
    own_costs: dict = field(default_factory=dict)
    queries: tuple = ()

    @functools.cached_property
    def quasi(self):
        return list(self.said["quasi_identifiers"])

    @functools.cached_property
    def asked(self):
        """The models of the policy: those of `require`, then l and t of every sensitive column."""
        found = [model_of(one) for one in self.said.get("require", [])]
        every = self.said.get("sensitive", [])
        if "l" in self.said:
            found += [("l-diversity", {"l": self.said["l"], "column": column}) for column in every]
        if "t" in self.said:
            found += [("t-closeness", {"t": self.said["t"], "column": column}) for column in every]
        return found

    @functools.cached_property
    def judged(self):
        return {c for _, settings in self.asked for c in settings.get("columns") or [settings.get("column")] if c}

    @functools.cached_property
    def kept(self):
        """The columns of a release."""
        hidden = set(self.said.get("identifiers", []))
        if self.said.get("other", "keep") == "drop":
            hidden |= set(self.names) - set(self.quasi) - set(self.said.get("sensitive", [])) - self.judged
        return tuple(name for name in self.names if name not in hidden)

    @property
    def star(self):
        return None if self.said.get("suppressed") == "null" else self.said.get("star", "*")

    @property
    def suppress(self):
        return self.said.get("outliers") == "suppress"

    @functools.cached_property
    def ranged(self):
        """The columns on a grid, each with its step."""
        if self.said.get("recoding") != "grid":
            return {}
        return {c: number(self.said["round"]) for c in self.said["numeric"] if c in self.quasi and c not in self.trees}

    def cells(self, column):
        return [row[self.names.index(column)] for row in self.rows]

    @functools.cached_property
    def heights(self):
        return {c: 2 if c in self.ranged else len(self.trees[c][0]) if c in self.trees else 1 for c in self.quasi}

    @functools.cached_property
    def vectors(self):
        return masks.vectors(self.said.get("mask", {}), self.quasi, [self.heights[c] for c in self.quasi])

    @functools.cached_property
    def labels(self):
        return {c: run_labels(sorted(set(self.cells(c))), step) for c, step in self.ranged.items()}

    def shown(self, column, value, level):
        """What a cell shows at a level."""
        if level == self.heights[column]:
            return STAR
        lines = self.trees.get(column, [])
        return (
            value
            if level == 0
            else next(line[level] for line in lines if line[0] == ("NULL" if value is None else value))
        )

    def weight(self, column):
        """What a change of the column costs, in units."""
        return number(self.said.get("weights", {}).get(column, 1))

    @functools.cache  # noqa: B019
    def price(self, column, value, level):
        """What showing a value at a level costs; a missing value where a star is a NULL stays as it was for nothing."""
        if value is None and self.star is None:
            return Fraction(0)
        weight, cells = self.weight(column), self.cells(column)
        cost, own = self.said.get("cost", "leaves"), self.own_costs.get(column, {})
        looks = cost in ("entropy",) or cost.startswith("workload")
        lines = self.trees.get(column) or ([(v or "NULL",) for v in dict.fromkeys(cells)] if looks else None)
        if lines is None:
            return weight * (level > 0)
        if level and "level_costs" in own:
            return weight * number(own["level_costs"][level - 1])
        if (
            level
            and (label := self.shown(column, value, level))
            and (label := label.replace(STAR, "*")) in own.get("node_costs", {})
        ):
            return weight * number(own["node_costs"][label])
        if cost == "cells":
            return weight * (level > 0)
        if cost == "levels":
            return weight * costs.levels(lines, value, level)
        if cost == "ncp":
            return weight * costs.ncp(lines, cells, value, level, numeric=column in self.said.get("numeric", []))
        if cost == "entropy":
            return weight * costs.entropy(lines, cells, value, level)
        if cost.startswith("workload"):
            asked = [
                (number(one.get("weight", 1)), one.get("target")) for one in self.queries if column in one["columns"]
            ]
            counting = sum(share for share, target in asked if target is None)
            telling = [(share, self.cells(target)) for share, target in asked if target is not None]
            return weight * costs.workload(lines, cells, value, level, counting=counting, telling=telling)
        return weight * costs.leaves(lines, value, level)

    @functools.cached_property
    def options(self):
        """Per row what each allowed vector makes of it: vector -> (cells, cost). Not on a grid."""
        at = [self.names.index(c) for c in self.quasi]
        return [
            {
                vector: (
                    tuple(self.shown(c, row[j], level) for c, j, level in zip(self.quasi, at, vector, strict=True)),
                    sum(self.price(c, row[j], level) for c, j, level in zip(self.quasi, at, vector, strict=True)),
                )
                for vector in self.vectors
            }
            for row in self.rows
        ]  # fmt: skip

    # --- classes

    def met(self, rows):
        """Whether a class with these sensitive cells (dicts by column) meets every model."""
        mine = {column: [row[column] for row in rows] for column in self.judged}
        every = {column: self.cells(column) for column in self.judged}
        if any(not set(mine[column]) <= set(every[column]) for column in self.judged):
            return False  # a value that its column does not hold
        return all(
            meets(name, settings, mine, every) if name != "k-anonymity" else len(rows) >= int(settings["k"])
            for name, settings in self.asked
        )

    def crowded(self, rows, *, free):
        """Whether rows of a class, by their sensitive cells, are enough; `free`: stars alone that need no crowd."""
        return (free or len(rows) >= int(self.said.get("k", 1))) and self.met(rows)

    def secret(self, row, names=None):
        return {column: row[(names or self.names).index(column)] for column in self.judged}

    @property
    def most_suppressed(self):
        limit = self.said.get("suppression_limit")
        return len(self.rows) if limit is None else math.floor(number(limit) * len(self.rows))

    # --- is it a release

    def written(self, cells):
        return tuple(self.star if cell == STAR else cell for cell in cells)

    def fits(self, cells, row):
        """Whether cells can be what a row is shown as, by some allowed vector."""
        own = [row[self.names.index(c)] for c in self.quasi]
        for vector in self.vectors:
            for c, cell, value, level in zip(self.quasi, cells, own, vector, strict=True):
                if c in self.ranged and level == 1:
                    good = value in self.labels[c].get(cell, ())
                else:
                    good = cell == self.written([self.shown(c, value, level)])[0]
                if not good:
                    break
            else:
                return True
        return False

    def levels_read(self, cells):
        """The allowed vectors at which cells can be read, whatever row they are of."""
        return {
            vector for row in self.options for vector, (shown, _) in row.items() if self.written(shown) == tuple(cells)
        }

    def good(self, names, released):
        """Whether a table is a release as asked: columns, rows, classes, requirements, mask, and a row behind each."""
        m = [self.kept.index(c) for c in self.quasi]
        if tuple(names) != self.kept or len(released) != len(self.rows):
            return False
        if any(len(row) != len(names) for row in released):
            return False
        classes, stars = defaultdict(list), (self.star,) * len(m)
        for row in released:
            classes[tuple(row[j] for j in m)].append(self.secret(row, self.kept))
        if any(not self.crowded(rows, free=self.suppress and cells == stars) for cells, rows in classes.items()):
            return False
        if len(classes.get(stars, ())) > self.most_suppressed and self.star is not None:
            return False
        if self.said.get("recoding") == "global":
            read = [self.levels_read(cells) for cells in classes if cells != stars]
            if read and not set.intersection(*read):
                return False
        rest = [c for c in self.kept if c not in self.quasi]
        fitting = []
        for row in released:
            other = [row[self.kept.index(c)] for c in rest]
            fitting.append([
                o for o, origin in enumerate(self.rows)
                if other == [origin[self.names.index(c)] for c in rest] and self.fits([row[j] for j in m], origin)
            ])  # fmt: skip
        return all_placed(fitting)

    # --- the least cost

    @functools.cached_property
    def least(self):
        """The least cost of a release; None if there is none."""
        if self.said.get("recoding") == "global":
            return min(self._single(), default=None)
        return self._least_on_grid() if self.ranged else self._least_by_instances()

    def _least_by_instances(self):
        """Every class lies in what one vector shows alike; where a star is a NULL, in what has equal cells."""
        instances = defaultdict(dict)
        for b, options in enumerate(self.options):
            for vector, (cells, cost) in options.items():
                alike = (None, self.written(cells)) if self.star is None else (vector, cells)
                instances[alike][b] = min(cost, instances[alike].get(b, cost))
        best, known = {0: Fraction(0)}, {}
        for (_, cells), rows in instances.items():
            stars = set(cells) == {None if self.star is None else STAR}
            parts = []
            for size in range(
                1, len(rows) + 1 if not stars or self.star is None else min(len(rows), self.most_suppressed) + 1
            ):
                for mine in itertools.combinations(rows, size):
                    key = (stars and self.suppress, mine)
                    if key not in known:
                        known[key] = self.crowded([self.secret(self.rows[b]) for b in mine], free=key[0])
                    if known[key]:
                        parts.append((sum(1 << b for b in mine), sum(rows[b] for b in mine)))
            more = dict(best)
            for have, paid in best.items():
                for part, cost in parts:
                    if not have & part and paid + cost < more.get(have | part, math.inf):
                        more[have | part] = paid + cost
            best = more
        return best.get((1 << len(self.rows)) - 1)

    def _single(self):
        """Yield the cost of the release of every vector of one recoding."""
        top = tuple(self.heights[c] for c in self.quasi)
        for vector in self.vectors:
            classes = defaultdict(list)
            for b, options in enumerate(self.options):
                classes[options[vector][0]].append(b)
            bad = [
                b for rows in classes.values() for b in rows
                if vector != top and not self.crowded([self.secret(self.rows[b]) for b in rows], free=False)
            ]  # fmt: skip
            out = range(len(self.rows)) if vector == top else bad
            if out and (top not in self.vectors or len(out) > self.most_suppressed):
                continue
            if out and not self.crowded([self.secret(self.rows[b]) for b in out], free=self.suppress):
                continue
            yield sum(options[top if b in bad else vector][1] for b, options in enumerate(self.options))

    def class_cost(self, rows):
        """The least that a row of a class on a grid costs; None where no allowed vector shows them alike."""
        choices = []
        for c in self.quasi:
            own, weight = {row[self.names.index(c)] for row in rows}, self.weight(c)
            if c not in self.ranged:
                levels = range(self.heights[c] + 1)
                alike = [x for x in levels if len({self.shown(c, value, x) for value in own}) == 1]
                choices.append([(x, self.price(c, min(own), x)) for x in alike])
                continue
            every, step = set(self.cells(c)), self.ranged[c]
            place = {value: math.floor(place_of(value) / step) for value in every}
            low, high = min(place[v] for v in own), max(place[v] for v in own)
            inside = [v for v in every if low <= place[v] <= high]
            found = [(2, weight)] + [(0, Fraction(0))] * (len(own) == 1)
            if len(inside) < len(every):
                numbers = [place_of(v) for v in every]
                reach = [place_of(v) for v in inside]
                by_width = (max(reach) - min(reach)) / (max(numbers) - min(numbers))
                wide = self.said.get("cost") == "ncp"
                found.append((1, weight * (by_width if wide else Fraction(len(inside) - 1, len(every) - 1))))
            choices.append(found)
        every = itertools.product(*choices)
        return min(
            (sum(p for _, p in some) for some in every if tuple(x for x, _ in some) in self.vectors), default=None
        )

    def _least_on_grid(self):
        """By all ways to part the rows; stars alone that need no crowd are classes of one."""
        n, top = len(self.rows), tuple(self.heights[c] for c in self.quasi)
        star = sum(self.weight(c) for c in self.quasi)
        known = {}

        def price(block):
            if block not in known:
                rows = [row for b, row in enumerate(self.rows) if block >> b & 1]
                each = self.class_cost(rows) if len(rows) >= int(self.said["k"]) else None
                known[block] = None if each is None else each * len(rows)
            return known[block]

        best = {0: Fraction(0)}
        for mask in range(1, 1 << n):
            low = mask & -mask
            part = rest = mask ^ low
            found = []
            while True:
                before = best.get(mask ^ part ^ low)
                if before is not None and price(part | low) is not None:
                    found.append(before + price(part | low))
                if before is not None and not part and self.suppress and top in self.vectors:
                    found.append(before + star)
                if not part:
                    break
                part = (part - 1) & rest
            if found:
                best[mask] = min(found)
        return best.get((1 << n) - 1)


def all_placed(fitting):
    """Whether everyone can have a place of their own among those that fit."""
    holder = {}

    def place(r, seen):
        for o in fitting[r]:
            if o not in seen:
                seen.add(o)
                if o not in holder or place(holder[o], seen):
                    holder[o] = r
                    return True
        return False

    return all(place(r, set()) for r in range(len(fitting)))
