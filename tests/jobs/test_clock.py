"""The seconds of a job's stages."""

import pytest

from incrowd.jobs.clock import Clock
from incrowd.progress import Watch


def test_every_stage_is_told_as_it_ends_and_reported_with_the_solvers_own_and_the_total():
    heard = []
    clock = Clock(Watch(on_event=heard.append))
    with clock("read"):
        assert heard == []
    with clock("write"):
        pass
    assert [event.stage for event in heard] == ["read", "write"]
    report = clock.report({"solve": 1.23456})
    assert list(report) == ["read", "write", "solve", "total"]
    assert report["solve"] == 1.2346 and report["total"] >= report["read"] >= 0


def test_a_stage_that_fails_is_not_told():
    heard = []
    clock = Clock(Watch(on_event=heard.append))
    with pytest.raises(ValueError, match="broken"), clock("read"):
        raise ValueError("broken")
    assert heard == [] and "read" not in clock.report({})
