import itertools
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.tables.models.t_closeness import TCloseness
from oracles import sensitive as plain
from oracles.models_drawn import Drawn, t_closeness
from seeds import seeds

TENTH = Fraction(1, 10)


def agree(seed):
    drawn = Drawn(seed)
    for model, distance in t_closeness(drawn):
        found = drawn.met(model)
        worst = Fraction(0)
        for g in range(drawn.groups):
            rows = [row[0] for row in drawn.members(g)]
            far = plain.moved(rows, drawn.first, distance) if rows else Fraction(0)
            worst = max(worst, far)
            assert found[g] == (far <= model.t), (seed, model.rule)
        assert drawn.reached(model) == worst
        assert all(drawn.met(TCloseness(worst, model.column, model.distance, order=model.order, hierarchy=model.hierarchy)))  # fmt: skip


@seeds(150)
def test_every_distance_is_that_of_a_network_simplex_on_whole_numbers(seed):
    agree(seed)


@pytest.mark.proofs
def test_every_distance_is_that_of_a_network_simplex_on_many_tables():
    for seed in range(1000, 4000):
        agree(seed)


def bound(table, model):
    domain, _ = plain.domain_of([(value,) for value in table])
    return model.bind(domain), domain.values[0]


def reached(table, members, **settings):
    requirement, values = bound(table, TCloseness(1, "s0", **settings))
    kinds = np.array([values.index(m) for m in members])
    return requirement.reached(np.zeros(len(members), np.int64), kinds, np.ones(len(members), np.int64), 1)


@pytest.mark.parametrize("near", [Fraction(1, 2), Fraction(3, 5), Fraction(9, 10)])
def test_equation_5_of_liang_and_yuan_for_three_far_points_and_a_near_one(near):
    """Three points 1 apart and a fourth near to all: what has to cross to or from the fourth goes the short way."""
    matrix = [[0 if i == j else near if 3 in (i, j) else 1 for j in range(4)] for i in range(4)]
    table = ["1", "2", "3", "4"] * 2 + ["1", "4", "4"]
    p = plain.shares(table)
    for members in itertools.combinations_with_replacement("1234", 3):
        q = {v: Fraction(members.count(v), 3) for v in "1234"}
        apart = sum(abs(q[v] - p[v]) for v in "1234") / 2
        expected = apart - (1 - near) * abs(q["4"] - p["4"])
        assert reached(table, members, distance=matrix) == expected


def test_a_distance_of_exactly_the_threshold_passes():
    # 3 of 10 against 4 of 10: exactly 1/10 apart, and 0.1 is no 1/10 in binary
    table = ["a"] * 40 + ["b"] * 60
    members = ["a"] * 3 + ["b"] * 7
    requirement, _ = bound(table, TCloseness(0.1, "s0"))
    assert reached(table, members) == TENTH
    kinds, ones = np.array([0] * 3 + [1] * 7), np.ones(10, np.int64)
    assert requirement.meets(np.zeros(10, np.int64), kinds, ones, 1)[0]
    below, _ = bound(table, TCloseness("0.09999999999999999999", "s0"))
    assert not below.meets(np.zeros(10, np.int64), kinds, ones, 1)[0]


def test_one_value_in_the_table_is_no_distance_away():
    for kind in ("equal", "ordered", "numeric"):
        assert reached(["7"] * 5, ["7"], distance=kind) == 0
    assert reached(["7"] * 5, ["7"], distance=[[0]]) == 0


def test_numbers_are_sorted_as_numbers_and_text_by_its_bytes():
    assert reached(["2", "10", "30"], ["2"], distance="ordered") == Fraction(1, 2)
    # "10" < "2" < "b" as text: 2 lies in the middle
    assert reached(["2", "10", "b"], ["2"], distance="ordered") == Fraction(1, 3)
    assert reached(["2", "10", "30"], ["2"], distance="numeric") == Fraction(8 + 28, 3 * 28)
    assert reached(["1", "1.0", "3"], ["1.0"], distance="ordered") == Fraction(1, 3)


def test_an_order_given_holds_also_values_that_the_table_lacks():
    order = ("low", "mid", "high")
    assert reached(["low", "high"], ["low"], distance="ordered", order=order) == Fraction(1, 2)
    assert reached(["low", "mid"], ["low"], distance="ordered", order=order) == Fraction(1, 4)


