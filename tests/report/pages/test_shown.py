"""Two sections of a report: what each column still shows, and how far analyses are off."""

import pyarrow as pa
import pytest

import incrowd
from report_pages import check_page

QI = ["age", "sex"]


def people(n=240):
    return pa.table({
        "age": [str(20 + i * 7 % 40) for i in range(n)],
        "sex": ["fm"[i % 2] for i in range(n)],
        "ward": [["a", "b", "c"][i // 4 % 3] for i in range(n)],
    })  # fmt: skip


def page_of(tmp_path, table, **settings):
    settings = {"quasi_identifiers": QI, "sensitive": ["ward"], "k": 5, "solver": "greedy", **settings}
    with incrowd.anonymize(table, **settings) as release:
        release.report(tmp_path / "report.html")
        facts = release._report_facts
    return check_page((tmp_path / "report.html").read_text()), facts


def test_a_report_says_how_far_counts_and_associations_are_off_rounded(tmp_path):
    parts, facts = page_of(tmp_path, people())
    assert "Is it still useful" in parts.text
    assert "Counts: asked 500 random questions" in parts.text
    assert "Another sample of as many people would be off by" in parts.text
    assert "counts, by how frequent values are" in parts.text
    for figure in (*facts["usefulness"]["counts"].values(), *facts["usefulness"]["associations"].values()):
        assert not isinstance(figure, float) or float(f"{figure:.2g}") == figure
    assert facts["usefulness"]["columns"] == ["age", "sex", "ward"]


def test_of_a_small_table_nothing_is_asked(tmp_path):
    parts, facts = page_of(tmp_path, people(99))
    assert facts["usefulness"] is None
    assert "Is it still useful" not in parts.text


def test_every_level_has_its_name_and_its_share(tmp_path):
    parts, facts = page_of(tmp_path, people(), k=20, hierarchies={"age": "intervals:5,10"})
    rows = next(line["rows"] for line in facts["levels_per_column"] if line["name"] == "age")
    assert len(rows) == 4 and sum(rows) == 240
    assert any("Stacked bars" in one["aria-label"] for one in parts.all("svg"))
    for level, name in ((1, "steps of 5"), (2, "steps of 10")):
        assert (f"level {level}: {name}" in parts.text) is (rows[level] > 0)
    assert "a coarser label in between" in parts.text


def test_ranges_that_enough_rows_show_are_laid_on_an_axis(tmp_path):
    settings = {"recoding": "ranges", "solver": "mondrian", "numeric": ["age"], "k": 20}
    parts, facts = page_of(tmp_path, people(), **settings)
    age = next(column for column in facts["columns_after"] if column["name"] == "age")
    assert age["intervals"]
    assert all(one["rows"] >= 20 for one in age["intervals"])
    assert any("Ranges on an axis" in one["aria-label"] for one in parts.all("svg"))


@pytest.mark.few(1)
@pytest.mark.parametrize("how", [{}, {"hierarchies": {"age": "intervals:5,10"}}])
def test_nothing_of_it_is_a_cell_that_no_row_of_the_release_shows(tmp_path, how):
    table = people().set_column(1, "sex", pa.array([f"unseen{i}" if i < 4 else "fm"[i % 2] for i in range(240)]))
    parts, _ = page_of(tmp_path, table, **how)
    assert "unseen" not in parts.text
