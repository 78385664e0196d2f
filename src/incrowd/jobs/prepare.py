"""A table read, checked and compressed: what every question about its releases begins with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.jobs import stages
from incrowd.tables.compress import advised, compress, hierarchy_lines, places
from incrowd.tables.read import open_source, with_roles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from incrowd.policy.job import Policy
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted, Hierarchy
    from incrowd.tables.mask import Patterns
    from incrowd.tables.table import Compressed, Table
    from incrowd.tables.values import Int64, Problem

__all__ = ["Prepared", "prepare"]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A table with its row types, hierarchies and mask.

    Attributes
    ----------
    table : Table
    types : Compressed
    hierarchies : mapping of str to Fitted
    patterns : Patterns
    places, nodes
        As `stages.pose` takes them.
    """

    table: Table
    types: Compressed
    hierarchies: Mapping[str, Fitted]
    patterns: Patterns
    places: tuple[Int64 | None, ...]
    nodes: Mapping[str, tuple[Hierarchy, Int64]]

    def problem(self, policy: Policy) -> Problem:
        """Return the problem of a policy that differs from the one prepared for in its thresholds alone."""
        stages.enough_rows(policy, self.table.rows)
        return stages.pose(policy, self.types.types, self.patterns, self.places, self.nodes, self.types.domain)


def prepare(
    engine: Engine, source: Any, policy: Policy, clock: Callable[[str], AbstractContextManager[None]]
) -> Prepared:
    """Read a table under its policy and compress it to row types.

    Parameters
    ----------
    engine : Engine
    source : path, frame, Arrow table, ...
    policy : Policy
    clock : callable
        Times the stages ``read`` and ``compress``.

    Raises
    ------
    PolicyError, InputError
        Wrong use or bad input, in one sentence.
    """
    with clock("read"):
        opened = open_source(engine, source, policy.reading, once=not policy.hierarchies)
        policy.roles.check(opened.names, quotable=opened.quotable)
        hierarchies = stages.hierarchies_of(policy, engine, opened)
        patterns = stages.patterns_of(policy, hierarchies)
        table = with_roles(
            engine, opened, policy.roles, hierarchies=hierarchies,
            text=stages.text_columns(policy, patterns), star=stages.star_of(policy),
        )  # fmt: skip
        engine.forget(opened.data)
        stages.enough_rows(policy, table.rows)
    with clock("compress"):
        types = compress(table, stages.judged_columns(policy))
        table = advised(table, types)
        nodes = stages.nodes_of(policy, hierarchies, hierarchy_lines(table, types))
        return Prepared(table, types, hierarchies, patterns, places(table, types), nodes)
