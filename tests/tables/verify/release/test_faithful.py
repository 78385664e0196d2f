"""Whatever is done to the rows of a release, the check by row keys says so."""

import dataclasses
from contextlib import nullcontext

import ibis
import pyarrow as pa
import pytest

from engines import ENGINES, spark_kept
from incrowd import Policy
from incrowd.jobs.check import rules_of
from incrowd.jobs.prepare import prepare
from incrowd.progress import Watch
from incrowd.tables.engine.open import open_engine
from incrowd.tables.expand import expand
from incrowd.tables.recoding import load_recoding
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.verify.release.faithful import verify_by_key

ROWS = {
    "p": ["a", "a", "b", "b", "b", "c", None, None],
    "q": ["x", "x", "y", "y", "z", "z", "x", "x"],
    "pay": [1, 2, 3, 4, 5, 6, 7, 8],
}
POLICY = Policy(quasi_identifiers=["p", "q"], k=2)


@pytest.fixture(scope="module")
def spark():
    with spark_kept():
        yield


@pytest.fixture(params=ENGINES)
def release(request):
    if request.param == "spark":
        request.getfixturevalue("spark")
    with open_engine(request.param, None) as engine:
        made = prepare(engine, pa.table(ROWS), POLICY, nullcontext)
        plan = Greedy().solve(made.problem(POLICY), Watch()).plan
        yield expand(made.table, made.types, plan, star="*", seed=0)


def rules_broken(release, change=None):
    rows = release.rows if change is None else release.table.engine.keep(change(release.rows))
    verdict = verify_by_key(dataclasses.replace(release, rows=rows), rules_of(POLICY, load_recoding("levels")))
    assert verdict.ok == (not verdict.violations)
    return {v.rule.partition(":")[0]: v.count for v in verdict.violations}


def test_a_good_release_passes(release):
    assert rules_broken(release) == {}


TAMPERED = {
    "a row lost": (lambda t: t.filter(t.row_key != 3), "rows", 1),
    "two rows lost": (lambda t: t.filter(t.row_key > 1), "rows", 2),
    "a row twice": (lambda t: ibis.union(t, t.filter(t.row_key == 3)), "rows", 1),
    "a row twice in the place of another": (
        lambda t: ibis.union(t.filter(t.row_key != 0), t.filter(t.row_key == 1)), "rows", 1,
    ),
    "a row of nobody": (lambda t: ibis.union(t, t.filter(t.row_key == 3).mutate(row_key=t.row_key + 100)), "rows", 1),
    "a row of nobody in the place of another": (
        lambda t: t.mutate(row_key=ibis.ifelse(t.row_key == 3, 100, t.row_key)), "rows", 1,
    ),
    "a missing key": (
        lambda t: t.mutate(row_key=ibis.ifelse(t.row_key == 3, ibis.null("int64"), t.row_key)), "rows", 1,
    ),
    "all rows lost": (lambda t: t.filter(t.row_key < 0), "rows", 8),
    "cells that change hands": (
        lambda t: t.mutate(row_key=ibis.ifelse(t.row_key < 4, 3 - t.row_key, t.row_key)), "changed cells", 4,
    ),
    "an invented value": (
        lambda t: t.mutate(c1=ibis.ifelse(t.row_key == 0, "new", t.c1)), "changed cells", 1,
    ),
    "a missing value shown": (lambda t: t.mutate(c0=t.c0.fill_null("a")), "changed cells", 2),
    "a shown value gone": (lambda t: t.mutate(c0=t.c0.nullif("a")), "changed cells", 2),
    "another column changed": (lambda t: t.mutate(c2=t.c2 + (t.row_key == 5).cast("int64")), "other columns", 1),
    "a star too many": (lambda t: t.mutate(c1=ibis.ifelse(t.row_key == 0, "*", t.c1)), "k=2", 2),
}  # fmt: skip


@pytest.mark.few(7)
@pytest.mark.parametrize("case", TAMPERED)
def test_tampered_rows_are_found(release, case):
    change, rule, count = TAMPERED[case]
    assert rules_broken(release, change).get(rule) == count
