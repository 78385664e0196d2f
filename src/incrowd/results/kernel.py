"""The kernel of a table: fewer equal rows, the same least cost, and the way back from its releases."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as compute

from incrowd.errors import InputError, count_of
from incrowd.report.document import Card, Document, Verdict
from incrowd.report.result import Shown
from incrowd.results.release import Release

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, eq=False)
class Kernel(Shown):
    """A smaller table with the same least cost of a release.

    Attributes
    ----------
    table : frame or Arrow table
        The kernel, as the kind of table that came in (an Arrow table where a file came in), its rows in an order that
        says nothing about the input's. As in a release, identifiers are gone and quasi-identifiers that the mask could
        change are texts.
    taken : Arrow table
        The rows that were taken away, k equal ones at a time.
    facts : dict
        ``rows_before``, ``rows``, ``row_types`` (as many as before) and ``most_copies``: the copies of a row type that
        stay at most, 2 k^2 2^m (with hierarchies the number of level vectors for 2^m).

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", Algorithm 1, Lemmas 2, 3.
    """

    table: Any
    taken: pa.Table
    facts: Mapping[str, int]

    def __repr__(self) -> str:
        return f"<Kernel of {self.facts['rows']:,} of {count_of(self.facts['rows_before'], 'row')}>"

    def document(self, *, paper: bool = False) -> Document:
        """Return what every door shows of it."""
        rows, before = self.facts["rows"], count_of(self.facts["rows_before"], "row")
        headline = (
            "A release of the kernel leads to one of the table at the same cost (back); the least cost is the same."
        )
        cards = [
            Card(f"{rows:,}", "rows of the kernel", f"of {before}"),
            Card(f"{self.facts['row_types']:,}", "different rows, as many as before"),
            Card(f"{self.facts['most_copies']:,}", "copies of a row at most"),
        ]
        return Document(f"Kernel of {before}", [], Verdict("told", headline), cards)

    def back(self, released: Any) -> pa.Table:
        """Return a release of the table that a release of the kernel leads to: with the rows taken away, as they are.

        It costs what the kernel's release costs, and every class of it has k rows if every class of that has: the rows
        that come in show themselves, k equal ones or more. So the kernel's optimum leads to one of the table.

        Parameters
        ----------
        released : Release, Arrow table, pandas or polars frame
            A release of `table` under the same policy, with its columns in their order.

        Returns
        -------
        Arrow table
            Ordered by its content, which says nothing about the input's order. Hold it against the original by
            `incrowd.verify`.

        Raises
        ------
        InputError
            If it has other columns, or another number of rows, than the kernel.

        Notes
        -----
        O(n log n) time for n rows.
        """
        rows = _decoded(_arrow(released))
        if rows.column_names != self.taken.column_names:
            raise InputError("this is no release of the kernel: it has other columns, or in another order")
        if rows.num_rows != self.facts["rows"]:
            raise InputError(
                f"this is no release of the kernel: it has {count_of(rows.num_rows, 'row')}, the kernel has "
                f"{count_of(self.facts['rows'], 'row')}"
            )
        try:
            both = pa.concat_tables([rows, _decoded(self.taken)], promote_options="permissive")
        except pa.ArrowException:
            raise InputError("this is no release of the kernel: its columns have other types") from None
        return _by_content(both)


def _arrow(released: Any) -> pa.Table:
    if isinstance(released, Release):
        released = released.table
    if isinstance(released, pa.Table):
        return released
    if type(released).__module__.partition(".")[0] == "pandas":
        return pa.Table.from_pandas(released, preserve_index=False).replace_schema_metadata(None)
    if hasattr(released, "to_arrow"):
        made = released.to_arrow()
        return made if isinstance(made, pa.Table) else pa.table(made)
    raise InputError("back takes a release, an Arrow table, or a frame of pandas or polars")


def _decoded(table: pa.Table) -> pa.Table:
    """Return a table whose columns hold their values, none of them places in a list of values."""
    for j, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(j, field.name, table.column(j).cast(field.type.value_type))
    return table


def _by_content(table: pa.Table) -> pa.Table:
    """Return a table sorted by all columns that can be sorted."""
    keys = {}
    for j, column in enumerate(table.columns):
        with contextlib.suppress(pa.ArrowException):  # a list, for one, has no order
            compute.sort_indices(column.slice(0, 1))
            keys[f"c{j}"] = column
    if not keys:
        return table
    order = compute.sort_indices(pa.table(keys), sort_keys=[(name, "ascending") for name in keys])
    return table.take(order)
