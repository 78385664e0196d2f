"""A table with a policy as plain data: which releases are good, what one costs, and what the cheapest costs.

Nothing of `incrowd` is used. A policy is the dict of settings that `incrowd.anonymize` takes by name; hierarchies are in
`Asked.lines`: by column one line a value, from the value up, the star left out.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from oracle import costs, masks, rules

STARRED = "\0star"  # a cell that is a star, whatever it is written as
INFINITE = 1 << 60
MOST_ROWS = 11  # of a table whose least release is found


def kept(method):
    """A method whose answers are kept in its object."""

    @functools.wraps(method)
    def call(self, *given):
        known = self.__dict__.setdefault("known", {}).setdefault(method.__name__, {})
        if given not in known:
            known[given] = method(self, *given)
        return known[given]

    return call


@dataclass(frozen=True, eq=False)
class Asked:
    """A table and what is asked of its releases."""

    columns: tuple[str, ...]
    rows: list[tuple[str | None, ...]]
    said: dict
    lines: dict = field(default_factory=dict)
    own: dict = field(
        default_factory=dict
    )  # by column its own costs: a list by level, or a dict by label ("*": the star)
    queries: tuple = ()  # of a workload: (columns, weight, target or None)

    # --- what the policy says ----------------------------------------------------------------------------------------

    @property
    def quasi(self):
        return tuple(self.said["quasi_identifiers"])

    @functools.cached_property
    def cells(self):
        """The quasi-identifiers' cells of every row."""
        at = [self.columns.index(name) for name in self.quasi]
        return [tuple(row[j] for j in at) for row in self.rows]

    @functools.cached_property
    def told(self):
        """Every row as a dict."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def null(self):
        """Whether a star is written as a missing value."""
        return self.said.get("suppressed") == "null"

    @property
    def star(self):
        return None if self.null else self.said.get("star", "*")

    @property
    def suppress(self):
        return self.said.get("outliers") == "suppress"

    @property
    def k(self):
        return self.said["k"]

    @functools.cached_property
    def ladder(self):
        """By column the lines of its hierarchy; of one without, its values alone."""
        made = []
        for j, name in enumerate(self.quasi):
            plain = [("NULL" if v is None else v,) for v in dict.fromkeys(row[j] for row in self.cells)]
            made.append(self.lines.get(name, plain))
        return made

    @functools.cached_property
    def heights(self):
        return tuple(len(lines[0]) for lines in self.ladder)

    @functools.cached_property
    def vectors(self):
        """Every allowed level vector."""
        return masks.vectors(self.said.get("mask", {}), self.quasi, self.heights)

    @functools.cached_property
    def tests(self):
        return rules.tests_of(self.said, self.told)

    @property
    def most_suppressed(self):
        limit = self.said.get("suppression_limit")
        return len(self.rows) if limit is None else math.floor(Fraction(str(limit)) * len(self.rows))

    def meets(self, members):
        """Whether rows, by number, meet all that is asked of a class beside k."""
        return all(test([self.told[i] for i in members]) for test in self.tests)

    # --- cells -------------------------------------------------------------------------------------------------------

    @kept
    def shown(self, j, value, level):
        """What a cell shows at a level."""
        if level == self.heights[j]:
            return STARRED
        if level == 0:
            return value
        return next(line[level] for line in self.ladder[j] if line[0] == ("NULL" if value is None else value))

    def weight(self, j):
        return Fraction(str(self.said.get("weights", {}).get(self.quasi[j], 1)))

    @kept
    def price(self, j, value, level):
        """What that costs in the user's units; a missing value under a star that is a NULL is as it was."""
        if value is None and self.null:
            return Fraction(0)
        name, lines, weight = self.quasi[j], self.ladder[j], self.weight(j)
        cost, column = self.said.get("cost", "leaves").partition(":")[0], [row[j] for row in self.cells]
        if cost == "ncp" and name in self.lines:
            return weight * costs.ncp(lines, column, value, level, numeric=name in self.said.get("numeric", ()))
        if cost == "entropy":
            return weight * costs.entropy(lines, column, value, level)
        if cost == "workload":
            mine = [(w, target) for names, w, target in self.queries if name in names]
            counting = sum(w for w, target in mine if target is None)
            telling = [(w, [row[target] for row in self.told]) for w, target in mine if target is not None]
            return weight * costs.workload(lines, column, value, level, counting=counting, telling=telling)
        if name in self.own and level:
            own, label = self.own[name], "*" if level == self.heights[j] else self.shown(j, value, level)
            if isinstance(own, list):
                return weight * Fraction(str(own[level]))
            if label in own:
                return weight * Fraction(str(own[label]))
        if name not in self.lines or cost == "ncp":
            return weight * (level > 0)
        return weight * costs.PLAIN[cost](lines, value, level)

    def row_cost(self, cells, vector):
        return sum(self.price(j, v, level) for j, (v, level) in enumerate(zip(cells, vector, strict=True)))

    def row_shown(self, cells, vector):
        return tuple(self.shown(j, v, level) for j, (v, level) in enumerate(zip(cells, vector, strict=True)))

    def row_shown_as(self, cells, vector):
        """What a release writes of a row under a vector."""
        return tuple(self.star if cell == STARRED else cell for cell in self.row_shown(cells, vector))

    @functools.cached_property
    def scale(self):
        """A number that makes the costs whole."""
        every = {
            self.price(j, row[j], level)
            for row in self.cells
            for j, h in enumerate(self.heights)
            for level in range(h + 1)
        }
        return math.lcm(*(one.denominator for one in every))

    # --- the least ---------------------------------------------------------------------------------------------------

    def least(self):
        """The least cost of a release; None if there is none.

        The rows are parted in every way into blocks, each shown as cheaply as may be under which its rows look alike. Blocks that
        look alike in the end make one class, which meets what both met: every rule here but delta-disclosure holds for unions,
        and for that one blocks that look alike are told apart (`_exact_classes`).
        """
        n = len(self.rows)
        assert n <= MOST_ROWS
        if any("delta-disclosure" in text for text in self.said.get("require", ())):
            return self._exact_classes()
        shown, starred = self._blocks()
        block, free = shown.tolist(), [0] + [INFINITE] * ((1 << n) - 1)
        for have in range(1, 1 << n):
            low, rest = have & -have, have & (have - 1)
            part, found = rest, INFINITE
            while True:
                whole = block[part | low] + free[rest ^ part]
                if whole < found:
                    found = whole
                if part == 0:
                    break
                part = (part - 1) & rest
            free[have] = found
        every = (1 << n) - 1  # rows of stars alone are one class: it is chosen, and the others are parted
        ways = [free[every]]
        ways += [int(starred[s]) + free[every ^ s] for s in range(1, 1 << n) if s.bit_count() <= self.most_suppressed]
        return None if min(ways) >= INFINITE else Fraction(min(ways), self.scale)

    @functools.cached_property
    def _alike(self):
        """By what may be one class, (vector, cells), the rows in it with their scaled costs.

        Where a star is a NULL classes are those of equal cells, whatever vectors show them.
        """
        classes = defaultdict(dict)
        for i, cells in enumerate(self.cells):
            for vector in self.vectors:
                shown = self.row_shown(cells, vector)
                key = (None, tuple(None if c == STARRED else c for c in shown)) if self.null else (vector, shown)
                cost = int(self.row_cost(cells, vector) * self.scale)
                classes[key][i] = min(cost, classes[key].get(i, cost))
        return classes

    def _blocks(self):
        """Per set of rows its least cost as one class that shows something, and as one of stars alone."""
        n = len(self.rows)
        bits = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
        sizes = bits.sum(1)
        good = np.ones(1 << n, bool)
        if self.tests:
            good = np.array([not s or self.meets([i for i in range(n) if s >> i & 1]) for s in range(1 << n)])
        shown, starred = (np.full(1 << n, INFINITE, np.int64) for _ in range(2))
        for (_, cells), members in self._alike.items():
            alone = set(cells) == {None if self.null else STARRED}
            outside = [i for i in range(n) if i not in members]
            may = good & (bits[:, outside].sum(1) == 0)
            if not (alone and self.suppress):
                may &= sizes >= self.k
            price = bits @ np.array([members.get(i, 0) for i in range(n)], np.int64)
            into = starred if alone else shown
            np.minimum(into, np.where(may, price, INFINITE), out=into)
        return shown, starred

    def _exact_classes(self):
        """The least where two classes that look alike may not be put together: what looks alike is chosen once."""
        best, n = {0: 0}, len(self.rows)
        for (_, cells), members in self._alike.items():
            alone = set(cells) == {None if self.null else STARRED}
            parts, rows = [], list(members)
            for size in range(1 if alone and self.suppress else self.k, len(rows) + 1):
                if alone and size > self.most_suppressed:
                    break
                for some in itertools.combinations(rows, size):
                    if self.meets(some):
                        parts.append((sum(1 << i for i in some), sum(members[i] for i in some)))
            more = dict(best)
            for have, paid in best.items():
                for part, cost in parts:
                    if not have & part and paid + cost < more.get(have | part, INFINITE):
                        more[have | part] = paid + cost
            best = more
        found = best.get((1 << n) - 1)
        return None if found is None else Fraction(found, self.scale)

    def least_of_one_vector(self):
        """The least release with one recoding for the whole table, as (cost, suppressed rows); None if there is none."""
        ways = []
        for vector in self.vectors:
            classes = defaultdict(list)
            for i, cells in enumerate(self.cells):
                classes[self.row_shown(cells, vector)].append(i)
            good = [rows for rows in classes.values() if len(rows) >= self.k and self.meets(rows)]
            kept = {i for rows in good for i in rows}
            out = [i for i in range(len(self.rows)) if i not in kept]
            if out:
                if vector == self.heights or self.heights not in self.vectors or not self.meets(out):
                    continue
                if not self.suppress and len(out) < self.k:
                    continue
            suppressed = len(self.rows) if vector == self.heights else len(out)
            if suppressed > self.most_suppressed:
                continue
            cost = sum(self.row_cost(self.cells[i], vector) for i in kept)
            ways.append((cost + sum(self.row_cost(self.cells[i], self.heights) for i in out), suppressed))
        return min(ways, default=None)

    def per_row(self):
        """The bound that every row's cheapest crowd gives, whoever else is in it; None if a row has none."""
        total = 0
        for i in range(len(self.rows)):
            mine = [
                members[i]
                for (_, cells), members in self._alike.items()
                if i in members and (len(members) >= self.k or (self.suppress and set(cells) == {STARRED}))
            ]
            if not mine:
                return None
            total += min(mine)
        return Fraction(total, self.scale)

    # --- a release that is there -------------------------------------------------------------------------------------

    def judged(self, names, released):
        """The cost of a table as a release, its classes' sizes and its outliers; AssertionError where it is none.

        Every released row takes an original of its own whose other columns it has and whose cells it may show, at the least cost
        over all (the cost that is counted for rows is the least that explains them).
        """
        quasi, n = self.quasi, len(self.rows)
        kept = [c for c in self.columns if c in names]
        assert sorted(names) == sorted(kept) and len(released) == n, "columns or rows are not those of the original"
        told = [dict(zip(names, row, strict=True)) for row in released]
        classes = defaultdict(list)
        for row in told:
            classes[tuple(row[c] for c in quasi)].append(row)
        outliers, sizes = 0, []
        for cells, mine in classes.items():
            alone = set(cells) == {self.star}
            if alone and self.suppress:
                outliers += len(mine)
            else:
                sizes.append(len(mine))
                assert len(mine) >= self.k, "a class has fewer than k rows"
            assert all(test(mine) for test in self.tests), "a class fails a requirement"
        stars = sum(set(cells) == {self.star} for cells in (tuple(row[c] for c in quasi) for row in told))
        assert stars <= self.most_suppressed, "more rows are stars alone than may be"
        total = sum(cost for _, _, cost in self._explained(told))
        return Fraction(total, self.scale), sorted(sizes), outliers

    def _explained(self, told):
        """Pairs of an original row and what it is shown as, with the scaled cost: the least at which every row has its own."""
        others = [c for c in self.columns if c in told[0] and c not in self.quasi]
        key = lambda row: tuple(row[c] for c in others)
        groups = defaultdict(lambda: ([], []))
        for row in told:
            groups[key(row)][0].append(tuple(row[c] for c in self.quasi))
        for i, row in enumerate(self.told):
            groups[key(row)][1].append(i)
        pairs = []
        for shown, origins in groups.values():
            assert len(shown) == len(origins), "what is no quasi-identifier was changed"
            fits = [self._fits(cells) for cells in shown]
            pairs += [(origins[c], shown[r], fits[r][origins[c]]) for r, c in assigned(fits, origins)]
        return pairs

    def explained(self, names, released, in_order=False):
        """Every row as (its original cells, the vector that shows it, what is shown), in the order of the original.

        Where the released rows stand in no order, who is who is one of the ways at the least cost.
        """
        told = [dict(zip(names, row, strict=True)) for row in released]
        shown = [tuple(row[c] for c in self.quasi) for row in told]
        each = (
            [(i, cells, self._fits(cells)[i]) for i, cells in enumerate(shown)] if in_order else self._explained(told)
        )
        rows = {}
        for i, cells, cost in each:
            own = self.cells[i]
            levels = [self._levels(j, value, cell) for j, (value, cell) in enumerate(zip(own, cells, strict=True))]
            ways = [v for v in itertools.product(*levels) if v in self._allowed]
            vector = next(v for v in ways if int(self._shown_cost(own, cells, v) * self.scale) == cost)
            rows[i] = own, vector, cells
        return [rows[i] for i in range(len(rows))]

    @kept
    def _levels(self, j, value, cell):
        """The levels at which a value may show a cell."""
        star = lambda shown: self.star if shown == STARRED else shown
        return [level for level in range(self.heights[j] + 1) if star(self.shown(j, value, level)) == cell]

    @functools.cached_property
    def _allowed(self):
        return set(self.vectors)

    def _shown_cost(self, own, cells, vector):
        """What a row costs that shows these cells by a vector."""
        return self.row_cost(own, vector)

    @kept
    def _fits(self, cells):
        """By original row the scaled cost of showing it as some cells."""
        found = {}
        for i, own in enumerate(self.cells):
            levels = [self._levels(j, value, cell) for j, (value, cell) in enumerate(zip(own, cells, strict=True))]
            vectors = [vector for vector in itertools.product(*levels) if vector in self._allowed]
            ways = [self._shown_cost(own, cells, vector) for vector in vectors]
            if ways:
                found[i] = int(min(ways) * self.scale)
        return found


