"""The parts that can be added to: name -> "module:Class", imported when one is loaded.

One line registers a part. Nothing is imported before `load`, so that ``--help`` stays quick.
"""

from __future__ import annotations

import importlib
from typing import Any

from incrowd.errors import PolicyError, did_you_mean

SOLVERS: dict[str, str] = {
    "greedy": "incrowd.tables.solve.greedy.greedy:Greedy",
    "matching": "incrowd.tables.solve.matching.solver:Matching",
    "improve": "incrowd.tables.solve.improve.improve:Improve",
    "exact": "incrowd.tables.solve.exact.exact:Exact",
    "ilp": "incrowd.tables.solve.textbook.ilp:Ilp",
    "two_phase": "incrowd.tables.solve.textbook.two_phase:TwoPhase",
    "subset_dp": "incrowd.tables.solve.textbook.subsets:SubsetDp",
    "chain": "incrowd.tables.solve.chain:Chain",
    "approximation": "incrowd.tables.solve.textbook.approximation:Approximation",
    "instance_cover": "incrowd.tables.solve.textbook.covers:InstanceCover",
    "ball_cover": "incrowd.tables.solve.textbook.covers:BallCover",
    "forest": "incrowd.tables.solve.textbook.forest:Forest",
    "mondrian": "incrowd.tables.solve.mondrian:Mondrian",
    "lattice": "incrowd.tables.solve.global_recoding:Lattice",
    "ranges": "incrowd.tables.solve.ranges.solver:RangeSearch",
    "matching_local": "incrowd.tables.solve.textbook.triple_search:MatchingLocal",
    "matching_textbook": "incrowd.tables.solve.textbook.simplex_matching:MatchingTextbook",
}

# what ``solver="auto"`` is: it runs solvers of the list above, and its result names the one that made the release
AUTO = "incrowd.tables.solve.auto:Auto"
# what goes through the patterns once and keeps no pairs; the greedy's time can be told, and it goes on in the engine
GREEDY = "greedy"
WALKS: tuple[str, ...] = (GREEDY, "mondrian")
# what ``solver="exact"`` tries, in this order, until one does not decline
EXACT: tuple[str, ...] = ("matching", "exact", "chain", "ilp", "subset_dp")

MODELS: dict[str, str] = {
    "k-anonymity": "incrowd.tables.models.named:KAnonymity",
    "l-diversity": "incrowd.tables.models.l_diversity:LDiversity",
    "t-closeness": "incrowd.tables.models.t_closeness:TCloseness",
    "p-sensitive": "incrowd.tables.models.named:PSensitive",
    "alpha-k": "incrowd.tables.models.named:AlphaK",
    "beta-likeness": "incrowd.tables.models.likeness:BetaLikeness",
    "delta-disclosure": "incrowd.tables.models.likeness:DeltaDisclosure",
}

COSTS: dict[str, str] = {
    "leaves": "incrowd.tables.costs:Leaves",
    "cells": "incrowd.tables.costs:Cells",
    "levels": "incrowd.tables.costs:LevelShares",
    "ncp": "incrowd.tables.costs:CertaintyCost",
    "entropy": "incrowd.tables.costs:EntropyCost",
    "workload": "incrowd.tables.costs:WorkloadCost",
}

FORMATS: dict[str, str] = {
    "csv": "incrowd.tables.formats.csv:Csv",
    "parquet": "incrowd.tables.formats.parquet:Parquet",
    "jsonl": "incrowd.tables.formats.json_lines:JsonLines",
    "arrow": "incrowd.tables.formats.arrow_file:ArrowFile",
    "database": "incrowd.tables.formats.database:Database",
    "spreadsheet": "incrowd.tables.formats.spreadsheet:Spreadsheet",
    "statistics": "incrowd.tables.formats.statistics:Statistics",
}

