"""Two tables in the same integers: equal codes are equal cells, what is new has a code of its own, portions part."""

from collections import Counter

import pytest

from incrowd.tables.engine.base import Engine
from incrowd.tables.hierarchy import Fitted, Hierarchy
from incrowd.tables.verify.pairing.kinds import INVENTED, NULL, STAR, code, coded
from seeds import seeds
from tables.verify.pairing.test_common_coding import compared, drawn


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


@seeds(30, 2)
def test_kinds_are_the_different_rows_with_their_counts_and_classes(engine, seed):
    original, released = drawn(seed)
    before, after, places = code(compared(engine, original, released), engine)
    assert places == (0, 1)
    assert sorted(before.rows.tolist()) == sorted(Counter(original).values())
    assert sorted(after.rows.tolist()) == sorted(Counter(released).values())
    classes = Counter(row[:2] for row in released)
    assert sorted(zip(after.rows.tolist(), after.size.tolist(), strict=True)) == sorted(
        (n, classes[row[:2]]) for row, n in Counter(released).items()
    )


@seeds(30, 2)
def test_a_released_row_fits_the_rows_that_have_its_shown_cells(engine, seed):
    """The codes alone say which original kinds a released kind may come from, as the cells do."""
    original, released = drawn(seed)
    before, after, _ = code(compared(engine, original, released), engine)
    by_code, by_cell = Counter(), Counter()
    for r in range(len(after.rows)):
        line = tuple(after.codes[r].tolist())
        fits = sum(
            int(n)
            for codes, block, n in zip(before.codes.tolist(), before.block.tolist(), before.rows.tolist(), strict=True)
            if block == after.block[r] and all(x in (STAR, y) for x, y in zip(line, codes, strict=True))
        )
        by_code[fits, line.count(STAR), line.count(INVENTED), int(after.block[r]) < 0] += int(after.rows[r])
    for row in released:
        known = [{cells[j] for cells in original} for j in range(3)]
        fits = sum(
            all(x in ("*", y) for x, y in zip(row[:2], cells, strict=False)) and row[2] == cells[2]
            for cells in original
        )
        invented = sum(row[j] is not None and row[j] != "*" and row[j] not in known[j] for j in range(2))
        by_cell[fits, row[:2].count("*"), invented, row[2] not in known[2]] += 1
    assert by_code == by_cell


def test_a_missing_value_has_the_code_0_and_only_what_was_there_has_more(engine):
    before, after, _ = code(compared(engine, [(None, "x", "f")], [("new", None, "f"), ("*", "x", "f")]), engine)
    assert before.codes.tolist() == [[NULL, 1]]
    assert sorted(after.codes.tolist()) == [[INVENTED, NULL], [STAR, 1]]


def test_a_label_is_coded_at_its_level_and_a_star_elsewhere(engine):
    fitted = Fitted(Hierarchy(lines=(("a", "early", "*"), ("b", "early", "*"), ("z", "late", "*"))), missing=False)
    tables = compared(engine, [("a", "x", "f"), ("z", "x", "f")], [("early", "x", "f"), ("z", "*", "f")])
    before, after, places = code(tables, engine, {0: fitted})
    assert places == (0, 2)
    original = {tuple(line) for line in before.codes.tolist()}
    assert len({line[1] for line in original}) == 2  # two labels above two values
    for line in after.codes.tolist():
        fitting = [one for one in original if all(x in (STAR, y) for x, y in zip(line, one, strict=True))]
        assert len(fitting) == 1
        assert line.count(STAR) == (1 if line[1] > 0 else 2)


def lines_of(kinds):
    """Kinds as a count of their lines, without the numbers of their blocks."""
    lines = [(*codes, block >= 0) for codes, block in zip(kinds.codes.tolist(), kinds.block.tolist(), strict=True)]
    out = Counter()
    for line, rows, size in zip(lines, kinds.rows.tolist(), kinds.size.tolist(), strict=True):
        out[line, size] += rows
    return out


@seeds(40, 3)
def test_portions_hold_all_kinds_and_part_what_never_meets(engine, seed):
    original, released = drawn(seed)
    tables = compared(engine, original, released)
    before, after, _ = code(tables, engine)
    cut = coded(tables, engine, most=1 + seed % 4)
    ones, twos, pairs = Counter(), Counter(), 0
    for portion in range(cut.portions):
        one, two = cut.part(portion)
        assert not len(one.block) or set(one.block.tolist()) == set(range(one.block.max() + 1))
        assert two.block.max(initial=-1) <= one.block.max(initial=-1)
        ones += lines_of(one)
        twos += lines_of(two)
        pairs += fitting(one, two)
    # blocks may be finer than those of the other columns: kinds of an unknown one find nothing either way
    assert ones == lines_of(before)
    assert sum(twos.values()) == len(released)
    assert pairs == fitting(before, after)
    cut.forget()


def fitting(before, after):
    """How many pairs of kinds fit, by their codes."""
    lines = list(zip(before.codes.tolist(), before.block.tolist(), strict=True))
    return sum(
        block == mine and all(x in (STAR, y) for x, y in zip(line, codes, strict=True))
        for line, block in zip(after.codes.tolist(), after.block.tolist(), strict=True)
        for codes, mine in lines
    )


def test_a_column_that_no_row_changed_cuts(engine):
    original = [(place, q, "f") for place in "abcdefgh" for q in "xy"]
    released = [(place, "*", "f") for place, _, _ in original]
    cut = coded(compared(engine, original, released), engine, most=3)
    assert cut.portions == 8
    assert max(len(cut.part(portion)[0].rows) for portion in range(8)) == 2
    # both columns changed somewhere: one block
    cut = coded(compared(engine, original, [("*", *row[1:]) for row in released]), engine, most=3)
    assert [len(cut.part(portion)[0].rows) for portion in range(cut.portions)].count(16) == 1
