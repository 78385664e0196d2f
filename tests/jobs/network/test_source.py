"""What network questions begin with: numbers checked, the clock started, memory told in a sentence."""

import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.jobs.network.source import begin, level_of, whole, within_memory
from incrowd.networks.options import NetworkOptions
from incrowd.progress import search_time

PATH = [(0, 1), (1, 2), (2, 3)]


def test_levels_are_whole_numbers_below_the_number_of_nodes():
    graph = networks.read(PATH)
    assert [level_of("exactly", k, graph) for k in (1, 3)] == [1, 3]
    for k in (0, 4):
        with pytest.raises(InputError, match="exactly must be from 1 to 3"):
            level_of("exactly", k, graph)
    for value in (True, 2.0, "2", None):
        with pytest.raises(InputError, match="attackers must be a whole number"):
            whole("attackers", value)


def test_the_time_limit_counts_anew_once_the_network_is_read():
    watch, graph, began = begin(PATH, NetworkOptions(time_limit=100.0), None)
    assert graph.nodes == 4 and 99 < watch.deadline - search_time() <= 100 and watch.started <= began


def test_a_lack_of_memory_is_a_sentence():
    @within_memory
    def question():
        raise MemoryError

    with pytest.raises(InputError, match="not enough memory for this network"):
        question()


def test_the_largest_component_of_a_network_without_edges_is_refused():
    text = b"*vertices 3\n1 a\n2 b\n3 c\n"
    assert networks.read(text, format="pajek").edges == 0
    with pytest.raises(InputError, match="no component of the network has two nodes"):
        networks.read(text, format="pajek", component="largest")
