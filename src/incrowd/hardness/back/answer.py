"""What a release or a node set says of the source problem."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, count_of
from incrowd.hardness.back.document import read_folder
from incrowd.hardness.back.pairing import in_order
from incrowd.hardness.back.release import node_set, refuse_changed, released_rows

if TYPE_CHECKING:
    import os

    from incrowd.hardness.questions.question import Told
    from incrowd.hardness.values import Instance

__all__ = ["Answer", "answer_of", "back"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back.

    Attributes
    ----------
    name : str
        The construction's.
    cost, threshold : int
        Stars of the release, or nodes of the set, and how many there may be.
    goal : int or None
        The number that was asked of the source problem.
    asked : str
        What a solution is, such as ``a cover``.
    unit : str
        ``star`` or ``node``.
    told : Told or None
        A solution of the source problem, judged by its definition; None where there is none.
    reached : bool
        Whether it is as good as was asked for: then the source problem's answer is yes.
    """

    name: str
    cost: int
    threshold: int
    goal: int | None
    asked: str
    unit: str
    told: Told | None
    reached: bool

    def sentence(self) -> str:
        """Return it in one sentence."""
        what = "The release" if self.unit == "star" else "The node set"
        head = f"{what} has {count_of(self.cost, self.unit)}, the threshold is {self.threshold}"
        if self.reached and self.told:
            return f"{head}: yes, {self.told.sentence}."
        if self.cost > self.threshold:
            over = f"{head}, so it does not answer the question; if nothing with fewer exists, the answer is no."
            return over if not self.told else f"{over} It holds {self.told.sentence}."
        return f"{head}, but it does not hold {self.asked}: it is not what the folder's policy or question asks for."

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values: ``answer`` is ``yes`` or null, ``solution`` what came back or null."""
        return {
            "construction": self.name,
            "cost": self.cost,
            "threshold": self.threshold,
            "goal": self.goal,
            "answer": "yes" if self.reached else None,
            "asked": self.asked,
            "solution": dict(self.told.facts) if self.told else None,
            "sentence": self.sentence(),
        }


def answer_of(made: Instance, given: Any) -> Answer:
    """Return what a release or a node set says of an instance's source problem.

    What the way back gives is judged by the source problem's own definition, so that a solution is one whatever the
    release was; of a table with classes of fewer than k rows nothing is asked.

    The instance may be solved or not. `given` holds released rows in any order, or nodes. InputError is raised if it is
    no release of the table, or names no nodes of the network.
    """
    crowded = True
    if made.table is not None:
        given = in_order(made.table, given)
        cost, unit = made.table.cost(given), "star"
        crowded = all(len(rows) >= made.policy["k"] for rows in made.table.classes(given).values())
    else:
        cost, unit = len(set(given)), "node"
    asks = made.asks
    if asks is None:
        raise InputError(f"instance {made.name!r} does not say what is asked of its source problem")
    try:
        solution = made.backward(given) if crowded else None
    except ValueError:  # beyond the threshold, or no release that meets the policy
        solution = None
    told = None
    reached = False
    if solution is not None and asks.solves(made.source, solution):
        told = asks.tell(made.source, solution, made.labels)
        reached = asks.meets(made.source, solution, made.goal)
    return Answer(made.name, cost, made.threshold, made.goal, asks.asked, unit, told, reached)


def back(folder: str | os.PathLike[str], given: str | os.PathLike[str]) -> Answer:
    """Return what a released file, or a file of nodes, says of the source problem of an instance's folder.

    The folder is one that `incrowd instance` wrote. The instance is made again from its ``source.json``, and its table
    or graph compared; nothing is solved. `given` is the path of the released CSV, its rows in any order; of a network,
    that of the nodes' numbers or the JSON of `incrowd network`. InputError is raised if a file cannot be read, or does
    not fit the folder.
    """
    folder = Path(folder)
    made = read_folder(folder)
    refuse_changed(folder, made)
    if made.table is not None:
        return answer_of(made, released_rows(Path(given), made.table))
    return answer_of(made, node_set(Path(given), 1 + max(v for edge in made.edges for v in edge)))
