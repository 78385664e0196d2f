"""Set cover: the fewest sets whose union is the universe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.sources.program import choose

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class SetCover:
    """Elements 0 to ``universe - 1`` and some sets of them.

    PolicyError is raised if a set is empty, holds an element twice or one that is not in the universe.
    """

    universe: int
    sets: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        for members in self.sets:
            if not members or len(set(members)) < len(members) or not all(0 <= u < self.universe for u in members):
                raise PolicyError(f"a set must hold distinct elements from 0 to {self.universe - 1}, not {members}")

    def covers(self, chosen: tuple[int, ...]) -> bool:
        """Whether the chosen sets, given by their indices, hold every element."""
        return len({u for s in chosen for u in self.sets[s]}) == self.universe

    def least(self) -> tuple[int, ...] | None:
        """Return the indices of the fewest sets that cover everything, or None if no choice does."""
        return choose(self.sets, self.universe, least=1)

    def exact(self) -> tuple[int, ...] | None:
        """Return the indices of sets that hold every element once, or None if there are none.

        An integer program of one variable per set, without a time limit.
        """
        return choose(self.sets, self.universe, least=1, most=1)


def drawn(rng: np.random.Generator, universe: int, sets: int, width: int) -> SetCover:
    """Return `sets` distinct random sets of `width` elements that cover the universe together.

    The universe has at least `width` elements. `sets` is at least universe / width, and at most the number of different
    sets of that width. PolicyError is raised if that many distinct sets do not exist, or so few cannot cover.
    """
    if universe < width:
        raise PolicyError(f"a set of {width} elements needs a universe of at least {width}, not {universe}")
    if sets * width < universe:
        raise PolicyError(f"{sets} sets of {width} elements cannot cover {universe}; ask for more sets")
    every = 1
    for i in range(width):
        every = every * (universe - i) // (i + 1)
    if sets > every:
        raise PolicyError(f"there are only {every} sets of {width} among {universe} elements; ask for fewer sets")
    # First a cover: a random order cut into runs, the last one filled up.
    order = [int(u) for u in rng.permutation(universe)]
    order += order[: -universe % width]
    made = {tuple(sorted(order[i : i + width])) for i in range(0, len(order), width)}
    while len(made) < sets:
        made.add(tuple(sorted(int(u) for u in rng.choice(universe, width, replace=False))))
    shuffled = sorted(made)
    return SetCover(universe, tuple(shuffled[int(i)] for i in rng.permutation(len(shuffled))))


NAMED = {
    # three sets through two common elements: all are needed
    "sunflower": SetCover(5, ((0, 1, 2), (0, 1, 3), (0, 1, 4))),
    # the lines of the Fano plane: any two lines miss two points
    "fano": SetCover(7, ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))),
    "two-halves": SetCover(6, ((0, 1, 2), (3, 4, 5), (1, 2, 3), (0, 4, 5), (0, 2, 4))),
}
