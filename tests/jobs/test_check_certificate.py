"""A certificate is read strictly, and what it says of release and bound is recounted by the check's own reading."""

import json
import random

import pyarrow as pa
import pytest
from click.testing import CliRunner

import incrowd
from incrowd.cli.main import cli
from incrowd.errors import InputError
from incrowd.tables.mask.vocabulary import Stars
from incrowd.tables.verify.certificates import read_certificate
from jobs.test_own_bound import one_star_too_few

QUASI = ["a", "b", "c"]
# Two stars a row are needed for the optimum of 10 at k = 2.
FEW = ["111", "122", "212", "221", "311", "322", "133", "233"]


def table_of(rows):
    return pa.table([list(column) for column in zip(*rows, strict=True)], names=QUASI)


def drawn(nulls=0):
    rng = random.Random(3)
    columns = {
        c: [rng.choice(values) for _ in range(60)] for c, values in zip(QUASI, ("pqrst", "uvwx", "lmn"), strict=True)
    }
    for i in range(nulls):
        columns["a"][7 * i] = None
    return pa.table(columns)


@pytest.mark.parametrize(("k", "optimum"), [(2, 10), (3, 21)])
def test_a_fault_of_the_compiled_mask_does_not_deceive_the_check(monkeypatch, k, optimum):
    asked = {"quasi_identifiers": QUASI, "k": k, "mask": incrowd.Mask(max_stars=2)}
    assert incrowd.anonymize(table_of(FEW), solver="exact", **asked).cost == optimum
    monkeypatch.setattr(Stars, "step", one_star_too_few)
    monkeypatch.setattr(
        "incrowd.jobs.row_types.with_recounted_bound", lambda made, rows, problem, solution, loss, watch: solution
    )
    release = incrowd.anonymize(table_of(FEW), solver="exact", **asked)
    assert release.lower_bound > optimum
    matched = release.certificate()["certificate"].startswith("incrowd 2-anonymity")
    assert matched == (k == 2)
    found = incrowd.verify(table_of(FEW), release.table, certificate=release.certificate(), **asked)
    assert found
    assert not found.proven
    assert found.lower_bound <= optimum


def test_where_stars_are_null_the_certificate_of_another_release_is_refused():
    asked = {"quasi_identifiers": QUASI, "k": 3, "suppressed": "null"}
    table = drawn()
    good, bad = (incrowd.anonymize(table, solver=solver, **asked) for solver in ("exact", "mondrian"))
    assert good.cost < bad.cost
    found = incrowd.verify(table, good.table, certificate=good.certificate(), **asked)
    assert found == []
    assert (found.cost, found.proven, found.question, found.k) == (good.cost, True, "k-anonymity", 3)
    nothing = {**good.certificate(), "cost": 0, "lower_bound": 0, "lower_bound_checked": 0}
    for release, certificate in ((bad, good.certificate()), (good, nothing), (bad, nothing)):
        found = incrowd.verify(
            table, release.table, certificate=certificate | {"released_sum": release.released_sum}, **asked
        )
        assert [v.rule for v in found] == ["certificate: cost"]
        assert found.cost == release.cost
        assert not found.proven


def test_a_null_that_may_be_shown_or_starred_leaves_an_interval_and_a_cost_outside_of_it_is_refused():
    table, weights = drawn(nulls=4), {"a": 2}
    asked = {"quasi_identifiers": QUASI, "k": 3, "suppressed": "null", "weights": weights}
    release = incrowd.anonymize(table, solver="exact", **asked)
    least = sum(
        weights.get(c, 1) * (release.table[c].null_count - table[c].null_count) for c in QUASI
    )  # fmt: skip
    most = sum(weights.get(c, 1) * release.table[c].null_count for c in QUASI)
    assert least <= release.cost <= most
    assert least < most
    for cost in (least - 1, least, release.cost, most, most + 1):
        claim = {**release.certificate(), "cost": int(cost), "lower_bound": 0, "lower_bound_checked": 0}
        found = incrowd.verify(table, release.table, certificate=claim, **asked)
        inside = least <= cost <= most
        assert [v.rule for v in found] == ([] if inside else ["certificate: cost"])
        assert least <= found.cost <= most


def test_nothing_is_proven_of_a_release_that_lacks_a_column():
    table, asked = drawn(), {"quasi_identifiers": QUASI, "k": 3}
    release = incrowd.anonymize(table, solver="exact", **asked)
    found = incrowd.verify(table, release.table.drop_columns(["b"]), certificate=release.certificate(), **asked)
    assert "columns: missing b" in [v.rule for v in found]
    assert found.cost is None
    assert not found.proven


@pytest.mark.parametrize(
    "text",
    [
        "", "[" * 100_000, '{"a":' * 100_000, "[]", '"cost"', '{"version": ' + "9" * 6000 + "}", '{"cost": 1, "cost": 2}',
        '{"parts": {"a": 1, "a": 1}}', '{"cost": NaN}', '{"cost": -Infinity}', "\udcff",
    ],
)  # fmt: skip
def test_a_file_that_is_no_certificate_is_refused_in_a_sentence(tmp_path, text):
    file = tmp_path / "c.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"certificate 'c\.json' is no"):
        read_certificate(file)


def test_verify_says_what_was_proven(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ["--qi", "a,b,c", "--k", "2"]
    lines = [",".join(QUASI), *(",".join(row) for row in FEW)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    ran = CliRunner().invoke(cli, ["anonymize", "t.csv", "-o", "r.csv", "--certificate", "c.json", "--quiet", *asked])
    assert ran.exit_code == 0
    words = CliRunner().invoke(cli, ["verify", "t.csv", "r.csv", "--certificate", "c.json", *asked])
    assert "under k-anonymity with k=2" in " ".join(words.output.split())
    facts = json.loads(
        CliRunner().invoke(cli, ["verify", "t.csv", "r.csv", "--certificate", "c.json", "--json", *asked]).output
    )
    assert (facts["question"], facts["k"]) == ("k-anonymity", 2)


def test_a_bound_of_2_diversity_says_so():
    rng = random.Random(5)
    table = drawn().append_column("s", pa.array([rng.choice("xyz") for _ in range(60)]))
    asked = {"quasi_identifiers": QUASI, "sensitive": ["s"], "k": 2, "l": 2}
    release = incrowd.anonymize(table, solver="matching", **asked)
    found = incrowd.verify(table, release.table, certificate=release.certificate(), **asked)
    assert found == []
    assert (found.question, found.k, found.proven) == ("2-diversity", 2, True)
