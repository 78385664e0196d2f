"""Certificates of every kind on small tables, each as the check, the second checker and the page's are asked about it."""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

from checker import page_script
from checker.red_changes import crowds, one_of, plain
from incrowd.errors import InputError
from incrowd.jobs.check_certificate import read_certificate
from incrowd.progress import Watch
from incrowd.tables.models.parse import plain_model
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.lattice_certificate import by_lattice_cuts
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.matching import optimal_groups
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem
from incrowd.tables.verify.bound import certificate as check
from incrowd.tables.verify.bound import matching, requirement_bound
from oracles import required, required_certificates
from oracles.brute_force import optimum
from oracles.matching_drawn import FAMILIES, draw
from oracles.pattern_lists import PatternList
from oracles.problems import alike_problem, as_table, hub_problem, random_problem, star_levels, types_of

ROOT = Path(__file__).resolve().parents[2]
UNREADABLE = "unreadable", False, None, None


def load(name):
    """A second checker, from its file."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, ROOT / "checker" / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bounds = load("incrowd_check_bound")
load("incrowd_check_words")
second = load("incrowd_check")


class Plain:
    """A set of patterns as the second checker asks it."""

    def __init__(self, allows):
        self.allows = allows

    @staticmethod
    def raised(vector):
        return vector


def from_text(text, read, refusal):
    """What a reader makes of a certificate's text; None where it refuses."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        try:
            return read(file.name)
        except refusal:
            return None


class Case:
    """A certificate with the table that it is for, its release's cost, and the least cost of any release.

    What is asked about is a certificate as an object, or as a text.
    """

    def __init__(self, kind, table, certificate, cost, least, sens=None, problem=None):
        self.kind, self.table, self.certificate, self.cost = kind, table, certificate, cost
        self.least, self.sens, self.problem = least, sens, problem

    def recheck(self, certificate, cost):
        if certificate.get("certificate") == matching.NAME:
            return matching.recheck(self.table, certificate, cost, self.sens)
        return check.recheck(self.table, certificate, cost)

    def by_check(self, certificate, cost=None):
        if isinstance(certificate, str):
            certificate = from_text(certificate, read_certificate, InputError)
        if certificate is None:
            return UNREADABLE
        try:
            found = self.recheck(certificate, self.cost if cost is None else cost)
        except InputError:
            return UNREADABLE
        return "violation" if found.violations else "good", found.proven, found.cost, found.lower_bound

    @functools.cached_property
    def crowds(self):
        return crowds(self.table)

    @functools.cached_property
    def cheapest(self):
        """Every set of row types that the mask shows alike, with its least cost of a row."""
        return [(frozenset(some), cost) for some, _, cost in crowds(dataclasses.replace(self.table, k=1))]

    @functools.cached_property
    def variants(self):
        """The same table under another k, mask, rule for outliers or cost, where there is a release, and no certificate."""
        asked = self.problem
        if asked is None:
            return []
        vectors, top = [], tuple(level.height for level in asked.levels)
        for vector in PatternList(list(top)).vectors:
            if asked.patterns.allows(vector):
                vectors.append(vector)
        fewer = [vector for v, vector in enumerate(vectors) if vector == top or v % 3]
        dearer = tuple(
            dataclasses.replace(level, cost=level.cost * (2 if j == 0 else 1)) for j, level in enumerate(asked.levels)
        )  # fmt: skip
        others = [
            {"k": asked.k + 1}, {"k": max(asked.k - 1, 1)}, {"outliers": "forbid" if asked.outliers == "suppress" else "suppress"},
            {"patterns": PatternList(list(top), fewer)}, {"levels": dearer},
        ]  # fmt: skip
        found = []
        for other in others:
            problem = dataclasses.replace(asked, **other)
            least = None if problem.k > problem.types.n else optimum(problem)
            if least is not None:
                head = self.certificate | {"k": problem.k, "outliers": problem.outliers, "cost": least}
                found.append(Case(self.kind, as_table(problem), head, least, least, problem=problem))
        return found

    @functools.cached_property
    def theirs(self):
        table = self.table
        levels = [[(u, c) for u, c in zip(x.up.tolist(), x.cost.tolist(), strict=True)] for x in table.levels]
        made = second.Problem(
            [tuple(codes) for codes in table.codes.tolist()], table.counts.tolist(), levels, Plain(table.allows),
            table.k, table.outliers, table.scale,
        )  # fmt: skip
        made.secret = None if self.sens is None else [tuple(line) for line in self.sens.tolist()]
        return made

    def by_second(self, certificate, cost=None):
        if isinstance(certificate, str):
            certificate = from_text(certificate, bounds.read_certificate, bounds.Unreadable)
        if certificate is None:
            return UNREADABLE
        try:
            found = second.Verdict(self.theirs, certificate, self.cost if cost is None else cost)
        except second.Unreadable:
            return UNREADABLE
        return "violation" if found.wrong else "good", found.proven, found.cost, found.bound

    def by_page(self, certificate, cost=None):
        return page_script.page().recounted(self.theirs, certificate, self.cost if cost is None else cost)


