"""Charts inside a page: named apart, in the page's colours, with their alternative."""

from incrowd.report.charts import svg
from incrowd.report.charts.parts import MAIN
from incrowd.report.charts.svg import Drawing, inline_svgs

DRAWN = (
    '<svg version="1.1" width="10" height="20" viewBox="0 0 10 20"><defs><clipPath id="c"></clipPath></defs>'
    f'<g clip-path="url(#c)" role="graphics"><path d="M1.2345,2" fill="{MAIN}"/></g></svg>'
)


def test_a_chart_takes_the_pages_colours_and_names_of_its_own(monkeypatch):
    monkeypatch.setattr(svg, "svgs_of", lambda charts: [DRAWN for _ in charts])
    drawn = inline_svgs([Drawing({}, "one", 'rows "by" size'), Drawing({}, "two", "other")])
    assert list(drawn) == ["one", "two"]
    text = drawn["one"]
    assert 'id="one-c"' in text and "url(#one-c)" in text and 'id="two-c"' in drawn["two"]
    assert f'fill="var(--chart-main,{MAIN})"' in text
    assert 'd="M1.2,2"' in text
    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="rows &quot;by&quot; size"')
    assert text.count("role=") == 1
