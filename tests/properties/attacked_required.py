"""Every original under requirements: rows with a sensitive value each, which the release shows."""

from __future__ import annotations

import dataclasses
from collections import Counter
from fractions import Fraction

import numpy as np

from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.named import AlphaK
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.values import Domain, Problem, RowTypes, Sensitive
from properties.attacked import PatternList, lowest, released_of, star_level

MODELS = (
    LDiversity(l=2, column="s"), LDiversity(l=Fraction(3, 2), column="s"), LDiversity(l=2, column="s", kind="distinct"),
    AlphaK(alpha=Fraction(2, 3), column="s"), TCloseness(t=Fraction(1, 4), column="s"),
)  # fmt: skip


def question_with_model(rng):
    sizes = [(2, 2), (3,), (4,)][int(rng.integers(3))]
    weights = rng.integers(1, 3, len(sizes))
    levels = tuple(star_level(d, int(w)) for d, w in zip(sizes, weights, strict=True))
    patterns = PatternList([1] * len(sizes))
    outliers = ("forbid", "suppress")[int(rng.integers(2))]
    return (sizes, levels, patterns, 2, outliers, 5 if sizes == (3,) else 4), MODELS[int(rng.integers(len(MODELS)))]


def bound_to(model, rows):
    """The model bound to the sensitive values, which are the last entries of rows."""
    counted = np.bincount([row[-1] for row in rows], minlength=2)
    return model.bind(Domain(Sensitive(np.array([[0], [1]], np.int32), ("s",), (2,)), (("a", "b"),), counted))


def problem_of(table, question, model):
    """The problem of one table, whose rows end with their sensitive value."""
    sizes, levels, patterns, k, outliers, _ = question
    counted = sorted(Counter(table).items())
    rows = np.array([row for row, _ in counted], np.int32)
    types = RowTypes(rows[:, :-1].copy(), np.array([c for _, c in counted], np.int64), sizes, rows[:, -1].copy())
    sensitive = Sensitive(np.array([[0], [1]], np.int32), ("s",), (2,))
    return Problem(types, levels, patterns, k, outliers, requirements=(bound_to(model, table),), sensitive=sensitive)


def shown_by(problem, plan):
    units = Counter()
    nodes = plan.nodes(problem).tolist()
    for kind, group, rows in zip(plan.part_type, plan.part_class, plan.part_rows, strict=True):
        key = lowest(problem.levels, tuple(plan.levels[group].tolist()), tuple(nodes[group]))
        units[key, int(problem.types.kinds[kind])] += int(rows)
    return tuple(sorted(units.items()))


def released_with_kinds(shown, question, model):
    """What an attacker holds: classes, and their rows by sensitive value."""
    classes = Counter()
    for (key, _), rows in shown:
        classes[key] += rows
    ordered = tuple(sorted(classes.items()))
    place = {key: c for c, (key, _) in enumerate(ordered)}
    units = sorted((place[key], kind, rows) for (key, kind), rows in shown)
    every = [(kind,) for _, kind, rows in units for _ in range(rows)]
    unit_class, unit_kind, unit_rows = np.array(units).T
    return dataclasses.replace(
        released_of(ordered, question), unit_class=unit_class.astype(np.int32), unit_kind=unit_kind.astype(np.int32),
        unit_rows=unit_rows, requirements=(bound_to(model, every),),
    ), place  # fmt: skip


def values_held(problem, plan, released, place):
    """For each unit and column the values that rows of the original there have."""
    unit = {(int(c), int(s)): u for u, (c, s) in enumerate(zip(released.unit_class, released.unit_kind, strict=True))}
    nodes = plan.nodes(problem).tolist()
    held = [[set() for _ in problem.levels] for _ in unit]
    for kind, group in zip(plan.part_type.tolist(), plan.part_class.tolist(), strict=True):
        c = place[lowest(problem.levels, tuple(plan.levels[group].tolist()), tuple(nodes[group]))]
        for j, value in enumerate(problem.types.codes[kind].tolist()):
            held[unit[c, int(problem.types.kinds[kind])]][j].add(value)
    return held
