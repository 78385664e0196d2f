"""What a message repeats of a value that came from outside."""

from incrowd.settings import shortened


def test_a_message_repeats_no_more_of_a_value_than_a_line_holds():
    assert shortened("x") == "'x'"
    assert shortened(10**5000) == "a whole number of 16610 bits"
    assert shortened(2**4096) == "a whole number of 4097 bits" and len(shortened(2**4096 - 1)) == 83
    assert len(shortened(["x" * 500])) == 83
    assert shortened([10**5000]) == "a list"
