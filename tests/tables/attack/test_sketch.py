"""The estimate of shared keys, against the shared keys."""

from __future__ import annotations

from incrowd.tables.attack.sketch import SIZE, overlap, sketch_of
from seeds import how_many

SECRET = b"s" * 32


def keys(numbers: range) -> list[tuple[str, None]]:
    return [(str(number), None) for number in numbers]


def test_small_tables_are_compared_exactly():
    found = overlap(sketch_of(keys(range(600)), SECRET), sketch_of(keys(range(450, 900)), SECRET))
    assert (found.keys, found.least, found.most) == (150, 150, 150)


def test_the_truth_lies_within_the_error_in_19_of_20_cases():
    inside, runs = 0, how_many(200, 12)
    for run in range(runs):
        secret = run.to_bytes(32, "big")
        shared = [0, 300, 3000, 9000][run % 4]
        one = sketch_of(keys(range(10_000)), secret)
        other = sketch_of(keys(range(10_000 - shared, 16_000 - shared)), secret)
        shared = min(shared, 6000)
        assert len(one.hashes) == SIZE and one.keys == 10_000
        found = overlap(one, other)
        assert found.least <= found.keys <= found.most <= 6000
        inside += found.least <= shared <= found.most
    assert inside >= 0.9 * runs


def test_a_small_table_within_a_large_one_is_found():
    found = overlap(sketch_of(keys(range(20_000)), SECRET), sketch_of(keys(range(5_000)), SECRET))
    assert found.least <= 5_000 <= found.most


def test_without_the_same_secret_nothing_is_shared_and_cells_do_not_run_together():
    one = sketch_of(keys(range(100)), SECRET)
    assert overlap(one, sketch_of(keys(range(100)), b"t" * 32)).keys == 0
    apart = [sketch_of([row], SECRET).hashes for row in (("ab", "c"), ("a", "bc"), ("abc", None), ("abc", ""))]
    assert len(set(apart)) == 4
