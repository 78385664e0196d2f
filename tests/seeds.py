"""Random instances, many in one test: a fifteenth of them in `make test`, every one in `make proofs`."""

from __future__ import annotations

import functools
import inspect
import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["how_many", "scaled", "seeds"]

LEAST = 5  # instances of a test that `make test` runs at any rate


def how_many(all_of_them: int, few: int | None = None) -> int:
    """Return how many instances a test runs: all where INCROWD_PROOFS is set, else `few`, or a fifteenth.

    A test that calls it is marked `seeds` (by `conftest.py`), so that `make proofs` runs it with all.
    """
    if os.environ.get("INCROWD_PROOFS"):
        return all_of_them
    return min(all_of_them, max(all_of_them // 15, LEAST) if few is None else few)


def scaled(number: int) -> int:
    """Return a number of instances, or of those among them that something is said of: all, or a quarter.

    A loop over `scaled(80)` seeds that met something more than `scaled(20)` times claims the same in both runs. A test
    that calls it is marked `seeds`.
    """
    return number if os.environ.get("INCROWD_PROOFS") else number // 4


def seeds(all_of_them: int, few: int | None = None, *, first: int = 0, name: str = "seed") -> Callable[[Any], Any]:
    """Run a test over the seeds from `first` on, one after the other; what fails says which seed it was.

    Parameters
    ----------
    all_of_them : int
        How many seeds `make proofs` runs.
    few : int, optional
        How many `make test` runs; a fifteenth by default, and at least five.
    first : int
        The first seed.
    name : str
        The test's parameter that takes the seed.
    """

    def over(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(*arguments: Any, **fixtures: Any) -> None:
            skipped, numbers = [], range(first, first + how_many(all_of_them, few))
            for number in numbers:
                try:
                    test(*arguments, **fixtures, **{name: number})
                except pytest.skip.Exception as said:
                    skipped.append(said)
                except BaseException as error:
                    error.add_note(f"{name} {number}")
                    raise
            if len(skipped) == len(numbers):
                raise skipped[-1]

        asked = inspect.signature(test)
        run.__signature__ = asked.replace(  # pytest looks for the fixtures here
            parameters=[given for given in asked.parameters.values() if given.name != name]
        )
        return pytest.mark.seeds(run)

    return over
