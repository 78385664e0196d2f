"""A report names values only where enough rows of the release show them: canaries in every column are never found."""

import datetime
import logging

import pyarrow as pa
import pytest

import incrowd

CANARY = "Zebedee4711"
NUMBER = 47114711
DAY = datetime.date(1847, 11, 4)
N = 120


def table(**more):
    """Frequent values that may be named, and in every column rare ones that may not."""
    place = [["north", "south", "east"][i % 3] for i in range(N)]
    work = [["mine", "mill"][i // 3 % 2] for i in range(N)]
    born = [datetime.date(1990, 1, 1 + i % 2) for i in range(N)]
    size = [10 * (i % 20) for i in range(N)]
    for i in range(3):  # fewer than k rows
        place[40 * i] = f"{CANARY}p{i}"
        work[40 * i + 1] = f"{CANARY}w{i}"
    size[7], born[9] = NUMBER, DAY
    columns = {
        "who": [f"{CANARY}{i}" for i in range(N)],
        "place": place,
        "work": work,
        "born": born,
        "size": size,
        "ill": [f"{CANARY}s{i % 5}" for i in range(N)],
        "free": [f"{CANARY}f{i}" for i in range(N)],
    }
    return pa.table({**columns, **more})


GOOD = {
    "quasi_identifiers": ["place", "work", "born", "size"],
    "identifiers": ["who"],
    "sensitive": ["ill"],
    "k": 5,
    "solver": "greedy",
}
CASES = {
    "plain": {},
    "k of one": {"k": 1},
    "k of two": {"k": 2},
    "outliers may be few": {"outliers": "suppress", "mask": incrowd.Mask(max_stars=1)},
    "stars are NULL": {"suppressed": "null"},
    "order is kept": {"keep_order": True},
    "numbers": {"numeric": ["size"]},
}


def said(release, path):
    release.report(path)
    plot = release.plot
    charts = [plot.classes(), plot.patterns(), plot.columns(), plot.bounds()]
    charts += [plot.columns(name) for name in GOOD["quasi_identifiers"]]
    texts = [path.read_text(), release._repr_html_(), *(chart.svg() for chart in charts)]
    return [*texts, release.summary(), release.to_json(), repr(release)]


# a report each: the others in `make proofs`
@pytest.mark.few(2)
@pytest.mark.parametrize(
    "case",
    ["plain", "outliers may be few", "stars are NULL", "numbers", "k of one", "k of two", "order is kept"],
)
def test_no_rare_value_is_found_in_a_report_or_a_chart(case, tmp_path, caplog):
    with caplog.at_level(logging.DEBUG), incrowd.anonymize(table(), **{**GOOD, **CASES[case]}) as release:
        texts = [*said(release, tmp_path / "report.html"), caplog.text]
        if release.job.policy.k > 2:
            shown = set(release.table["place"].to_pylist())
            assert not any(CANARY in str(value) for value in shown)
    for text in texts:
        for canary in (CANARY, str(NUMBER), f"{NUMBER:,}", DAY.isoformat()):
            assert canary not in text
    assert "north" in texts[0]  # what many rows show is named: the test would see a value


def test_labels_of_a_hierarchy_are_named_and_what_lies_below_is_not(tmp_path):
    leaves = sorted(set(table()["place"].to_pylist()))
    lines = "".join(f"{leaf};{'far' if CANARY in leaf or leaf == 'east' else 'near'};*\n" for leaf in leaves)
    (tmp_path / "place.csv").write_text(lines)
    with incrowd.anonymize(table(), **{**GOOD, "hierarchies": {"place": tmp_path / "place.csv"}}) as release:
        texts = said(release, tmp_path / "report.html")
        shown = set(release.table["place"].to_pylist())
    assert not any(CANARY in text for text in texts)
    if "far" in shown:
        assert "far" in texts[0]


def test_an_audit_names_no_value_however_frequent(tmp_path):
    names = {name: [f"{CANARY}{value}" for value in table()[name].to_pylist()] for name in ("place", "work", "size")}
    found = incrowd.audit(pa.table(names), k=3, report=tmp_path / "audit.html")
    texts = [(tmp_path / "audit.html").read_text(), found._repr_html_(), found.to_json(), found.summary()]
    assert not any(CANARY in text for text in texts)


def test_counts_of_the_original_do_not_tell_what_a_star_hides(tmp_path):
    """One row of a class of values is starred: neither its value nor an exact count of the original is told."""
    place = ["north"] * 60 + ["south"] * 59 + [CANARY]
    made = pa.table({"place": place, "work": ["mill"] * 120})
    with incrowd.anonymize(made, quasi_identifiers=["place", "work"], k=2, solver="greedy") as release:
        release.report(tmp_path / "report.html")
        starred = sum(value == "*" for value in release.table["place"].to_pylist())
        told = next(c for c in release._report_facts.columns_after if c["name"] == "place")
    assert starred >= 1
    assert CANARY not in (tmp_path / "report.html").read_text()
    for value in told["values"]:
        low, high = value["before"]
        assert (high - low) * 120 >= 8