def assigned(fits, origins):
    """Pairs of everyone with an origin of their own, of the least sum."""
    from scipy.optimize import linear_sum_assignment

    price = np.full((len(fits), len(origins)), float(INFINITE))
    for r, one in enumerate(fits):
        for c, i in enumerate(origins):
            if i in one:
                price[r, c] = one[i]
    at = linear_sum_assignment(price)
    assert (price[at] < INFINITE).all(), "a row shows what no row of its own may show"
    return list(zip(*at, strict=True))


# --- tables that are drawn ---------------------------------------------------------------------------------------------


def tree_over(values, rng, *, levels):
    """Lines of a hierarchy over values: neighbours are put together, twice with two levels."""
    lines, width = [], rng.choice((2, 2, 3))
    for place, value in enumerate(values):
        line = [value]
        for level in range(levels):
            line.append(f"g{level}{place // width ** (level + 1)}")
        lines.append(tuple(line))
    return lines


MASKS = (
    {"max_stars": 2}, {"max_stars": 1, "full_suppression": True}, {"keep": ["b"]}, {"together": [["a", "c"]]},
    {"at_most_one": [["a", "b"]]}, {"never_together": [["b", "c"]]}, {"patterns": [["a"], ["a", "c"], []]},
    {"max_level": {"c": 0}}, {"any": [{"max_stars": 1}, {"keep": ["a"]}]}, {"all": [{"max_stars": 2}, {"keep": ["c"]}]},
    {"full_suppression": False}, {"at_most_one": [["a", "b", "c"]]}, {"patterns": [{"a": 1}, {"a": 1, "b": 1}]},
    {"together": [["a", "b"]], "never_together": [["a", "c"]]}, {"max_stars": 0},
)  # fmt: skip


