"""A recount of a certificate ends where its time is over, and says that nothing is known of the bound then."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import incrowd

ROWS = "".join(f"{20 + n % 9},{'fm'[n % 2]},{'flu' if n % 3 else 'cold'}\n" for n in range(60))
MANY = 17  # columns of two values: 131,072 level vectors, which are read against the mask one by one


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What is asked of a certified release."""
    folder = tmp_path_factory.mktemp("made")
    original, release, proof = (folder / name for name in ("people.csv", "release.csv", "c.json"))
    original.write_text(f"age,sex,ill\n{ROWS}")
    incrowd.anonymize(original, qi=["age", "sex"], k=3, output=release, certificate=proof, time_limit=2)
    return ("verify", original, release, "--qi", "age,sex", "--k", "3", "--certificate", proof)


def test_a_recount_that_is_out_of_time_claims_nothing(run, made):
    status, out, _ = run(*made, "--time-limit", "0")
    assert (status, "keeps the policy" in out) == (0, True)
    assert "ended before it was through: nothing is known of its bound" in " ".join(out.split())
    assert "The certificate holds" not in out
    _, out, _ = run(*made, "--time-limit", "0", "--json")
    told = json.loads(out)
    assert (told["ok"], told["proven"], told["lower_bound"], told["cost"]) == (True, False, None, None)


def test_a_recount_with_time_enough_holds(run, made):
    status, out, _ = run(*made, "--time-limit", "600")
    assert (status, "The certificate holds" in out) == (0, True)


def test_a_wrong_release_is_found_however_little_time_there_is(run, made, tmp_path):
    command, original, release, *asked = made
    (tmp_path / "release.csv").write_text("\n".join(release.read_text().splitlines()[:-1]) + "\n")
    status, out, _ = run(command, original, "release.csv", *asked, "--time-limit", "0")
    assert (status, "does NOT keep the policy" in out) == (1, True)


@pytest.mark.proofs
def test_a_long_recount_looks_at_the_clock(tmp_path):
    names = [f"c{j}" for j in range(MANY)]
    table = pa.table({name: [str((n >> (j % 3)) & 1) for n in range(24)] for j, name in enumerate(names)})
    release = incrowd.anonymize(table, quasi_identifiers=names, k=4, time_limit=1)
    release.certificate(tmp_path / "c.json")
    found = incrowd.verify(table, release, certificate=tmp_path / "c.json")
    assert (list(found), found.lower_bound is not None) == ([], True)
    found = incrowd.verify(table, release, certificate=tmp_path / "c.json", time_limit=0.05)
    assert (list(found), found.cost, found.lower_bound, found.proven) == ([], None, None, False)
