"""A certificate for a release that a solver says is least: prices per row type, and a tree where they fall short."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from incrowd.tables.solve.bounds import tuning
from incrowd.tables.solve.bounds.under_requirements.class_program import ClassProgram
from incrowd.tables.solve.bounds.under_requirements.layout import Stopped, instances_of
from incrowd.tables.solve.bounds.under_requirements.price_tree import PriceTree, Split, written
from incrowd.tables.solve.bounds.under_requirements.proof import Proof, by_requirements
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.instances import TooManyInstances
from incrowd.tables.values import Bound

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Problem, Solution

__all__ = ["with_certificate"]


def with_certificate(problem: Problem, solution: Solution, watch: Watch) -> Solution:
    """Return a solution with what of its bound can be recounted, and the certificate of that.

    The problem has requirements that two classes meet together if both do. The solution's bound is its cost: what is to
    be proven. The watch says when to stop; what prices prove until then is kept.

    Notes
    -----
    Classes are listed as far as there are few (all, on few rows), so prices are those of the linear program over all
    valid classes; where they prove less than the cost a tree over open and closed instances goes on
    (`price_tree`), up to 10^6 leaves. What no tree closes stays the solver's word.
    """
    if not problem.requirements or watch.stopped:
        return solution
    with release_kept(watch):
        return _proven(problem, solution, watch)
    return solution


def _proven(problem: Problem, solution: Solution, watch: Watch) -> Solution:
    """Return a solution with what prices and a tree prove of its bound."""
    try:
        every = instances_of(problem, watch=watch, most_pairs=tuning.DEFAULT.class_pairs)
    except (TooManyInstances, Stopped):
        return solution
    program = ClassProgram(problem, every)
    cost = solution.plan.cost(problem)
    if not program.parts:
        return solution
    target = program.parts * (min(solution.bound.value, cost) - program.unit) + 1
    tree = PriceTree(program, target, watch)
    prices, value = tree.root.prices, tree.root.value
    checked = min(max(-(-value // (program.parts * program.unit)) * program.unit, 0), solution.bound.value)
    method = solution.bound.method
    if tree.node is not None:
        checked = solution.bound.value
        method = "prices per row type under requirements"
        if isinstance(tree.node, Split):
            method = f"{method}, with a tree of {tree.leaves} leaves"
    if solution.certificate is not None and checked <= solution.bound.checked:
        return solution
    bound = Bound(solution.bound.value, checked, method)
    proof = Proof(value, program.parts, prices, program.below, ())
    certificate = by_requirements(problem, program.instances, cost, bound, proof)
    if isinstance(tree.node, Split):
        certificate["trees"] = [written(tree.node, prices, program.instances.names.tolist())]
    watch.tell("bound", cost=cost, lower_bound=bound.value)
    return dataclasses.replace(solution, bound=bound, certificate=certificate)
