"""Certificates of every kind on small tables, changed in many ways, before the check, the second checker and the page's.

    PYTHONPATH=tests python -m checker.red_team [NUMBER]

prints what became of NUMBER changed certificates of each kind (2,000 by default): how many the check calls good,
violations or unreadable, how many verdicts of the second checker and of the page's (where there is Node) differ from
it, and how many bounds are above what a release costs at least.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from checker import page_script
from incrowd.errors import InputError
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
from incrowd.tables.verify.bound import matching
from oracles.brute_force import optimum
from oracles.matching_drawn import FAMILIES, draw
from oracles.pattern_lists import PatternList
from oracles.problems import alike_problem, as_table, hub_problem, random_problem, star_levels, types_of

ROOT = Path(__file__).resolve().parents[2]

try:
    from incrowd.tables.verify.bound import requirement_bound
    from oracles import required_certificates
except ImportError:  # the check reads no certificates of version 2 yet
    required_certificates = None


def load(name):
    """A second checker, from its file."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, ROOT / "checker" / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bounds = load("incrowd_check_bound")
second = load("incrowd_check")


class Plain:
    """A set of patterns as the second checker asks it."""

    def __init__(self, allows):
        self.allows = allows

    @staticmethod
    def raised(vector):
        return vector


class Case:
    """A certificate with the table that it is for, its release's cost, and the least cost of any release."""

    def __init__(self, kind, table, certificate, cost, least, sens=None):
        self.kind, self.table, self.certificate, self.cost = kind, table, certificate, cost
        self.least, self.sens = least, sens

    def by_check(self, certificate, cost=None):
        cost = self.cost if cost is None else cost
        try:
            if certificate.get("certificate") == matching.NAME:
                found = matching.recheck(self.table, certificate, cost, self.sens)
            else:
                found = check.recheck(self.table, certificate, cost)
        except InputError:
            return "unreadable", False, None, None
        return "violation" if found.violations else "good", found.proven, found.cost, found.lower_bound

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
        cost = self.cost if cost is None else cost
        try:
            found = second.Verdict(self.theirs, certificate, cost)
        except second.Unreadable:
            return "unreadable", False, None, None
        return "violation" if found.wrong else "good", found.proven, found.cost, found.bound

    def by_page(self, certificate, cost=None):
        return page_script.page().recounted(self.theirs, certificate, self.cost if cost is None else cost)


def plain(certificate):
    return json.loads(json.dumps(certificate))


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
    return Case(kind, as_table(problem), written, solution.plan.cost(problem), optimum(problem))


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
        "certificate": check.NAME if hasattr(check, "NAME") else "incrowd k-anonymity bound", "version": 1,
        "rows": problem.types.n, "row_types": problem.types.t, "k": problem.k, "outliers": problem.outliers,
        "scale": problem.scale, "cost": cost, "lower_bound": bound, "lower_bound_checked": bound,
        "proof": "certificate", "parts": parts, "components": None, "prices": prices, "trees": [],
    }  # fmt: skip
    case = Case("prices", as_table(problem), head, cost, optimum(problem))
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
    written = plain(by_lattice_cuts(problem, cost, pricing.bound, pricing.proof, pricing.parts))
    return Case("lattice cuts", as_table(problem), written, cost, optimum(problem))


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
    return Case("matching" if sens is None else "2-diversity", table, plain(head), cost, cost, sens)


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

    def by_check(self, certificate, cost=None):
        cost = self.cost if cost is None else cost
        try:
            found = requirement_bound.recheck(self.table, self.asked.required, certificate, cost)
        except InputError:
            return "unreadable", False, None, None
        return "violation" if found.violations else "good", found.proven, found.cost, found.lower_bound

    @functools.cached_property
    def theirs(self):
        made = super().theirs
        required, models = self.asked.required, self.asked.models
        domain = required.domain
        texts = [
            tuple(domain.values[j][v] for j, v in enumerate(codes)) for codes in domain.sensitive.codes.tolist()
        ]  # fmt: skip
        table = dict(zip(texts, domain.counts.tolist(), strict=True))
        made.kinds, made.kind, made.kind_rows = texts, required.kinds.tolist(), list(table.values())
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
    *((of_requirements,) if required_certificates else ()),
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


NUMBERS = [0, 1, -1, 2, 3, 2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**58, 2**60, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63,
           2**64, 2**64 + 1, 2**80, -(2**31), -(2**53), -(2**60), -(2**61), -(2**63), -(2**64)]  # fmt: skip
OTHERS = [1.0, 0.5, 1e300, True, False, None, "1", "", [], {}, [0], {"instance": 0}]
# Keys that a certificate has somewhere, and others.
KEYS = ["for", "diverse", "requirements", "whole_below", "trees", "matching", "sets", "prices", "weights", "instance",
        "closed", "instances", "types", "kind", "component", "full", "format", "note", "comment", "", "Rows"]  # fmt: skip


