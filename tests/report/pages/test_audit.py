"""The report of an audit: a plain answer, what makes it so, and no value of the table."""

import pyarrow as pa
import pytest

import incrowd
from report_pages import check_page


def people(n=40):
    return pa.table(
        {
            "age": [str(20 + i % 9) for i in range(n)],
            "sex": ["fm"[i % 2] for i in range(n)],
            "town": [f"town{i % 7}" for i in range(n)],
            "ill": [["flu", "gout"][i % 2] for i in range(n)],
        }
    )


def page_of(tmp_path, table=None, **settings):
    found = incrowd.audit(people() if table is None else table, report=tmp_path / "audit.html", **settings)
    text = (tmp_path / "audit.html").read_text()
    return check_page(text), text, found


def test_what_is_not_met_says_no_and_why(tmp_path):
    parts, text, found = page_of(tmp_path, quasi_identifiers=["age", "sex", "town"], k=3)
    assert not found.ok
    assert 'class="verdict no"' in text
    assert "k-anonymity: 3 rows have to look alike, and the smallest crowd has 1" in parts.text
    assert "k-anonymity 3 1 NOT met" in parts.text


def test_what_is_met_says_yes(tmp_path):
    parts, text, _ = page_of(tmp_path, quasi_identifiers=["sex"], k=3)
    assert 'class="verdict yes"' in text
    assert "The table meets what was asked of it." in parts.text


def test_without_a_question_unique_people_say_no_and_crowds_ask_back(tmp_path):
    parts, text, _ = page_of(tmp_path, quasi_identifiers=["age", "sex", "town"])
    assert 'class="verdict no"' in text
    assert "People can be found in this table" in parts.text
    parts, text, _ = page_of(tmp_path, quasi_identifiers=["sex"])
    assert 'class="verdict look"' in text
    assert "at least 19 others" in parts.text


def test_every_part_is_there(tmp_path):
    parts, _, found = page_of(tmp_path, quasi_identifiers=["age", "sex", "town"], sensitive=["ill"], k=2)
    for said in (
        "Who could be found", "What gives people away", "What this does not say", "Do it again", "prosecutor",
        "marketer", "Rows still unlike any other if one column were left out", "Two columns together", "El Emam",
    ):  # fmt: skip
        assert said in parts.text, said
    assert sum(line["rows"] for line in found.facts["class_sizes"]) == found.rows
    assert sum(line["classes"] for line in found.facts["class_sizes"]) == found.classes["count"]


def test_no_value_of_the_table_is_in_it(tmp_path):
    parts, _, _ = page_of(tmp_path, quasi_identifiers=["age", "sex", "town"], sensitive=["ill"])
    assert not {"town0", "town1", "flu", "gout"} & set(parts.text.replace(",", " ").split())


@pytest.mark.parametrize("table", [pa.table({"a": ["x"]}), pa.table({"a": ["x"] * 5, "b": ["y"] * 5})])
def test_tiny_tables_have_reports_too(tmp_path, table):
    page_of(tmp_path, table)


def test_the_report_is_not_the_table(tmp_path, run):
    path = tmp_path / "people.csv"
    path.write_text("a,b\n1,2\n1,2\n")
    status, _, err = run("audit", path, "--report", path)
    assert (status, path.read_text()) == (2, "a,b\n1,2\n1,2\n")
    assert "is also an input" in err


def test_a_notebook_shows_the_answer(tmp_path):
    shown = incrowd.audit(people(), quasi_identifiers=["age", "sex", "town"], k=3)._repr_html_()
    assert "does not meet what was asked" in shown
    assert "<script" not in shown
