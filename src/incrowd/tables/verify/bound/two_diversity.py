"""Which sensitive columns a policy asks to be varied enough that pairs and triples of differing rows suffice.

A group in which no value of a column has more than half of the rows splits into pairs and at most one triple of rows
that differ there; the same holds for two columns at once (an equitable edge colouring), not for three. So a bound over
all such pairs and triples holds for every release that meets such a requirement (Liang, Yuan, Theorem 11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.verify.requirements.reading import reading_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = ["halved_columns", "telling"]


def halved_columns(models: Iterable[Any]) -> frozenset[str]:
    """Return the columns of which no value may have more than half of a class, by what is asked.

    `models` are as the policy has them.
    """
    found = set()
    for model in models:
        asked = settings_of(model)
        limit = reading_of(model.name).share_limit(asked)
        if limit is not None and 2 * limit <= 1:  # [M1]
            found.add(str(asked["column"]))
    return frozenset(found)


def telling(codes: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return sensitive codes with columns left out that tell the same values apart as an earlier one, shape (t, s).

    `codes` (t, s) holds the code of each type in each sensitive column.
    """
    kept: list[int] = []
    for j in range(codes.shape[1]):
        _, mine = np.unique(codes[:, j], return_inverse=True)
        if not any(np.array_equal(mine, np.unique(codes[:, i], return_inverse=True)[1]) for i in kept):
            kept.append(j)
    return codes[:, kept]
