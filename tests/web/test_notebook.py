"""A studio in a notebook: a link to the app in a tab of its own, over a file or a frame, gone when it is closed."""

import contextlib
import os
import subprocess
import sys
import tempfile

import httpx
import pandas as pd
import pytest

import incrowd
from incrowd.errors import InputError

FRAME = pd.DataFrame({"age": [31, 31, 47, 47] * 8, "sex": ["f", "m", "f", "<b>"] * 8})


def page(studio):
    """The first page, as a browser that followed the link gets it."""
    base = studio.address.partition("/enter")[0]
    with httpx.Client(base_url=base, timeout=60, trust_env=False) as browser:
        assert browser.get(studio.address).status_code == 200
        assert browser.get(studio.address).status_code == 403  # the link works once
        return browser.get("/").text


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where private folders are made, in this test alone."""
    made = tmp_path / "temporary"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    return made


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ["file", "pandas", "arrow", "dicts"])
def test_a_table_of_any_kind_is_open_at_once(tmp_path, folder, kind):
    FRAME.to_csv(tmp_path / "people.csv", index=False)
    tables = {
        "file": str(tmp_path / "people.csv"), "pandas": FRAME, "dicts": FRAME.to_dict("records"),
        "arrow": incrowd.anonymize(FRAME, quasi_identifiers=["age"], k=1).table,
    }  # fmt: skip
    with incrowd.studio(tables[kind]) as studio:
        assert ("people.csv" if kind == "file" else "table.parquet") in page(studio)
        assert any(folder.iterdir()) or kind == "file"
        for private in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # of work that has just ended
                assert private.stat().st_mode & 0o077 == 0  # for nobody else
    assert studio.closed
    assert list(folder.iterdir()) == []
    with pytest.raises(httpx.ConnectError):
        httpx.get(studio.address, trust_env=False)


def test_it_prints_as_a_link_in_a_tab_of_its_own_and_as_closed_afterwards():
    studio = incrowd.studio()
    assert f'href="{studio.address}" target="_blank" rel="noopener' in studio._repr_html_()
    assert studio.address in repr(studio) and studio.address.startswith("http://127.0.0.1:")
    assert "iframe" not in studio._repr_html_()
    studio.close()
    studio.close()
    assert repr(studio) == "<Studio, closed>"
    assert "127.0.0.1" not in studio._repr_html_()


def test_what_cannot_be_opened_is_one_sentence_and_leaves_nothing(tmp_path, folder):
    for table in (tmp_path / "nobody.csv", 5, [], [{"a": 1}, {"a": "x"}]):
        with pytest.raises(InputError):
            incrowd.studio(table).close()
    assert list(folder.iterdir()) == []


def test_without_the_extra_it_says_what_to_install():
    code = (
        "import sys\nsys.modules['uvicorn'] = None\nimport incrowd\ntry:\n    incrowd.studio()\n"
        "except incrowd.InputError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "incrowd.studio needs what is not installed: pip install '.[web]'\n"


def test_the_end_of_python_ends_it(folder):
    code = "import incrowd; incrowd.studio([{'a': 1}, {'a': 2}])"
    environment = {**os.environ, "TMPDIR": str(folder)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=120)
    assert list(folder.iterdir()) == []
