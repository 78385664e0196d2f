"""Instances are listed as the definition has them, and found again by what a certificate calls them."""

import numpy as np
import pytest

from incrowd.tables.verify.bound.instances import listing_of, name_of, with_named
from incrowd.tables.verify.bound.layout import Layout
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from oracles.pricing import kept_instances, raw_instances
from oracles.problems import as_table, random_problem
from seeds import seeds


def laid_out(problem):
    view = Layout(as_table(problem))
    return view, view.top if problem.outliers == "suppress" and view.top >= 0 else -1


def told(view, listed):
    return [
        (tuple(view.vectors[p].tolist()), tuple(listed.members[a:b].tolist()), int(need))
        for p, a, b, need in zip(listed.which, listed.begins[:-1], listed.begins[1:], listed.needs, strict=True)
    ]


@seeds(200)
def test_the_undominated_instances_are_listed_and_named_ones_besides(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    view, free = laid_out(problem)
    zero = np.zeros(problem.types.t, np.int64)
    listed = listing_of(view, problem.types.counts, problem.k, free, 1, zero, True)
    right = {(vector, types, need or 1) for vector, types, _, need in kept_instances(problem)}
    assert set(told(view, listed)) == right and len(listed.which) == len(right)
    raw = [(vector, tuple(types)) for (vector, _), types in raw_instances(problem).items()]
    chosen = [raw[int(i)] for i in rng.integers(len(raw), size=4)] if raw else []
    names = [
        name_of([*vector, types[int(rng.integers(len(types)))]], view, problem.types.t) for vector, types in chosen
    ]
    more = with_named(listed, names, view, problem.types.t, problem.k)
    assert {one[:2] for one in told(view, more)} == {one[:2] for one in right} | set(chosen)
    places = more.places(names, problem.types.t)
    for name, one in zip(names, chosen, strict=True):
        assert told(view, more)[places[name]][:2] == one


def test_a_name_is_levels_and_a_row_type():
    problem = random_problem(np.random.default_rng(4), full=True)
    view, _ = laid_out(problem)
    top = view.heights.tolist()
    assert name_of([*top, 0], view, problem.types.t) == (view.top, 0)
    assert name_of([*(h + 1 for h in top), 0], view, problem.types.t) is None
    for bad in (top, [*top, 0, 0], [*top, -1], [*top, problem.types.t], [*top, True], [*top, 0.0], "x", None):
        with pytest.raises(Unreadable):
            name_of(bad, view, problem.types.t)
