"""What a construction gives: a table or a network whose answer is known from the source problem.

A *reduction* turns an instance of a source problem (set cover, edge partition, three-dimensional matching ...) into a
table with a policy, or a network with a question, and a threshold: a release (or node set) within the threshold exists
if and only if the source problem has a solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from incrowd.errors import InputError

Kind = Literal["table", "network"]
Blocks = tuple[tuple[int, ...], ...]
Shown = dict[tuple[str, ...], tuple[int, ...]]  # what a class shows -> its rows
STAR = "*"
Labels = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Told:
    """A solution in words: a sentence, its parts by the names that the source gave them, the same for JSON."""

    sentence: str
    lines: tuple[str, ...]
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a source problem; its functions take the source, then a solution as the way back gives it.

    `asked`: what a solution is, such as ``a cover``. `sought`: what is sought, with the number asked for. `solves`:
    whether it is a solution at all, by the definition. `report`: one for which it is true, in words. `size`: the number
    that a goal speaks of; None where none is. `step`: 1 where more is asked for, -1 where less is. `possible`: which
    goals are worth asking. `goal`: what the goal says. `fact`: what ``answer.json`` calls the least or largest.
    """

    asked: str
    sought: str
    solves: Callable[[Any, Any], bool]
    report: Callable[[Any, Any, Labels], Told]
    size: Callable[[Any, Any], int] | None = None
    step: int = -1
    possible: Callable[[Any, int], bool] = lambda source, goal: goal >= 1
    goal: str = ""
    fact: str = ""

    def meets(self, source: Any, solution: Any, goal: int | None) -> bool:
        """Return whether a solution is as good as asked for."""
        return self.size is None or goal is None or self.step * (self.size(source, solution) - goal) >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of texts: the quasi-identifiers first, then the sensitive columns.

    Attributes
    ----------
    quasi_identifiers, sensitive : tuple of str
        Names of the columns.
    rows : tuple of tuple of str
        One text per column.
    """

    quasi_identifiers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sensitive: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """All names, in the order of the cells."""
        return self.quasi_identifiers + self.sensitive

    def classes(self, released: Sequence[Sequence[str]]) -> Shown:
        """Return the classes of a release: what each shows on the quasi-identifiers, and its rows.

        The cells shown (a star where a cell is hidden) lead to the indices of the rows, ascending. `released` holds (n,
        columns) texts in the order of the table's own rows (``--keep-order`` keeps it). InputError is raised if it is
        no release of this table: a row lost, or a cell that is neither the original's nor a star.
        """
        if len(released) != len(self.rows):
            raise InputError(f"a release of this table has {len(self.rows)} rows, not {len(released)}")
        width = len(self.quasi_identifiers)
        found: dict[tuple[str, ...], list[int]] = {}
        for i, (row, out) in enumerate(zip(self.rows, released, strict=True)):
            shown = tuple(out[:width])
            if len(shown) != width or any(cell not in (STAR, own) for cell, own in zip(shown, row, strict=False)):
                raise InputError(
                    f"row {i + 1} of the release is no release of row {i + 1} of the table; keep the table's order "
                    "(--keep-order) and its star (*)"
                )
            found.setdefault(shown, []).append(i)
        return {shown: tuple(members) for shown, members in found.items()}

    def cost(self, released: Sequence[Sequence[str]]) -> int:
        """Return the stars of a release.

        `released` holds (n, columns) texts in the table's order; InputError is raised if it is no release of this
        table.
        """
        return sum(shown.count(STAR) * len(members) for shown, members in self.classes(released).items())

    def released(self, blocks: Iterable[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
        """Return the cheapest release in which the rows of each block look alike: stars where they differ.

        It is (n, columns) texts in the table's order, with sensitive cells as they are. Every row of the table is in
        one block, and none is empty; KeyError is raised if a row is in no block.
        """
        width = len(self.quasi_identifiers)
        out: dict[int, tuple[str, ...]] = {}
        for block in blocks:
            shown = closure([self.rows[i][:width] for i in block])
            out.update({i: shown + self.rows[i][width:] for i in block})
        return tuple(out[i] for i in range(len(self.rows)))


def closure(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return what some rows of equal length have in common, a star where they differ."""
    return tuple(cells[0] if len(set(cells)) == 1 else STAR for cells in zip(*rows, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Instance:
    """A hard instance with a known answer.

    Attributes
    ----------
    name : str
        The construction's.
    kind : {"table", "network"}
    question : str
        What is asked, in one sentence.
    threshold : int
        Stars of a release, or nodes of an attacker set, at most.
    yes : bool or None
        Whether a release or node set within the threshold exists; None where the source problem was not solved.
    optimum : int or None
        The least, where the source problem's optimum gives it.
    theorem, paper : str
        What proves it.
    policy : mapping
        Keys of a policy file (tables).
    table : Table or None
    edges : tuple of (int, int)
        Of a network.
    source : object
        The source problem.
    backward : callable
        From a release within the threshold (rows in the table's order) or a node set to a solution of the source
        problem; a ValueError where it is beyond the threshold.
    witness : Blocks, tuple of int or None
        The proof's forward direction: blocks of rows (see `Table.released`) or nodes that reach the optimum.
    more : mapping
        Further facts for ``answer.json``.
    asks : Question or None
        What a solution of the source problem is: what comes back is judged by it.
    goal : int or None
        The number that is asked of the source problem, where the question has one.
    labels : mapping of str to tuple of str
        The names of the source's parts, where a file gave them.
    parameters : mapping
        What the construction was made with besides its source.
    origin : Instance or None
        The instance that this one was made of.
    """

    threshold: int
    backward: Callable[[Any], Any]
    name: str = ""
    kind: Kind = "table"
    question: str = ""
    yes: bool | None = None
    optimum: int | None = None
    theorem: str = ""
    paper: str = ""
    source: Any = None
    policy: Mapping[str, Any] = field(default_factory=dict)
    table: Table | None = None
    edges: tuple[tuple[int, int], ...] = ()
    witness: Any = None
    more: Mapping[str, Any] = field(default_factory=dict)
    asks: Question | None = None
    goal: int | None = None
    labels: Labels = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    origin: Instance | None = None

    def cost(self, witness: Any) -> int:
        """Return the stars of the cheapest release with some blocks of rows, or how many nodes there are."""
        return len(set(witness)) if self.table is None else self.table.cost(self.table.released(witness))

    def answer(self) -> dict[str, Any]:
        """Return what ``answer.json`` holds."""
        return {
            "name": self.name,
            "kind": self.kind,
            "question": self.question,
            "threshold": self.threshold,
            "yes": self.yes,
            "optimum": self.optimum,
            "theorem": self.theorem,
            "paper": self.paper,
            **self.more,
        }
