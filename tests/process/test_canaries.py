"""No cell of a table is ever found in a message, a log, a summary or JSON."""

import json
import logging

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import IncrowdError

CANARY = "Zebedee4711"


def table(n=40, **columns):
    made = {
        "who": [f"{CANARY}{i}" for i in range(n)],
        "place": [f"{CANARY}p{i % 4}" for i in range(n)],
        "work": [f"{CANARY}w{i % 3}" for i in range(n)],
        "ill": [f"{CANARY}s{i % 5}" for i in range(n)],
        "free": [f"{CANARY}f{i}" for i in range(n)],
    }
    return pa.table({**made, **columns})


GOOD = {"quasi_identifiers": ["place", "work"], "identifiers": ["who"], "sensitive": ["ill"], "k": 5}


def test_a_good_run_says_nothing_of_a_cell(caplog):
    events = []
    with caplog.at_level(logging.DEBUG), incrowd.anonymize(table(), on_event=events.append, **GOOD) as release:
        said = [release.summary(), release.to_json(), repr(release), str(events), caplog.text, str(release.job.policy)]
    assert len(events) > 5
    assert all(CANARY not in text for text in said)
    assert json.loads(release.to_json())["rows"] == 40


BAD = {
    "star in use": {"star": f"{CANARY}p1"},
    "not numeric": {"numeric": ["place"]},
    "k too large": {"k": 41},
    "infeasible": {"mask": incrowd.Mask(patterns=[[]], full_suppression=False), "k": 20},
    "no such column": {"quasi_identifiers": ["plaice"]},
}


@pytest.mark.parametrize("case", BAD)
def test_no_error_quotes_a_cell(case, caplog):
    settings = {**GOOD, **BAD[case]}
    with caplog.at_level(logging.DEBUG), pytest.raises(IncrowdError) as caught:
        incrowd.anonymize(table(), **settings)
    error = caught.value
    while error is not None:
        if case != "star in use":  # the star is a setting, and may be quoted
            assert CANARY not in str(error)
        error = error.__cause__ or error.__context__
    assert CANARY not in caplog.text


def test_violations_quote_no_cell():
    with incrowd.anonymize(table(), **GOOD) as release:
        out = release.table
        position = out.column_names.index("free")
        broken = out.set_column(position, "free", pa.array([f"{CANARY}x"] * len(out)))
        found = incrowd.verify(table(), broken, release.job)
    assert found
    assert CANARY not in str(found)
