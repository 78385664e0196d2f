"""The recount of a release that shows ranges: k by the labels, and every label stands for what it hides.

A released row shows in each quasi-identifier the original value, a star, or a label that the original value is one
of (`incrowd.tables.verify.release.range_labels`). A cell that is no value costs what a star costs.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

from incrowd.errors import InputError
from incrowd.loops import njit
from incrowd.tables.verdict import Verdict, Violation
from incrowd.tables.verify.pairing.common_coding import alike, excess
from incrowd.tables.verify.pairing.edges import MOST_EDGES, MOST_PROBES
from incrowd.tables.verify.pairing.flow import unmet
from incrowd.tables.verify.release.faithful import compare_by_key, judged_cells, reads_as_star, side_by_side
from incrowd.tables.verify.release.groups import recount_classes
from incrowd.tables.verify.release.pairing import column_in_words, compare_columns, compare_rows
from incrowd.tables.verify.release.range_labels import read_labels
from incrowd.tables.verify.release.requirements import recount_requirements

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Roles
    from incrowd.tables.table import Expanded
    from incrowd.tables.verify.pairing.common_coding import CommonCoding, Side
    from incrowd.tables.verify.release.groups import Rules
    from incrowd.tables.verify.release.range_labels import Reading


STAR, INVENTED = -1, -2
MOST_CELLS = 500_000_000  # of the matrices that say which label stands for which value, in bytes


def verify_ranged_by_key(release: Expanded, rules: Rules) -> Verdict:
    """Judge a release of ranges against the table it came from, row by row; as `verify_by_key`.

    The release has rows with their keys in the original. It takes one join on the row key, and per column one with the
    pairs of labels and the values they stand for.
    """
    table, engine = release.table, release.table.engine
    quasi = [c.id for c in table.quasi_identifiers]
    pairs = {
        c.id: engine.put(_reading(engine, table.data[c.id], release.rows[c.id], c.name).pairs())
        for c in table.quasi_identifiers
    }
    joined = side_by_side(release, pairs)
    starred = {i: reads_as_star(joined[f"r_{i}"], release.star) for i in quasi}
    hiding = {i: (~joined[i].identical_to(joined[f"r_{i}"])).sum() for i in quasi}
    violations, released, hidden = compare_by_key(
        release, joined, starred, pairs, **{f"h_{i}": count for i, count in hiding.items()}
    )
    classes = recount_classes(
        engine, release.rows, quasi, [reads_as_star(release.rows[i], release.star) for i in quasi], rules
    )
    judged = judged_cells(table, rules)
    unmet_rules, reached = recount_requirements(engine, table.data, release.rows, quasi, judged, rules.requirements)
    cells = [hidden[f"h_{i}"] for i in quasi]
    weights = [rules.star_cost(name) for name in rules.names]
    cost = sum((n * weight for n, weight in zip(cells, weights, strict=True)), Fraction(0))
    return Verdict(
        violations=(*violations, *classes.violations, *unmet_rules),
        requirements=tuple(reached),
        rows=released,
        classes=classes.count,
        smallest=classes.smallest,
        largest=classes.largest,
        outliers=classes.outliers,
        suppressed_cells=(sum(cells), sum(cells)),
        cost=(cost, cost),
    )


def verify_ranged_tables(
    engine: Engine,
    original: Side,
    released: Side,
    roles: Roles,
    rules: Rules,
    *,
    text: Collection[str],
    star: str,
) -> tuple[Violation, ...]:
    """Judge a release of ranges against its original, from the two tables alone; as `verify_tables`.

    `text` are the quasi-identifiers that were turned into text, and `star` is the star text. Raise `InputError` if the
    tables cannot be compared.
    """
    roles.check(original.names, quotable=original.quotable)
    found = compare_columns(original, released, roles)
    if any(v.rule.startswith("columns: missing") for v in found):
        return tuple(found)
    tables = alike(original, released, roles, engine, text=text, star=star)
    found += compare_rows(tables, engine, original, roles)
    found += recount_classes(engine, tables.released, tables.cells, tables.marks(), rules).violations
    asked = {name for model in rules.requirements for name in model.judged}
    judged = {name: (f"o{j}", f"o{j}") for j, name in enumerate(tables.others) if name in asked}
    found += recount_requirements(
        engine, tables.original, tables.released, tables.cells, judged, rules.requirements
    )[0]  # fmt: skip
    try:
        found += _unexplained(tables, engine, original, roles)
    except InputError:
        if not found:
            raise
    return tuple(found)


def _unexplained(tables: CommonCoding, engine: Engine, original: Side, roles: Roles) -> list[Violation]:
    """Return what no assignment of released to original rows can explain.

    Raise `InputError` above the limits of `incrowd.tables.verify.pairing.edges`. Every kind of released row is compared
    with every kind of original row of its block (equal other columns), most by one column: O(kinds x kinds) steps of
    about a nanosecond. Memory: a byte for each label and value of a column.
    """
    others = [f"o{j}" for j in range(len(tables.others))]
    made = []
    with engine.guard("comparing the release with the original"):
        one, two = (
            engine.keep(table.group_by([*tables.cells, *others]).aggregate(n=lambda r: r.count()))
            for table in (tables.original, tables.released)
        )
        made += [one, two]
        size = two.n.sum().over(group_by=tables.cells).cast("int64") if tables.cells else two.n
        two = two.mutate(size=size)
        names = roles.quasi_identifiers
        readings = [_reading(engine, one[f"q{j}"], two[f"q{j}"], name) for j, name in enumerate(names)]
        for j, reading in enumerate(readings):
            one, two = (_coded(engine, rows, j, reading) for rows in (one, two))
            two = two.mutate(**{f"v{j}": ibis.ifelse(tables.mark(two, j), STAR, two[f"v{j}"].fill_null(INVENTED))})
        if others:
            known = engine.keep(one.select(others).distinct().mutate(block=ibis.row_number()))
            made.append(known)
            known = known.rename({f"b{o[1:]}": o for o in others})
            gone = [f"b{o[1:]}" for o in others]
            one, two = (
                rows.left_join(known, [rows[o].identical_to(known[f"b{o[1:]}"]) for o in others]).drop(*gone)
                for rows in (one, two)
            )
        else:
            one, two = one.mutate(block=ibis.literal(0)), two.mutate(block=ibis.literal(0))
        codes = [f"v{j}" for j in range(len(names))]
        had = engine.fetch(one.select("n", "block", *codes))
        has = engine.fetch(two.select("n", "size", *codes, block=two.block.fill_null(-1)))
        for done in made:
            engine.drop(done)
    _, more = excess(tables, engine)
    found = [Violation(f"other columns: {column_in_words(original, roles, name)}", rows) for name, rows in more.items()]
    return found + _judged(had, has, codes, readings, names)


def _judged(
    had: pa.Table, has: pa.Table, codes: Sequence[str], readings: Sequence[Reading], names: Sequence[str]
) -> list[Violation]:
    rows, size, block = (has.column(name).to_numpy().astype(np.int64) for name in ("n", "size", "block"))
    shown = _stacked(has, codes)
    found = [
        Violation(f"invented value: {name}", int(rows[shown[:, j] == INVENTED].sum()))
        for j, name in enumerate(names)
        if (shown[:, j] == INVENTED).any()
    ]
    whole = (block >= 0) & (shown > INVENTED).all(axis=1)
    lost = int(rows[~whole].sum())
    smallest = size[~whole].min(initial=np.iinfo(np.int64).max)
    place = had.column("block").to_numpy().astype(np.int64)
    order = np.argsort(place, kind="stable")
    supply = had.column("n").to_numpy().astype(np.int64)[order]
    held = _stacked(had, codes)[order]
    first = np.searchsorted(place[order], np.arange(int(place.max(initial=0)) + 2)).astype(np.int64)
    takers = np.flatnonzero(whole)
    start, adjacent = _edges(held, first, shown[takers], block[takers], readings)
    short, without = unmet(supply, rows[takers], start, adjacent)
    lost += int(short.sum())
    if lost:
        smallest = size[takers][without].min(initial=smallest)
        found.append(Violation("faithful", lost, int(smallest)))
    return found


def _edges(
    held: NDArray[np.int32],
    first: NDArray[np.int64],
    shown: NDArray[np.int32],
    block: NDArray[np.int64],
    readings: Sequence[Reading],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return from each released kind the edges to the original kinds that it may come from."""
    probes = int((first[block + 1] - first[block]).sum())
    values = np.array([len(reading.values) for reading in readings], np.int64)
    cells = sum(len(reading.labels) * len(reading.values) for reading in readings)
    if probes > MOST_PROBES or cells > MOST_CELLS:
        raise InputError(
            f"looking for the original rows behind the ranges takes {probes:,} comparisons of different rows, more "
            f"than the {MOST_PROBES:,} that are tried; split both tables by a column that is never changed and verify "
            "the parts, or keep a column that tells more rows apart"
        )
    begin = np.zeros(len(readings), np.int64)
    stands = np.zeros(cells, np.bool_)
    at = 0
    for j, reading in enumerate(readings):
        begin[j] = at
        stands[at + reading.label * len(reading.values) + reading.value] = True
        at += len(reading.labels) * len(reading.values)
    degree = np.zeros(block.size, np.int64)
    _join(held, first, shown, block, values, begin, stands, degree, np.empty(0, np.int32))
    start = np.concatenate(([0], np.cumsum(degree))).astype(np.int64)
    if start[-1] > MOST_EDGES:
        raise InputError("the ranges of the release overlap so much that its rows cannot be told apart; verify a part")
    adjacent = np.empty(int(start[-1]), np.int32)
    _join(held, first, shown, block, values, begin, stands, start[:-1].copy(), adjacent)
    return start, adjacent