def of_exact(seed):
    rng = np.random.default_rng([11, seed])
    problem = (
        hub_problem(rng),
        random_problem(rng, rows=int(rng.integers(1, 9)), full=True),
        alike_problem(rng, "suppress"),
    )[seed % 3]
    solution = Exact().solve(problem, Watch())
    if solution.certificate is None or solution.plan is None:
        return None
    written = plain(solution.certificate)
    kind = "prices" if written["components"] is None else "trees" if written["trees"] else "components"
    return Case(kind, as_table(problem), written, solution.plan.cost(problem), optimum(problem), problem=problem)


def of_two_tables(seed):
    """Two tables side by side whose rows share nothing but the fully suppressed instance."""
    rng = np.random.default_rng([12, seed])
    one, other = alike_problem(rng, "suppress"), alike_problem(rng, "suppress")
    m = max(one.types.m, other.types.m)

    def rows(p, shift):
        wide = np.zeros((p.types.t, m), int)
        wide[:, : p.types.m] = p.types.codes
        return np.repeat(wide + shift, p.types.counts, axis=0)

    types = types_of(np.concatenate((rows(one, 0), rows(other, 50))))
    mask = [v for v in PatternList([1] * m).vectors if v[0] == 0] + [(1,) * m]
    problem = Problem(types, star_levels(types), PatternList([1] * m, mask), one.k, "suppress")
    solution = Exact().solve(problem, Watch())
    written = plain(solution.certificate)
    kind = "trees" if written["trees"] else "components"
    return Case(kind, as_table(problem), written, solution.plan.cost(problem), solution.plan.cost(problem))


def of_prices(seed):
    rng = np.random.default_rng([13, seed])
    problem = random_problem(rng, rows=int(rng.integers(1, 8)), full=True)
    solution = Greedy().solve(problem, Watch())
    cost = solution.plan.cost(problem)
    parts = int(rng.integers(1, 9))
    prices = rng.integers(-parts, parts * 6, problem.types.t).tolist()
    bound = 0
    head = {
        "certificate": check.NAME, "version": 1,
        "rows": problem.types.n, "row_types": problem.types.t, "k": problem.k, "outliers": problem.outliers,
        "scale": problem.scale, "cost": cost, "lower_bound": bound, "lower_bound_checked": bound,
        "proof": "certificate", "parts": parts, "components": None, "prices": prices, "trees": [],
    }  # fmt: skip
    case = Case("prices", as_table(problem), head, cost, optimum(problem), problem=problem)
    head["lower_bound"] = head["lower_bound_checked"] = case.by_check(head)[3]
    return case


def of_lattice_cuts(seed):
    rng = np.random.default_rng([97, seed])
    problem = alike_problem(rng, ("forbid", "suppress")[seed % 2])
    first, encoded = Greedy().solve(problem, Watch()), encode(problem)
    pricing = Pricing(problem, encoded, first.plan, first.bound)
    pricing.first_look(Watch())
    for _ in range(3):
        pricing.round(Watch())
    pricing.cut(list_instances(problem, encoded), Watch())
    if pricing.proof is None:
        return None
    cost = first.plan.cost(problem)
    written = plain(by_lattice_cuts(problem, cost, pricing.bound, pricing.proof))
    return Case("lattice cuts", as_table(problem), written, cost, optimum(problem), problem=problem)


def of_matching(seed):
    drawn = draw(FAMILIES[seed % len(FAMILIES)], 7000 + seed, (4, 8))
    found = optimal_groups(
        drawn.types.codes, drawn.types.counts, drawn.levels, drawn.patterns, outliers=drawn.outliers, sens=drawn.sens
    )
    if found.certificate is None or found.cost < 0:  # no groups at all
        return None
    table = check.Table(
        codes=drawn.types.codes, counts=drawn.types.counts, levels=drawn.levels, allows=drawn.patterns.allows, k=2,
        outliers=drawn.outliers, scale=1,
    )  # fmt: skip
    cost = int(found.cost)
    head = {
        "certificate": matching.NAME, "version": 1, **table.facts(), "cost": cost, "lower_bound": cost,
        "lower_bound_checked": cost, "proof": "certificate", "matching": found.certificate.as_dict(),
    }  # fmt: skip
    if drawn.sens is not None:
        head["diverse"] = True
    sens = None if drawn.sens is None else np.asarray(drawn.sens).reshape(drawn.types.t, -1)
    made = Case("matching" if sens is None else "2-diversity", table, plain(head), cost, None, sens)
    made.least = least_in_groups(made)
    return made


