"""Matrix Market files, and what their first lines may claim."""

import pytest

from incrowd.errors import InputError
from incrowd.networks.input.matrix_market import read_matrix_market

HEAD = b"%%MatrixMarket matrix coordinate pattern symmetric\n"


def test_every_entry_is_an_edge_and_comments_are_passed_over():
    graph = read_matrix_market(HEAD + b"% told\n\n3 3 2\n2 1\n3 2\n")
    assert (graph.nodes, graph.edges) == (3, 2)


@pytest.mark.parametrize("rest", [b"", b"\xff\xff\xff\xff", b"x", b"e"])
def test_the_last_line_may_lack_its_end_whatever_stands_there(rest):
    """SciPy's reader leaves the process with a segmentation fault on most of these where nothing is put behind them."""
    assert read_matrix_market(HEAD + b"3 3 2\n2 1\n3 2" + rest).edges == 2


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"3 3 2\n2 1\n", "should start with"),
        (HEAD, "line of sizes is missing"),
        (HEAD + b"3 3\n", "three whole numbers"),
        (HEAD + b"3 4 1\n1 2\n", "square, not 3 x 4"),
        (HEAD + b"9 9 99999999\n2 1\n", "claims 99,999,999 entries"),
        (HEAD + b"3 3 1\n2 1\0\n", "zero bytes"),
        (HEAD + b"3 3 1\ntwo 1\n", "not as its first line says"),
        (HEAD.replace(b"coordinate pattern", b"array real").replace(b"symmetric", b"general") + b"0 0\n1\n", "no row"),
    ],
)
def test_what_the_first_lines_claim_is_held_against_the_file(data, said):
    with pytest.raises(InputError, match=said):
        read_matrix_market(data)
