"""What is asked of classes beside k: whether a class meets a model, exactly [V5]."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from fractions import Fraction

from .exact import by_bytes, grouped, logarithm_sign, refuse
from .policy import MODELS, own_reading

A_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")


class Metric:
    """How far apart values are: nodes of a tree by height, steps of a line, or a matrix; all in fractions."""

    def __init__(self, asked, values, totals):
        """Take the distance that a model asks for; `totals` are the rows of the table with each value."""
        kind, order, self.nodes, self.steps, self.matrix = asked["distance"], asked["order"], None, None, None
        column, d, self.totals, self.n = f"column {asked['column']!r}", len(values), totals, sum(totals)
        if kind in ("equal", "hierarchical"):
            lines = {line[0]: line for line in asked["hierarchy"] or [(value, None) for value in values]}
            lost = sum(value not in lines for value in values)
            refuse(lost, f"the tree of {column} has no line for {lost} of its {d} values")
            self.nodes, self.below = list(zip(*(lines[value][:-1] for value in values), strict=True)), []
            for nodes in self.nodes:  # the rows of the table below every node, by height
                self.below.append(Counter())
                for node, total in zip(nodes, totals, strict=True):
                    self.below[-1][node] += total
            return
        refuse(None in values, f"{column} has missing values, which an ordered, numeric or given distance has not")
        numbers = [Fraction(v) if len(v) <= 1000 and A_NUMBER.fullmatch(v) else None for v in values]
        lost = kind == "numeric" and numbers.count(None)
        refuse(lost, f"{lost} of the {d} values of {column} is no number")
        lost, told = len(set(values) - set(order)) if order else 0, "order" if kind == "ordered" else "the matrix"
        refuse(lost, f"{told} has no row for {lost} of the {d} values of {column}")
        plain = order or None in numbers
        keys = list(values) if plain else numbers
        ranks = order or sorted(set(keys), key=str.encode if plain else None)
        at = {key: i for i, key in enumerate(ranks)}
        self.place = [at[key] for key in keys]
        if isinstance(kind, tuple):
            rows = f"the distance matrix has {len(kind)} rows"
            refuse(order and len(order) != len(kind), f"order names {len(order)} values, {rows}")
            refuse(not order and len(keys) != len(kind), f"{rows}, {column} has {d} values")
            refuse(len(set(self.place)) != len(keys), f"{column} has two spellings of a number")
            self.matrix = [[kind[a][b] for b in self.place] for a in self.place]
        else:
            steps = [b - a if kind == "numeric" else Fraction(1) for a, b in itertools.pairwise(ranks)]
            span = sum(steps)
            self.steps = [step / span for step in steps]

    def apart(self, u, v):
        """Return the distance of two values."""
        if self.nodes is not None:
            meets = next((h for h, nodes in enumerate(self.nodes) if nodes[u] == nodes[v]), len(self.nodes))
            return Fraction(meets, len(self.nodes))
        low, high = sorted((self.place[u], self.place[v]))
        return self.matrix[u][v] if self.steps is None else sum(self.steps[low:high], Fraction(0))

    def work(self, rows):
        """Return the earth mover's distance of a class from the table, a fraction."""
        size, n = sum(rows.values()), self.n
        if self.nodes is not None:
            twice = 0  # what nodes have too much or too little, times n N; those that a class lacks lack it all
            for nodes, table in zip(self.nodes, self.below, strict=True):
                have = {}
                for v, number in rows.items():
                    have[nodes[v]] = have.get(nodes[v], 0) + number
                twice += sum(abs(number * n - table[node] * size) - table[node] * size for node, number in have.items())
                twice += n * size
            return Fraction(twice, 2 * len(self.nodes) * n * size)
        excess = [rows.get(v, 0) * n - total * size for v, total in enumerate(self.totals)]  # times n N
        if self.steps is not None:
            at = [0] * (len(self.steps) + 1)
            for place, amount in zip(self.place, excess, strict=True):
                at[place] += amount
            crossing = itertools.accumulate(at)
            return sum((step * abs(x) for step, x in zip(self.steps, crossing, strict=False)), Fraction(0)) / (n * size)
        more, less = ([v for v, x in enumerate(excess) if x * sign > 0] for sign in (1, -1))
        ways = [{i: self.matrix[v][u] for i, v in enumerate(more)} for u in less]
        return Fraction(least_cost([excess[v] for v in more], [-excess[u] for u in less], ways)) / (n * size)


