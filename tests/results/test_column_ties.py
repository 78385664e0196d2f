"""A column that passes unchanged and tells a quasi-identifier is asked about in the verdict, without a cell."""

import csv
import random

import incrowd
from incrowd.results.release_document import tie_questions


def tie(column, known, *how):
    return {"column": column, "quasi_identifier": known, "how": list(how)}


def test_every_column_is_asked_about_once_for_what_it_tells_most_plainly():
    ties = [
        tie("age", "born", "in_step"),
        tie("ward", "zip", "tells", "follows"),
        tie("ward", "town", "tells"),
        tie("ward", "land", "follows"),
    ]
    asked = list(tie_questions(ties))
    assert [line.split("?")[0] for line in asked] == [
        "Does age give away what was hidden of born",
        "Does ward give away what was hidden of zip and town",
        "Does ward give away what was hidden of land",
    ]
    assert "age and born go up and down together" in asked[0]
    assert "rows with the same ward nearly always have the same zip and town" in asked[1]
    assert "rows with the same land nearly always have the same ward, so it shows land more coarsely" in asked[2]
    assert not list(tie_questions([]))


def test_summary_facts_and_report_of_a_release_warn_of_an_age_beside_a_date_of_birth(tmp_path):
    draw = random.Random(2)
    rows = [(f"{1930 + a}-03-{draw.randint(1, 28):02}", 93 - a, a % 2) for a in draw.choices(range(80), k=200)]
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("born", "age", "sex"), *rows])
    asked = {"k": 4, "quasi_identifiers": ["born", "sex"], "hierarchies": {"born": "dates"}, "solver": "greedy"}
    release = incrowd.anonymize(tmp_path / "t.csv", report=tmp_path / "r.html", **asked)
    warned = "Does age give away what was hidden of born?"
    assert release.facts["column_ties"][0]["how"] == ["in_step"]
    assert warned in release.summary()
    assert warned in (tmp_path / "r.html").read_text()
    assert not any(born in release.summary() for born, *_ in rows)
    without = incrowd.anonymize(tmp_path / "t.csv", identifiers=["age"], **asked)
    assert "give away what was hidden" not in without.summary()
