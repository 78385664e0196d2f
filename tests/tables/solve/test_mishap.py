"""Which errors a search that holds a release ends with, and which go on."""

from __future__ import annotations

import re

import pytest

from incrowd.errors import InputError
from incrowd.progress import Behind, Watch
from incrowd.tables.solve.mishap import release_kept


def shout(_):
    raise ValueError("a listener's own")


def test_an_error_of_ours_is_remembered_by_its_place_alone(monkeypatch):
    monkeypatch.delenv("INCROWD_STRICT")
    watch = Watch()
    with release_kept(Behind(watch, None)):
        raise ValueError("a cell")
    (told,) = watch.failures
    assert re.fullmatch(r"ValueError in test_mishap\.py, line \d+", told)


@pytest.mark.parametrize("error", [InputError("said"), MemoryError(), SystemError(), KeyboardInterrupt()])
def test_what_is_told_otherwise_goes_on(monkeypatch, error):
    monkeypatch.delenv("INCROWD_STRICT")
    watch = Watch()
    with pytest.raises(type(error)), release_kept(watch):
        raise error
    assert watch.failures == []


def test_it_goes_on_in_the_suite_without_a_release_and_from_a_listener(monkeypatch):
    with pytest.raises(ValueError, match="ours"), release_kept(Watch()):
        raise ValueError("ours")
    monkeypatch.delenv("INCROWD_STRICT")
    with pytest.raises(ValueError, match="ours"), release_kept(Watch(), lambda: False):
        raise ValueError("ours")
    watch = Watch(on_event=shout)
    with pytest.raises(ValueError, match="listener"), release_kept(watch):
        watch.tell("solve", cost=1)