def least_in_groups(case):
    """The least cost of groups of two rows or more, no sensitive value in more than half of one: by all sets of rows."""
    counts = case.table.counts.tolist()
    rows = [i for i, n in enumerate(counts) for _ in range(n)]
    top = sum(max(level.cost[-1].tolist()) for level in case.table.levels)
    alone = case.sens is None and case.table.outliers == "suppress"
    alone = alone and case.table.allows(tuple(level.height for level in case.table.levels))

    def price(some):
        types = [rows[b] for b in some]
        if len(some) == 1:
            return top if alone else None
        for s in range(0 if case.sens is None else case.sens.shape[1]):
            values = [int(case.sens[i][s]) for i in types]
            if 2 * max(map(values.count, values)) > len(values):
                return None
        found = min((cost for members, cost in case.cheapest if members.issuperset(types)), default=None)
        return None if found is None else found * len(some)

    best = {0: 0}
    for mask in range(1, 1 << len(rows)):
        low = mask & -mask
        part = rest = mask ^ low
        while True:
            other = best.get(mask ^ low ^ part)
            mine = None if other is None else known_price(case, price, part | low)
            if mine is not None and (mask not in best or mine + other < best[mask]):
                best[mask] = mine + other
            if not part:
                break
            part = (part - 1) & rest
    return best.get((1 << len(rows)) - 1)


def known_price(case, price, mask):
    """The price of a set of rows, each asked once."""
    known = case.__dict__.setdefault("known_prices", {})
    if mask not in known:
        known[mask] = price([b for b in range(mask.bit_length()) if mask >> b & 1])
    return known[mask]


def of_requirements(seed):
    """A bound under requirements (version 2), where the check reads it."""
    rng, case = required_certificates.drawn_case(seed, None)
    parts = 720
    prices = None if case.optimum is None else case.prices(parts)
    if prices is None:
        return None
    trees = [case.planted(case.tree(rng, parts, prices, int(rng.integers(3))))] if rng.integers(2) else []
    written = case.certificate(case.optimum, 0, prices, parts, int(rng.choice([1, 2, 3, 9])),
                               case.multipliers(rng, parts), trees)  # fmt: skip
    return Required(case, plain(written))


class Required(Case):
    """A certificate of version 2."""

    def __init__(self, case, certificate):
        super().__init__("requirements", case.table, certificate, case.optimum, case.optimum)
        self.asked = case
        value = self.by_check(certificate)[3]
        certificate["lower_bound"] = certificate["lower_bound_checked"] = value

    def recheck(self, certificate, cost):
        return requirement_bound.recheck(self.table, self.asked.required, certificate, cost)

    @functools.cached_property
    def variants(self):
        """The same table under other requirements, or another k, where there is a release."""
        asked, found = self.asked, []
        rng = np.random.default_rng(len(asked.rows))
        for _ in range(3):
            model = required.model(rng, one_of(rng, required.LINEAR), asked.domain.values[0])
            problem = dataclasses.replace(
                asked.problem, requirements=(model.bind(asked.domain),), k=one_of(rng, [1, 2, asked.problem.k])
            )  # fmt: skip
            other = dataclasses.replace(asked, problem=problem, models=(model,))
            if other.optimum is not None:
                head = other.certificate(other.optimum, 0, self.certificate["prices"], 1, 1)
                found.append(Required(other, plain(head)))
        return found

    @functools.cached_property
    def theirs(self):
        made = super().theirs
        asked, models = self.asked.required, self.asked.models
        domain = asked.domain
        texts = [
            tuple(domain.values[j][v] for j, v in enumerate(codes)) for codes in domain.sensitive.codes.tolist()
        ]  # fmt: skip
        table = dict(zip(texts, domain.counts.tolist(), strict=True))
        made.kinds, made.kind, made.kind_rows = texts, asked.kinds.tolist(), list(table.values())
        said = [second.Model(*named(model), ROOT) for model in models]
        made.asked = [second.Requirement(model, list(domain.sensitive.names), table) for model in said]
        made.names, made.said = (
            list(domain.sensitive.names),
            [(m, named(o)[1]) for m, o in zip(said, models, strict=True)],
        )
        made.facts["requirements"] = [model.rule for model in said]
        return made


def named(model):
    settings = plain_model(model)
    return settings.pop("model"), settings


MAKERS = (
    of_requirements,
    of_exact,
    of_two_tables,
    of_prices,
    of_lattice_cuts,
    of_matching,
)


@functools.cache
def cases(number):
    """Certificates of every kind, up to `number` of each maker's seeds."""
    found = defaultdict(list)
    for make in MAKERS:
        for seed in range(number * (6 if make is of_matching else 1)):
            case = make(seed)
            if case is not None:
                found[case.kind].append(case)
    return dict(found)
