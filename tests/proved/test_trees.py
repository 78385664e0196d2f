from incrowd.proved.trees import numbers_of

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
    assert numbers_of([tree], None, 6) == [
        1, 0, 2, 1, 0, 4, 0, 1, 5,
        4, 0, 2, 0, 1, 1, 2, 4, 5, 1, 1, 2, 3, 1, 4, 5, 1, 0, 4, 5, 3, 1, 4, 0, 1, 0,
        0, 0, 1, 2, 6,
    ]  # fmt: skip


def test_a_leaf_counts_row_types_within_its_component():
    leaf = {"prices": [[0, -2], [1, 7]], "weights": []}
    node = {"instance": 0, "closed": leaf, "open": {"prices": [], "weights": []}}
    tree = {"component": 1, "instances": [[1, 3]], "cuts": [], "tree": node}
    assert numbers_of([tree], [0, 1, 0, 1], 4) == [1, 1, 1, 1, 3, 0, 1, 0, 0, 2, 1, -2, 3, 7, 0, 0, 0, 0]
