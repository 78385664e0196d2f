import itertools

import numpy as np
import pytest

from incrowd import registry
from incrowd.tables.models.named import KAnonymity
from incrowd.tables.models.requirement import ColumnRequirement, SensitiveModel, largest_ratio, tally
from incrowd.tables.protocols import Model, Requirement
from oracles.models_drawn import TWINS, Drawn
from oracles.required import model as drawn_model
from oracles.sensitive import domain_of


def test_all_but_delta_disclosure_are_closed_under_union():
    for seed in range(40):
        drawn = Drawn(seed)
        one = np.zeros(len(drawn.rows), np.int64)
        for model in (model for some in TWINS.values() for model, _ in some(drawn)):
            requirement = model.bind(drawn.domain)
            assert requirement.closed_under_union == (model.name != "delta-disclosure")
            some = np.flatnonzero(np.array(drawn.met(model))[drawn.group])
            if requirement.closed_under_union and some.size:
                assert requirement.meets(one[some], drawn.kind[some], np.ones(some.size, np.int64), 1)[0], model.rule


def test_every_model_and_what_it_binds_to_keep_their_protocols():
    drawn = Drawn(3)
    assert isinstance(KAnonymity(2), Model)
    for some in TWINS.values():
        for model, _ in some(drawn):
            assert isinstance(model, Model)
            assert isinstance(model.bind(drawn.domain), Requirement)


def test_every_registered_model_says_what_it_asks_and_what_an_audit_measures():
    for name in registry.names("models"):
        kind = registry.load("models", name)
        if issubclass(kind, SensitiveModel):
            probes = kind.probes("x", ("1", "2"))
            assert probes
            assert all(probe.judged == ("x",) and "x" in probe.describe() for probe in probes)


def test_every_registered_model_is_final_so_that_mypy_names_what_it_lacks():
    assert all(registry.load("models", name).__final__ for name in registry.names("models"))


def test_a_requirement_says_what_makes_it_fast_or_that_nothing_is_known():
    drawn = Drawn(3)
    ways = {}
    for some in TWINS.values():
        for model, _ in some(drawn):
            bound = model.bind(drawn.domain)
            assert bound.linear_rows() is None or not bound.by_cuts
            ways[model.name, getattr(model, "kind", "")] = (bound.linear_rows() is not None, bound.by_cuts)
    slow = {name for name, (rows, cuts) in ways.items() if not rows and not cuts}
    assert slow == {("delta-disclosure", "")}


def test_a_requirement_without_its_two_methods_cannot_be_made():
    with pytest.raises(TypeError, match="judge"):
        type("Half", (ColumnRequirement,), {})(model=None, code=None, totals=None)


def test_a_tally_counts_the_same_laid_out_in_full_and_sorted(monkeypatch):
    group, value, rows = np.array([2, 0, 2, 0, 2]), np.array([1, 1, 0, 1, 1]), np.array([5, 1, 2, 3, 4])
    found = []
    for dense in (0, 1 << 22):
        monkeypatch.setattr("incrowd.tables.models.requirement.DENSE", dense)
        counted = tally(group, value, rows, 3, 2)
        found.append([x.tolist() for x in (counted.group, counted.value, counted.rows, counted.sizes)])
    assert found[0] == found[1] == [[0, 2, 2], [1, 0, 1], [4, 2, 9], [4, 0, 11]]


def test_the_largest_ratio_of_none_is_none():
    assert largest_ratio(np.array([], np.int64), np.array([], np.int64)) is None


@pytest.mark.parametrize("family", ["entropy", "recursive"])
def test_a_cut_holds_for_every_class_that_meets_the_requirement_and_not_for_the_one_it_was_made_for(family):
    rng = np.random.default_rng([74, len(family)])
    made = 0
    for _ in range(12):
        domain, kinds = domain_of([(str(x),) for x in rng.integers(0, 3, int(rng.integers(3, 9)))])
        requirement = drawn_model(rng, family, domain.values[0]).bind(domain)
        classes = np.array(list(itertools.product(*(range(c + 1) for c in np.bincount(kinds))))[1:])
        place, kind = np.nonzero(classes)
        met = requirement.meets(place, kind, classes[place, kind], len(classes))
        for failing in np.flatnonzero(~met):
            cut = requirement.cut_against(classes[failing])
            worth = classes @ cut.counts[0] + classes.sum(axis=1) * cut.size[0]
            assert worth[failing] > 1e-9 and (worth[met] <= 1e-9).all()
            made += 1
    assert made > 30
