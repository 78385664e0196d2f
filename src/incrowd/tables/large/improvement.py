"""A cheaper plan portion by portion: what fits in memory is given to the solvers that ever had it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.tables.large.instances import whole
from incrowd.tables.large.leftovers import Settled
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.portion import PortionSearch
from incrowd.tables.large.portions import joined_up, portioned
from incrowd.tables.large.queries import Cut, stoppable
from incrowd.tables.solve.shared.time_share import TimeShare

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir

    from incrowd.progress import Watch
    from incrowd.tables.large.instances import Instances
    from incrowd.tables.large.portion import Anew
    from incrowd.tables.large.portions import Portions
    from incrowd.tables.solve.auto import Auto
    from incrowd.tables.solve.improve.improve import Improve

__all__ = ["TOO_MANY", "Improved", "Mixture", "improved"]

TOO_MANY = 2  # portions of more than so many times what was asked are left as they are


@dataclass(frozen=True, slots=True, eq=False)
class Improved:
    """What became of a plan.

    Attributes
    ----------
    plan : Settled
    bound : int
        What any release costs at least, scaled; 0 where the portions say nothing of that.
    portions, seen, lowered : int
        How many there are, how many there was time for, and how many cost less now.
    note : str
        What to tell the user besides.
    """

    plan: Settled
    bound: int
    portions: int
    seen: int
    lowered: int
    note: str = ""


def improved(
    instances: Instances, plan: Settled, cost: int, most: int, search: Auto | Improve, watch: Watch
) -> Improved:
    """Return a plan that costs no more.

    Parameters
    ----------
    instances : Instances
    plan : Settled
        Forgotten where another one is returned.
    cost : int
        What it costs, scaled.
    most : int
        Row types that are solved in memory together.
    search : Auto or Improve
        What solves a portion, from its part of the plan on.
    watch : Watch
        Its time is shared among the portions by their sizes.

    Notes
    -----
    A portion is whole groups and gets groups of at least k rows, so that every mixture of old and new portions is a
    release. Fully suppressed rows are one group in all portions: a portion changes only where k of them all or none are
    left. Where no other class can lie in two portions (`Portions.exact`), fully suppressed rows of one need no crowd:
    then what a release of the table does to it is a release of it, and so the sum of their bounds is a bound.
    """
    engine = instances.engine
    try:
        with stoppable(engine, watch):
            cut = portioned(instances, plan, most)
    except Cut:
        return Improved(plan, 0, 0, 0, 0)
    one = Mixture(instances, plan, cost)
    solver = one.solver(cut, search)
    pieces: Pieces | None = None
    left, bound, seen = sum(cut.sizes.values()), 0, 0
    for number, size in cut.sizes.items():
        if watch.stopped:
            break
        share = TimeShare.of(watch, size / left)
        share.on_event = None  # what it would tell is of a portion
        share.room = _half(watch)
        left -= size
        if size > TOO_MANY * most:  # a group, or a value that is kept, beyond what fits
            continue
        with engine.guard("improving the plan"):
            wanted = cut.lines.filter(cut.lines.portion == whole(number)).order_by([*instances.words, "group"])
            vectors, groups = list(one.vectors), one.groups
            found = solver.solve(_arrays(engine.fetch(wanted)), vectors, share)
            if found is not None:
                told, made = found
                bound += told.bound
                if made is not None and one.takes(number, told):
                    one.vectors = vectors
                    at = made.schema.get_field_index("group")
                    new = engine.put(made.set_column(at, "group", pc.add(made.column(at), groups)))
                    pieces = pieces or Pieces(engine, new.limit(0))
                    pieces.add(new)
        watch.short = False  # near its limit on memory this portion ended early; the next begins with room
        seen += 1
        watch.tell("solve", portions=seen, cost=one.cost)
    with engine.guard("putting the plan together"):
        plan = one.together(cut, pieces.table()) if pieces is not None else plan
        engine.drop(cut.lines)
    return Improved(plan, bound if cut.exact and seen == len(cut.sizes) else 0, len(cut.sizes), seen, len(one.lowered))


class Mixture:
    """A plan of which portions are replaced one by one.

    Parameters
    ----------
    instances : Instances
    plan : Settled
    cost : int
        What it costs, scaled.

    Attributes
    ----------
    cost : int
        With what was replaced.
    vectors : list of tuple of int
        By ``seq``.
    groups : int
        Numbers below it are taken.
    lowered : list of int
        The portions that were replaced.
    """

    def __init__(self, instances: Instances, plan: Settled, cost: int) -> None:
        self.instances, self.plan, self.cost = instances, plan, cost
        self.engine, self.problem = instances.engine, instances.problem
        self.vectors = list(plan.vectors)
        self.groups = plan.groups
        self.lowered: list[int] = []
        self._starred = self._suppressed()

    def solver(self, cut: Portions, search: Auto | Improve) -> PortionSearch:
        """Return how a portion is solved.

        Parameters
        ----------
        cut : Portions
        search : Auto or Improve
        """
        vectors, free = tuple(self.plan.vectors), cut.exact and len(cut.sizes) > 1
        return PortionSearch(self.problem, self.instances.layout, vectors, free, search)

    def takes(self, number: int, told: Anew) -> bool:
        """Return whether the plan takes a portion that costs less: unless too few fully suppressed rows would be left.

        Parameters
        ----------
        number : int
            Of the portion.
        told : Anew
            What became of it; its groups are counted where it is taken.
        """
        starred = self._starred + told.leaves - told.starred
        if self.problem.outliers != "suppress" and 0 < starred < self.problem.k:
            return False
        self.groups += told.groups
        self.cost -= told.before - told.cost
        self._starred = starred
        self.lowered.append(number)
        return True

    def together(self, cut: Portions, new: ir.Table) -> Settled:
        """Return the plan with what became of its portions.

        Parameters
        ----------
        cut : Portions
        new : ibis table
            The lines of those that were replaced; forgotten.
        """
        columns = self.plan.parts.columns
        gone = self.engine.put(pa.table({"portion": pa.array(self.lowered, pa.int64())}))
        kept = self.engine.keep(cut.lines.anti_join(gone, "portion").select(*columns))
        every = new.select(*columns).union(kept, distinct=False)
        lines = joined_up(self.instances, every, self.vectors)
        for done in (new, kept, self.plan.parts):
            self.engine.drop(done)
        return Settled(lines, self.vectors, True, self.groups)

    def _suppressed(self) -> int:
        """Return how many rows are fully suppressed."""
        parts, top = self.plan.parts, tuple(self.problem.top)
        stars = [whole(seq) for seq, vector in enumerate(self.vectors) if vector == top]
        lines = parts.filter(parts.seq.isin(stars)) if stars else parts.limit(0)
        with self.engine.guard("adding up the plan"):
            return int(self.engine.one(lines.aggregate(rows=lines.n.sum()))["rows"] or 0)


def _arrays(lines: pa.Table) -> dict[str, np.ndarray]:
    return {name: lines.column(name).to_numpy().astype(np.int64) for name in lines.column_names}


def _half(watch: Watch) -> Callable[[], int] | None:
    """Return what a search may plan with: half of what is left, for the engine works beside it."""
    room = watch.room
    return None if room is None else lambda: room() // 2
