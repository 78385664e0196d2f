"""Sizes that are refused before anything is made."""

import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.problems.limits import MOST_CELLS, MOST_JOINS, refuse_cells, refuse_joins


def test_sizes_up_to_the_limit_pass_and_one_more_is_refused():
    refuse_cells(MOST_CELLS, 1)
    refuse_joins(MOST_JOINS)
    with pytest.raises(PolicyError, match="more than 4,000,000 cells"):
        refuse_cells(MOST_CELLS // 2 + 1, 2)
    with pytest.raises(PolicyError, match="more than 4,000,000; take"):
        refuse_joins(MOST_JOINS + 1)


def test_constructions_ask_before_they_make_a_table_or_a_network():
    from incrowd.hardness import instance
    from incrowd.hardness.sources.graphs import Graph
    from incrowd.hardness.sources.set_cover import SetCover

    wide = Graph(4000, tuple((v, v + 1) for v in range(3999)))
    with pytest.raises(PolicyError, match="4,000 rows and 3,999 columns"):
        instance("bisection", wide, goal=1, solve=False)
    with pytest.raises(PolicyError, match="take a smaller source problem"):
        instance("set-cover-network", SetCover(100, tuple((u,) for u in range(100))), goal=1, solve=False)
