"""Python objects to graphs."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array

from incrowd.errors import InputError
from incrowd.networks.input.objects import graph_from_object

PAIRS = [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    "source",
    [
        PAIRS,
        set(PAIRS),
        np.array(PAIRS),
        nx.Graph(PAIRS),
        coo_array(([1, 1], ([0, 1], [1, 2])), shape=(3, 3)),
        pd.DataFrame(PAIRS, columns=["source", "target"]),
    ],
)
def test_every_kind_of_object_gives_the_same_graph(source):
    graph = graph_from_object(source)
    assert graph.indptr.tolist() == [0, 1, 3, 4]
    assert graph.indices.tolist() == [1, 0, 2, 1]
    assert graph_from_object(graph) is graph


@pytest.mark.parametrize(
    ("source", "said"), [(3, "cannot read a graph from int"), ([(0, 1, 2)], "pairs"), (np.zeros((2, 3)), "shape")]
)
def test_what_is_no_graph_is_refused_by_its_kind(source, said):
    with pytest.raises(InputError, match=said):
        graph_from_object(source)
