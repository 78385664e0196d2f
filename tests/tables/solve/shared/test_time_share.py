from __future__ import annotations

import time

from incrowd.progress import Watch
from incrowd.tables.solve.shared.time_share import TimeShare


def test_a_share_lies_between_its_beginning_and_the_deadline_behind_it():
    watch = Watch()
    watch.limit(100.0)
    half = TimeShare.of(watch, 0.5)
    assert 49.0 < half.left <= 50.0 and half.deadline < watch.deadline
    since = time.perf_counter() - 100.0
    assert TimeShare.of(watch, 0.25, since=since).stopped  # a quarter of 200 seconds, 100 of which are over
    assert TimeShare.of(watch, None).deadline == watch.deadline


def test_without_a_deadline_a_share_never_ends_but_hears_the_interruption():
    watch = Watch()
    part = TimeShare.of(watch, 0.5)
    assert part.left == float("inf") and not part.stopped
    watch.interrupt()
    assert part.stopped
