"""What plugs in: name -> "module:Class", loaded when asked.

One line registers a part. Nothing is imported until a name is asked for, so that ``--help`` stays quick.
"""

from __future__ import annotations

import importlib
from typing import Any

from incrowd.errors import PolicyError, did_you_mean

__all__ = ["AUTO", "COSTS", "EXACT", "MEASURES", "MODELS", "SOLVERS", "load", "names"]

SOLVERS: dict[str, str] = {
    "greedy": "incrowd.tables.solve.greedy:Greedy",
    "matching": "incrowd.tables.solve.matching.solver:Matching",
    "improve": "incrowd.tables.solve.improve:Improve",
    "exact": "incrowd.tables.solve.exact:Exact",
    "ilp": "incrowd.tables.solve.ilp:Ilp",
    "two_phase": "incrowd.tables.solve.two_phase:TwoPhase",
    "matching_local": "incrowd.tables.solve.matching_local:MatchingLocal",
    "matching_textbook": "incrowd.tables.solve.matching_textbook:MatchingTextbook",
}

# what ``solver="auto"`` is: it runs solvers of the list above, and its result names the one that made the release
AUTO = "incrowd.tables.solve.auto:Auto"
# what ``solver="exact"`` tries, in this order, until one does not decline
EXACT: tuple[str, ...] = ("matching", "exact")

MODELS: dict[str, str] = {
    "k-anonymity": "incrowd.tables.models.k_anonymity:KAnonymity",
}

COSTS: dict[str, str] = {
    "suppressed_cells": "incrowd.tables.costs.suppressed_cells:SuppressedCells",
    "weighted": "incrowd.tables.costs.weighted:Weighted",
}

MEASURES: dict[str, str] = {
    "suppressed_cells": "incrowd.tables.measures.suppressed_cells:SuppressedCellCount",
    "changed_cells": "incrowd.tables.measures.changed_cells:ChangedCellCount",
    "classes": "incrowd.tables.measures.classes:Classes",
    "discernibility": "incrowd.tables.measures.discernibility:Discernibility",
    "c_avg": "incrowd.tables.measures.c_avg:AverageClassSize",
    "usefulness": "incrowd.tables.measures.usefulness:Usefulness",
    "ncp": "incrowd.tables.measures.ncp:CertaintyPenalty",
    "loss": "incrowd.tables.measures.loss:GeneralLoss",
    "precision": "incrowd.tables.measures.precision:Precision",
    "entropy": "incrowd.tables.measures.entropy:NonUniformEntropy",
    "risks": "incrowd.tables.measures.risks:ReidentificationRisks",
}

REGISTRIES: dict[str, dict[str, str]] = {
    "models": MODELS,
    "solvers": SOLVERS,
    "costs": COSTS,
    "measures": MEASURES,
}


def names(kind: str) -> list[str]:
    """Return the registered names of `kind` in the order of registration."""
    return list(REGISTRIES[kind])


def load(kind: str, name: str) -> Any:
    """Return the class registered as `name` among `kind`.

    Raises
    ------
    PolicyError
        If no such name is registered.
    """
    registry = REGISTRIES[kind]
    if (kind, name) == ("solvers", "auto"):
        registry = {name: AUTO}
    if name not in registry:
        raise PolicyError(
            f"there is no {kind[:-1]} named {name!r}{did_you_mean(name, registry)}; "
            f"`incrowd list {kind}` names them: {', '.join(registry)}"
        )
    module, _, attribute = registry[name].partition(":")
    return getattr(importlib.import_module(module), attribute)
