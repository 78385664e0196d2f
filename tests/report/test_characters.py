"""Whatever characters cells and names hold, charts are drawn and pages can be shown."""

import re
import xml.etree.ElementTree as ET

import pyarrow as pa

import incrowd
from incrowd.report.drawings import Bar, bars
from incrowd.report.words import visible
from incrowd.results import charts

ALL = [
    chr(c) for c in (*range(0x20), *range(0x7F, 0xA0), 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE)
]
KEPT = "\t\n\r"
# what XML 1.0 has no place for
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def test_controls_become_their_pictures_and_the_rest_the_replacement_character():
    assert visible("a\x0cb\x1bc\x7fd\x00") == "a\u240cb\u241bc\u2421d\u2400"
    assert visible("\x85\ud800\ufffe\U0010ffff") == "\ufffd" * 4
    assert visible("tab\tline\n\r é 漢 🙂") == "tab\tline\n\r é 漢 🙂"
    assert all(visible(sign) != sign for sign in ALL if sign not in KEPT)


def test_charts_with_any_character_in_labels_titles_and_numbers_of_them_are_drawn_and_well_formed():
    drawn = bars([Bar(f"x{sign}y", 0.5, sign) for sign in ALL], "t" + "".join(ALL), "said " + "".join(ALL))
    column = {"values": [{"label": "".join(ALL), "rows": 5, "before": None}], "pooled_rows": 0, "starred": 0}
    for one in (drawn, charts.column(column, 5)):
        ET.fromstring(one.__html__())
        ET.fromstring(one.svg())
    assert "x\u240cy" in drawn.svg()


def test_reports_of_cells_and_names_with_any_character_are_written_and_well_formed(tmp_path):
    a, b = "one" + "".join(sign for sign in ALL if not "\ud800" <= sign <= "\udfff"), "two\x1b"
    odd = ["x\x0cy", "x\x1by", "x\ufffey", "x\x85y"]
    table = pa.table({a: odd * 10, b: ["u", "v"] * 20, "kept\x02": ["w"] * 40})
    with incrowd.anonymize(table, quasi_identifiers=[a, b], k=5, solver="greedy") as release:
        release.report(tmp_path / "r.html")
        spec = release.plot.columns(a).svg()
        card = release._repr_html_()
    found = incrowd.audit(table, quasi_identifiers=[a, b], k=5)
    found.report(tmp_path / "a.html")
    curve = incrowd.tradeoff(table, quasi_identifiers=[a, b], ks=[2], solvers=["greedy"])
    curve.report(tmp_path / "t.html")
    pages = [(tmp_path / f"{name}.html").read_text(encoding="utf-8") for name in "rat"]
    for text in (*pages, card, found._repr_html_(), curve._repr_html_(), spec):
        assert not FORBIDDEN.search(text)
        for drawn in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
            ET.fromstring(drawn)
    assert "x\u240cy" in pages[0]
    assert "two\u241b" in pages[1]


def test_files_whose_names_are_no_text_are_read_written_and_reported(tmp_path):
    source = tmp_path / "t\udcff.csv"
    source.write_text("a,b\n" + "x,u\ny,v\n" * 5)
    with incrowd.anonymize(source, quasi_identifiers=["a", "b"], k=5, solver="greedy") as release:
        release.save(tmp_path / "o\udcff.csv")
        release.save(tmp_path / "o\udcff.parquet")
        release.report(tmp_path / "r.html")
    assert len(list(tmp_path.iterdir())) == 4
    assert "t\ufffd.csv" in (tmp_path / "r.html").read_text(encoding="utf-8")
