"""Random small problems of ranges on a grid: search, bounds and the three checkers against every partition of the rows.

    PYTHONPATH=tests python -m every.small_ranges [NUMBER] [FIRST]

tries NUMBER problems (2,000 by default) from seed FIRST (0) on, each a table of a few rows with one to three ranged
columns and up to two more, at cost leaves or ncp, k from 1 to 4, an outlier rule and, two times in five, a mask: the release costs no less than the best one, and the bound of the search
and that of drawn prices no more; a certificate and a changed one get one verdict from all checkers, and none of them
confirms a bound above the best. It ends at the first that is wrong, with its seed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

import numpy as np

from checker import page_script
from checker.red_changes import changed, claimed
from checker.red_ranges import drawn_case


class Wrong(AssertionError):
    """What should not be."""


def wrong_if(bad, what):
    if bad:
        raise Wrong(what)


def said_by_all(case, certificate, cost, *, page):
    """The one verdict of all checkers."""
    said = [case.by_check(certificate, cost), case.by_second(certificate, cost)]
    said += [case.by_page(certificate, cost)] if page else []
    wrong_if(any(one != said[0] for one in said), f"verdicts differ: {said} on {certificate}")
    wrong_if(said[0][0] == "good" and said[0][3] > case.least, f"a bound above the best is confirmed: {certificate}")
    return said[0]


def tried(seed, *, page):
    """Try one problem; return how far the bound reaches: the optimum, or less."""
    rng = np.random.default_rng([78, seed])
    case = drawn_case(rng, 6)
    honest = case.certificate
    wrong_if(case.cost < case.least, "the release costs less than the best one")
    found = said_by_all(case, honest, case.cost, page=page)
    wrong_if(found != ("good", True, case.cost, honest["lower_bound"]), f"a true certificate is refused: {found}")
    top = sum(int(level.cost[-1].max()) for level in case.table.levels)
    parts = int(rng.integers(1, 5))
    prices = rng.integers(-parts, parts * top // 2 + 2, len(case.table.counts)).tolist()
    drawn = honest | {"parts": parts, "prices": prices, "lower_bound": 0, "lower_bound_checked": 0}
    bound = said_by_all(case, drawn, case.cost, page=page)[3]
    said_by_all(case, claimed(drawn, bound + 1), max(case.cost, bound + 1), page=page)
    made = changed(honest, drawn, rng)[0]
    said_by_all(case, made, made["cost"] if type(made.get("cost")) is int else case.cost, page=page)
    return "optimum" if honest["lower_bound"] == case.least else "below"


def main(number=2000, first=0):
    """Try problems, and print how often the bound is the optimum."""
    page, counted, begun = page_script.NODE is not None, Counter(), time.process_time()
    for seed in range(first, first + number):
        try:
            counted[tried(seed, page=page)] += 1
        except Wrong as error:
            print(f"seed {seed}: {error}")
            return 1
    print(
        f"{number:,} problems, {'three' if page else 'two'} checkers: the bound is the optimum {counted['optimum']:,} times"
    )
    print(f"{time.process_time() - begun:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