def drawn(
    seed, *, rows=(6, 10), hierarchies=None, mask=None, require=(), nulls=False, values=3, columns=3, copies=0.3, **said
):
    """A table of quasi-identifiers a, b, c, ... and sensitive columns s (few texts) and v (numbers), with a policy."""
    rng = random.Random(f"table {seed}")
    names = tuple("abcdefgh"[:columns])
    n = rng.randint(*rows)
    sizes = [rng.randint(2, values) for _ in names]
    pools = [[f"{name}{x}" for x in range(size)] for name, size in zip(names, sizes, strict=True)]
    cells = []
    for _ in range(n):
        if cells and rng.random() < copies:
            cells.append(rng.choice(cells))
        else:
            cells.append(tuple(rng.choice(pool) for pool in pools))
    if nulls:
        cells = [tuple(None if rng.random() < 0.25 else c for c in row) for row in cells]
    ill = [rng.choice("pqr"[: rng.choice((2, 3))]) for _ in range(n)]
    pay = [str(rng.randrange(4)) for _ in range(n)]
    table = [(*row, s, v) for row, s, v in zip(cells, ill, pay, strict=True)]
    lines = {}
    for name in hierarchies or ():
        j = names.index(name)
        lines[name] = tree_over(sorted({row[j] for row in table if row[j] is not None}), rng, levels=rng.choice((1, 2)))
    policy = {"quasi_identifiers": list(names), "sensitive": ["s", "v"], "k": 2, **said}
    if mask:
        policy["mask"] = mask
    if require:
        policy["require"] = list(require)
    return Asked((*names, "s", "v"), table, policy, lines)
