"""Who is in two tables at once, by a column that names people: their keys in either one, and what they are like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from incrowd.errors import InputError, count_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine

__all__ = ["Both", "people_in_both"]


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """The people of two tables.

    Attributes
    ----------
    rows : ibis table
        A row for everybody who is in both: ``a0``, ``a1``, ... their key in the first, ``b0``, ... in the second,
        ``s0``, ... their sensitive values in the first.
    people : int
        How many they are.
    changed : int
        Of how many of them a column that no release changes differs between the tables.
    """

    rows: ir.Table
    people: int
    changed: int


def people_in_both(
    engine: Engine,
    tables: Sequence[tuple[ir.Table, Mapping[str, str]]],
    person: str,
    keys: Sequence[str],
    kept: Sequence[str],
    sensitive: Sequence[str],
) -> Both:
    """Return who is in two tables.

    The engine holds both tables, which are two originals, each with the engine's name of each column by the user's.
    `person` is the column that names people, once each. `keys` are shared quasi-identifiers, `kept` shared columns that
    no release changes, and `sensitive` those of them that are sensitive. InputError is raised if a column is missing,
    or names somebody twice. It takes one GROUP BY a table and one join; people without a name are in neither.
    """
    sides = []
    for number, (rows, columns) in enumerate(tables):
        which = "original" if number == 0 else "original of the other release"
        for name in (person, *keys):
            if name not in columns:
                raise InputError(f"the {which} has no column {name!r}; people are told apart and held together by it")
        held = [name for name in kept if name in columns]
        with engine.guard("counting people"):
            short = {"who": engine.text(rows[columns[person]])}
            short |= {f"k{j}": engine.text(rows[columns[name]]) for j, name in enumerate(keys)}
            short |= {f"c{kept.index(name)}": engine.text(rows[columns[name]]) for name in held}
            one = rows.select(**short).filter(lambda table: table.who.notnull())
            times = one.group_by("who").aggregate(n=lambda table: table.count().cast("int64"))
            twice = int(
                engine.fetch(times.filter(times.n > 1).aggregate(n=lambda table: table.count()))["n"][0].as_py()
            )
        if twice:
            raise InputError(
                f"{person!r} names {count_of(twice, 'person')} in several rows of the {which}; people are "
                "counted where each has one row"
            )
        sides.append((one, {name: f"c{kept.index(name)}" for name in held}))
    (first, own), (second, other) = sides
    left = first.rename({f"a_{name}": name for name in first.columns})
    right = second.rename({f"b_{name}": name for name in second.columns})
    joined = left.inner_join(right, left.a_who == right.b_who)
    chosen = {f"a{j}": joined[f"a_k{j}"] for j in range(len(keys))}
    chosen |= {f"b{j}": joined[f"b_k{j}"] for j in range(len(keys))}
    chosen |= {f"s{j}": joined[f"a_{own[name]}"] for j, name in enumerate(sensitive) if name in own}
    both = [(joined[f"a_{own[name]}"], joined[f"b_{other[name]}"]) for name in kept if name in own and name in other]
    differ = reduce(or_, (~a.identical_to(b) for a, b in both)) if both else joined.a_who.isnull()
    with engine.guard("counting people"):
        told = joined.aggregate(n=joined.count().cast("int64"), changed=differ.sum().cast("int64"))
        counted = engine.fetch(told)
    changed = counted["changed"][0].as_py()
    return Both(joined.select(**chosen), int(counted["n"][0].as_py()), int(changed or 0))
