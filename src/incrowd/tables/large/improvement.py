"""A cheaper plan portion by portion: what fits in memory is given to the solvers that ever had it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.errors import InputError
from incrowd.tables.large.bound_sum import BoundSum
from incrowd.tables.large.instances import whole
from incrowd.tables.large.leftovers import Settled
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.portion import PortionSearch
from incrowd.tables.large.portion_prices import price_unit
from incrowd.tables.large.portions import joined_up, portioned, with_per_row
from incrowd.tables.large.prices import Prices
from incrowd.tables.large.queries import Cut, stoppable
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.time_share import TimeShare

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir

    from incrowd.progress import Watch
    from incrowd.tables.large.floor import Floor
    from incrowd.tables.large.instances import Instances
    from incrowd.tables.large.portion import Anew
    from incrowd.tables.large.portion_prices import PriceUnit
    from incrowd.tables.large.portions import Portions
    from incrowd.tables.solve.auto import Auto
    from incrowd.tables.solve.improve.improve import Improve

__all__ = ["TOO_MANY", "Improved", "Mixture", "cut_for", "improved"]

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
    prices : Prices or None
        Those of the portions for a certificate; None where none are wanted, or where portions say nothing of the bound.
    """

    plan: Settled
    bound: int
    portions: int
    seen: int
    lowered: int
    note: str = ""
    prices: Prices | None = None


def improved(
    instances: Instances,
    plan: Settled,
    cost: int,
    most: int,
    search: Auto | Improve,
    watch: Watch,
    least: Floor | None = None,
) -> Improved:
    """Return a plan that costs no more.

    `plan` costs `cost`, scaled, and is forgotten where another one is returned. `most` row types are solved in memory
    together. `search` is what solves a portion, from its part of the plan on, and the time of `watch` is shared among
    the portions by their sizes. `least` is the per-row bound, complete and with prices, where a certificate is wanted.

    Notes
    -----
    A portion is whole groups and gets groups of at least k rows, so that every mixture of old and new portions is a
    release. Fully suppressed rows are one group in all portions: a portion changes only where k of them all or none are
    left. Where no other class can lie in two portions (`Portions.exact`), fully suppressed rows of one need no crowd:
    then what a release of the table does to it is a release of it, and so the sum of their bounds is a bound. With the
    per-row prices at hand a portion that nobody looked at counts with these.
    """
    engine = instances.engine
    try:
        with stoppable(engine, watch):
            cut, unit = cut_for(instances, plan, most, least)
    except Cut:
        return Improved(plan, 0, 0, 0, 0)
    except InputError as error:
        return Improved(plan, 0, 0, 0, 0, f"not improved ({error})")
    one = Mixture(instances, plan, cost)
    solver = one.solver(cut, search, unit)
    pieces: Pieces | None = None
    priced: Pieces | None = None
    bounds = BoundSum(cut, least, unit)
    left, seen = sum(cut.sizes.values()), 0
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
            here = cut.lines.filter(cut.lines.portion == whole(number)).order_by([*instances.words, "group"])
            vectors, groups = list(one.vectors), one.groups
            found = None
            with release_kept(watch):
                found = solver.solve(_arrays(engine.fetch(here)), vectors, share)
            if found is not None:
                told, made, prices = found
                bounds.add(told)
                if prices is not None:
                    fresh = engine.put(prices)
                    priced = priced or Pieces(engine, fresh.limit(0))
                    priced.add(fresh)
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
    prices = None if priced is None or unit is None else Prices(priced.table(), unit.parts, bounds.proven())
    return Improved(plan, bounds.bound(one.cost, seen), len(cut.sizes), seen, len(one.lowered), prices=prices)


def cut_for(instances: Instances, plan: Settled, most: int, least: Floor | None) -> tuple[Portions, PriceUnit | None]:
    """Return the portions of a plan, and in what their prices are; None where they are worth nothing to a certificate.

    `most` is the number of row types of a portion. `least` has prices where a certificate is wanted.
    """
    cut = portioned(instances, plan, most)
    if least is None or least.prices is None or not cut.exact:
        return cut, None
    return with_per_row(instances, cut, least), price_unit(instances.problem)


class Mixture:
    """A plan of which portions are replaced one by one.

    The plan costs `cost`, scaled.

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

    def solver(self, cut: Portions, search: Auto | Improve, unit: PriceUnit | None) -> PortionSearch:
        """Return how a portion is solved.

        `unit` is in what its prices are, or None where none are wanted.
        """
        vectors, free = tuple(self.plan.vectors), cut.exact and len(cut.sizes) > 1
        return PortionSearch(self.problem, self.instances.layout, vectors, free, search, unit)

    def takes(self, number: int, told: Anew) -> bool:
        """Return whether the plan takes a portion that costs less: unless too few fully suppressed rows would be left.

        `number` is that of the portion, and `told` what became of it; its groups are counted where it is taken.
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

        `new` has the lines of those that were replaced, and is forgotten.
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
