"""`incrowd checker`: the page as a file, whole or not at all, or on standard output."""

import pytest

from incrowd.checker.page import checker_page


def test_the_page_is_written_as_a_file_and_nothing_is_said(run, tmp_path):
    assert run("checker", "-o", "check.html") == (0, "", "")
    assert (tmp_path / "check.html").read_text(encoding="utf-8") == checker_page()
    assert [path.name for path in tmp_path.iterdir()] == ["check.html"]


def test_a_page_that_is_there_is_replaced(run, tmp_path):
    (tmp_path / "check.html").write_text("before")
    assert run("checker", "-o", "check.html", "--quiet")[0] == 0
    assert (tmp_path / "check.html").read_text(encoding="utf-8") == checker_page()


@pytest.mark.parametrize("arguments", [(), ("-o", "-")])
def test_without_a_file_the_page_goes_to_standard_output(run, arguments):
    assert run("checker", *arguments) == (0, checker_page(), "")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("-o", "."), "folder"),
        (("-o", "none/check.html"), "folder does not exist"),
        (("page.html",), "unexpected extra argument"),
    ],
)
def test_a_mistake_is_one_sentence_and_leaves_nothing(run, tmp_path, arguments, word):
    status, out, err = run("checker", *arguments)
    assert (status, out) == (2, "")
    assert word in err
    assert not list(tmp_path.iterdir())
