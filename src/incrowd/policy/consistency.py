"""What of a policy does not go together, each refused in one sentence that names the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd import registry
from incrowd.errors import PolicyError, did_you_mean
from incrowd.policy.keys import DEFAULT_COST
from incrowd.settings import shortened
from incrowd.tables.column_counts import EVERY_COLUMN
from incrowd.tables.mask import Mask
from incrowd.tables.workload import named_workload

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.mask import PatternMask

__all__ = ["refuse_contradictions", "refuse_cost", "refuse_gap", "refuse_other_columns", "refuse_star"]

NO_SUMS = ("discernibility", "c_avg")

RANGE_COSTS = ("leaves", "ncp")
OWN_COSTS = ("level_costs", "node_costs")  # what a hierarchy may say itself


def refuse_contradictions(
    *,
    cost: str,
    hierarchies: Sequence[tuple[str, Spec]],
    auto: bool = False,
    recoding: str,
    mask: PatternMask,
    suppressed: str,
    suppression_limit: Fraction | None = None,
    step: Fraction | None = None,
) -> None:
    """Refuse settings that contradict one another, by a PolicyError; each is good by itself.

    `hierarchies` are by column, and `auto` tells whether the other columns get hierarchies by their values. `step` is
    that of the grid.
    """
    refuse_cost(cost)
    if cost.partition(":")[0] in EVERY_COLUMN:
        for setting, bad in (("suppressed=null", suppressed == "null"), ("recoding=ranges", recoding == "ranges")):
            if bad:
                raise PolicyError(
                    f"cost={cost.partition(':')[0]} looks at every value of every column and counts labels and star "
                    f"texts, so it goes with no {setting}"
                )
    for column, spec in hierarchies:
        own = [word for word in OWN_COSTS if getattr(spec, word, None) is not None]
        if own and cost != DEFAULT_COST:
            raise PolicyError(
                f"the hierarchy of {column!r} gives costs of its own ({own[0]}), which cost={cost} does not "
                f"use; take them out, or take cost={DEFAULT_COST}"
            )
    if (hierarchies or auto) and suppressed == "null":
        raise PolicyError("suppressed=null keeps the columns' types, so labels of a hierarchy do not fit: use text")
    if recoding == "ranges":
        for name, given in (("mask", mask != Mask()), ("hierarchies", bool(hierarchies) or auto)):
            if given:
                raise PolicyError(f"recoding=ranges shows ranges wherever a class differs; it goes with no {name}")
        if suppressed == "null":
            raise PolicyError("suppressed=null keeps the columns' types, so ranges do not fit: use text")
    if recoding in ("ranges", "grid") and suppression_limit is not None:
        raise PolicyError(f"recoding={recoding} goes with no suppression_limit")
    if suppressed == "null":
        for name, asked in (
            ("recoding=global", recoding == "global"),
            ("suppression_limit", suppression_limit is not None),
        ):
            if asked:
                raise PolicyError(f"{name} counts fully suppressed rows, which NULLs do not tell: use suppressed=text")
    if recoding == "grid":
        _refuse_with_grid(cost=cost, hierarchies=hierarchies, suppressed=suppressed, step=step)
    elif step is not None:
        raise PolicyError("round is the step of a grid, so it goes with recoding=grid")


def _refuse_with_grid(
    *,
    cost: str,
    hierarchies: Sequence[tuple[str, Spec]],
    suppressed: str,
    step: Fraction | None,
) -> None:
    if cost not in RANGE_COSTS:
        raise PolicyError(
            f"recoding=grid counts ranges by their values ({DEFAULT_COST}) or their width (ncp); cost={cost} says "
            "nothing of ranges"
        )
    if suppressed == "null":
        raise PolicyError("suppressed=null keeps the columns' types, so ranges do not fit: use text")
    if any(getattr(spec, word, None) is not None for _, spec in hierarchies for word in OWN_COSTS):
        raise PolicyError("recoding=grid takes hierarchies without costs of their own as yet")
    if step is not None and step <= 0:
        raise PolicyError("round must be above 0: it is the distance of the grid's lines")


def refuse_cost(cost: str) -> None:
    """Refuse a cost that there is not, one without its file, and a measure that is no sum over cells, by a PolicyError.

    `cost` is as a policy has it.
    """
    name, colon, _ = cost.partition(":")
    if name in NO_SUMS and name in registry.names("measures"):
        raise PolicyError(
            f"{name} is no sum over cells, for what a row pays depends on how many others look the same, so no release "
            f"is searched by it; it is a measure, and every release says it: measures.{name}"
        )
    kind = registry.load("costs", name)  # says which there are
    if colon and not getattr(kind, "file", False):
        raise PolicyError(f"cost {name} takes no file, but {shortened(cost)} names one")
    named_workload(cost)


def refuse_gap(gap: float, cost: str) -> None:
    """Refuse to stop at a gap under a cost that is counted from what the rows cost as they are, by a PolicyError.

    With a `gap` of 0 the search does not stop at one. `cost` is as a policy has it.
    """
    if gap and getattr(registry.load("costs", cost.partition(":")[0]), "offset", False):
        raise PolicyError(
            f"gap={gap:g} does not go with cost={cost}, whose searches count what rows cost as they are besides; limit "
            "the time instead"
        )


def refuse_told(blunt: int | None, recoding: str, beside: Sequence[str]) -> None:
    """Refuse to blunt what cannot be blunted, and files that tell what quiet facts leave out, by a PolicyError.

    `beside` are the files asked for beside quiet facts that tell what these leave out.
    """
    if blunt is not None and recoding != "levels":
        raise PolicyError(
            f"blunt moves rows between classes of recoding=levels and does not go with recoding={recoding}"
        )
    for name in beside:
        raise PolicyError(
            f"quiet_facts leaves out cost and bound, and the {name} tells them; leave out --{name}, or make it in a "
            "run without --quiet-facts"
        )


def refuse_star(star: str, *, strip: bool) -> None:
    """Refuse a star text that could not be read back, by a PolicyError.

    `strip` tells whether blanks around a field are taken away when a table is read.
    """
    if not star:
        raise PolicyError("star must be a text of at least one character (an empty field means NULL)")
    if star != star.strip() and strip:
        raise PolicyError(f"star must not begin or end with a blank, but it is {star!r}")


def refuse_other_columns(
    quasi_identifiers: Sequence[str],
    *,
    mask: PatternMask,
    weights: Sequence[tuple[str, object]],
    hierarchies: Sequence[tuple[str, Spec]],
) -> None:
    """Refuse a mask, weight or hierarchy that names a column which never changes, by a PolicyError.

    The quasi-identifiers are the columns that change; `weights` and `hierarchies` are by column.
    """
    named = [(line, column) for line, column, _ in mask.mentions()]
    named += [("weight", column) for column, _ in weights]
    named += [("hierarchy", column) for column, _ in hierarchies]
    for line, column in named:
        if column not in quasi_identifiers:
            raise PolicyError(
                f"{line} names {column!r}, which is no quasi-identifier"
                f"{did_you_mean(column, quasi_identifiers)}: only quasi-identifiers change"
            )
