"""The document of a result says its facts: a verdict, what is asked, lost and proven, and no share rounded away."""

import dataclasses
import shlex

import pyarrow as pa
import pytest

import incrowd
from incrowd.report.document import Code, Figure, Prose, Table
from incrowd.results.release_document import check, document, verdict_of

TABLE = pa.table({"a": ["x", "x", "y"], "b": ["p"] * 3, "ill": ["f", "g", "f"]})
ROLES = {"quasi_identifiers": ["a", "b"], "sensitive": ["ill"]}


@pytest.fixture(scope="module")
def kept():
    """The facts of a release in which nothing is open."""
    with incrowd.anonymize(TABLE, quasi_identifiers=["a", "b"], identifiers=["ill"], k=3, solver="greedy") as release:
        return release.known


def column(name, role="other", nearly_unique=False):
    return {"name": name, "role": role, "distinct": 3, "nearly_unique": nearly_unique}


def changed(facts, **more):
    return verdict_of(dataclasses.replace(facts, **more))


def test_a_release_that_leaves_nothing_open_may_be_handed_out(kept):
    assert changed(kept).level == "yes"


def test_what_speaks_against_a_release_is_said_before_what_is_open(kept):
    verdict = changed(kept, k=1, k_anonymous=False, outliers=1, kept_columns=[column("town")])
    assert verdict.level == "no"
    assert verdict.points[0].startswith("k is 1")
    assert verdict.points[1].startswith("1 row is fully suppressed and fewer than k = 1")
    assert "Can an attacker know town of a person?" in verdict.points[2]


def test_every_open_question_is_counted(kept):
    columns = [column("ill", "sensitive"), column("note", nearly_unique=True)]
    verdict = changed(kept, keep_order=True, kept_columns=columns)
    assert verdict.level == "look" and "Answer 3 questions" in verdict.headline
    assert ["ill" in verdict.points[0], "note" in verdict.points[1], "row order" in verdict.points[2]] == [True] * 3
    asked = [{"rule": "l-diversity l=2 column=ill", "columns": ["ill"], "reached": 2}]
    assert changed(kept, kept_columns=columns[:1], requirements=asked).level == "yes"


def test_what_remains_unproven_is_one_sentence(kept):
    def said(**more):
        told = {"cost": 1200, "lower_bound": 1000, "lower_bound_checked": 1000, "gap": 0.2, "optimal": False, **more}
        return document(dataclasses.replace(kept, **told)).text().replace("\n    ", " ")

    assert "cheaper by at most 200 of 1,200." in said()
    solved = {"optimal": True, "lower_bound": 1200}
    assert "up to 1,000; the rest is the word of an exact solver" in said(**solved)
    assert "Nothing remains unproven" in said(**solved, lower_bound_checked=1200)
    sizes = {"rows_before": 1000, "rows": 90, "row_types": 4, "most_copies": 32}
    assert "The search ran on a kernel of 90 of the 1,000 rows, each in it at most 32" in said(kernel=sizes)


def test_the_course_of_the_search_is_drawn_where_there_was_one(kept):
    points = [{"seconds": s, "cost": c, "lower_bound": None} for s, c in ((0.1, 1300), (0.5, 1200))]
    for progress, drawn in ((points, True), (points[:1], False), ([], False)):
        told = document(dataclasses.replace(kept, progress=progress)).sections
        (proof,) = (section for section in told if section.id == "optimality")
        assert drawn == (Figure in map(type, proof.blocks)) and {Prose, Table} <= set(map(type, proof.blocks))


def test_the_check_names_files_as_a_shell_takes_them_and_a_certificate_only_where_there_is_one():
    files = {"source": "people 1.csv", "output": None, "certificate": None, "policy": "k = 2\n"}
    code, policy, page = (block for block in check(files) if isinstance(block, Code))
    assert shlex.split(code.text) == ["incrowd", "verify", "people 1.csv", "release.csv", "--policy", "policy.toml"]
    assert policy.text == "k = 2"
    assert shlex.split(page.text) == ["incrowd", "checker", "-o", "check.html"]
    code = next(block for block in check({**files, "certificate": "c.json"}) if isinstance(block, Code))
    assert shlex.split(code.text)[-2:] == ["--certificate", "c.json"]


def test_an_audit_answers_what_was_asked_or_how_exposed_people_are():
    def told(**asked):
        return incrowd.audit(TABLE, **ROLES, **asked).document().verdict

    no = told(k=3)
    assert (no.level, no.points[0]) == (
        "no", "k-anonymity: 3 rows have to look alike, and the smallest crowd has 1; 3 of 3 rows have too few like them.",
    )  # fmt: skip
    assert no.points[1].startswith("1 row (33.3%) is unlike any other")
    assert (told().level, told(k=1).level) == ("no", "yes")
    alike = incrowd.audit(TABLE, quasi_identifiers=["b"]).document().verdict
    assert alike.level == "look" and "at least 2 others" in alike.headline


def test_an_audit_rounds_no_share_to_nothing_or_all():
    found = incrowd.audit(pa.table({"a": ["x"] * 9_999 + ["y"]}), quasi_identifiers=["a"], k=2)
    said = " ".join(found.summary().split())
    assert "1 row (under 0.1%) is unlike any other" in said
    assert "k-anonymity: 2 asked, NOT met: 1 reached; not met in 1 class with 1 row." in said
    assert "No quasi-identifiers were named" in incrowd.audit(TABLE, sensitive=["ill"]).summary()
    nothing = incrowd.audit(pa.table({"a": ["*", "*"]}), quasi_identifiers=["a"], outliers="suppress")
    assert "2 rows fully suppressed and left out above" in " ".join(nothing.summary().split())


def test_every_result_has_a_report_also_one_that_gives_no_verdict(tmp_path):
    with incrowd.anonymize(TABLE, **ROLES, k=1, solver="greedy") as release:
        release.usefulness(queries=9).report(tmp_path / "useful.html")
    incrowd.estimate(TABLE, **ROLES, k=1).report(tmp_path / "estimate.html")
    with incrowd.anonymize(TABLE, quasi_identifiers=["a"], k=3, outliers="suppress") as release:
        assert "All rows are fully suppressed." in release.summary()
        release.report(tmp_path / "nothing.html")
    for name in ("useful", "estimate"):
        assert '<section class="verdict told"' in (tmp_path / f"{name}.html").read_text()
