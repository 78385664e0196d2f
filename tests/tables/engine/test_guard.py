"""Errors of a table engine as sentences without cells."""

import pytest

from incrowd.errors import IncrowdError, InputError
from incrowd.tables.engine.guard import Guard, lacks_room


def said(error):
    with pytest.raises(IncrowdError) as told, Guard("reading 't.csv'"):
        raise error
    assert told.value.__context__ is None
    return str(told.value)


def test_a_broken_line_is_named_by_its_number_and_not_quoted():
    words = "CSV Error on Line: 7\nOriginal Line: ann,secret\nExpected Number of Columns: 3 Found: 2"
    assert said(ValueError(words)) == "reading 't.csv': line 7 has 2 fields where 3 are expected; mend that line"
    one = "CSV Error on Line: 2\nExpected Number of Columns: 1 Found: 4"
    assert said(ValueError(one)).endswith("has 4 fields where 1 are expected; is the delimiter right (--delimiter)?")


def test_no_word_of_the_engine_passes():
    for words in ("Conversion Error: could not convert 'secret'", "something about secret"):
        assert "secret" not in said(RuntimeError(words))


def test_our_own_errors_and_interrupts_pass_as_they_are():
    with pytest.raises(InputError, match="as it is"), Guard("reading"):
        raise InputError("as it is")
    with pytest.raises(KeyboardInterrupt), Guard("reading"):
        raise RuntimeError("INTERRUPT Error: Interrupted!")


def test_lack_of_room_is_told_from_other_trouble():
    assert lacks_room("reading: there is not enough memory")
    assert lacks_room("writing: the disk is full")
    assert not lacks_room("reading: line 7 has 2 fields")
