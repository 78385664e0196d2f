"""A search that has a release keeps it, whatever breaks afterwards: released, with a bound that holds, and told."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import incrowd

TEXT = "what only the table knows"


class Fault:
    """An error in the middle of a search: at a call of NumPy's, so many of them after a release is told of."""

    def __init__(self, placed, after):
        self.placed, self.left, self.armed, self.struck = placed, after, False, False

    def __call__(self, event):
        """Hear the progress of a job: there is a release when a bound is told, or when all rows are placed."""
        placed = event.facts.get("rows_left") == 0
        self.placed -= placed
        if event.stage not in ("solve", "bound"):
            sys.setprofile(None)
        elif not self.armed and ("lower_bound" in event.facts or (placed and not self.placed)):
            self.armed = True
            sys.setprofile(self._look)

    def _look(self, frame, what, called):
        if what != "c_call" or not isinstance(getattr(called, "__self__", None), np.ndarray):
            return
        self.left -= 1
        if not self.left:
            sys.setprofile(None)
            self.struck = True
            raise RuntimeError(TEXT)


@pytest.fixture(autouse=True)
def _told_as_to_users(monkeypatch):
    monkeypatch.delenv("INCROWD_STRICT")


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(7)
    lines = ["age,town,trade,ill"]
    for _ in range(90):
        age, town, trade, ill = rng.integers([20, 0, 0, 0], [44, 5, 4, 3])
        lines.append(f"{age},t{town},w{trade},i{ill}")
    (tmp_path / "table.csv").write_text("\n".join(lines) + "\n")
    steps = "".join(f"{age};{age // 3}/3;{age // 12}/12;*\n" for age in range(20, 44))
    (tmp_path / "age.csv").write_text(steps)
    return tmp_path


AGE = {"hierarchies": {"age": "age.csv"}}
DIVERSE, CLOSE = [incrowd.LDiversity(l=2, column="ill")], [incrowd.TCloseness(t=0.4, column="ill")]
# What is asked, and how many calls after there is a release it breaks; and how often the greedy tells that all rows
# are placed before it bounds, where the error is to come then.
KINDS = {
    "k": ({}, (2, 30, 400), 0),
    "k, exact": ({"solver": "exact"}, (10, 30, 400), 0),
    "k, improve": ({"solver": "improve", "work": 2000}, (2, 30, 400), 0),
    "k, greedy": ({"solver": "greedy"}, (1, 10), 2),
    "hierarchies": ({**AGE, "outliers": "suppress"}, (2, 30, 400), 0),
    "diversity": ({"require": DIVERSE}, (1, 30, 400), 0),
    "diversity, exact": ({"require": DIVERSE, "solver": "exact"}, (30, 400), 0),
    "diversity, greedy": ({"require": DIVERSE, "solver": "greedy"}, (1, 10), 1),
    "closeness, hierarchies": ({**AGE, "require": CLOSE}, (1, 30, 400), 0),
    "closeness, improve": ({"require": CLOSE, "solver": "improve", "work": 2000}, (1, 30, 400), 0),
    "ranges": ({"recoding": "grid", "round": 1, "numeric": ["age"]}, (400, 1500), 0),
    "global": ({**AGE, "recoding": "global", "outliers": "suppress"}, (1, 30), 0),
    "beyond memory": ({"types_in_memory": 40}, (1, 30, 400), 0),
}


@pytest.mark.few(4)
@pytest.mark.parametrize(("kind", "after"), [(kind, after) for kind, asked in KINDS.items() for after in asked[1]])
def test_a_release_and_its_bound_outlive_an_error(table, monkeypatch, kind, after):
    monkeypatch.chdir(table)
    more, _, placed = KINDS[kind]
    asked = {"quasi_identifiers": ["age", "town", "trade"], "sensitive": ["ill"], "k": 3, "seed": 0, **more}
    fault = Fault(placed, after)
    try:
        release = incrowd.anonymize("table.csv", time_limit=3, on_event=fault, **asked)
    finally:
        sys.setprofile(None)
    facts = release.facts
    assert facts["cost"] >= facts["lower_bound"] >= facts["lower_bound_checked"]
    release.to_csv("released.csv")
    policy = {name: value for name, value in asked.items() if name not in ("solver", "work", "seed", "types_in_memory")}
    if facts["proof"] == "certificate" and facts["lower_bound"] and kind != "beyond memory":
        release.certificate("certificate.json")
        policy["certificate"] = "certificate.json"
    checked = incrowd.verify("table.csv", "released.csv", **policy)
    assert list(checked) == []
    assert fault.struck
    told = " ".join(facts["advice"])
    assert TEXT not in told
    if "the table engine cannot do it" not in told:
        assert "this is our bug, please report it" in told
        assert "RuntimeError in " in told
        assert facts["optimal"] or facts["status"] == "interrupted"
