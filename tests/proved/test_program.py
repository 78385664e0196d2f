import copy
import subprocess
from collections import Counter

import numpy as np
import pytest

from checker import red_proved
from checker.red_cases import cases
from incrowd.proved.program import ask
from incrowd.tables.values import RowTypes
from incrowd.tables.verify.bound import certificate as check
from incrowd.tables.verify.bound import matching
from oracles.brute_force import optimum
from oracles.problems import alike_problem, as_table, hub_problem, random_problem
from proved.asked import question, rows_of
from proved.planted import planted, recounted
from seeds import how_many, seeds


def drawn(seed, rows=None):
    rng = np.random.default_rng([77, seed])
    some = (random_problem(rng, rows=rows), hub_problem(rng), alike_problem(rng, ("forbid", "suppress")[seed % 2]))
    return rng, some[seed % 3]


def claimed(rng, problem, parts):
    t = problem.types.t
    prices = rng.integers(-2 * parts, parts * 8, t).tolist()
    apart = None
    if rng.random() < 0.4:
        apart = np.unique(rng.integers(0, rng.integers(1, 4), t), return_inverse=True)[1].reshape(-1).tolist()
    return {"parts": parts, "prices": prices, "components": apart}


@seeds(1000)
def test_the_bound_is_the_recount_of_the_check(program, seed):
    rng, problem = drawn(seed)
    table = as_table(problem)
    # a part is a scaled unit in most of them: where the step is 1 too, nothing is rounded
    claim = claimed(rng, problem, int(rng.choice([1, 1, 1, 7])))
    mine = check._value(table, np.asarray(table.counts, np.int64), {**claim, "trees": []}, None)
    assert ask(program, question(table, claim)).bound == mine


def test_no_prices_prove_more_than_the_least_cost(program):
    met = 0
    for seed in range(how_many(1000, few=40)):
        rng, problem = drawn(seed, rows=int(np.random.default_rng(seed).integers(2, 7)))
        least = optimum(problem)
        bound = ask(program, question(as_table(problem), claimed(rng, problem, 3))).bound
        if least is not None and bound is not None:
            assert bound <= least
            met += bound == least
    assert met


@seeds(3000, 50)
def test_trees_and_cuts_come_to_what_the_check_recounts(program, seed):
    rng, problem = drawn(seed)
    table = as_table(problem)
    claim = claimed(rng, problem, int(rng.choice([1, 1, 1, 7])))
    claim["trees"] = planted(rng, table, claim)
    mine, answer = recounted(table, claim), ask(program, question(table, claim)).bound
    if mine is not None:
        assert answer == mine
    elif answer is not None and table.codes.shape[0] < 7:
        least = optimum(problem)
        assert least is None or answer <= least


def test_no_trees_and_cuts_prove_more_than_the_least_cost(program):
    holding, more, kinds, branches = 0, 0, Counter(), 0
    for seed in range(how_many(1000, few=100)):
        rng, problem = drawn(seed, rows=int(np.random.default_rng(seed).integers(2, 7)))
        table = as_table(problem)
        claim = claimed(rng, problem, 1)
        claim["trees"] = planted(rng, table, claim)
        bound, bare = (ask(program, question(table, some)).bound for some in (claim, claim | {"trees": []}))
        least = optimum(problem)
        if bound is None or least is None:
            continue
        assert bare <= bound <= least
        if recounted(table, claim) is not None:
            holding += 1
            more += bound > bare
            kinds.update(cut["kind"] for tree in claim["trees"] for cut in tree["cuts"])
            branches += any("instance" in tree["tree"] for tree in claim["trees"])
    assert holding > 20
    assert more
    assert branches
    assert set(kinds) == set("CTSF")


@seeds(2000)
def test_a_matching_comes_to_what_the_check_recounts(program, seed):
    rng, kind = np.random.default_rng([78, seed]), ("matching", "2-diversity")[seed % 2]
    some, seed = cases(6)[kind], seed // 2
    case = some[seed % len(some)]
    inner = copy.deepcopy(case.certificate["matching"])
    table, rows = case.table, len(inner["rows"])
    if seed >= len(some):
        inner["prices"] = [price - int(rng.integers(0, 2) * rng.integers(-1, 4)) for price in inner["prices"]]
        if rows > 2 and rng.random() < 0.5:
            odd = rng.choice(rows, 3, replace=False).tolist()
            inner["sets"].append({"rows": odd, "price": int(rng.integers(0, 3))})
            inner["prices"] = [price - int(place in odd) for place, price in enumerate(inner["prices"])]
    types = RowTypes(table.codes, table.counts, tuple(int(top) + 1 for top in table.codes.max(axis=0)))
    try:
        mine = matching.matching_bound(
            types, table.levels, table.allows, inner, outliers=table.outliers, sens=case.sens
        )
    except matching.Refuted:
        mine = None
    claim = {"matching": inner, "diverse": case.sens is not None}
    assert ask(program, question(table, claim, case.sens)).bound == mine
    assert mine is None or case.least is None or mine <= case.least


