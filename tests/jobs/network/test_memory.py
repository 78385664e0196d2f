"""What a limit on memory is for questions about networks."""

import pytest

from incrowd import networks
from incrowd.errors import InputError, PolicyError
from incrowd.jobs.network import memory
from incrowd.jobs.network.memory import check_room, memory_of
from incrowd.memory import limit as limits
from incrowd.memory.process import held
from incrowd.progress import Watch

RING = [(v, (v + 1) % 9) for v in range(9)]


def enough():
    """A limit under which a small question goes through, whatever the tests before left in the process."""
    with memory_of("1000GB"):
        return f"{(held() * 2 + 10**9) // 10**6}MB"


def test_a_question_within_its_memory_has_the_same_answer():
    free, kept = networks.profile(RING), networks.profile(RING, memory=enough())
    assert free.profile == kept.profile and kept.optimal and not kept.remarks
    assert networks.read(RING, memory=enough()).edges == 9
    assert networks.classes(RING, [0], memory=enough()).measure == 2
    assert networks.check(RING, kept.certificate(), memory=enough()).proven


def test_a_limit_below_what_the_libraries_take_is_refused_before_the_network_is_read():
    with pytest.raises(InputError, match="memory 90 MB is too little: .*give it at least"):
        networks.antidimension("nowhere.txt", memory="90MB")
    with pytest.raises(PolicyError, match="memory must be a size"):
        networks.risks(RING, memory="much")
    with pytest.raises(PolicyError, match="memory must be a size"):
        networks.NetworkOptions(memory=5)


def test_what_a_question_cannot_do_without_is_asked_for_before_it_starts(monkeypatch):
    monkeypatch.setattr(memory, "least_bytes", lambda _: 10**13)
    with pytest.raises(InputError, match=r"a question about 9 nodes and 9 edges takes about 10000.0 GB, and"):
        networks.anonymity(RING, attackers=1, memory=enough())
    check_room(networks.read(RING), Watch())  # nothing is limited


def test_lack_of_memory_is_told_in_words_whatever_a_library_made_of_it(monkeypatch):
    watch, size = Watch(), enough()
    with pytest.raises(InputError, match="came to its limit of .*smaller network"), memory_of(size, watch):
        assert watch.room() > 0
        raise MemoryError
    assert watch.room is None and not watch.short
    with pytest.raises(KeyError), memory_of(size, watch):
        raise KeyError


def test_near_the_limit_the_answer_so_far_says_so(monkeypatch):
    watch = Watch()
    watch.near_full()
    found = networks.profile(networks.read(RING), watch=watch)
    assert found.status == "time_limit" and not found.optimal
    assert "memory came near its limit" in found.summary()
    assert any("memory came near" in said for said in found.to_json()["notes"])


def test_the_watches_of_a_question_hear_that_memory_is_nearly_used_up(monkeypatch):
    size = enough()
    monkeypatch.setattr(limits, "NEAR", 0.0)
    monkeypatch.setattr(memory.MemoryLimit, "__enter__", lambda self: self._thread.start() or self)
    first, second = Watch(), Watch()
    with memory_of(size, first, second):
        while not (first.short and second.short):
            pass
    assert not first.short and not second.short
