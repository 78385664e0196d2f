"""Every measure against its plain twin, on random small tables and on a real one, with made-up plans."""

import csv
import random
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.seeds import few_of, how_many

from incrowd.tables.measures.c_avg import AverageClassSize
from incrowd.tables.measures.changed_cells import ChangedCellCount
from incrowd.tables.measures.classes import Classes
from incrowd.tables.measures.discernibility import Discernibility
from incrowd.tables.measures.entropy import NonUniformEntropy
from incrowd.tables.measures.loss import GeneralLoss
from incrowd.tables.measures.ncp import CertaintyPenalty
from incrowd.tables.measures.precision import Precision
from incrowd.tables.measures.risks import ReidentificationRisks
from incrowd.tables.measures.suppressed_cells import SuppressedCellCount
from incrowd.tables.measures.usefulness import Usefulness
from oracle import measures as plain

WORDS = [None, "a", "b", "ö", "?", "NULL"]
NUMBERS = [None, "0", "-3", "2.5", "17", "1e2"]


@st.composite
def cases(draw):
    m = draw(st.integers(1, 4))
    n = draw(st.integers(1, 12))
    numeric = [j for j in range(m) if draw(st.booleans())]
    heights = [draw(st.integers(0 if m > 1 else 1, 2)) for _ in range(m)]
    kinds = [draw(st.lists(st.sampled_from(NUMBERS if j in numeric else WORDS), min_size=1)) for j in range(m)]
    rows = [tuple(draw(st.sampled_from(kind)) for kind in kinds) for _ in range(n)]
    full = st.just(tuple(heights))
    vectors = [draw(full | st.tuples(*(st.integers(0, h) for h in heights))) for _ in range(n)]
    return {
        "rows": rows,
        "vectors": vectors,
        "numeric": numeric,
        "heights": tuple(heights),
        "outliers": draw(st.sampled_from(["forbid", "suppress"])),
        "k": draw(st.integers(1, 5)),
        "star": draw(st.sampled_from(["*", None])),
    }


def agree(release_of, case):
    made = release_of(**case)
    rows, heights, outliers = made.rows, case["heights"], case["outliers"]
    cells = len(rows) * len(heights)
    stars = plain.suppressed_cells(rows, heights)
    assert made.measure(SuppressedCellCount()) == {"cells": stars, "fraction": stars / cells}
    changed = plain.changed_cells(rows)
    assert made.measure(ChangedCellCount()) == {"cells": changed, "fraction": changed / cells}
    expected = plain.classes(rows, heights, outliers)
    found = made.measure(Classes())
    assert found.pop("mean") == pytest.approx(expected.pop("mean"))
    assert found == expected
    assert made.measure(Discernibility()) == plain.discernibility(rows, heights, outliers)
    average = plain.c_avg(rows, heights, outliers, case["k"])
    assert made.measure(AverageClassSize()) == (None if average is None else pytest.approx(float(average)))
    useful = float(plain.usefulness(rows, set(case["numeric"])))
    assert made.measure(Usefulness()) == pytest.approx(useful, abs=1e-8)
    node_of = nodes(rows, heights)
    assert made.measure(CertaintyPenalty()) == close(plain.ncp(rows, heights, node_of))
    assert made.measure(GeneralLoss()) == close(plain.loss(rows, heights, node_of))
    assert made.measure(Precision()) == close(plain.precision(rows, heights))
    bits, everything = plain.entropy(rows, node_of)
    found = made.measure(NonUniformEntropy())
    assert found["bits"] == close(bits)
    assert found["fraction"] == close(bits / everything if everything else 0)
    risks_agree(made.measure(ReidentificationRisks()), plain.risks(rows, heights, outliers))


def close(value):
    return pytest.approx(float(value), abs=1e-9)


def nodes(rows, heights):
    """The made hierarchies: level 1 of height 2 shows half the value's rank by bytes, the top nothing."""
    ranks = []
    for j in range(len(heights)):
        values = {original[j] for original, _, _ in rows}
        order = sorted(values, key=lambda v: (v is not None, b"" if v is None else str(v).encode()))
        ranks.append({value: rank for rank, value in enumerate(order)})
    return lambda j, level, value: 0 if level == heights[j] > 0 else ranks[j][value] >> level


def risks_agree(found, expected):
    assert found["prosecutor"] == (close(expected[0]) if expected else None)
    assert found["marketer"] == (close(sum(expected) / len(expected)) if expected else None)
    for above in found["above"]:
        assert above["rows"] == sum(1 for risk in expected if risk > Fraction(str(above["threshold"])))
    assert found["unique_rows"] == expected.count(1)


@settings(max_examples=how_many(15, 5), derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases())
def test_measures_agree_with_plain_python(release_of, case):
    agree(release_of, case)


@pytest.mark.proofs
@settings(max_examples=600, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases())
def test_measures_agree_with_plain_python_on_many_tables(release_of, case):
    agree(release_of, case)


@pytest.mark.parametrize("outliers", few_of(["suppress", "forbid"]))
def test_measures_agree_with_plain_python_on_real_rows(release_of, data_dir, outliers):
    with (data_dir / "cmc.data").open(newline="") as file:
        rows = [tuple(row) for row in csv.reader(file)][1:]
    rows = rows[: how_many(len(rows), 300)]
    rng = random.Random(7)
    vectors = [tuple(rng.choice([(0,) * 10, (1,) * 10, (1, 0) * 5, (0, 0, 1, 1, 0) * 2])) for _ in rows]
    case = {"rows": rows, "vectors": vectors, "numeric": [0, 3], "heights": (1,) * 10}
    agree(release_of, {**case, "outliers": outliers, "k": 3, "star": "*"})
