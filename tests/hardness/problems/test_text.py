"""Files as words: comments left out, hostile bytes refused in one sentence."""

import os

import pytest

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_BYTES, MOST_NAME
from incrowd.hardness.problems.text import Names, blank_words, bytes_of, is_dimacs, text_of, whole, words_of


def test_words_stand_between_blanks_commas_and_semicolons_and_comments_are_left_out():
    assert words_of("# no\n\na b\r\n% no\n c,d;e \n") == [(3, ["a", "b"]), (5, ["c", "d", "e"])]
    assert blank_words("c no\na,b 1\n", ("c ",)) == [(2, ["a,b", "1"])]


def test_a_problem_line_makes_it_dimacs():
    assert is_dimacs("c x\n p edge 1 0")
    assert not is_dimacs("p 1\nq p edge")


def test_files_that_are_none_too_large_or_no_text_are_refused(tmp_path):
    (tmp_path / "large").write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(InputError, match="'large' has more than 4 megabytes"):
        bytes_of(tmp_path / "large", "source")
    with pytest.raises(InputError, match="there is no source 'missing'"):
        bytes_of(tmp_path / "missing", "source")
    with pytest.raises(InputError, match="is no file"):
        bytes_of(tmp_path, "source")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="'pipe' is no file"):
        bytes_of(tmp_path / "pipe", "source")
    with pytest.raises(InputError, match="zero bytes"):
        text_of(b"a\0b", "the source")
    with pytest.raises(InputError, match="no UTF-8"):
        text_of(b"\xff\xfe", "the source")
    assert text_of(b"\xef\xbb\xbfa", "the source") == "a"


def test_long_words_are_refused():
    assert words_of("a" * MOST_NAME)
    with pytest.raises(InputError, match="line 2 of the source holds a word of more than 200 characters"):
        words_of("x\n" + "a" * (MOST_NAME + 1))


@pytest.mark.parametrize("word", ["nan", "1.5", "1e3", "٣", "", "9999999999", "--1"])
def test_what_is_no_whole_number_is_refused(word):
    with pytest.raises(InputError, match="line 7 of the source: a node must be a whole number"):
        whole(word, 7, 1, 9, "a node")


def test_numbers_out_of_range_are_refused():
    assert whole("+9", 7, 1, 9, "a node") == 9
    with pytest.raises(InputError, match="from 1 to 9, not 10"):
        whole("10", 7, 1, 9, "a node")


def test_names_are_numbered_as_they_come_and_bounded():
    names = Names("element", 2)
    assert [names.number(name, 1) for name in "aba"] == [0, 1, 0]
    assert names.labels() == ("a", "b")
    with pytest.raises(InputError, match="more than 2 elements"):
        names.number("c", 2)
    with pytest.raises(InputError, match="NaN is no name of an element"):
        names.number("NaN", 2)
    names.closed = True
    with pytest.raises(InputError, match="names elements that were not declared"):
        names.number("c", 2)