@njit(cache=True, nogil=True)
def _join(held, first, shown, block, values, begin, stands, at, adjacent):
    """Count the hits of each released kind in `at`, or write them from ``adjacent[at[r]]`` on."""
    m = shown.shape[1]
    write = adjacent.size > 0
    for r in range(block.size):
        for o in range(first[block[r]], first[block[r] + 1]):
            fits = True
            for j in range(m):
                code = shown[r, j]
                if code < 0:
                    continue
                if code < values[j]:
                    fits = held[o, j] == code
                else:
                    fits = stands[begin[j] + (code - values[j]) * values[j] + held[o, j]]
                if not fits:
                    break
            if fits:
                if write:
                    adjacent[at[r]] = o
                at[r] += 1


def _reading(engine: Engine, original: ir.Value, released: ir.Value, name: str) -> Reading:
    """Return the labels of a released column; its values leave the engine, and go no further."""
    before, after = (
        engine.fetch(column.name("v").as_table().distinct()).column("v").to_pylist() for column in (original, released)
    )
    return read_labels(before, after, name)


def _coded(engine: Engine, rows: ir.Table, j: int, reading: Reading) -> ir.Table:
    """Add the number of cell j as ``v{j}``: values of the original first, labels after them."""
    texts = pa.array([*reading.values, *reading.labels], pa.string())
    table = engine.put(pa.table({f"t{j}": texts, f"v{j}": pa.array(range(len(texts)), pa.int32())}))
    return rows.left_join(table, rows[f"q{j}"].identical_to(table[f"t{j}"])).drop(f"t{j}")


def _stacked(table: pa.Table, codes: Sequence[str]) -> NDArray[np.int32]:
    out = np.empty((table.num_rows, len(codes)), np.int32)
    for j, name in enumerate(codes):
        out[:, j] = table.column(name).to_numpy()
    return out
