import numpy as np

from incrowd.proved.proofs import numbers_of

CUTS = [
    {"kind": "C", "instances": [0, 1]},
    {"kind": "T", "types": [4, 5], "instances": [1]},
    {"kind": "S", "types": [1, 4, 5], "pairs": [[0, 4, 5]]},
    {"kind": "F", "types": [4], "part": [], "full": [0]},
]


def test_every_list_has_its_length_before_it():
    tree = {
        "component": 0,
        "instances": [[1, 0, 4], [0, 1, 5]],
        "cuts": CUTS,
        "tree": {"prices": [], "weights": [[2, 6]]},
    }
    claim = {"parts": 3, "prices": [8, 9], "components": None, "trees": [tree]}
    assert numbers_of(claim, np.zeros((6, 3), np.int64)) == [
        1, 3, 2, 8, 9, 0, 1, 0, 2, 1, 0, 4, 0, 1, 5,
        4, 0, 2, 0, 1, 1, 2, 4, 5, 1, 1, 2, 3, 1, 4, 5, 1, 0, 4, 5, 3, 1, 4, 0, 1, 0,
        0, 0, 1, 2, 6,
    ]  # fmt: skip


def test_a_leaf_counts_row_types_within_its_component():
    leaf = {"prices": [[0, -2], [1, 7]], "weights": []}
    node = {"instance": 0, "closed": leaf, "open": {"prices": [], "weights": []}}
    tree = {"component": 1, "instances": [[1, 3]], "cuts": [], "tree": node}
    claim = {"parts": 3, "prices": [0, 0, 0, 0], "components": [0, 1, 0, 1], "trees": [tree]}
    assert numbers_of(claim, np.zeros((6, 2), np.int64))[12:] == [1, 1, 1, 1, 3, 0, 1, 0, 0, 2, 1, -2, 3, 7, 0, 0, 0, 0]


def test_priced_rows_are_rows_of_their_types_each_once():
    inner = {
        "scale": 2,
        "divisor": 3,
        "rows": [1, 0, 1],
        "prices": [5, 6, 7],
        "sets": [{"rows": [0, 1, 2], "price": 4}],
    }
    rows = np.array([[4, 4, 0], [2, 9, 0], [4, 4, 1], [4, 4, 0]])
    assert numbers_of({"matching": inner}, rows) == [2, 2, 3, 0, 1, 4, 5, 1, 0, 6, 1, 0, 7, 1, 0, 0, 0]
