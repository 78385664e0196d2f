import numpy as np

from incrowd import networks
from incrowd.networks.memory_use import TWINS, graph_bytes, least_bytes
from incrowd.networks.values import Graph


def path(nodes):
    return networks.read(np.stack([np.arange(nodes - 1), np.arange(1, nodes)], 1))


def test_a_graph_takes_its_two_arrays():
    assert graph_bytes(path(10)) == 11 * 8 + 18 * 4


def test_what_a_question_takes_grows_with_nodes_and_with_edges():
    sizes = [least_bytes(path(n)) for n in (10, 1000, 100_000)]
    assert sizes[0] < sizes[1] < sizes[2]
    few, many = path(TWINS + 10), Graph(np.arange(TWINS + 11) * 40, np.zeros((TWINS + 10) * 40, np.int32))
    assert least_bytes(few) < least_bytes(many)
