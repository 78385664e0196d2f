"""A verdict says to what: k, what was asked, the columns that counted, and those that passed unchanged with rows unique."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import pyarrow as pa
import pytest

import incrowd
from cases.three_checkers import GOOD, ROOT, WRONG, by_page, by_second, written
from seeds import how_many

NAMES = ["k", "asked", "quasi_identifiers", "kept_columns", "kept_unique_rows", "rows"]
SAID = (
    'header = true\nk = 2\nquasi_identifiers = ["age", "sex"]\nsensitive = ["ill"]\nl = 1\nrequire = ["p-sensitive p=1 column=ill"]\n'
    '[hierarchies]\nage = "prefix:1"\n'
)


def drawn(seed):
    """Rows of age, sex, ill, ward and number; ages are equal in pairs, so that the table is 2-anonymous as it is."""
    rng = random.Random(seed)
    rows = []
    for _ in range(6):
        age, sex = f"{rng.randrange(2, 9)}{rng.randrange(9)}", rng.choice("fm")
        rows += [[age, sex, rng.choice(["flu", "gout"]), rng.choice(["w1", "w2", ""])] for _ in range(2)]
    return [[*row, str(n)] for n, row in enumerate(rows)]


def table(rows, width):
    names = ["age", "sex", "ill", "ward", "number"][:width]
    return "".join(",".join(row[:width]) + "\n" for row in (names, *rows))


def plain(rows, width):
    """What stands in a verdict, counted plainly."""
    kept = []
    for j, name in enumerate(["age", "sex", "ill", "ward", "number"][:width]):
        if j < 2:
            continue
        distinct = len({row[j] for row in rows if row[j]})
        near = distinct > 1 and 2 * distinct >= len(rows)
        role = "sensitive" if name == "ill" else "other"
        kept.append({"name": name, "role": role, "distinct": distinct, "nearly_unique": near})
    alone = sum(n == 1 for n in Counter(tuple(row[2:width]) for row in rows).values()) if kept else 0
    return {
        "k": 2, "asked": ["p-sensitive p=1 column=ill", "l-diversity l=1 column=ill"], "quasi_identifiers": ["age", "sex"],
        "kept_columns": kept, "kept_unique_rows": alone, "rows": len(rows),
    }  # fmt: skip


@pytest.mark.few(2)
@pytest.mark.parametrize("width", [3, 4, 5])
@pytest.mark.parametrize("broken", [False, True])
def test_every_checker_says_to_what_by_its_own_count(run, tmp_path, width, broken):
    for seed in range(how_many(3, 1)):
        rows = drawn(seed)
        shown = [["zz", *row[1:]] if broken and not n else row for n, row in enumerate(rows)]
        written(tmp_path, original=table(rows, width), release=table(shown, width), policy=SAID)
        want, word = plain(rows, width), WRONG if broken else GOOD
        found, told = by_second(tmp_path)
        assert (found, {name: told[name] for name in NAMES}) == (word, want)
        found, told = by_page(tmp_path)
        assert (found, {name: told["held"][name] for name in NAMES}) == (word, want)
        assert told["held"]["telling"] == (width == 5 or (width == 4 and 2 * want["kept_unique_rows"] >= len(rows)))
        status, out, _ = run("verify", "original.csv", "release.csv", "--policy", "policy.toml", "--json")
        told = json.loads(out)
        assert (status, {name: told[name] for name in NAMES}) == (int(broken), want)


@pytest.mark.parametrize("broken", [False, True])
def test_the_words_of_a_verdict_hold_it_too(run, tmp_path, broken):
    rows = drawn(1)
    shown = [["zz", *rows[0][1:]], *rows[1:]] if broken else rows
    written(tmp_path, original=table(rows, 5), release=table(shown, 5), policy=SAID)
    _, out, _ = run("verify", "original.csv", "release.csv", "--policy", "policy.toml")
    said = " ".join(out.split())
    assert "Held to k = 2; p-sensitive p=1 on ill; l-diversity l=1 on ill. Columns that counted: age and sex." in said
    assert (
        "Passed unchanged: ill (sensitive), ward and number. On them together 12 of 12 rows are unlike any other."
        in said
    )
    assert "WARNING: who knows columns without a role finds people: number is nearly unique." in said
    program = [sys.executable, ROOT / "checker" / "incrowd_check.py", "original.csv", "release.csv", "policy.toml"]
    told = subprocess.run(list(map(str, program)), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert told.returncode == int(broken)
    for line in (
        "held to: k = 2; p-sensitive p=1 column=ill; l-diversity l=1 column=ill", "columns that counted: age, sex",
        "passed unchanged: ill (sensitive), ward, number", "unlike any other on what passed unchanged: 12 of 12 rows",
        "WARNING: who knows columns without a role finds people: nearly unique: number",
    ):  # fmt: skip
        assert line in told.stdout.splitlines()
    shown = by_page(tmp_path)[1]["shown"]
    assert shown == [
        ["asked", "k = 2; p-sensitive p=1 column=ill; l-diversity l=1 column=ill"], ["columns that counted", "age, sex"],
        ["passed unchanged", "ill (sensitive), ward, number"], ["unlike any other on these", "12 of 12 rows"],
        ["warning", "who knows columns without a role finds people: nearly unique: number"],
    ]  # fmt: skip
    assert not any(cell in told.stdout + said for cell in ("flu", "gout", "w1", "w2"))


def test_a_card_of_a_notebook_says_to_what(tmp_path):
    rows = drawn(2)
    written(tmp_path, original=table(rows, 4), release=table(rows, 4), policy=SAID)
    found = incrowd.verify(tmp_path / "original.csv", tmp_path / "release.csv", policy=tmp_path / "policy.toml")
    card = found._repr_html_()
    assert "k = 2" in card
    assert "on age and sex" in card
    assert "unique on what passed unchanged" in card


TURNING = "d\u202eag"


def test_a_name_that_turns_the_way_of_reading_is_shown(run, tmp_path):
    text = f"a,{TURNING},z\u200bw,t\U000e0041g\nx,1,2,3\nx,1,2,3\n"
    written(tmp_path, original=text, release=text, policy='header = true\nquasi_identifiers = ["a"]\nk = 2\n')
    _, out, err = run("verify", "original.csv", "release.csv", "--policy", "policy.toml")
    program = [sys.executable, ROOT / "checker" / "incrowd_check.py", "original.csv", "release.csv", "policy.toml"]
    told = subprocess.run(list(map(str, program)), cwd=tmp_path, capture_output=True, text=True, check=True)
    _, wrong, wrong_err = run(
        "verify", "original.csv", "release.csv", "--qi", "a", "--k", "2", "--sensitive", TURNING + "\u2066"
    )
    _, missing, missing_err = run("audit", "no\u202ename.csv", "--qi", "a")
    for said in (out, err, told.stdout, wrong, wrong_err, missing, missing_err):
        assert not any(sign in said for sign in "\u202e\u2066\u200b\U000e0041")
    page = " ".join(text for _, text in by_page(tmp_path)[1]["shown"])
    for said in (out, told.stdout, page):
        assert "d\ufffdag" in said
        assert "z\ufffdw" in said
        assert "t\ufffdg" in said


def weighed(rows, solver):
    """A release of drawn rows at weights of many digits."""
    rng = random.Random(2)
    table = pa.table({name: [rng.choice("pqrs") for _ in range(rows)] for name in "abcd"})
    weights = {"a": "1.0379", "b": "0.7777", "c": "1.0191"}
    return incrowd.anonymize(table, quasi_identifiers=list("abcd"), k=4, solver=solver, weights=weights)


def test_a_bound_is_rounded_down_and_what_can_be_recounted_of_it_stands_beside_it(tmp_path):
    with weighed(11, "subset_dp") as release:
        bound = Fraction(repr(release.lower_bound))
        assert release.optimal
        assert bound * 100 % 1 > Fraction(1, 2)  # so that half of all ways to round go up
        floor = f"{int(bound * 100) / 100:.2f}"
        assert f"can cost less than {floor} (a solver's word; of it 0 can be recounted)" in " ".join(
            release.summary().split()
        )
        release.report(tmp_path / "report.html")
    words = re.sub(r"<[^>]+>", " ", (tmp_path / "report.html").read_text(encoding="utf-8"))
    assert f"no release under this policy costs less than {floor} " in " ".join(words.split())


def test_a_gap_is_rounded_up():
    with weighed(80, "greedy") as release:
        gap = Fraction(repr(release.cost)) / Fraction(repr(release.lower_bound)) - 1
        shown = re.search(r"at most ([0-9.]+)% above", release.summary(), re.IGNORECASE)[1]
        assert gap * 100 <= Fraction(shown) < gap * 100 + Fraction(1, 10)


def test_a_release_is_held_to_its_own_policy_unless_another_is_named():
    rows = [{"age": age, "sex": sex} for age in (31, 31, 47, 47) for sex in "fm"]
    release = incrowd.anonymize(rows, quasi_identifiers=["age", "sex"], k=2)
    assert incrowd.verify(rows, release) == []
    assert [v.rule for v in incrowd.verify(rows, release, k=3)] == ["k=3"]
    other = incrowd.Policy(quasi_identifiers=["age", "sex"], k=4)
    assert [v.rule for v in incrowd.verify(rows, release, other)] == ["k=4"]
    assert repr(incrowd.usefulness(rows, release, queries=3)).startswith("<Usefulness")
