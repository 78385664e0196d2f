"""The template makes one whole file of plain blocks, whatever they hold."""

from incrowd.report.pages.page import Card, Code, Page, Points, Prose, Section, Table, cell, numeric
from incrowd.report.text.verdict import Verdict
from report_pages import check_page


def test_blocks_become_a_whole_page_and_markup_in_them_is_escaped():
    blocks = [Prose("<b>bold</b>"), Points(["one", "two"]), Code("a < b", "code"), Table("caption", ["name", "n"], [["x\x1b", 1234]])]  # fmt: skip
    page = Page("Title", "Subtitle", Verdict("look", "Look.", ("here",)), [Card("5", "rows")], [Section("s", "S", blocks)])  # fmt: skip
    text = page.html()
    parts = check_page(text)
    for said in ("Title", "Subtitle", "Look.", "here", "<b>bold</b>", "one", "a < b", "caption", "1,234", "rows 5"):
        assert said in parts.text, said
    assert "\x1b" not in text
    assert 'class="verdict look"' in text
    assert len(page.card()) < 3000 and "Title" in page.card()


def test_columns_of_numbers_stand_on_the_right_and_unknowns_are_dashes():
    assert Table("", ["a", "b"], [["x", "1,234"], ["y", "5.0%"]]).numeric == [False, True]
    assert all(map(numeric, (1, 0.5, None, "<0.1%", "≤2", "–"))) and not numeric("x")
    assert [cell(value) for value in (None, True, False, 1234, "x")] == ["–", "yes", "no", "1,234", "x"]
