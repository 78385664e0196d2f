"""Every page stands, fetches nothing, and its lines for the shell and for Python do what it says."""

from __future__ import annotations

import html
import re
import shlex

import pytest

import incrowd
import incrowd.networks
from web.visitor import words

STEPS = {
    "columns": "Columns", "risks": "Risks now", "labels": "Coarser labels", "stars": "Stars", "promise": "Promise",
    "search": "Search", "release": "Release",
}  # fmt: skip
TABLE = "a b's.csv"
OWN = 'quasi_identifiers = ["age", "sex"]\nsensitive = ["diagnosis"]\nk = 2\n'


def test_every_step_has_a_page_with_one_heading(visitor, place):
    for step, name in STEPS.items():
        page = visitor.settled(f"{place}/{step}")
        assert f'aria-current="page">{name}</a>' in page
        assert page.count("<h1>") == 1 and "The same without this page" in page
        assert page.startswith("<!doctype html>") and page.count("<html lang=") == 1
    assert visitor.settled(f"{place}/settings").count("<h1>") == 1


@pytest.mark.parametrize(
    ("name", "kind"), [("style.css", "text/css"), ("app.js", "text/javascript"), ("icon.svg", "image/svg+xml")]
)
def test_the_apps_own_files_are_given_and_take_nothing_from_elsewhere(visitor, name, kind):
    answer = visitor.get(f"/static/{name}")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith(kind)
    text = answer.text.replace("http://www.w3.org/2000/svg", "")
    for word in ("http:", "https:", "eval(", "new Function", "document.write", "import(", "url(", "@import"):
        assert word not in text


def test_other_files_are_not(visitor):
    for name in ("base.html", "app.py", "..%2fapp.py", "style.css%00", "Style.css", ""):
        assert visitor.get(f"/static/{name}").status_code == 404


def lines_of(page):
    """What a page says for the shell and for Python."""
    part = page.partition("The same without this page")[2]
    found = [
        html.unescape(re.sub(r"<[^>]+>", "", one)) for one in re.findall(r"<pre[^>]*>(.*?)</pre>", part, re.DOTALL)
    ]
    assert len(found) == 2
    return found


