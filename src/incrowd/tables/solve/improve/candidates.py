"""The instances that a search may open, and the way from row types to its classes of types and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.search import anneal
from incrowd.kernels.search import anneal as anneal_moves
from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.shared.instances import Instances, extents
from incrowd.tables.solve.shared.partial_plan import joined
from incrowd.tables.solve.shared.row_assignment import closed, rows_in

if TYPE_CHECKING:
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int32, Int64, Plan, Problem


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Instances over classes of types: types that agree with the same candidates are one class.

    `instances`: over the original types, cheapest first, free ones last. `reduced`: the same over the classes. `label`:
    (t,) int32, class of each type. `lists`: the same instances over the classes, as the kernels read them. `rc`: (g,)
    float64, reduced costs. `rows`: (q,) int64, the release to start from: rows per pair of the lists.
    """

    instances: Instances
    reduced: Instances
    label: Int32
    lists: anneal.Lists
    classes: int
    rc: Float64
    rows: Int64

    def parts(self, rows: Int64) -> tuple[Int64, Int32, Int64]:
        """Return rows per pair of the lists as parts of a plan: the type, the instance and the rows of each.

        The `rows` have shape (p,). O(t + pairs) log time. The rows of a class and those of its pairs are laid on the
        same line; every piece between two marks belongs to one type and one instance.
        """
        used = np.flatnonzero(rows > 0)
        used = used[np.argsort(self.lists.members[used], kind="stable")]
        types = np.argsort(self.label, kind="stable")
        by_pair, by_type = np.cumsum(rows[used]), np.cumsum(self.instances.counts[types])
        marks = np.union1d(by_pair, by_type)
        lengths = np.diff(marks, prepend=0)
        classes = self.lists.owners[used][np.searchsorted(by_pair, marks)]
        return types[np.searchsorted(by_type, marks)].astype(np.int64), classes, lengths.astype(np.int64)

    def plan(self, problem: Problem, encoded: ProblemArrays, rows: Int64) -> Plan:
        """Return the plan for rows per pair of the lists, each type's share in the order of types."""
        types, classes, lengths = self.parts(rows)
        owners, class_ = np.unique(classes, return_inverse=True)
        vectors = np.ascontiguousarray(self.instances.vectors[owners])
        return tidy(problem, encoded, joined(problem, vectors, types, class_.reshape(-1), lengths))


def tidy(problem: Problem, encoded: ProblemArrays, plan: Plan) -> Plan:
    """Return the plan with every class at the cheapest allowed levels at which its rows agree; never dearer."""
    vectors, _ = closed(problem, plan, encoded)
    closer = joined(problem, vectors, plan.part_type, plan.part_class, plan.part_rows)
    return closer if closer.cost(problem) <= plan.cost(problem) else plan


def gather(
    problem: Problem,
    encoded: ProblemArrays,
    plan: Plan,
    stored: Instances,
    priced: Float64,
    limit: float,
    most_pairs: int,
) -> Candidates:
    """Return the stored instances with a reduced cost up to a limit, and those of a plan.

    The `plan` is the release to start from. The prices `priced`, of shape (t,) and in scaled cost units, say what a
    reduced cost is. Where there are more than `most_pairs` pairs, the instances with the largest reduced costs are left
    out.
    """
    own = extents(problem, encoded, *closed(problem, plan, encoded))
    rc = lagrangian.reduced_costs(stored, priced)
    keep = stored.nearest(np.where(stored.needs > 0, rc, np.inf), most_pairs, limit) | (stored.needs == 0)
    instances, _ = own.union(stored.only(keep)).cheapest_first()
    rows = rows_in(problem, encoded, instances, plan)
    assert rows is not None, "the plan's instances are listed"
    return candidates_over(instances, rows, priced)


def candidates_over(instances: Instances, rows: Int64, priced: Float64) -> Candidates:
    """Return instances as candidates, with equal types merged.

    The instances stand cheapest first, with the members of each increasing. `rows` is (p,): the rows per pair of a
    release over them. The prices `priced`, of shape (t,) and in scaled cost units, say what a reduced cost is.
    """
    rc = lagrangian.reduced_costs(instances, np.minimum(priced, lagrangian.price_caps(instances)))
    begins, which, _ = instances.by_type
    label: Int32 = anneal_moves.merge_types(begins, which, instances.counts)
    classes = int(label.max(initial=-1)) + 1
    first = np.zeros(instances.t, np.bool_)
    first[np.unique(label, return_index=True)[1]] = True
    kept = first[instances.members]
    lengths = np.bincount(instances.owners[kept], minlength=instances.size)
    reduced = Instances(
        instances.vectors, instances.costs, instances.needs,
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64), label[instances.members[kept]],
        np.bincount(label, weights=instances.counts, minlength=classes).astype(np.int64), instances.suppressed,
    )  # fmt: skip
    turned = reduced.by_type
    lists = anneal.Lists(reduced.begins, reduced.members, reduced.owners, reduced.costs, reduced.needs, *turned)
    keys = reduced.owners.astype(np.int64) * classes + reduced.members
    asked = instances.owners.astype(np.int64) * classes + label[instances.members]
    held = added_up(np.searchsorted(keys, asked), rows, reduced.pairs)
    return Candidates(instances, reduced, label, lists, classes, rc, held)