class Requirement:
    """A model on one table: whether a class meets it, exactly; and what its rules for bounds need [V5].

    `kinds` are the combinations of the judged columns' values (texts), `of_table` their rows in the table.
    """

    def __init__(self, model, names, of_table):
        self.model, self.asked, self.kinds, self.n = model, model.asked, list(of_table), sum(of_table.values())
        self.places = [names.index(column) for column in model.judged]
        first, totals = self.places[0], Counter()
        for kind, rows in of_table.items():
            totals[kind[first]] += rows
        self.values = sorted(totals, key=by_bytes)
        rank = {value: v for v, value in enumerate(self.values)}
        self.code = {kind: rank[kind[first]] for kind in self.kinds}  # the value of every kind, by its rank
        self.totals = [totals[value] for value in self.values]
        self.metric = Metric(self.asked, self.values, self.totals) if model.name == "t-closeness" else None
        forms = {"p-sensitive": "distinct", "t-closeness": "distance", "frequency": "shares", "joint": "distinct"}
        kind = self.asked.get("kind", model.name)
        self.form = forms.get(kind, kind if model.name == "l-diversity" else "shares")  # which rules say it
        self.form = self.form if model.name in MODELS else "own"
        self.known = {}
        self.worst = max if self.form == "distance" or {"alpha", "beta", "delta"} & set(self.asked) else min
        self.least = int(self.asked["p"] if "p" in self.asked else self.asked.get("l", 0))

    def met(self, counted):
        """Return whether a class with so many rows of each kind (a dictionary) meets the model."""
        joint = len(self.places) > 1
        return jointly_diverse(self.lines_of(counted), self.least) if joint else self.holds(self.rows_of(counted))

    def holds(self, rows):
        """Return whether a class with so many rows of each value meets the model."""
        asked, limit, size = self.asked, self.model.share_limit(), sum(rows.values())
        if self.form == "own":
            return own_reading(self.model.name).met(asked, {self.values[v]: number for v, number in rows.items()})
        if self.form == "distinct":
            return len(rows) >= self.least
        if self.form == "entropy":
            return even_enough(list(rows.values()), asked["l"])
        if self.form == "recursive":
            ordered = sorted(rows.values(), reverse=True)
            return ordered[0] < asked["c"] * sum(ordered[self.least - 1 :])
        if self.form == "distance":
            return self.metric.work(rows) <= asked["t"]
        if limit is not None:
            return max(rows.values()) <= limit * size
        ratios = [(Fraction(r * self.n, size * self.totals[v]), self.totals[v]) for v, r in rows.items()]
        if "beta" in asked:
            # a gain above -ln p; a gain above 0 is no logarithm of a fraction
            above = (x > 1 and logarithm_sign([(self.n, 1), (c, -1)], x - 1) < 0 for x, c in ratios)
            return max(ratios)[0] - 1 <= asked["beta"] and not (asked["enhanced"] and any(above))
        apart = [max(x, 1 / x) for x, _ in ratios]  # delta-disclosure: |ln ratio| < delta
        return all(x == 1 or logarithm_sign([(x.numerator, 1), (x.denominator, -1)], asked["delta"]) < 0 for x in apart)

    def judged(self, counted):
        """Return whether a class meets the model, and what it reaches; where numbers alone decide, alike ones once."""
        if len(self.places) > 1:
            return self.met(counted), self.reached(counted)
        rows = self.rows_of(counted)
        if self.form == "distance":
            reached = self.reach(rows)
            return reached <= self.asked["t"], reached
        if self.form == "own" or (self.form == "shares" and self.model.share_limit() is None):
            return self.holds(rows), self.reach(rows)
        key = tuple(sorted(rows.values()))
        if key not in self.known:
            self.known[key] = self.holds(rows), self.reach(rows)
        return self.known[key]

    def rows_of(self, counted):
        """Return how many rows of a class have each value, those above 0."""
        rows = {}
        for kind, number in counted.items():
            if number:
                value = self.code[kind]
                rows[value] = rows.get(value, 0) + number
        return rows

    def lines_of(self, counted):
        """Return the different lines of judged columns in a class."""
        return list(dict.fromkeys(tuple(kind[j] for j in self.places) for kind, rows in counted.items() if rows))

    def reached(self, counted):
        """Return the strictest threshold that a class with so many rows of each kind meets; None: there is none."""
        if len(self.places) > 1:
            lines = self.lines_of(counted)
            most = min(len({line[j] for line in lines}) for j in range(len(self.places)))
            return next(l for l in range(most, 0, -1) if jointly_diverse(lines, l))  # noqa: E741
        return self.reach(self.rows_of(counted))

    def reach(self, rows):
        """Return the strictest threshold that a class with so many rows of each value meets; None: there is none."""
        size, asked = sum(rows.values()), self.asked
        if self.form == "own":
            return own_reading(self.model.name).reached(asked, {self.values[v]: n for v, n in rows.items()})
        if self.form == "distinct":
            return len(rows)
        if self.form == "entropy":
            even = len(set(rows.values())) == 1
            spent = sum(number * math.log(number) for number in rows.values())
            return float(len(rows)) if even else math.exp(math.log(size) - spent / size)
        if self.form == "recursive":
            ordered = sorted(rows.values(), reverse=True)
            met = (l for l in range(len(ordered), 0, -1) if ordered[0] < asked["c"] * sum(ordered[l - 1 :]))  # noqa: E741
            return next(met, 0)
        if self.form == "distance":
            return self.metric.work(rows)
        if self.model.share_limit() is not None:
            most = Fraction(max(rows.values()), size)
            return most if "alpha" in asked else 1 / most
        ratios = [Fraction(number * self.n, size * self.totals[v]) for v, number in rows.items()]
        if "beta" in asked:
            gains = ((x, self.totals[v]) for v, x in zip(rows, ratios, strict=True))
            above = (x > 1 and logarithm_sign([(self.n, 1), (total, -1)], x - 1) < 0 for x, total in gains)
            return None if asked["enhanced"] and any(above) else max(*ratios, Fraction(1)) - 1
        return max(abs(math.log(x)) for x in ratios)


