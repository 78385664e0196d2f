"""What follows from a policy for a table is derived once, for whoever asks."""

import contextlib

import pyarrow as pa
import pytest

from incrowd import LDiversity, Mask, Policy
from incrowd.errors import InputError, PolicyError
from incrowd.jobs.prepare import fit_policy, prepare
from incrowd.policy.questions import complete, star_of
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source

TABLE = {"zip": ["11", "12", "21", "22"], "age": [1, 2, 3, 4], "ill": ["x", "y", "x", "y"]}
QI = ("zip", "age")


@pytest.fixture(scope="module")
def engine():
    with Engine() as engine:
        yield engine


def fitted(engine, **settings):
    policy = Policy(quasi_identifiers=QI, k=2, **settings)
    return fit_policy(engine, open_source(engine, pa.table(TABLE), policy.reading), policy)


def test_a_policy_that_does_not_say_enough_is_refused():
    with pytest.raises(PolicyError, match="no k is given"):
        complete(Policy(quasi_identifiers=QI))
    with pytest.raises(PolicyError, match="quasi-identifiers"):
        complete(Policy(k=2))
    policy = Policy(quasi_identifiers=QI, k=2)
    assert complete(policy) is policy


def test_a_star_is_a_text_or_null():
    assert star_of(Policy(star="?")) == "?" and star_of(Policy(star="?", suppressed="null")) is None


def test_only_columns_that_the_mask_could_change_become_text(engine):
    assert fitted(engine).text == QI
    assert fitted(engine, mask=Mask(keep=["age"], full_suppression=False)).text == ("zip",)
    assert fitted(engine, suppressed="null").text == ()


def test_a_hierarchy_makes_its_column_as_high_as_it_is(engine):
    plain, climbing = fitted(engine), fitted(engine, hierarchies={"zip": "prefix"})
    assert tuple(plain.patterns.heights) == (1, 1) and not plain.hierarchies
    assert tuple(climbing.patterns.heights) == (climbing.hierarchies["zip"].height, 1) != (1, 1)
    assert climbing.rules.heights() == {"zip": climbing.hierarchies["zip"].height, "age": 1}


def test_the_judged_columns_are_those_of_the_requirements(engine):
    assert fitted(engine).judged == ()
    assert fitted(engine, require=[LDiversity(2, "ill")]).judged == ("ill",)


@pytest.mark.parametrize("name", ["levels", "ranges"])
def test_the_recoding_is_the_one_that_the_policy_names(engine, name):
    assert fitted(engine, recoding=name).recoding.name == name


def test_one_preparation_serves_every_threshold_up_to_the_rows(engine):
    policy = Policy(quasi_identifiers=QI, k=2)
    made = prepare(engine, pa.table(TABLE), policy, contextlib.nullcontext)
    assert made.problem().k == 2 and made.problem().columns == QI
    other = made.problem(Policy(quasi_identifiers=QI, k=4))
    assert other.k == 4 and other.types is made.problem().types
    with pytest.raises(InputError, match="k=5 is more than the table's 4 rows; choose a smaller k"):
        made.problem(Policy(quasi_identifiers=QI, k=5))


def test_weights_make_stars_cost_what_they_say(engine):
    policy = Policy(quasi_identifiers=QI, k=2, weights={"age": "0.5"})
    problem = prepare(engine, pa.table(TABLE), policy, contextlib.nullcontext).problem()
    one, half = (int(level.cost[-1].max()) for level in problem.levels)
    assert one == problem.scale and 2 * half == one


def test_read_and_compress_are_timed_in_this_order(engine):
    stages = []

    @contextlib.contextmanager
    def clock(stage):
        stages.append(stage)
        yield

    prepare(engine, pa.table(TABLE), Policy(quasi_identifiers=QI, k=2), clock)
    assert stages == ["read", "compress"]


def test_what_was_proposed_is_spelled_out_in_the_fitted_policy(engine):
    found = fitted(engine, hierarchies="auto", mask=Mask(max_level={"zip": 1}))
    assert [one.column for one in found.proposals] == ["zip", "age"] and found.policy.other_hierarchies == "none"
    assert [name for name, _ in found.policy.hierarchies] == [*found.hierarchies] == ["zip", "age"]
    assert found.patterns.heights == (2, 4) and fitted(engine).proposals == ()


def test_explicit_hierarchies_are_held_to_the_values_as_without_auto(engine):
    with pytest.raises(PolicyError, match="needs numbers"):
        fit_policy(
            engine,
            open_source(engine, pa.table({**TABLE, "zip": ["11", "x", "21", "22"]}), Policy().reading),
            Policy(quasi_identifiers=QI, k=2, hierarchies=["auto", "zip=intervals:5"]),
        )
