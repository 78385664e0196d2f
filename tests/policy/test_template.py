"""A policy to start from names and counts columns, proposes roles and decides nothing."""

import tomllib

import pyarrow as pa

from incrowd import Job
from incrowd.policy.job import flat_settings
from incrowd.policy.template import starting_policy

CANARY = "Zebedee-4711"


def test_every_key_is_explained_and_every_line_with_a_value_is_toml():
    table = pa.table({"name": [f"{CANARY}-{i}" for i in range(4)], "age": ["1", "1", "2", None], "diagnosis": ["a"] * 4, "same": ["x"] * 4})  # fmt: skip
    text = starting_policy(Job().replace(source=table))
    assert CANARY not in text
    assert all(line.startswith("#") for line in text.splitlines() if line)
    assert "4 rows, 4 columns" in text.splitlines()[0]
    lines = [line[2:] for line in text.splitlines() if line.startswith("# ") and not line.endswith("= null")]
    written = tomllib.loads("\n".join(lines))
    assert (written["identifiers"], written["sensitive"], written["quasi_identifiers"]) == (
        ["name"],
        ["diagnosis"],
        ["age"],
    )
    written.pop("mask"), written.pop("weights")
    assert set(written) <= set(flat_settings(written, "p.toml"))
