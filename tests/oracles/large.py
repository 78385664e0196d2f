"""Problems of the memory in the engine, and plans of the engine in memory: for tests that hold the two together."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from incrowd.tables.large.types import Instances, PackedTypes
from incrowd.tables.large.words import laid_out
from incrowd.tables.values import Plan

__all__ = ["classes_of", "in_engine", "plan_of"]


def in_engine(engine, problem):
    """Return the packed row types of a problem, and its instances."""
    layout = laid_out(problem.levels, [f"column {j}" for j in range(len(problem.levels))])
    words = {f"w{i}": np.zeros(problem.types.t, np.int64) for i in range(layout.words)}
    for j, (word, _) in enumerate(layout.place):
        words[f"w{word}"] += layout.shifted(j)[problem.types.codes[:, j]]
    lines = {**words, "n": problem.types.counts, "type": np.arange(problem.types.t)}
    rows = engine.put(pa.table(lines))
    return PackedTypes(engine, rows, rows.drop("n"), layout), Instances(engine, problem, layout)


def plan_of(engine, types, problem, settled):
    """Return a plan that lies in the engine as one of the problem in memory."""
    found = engine.fetch(settled.parts.join(types.values, types.words).select("type", "group", "seq", "n"))
    lines = found.to_pylist()
    used = sorted({line["group"] for line in lines})
    place = {group: at for at, group in enumerate(used)}
    vector = {line["group"]: settled.vectors[line["seq"]] for line in lines}
    parts = sorted((line["type"], place[line["group"]], line["n"]) for line in lines)
    told = np.array(parts, np.int64).reshape(-1, 3)
    levels = np.array([vector[group] for group in used], np.int8)
    return Plan(levels, told[:, 0].astype(np.int32), told[:, 1].astype(np.int32), told[:, 2])


def classes_of(problem, plan):
    """Return a plan as a set: what each group shows, and how many rows of which type are in it."""
    nodes = plan.nodes(problem)
    groups = {}
    parts = (plan.part_type.tolist(), plan.part_class.tolist(), plan.part_rows.tolist())
    for kind, group, rows in zip(*parts, strict=True):
        name = (tuple(plan.levels[group].tolist()), tuple(nodes[group].tolist()))
        groups.setdefault(name, []).append((kind, rows))
    return {name: sorted(members) for name, members in groups.items()}
