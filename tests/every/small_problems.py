"""Random small problems under every model: solvers, bounds and both checks against every partition of the rows.

    PYTHONPATH=tests python -m every.small_problems [NUMBER] [FIRST]

tries NUMBER problems (2,000 by default) from seed FIRST (0) on, each a table of 4 to 9 rows with a mask, hierarchies
and weights, k from 1 to 4, an outlier rule and one of the models, and prints per family what the optimum's bound rests
on: prices alone, prices with a tree, or the solver's word. It ends at the first that is wrong, with its seed.
"""

from __future__ import annotations

import copy
import dataclasses
import sys
import time
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np

from checker.red_team import Case as Version1
from checker.red_team import Required, changed, plain
from incrowd.errors import Infeasible, InputError, PolicyError
from incrowd.progress import Watch
from incrowd.tables.models.delta_disclosure import DeltaDisclosure
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.bound_of_requirements import priced
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.solve.shared.without_requirements import k_alone
from incrowd.tables.solve.textbook.ilp import Ilp
from incrowd.tables.verify.requirements.counts import Classes
from incrowd.tables.verify.requirements.reading import reading_of, settings_of
from oracles.plans import recount
from oracles.problems import as_table
from oracles.required import drawn_required, some
from oracles.required_certificates import NAMES, Case

PROVEN = ("prices", "tree", "solver", "none")
FORGED = 1  # of each certificate
WORK = 300  # moves of a search
OTHERS = 3  # searches and `exact` run on every third problem, searches also where nothing else does


class Wrong(AssertionError):
    """What should not be."""


def wrong_if(bad, what):
    if bad:
        raise Wrong(what)


def drawn(seed):
    """A problem of the family that the seed names, as a case with its models and sensitive values."""
    rng = np.random.default_rng([77, seed])
    family = NAMES[seed % len(NAMES)]
    n, k = int(rng.integers(4, 10)), int(rng.integers(1, 5))
    problem, domain, models = drawn_required(rng, "frequency" if family == "delta" else family, rows=n, k=k)
    if family == "delta":
        models = (DeltaDisclosure(some(rng, Fraction(1, 2), 1, Fraction(3, 2), 3), "s0"),)
        problem = dataclasses.replace(problem, requirements=tuple(model.bind(domain) for model in models))
    return rng, family, Case(problem, domain, models)


def least(case):
    """The least cost over all partitions of the rows into classes; None if there is none."""
    if not all(requirement.closed_under_union for requirement in case.problem.requirements):
        return case.optimum
    n = len(case.rows)
    every = np.arange(1 << n)
    size = np.array([mask.bit_count() for mask in range(1 << n)])
    price = np.full(1 << n, 1 << 60)
    for _, extent, cost, need in case.instances:
        inside = (every & ~extent == 0) & (size >= need)
        price[inside] = np.minimum(price[inside], cost)
    cost = np.where(case.fit & (price < 1 << 60), price * size, -1).tolist()
    found = [0] + [None] * ((1 << n) - 1)
    for mask in range(1, 1 << n):
        low = mask & -mask
        rest = part = mask ^ low
        best = None
        while True:
            mine, other = cost[part | low], found[rest ^ part]
            if mine >= 0 and other is not None and (best is None or mine + other < best):
                best = mine + other
            if not part:
                break
            part = (part - 1) & rest
        found[mask] = best
    return found[-1]


def keeps(case, plan, best):
    """Assert that a plan's classes keep k and the models, by the check's reading of them; return its cost."""
    problem = case.problem
    classes = Classes(
        case.domain, plan.part_group.astype(np.int64), problem.types.kinds[plan.part_type].astype(np.int64),
        plan.part_rows, plan.groups,
    )  # fmt: skip
    for model in case.models:
        met = reading_of(model.name).judge(settings_of(model), classes).met
        wrong_if(not met.all(), f"a class that fails {model.rule}")
    top = (plan.levels == np.array(problem.top)).all(axis=1) & (problem.outliers == "suppress")
    wrong_if((plan.sizes()[~top] < problem.k).any(), "a class of fewer than k rows")
    for vector in plan.levels.tolist():
        wrong_if(not problem.patterns.allows(tuple(vector)), "a pattern that the mask forbids")
    cost = recount(problem, plan)
    wrong_if(cost < best, f"a release of cost {cost} below the least {best}")
    return cost


class Bound(Required):
    """A certificate of version 2 with its own claims."""

    def __init__(self, case, certificate, cost, best):
        Version1.__init__(self, "requirements", case.table, certificate, cost, best)
        self.asked = case


