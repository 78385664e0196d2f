"""Three-dimensional matching: disjoint triples of W x X x Y."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.sources.program import choose

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Matching3D:
    """Distinct triples (w, x, y), each coordinate from 0 to ``side - 1``.

    Elements are numbered: W first (w), then X (side + x), then Y (2 side + y). Each of W, X and Y has `side` elements.
    PolicyError is raised if a coordinate is out of range, or a triple is given twice.
    """

    side: int
    triples: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        if len(set(self.triples)) < len(self.triples):
            raise PolicyError("every triple must be given once")
        if not all(0 <= c < self.side for triple in self.triples for c in triple):
            raise PolicyError(f"the coordinates of a triple must be from 0 to {self.side - 1}")

    def members(self) -> tuple[tuple[int, int, int], ...]:
        """Return the three elements of every triple."""
        return tuple((w, self.side + x, 2 * self.side + y) for w, x, y in self.triples)

    def occurrences(self) -> Counter[int]:
        """Return in how many triples every element is."""
        return Counter(element for triple in self.members() for element in triple)

    def disjoint(self, chosen: tuple[int, ...]) -> bool:
        """Whether no two of the chosen triples, given by their indices, agree in a coordinate."""
        used = [element for i in chosen for element in self.members()[i]]
        return len(set(used)) == len(used)

    def largest(self) -> tuple[int, ...]:
        """Return the indices of the triples of a largest matching: as many as possible that share no element.

        An integer program of one variable per triple, without a time limit.
        """
        found = choose(self.members(), 3 * self.side, most=1, costs=[-1] * len(self.triples))
        assert found is not None  # the empty choice will do
        return found


def drawn(rng: np.random.Generator, side: int, triples: int, *, most: int | None = None, perfect: bool) -> Matching3D:
    """Return random distinct triples, each element in at most `most` of them (None: any number).

    Where few triples fit, there may be fewer than asked for. W, X and Y have `side` elements each. At most side^3
    triples can be asked for and, with `most`, most * side. `perfect` plants a perfect matching. PolicyError is raised
    if that many triples do not exist, or cannot hold a perfect matching.
    """
    if perfect and triples < side:
        raise PolicyError(f"{triples} triples hold no perfect matching of {side}; ask for more")
    if triples > side**3 or (most is not None and triples > most * side):
        limit = side**3 if most is None else min(side**3, most * side)
        raise PolicyError(f"there are at most {limit} triples at this size, not {triples}; ask for fewer")
    chosen: set[tuple[int, int, int]] = set()
    count: Counter[tuple[int, int]] = Counter()

    def add(triple: tuple[int, int, int]) -> None:
        chosen.add(triple)
        count.update(enumerate(triple))

    if perfect:
        for triple in zip(range(side), rng.permutation(side), rng.permutation(side), strict=True):
            add((int(triple[0]), int(triple[1]), int(triple[2])))
    for _ in range(400 * triples):
        if len(chosen) >= triples:
            break
        w, x, y = (int(c) for c in rng.integers(0, side, 3))
        full = most is not None and any(count[place] >= most for place in enumerate((w, x, y)))
        if (w, x, y) not in chosen and not full:
            add((w, x, y))
    order = sorted(chosen)
    return Matching3D(side, tuple(order[int(i)] for i in rng.permutation(len(order))))


NAMED = {
    "cube": Matching3D(2, ((0, 0, 0), (1, 1, 1), (0, 1, 0), (1, 0, 1))),
    # every two triples meet: only one can be taken
    "pencil": Matching3D(2, ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))),
    "three": Matching3D(3, ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 0, 0), (1, 1, 0), (2, 2, 2), (0, 2, 1))),
}
