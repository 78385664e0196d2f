"""Sizes as people write them."""

import pytest

from incrowd.errors import PolicyError
from incrowd.memory.size import as_bytes, in_words


@pytest.mark.parametrize(
    ("text", "size"),
    [("4GB", 4 * 10**9), (" 800 mb ", 8 * 10**8), ("1.5GiB", 3 * 2**29), ("10KB", 10**4), ("2TB", 2 * 10**12)],
)
def test_a_size_is_a_number_with_a_decimal_or_a_binary_unit(text, size):
    assert as_bytes(text) == size


@pytest.mark.parametrize("text", ["much", "4", "GB", "-1GB", "1e3GB", "4 G", "9" * 99 + "GB", "٤GB"])
def test_what_is_no_size_is_refused_in_words(text):
    with pytest.raises(PolicyError, match="memory must be a size such as 4GB or 800MB"):
        as_bytes(text)


def test_words_round_to_megabytes_and_large_ones_to_gigabytes():
    assert [in_words(size) for size in (0, 1_499_999, 9_999_000_000, 12_340_000_000, 10**2000)] == [
        "0 MB", "1 MB", "9999 MB", "12.3 GB", "10^1991 GB",
    ]  # fmt: skip
