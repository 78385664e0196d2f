"""The app's own files and no others."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("name", "kind"), [("style.css", "text/css"), ("app.js", "text/javascript"), ("icon.svg", "image/svg+xml")]
)
def test_the_apps_own_files_are_given(visitor, name, kind):
    answer = visitor.get(f"/static/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)


def test_the_script_takes_nothing_from_elsewhere_and_builds_no_code(visitor):
    script = visitor.get("/static/app.js").text
    for word in ("http:", "https:", "eval(", "new Function", "document.write", "import("):
        assert word not in script
    assert "url(" not in visitor.get("/static/style.css").text
    assert "@import" not in visitor.get("/static/style.css").text


def test_other_files_are_not(visitor):
    for name in ("base.html", "app.py", "..%2fapp.py", "style.css%00"):
        assert visitor.get(f"/static/{name}").status_code == 404
