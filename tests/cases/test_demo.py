"""`incrowd demo`: a folder that a newcomer can look into, run again and verify."""

import csv
import re
from pathlib import Path


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_demo_ends_proven_least_and_says_what_its_files_hold(run, tmp_path):
    status, out, _ = run("demo")
    folder = tmp_path / "incrowd-demo"
    assert status == 0
    assert len(out.splitlines()) <= 16
    assert all(len(line) <= 115 for line in out.splitlines())
    summary = (folder / "summary.txt").read_text()
    assert "This is the least loss possible under this policy: no release can cost less than 975." in summary
    assert "What was lost" in summary
    readme = Path(__file__).resolve().parents[2].joinpath("README.md").read_text()
    assert readme.partition("$ incrowd demo\n...\n")[2].partition("...\n")[0] in out
    assert "<h1>Release of 3,000 rows: release.csv</h1>" in (folder / "report.html").read_text()
    policy = ("--policy", folder / "hospital.toml")
    assert run("verify", folder / "hospital.csv", folder / "release.csv", *policy)[0] == 0
    known = ("age_group", "sex", "postcode", "occupation")
    before, after = (
        [tuple(row[name] for name in known) for row in rows_of(folder / name)]
        for name in ("hospital.csv", "release.csv")
    )
    stars = sum(row.count("*") for row in after)
    assert f"{stars} of {4 * len(before):,} cells are hidden" in out
    assert f"no release can hide fewer than {stars}." in out
    assert f"{sum(before.count(row) == 1 for row in set(before))} rows are alone" in out
    assert "An independent recount of rows and proof passed." in out
    assert "sex was never touched" in out
    assert not any(row[1] == "*" for row in after)
    shown = [line.split("->") for line in out.splitlines() if "->" in line]
    assert len(shown) == 2
    for pair in shown:
        was, became = (tuple(re.split(r" {2,}", side.strip())) for side in pair)
        assert before.count(was) == 1
        assert became in after
        assert all(cell in ("*", old) for old, cell in zip(was, became, strict=True))