def places(value, path=()):
    """Every place of a value: the path to it."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for at in range(len(value)):
            yield from places(value[at], (*path, at))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def changed(certificate, other, rng):
    """A certificate with one thing or several changed, and what was done."""
    made = copy.deepcopy(certificate)
    whys = []
    for _ in range(1 if rng.random() < 0.7 else int(rng.integers(2, 6))):
        every = [path for path in places(made) if path]
        by_root = defaultdict(list)
        for path in every:
            by_root[path[0]].append(path)
        root = list(by_root)[int(rng.integers(len(by_root)))]
        paths = by_root[root]
        path = paths[int(rng.integers(len(paths)))]
        holder, last = at(made, path[:-1]), path[-1]
        value = holder[last]
        what = ("near", "far", "other", "gone", "doubled", "swapped", "theirs", "parts", "lost pair", "key added")[
            int(rng.integers(10))
        ]
        whys.append(what)
        if what == "near" and type(value) is int:
            holder[last] = value + int(rng.choice([-2, -1, 1, 2]))
        elif what == "parts" and type(value) is int:
            unit = made.get("parts")
            holder[last] = value + int(rng.choice([-1, 1])) * (unit if type(unit) is int else 1)
        elif what == "far":
            holder[last] = NUMBERS[int(rng.integers(len(NUMBERS)))]
        elif what == "other":
            holder[last] = copy.deepcopy(OTHERS[int(rng.integers(len(OTHERS)))])
        elif what == "gone":
            del holder[last]
        elif what == "key added":
            objects = [made, *(at(made, path) for path in every if isinstance(at(made, path), dict))]
            added = [[], {}, None, True, "", 1, copy.deepcopy(value)]
            key, some = KEYS[int(rng.integers(len(KEYS)))], added[int(rng.integers(len(added)))]
            objects[int(rng.integers(len(objects)))].setdefault(key, some)
        elif what == "doubled" and isinstance(holder, list):
            holder.insert(last, copy.deepcopy(value))
        elif what == "swapped" and isinstance(holder, list):
            to = int(rng.integers(len(holder)))
            holder[last], holder[to] = holder[to], holder[last]
        elif what == "theirs":
            theirs = other
            try:
                theirs = at(other, path)
            except (KeyError, IndexError, TypeError):
                theirs = other.get(root)
            holder[last] = copy.deepcopy(theirs)
        elif type(value) is int and isinstance(holder, list) and len(holder) > 1:
            to = int(rng.integers(len(holder)))
            if type(holder[to]) is int:  # their sum stays
                by = int(rng.integers(-3, 4))
                holder[last], holder[to] = holder[last] + by, holder[to] - by
    return made, "+".join(sorted(set(whys)))


def attack(kind, some, number, seed=0, *, page=False):
    """The verdicts on changed certificates; which checker differs, and what is above the least cost, is listed."""
    rng = np.random.default_rng([5, seed, number])
    counted, differ, above = Counter(), [], []
    others = {"second": Case.by_second} | ({"page": Case.by_page} if page else {})
    for turn in range(number):
        case, other = (some[int(rng.integers(len(some)))] for _ in range(2))
        made, why = changed(case.certificate, other.certificate, rng) if turn else (case.certificate, "honest")
        if made.get("version") != case.certificate["version"] and made.get("version") in (1, 2):
            made["version"] = 3  # another question about other row types: what decides is not asked here
        cost = case.cost + int(rng.choice([0, 0, 0, 0, 1, -1]))
        first = case.by_check(made, cost)
        counted[first[0]] += 1
        for name, ask in others.items():
            again = ask(case, made, cost)
            if first != again:
                differ.append((name, kind, why, first, again, case, made))
            if again[3] is not None and again[0] == "good" and again[3] > case.least:
                above.append((name, kind, why, again, case, made))
        if first[3] is not None and first[0] == "good" and first[3] > case.least:
            above.append(("check", kind, why, first, case, made))
    return counted, differ, above


def main(number):
    """Print the table."""
    page = page_script.NODE is not None
    heads = f"{'kind':<14}{'changed':>9}{'good':>8}{'violation':>11}{'unreadable':>12}"
    print(f"{heads}{'second differs':>16}{'page differs':>14}{'above':>7}")
    for kind, some in sorted(cases(20).items()):
        counted, differ, above = attack(kind, some, number, page=page)
        line = "".join(f"{counted[name]:>{w}}" for name, w in (("good", 8), ("violation", 11), ("unreadable", 12)))
        apart = Counter(one[0] for one in differ)
        print(
            f"{kind:<14}{number:>9}{line}{apart['second']:>16}{apart['page'] if page else 'no Node':>14}{len(above):>7}"
        )
        for one in differ[:3]:
            print("   ", one[:5])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
