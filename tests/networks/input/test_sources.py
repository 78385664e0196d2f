"""Which reader a source needs."""

import pytest

from incrowd.errors import InputError
from incrowd.networks.input.sources import ENDINGS, FORMATS, ReadOptions, read_source


def test_every_ending_leads_to_a_format_that_is_read():
    assert set(ENDINGS.values()) <= set(FORMATS)


def test_a_format_that_is_not_known_is_refused_with_the_near_one():
    with pytest.raises(InputError, match=r"format must be one of .*did you mean 'graphml'"):
        ReadOptions(format="graphm")


def test_the_ending_decides_unless_a_format_is_given(tmp_path):
    (tmp_path / "g.graph").write_bytes(b"3 2\n2\n1 3\n2\n")
    assert read_source(tmp_path / "g.graph").edges == 2
    assert read_source(b"0 1\n1 2\n").edges == 2
    assert read_source(b"3 2\n2\n1 3\n2\n", ReadOptions(format="metis")).edges == 2