def certified(case, solution, best, rng, turns=FORGED):
    """Assert that both checks confirm a solution's certificate, and believe no changed one beyond the optimum."""
    bound, cost = solution.bound, solution.plan.cost(case.problem)
    wrong_if(not bound.checked <= bound.value <= best, f"{bound} above the least {best}")
    if solution.certificate is None:
        return "none"
    written = plain(solution.certificate)
    if written["version"] == 2:
        one = Bound(case, written, cost, best)
    elif written["certificate"] == "incrowd k-anonymity bound":
        one = Version1("k", as_table(k_alone(case.problem)), written, cost, best)
    else:
        return "other"
    first, second = one.by_check(written), one.by_second(written)
    wrong_if(first != second, f"checks that differ: {first} and {second}")
    wrong_if(first[0] != "good" or first[3] < bound.checked, f"a certificate of {bound} found {first}")
    wrong_if(first[1] != (bound.proof == "certificate"), f"a proof of {bound} found {first}")
    for _ in range(turns):
        forged, why = changed(written, written, rng)
        if rng.integers(2):  # claims that are too high beside numbers that are changed
            forged = copy.deepcopy(forged)
            forged["lower_bound"] = forged["lower_bound_checked"] = cost
        if forged.get("version") != written["version"]:
            continue
        first, second = one.by_check(forged, cost), one.by_second(forged, cost)
        wrong_if(first != second, f"checks that differ on a changed one ({why}): {first} and {second}")
        wrong_if(first[0] == "good" and first[3] is not None and first[3] > best, f"a forged proof ({why}): {first}")
    if bound.proof != "certificate":
        return "solver"
    return "tree" if written.get("trees") else "prices"


EDGES = {"l-diversity": "l", "p-sensitive": "p", "alpha-k": "alpha", "t-closeness": "t", "beta-likeness": "beta"}


def edges(case, plan):
    """Assert that a plan's classes meet a model whose threshold is just what they reach, and nothing stricter."""
    kinds, group = case.problem.types.kinds[plan.part_type], plan.part_group
    classes = Classes(
        case.domain, group.astype(np.int64), kinds.astype(np.int64), plan.part_rows, plan.groups
    )  # fmt: skip
    for model in case.models:
        name = EDGES.get(model.name)
        reached = None if name is None else model.bind(case.domain).reached(group, kinds, plan.part_rows, plan.groups)
        if isinstance(reached, float) or reached is None:
            continue
        whole = isinstance(reached, int)
        more = 1 if whole else Fraction(1, 10**9)
        strict = reached - more if name in ("alpha", "t", "beta") else reached + more
        for value, expected in ((reached, True), (strict, False)):
            try:
                asked = dataclasses.replace(model, **{name: value})
            except PolicyError:  # outside what a model can be asked for
                continue
            met = asked.bind(case.domain).meets(group, kinds, plan.part_rows, plan.groups).all()
            wrong_if(met != expected, f"{asked.rule} of classes that reach {reached}: {met}")
            met = reading_of(asked.name).judge(settings_of(asked), classes).met.all()
            wrong_if(met != expected, f"{asked.rule} of classes that reach {reached}, as the check reads it: {met}")


def by_search(case, best, seed, rng):
    """The same of what a search finds, and of the bound that prices give under requirements."""
    problem = case.problem
    try:
        searched = Improve(work=WORK, seed=seed).solve(problem, Watch())
        first = Greedy().solve(problem, Watch())
    except Infeasible:
        return
    keeps(case, searched.plan, best)
    edges(case, searched.plan)
    certified(case, searched, best, rng, 1)
    certified(case, priced(problem, first, Watch())[0], best, rng, 1)


def tried(seed):
    """Try everything on one problem; return its family and what the optimum's bound rests on."""
    rng, family, case = drawn(seed)
    problem = case.problem
    best = least(case)
    found = {}
    for name, solver in (("subset_dp", SubsetDp()), ("ilp", Ilp()), ("exact", Exact())):
        if solver.declines(problem) is not None or (name == "exact" and seed // len(NAMES) % OTHERS != 1):
            continue
        try:
            found[name] = solver.solve(problem, Watch())
        except Infeasible:
            wrong_if(best is not None, f"{name} finds no release where there is one")
    if best is None:
        wrong_if(bool(found), "a release where there is none")
        return family, "no release"
    proofs = []
    for name, solution in found.items():
        cost = keeps(case, solution.plan, best)
        wrong_if(cost != best or solution.bound.value != best, f"{name} says {cost}, {solution.bound}; least: {best}")
        proofs.append((name, certified(case, solution, best, rng)))
        edges(case, solution.plan)
    if not found or seed // len(NAMES) % OTHERS == 0:
        by_search(case, best, seed, rng)
    proven = dict(proofs)
    wrong_if("ilp" in proven and proven["ilp"] != proven["subset_dp"], f"{proofs}")
    return family, proven.get("subset_dp", "bound only")


def main(number, first=0):
    """Print the table."""
    begun = time.process_time()
    columns = ("prices", "tree", "solver", "no release", "bound only")
    counted = defaultdict(Counter)
    for seed in range(first, first + number):
        try:
            family, what = tried(seed)
        except (Wrong, InputError, AssertionError):
            print(f"seed {seed}:", flush=True)
            raise
        counted[family][what] += 1
    print(f"{'family':<14}{'problems':>9}" + "".join(f"{name:>12}" for name in columns))
    for family in [*NAMES, "all"]:
        own = sum(counted.values(), Counter()) if family == "all" else counted[family]
        print(f"{family:<14}{sum(own.values()):>9}" + "".join(f"{own[name]:>12}" for name in columns))
    print(f"{time.process_time() - begun:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:3] or ["2000"]))
