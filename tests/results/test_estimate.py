"""An estimate in words and as JSON."""

import json

from incrowd.results.estimate import Estimate

FACTS = {
    "rows": 1000, "row_types": 1, "memory_mb": 350, "disk_mb": 12.4, "measured": ["read"], "solver": "exact",
    "seconds": {"read": 1.5, "solve": None, "write": 0.2, "total": None}, "factor": {"memory": 2, "disk": 4, "seconds": 4},
}  # fmt: skip


def test_what_is_measured_and_what_nobody_knows_is_said():
    told = Estimate(FACTS)
    assert json.loads(told.to_json()) == FACTS
    lines = told.summary().splitlines()
    assert lines[0] == "1,000 rows, 1 row type; nothing was released."
    assert lines[1:3] == [
        "memory   about 350 MB at most (within a factor of 2)", "disk     about 12 MB (within a factor of 4)",
    ]  # fmt: skip
    assert lines[3] == "read          1.5 s  (measured)"
    assert lines[4] == "solve    not known: exact has no time limit"
    assert "within a factor of 4 on a machine as busy as now" in lines[-1]
