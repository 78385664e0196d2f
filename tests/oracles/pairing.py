"""What a stranger may hold against a release, by trying every assignment of rows. At most 7 rows.

Tables are lists of rows; a row is a tuple of the quasi-identifiers and then the other columns. Cells are
texts or None.
"""

from __future__ import annotations

import itertools
from collections import Counter

from oracle import masks


def accepts(shown, row, m, star):
    """Whether a released row may come from an original one, whatever the mask says."""
    quasi = all(r in (o, star) for r, o in zip(shown[:m], row[:m], strict=True))
    return quasi and shown[m:] == row[m:]


def readings(shown, row, m, star):
    """Every star pattern that the released row may have if it comes from the original one."""
    choices = [
        (0, 1) if r == o == star else (1,) if r == star else (0,) for r, o in zip(shown[:m], row[:m], strict=True)
    ]
    return list(itertools.product(*choices))


def best(fit):
    """The most rows that some permutation assigns; ``fit[r][o]`` says who fits. Tries them all."""
    n = len(fit)
    most = 0
    for order in itertools.permutations(range(n)):
        most = max(most, sum(fit[r][order[r]] for r in range(n)))
        if most == n:
            break
    return most


def judge(original, released, m, k, outliers, names, mask, star):
    """Return {"k": classes, "mask": rows, "faithful": rows}, without the rules that are kept.

    Both tables have the same number of rows. `star` is None where a star is NULL.
    """
    heights, said = dict.fromkeys(names, 1), mask.to_dict()

    def allowed(pattern):
        return masks.allowed(said, dict(zip(names, pattern, strict=True)), heights)

    found = {}
    classes = Counter(row[:m] for row in released)
    if outliers == "suppress":
        classes.pop((star,) * m, None)
    small = sum(size < k for size in classes.values())
    if small:
        found["k"] = small
    fit = [[accepts(r, o, m, star) for o in original] for r in released]
    most = best(fit)
    if star is not None:
        outside = sum(not allowed([int(cell == star) for cell in r[:m]]) for r in released)
    else:
        masked = [
            [yes and any(allowed(p) for p in readings(r, o, m, star)) for o, yes in zip(original, row, strict=True)]
            for r, row in zip(released, fit, strict=True)
        ]
        outside = most - best(masked)
    if outside:
        found["mask"] = outside
    if most < len(released):
        found["faithful"] = len(released) - most
    return found