MEASURES: dict[str, str] = {
    "suppressed_cells": "incrowd.tables.measures.counts:SuppressedCellCount",
    "changed_cells": "incrowd.tables.measures.counts:ChangedCellCount",
    "classes": "incrowd.tables.measures.counts:Classes",
    "discernibility": "incrowd.tables.measures.counts:Discernibility",
    "c_avg": "incrowd.tables.measures.counts:AverageClassSize",
    "usefulness": "incrowd.tables.measures.usefulness:Usefulness",
    "ncp": "incrowd.tables.measures.nodes:CertaintyPenalty",
    "loss": "incrowd.tables.measures.nodes:GeneralLoss",
    "precision": "incrowd.tables.measures.nodes:Precision",
    "entropy": "incrowd.tables.measures.nodes:NonUniformEntropy",
    "risks": "incrowd.tables.measures.risks:ReidentificationRisks",
}

INSTANCES: dict[str, str] = {
    "set-cover": "incrowd.hardness.set_cover:SetCoverPatterns",
    "greedy-worst": "incrowd.hardness.greedy_worst:GreedyWorst",
    "triangles-and-stars": "incrowd.hardness.triangles:TrianglesAndStars",
    "one-in-three-sat": "incrowd.hardness.one_in_three:OneInThree",
    "matching-27": "incrowd.hardness.matching_27:Matching27",
    "triangles-2-diversity": "incrowd.hardness.triangles:TrianglesTwoDiversity",
    "triangles-3-diversity": "incrowd.hardness.triangles:TrianglesThreeDiversity",
    "closeness-from-anonymity": "incrowd.hardness.closeness:ClosenessFromAnonymity",
    "bisection": "incrowd.hardness.bisection:Bisection",
    "bisection-padded": "incrowd.hardness.bisection:BisectionPadded",
    "half-clique": "incrowd.hardness.half_clique:HalfClique",
    "matching-closeness": "incrowd.hardness.matching_closeness:MatchingCloseness",
    "matching-metric": "incrowd.hardness.matching_closeness:MatchingMetric",
    "set-cover-network": "incrowd.hardness.set_cover:SetCoverNetwork",
    "triangles-ternary": "incrowd.hardness.triangles:TrianglesTernary",
    "clique": "incrowd.hardness.half_clique:Clique",
    "bisection-closeness": "incrowd.hardness.closeness:BisectionCloseness",
    "bisection-padded-closeness": "incrowd.hardness.closeness:BisectionPaddedCloseness",
    "half-clique-closeness": "incrowd.hardness.closeness:HalfCliqueCloseness",
    "dominating-set-network": "incrowd.hardness.dominating_set:DominatingSetNetwork",
    "set-cover-domination-network": "incrowd.hardness.dominating_set:CoverDominationNetwork",
    "exact-cover-network": "incrowd.hardness.dominating_set:ExactCoverNetwork",
}

METHODS: dict[str, str] = {
    "algorithm-1": "incrowd.networks.methods:algorithm_1",
    "algorithm-2": "incrowd.networks.methods:algorithm_2",
    "algorithm-3": "incrowd.networks.methods:algorithm_3",
    "algorithm-4": "incrowd.networks.methods:algorithm_4",
    "algorithm-5": "incrowd.networks.methods:algorithm_5",
    "theorem-2c": "incrowd.networks.methods:theorem_2c",
    "theorem-3b": "incrowd.networks.methods:theorem_3b",
    "theorem-3c": "incrowd.networks.methods:theorem_3c",
}

REGISTRIES: dict[str, dict[str, str]] = {
    "models": MODELS,
    "solvers": SOLVERS,
    "costs": COSTS,
    "formats": FORMATS,
    "measures": MEASURES,
    "instances": INSTANCES,
    "methods": METHODS,
}


def names(kind: str) -> list[str]:
    """Return the registered names of `kind` in the order of registration.

    `kind` is a key of `REGISTRIES`, for example ``solvers``; KeyError is raised if there is no such kind.
    """
    return list(REGISTRIES[kind])


def load(kind: str, name: str) -> Any:
    """Return the class registered as `name` among `kind` (of the methods, the value); its module is imported here.

    `kind` is a key of `REGISTRIES`, for example ``solvers``, and `name` is as `names` lists it; among the solvers also
    ``auto``. PolicyError is raised if no such name is registered, and its message names the nearest one and all of
    them; KeyError is raised if there is no such kind.
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