def even_enough(rows, l):  # noqa: E741
    """Return whether values with so many rows have an entropy of at least ln l: N^N >= l^N prod c^c, in integers."""
    common = math.gcd(*rows)
    rows = [number // common for number in rows]
    size = sum(rows)
    about = size * math.log(size) - sum(c * math.log(c) for c in rows) - size * math.log(l)
    if abs(about) > 1e-9 * (1 + size * (math.log(size) + abs(math.log(l)))):  # far above the error of a few floats
        return about > 0
    return size**size * l.denominator**size >= l.numerator**size * math.prod(c**c for c in rows)


def jointly_diverse(lines, l):  # noqa: E741
    """Return whether every line lies in l lines that differ pairwise in every column."""
    if l > 1 and lines and len(set_apart(lines)) >= l + len(lines[0]) - 1:
        return True  # at most one of these a column meets a given line, and l - 1 are left beside it
    return l <= 1 or all(most_apart([o for o in lines if differ(o, one)], l - 1) >= l - 1 for one in lines)


def set_apart(lines):
    """Return some lines that differ pairwise in every column, taken as they come."""
    taken = []
    for line in lines:
        if all(differ(line, one) for one in taken):
            taken.append(line)
    return taken


def differ(one, other):
    """Return whether two lines differ in every column."""
    return all(a != b for a, b in zip(one, other, strict=True))


MOST_STEPS = 200_000  # of a search for lines that differ in three columns and more


def most_apart(lines, enough):
    """Return how many lines differ pairwise in every column at most, or `enough` if that is less."""
    if not lines or enough <= 0:
        return 0
    if len(lines[0]) == 2:  # a largest matching between the values of two columns
        beside, mate = grouped(lines, lambda line: line[0]), {}

        def place(a, seen):
            for _, b in beside[a]:
                if b not in seen:
                    seen.add(b)
                    if b not in mate or place(mate[b], seen):
                        mate[b] = a
                        return True
            return False

        return min(sum(place(a, set()) for a in list(beside)), enough)
    best, steps, stack = 0, 0, [(lines, 0)]
    while stack and best < enough:
        left, size = stack.pop()
        best, steps = max(best, size), steps + 1
        refuse(steps > MOST_STEPS, f"l-diversity of three columns and more is not decided within {MOST_STEPS:,} steps")
        narrow = min(len({line[j] for line in left}) for j in range(len(lines[0])))
        if left and size + narrow > best:
            stack.append((left[1:], size))
            stack.append(([other for other in left if differ(left[0], other)], size + 1))
    return min(best, enough)


def least_cost(supply, demand, ways):
    """Return the least cost of giving every taker r its demand by ways[r], givers with costs; None: there is no way.

    A maximum flow uses the ways that cost two prices together; where it lacks prices move (the Hungarian method).
    """
    of_giver, of_taker = [math.inf] * len(supply), [0] * len(demand)
    for own in ways:
        for o, cost in own.items():
            of_giver[o] = min(of_giver[o], cost)
    while True:
        tight = [[o for o, c in own.items() if c == of_giver[o] + of_taker[r]] for r, own in enumerate(ways)]
        lacking = short_of(supply, demand, tight)
        if not lacking:
            return sum(a * b for a, b in zip([*of_giver, *of_taker], [*supply, *demand], strict=True))
        near = {o for r in lacking for o in tight[r]}
        far = (c - of_giver[o] - of_taker[r] for r in lacking for o, c in ways[r].items() if o not in near)
        step = min(far, default=None)
        if step is None:
            return None
        for r in lacking:
            of_taker[r] += step
        for o in near:
            of_giver[o] -= step


def short_of(supply, demand, fits):
    """Return the takers that a maximum flow leaves short, and those whose rows they could have; `fits` has givers."""
    left, lacks, flow, open_for = list(supply), list(demand), [Counter() for _ in supply], Counter()
    for some in fits:
        open_for.update(some)
    for r in sorted(range(len(demand)), key=lambda r: len(fits[r])):
        for o in sorted(fits[r], key=open_for.__getitem__):
            amount = min(left[o], lacks[r])
            if amount:
                left[o], lacks[r], flow[o][r] = left[o] - amount, lacks[r] - amount, amount
    while any(lacks):  # shortest ways to what is left: from r to an o that fits, from o to the takers that it supplies
        came, through, ends = {}, {r: None for r, lack in enumerate(lacks) if lack}, []
        queue = list(through)
        for r in queue:
            for o in fits[r]:
                if o not in came:
                    came[o] = r
                    ends += [o] if left[o] else []
                    for x, amount in flow[o].items():
                        if amount and x not in through:
                            through[x] = o
                            queue.append(x)
        if not ends:
            return queue
        for end in ends:
            path, o = [], end
            while o is not None:
                path.append((o, came[o]))
                o = through[came[o]]
            back = [(o, r) for (_, r), (o, _) in itertools.pairwise(path)]
            amount = min([left[end], lacks[path[-1][1]], *(flow[o][r] for o, r in back)])
            left[end] -= amount
            lacks[path[-1][1]] -= amount
            for way, sign in ((path, 1), (back, -1)):
                for o, r in way:
                    flow[o][r] += sign * amount
    return []
