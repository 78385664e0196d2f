"""A file of distances is a metric on named values, or refused in one sentence that holds none of them."""

import random
import tracemalloc
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from incrowd.errors import IncrowdError, InputError, PolicyError
from incrowd.tables.models.distance_file import MOST_BYTES, MOST_VALUES, named_file, read_distances
from seeds import seeds

GOOD = ",flu,cold,gout\nflu,0,0.5,1\ncold,1/2,0,1\ngout,1,1,0\n"
HALF = Fraction(1, 2)
VALUES, MATRIX = ("flu", "cold", "gout"), ((0, HALF, 1), (HALF, 0, 1), (1, 1, 0))


@pytest.fixture
def read(tmp_path):
    def of(text, *, rescale=False):
        path = tmp_path / "far.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_distances(str(path), rescale=rescale)

    return of


@pytest.mark.parametrize(
    "text",
    [
        GOOD, GOOD.replace(",", ";"), GOOD.replace(",", "\t"), GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD, GOOD.rstrip("\n"),
        GOOD.replace("cold", '"cold"').replace("flu", ' flu '), "ill" + GOOD + "\n\n", GOOD.replace("0.5", "5e-1"),
    ],
)  # fmt: skip
def test_a_matrix_is_read_as_it_is_written(read, text):
    assert read(text) == (VALUES, MATRIX)


def test_a_matrix_may_be_divided_by_its_largest_distance(read):
    text = ",a,b,c\na,0,2,4\nb,2,0,4\nc,4,4,0\n"
    assert read(text, rescale=True) == (("a", "b", "c"), MATRIX)
    with pytest.raises(PolicyError, match="the largest distance must be 1, not 4"):
        read(text)


def test_a_file_that_is_changed_is_read_again(read):
    assert read(GOOD) != read(GOOD.replace("0.5", "1").replace("1/2", "1"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no values"),
        ("\n\n", "has no values"),
        ("SECRET\n", "has no values"),
        (",SECRET,\nSECRET,0,1\n,1,0\n", "column 2 of distances has no name"),
        (",SECRET, SECRET\nSECRET,0,1\nSECRET,1,0\n", "names a value twice: in columns 1 and 2"),
        (",SECRET,b\nSECRET,0,1\n", "has 1 rows of distances for 2 columns"),
        (",SECRET,b\nSECRET,0,1\nb,1,0\nc,1,1\n", "more rows of distances than its 2 columns"),
        (",SECRET,b\nSECRET,0,1\nb,1\n", "row 2 of distances has 1 of them, not 2"),
        (",SECRET,b\nSECRET,0,1,SECRET\nb,1,0\n", "row 1 of distances has 3 of them, not 2"),
        (",a,b\nSECRET,0,1\nb,1,0\n", "row 1 and column 1 of distances have other names"),
        (",a,b\na,0,SECRET\nb,1,0\n", "row 1, column 2 of distances is no number"),
        (",a,b\na,0,\nb,1,0\n", "row 1, column 2 of distances is no number"),
        (",a,b\na,0,nan\nb,nan,0\n", "row 1, column 2 of distances is no number"),
        (",a,b\na,0,inf\nb,inf,0\n", "row 1, column 2 of distances is no number"),
        (",a,b\na,0,1e999999\nb,1,0\n", "row 1, column 2 of distances is no number"),
        (",a,b\na,0,1/0\nb,1,0\n", "row 1, column 2 of distances is no number"),
        (f",a,b\na,0,{'1' * 2000}\nb,1,0\n", "row 1, column 2 of distances is no number"),
        (f",a,b\na,0,{'1' * 200}\nb,{'1' * 200},0\n", "more than 18 digits"),
        (",a,b\na,0,1e-30\nb,1e-30,0\n", "more than 18 digits"),
        (",a,b\na,0,-1\nb,-1,0\n", "must not be negative"),
        (",a,b\na,1,1\nb,1,0\n", "must be 0 on its diagonal, but entry 1,1 is not"),
        (",a,b\na,0,1\nb,0.5,0\n", "must be symmetric, but entries 2,1 differ"),
        (",a,b,c\na,0,1,0.1\nb,1,0,0.1\nc,0.1,0.1,0\n", "breaks the triangle inequality: from 1 to 2"),
        (',a,"b\na,0,1\nb,1,0\n', "a quote that is never closed"),
        (f",{'S' * 120_000},b\n", "a quote that is never closed"),
        (b",a,b\na,0,1\nb,1,0\0\n", "is not UTF-8 text"),
        (b",\xff,b\na,0,1\nb,1,0\n", "is not UTF-8 text"),
        ("," + ",".join(f"v{i}" for i in range(MOST_VALUES + 1)) + "\n", f"has {MOST_VALUES + 1} columns"),
        (",a,b\n" + "a,0,1\n" * 100_000, "row 2 and column 2"),
        (",a,b\na,0,1\nb,1,0\n" + "b,1,0\n" * 100_000, "more rows of distances than its 2 columns"),
    ],
)
def test_what_is_no_metric_is_refused_by_the_numbers_of_its_rows_and_columns(read, text, why):
    with pytest.raises(IncrowdError, match=why) as refused:
        read(text)
    assert str(refused.value).startswith("distance file 'far.csv'") and "\n" not in str(refused.value)
    assert "SECRET" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_huge_file_is_not_taken_in(tmp_path):
    path = tmp_path / "far.csv"
    with path.open("wb") as file:
        file.truncate(1 << 33)
    tracemalloc.start()
    with pytest.raises(InputError, match="larger than 8 MB"):
        read_distances(str(path), rescale=False)
    assert tracemalloc.get_traced_memory()[1] < 4 * MOST_BYTES
    tracemalloc.stop()