@pytest.fixture
def here(tmp_path, monkeypatch, small):
    (tmp_path / TABLE).write_bytes(small)
    (tmp_path / "g.txt").write_text("0 1\n1 2\n2 0\n2 3\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_lines_of_every_step_run_in_the_shell_and_in_python(visitor, run, here, small, capsysbinary):
    place = visitor.opened(TABLE, small)
    visitor.post(f"{place}/text", {"text": OWN})
    visitor.post(f"{place}/curve", {"ks": "2, 4"})
    shown = {step: lines_of(visitor.settled(f"{place}/{step}")) for step in (*STEPS, "settings") if step != "release"}
    visitor.search(place)
    shown["release"] = lines_of(visitor.settled(f"{place}/release"))
    # as a browser saves what is sent: the name is a harmless one
    (here / "a_b_s.csv").write_bytes(small)
    (here / "a_b_s-policy.toml").write_text(OWN)
    steps, done = [shown[step] for step in shown if step != "release"], set()
    for line in dict.fromkeys(line for shell, _ in steps for line in shell.splitlines()):  # several steps say the same
        given = shlex.split(line)
        given, target = (given[: given.index(">")], given[-1]) if ">" in given else (given, None)
        assert given[0] == "incrowd"
        status, out, err = run(*given[1:])
        assert status == 0, (line, err)
        done.add(given[1])
        if target:
            assert target == "a_b_s-policy.toml" and out.startswith("#")
    for python in dict.fromkeys(python for _, python in steps):
        exec(python, {"incrowd": incrowd})
    capsysbinary.readouterr()
    assert done == {"init", "audit", "anonymize", "tradeoff"}
    assert "--ks 2,4" in shown["promise"][0] and "ks=[2, 4]" in shown["promise"][1]
    assert (here / "a_b_s-report.html").is_file() and (here / "a_b_s-release.csv").is_file()
    (here / "a_b_s-released-policy.toml").write_text(OWN)
    shell, python = shown["release"]
    assert run(*shlex.split(shell)[1:])[0] == 0
    exec(python, {"incrowd": incrowd})


def test_the_lines_of_a_tree_and_of_a_network_run(visitor, run, here, small, capsysbinary):
    (here / "t.csv").write_bytes(small)
    (here / "t-policy.toml").write_text(OWN)
    place = visitor.opened("t.csv", small)
    visitor.post(f"{place}/text", {"text": OWN})
    page = visitor.text(f"{place}/trees/1")
    assert "<textarea" not in page  # no value is named before it was asked for
    shell, python = lines_of(visitor.text(f"{place}/trees/1"))
    for line in shell.splitlines():
        if not line.startswith("#"):
            status, _, err = run(*shlex.split(line)[1:])
            assert status == 0, err
    exec(python, {"incrowd": incrowd})
    assert (here / "hierarchy1.csv").is_file()
    network = visitor.upload("g.txt", (here / "g.txt").read_bytes(), kind="network")
    shell, python = lines_of(visitor.settled(network))
    for line in shell.splitlines():
        assert run(*shlex.split(line)[1:])[0] == 0
    exec(python, {"incrowd": incrowd})
    capsysbinary.readouterr()


def test_a_table_that_cannot_be_read_is_read_in_another_way(visitor):
    place = visitor.upload("odd.csv", b"1,Zaphod,1999-01-01\n" * 3 + b"2,Trillian,1998-01-01\n" * 60)
    page = words(visitor.settled(place))
    assert "looks like a row of data" in page and "Zaphod" not in page
    for wrong in ({"delimiter": "ab"}, {"columns": "a,b"}):
        visitor.post(place.replace("columns", "reading"), {"header": "no", **wrong})
        visitor.settled(place)
    visitor.post(place.replace("columns", "reading"), {"header": "no", "delimiter": ",", "columns": ""})
    page = words(visitor.settled(place))
    assert "c1" in page and "63 rows" in page
    answer = visitor.post(place.replace("columns", "roles"), {})
    assert answer.headers["location"].endswith("/risks")


@pytest.mark.parametrize("column", ["9", "x", "-1", ""])
def test_values_of_a_column_that_there_is_not_are_refused(visitor, place, column):
    answer = visitor.post(f"{place}/values", {"column": column})
    assert answer.headers["location"].startswith(f"{place}/columns?said=")
    assert "there is no such column; reload the page" in visitor.after(answer)


def test_some_values_of_a_column_come_where_somebody_asks(visitor, place):
    assert "cold" not in words(visitor.text(f"{place}/columns"))
    assert re.findall(r"<code>(\w+)</code>", visitor.post(f"{place}/values", {"column": "2"}).text) == ["cold", "flu"]


def test_the_stars_page_shows_the_mask_in_words_and_leaves_a_mask_of_several_to_its_text(visitor, place):
    visitor.post(f"{place}/stars", {"max_stars": "1", "keep_shown": "yes", "keep": ["1"]})
    page = words(visitor.text(f"{place}/stars"))
    assert "at most 1 star" in page and "sex is never changed" in page
    text = 'quasi_identifiers = ["age", "sex"]\nk = 2\n[mask]\nany = [{ max_stars = 1 }, { keep = ["sex"] }]\n'
    visitor.post(f"{place}/text", {"text": text})
    assert "composed of several masks" in words(visitor.text(f"{place}/stars"))
    visitor.post(f"{place}/stars", {"keep_shown": "yes", "keep": ["0"]})
    assert visitor.get(f"{place}/files/policy.toml").text == text
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["sex"]\nk = 2\n[hierarchies]\nsex = "dates"\n'})
    said = visitor.post(f"{place}/patterns")
    assert said.status_code == 200 and 'class="bad"' in said.text


# The count takes no time for a small table: the page is asked for while it stands still.
def test_the_page_of_stars_stands_while_the_patterns_are_counted(visitor, place, monkeypatch):
    from incrowd.web.sessions.work import Work

    visitor.post(f"{place}/patterns")
    with monkeypatch.context() as patch:
        patch.setattr(Work, "state", property(lambda _: "working", lambda *_: None), raising=False)
        page = visitor.text(f"{place}/stars")
    assert f'data-load="{place}/patterns"' in page and "Columns that are never changed" in words(page)
