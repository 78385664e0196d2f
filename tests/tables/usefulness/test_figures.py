"""All figures of one pair of tables."""

from __future__ import annotations

import contextlib

from incrowd.progress import Watch
from incrowd.tables.usefulness import figures as module
from incrowd.tables.usefulness.figures import figures_of
from usefulness_tables import coded, drawn_lines


def tables():
    lines = drawn_lines(3)
    return coded(lines, [("*", *line[1:]) for line in lines])


def test_every_figure_is_asked_and_timed():
    asked = []

    @contextlib.contextmanager
    def timed(stage):
        asked.append(stage)
        yield

    found = figures_of(tables(), seed=0, queries=20, target="c1", timed=timed)
    assert asked == ["counts", "associations", "models"]
    assert (found["counts"]["queries"], found["associations"]["pairs"]) == (20, 3)
    assert found["distinction"]["pmse"] > 0
    assert found["prediction"]["target"] == "c1"
    assert (found["columns"], found["rows"], found["notes"]) == (["c0", "c1", "c2"], 400, [])


def test_without_models_no_library_is_asked_for(monkeypatch):
    monkeypatch.setattr(module, "can_learn", lambda: False)
    assert figures_of(tables(), seed=0, queries=5, models=False)["notes"] == []
    assert "scikit-learn" in figures_of(tables(), seed=0, queries=5)["notes"][0]


def test_what_a_limit_cut_short_is_said():
    watch = Watch()
    watch.limit(0)
    found = figures_of(tables(), seed=0, watch=watch)
    assert (found["counts"]["queries"], found["distinction"]) == (0, None)
    assert found["notes"] == [module.CUT_SHORT]
    watch.limit(1000)
    assert figures_of(tables(), seed=0, queries=5, models=False, watch=watch)["notes"] == []
