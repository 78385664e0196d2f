"""A released table as an attacker reads it: its classes, by one GROUP BY in the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.tables.attack.domains import column_domain, hierarchy_lines
from incrowd.tables.attack.values import AttackColumn, Released
from incrowd.tables.column_counts import looks_at_table
from incrowd.tables.usefulness.coded_tables import coded_rows
from incrowd.tables.values import Domain, Levels, Sensitive
from incrowd.tables.verify.release.costs import read_levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.attack.domains import ColumnDomain
    from incrowd.tables.attack.terms import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Int8, Int32, Int64

__all__ = ["read_release"]

BY_LEVEL = ("cells", "levels")  # costs that do not look at how many values a label stands for
NOBODY = "no value is shown"  # stands for the values of a column that shows none; never printed


def read_release(engine: Engine, rows: ir.Table, columns: Mapping[str, str], asked: Asked) -> Released:
    """Return a release by its classes.

    The engine holds the release, and `rows` are the released rows. `columns` is the engine's name of each column of the
    release by the user's, and `asked` is the policy that the release was made under. InputError or PolicyError is
    raised if a column is missing, or shows what the policy does not explain. It takes one GROUP BY over the rows; what
    is kept grows with the classes, and with the sensitive combinations in each where something is required of them.
    """
    names, star = asked.names, asked.star
    judged = tuple(dict.fromkeys(column for model in asked.requirements for column in model.judged))
    missing = [name for name in (*names, *judged) if name not in columns]
    if missing:
        where = "--qi" if missing[0] in names else "--sensitive"
        raise InputError(
            f"the release has no column {missing[0]!r}; name its columns as the policy does, or mend {where}"
        )
    with engine.guard("counting the classes of the release"):
        short = {f"q{j}": engine.text(rows[columns[name]]) for j, name in enumerate(names)}
        short |= {f"s{j}": engine.text(rows[columns[name]]) for j, name in enumerate(judged)}
        grouped = rows.select(**short).group_by(list(short)).aggregate(n=lambda r: r.count().cast("int64"))
        codes, counts, texts = coded_rows(engine.fetch(grouped), list(short))
    if not counts.size:
        raise InputError("the release has no rows")
    unknown = sorted(set(asked.domains) - set(names))
    if unknown:
        raise PolicyError(f"a domain is given for {unknown[0]!r}, which is not among the quasi-identifiers")
    found = {
        name: column_domain(
            name, texts[j], star=star, spec=asked.hierarchies.get(name), fitted=asked.fitted.get(name),
            domain=asked.domains.get(name), complete=asked.complete, encoding=asked.encoding,
        )
        for j, name in enumerate(names)
    }  # fmt: skip
    return _released(asked, found, codes, counts, texts, judged)


def _released(
    asked: Asked,
    domains: Mapping[str, ColumnDomain],
    codes: Int32,
    counts: Int64,
    texts: Sequence[tuple[str | None, ...]],
    judged: tuple[str, ...],
) -> Released:
    names, m = asked.names, len(asked.names)
    values = [domains[name].values or (NOBODY,) for name in names]
    made = [name for name in names if domains[name].made == "labels"]
    told = not looks_at_table(asked.cost)
    known = told and (not made or asked.cost in BY_LEVEL)
    notes: tuple[str, ...] = ()
    if told and not known:
        notes = (
            f"the cost looks at how many values a label of {', '.join(made)} stands for, which no release tells: "
            "nothing is inferred from costs; --domain lists the values, or --cost cells does without them",
        )
    hierarchies = hierarchy_lines(domains)
    bound = {name: (one, np.arange(len(one.hierarchy.lines), dtype=np.int64)) for name, one in hierarchies.items()}
    levels, scale = read_levels(
        asked.cost if known else "cells", names, [len(v) for v in values], bound, asked.weights,
        rows=int(counts.sum()),
    )  # fmt: skip
    starts = np.ones(len(codes), np.bool_)
    starts[1:] = (codes[1:, :m] != codes[:-1, :m]).any(axis=1)
    unit_class = (np.cumsum(starts) - 1).astype(np.int32)
    sizes = np.zeros(int(starts.sum()), np.int64)
    np.add.at(sizes, unit_class, counts)
    shown = codes[starts][:, :m]
    level, rep = np.zeros(shown.shape, np.int8), np.zeros(shown.shape, np.int32)
    columns = []
    for j, name in enumerate(names):
        at, value = _places(domains[name], values[j], texts[j], asked.star, levels[j])
        level[:, j], rep[:, j] = at[shown[:, j]], value[shown[:, j]]
        plain = np.zeros(len(values[j]), np.int64)
        kept = level[:, j] == 0
        np.add.at(plain, rep[kept, j], sizes[kept])
        closed = domains[name].closed and bool(domains[name].values)
        columns.append(AttackColumn(name, tuple(values[j]), closed, levels[j], plain))
    patterns = asked.mask.compile(names, [column.levels.height for column in columns])
    kinds, requirements = _required(asked, judged, codes[:, m:], counts, texts[m:])
    limit = asked.suppression_limit
    return Released(
        columns=tuple(columns), levels=level, reps=rep, sizes=sizes, unit_class=unit_class, unit_kind=kinds,
        unit_rows=counts, k=asked.k, outliers=asked.outliers, patterns=patterns, scale=scale,
        requirements=requirements, most_suppressed=None if limit is None else int(limit * int(counts.sum())),
        costs_known=known, notes=notes, made=tuple(made),
    )  # fmt: skip


def _places(
    domain: ColumnDomain, values: Sequence[str | None], labels: Sequence[str | None], star: str | None, levels: Levels
) -> tuple[Int8, Int32]:
    """Return level and a value below for each label of the release: the lowest level at which the label stands."""
    place: dict[str | None, tuple[int, int]] = {value: (0, i) for i, value in enumerate(values)}
    if domain.fitted is not None:
        lines = domain.fitted.shown()
        for level in range(1, levels.height):
            for i, line in enumerate(lines):
                place.setdefault(line[level], (level, i))
    place[star] = (levels.height, 0)  # a star is what the policy calls one, whatever else it spells
    found = [place[label] for label in labels]
    return np.array([at for at, _ in found], np.int8), np.array([value for _, value in found], np.int32)


def _required(
    asked: Asked, judged: tuple[str, ...], codes: Int32, counts: Int64, texts: Sequence[tuple[str | None, ...]]
) -> tuple[Int32, tuple[Requirement, ...]]:
    """Return the combination of sensitive values of each unit, and the requirements bound to them."""
    if not judged:
        return np.zeros(len(codes), np.int32), ()
    kinds, which = np.unique(codes, axis=0, return_inverse=True)
    which = which.reshape(-1)
    rows: NDArray[np.int64] = np.bincount(which, weights=counts, minlength=len(kinds)).astype(np.int64)
    sensitive = Sensitive(kinds.astype(np.int32), judged, tuple(len(text) for text in texts))
    domain = Domain(sensitive, tuple(tuple(text) for text in texts), rows)
    return which.astype(np.int32), tuple(model.bind(domain) for model in asked.requirements)
