"""3-Set Cover -> pattern-guided 3-anonymity with two patterns and three columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness.draw import goal_setting, named_setting, refuse_unknown
from incrowd.hardness.papers import BREDERECK
from incrowd.hardness.problems.limits import refuse_cells
from incrowd.hardness.problems.sets import SETS
from incrowd.hardness.questions.covers import COVER
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.sources.set_cover import NAMED, SetCover, drawn
from incrowd.hardness.values import Blocks, Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SetCoverPatterns", "backward", "forward"]

COLUMNS = ("element", "left", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCoverPatterns(Reduction):
    """The reduction of Theorem 1.

    Every element u gives two rows (u, fresh, fresh), every set S = {a, b, c} three rows (a, S, S), (b, S, S), (c, S,
    S). k = 3; the patterns are (shown, star, star) and (star, shown, shown), and no other: not even full suppression.

    Parameters
    ----------
    size : int
        Elements |U| to be covered, at least 3.
    sets : int or None
        Sets of three elements; None: as many as the size, at least 4, and 1 for a size of 3.
    named : str or None
        A problem of `NAMED` in place of a random one.
    goal : int or None
        Sets of the cover; None: the least cover's, or one less for a no-instance.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    **Optimum = 4 |U| + 3 |F| + 3 h**, h the size of a least cover. *Proof.* An element's rows are unique
    in the last two columns, so both get (shown, star, star): 4 |U| stars. A set's name stands in its own three rows
    only, so they get (star, shown, shown) all three or none: 3 stars or 6 stars, that is 3 |F| + 3 |F'| for the family
    F' of the sets that show the element. The class of u has the two rows of u and one row of every set of F' that
    holds u; it needs one of these, so F' is a cover. Conversely every cover F' gives such a release. Without a cover
    there is no release.

    With the all-star pattern beside them the equality fails: an uncovered element may be suppressed for 2 more stars
    where one more set costs 3 (a test). So the policy says ``full_suppression = false``.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4), Theorem 1.
    """

    size: int = setting(9, "elements to be covered, at least 3", "integer", least=3, metavar="N")
    sets: int | None = setting(None, "sets of three (default: the size)", "integer", least=1, metavar="N")
    named: str | None = named_setting(NAMED)
    goal: int | None = goal_setting(COVER.goal, "those of the least cover")

    name = "set-cover"
    summary = "3-set cover as pattern-guided 3-anonymity with three columns and two patterns"
    kind = "table"
    paper = BREDERECK
    theorem = "Theorem 1"
    problem = SETS
    asks = COVER
    kept = ("goal",)

    def check(self) -> None:
        """Refuse unknown names and sizes without a cover."""
        refuse_unknown(self.named, NAMED)

    def build(self) -> Instance:
        """Return the instance: h is the least cover's size, or one less for a no-instance."""
        if self.named is not None:
            source = NAMED[self.named]
        else:
            sets = self.sets if self.sets is not None else 1 if self.size == 3 else max(self.size, 4)
            if self.size == 4:
                sets = min(sets, 4)
            source = drawn(np.random.default_rng(self.seed), self.size, sets, 3)
        return self.of(source)

    def of(self, source: SetCover) -> Instance:
        """Return the instance of sets of three elements each that cover together."""
        return forward(source, self.asked(lambda: most_sets(source, self.no)), solve=self.solve)


def most_sets(source: SetCover, no: bool) -> int:
    """Return the number of sets to ask for: the least cover's, or one less for a no-instance.

    PolicyError is raised if nothing covers every element, or a no-instance is asked for and one set does.
    """
    least = source.least()
    if least is None:
        raise PolicyError("the sets do not cover every element; ask for more sets")
    if no and len(least) < 2:
        raise PolicyError("one set covers everything, so no bound on the cover is missed; choose a size above 3")
    return len(least) - no


def forward(source: SetCover, most: int, *, solve: bool = True) -> Instance:
    """Return the instance that asks for a cover of at most `most` sets (Theorem 1; see `SetCoverPatterns`).

    The source has |U| elements and |F| sets of three elements each, which together cover; otherwise PolicyError is
    raised. Without `solve` no least cover is sought, and the answer stays open.

    Notes
    -----
    The table has 2 |U| + 3 |F| rows. A least cover is found by an integer program of |F| variables without a time
    limit.
    """
    refuse_other_widths(source)
    if not source.covers(tuple(range(len(source.sets)))):
        raise PolicyError("the sets must cover every element; without a cover there is no release at all")
    refuse_cells(2 * source.universe + 3 * len(source.sets), len(COLUMNS))
    least = source.least() if solve else None
    rows = [(f"u{u}", f"x{u}.{i}.1", f"x{u}.{i}.2") for u in range(source.universe) for i in range(2)]
    rows += [(f"u{u}", f"S{s}", f"S{s}") for s, members in enumerate(source.sets) for u in members]
    base = 4 * source.universe + 3 * len(source.sets)
    table = Table(quasi_identifiers=COLUMNS, rows=tuple(rows))
    return Instance(
        name=SetCoverPatterns.name,
        kind="table",
        question=f"is there a release with at most the threshold's stars (a cover by at most {most} sets)?",
        threshold=base + 3 * most,
        yes=None if least is None else len(least) <= most,
        optimum=None if least is None else base + 3 * len(least),
        theorem=SetCoverPatterns.theorem,
        paper=SetCoverPatterns.paper,
        source=source,
        backward=lambda released: backward(source, table, released),
        policy={
            "quasi_identifiers": list(COLUMNS),
            "k": 3,
            "outliers": "forbid",
            "mask": {"patterns": [["left", "right"], ["element"]], "full_suppression": False},
        },
        table=table,
        witness=None if least is None else blocks_of(source, least),
        more={
            "elements": source.universe,
            "sets": len(source.sets),
            **({} if least is None else {"least_cover": len(least)}),
        },
        asks=COVER,
        goal=most,
    )


def refuse_other_widths(source: SetCover) -> None:
    """Refuse sets of more or fewer than three elements.

    The message of the PolicyError says how many there are.
    """
    others = sum(len(members) != 3 for members in source.sets)
    if others:
        raise PolicyError(f"every set must have three elements, and {others} of {len(source.sets)} have more or fewer")


def blocks_of(source: SetCover, cover: tuple[int, ...]) -> Blocks:
    """Return the blocks of a cover's release: rows that look alike.

    There is one block per element, and one per set outside the cover. `cover` holds the indices of sets that cover
    together.
    """
    blocks = [[2 * u, 2 * u + 1] for u in range(source.universe)]
    for s, members in enumerate(source.sets):
        first = 2 * source.universe + 3 * s
        if s in cover:
            for i, u in enumerate(members):
                blocks[u].append(first + i)
        else:
            blocks.append([first, first + 1, first + 2])
    return tuple(tuple(block) for block in blocks)


def backward(source: SetCover, table: Table, released: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the cover that a release holds: the sets whose rows show the element.

    It has (stars - 4 |U| - 3 |F|) / 3 sets, given as indices, ascending. `released` holds (rows, 3) texts in the order
    of the instance's table; InputError is raised if it is no release of the table.
    """
    shown = {i for cells, members in table.classes(released).items() if cells[0] != "*" for i in members}
    first = 2 * source.universe
    return tuple(s for s in range(len(source.sets)) if first + 3 * s in shown)