def test_large_counts_and_fine_scales_are_decided_without_64_bits():
    table = ["0", "0.123456789012345678", "1"]
    requirement, _ = bound(table, TCloseness("0.333333333333333333333333", "s0", distance="numeric"))
    many = np.array([10**9, 10**9, 10**9])
    assert requirement.meets(np.zeros(3, np.int64), np.arange(3), many, 1)[0]
    assert requirement.reached(np.zeros(2, np.int64), np.arange(2), many[:2], 1) > 0
    matrix = [["0", "0.123456789012345678901", "1"], ["0.123456789012345678901", "0", "1"], ["1", "1", "0"]]
    requirement, _ = bound(["a", "b", "c"], TCloseness(TENTH, "s0", distance=matrix))
    assert (
        requirement.reached(np.zeros(1, np.int64), np.zeros(1, int), many[:1], 1)
        == (Fraction("0.123456789012345678901") + 1) / 3
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"t": 1.01}, "t must be a number from 0 to 1, not 1.01"),
        ({"t": -1}, "t must be a number from 0 to 1, not -1"),
        ({"t": 0.1, "distance": "equall"}, "did you mean 'equal'"),
        ({"t": 0.1, "distance": [[0, 1]]}, "must be square"),
        ({"t": 0.1, "distance": [[0, 1], [0.5, 0]]}, "must be symmetric, but entries 2,1 differ"),
        ({"t": 0.1, "distance": [[1, 1], [1, 0]]}, "must be 0 on its diagonal"),
        ({"t": 0.1, "distance": [[0, -1], [-1, 0]]}, "must not be negative"),
        ({"t": 0.1, "distance": [[0, 1, 0.2], [1, 0, 0.2], [0.2, 0.2, 0]]}, "breaks the triangle inequality"),
        ({"t": 0.1, "distance": [[0, 2], [2, 0]]}, "the largest distance must be 1, not 2; rescale=True"),
        ({"t": 0.1, "distance": [["x"]]}, "an entry of the distance matrix must be a number"),
        ({"t": 0.1, "rescale": True}, "rescale divides a matrix"),
        ({"t": 0.1, "distance": "hierarchical"}, "go together"),
        ({"t": 0.1, "order": ["a"]}, "order belongs to distance='ordered' or a matrix"),
        ({"t": 0.1, "distance": "ordered", "order": ["a", "a"]}, "has a value twice"),
        ({"t": 0.1, "distance": "hierarchical", "hierarchy": [["a", "*"], ["a", "*"]]}, "a value on two lines"),
        ({"t": 0.1, "distance": "hierarchical", "hierarchy": [["a", "*"], ["b"]]}, "lines of one length"),
        ({"t": 0.1, "distance": "hierarchical", "hierarchy": [["a", "x"], ["b", "y"]]}, "needs one root"),
        (
            {"t": 0.1, "distance": "hierarchical", "hierarchy": [["a", "p", "x", "*"], ["b", "p", "y", "*"]]},
            "equal nodes at level 1 below different ones",
        ),
    ],
)
def test_bad_settings_are_refused_at_birth(settings, said):
    with pytest.raises(PolicyError, match=said):
        TCloseness(column="s0", **settings)


@pytest.mark.parametrize(
    ("table", "settings", "said"),
    [
        (["1", None], {"distance": "ordered"}, "missing values"),
        (["1", None], {"distance": "numeric"}, "missing values"),
        (["1", "two"], {"distance": "numeric"}, "1 of the 2 values of column 's0' is no number"),
        (["a", "b"], {"distance": [[0]]}, "has 1 row, column 's0' has 2 values"),
        (["a", "b"], {"distance": "ordered", "order": ["a"]}, "order lacks 1 of the 2 values of column 's0'"),
        (["a", "b"], {"distance": [[0, 1], [1, 0]], "order": ["a"]}, "order names 1 value,"),
        (["a", "b"], {"distance": "hierarchical", "hierarchy": [["a", "*"]]}, "has no line for 1 of its 2 values"),
        (
            ["a", None],
            {"distance": "hierarchical", "hierarchy": [["a", "*"]]},
            "has empty cells, which have no place in a",
        ),
    ],
)
def test_values_that_a_distance_cannot_measure_are_refused_and_never_quoted(table, settings, said):
    with pytest.raises(PolicyError, match=said) as caught:
        bound(table, TCloseness(TENTH, "s0", **settings))
    assert "two" not in str(caught.value)


def test_a_tree_is_read_from_a_file_in_arxs_form(tmp_path):
    path = tmp_path / "tree.csv"
    path.write_text("flu;lung;*\nasthma;lung;*\nulcer;stomach;*\n")
    model = TCloseness(1, "s0", distance="hierarchical", hierarchy=path)
    requirement, _ = bound(["flu", "asthma", "ulcer", "ulcer"], model)
    # flu alone: 1/4 stays, 1/4 goes to asthma at 1/2, 1/2 to ulcer at 1
    kinds = np.array([1])
    assert requirement.reached(np.zeros(1, np.int64), kinds, np.ones(1, np.int64), 1) == Fraction(5, 8)
    with pytest.raises(InputError, match="cannot be read"):
        TCloseness(1, "s0", distance="hierarchical", hierarchy=tmp_path / "none.csv")


def test_an_order_of_values_is_named_and_not_written_out():
    rule = TCloseness("0.2", "pain", distance="ordered", order=("mild", "strong")).rule
    assert rule == "t-closeness t=0.2 column=pain distance=ordered order=given"


def test_a_file_of_distances_is_the_matrix_over_the_values_that_it_names(tmp_path):
    path = tmp_path / "far.csv"
    path.write_text(",b,a\nb,0,1\na,1,0\n")
    given = TCloseness(TENTH, "s", [[0, 1], [1, 0]], order=["b", "a"])
    assert TCloseness(TENTH, "s", path) == TCloseness(TENTH, "s", f"matrix:{path}") == given
    assert given.rule == "t-closeness t=0.1 column=s distance=given order=given"
    with pytest.raises(PolicyError, match="names its values; leave out order"):
        TCloseness(TENTH, "s", path, order=["a", "b"])
    with pytest.raises(PolicyError, match="the distance matrix has no row for 1 of the 3 values of column 's0'"):
        bound(["a", "b", "c"], TCloseness(TENTH, "s0", path))
    with pytest.raises(PolicyError, match="missing values"):
        bound(["a", None], TCloseness(TENTH, "s0", path))
    with pytest.raises(PolicyError, match=r"or a matrix from a CSV file \(FILE.csv or matrix:FILE\), not 'far'"):
        TCloseness(TENTH, "s", "far")