def test_changed_certificates_get_the_same_verdict_or_a_refusal(program):
    rng, found = np.random.default_rng(5), cases(6)
    for kind in red_proved.READ:
        counted, wrong = red_proved.attack(program, found[kind], how_many(2000, few=12), rng)
        assert not wrong
        assert counted["same"]
        assert counted["asked"] >= how_many(2000, few=12)


def test_a_weight_of_a_cut_that_is_far_away_is_refused_at_once(program):
    case = cases(6)["lattice cuts"][0]
    made = copy.deepcopy(case.certificate)
    for tree in made["trees"]:
        tree["tree"]["weights"].append([2**60, 1])
    bare = question(case.table, made | {"trees": []})
    assert ask(program, question(case.table, made), seconds=20).bound == ask(program, bare).bound


def test_prices_that_would_wrap_around_in_64_bits_prove_nothing(program):
    problem = drawn(0)[1]
    table, least = as_table(problem), optimum(problem)
    for price in (-(2**58) + 1, -(2**62), 2**61 - 1, 2**70, -(2**70)):
        claim = {"parts": 1, "prices": [price] * problem.types.t, "components": None}
        assert ask(program, question(table, claim)).bound <= least


def test_a_component_of_a_huge_number_takes_no_memory(program):
    problem = drawn(0)[1]
    apart = [2**60] + [0] * (problem.types.t - 1)
    claim = {"parts": 1, "prices": [0] * problem.types.t, "components": apart}
    assert ask(program, question(as_table(problem), claim)).bound in (None, 0)


@pytest.mark.parametrize("claim", [
    {"parts": 0, "prices": [1]}, {"parts": -1, "prices": [1]}, {"parts": 1, "prices": []},
    {"parts": 1, "prices": [10**6] * 99},
])  # fmt: skip
def test_a_certificate_of_another_table_is_refused(program, claim):
    assert ask(program, question(as_table(drawn(1)[1]), claim)).bound is None


def test_a_program_that_ends_without_an_answer_has_refused(tmp_path):
    false = tmp_path / "false"
    false.write_text("#!/bin/sh\nexit 1\n")
    false.chmod(0o700)
    answer = ask(str(false), question(as_table(drawn(0)[1])))
    assert (answer.bound, answer.cost) == (None, None)


def test_a_release_is_accepted_at_its_cost_and_no_other_table_is(program):
    problem = random_problem(np.random.default_rng(3), rows=6, full=True, outliers="forbid")
    table = as_table(problem)
    rows = rows_of(table)
    m = rows.shape[1] - 1
    top = [tuple(level.height for level in table.levels)] * len(rows)
    stars = np.zeros_like(rows)
    cost = sum(int(level.cost[-1].max()) for level in table.levels) * len(rows)

    def answer(released, vectors):
        return ask(program, question(table, None, released=released, vectors=vectors)).cost

    assert answer(stars, top) == cost
    other = stars.copy()
    other[0, m] = 1
    assert answer(other, top) is None  # another row's other columns
    assert answer(stars[1:], top) is None  # a row is lost
    seen = stars.copy()
    seen[0, 0] = 1
    assert answer(seen, top) is None  # a cell that the vectors do not show
    assert answer(stars, [(0,) * m, *top[1:]]) is None
    assert answer(stars, [tuple(level + 9 for level in top[0]), *top[1:]]) is None


@pytest.mark.parametrize(
    "text", ["2 0 -1", "2 0 1 1 2 1 0 0 1 99999999999", "2 0 0 0 3 0 0 0 -7", "x", "2 0 1 1 2 1 0 0 1 1 -1"]
)
def test_a_question_of_nonsense_ends_at_once(program, text):
    done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=20)
    assert (done.returncode != 0, done.stdout) == (True, "")
