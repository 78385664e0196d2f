from incrowd.proved.ladders import ladder_of


def test_without_a_hierarchy_a_value_stands_below_the_star():
    found = ladder_of([None, "a", "b"], None)
    assert found.labels == [[1, 0], [2, 0], [3, 0]]
    assert found.number == {None: 1, "a": 2, "b": 3}


def test_equal_labels_have_equal_numbers_at_whatever_level():
    class Fitted:
        height = 3

        @staticmethod
        def shown():
            return [("a", "a", "x", "*"), ("b", "y", "x", "*")]

    found = ladder_of(["a", "b"], Fitted())
    assert found.labels == [[1, 1, 3, 0], [2, 4, 3, 0]]
    assert found.number == {"a": 1, "b": 2, "x": 3, "y": 4}
