"""What a table holds of each value of its quasi-identifiers, for costs that look at it; counted in the engine."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from incrowd.errors import PolicyError
from incrowd.tables.workload import named_workload, read_workload

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted, Spec
    from incrowd.tables.table import Opened


MOST_PAIRS = 10**6  # of a value and a target's value
EVERY_COLUMN = ("entropy", "workload")  # costs that look at the values of columns without a hierarchy too
LABELS_ALONE = ("ncp",)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnCounts:
    """What a workload asks of a column of a table, by the lines of its hierarchy.

    `counting`: weights of the workload's queries that count rows by this column, added up. `telling`: tuple of
    (Fraction, tuple of mapping), for each query with a target its weight, and per line the rows by the target's values,
    which are numbered.
    """

    counting: Fraction
    telling: tuple[tuple[Fraction, tuple[Mapping[int, int], ...]], ...]


@dataclass(frozen=True, slots=True)
class ValuesAlone:
    """The hierarchy of a column that has none: its values, and the star."""

    def lines(self, values: Sequence[str], *, complete: bool = False) -> tuple[tuple[str, ...], ...]:
        """Return one line a value; none is ever missing."""
        return tuple((value,) for value in values)


def looks_at_table(cost: str) -> bool:
    """Return whether a cost, as a policy names it, depends on what the table holds."""
    return cost.partition(":")[0] in (*EVERY_COLUMN, *LABELS_ALONE)


def with_values_alone(cost: str, names: Sequence[str], specs: Sequence[tuple[str, Spec]]) -> list[tuple[str, Spec]]:
    """Return hierarchies by column, and where a cost looks at every column's values also one for each that has none.

    `cost` is as a policy names it, and `names` are the quasi-identifiers.
    """
    more = [name for name in names if name not in dict(specs)] if cost.partition(":")[0] in EVERY_COLUMN else []
    return [*specs, *((name, cast("Spec", ValuesAlone())) for name in more)]


def count_columns(
    engine: Engine,
    opened: Opened,
    cost: str,
    names: Sequence[str],
    hierarchies: Mapping[str, Fitted],
) -> dict[str, ColumnCounts]:
    """Return what a workload asks of every column that has a hierarchy; nothing of any other cost.

    `opened` is the original table, `names` are its quasi-identifiers, and `cost` is as a policy names it. The file of a
    workload is read here, and its targets are counted beside the columns of their queries. There is one GROUP BY per
    column and target; what is fetched are the distinct values. Raises PolicyError or InputError if a column and a
    target have more than a million pairs of values, or the workload is none or names columns that there are not.
    """
    file = named_workload(cost)
    if file is None:
        return {}
    queries = read_workload(file, names, opened.names)
    out = {}
    for name, fitted in hierarchies.items():
        values = [line[0] for line in fitted.shown]
        asked = [query for query in queries if name in query.columns]
        named = dict.fromkeys(query.target for query in asked if query.target is not None)
        targets = {target: _beside(engine, opened, name, target) for target in named}
        out[name] = ColumnCounts(
            counting=sum((query.weight for query in asked if query.target is None), Fraction(0)),
            telling=tuple(
                (query.weight, tuple(targets[query.target].get(value, {}) for value in values))
                for query in asked
                if query.target is not None
            ),
        )
    return out


def _beside(engine: Engine, opened: Opened, name: str, target: str) -> dict[str | None, dict[int, int]]:
    """Return per value of a column its rows by the values of a target, which are numbered."""
    texts = {f"v{i}": engine.text(opened.data[opened.ids[column]]) for i, column in enumerate((name, target))}
    with engine.guard("counting values for the cost"):
        lines = opened.data.select(**texts).group_by(list(texts)).aggregate(n=lambda rows: rows.count())
        found = engine.fetch(lines.limit(MOST_PAIRS + 1))
    if found.num_rows > MOST_PAIRS:
        raise PolicyError(f"columns {name!r} and {target!r} of the workload have too many pairs of values")
    numbers: dict[str | None, int] = {}
    out: dict[str | None, dict[int, int]] = {}
    for value, other, n in zip(*(found.column(key).to_pylist() for key in (*texts, "n")), strict=True):
        out.setdefault(value, {})[numbers.setdefault(other, len(numbers))] = n
    return out
