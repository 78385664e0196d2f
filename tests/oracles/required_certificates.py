"""Certificates of bounds under requirements written the slow way, and what is least by trying all releases.

Every class is listed: an instance with a set of rows that may be a class of it. Prices come from the linear program over
them, or are drawn; multipliers are drawn from their cones, straight from the inequalities that define these.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from scipy.optimize import linprog

from incrowd.check.classes import Required
from incrowd.check.exact import Refuted
from incrowd.tables.models.likeness import DeltaDisclosure
from incrowd.tables.verify.recount import Compiled, required
from oracles.plans import cost_of, node
from oracles.problems import as_table
from oracles.required import FAMILIES, drawn_required, some

NAMES = (*FAMILIES, "delta")


@dataclass(frozen=True)
class Case:
    """A problem of few rows with the models asked for, and all of its classes."""

    problem: object
    domain: object
    models: tuple

    @property
    def table(self):
        more = required(self.models, self.problem.types.kinds.astype(np.int64), self.domain)
        facts = {"requirements": [model.rule for model in self.models]}
        return dataclasses.replace(as_table(self.problem), more=more | {"facts": facts})

    @cached_property
    def rows(self):
        """Type of every row."""
        return np.repeat(np.arange(self.problem.types.t), self.problem.types.counts)

    @cached_property
    def fit(self):
        """Which sets of rows (bit masks) meet every requirement."""
        n = len(self.rows)
        kinds = self.problem.types.kinds[self.rows]
        pairs = [(mask, b) for mask in range(1, 1 << n) for b in range(n) if mask >> b & 1]
        group = np.array([mask for mask, _ in pairs])
        kind = np.array([kinds[b] for _, b in pairs])
        met = np.ones(1 << n, bool)
        for requirement in self.problem.requirements:
            met &= requirement.meets(group, kind, np.ones(len(pairs), np.int64), 1 << n)
        met[0] = False
        return met

    @cached_property
    def instances(self):
        """Every instance of every allowed vector: (vector, rows as a mask, cost of a row, rows that a class needs)."""
        problem, codes = self.problem, self.problem.types.codes.tolist()
        top = tuple(level.height for level in problem.levels)
        found = []
        for vector in itertools.product(*(range(level.height + 1) for level in problem.levels)):
            if not problem.patterns.allows(vector):
                continue
            shown = {}
            for b, i in enumerate(self.rows):
                nodes = tuple(node(problem, j, v, c) for j, (v, c) in enumerate(zip(vector, codes[i], strict=True)))
                shown.setdefault(nodes, []).append(b)
            need = 1 if problem.outliers == "suppress" and vector == top else problem.k
            for members in shown.values():
                cost = cost_of(problem, vector, codes[self.rows[members[0]]])
                found.append((vector, sum(1 << b for b in members), cost, need))
        return found

    @cached_property
    def classes(self):
        """Every class: (instance, rows as a mask)."""
        found = []
        for g, (_, extent, _, need) in enumerate(self.instances):
            part = extent
            while part:
                if part.bit_count() >= need and self.fit[part]:
                    found.append((g, part))
                part = (part - 1) & extent
        return found

    @cached_property
    def optimum(self):
        """The least cost of a release, one class an instance at most; None if there is none."""
        full = (1 << len(self.rows)) - 1
        mine = {}
        for g, part in self.classes:
            mine.setdefault(g, []).append(part)
        best = {0: 0}
        for g, parts in mine.items():
            cost = self.instances[g][2]
            more = dict(best)
            for have, paid in best.items():
                for part in parts:
                    if not have & part:
                        value = paid + cost * part.bit_count()
                        if value < more.get(have | part, math.inf):
                            more[have | part] = value
            best = more
        return best.get(full)

    def best_class(self, instance, prices, parts):
        """What the best class of an instance gains at the prices of the types; None: it has no class."""
        g = instance
        cost = self.instances[g][2]
        gains = [
            sum(int(prices[self.rows[b]]) - parts * cost for b in range(len(self.rows)) if part >> b & 1)
            for h, part in self.classes
            if h == g
        ]
        return max(gains, default=None)

    def named(self, g):
        """An instance as a certificate names it."""
        vector, extent, _, _ = self.instances[g]
        return [*vector, int(self.rows[(extent & -extent).bit_length() - 1])]

    def prices(self, parts, opened=(), closed=()):
        """Prices from the linear program over all classes, with some instances closed; None: it has no solution."""
        classes = [(g, part) for g, part in self.classes if g not in closed]
        n = len(self.rows)
        if not classes:
            return None
        cover = np.array([[part >> b & 1 for _, part in classes] for b in range(n)], float)
        cost = np.array([self.instances[g][2] * part.bit_count() for g, part in classes], float)
        lines = np.array([[float(g == h) for g, _ in classes] for h in opened]).reshape(len(opened), len(classes))
        solved = linprog(
            cost, A_eq=cover, b_eq=np.ones(n), A_ub=-lines if opened else None, b_ub=-np.ones(len(opened)) if opened else None
        )  # fmt: skip
        if solved.status != 0:
            return None
        total = np.zeros(self.problem.types.t)
        np.add.at(total, self.rows, solved.eqlin.marginals)
        return [round(x) for x in (total / self.problem.types.counts * parts).tolist()]

    def certificate(self, cost, bound, prices, parts, small, multipliers=(), trees=()):
        problem = self.problem
        return {
            "certificate": "incrowd k-anonymity bound", "version": 2, "rows": len(self.rows),
            "row_types": problem.types.t, "k": problem.k, "outliers": problem.outliers, "scale": problem.scale,
            "cost": cost, "lower_bound": bound, "lower_bound_checked": bound, "proof": "certificate",
            "requirements": [model.rule for model in self.models], "parts": parts, "prices": list(prices),
            "whole_below": small, "multipliers": list(multipliers), "trees": list(trees),
        }  # fmt: skip

    def recounted(self, written):
        """What the recount of a certificate comes to, whatever it claims; None where a part does not hold."""
        try:
            return Required(Compiled(self.table), written).value()
        except Refuted:
            return None

    def multipliers(self, rng, unit, most=8):
        """Multipliers of some instances, drawn from their cones."""
        found = []
        for g in rng.permutation(len(self.instances))[:most].tolist():
            for r in range(len(self.models)):
                numbers = self.multiplier(rng, r, unit)
                if numbers is not None:
                    found.append([*self.named(g), r, *numbers])
        return found

    def tree(self, rng, parts, prices, depth, opened=(), closed=()):
        """Instances that are branched on, and a node of a tree with prices from linear programs at its leaves."""
        left = [g for g in range(len(self.instances)) if g not in (*opened, *closed)]
        if depth == 0 or not left:
            mine = self.prices(parts, opened, closed)
            moves = (
                []
                if mine is None
                else [[i, b - a] for i, (a, b) in enumerate(zip(prices, mine, strict=True)) if a != b]
            )
            return {"prices": moves, "weights": []}
        g = int(rng.choice(left))
        sides = {"closed": (opened, (*closed, g)), "open": ((*opened, g), closed)}
        return {"instance": g} | {name: self.tree(rng, parts, prices, depth - 1, *side) for name, side in sides.items()}

    def planted(self, node):
        """A tree as a certificate holds it."""
        used = []

        def rename(node):
            if "instance" not in node:
                return node
            if node["instance"] not in used:
                used.append(node["instance"])
            return {
                "instance": used.index(node["instance"]), "closed": rename(node["closed"]), "open": rename(node["open"])
            }  # fmt: skip

        renamed = rename(node)
        return {"component": 0, "instances": [self.named(g) for g in used], "cuts": [], "tree": renamed}

    def multiplier(self, rng, r, unit):
        """Numbers of a multiplier of requirement r, drawn from its cone; None: it has none."""
        model = self.models[r]
        if model.name == "p-sensitive" or getattr(model, "kind", "") in ("distinct", "joint"):
            return None
        values = self.domain.values[self.domain.column(model.column)]
        mu = lambda: int(rng.integers(0, unit + 1))
        if model.name == "t-closeness":
            return self.moved(rng, model, values, mu())
        if model.name == "l-diversity" and model.kind == "entropy":
            return [mu(), *(int(x) for x in rng.integers(1, 9, len(values)))]
        if model.name == "l-diversity" and model.kind == "recursive":
            found = []
            for _ in range(int(rng.integers(1, 4))):
                if len(values) >= model.l - 1:
                    others = rng.permutation(len(values))[: int(model.l) - 1].tolist()
                    found += [mu(), int(rng.integers(len(values))), *others]
            return found
        chosen = rng.permutation(len(values))[: int(rng.integers(1, len(values) + 1))]
        return [number for v in chosen.tolist() for number in (v, mu())]

    def moved(self, rng, model, values, mu):
        far = ground_of(model, values)
        f = [int(x) for x in rng.integers(-mu, mu + 1, len(values))]
        # as near to each other as they have to be: the lowest number is kept, the others come down to it
        order = sorted(range(len(values)), key=lambda v: f[v])
        for a in order:
            for b in range(len(values)):
                f[b] = min(f[b], f[a] + math.floor(mu * far[a][b]))
        for a, b in itertools.product(range(len(values)), repeat=2):
            if f[b] - f[a] > mu * far[a][b]:
                return [mu, *[0] * len(values)]
        return [mu, *f]


def ground_of(model, values):
    """The distances between a column's values in fractions, from the definitions."""
    size = range(len(values))
    if model.distance == "equal":
        return [[Fraction(a != b) for b in size] for a in size]
    if model.distance in ("ordered", "numeric"):
        numbers = sorted(set(map(Fraction, values)))
        at = [Fraction(v) for v in values]
        if model.distance == "ordered":
            at = [Fraction(numbers.index(x)) for x in at]
        span = max(at) - min(at) or 1
        return [[abs(at[a] - at[b]) / span for b in size] for a in size]
    if model.distance == "hierarchical":
        path = {line[0]: line for line in model.hierarchy}
        height = len(model.hierarchy[0]) - 1
        meet = lambda a, b: next(h for h in range(height + 1) if path[values[a]][h] == path[values[b]][h])
        return [[Fraction(meet(a, b), height) for b in size] for a in size]
    ranks = sorted(values, key=Fraction)
    return [[Fraction(model.distance[ranks.index(a)][ranks.index(b)]) for b in values] for a in values]


def drawn_case(seed, name=None, *, rows=None):
    """A case of up to 7 rows of a family of requirements, the next one for every seed."""
    rng = np.random.default_rng([2, seed])
    family = name or NAMES[seed % len(NAMES)]
    if family != "delta":
        return rng, Case(*drawn_required(rng, family, rows=rows))
    problem, domain, _ = drawn_required(rng, "frequency", rows=rows)
    model = DeltaDisclosure(some(rng, Fraction(1, 2), 1, Fraction(3, 2)), "s0")
    return rng, Case(dataclasses.replace(problem, requirements=(model.bind(domain),)), domain, (model,))
