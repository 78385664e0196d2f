"""Files below the folder and no others, whatever leads out of it."""

from __future__ import annotations

import os

import pytest

from incrowd.errors import InputError
from incrowd.web.files.root import Root


@pytest.fixture
def folder(tmp_path):
    inside = tmp_path / "inside"
    (inside / "deep").mkdir(parents=True)
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (inside / "a.csv").write_text("a\n1\n")
    (inside / ".hidden.csv").write_text("a\n1\n")
    (inside / "deep" / "b.csv").write_text("a\n1\n")
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    (inside / "deep" / "up").symlink_to(tmp_path)
    (inside / "near.csv").symlink_to(inside / "a.csv")
    return inside


@pytest.mark.parametrize(
    "name",
    ["../secret.csv", "deep/../../secret.csv", "/etc/passwd", "link.csv", "deep/up/secret.csv", "", ".", "deep", "a.csv/",
     "deep//b.csv", "..\\secret.csv", "a.csv\0", "nobody.csv", "./a.csv"],
)  # fmt: skip
def test_what_leads_out_or_nowhere_is_refused(folder, name):
    with pytest.raises(InputError) as caught:
        Root(folder).path(name)
    assert "secret" not in str(caught.value)


def test_files_inside_are_found_and_links_that_stay_inside_too(folder):
    root = Root(folder)
    assert root.path("a.csv") == root.path("near.csv") == folder / "a.csv"
    assert root.path("deep/b.csv") == folder / "deep" / "b.csv"


def test_one_folder_alone_is_what_a_table_opens(folder):
    root = Root(folder, deep=False)
    assert root.names([".csv"]) == ["a.csv"]
    with pytest.raises(InputError, match="only files below"):
        root.path("deep/b.csv")


def test_hidden_files_and_links_are_not_listed(folder):
    assert Root(folder).names([".csv"]) == ["a.csv", "deep/b.csv"]


def test_a_pipe_is_no_file(folder):
    os.mkfifo(folder / "pipe.csv")
    with pytest.raises(InputError, match="no file"):
        Root(folder).path("pipe.csv")


def test_what_is_no_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="no folder"):
        Root(tmp_path / "nobody")
