"""What a class of an instance can gain is never said to be less than the best class gains."""

import itertools

import numpy as np
import pytest

from incrowd.tables.verify.bound import requirement_bound
from incrowd.tables.verify.bound.class_values import DISTINCT, NONE, _filled, _many
from incrowd.tables.verify.bound.instances import listing_of
from incrowd.tables.verify.bound.requirement_bound import Recount
from oracles.required_certificates import drawn_case, tables_with
from seeds import seeds

PARTS = 60


def recount_of(case, written):
    return Recount(case.table, case.required, np.asarray(case.problem.types.counts), written)


def gained(again, opened):
    listed = listing_of(again.view, again.counts, again.k, again.free, again.parts, again.prices, True)
    state = np.full(len(listed.which), opened, np.int8)
    return listed, again.gained(listed, again.taken(listed), again.prices, state)


def places(case, again, listed):
    """The instance of the oracle that each listed one is."""
    for g in range(len(listed.which)):
        vector = tuple(again.view.vectors[listed.which[g]].tolist())
        types = set(listed.members[listed.begins[g] : listed.begins[g + 1]].tolist())
        for h, (known, extent, _, need) in enumerate(case.instances):
            if known == vector and types == {int(i) for b, i in enumerate(case.rows) if extent >> b & 1}:
                assert need == listed.needs[g]
                yield g, h


def checked(seed, *, lists):
    rng, case = drawn_case(40_000 + seed)
    prices = rng.integers(-PARTS, 4 * PARTS, case.problem.types.t).tolist()
    small = int(rng.integers(1, 10))
    written = case.certificate(0, 0, prices, PARTS, small, case.multipliers(rng, PARTS, 20))
    with pytest.MonkeyPatch.context() as patched:
        if not lists:
            patched.setattr(requirement_bound, "MOST_VECTORS", 0)
        again = recount_of(case, written)
        for opened in (0, 1):
            listed, found = gained(again, opened)
            for g, h in places(case, again, listed):
                best = case.best_class(h, prices, PARTS)
                if not opened:
                    assert found[g] >= max(best or 0, 0)
                    if lists and small > len(case.rows) and "delta" not in case.models[0].name:
                        assert found[g] == max(best or 0, 0)
                elif best is not None:
                    assert found[g] >= best
                elif lists and small > len(case.rows) and "delta" not in case.models[0].name:
                    assert found[g] == NONE


@seeds(1500, 60)
def test_listed_classes_are_exact_and_others_no_less_than_the_best(seed):
    checked(seed, lists=True)


@seeds(1500, 60)
def test_rules_and_multipliers_say_no_less_than_the_best(seed):
    checked(seed, lists=False)


@seeds(300)
def test_so_many_rows_or_more_with_so_many_values_gain_just_what_is_said(seed):
    rng = np.random.default_rng(seed)
    types, kinds = int(rng.integers(1, 6)), 3
    gain = np.sort(rng.integers(-9, 6, types))[::-1].astype(np.int64)
    amount, kind = rng.integers(1, 3, types), rng.integers(0, kinds, types)
    rows = [(int(g), int(s)) for g, n, s in zip(gain, amount, kind, strict=True) for _ in range(n)]
    y = rng.integers(-4, 5, (1, kinds))
    for least in range(1, len(rows) + 1):
        sets = [some for size in range(least, len(rows) + 1) for some in itertools.combinations(rows, size)]
        assert _filled(gain, amount, least) == max(sum(g for g, _ in some) for some in sets)
        for values in range(1, len(set(kind.tolist())) + 1):
            rules = tables_with(
                family=np.array([DISTINCT]), code=np.arange(kinds)[None], width=np.array([kinds]),
                least=np.array([values]),
            )  # fmt: skip
            wide = [some for some in sets if len({s for _, s in some}) >= values]
            if not wide:
                continue
            for row in (-1, 0):
                taken = y[0].tolist() if row == 0 else [0] * kinds
                right = max(sum(g - taken[s] for g, s in some) for some in wide)
                assert _many(gain, amount, kind, least, row, y, rules) == right
