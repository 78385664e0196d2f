"""t-closeness: in every group the sensitive values are spread much as in the whole table."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from incrowd.errors import PolicyError
from incrowd.settings import fraction_text, setting
from incrowd.tables.models import distances
from incrowd.tables.models.closeness import LineClose, TransportClose, TreeClose
from incrowd.tables.models.distance_file import named_file, read_distances
from incrowd.tables.models.requirement import SensitiveModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain

__all__ = ["TCloseness"]

KINDS = ("equal", "ordered", "numeric", "hierarchical")


@final
@dataclass(frozen=True, slots=True)
class TCloseness(SensitiveModel):
    """The earth mover's distance from every group's values to the whole table's is at most t.

    Parameters
    ----------
    t : number
        From 0 to 1.
    column : str
        The sensitive column.
    distance : {"equal", "ordered", "numeric", "hierarchical"}, matrix, or path of a CSV file
        How far apart two values are, at most 1:

        - equal: any two values 1;
        - ordered: ranks in the sorted domain, |i - j| / (m - 1): numbers if all values are, else text by UTF-8
          bytes, or as `order` has them;
        - numeric: |x - y| / range;
        - hierarchical: height of the lowest common ancestor / height of the tree in `hierarchy`;
        - a matrix over the values in that order: a metric with maximum 1;
        - a file with such a matrix, ``FILE.csv`` or ``matrix:FILE``, whose header and first column name the values.
    rescale : bool
        Divide the matrix by its maximum.
    order : sequence of str, optional
        All values in their order, for ``"ordered"`` and a matrix.
    hierarchy : path or lines, optional
        For ``"hierarchical"``: one line a value, from the value to the root, as in ARX's CSV.

    Raises
    ------
    PolicyError
        For a t out of range or a matrix that is no metric; when bound, for values that the distance cannot measure
        (NULL, or text for ``"numeric"``).

    Notes
    -----
    The reference is the whole table, suppressed rows and all. Closed under union, for the distance is convex.
    Decided in integers. Closed forms for all but a matrix: O(values log values) per group; a matrix takes a
    transportation problem per group, about O(d^3) for d values.

    References
    ----------
    N. Li, T. Li, S. Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and l-Diversity", ICDE 2007; the
    metric space as in H. Liang, H. Yuan, DASFAA 2013, Section 2.1.
    """

    t: Fraction = setting(
        dataclasses.MISSING, "how far a class may be from the whole table", "fraction", least=0, most=1, metavar="X"
    )
    column: str = setting(dataclasses.MISSING, "the sensitive column", "text")
    distance: str | tuple[tuple[Fraction, ...], ...] = setting(
        "equal", "how far apart two values are: " + ", ".join(KINDS) + ", a matrix or its CSV file", "distance"
    )
    rescale: bool = setting(False, "divide the matrix by its maximum", "flag")
    order: tuple[str, ...] = setting((), "all values in their order", "list")
    hierarchy: tuple[tuple[str, ...], ...] = setting((), "the tree of the values: a CSV file or its lines", "distance")

    name = "t-closeness"
    cites = ("LiLiVenkatasubramanian2007",)
    summary = "sensitive values of every class spread as in the whole table, up to t"

    def __post_init__(self) -> None:
        self.cleaned()
        named = named_file(self.distance)
        if named is not None and named[0] == "matrix":
            if self.order:
                raise PolicyError(
                    f"t-closeness of {self.column!r}: a file of distances names its values; leave out order"
                )
            values, matrix = read_distances(named[1], rescale=self.rescale)
            object.__setattr__(self, "order", values)
            object.__setattr__(self, "distance", matrix)
        elif isinstance(self.distance, str):
            distances.refuse_unknown(self.distance, KINDS)
        else:
            object.__setattr__(self, "distance", distances.metric(self.distance, rescale=self.rescale))
        object.__setattr__(self, "hierarchy", distances.tree_lines(self.hierarchy))
        if (self.distance == "hierarchical") != bool(self.hierarchy):
            raise PolicyError(
                f"t-closeness of {self.column!r}: distance='hierarchical' and hierarchy (a CSV file, one line a value) "
                "go together"
            )
        if self.rescale and isinstance(self.distance, str):
            raise PolicyError(f"rescale divides a matrix; distance={self.distance!r} needs none")
        if self.order and self.distance not in ("ordered",) and isinstance(self.distance, str):
            raise PolicyError(f"order belongs to distance='ordered' or a matrix, not to {self.distance!r}")
        if len(set(self.order)) < len(self.order):
            raise PolicyError(f"order of t-closeness of {self.column!r} has a value twice: name each once")

    def describe(self) -> str:
        """Return the requirement in words."""
        kind = self.distance if isinstance(self.distance, str) else "given"
        return (
            f"t-closeness of {self.column} with t={fraction_text(self.t)}, {kind} distance: every class at most that "
            "far from the whole table"
        )

    @classmethod
    def probes(cls, column: str, values: Sequence[str | None]) -> tuple[TCloseness, ...]:
        """Return the forms that an audit measures on a column with these values."""
        zero = Fraction(0)
        ordered = () if None in values else (cls(zero, column, "ordered"),)
        numeric = (cls(zero, column, "numeric"),) if distances.are_numbers(values) else ()
        return (cls(zero, column), *ordered, *numeric)

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table.

        Raises
        ------
        PolicyError
            If the distance cannot measure the column's values.
        """
        values = domain.values[domain.column(self.column)]
        parts: dict[str, Any] = TreeClose.parts(self, domain)
        if self.distance == "equal":
            return TreeClose.on(t=self.t, nodes=distances.apart(len(values)), **parts)
        if self.distance == "hierarchical":
            return TreeClose.on(t=self.t, nodes=distances.tree(values, self.hierarchy, self.column), **parts)
        if self.distance == "ordered":
            places, steps = distances.ranks(values, self.order, self.column)
            return LineClose.on(t=self.t, places=places, steps=steps, **parts)
        if self.distance == "numeric":
            places, steps = distances.numbers(values, self.column)
            return LineClose.on(t=self.t, places=places, steps=steps, **parts)
        assert not isinstance(self.distance, str)
        costs, scale = distances.costs(values, self.distance, self.order, self.column)
        return TransportClose(t=self.t, costs=costs, scale=scale, **parts)
