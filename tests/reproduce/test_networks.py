"""Networks beside their reference values."""

import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.reproduce import networks
from incrowd.reproduce.networks import COLUMNS, Network, references, reproduce_networks, text_of


@pytest.fixture
def only(monkeypatch):
    """Leave some of the references."""

    def leave(*names):
        kept = [one for one in references() if one["name"] in names]
        monkeypatch.setattr(networks, "references", lambda: kept)

    return leave


def test_networks_are_as_expected_or_say_what_differs(data_dir, only):
    only("karate", "jazz", "hamsterster-friendships")
    found = reproduce_networks(Watch(), data=data_dir)
    assert [n.name for n in found] == ["karate", "jazz", "hamsterster-friendships"]
    assert [n.differs for n in found] == [[], [], []]
    text = text_of(found)
    assert "[holds] 3 of 3 are as expected" in text
    assert "9-14: 1,774" in text
    found[0].ours["exposing"] = 560
    assert found[0].to_json()["differs"] == ["exposing"]
    text = text_of(found)
    assert "56.0 % (not 55.9 %)" in text
    assert "[does not hold] 2 of 3" in text


def test_references_are_whole():
    for reference in references():
        assert reference["steps"][-1][1] == reference["antidimension"]
        assert reference["steps"][-1][2] == reference["attackers"]
        assert reference["source"]


def test_what_differs_is_named_and_a_rest_is_as_expected():
    values = dict.fromkeys(COLUMNS, 10) | {"steps": [[1, 2, 1], [3, 10, 1200]]}
    same, other = Network("one", dict(values), dict(values)), Network("two", dict(values), values | {"diameter": 9})
    assert (same.differs, other.differs) == ([], ["diameter"])
    text = text_of([same, other])
    assert "[does not hold] 1 of 2 are as expected\n  two differs in diameter\n" in text
    assert "10 (not 9)" in text
    assert "L(k) is 1 for one but at k = 3-10: 1,200." in text


def test_a_network_that_is_not_there_says_where_to_get_it(tmp_path):
    with pytest.raises(InputError, match=r"'networks/karate\.edges\.gz' is not there: take the network's published"):
        reproduce_networks(Watch(), data=tmp_path)


def test_a_network_that_is_not_done_in_time_is_not_judged(data_dir, only):
    only("karate")
    found = reproduce_networks(Watch(), data=data_dir, time_limit=1e-9)
    assert [network.cut for network in found] == [True]
    text = text_of(found)
    assert "[not judged] not done within --time-limit: karate" in text
    assert "are as expected" not in text
    assert found[0].to_json()["cut"]
