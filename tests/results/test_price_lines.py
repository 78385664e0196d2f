from __future__ import annotations

import gzip
import json

import numpy as np
import pandas as pd
import pytest

import incrowd
from incrowd.errors import InputError
from incrowd.results.price_lines import PriceLines, pack

RNG = np.random.default_rng(4)
TABLE = pd.DataFrame({name: RNG.integers(0, 4, 40).astype(str) for name in "abc"})
ASKED = {"quasi_identifiers": list("abc"), "k": 3}


def test_a_file_holds_the_head_and_the_prices_and_always_the_same_bytes(tmp_path):
    some = [np.arange(70_000), np.zeros(0, np.int64), np.array([-(2**60)])]
    lines = PriceLines({"version": 3}, lambda: iter(some))
    for name in ("a", "b"):
        pack(tmp_path / name, lines)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    head, *prices = gzip.decompress((tmp_path / "a").read_bytes()).decode().split("\n")
    assert json.loads(head) == {"version": 3}
    assert prices == [*map(str, range(70_000)), str(-(2**60)), ""]


@pytest.mark.parametrize("solver", ["greedy", "exact"])
def test_a_release_in_memory_writes_it_too_with_what_its_prices_prove_alone(tmp_path, solver):
    """Where the proof has components or trees, less of it may be recountable than of the certificate in JSON."""
    release = incrowd.anonymize(TABLE, **ASKED, solver=solver)
    told = release.certificate(tmp_path / "c.gz")
    whole = release.certificate()
    assert told["version"] == 3
    assert whole["lower_bound"] == told["lower_bound"] >= told["lower_bound_checked"] > 0
    found = incrowd.verify(TABLE, release.table, certificate=tmp_path / "c.gz", **ASKED)
    assert not found
    assert found.proven == (told["proof"] == "certificate")
    assert found.lower_bound >= told["lower_bound_checked"]
    (tmp_path / "c.json").write_bytes((tmp_path / "c.gz").read_bytes())  # known by its first bytes, not by its name
    assert incrowd.verify(TABLE, release.table, certificate=tmp_path / "c.json", **ASKED) == found


def test_a_bound_that_is_not_one_by_prices_is_refused_and_nothing_is_written(tmp_path):
    out, file = tmp_path / "out.csv", tmp_path / "c.gz"
    with pytest.raises(InputError, match=r"name a file that ends in \.json"):
        incrowd.anonymize(TABLE, **ASKED | {"k": 2}, solver="matching", output=out, certificate=file)
    assert list(tmp_path.iterdir()) == []
