"""Edge Partition into Triangles of a tripartite graph: what its two reductions to l-diversity share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.hardness.draw import named_setting, refuse_unknown, until
from incrowd.hardness.problems.graph import TRIPARTITE_GRAPH
from incrowd.hardness.problems.limits import refuse_cells
from incrowd.hardness.questions.graphs import TRIANGLES
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.sources.edge_partition import TRIPARTITE, Tripartite, balanced, planted_triangles
from incrowd.hardness.triangles_stars import edges_of, incidence, right
from incrowd.hardness.values import Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["TripartiteReduction", "drawn_tripartite", "instance_of"]


def drawn_tripartite(seed: int, size: int, *, no: bool) -> Tripartite:
    """Return a drawn tripartite graph that can be cut into triangles, or (with `no`) that cannot.

    `size` is the number of triangles, three edges each. PolicyError is raised if no draw of that size has the answer.
    """
    draw = balanced if no else planted_triangles
    return until(
        seed,
        lambda rng: draw(rng, size),
        lambda made: (made.partition() is None) == no,
        "a no-instance" if no else "a yes-instance",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TripartiteReduction(Reduction):
    """What both reductions from tripartite graphs share: their parameters and how a source problem is drawn.

    Parameters
    ----------
    size : int
        Triangles of the source graph, three edges each.
    named : str or None
        A graph of `TRIPARTITE` in place of a random one.
    seed, no, solve
        As of `Reduction`.
    """

    size: int = setting(6, "triangles: three edges each", "integer", least=1, metavar="N")
    named: str | None = named_setting(TRIPARTITE)

    problem = TRIPARTITE_GRAPH
    asks = TRIANGLES

    def check(self) -> None:
        """Refuse unknown names, and a no-instance where there is none."""
        refuse_unknown(self.named, TRIPARTITE)
        if self.no and self.named is None and self.size < 2:
            raise PolicyError("a no-instance needs a size of at least 2")

    def build(self) -> Instance:
        """Return the instance of a named graph, of planted triangles, or of a graph that has no partition."""
        if self.named is not None:
            return right(self.forward(TRIPARTITE[self.named]), no=self.no, named=self.named)
        return self.forward(drawn_tripartite(self.seed, self.size, no=self.no))

    def of(self, source: Tripartite) -> Instance:
        """Return the instance of a tripartite graph with an edge between any two classes."""
        return self.forward(source, solve=self.solve)

    @classmethod
    def forward(cls, source: Tripartite, *, solve: bool = True) -> Instance:
        """Return the instance of a tripartite graph.

        Parameters
        ----------
        source : Tripartite
            With an edge between any two classes.
        solve : bool
            Look for a partition; otherwise the answer stays open.

        Raises
        ------
        NotImplementedError
            Always: every reduction gives its own.
        """
        raise NotImplementedError


def instance_of(
    kind: type[TripartiteReduction],
    source: Tripartite,
    sensitive: Mapping[str, Sequence[str]],
    require: Sequence[Mapping[str, Any]],
    *,
    solve: bool = True,
) -> Instance:
    """Return the instance with some sensitive columns (name -> value per edge) and requirements.

    `kind` gives the instance its name, theorem and paper. `sensitive` holds per sensitive column m values, in the order
    of the source's m edges, and `require` the ``require`` tables of the policy. Without `solve` no partition is looked
    for, and the answer stays open; it is found by an integer program with one variable per triangle, without a time
    limit. PolicyError is raised if some two classes have no edge between them: then no release meets the requirements.
    """
    if len(set(source.kinds())) < 3:
        raise PolicyError("there must be an edge between any two classes; otherwise no release is diverse")
    refuse_cells(len(source.graph.edges), source.graph.nodes)
    bare = incidence(source.graph)
    rows = tuple((*row, *values) for row, values in zip(bare.rows, zip(*sensitive.values(), strict=True), strict=True))
    table = Table(quasi_identifiers=bare.quasi_identifiers, sensitive=tuple(sensitive), rows=rows)
    found = source.partition() if solve else None
    policy: dict[str, Any] = {
        "quasi_identifiers": list(table.quasi_identifiers),
        "sensitive": list(table.sensitive),
        "k": 3,
        "outliers": "forbid",
        "require": [dict(one) for one in require],
    }
    return Instance(
        name=kind.name,
        kind="table",
        question="is there a release with at most the threshold's stars (an edge partition into triangles)?",
        threshold=3 * len(rows),
        yes=found is not None if solve else None,
        optimum=None if found is None else 3 * len(rows),
        theorem=kind.theorem,
        paper=kind.paper,
        source=source,
        backward=lambda released: edges_of(table, released),
        policy=policy,
        table=table,
        witness=found,
        more={"nodes": source.graph.nodes, "edges": len(rows)},
        asks=TRIANGLES,
    )
