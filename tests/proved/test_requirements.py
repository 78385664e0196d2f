from collections import Counter

import numpy as np
import pytest

from incrowd.proved.program import ask
from incrowd.proved.question import Question
from incrowd.proved.requirements import domain_of, required_of
from incrowd.tables.models.alpha_k import AlphaK
from incrowd.tables.models.beta_likeness import BetaLikeness
from incrowd.tables.models.delta_disclosure import DeltaDisclosure
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.p_sensitive import PSensitive
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from oracles import required_certificates
from proved.asked import labels_of
from seeds import how_many, seeds


def put(case, certificate=None, **more):
    """A case of required_certificates before the program; None where its requirements are not read."""
    table, kinds = case.table, np.asarray(case.problem.types.kinds, np.int64)
    required = required_of(case.models, case.domain, np.arange(len(case.domain.counts)))
    rows = np.repeat(np.column_stack([table.codes, kinds]), table.counts, axis=0).astype(np.int64)
    return required and Question(
        k=table.k, suppress=table.outliers == "suppress", labels=labels_of(table.levels), levels=table.levels,
        allows=table.allows, rows=rows, claim=certificate, required=required, **more,
    )  # fmt: skip


def drawn(seed):
    """A case with a release, and a certificate of it whose every number counts: no class is judged by its size."""
    rng, case = required_certificates.drawn_case(seed, None)
    if case.optimum is None:
        return None
    parts = int(rng.choice([1, 720]))
    prices = case.prices(parts) if rng.random() < 0.5 else None
    if prices is None:
        prices = rng.integers(-2 * parts, parts * 8, case.problem.types.t).tolist()
    return case, case.certificate(case.optimum, 0, prices, parts, 1, case.multipliers(rng, parts))


def test_bounds_under_requirements_are_sound_and_mostly_those_of_the_check(program):
    seen = Counter()
    for seed in range(how_many(1000, few=60)):
        made = drawn(seed)
        asked = made and put(*made)
        if asked is None:
            continue
        case, certificate = made
        bound, rule = ask(program, asked).bound, type(asked.required.rules[0][0]).__name__
        try:
            mine = case.recounted(certificate)
        except Unreadable:
            continue
        assert bound is not None
        assert max(bound, mine) <= case.optimum
        # the check knows of some instances that no class in them is close enough
        assert rule not in {"Shares", "Distinct"} or bound >= mine
        seen[rule, bound >= mine] += 1
    some = ("Shares", "Close", "EntropyOf", "Recursive")
    assert sum(seen[rule, True] for rule in some) > 2 * sum(seen[rule, False] for rule in some)
    assert all(seen[rule, True] for rule in (*some, "Distinct"))


@seeds(300, 20)
def test_releases_are_accepted_where_every_class_meets_what_is_asked(program, seed):
    case = required_certificates.drawn_case(seed, None)[1]
    if (asked := put(case)) is None:
        return
    rng = np.random.default_rng(seed)
    vectors = list(case.problem.patterns.vectors)
    vector = vectors[int(rng.integers(len(vectors)))] if vectors and rng.random() < 0.7 else tuple(case.problem.top)
    chosen = [vector] * len(asked.rows)
    shown = [[asked.labels[j][row[j]][x] for j, x in enumerate(vector)] for row in asked.rows.tolist()]
    released = np.column_stack([np.array(shown, np.int64), asked.rows[:, -1]])
    cost = ask(program, put(case, None, released=released, vectors=chosen)).cost
    classes = Counter(map(tuple, shown))
    fit = dict(zip(classes, [0] * len(classes), strict=True))
    for at, line in enumerate(shown):
        fit[tuple(line)] |= 1 << at
    crowded = all(n >= case.problem.k or (not any(line) and asked.suppress) for line, n in classes.items())
    allowed = case.problem.patterns.allows(vector)
    good = allowed and crowded and all(case.fit[mask] for mask in fit.values())
    assert (cost is not None) == good


@pytest.mark.parametrize(("model", "read"), [
    (AlphaK(alpha=0.5, column="s"), True), (LDiversity(l=2, column="s"), True), (PSensitive(p=2, column="s"), True),
    (LDiversity(l=2, column="s", kind="distinct"), True), (TCloseness(t=0.5, column="s"), True),
    (BetaLikeness(beta=1, column="s"), True), (BetaLikeness(beta=1, column="s", enhanced=True), False),
    (LDiversity(l=2, column="s", kind="entropy"), True), (LDiversity(l=2, c=2, column="s", kind="recursive"), True),
    (LDiversity(l=2, columns=["s"], kind="joint"), True), (DeltaDisclosure(delta=1, column="s"), False),
])  # fmt: skip
def test_what_is_not_wholly_said_by_shares_values_or_distances_is_not_read(model, read):
    domain, kind = domain_of(["s"], [["b"], [None], ["a"], ["b"]], np.array([0, 0, 1, 2, 3]))
    assert domain.values == ((None, "a", "b"),)
    assert (kind.tolist(), domain.counts.tolist()) == ([2, 0, 1, 2], [1, 1, 3])
    assert (required_of([model], domain, kind) is not None) is read


def test_shares_are_handed_over_by_value():
    domain, kind = domain_of(["s"], [["b"], ["a"]], np.array([0, 0, 1]))
    required = required_of([BetaLikeness(beta=0.25, column="s"), PSensitive(p=2, column="s")], domain, kind)
    # a third and two thirds, a quarter more of each
    assert required.lines() == [[2], [0, 2, 1, 0, 12, 2, 5, 10], [1, 2, 1, 0, 2]]