@pytest.mark.parametrize("file", ["/dev/zero", ".", "no-such.csv", "a\0b.csv", "x" * 5000 + ".csv", ""])
def test_what_is_no_file_is_refused(file):
    with pytest.raises(InputError, match="distance file"):
        read_distances(file, rescale=False)


def test_as_many_values_as_may_be_are_read(read):
    place = np.sort(np.random.default_rng(0).choice(10**6, MOST_VALUES, replace=False))
    far = abs(place[:, None] - place[None, :])
    lines = [",".join(["", *(f"v{i}" for i in range(MOST_VALUES))])]
    lines += [",".join([f"v{i}", *map(str, row)]) for i, row in enumerate(far.tolist())]
    values, matrix = read("\n".join(lines), rescale=True)
    assert len(values) == MOST_VALUES and max(map(max, matrix)) == 1


@seeds(200)
def test_a_changed_file_is_a_metric_or_refused(read, seed):
    rng = random.Random(seed)
    text = list(GOOD)
    for _ in range(rng.randint(1, 3)):
        text[rng.randrange(len(text))] = rng.choice(["", ",", "\n", '"', "0", "1", "x", ";", "-", "e9", "\0", "cold"])
    try:
        values, rows = read("".join(text))
    except IncrowdError as error:
        assert "cold" not in str(error)
        return
    n = range(len(values))
    assert len(set(values)) == len(values) == len(rows)
    assert all(rows[i][i] == 0 and rows[i][j] == rows[j][i] >= 0 for i in n for j in n)
    assert all(rows[i][j] <= rows[i][m] + rows[m][j] for i in n for j in n for m in n)


def test_a_distance_names_a_file_by_its_ending_or_its_kind():
    assert named_file("a.CSV") == ("matrix", "a.CSV") == named_file(Path("a.CSV"))
    assert named_file("matrix:a.txt") == ("matrix", "a.txt")
    assert named_file("hierarchical:a.csv") == ("hierarchical", "a.csv")
    assert [named_file(one) for one in ("equal", "", None, [[0]], "nothing:a.txt")] == [None] * 5
