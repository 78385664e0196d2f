"""What a method of the paper found, and what every method says of itself."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from incrowd.networks.values import Graph
    from incrowd.progress import Watch

__all__ = ["MATRIX_NODES", "Asked", "Method", "Outcome"]

MATRIX_NODES = 12_000  # 2n^2 bytes of distances: 288 MB


@dataclass(frozen=True, slots=True)
class Asked:
    """What a method is asked.

    Attributes
    ----------
    graph : Graph
    k : int
        The level asked for; 0 for a method that asks for none.
    starts : int or None
        Starting nodes that a randomized method draws; None for the paper's number.
    seed : int
    watch : Watch
        Asked after every start, set or guess.
    """

    graph: Graph
    k: int
    starts: int | None
    seed: int
    watch: Watch


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method found.

    Attributes
    ----------
    lower, upper : int or None
        On the least number of attackers for a level k (None: no set exists, or none is known), on k for the largest.
    members : list of int or None
        A set by index: of `upper` nodes for a level, of measure `lower` for the largest k.
    proven : bool
        Whether the bounds meet, or it is proven that there is no set.
    remarks : tuple of str
        What is to be said about it, one sentence each.
    """

    lower: int | None
    upper: int | None
    members: list[int] | None
    proven: bool
    remarks: tuple[str, ...] = ()


class Method:
    """One algorithm or theorem of the paper.

    Attributes
    ----------
    name, summary : str
        As ``incrowd list methods`` shows them.
    cites : str
        Its statement in the paper.
    question : {"adim", "at_least", "exactly"}
        The largest k, or the least set of measure at least or exactly a level.
    level : int or None
        The only level it takes; None for any.
    guarantee : str
        What holds for its answer, in one sentence.
    most_nodes : int
        Nodes beyond which it declines.
    randomized : bool
        Whether it draws starting nodes.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    cites: ClassVar[str]
    question: ClassVar[Literal["adim", "at_least", "exactly"]]
    level: ClassVar[int | None] = None
    guarantee: ClassVar[str]
    most_nodes: ClassVar[int] = MATRIX_NODES
    randomized: ClassVar[bool] = False

    def declines(self, graph: Graph, k: int) -> str | None:
        """Return why it does not take a network and a level, as the end of a sentence, or None.

        Parameters
        ----------
        graph : Graph
        k : int
            0 for a method that takes no level.
        """
        return None

    @abstractmethod
    def run(self, asked: Asked) -> Outcome:
        """Return what it finds.

        Parameters
        ----------
        asked : Asked
        """
