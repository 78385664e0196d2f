"""Every experiment that can be run again, by name."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError, did_you_mean
from incrowd.reproduce import against_mondrian, data_sets
from incrowd.reproduce.claims import LEAST, Claim, NotComparable, Pairs, always, at, largest, span, within
from incrowd.reproduce.experiment import Experiment
from incrowd.tables.mask import Mask

if TYPE_CHECKING:
    from incrowd.reproduce.measure import Line


# The claims of Section 3.6, "Heuristic vs. Exact Solution": Tables 6 to 8.
#
# The paper's exact solutions are those of its integer program in CPLEX. Ours are those of `exact`, another program,
# whose speed and whose choice among several optima are no measure of the paper's; or those of the paper's program in
# HiGHS. Where one ran out of time, ratios to the optimum lie between those to its release and to its lower bound.
Found = tuple[bool | None, str]
MINUTE = 60.0


def _ratios(greedy: Line, exact: Line) -> tuple[float, float]:
    """Return between what the heuristic's cost lies, as a multiple of the optimum."""
    least, most = max(exact.bound, greedy.bound), min(exact.suppressed, greedy.suppressed)
    return greedy.suppressed / max(most, 1), greedy.suppressed / max(least, 1)


def _is_optimal(greedy: Line, exact: Line) -> bool | None:
    """Return whether the heuristic's release is one of least cost (None: not known)."""
    if greedy.suppressed <= max(exact.bound, greedy.bound):
        return True
    return False if greedy.suppressed > exact.suppressed else None


def _optimal(pairs: Pairs, ks: list[int]) -> Found:
    states = {k: _is_optimal(pairs.greedy[k], pairs.other[k]) for k in ks}
    not_so = [k for k, state in states.items() if state is False]
    open_ = [k for k, state in states.items() if state is None]
    yes = [k for k, state in states.items() if state]
    ours = f"optimal at {at(yes)}" + (f", not at {at(not_so)}" if not_so else "")
    ours += f", open at {at(open_)}" if open_ else ""
    return (False if not_so else None if open_ or not ks else True), ours


OTHER = "another program than the paper's integer program, which --solver ilp runs"
ENGINE = "the engine is HiGHS here and CPLEX in the paper"


def _literal(pairs: Pairs) -> bool:
    """Return whether the paper's integer program was run."""
    return any(line.method == "ilp" for line in pairs.other.values())


def _slower(pairs: Pairs) -> list[float]:
    """Return how many times slower the exact runs are at the least, by k: what is under a millisecond counts as one."""
    return [pairs.other[k].seconds / max(pairs.greedy[k].seconds, LEAST) for k in pairs.ks]


def _faster_by(times: float, found: float, ours: str, literal: bool) -> Found:
    """Return that the integer program was so many times slower, if it was."""
    if not literal:
        raise NotComparable(f"{ours}; {OTHER}")
    if found < times:
        raise NotComparable(f"{ours}; {ENGINE}")
    return True, ours


def _at_least_slower(times: float) -> Claim:
    def judge(pairs: Pairs) -> Found:
        found = _slower(pairs)
        return _faster_by(times, min(found), f"{span(found, 1)} times", _literal(pairs))

    return Claim(f"the heuristic is at least {times:g} times faster than the exact solver at every k", judge)


def _exact_within(seconds: float, text: str) -> Claim:
    def judge(pairs: Pairs) -> Found:
        open_ = [k for k in pairs.ks if not pairs.other[k].optimal]
        taken = [pairs.other[k].seconds for k in pairs.ks]
        ours = largest(taken) + (f"; no proof within --time-limit at {at(open_)}" if open_ else "")
        if not _literal(pairs):
            raise NotComparable(f"{ours}; {OTHER}")
        if max(taken) > seconds:
            raise NotComparable(f"{ours}; {ENGINE}")
        return None if open_ else True, ours

    return Claim(text, judge)


def _average(pairs: Pairs) -> Found:
    mean = statistics.mean(_slower(pairs))
    return _faster_by(1000, mean, f"{mean:,.0f} times", _literal(pairs))


AVERAGE = Claim(
    "the exact program is on average more than 1000 times slower (the text: over three data sets; here: on this one)",
    _average,
)


def _falling(pairs: Pairs) -> Found:
    low = [_ratios(pairs.greedy[k], pairs.other[k])[0] for k in pairs.ks]
    ours = ", ".join(f"{ratio:.3f} (k = {k})" for k, ratio in zip(pairs.ks, low, strict=True))
    return low[0] > low[-1] or low[0] == low[-1] == 1, f"cost over the best release known: {ours}"


FALLING = Claim("the heuristic comes closer to the optimum as k grows", _falling, needs=(2, 100))


def _nursery_optimal(pairs: Pairs) -> Found:
    return _optimal(pairs, pairs.ks)


def _nursery_six(pairs: Pairs) -> Found:
    greedy, exact = pairs.greedy[6].smallest, pairs.other[6].smallest
    ours = f"the exact release is {exact}-anonymous, the heuristic's {greedy}-anonymous"
    if not _literal(pairs):
        raise NotComparable(f"{ours}; of several optima each program takes its own: --solver ilp runs the paper's")
    return (greedy, exact) == (9, 15), ours


def _nursery_measures(pairs: Pairs) -> Found:
    types = always(pairs, lambda g, o: g.groups >= o.groups)
    mean = always(pairs, lambda g, o: g.mean <= o.mean)
    large = always(pairs, lambda g, o: g.largest <= o.largest)
    return not (types or mean or large), (
        f"not at least as good in #h at {at(types)}, in h_avg at {at(mean)}, in h_max at {at(large)}"
    )


NURSERY = (
    _exact_within(2 * MINUTE, "the exact solver solves every k within two minutes"),
    Claim("the heuristic is optimal at every k", _nursery_optimal),
    _at_least_slower(25),
    Claim("at k = 6 the exact release is 15-anonymous, the heuristic's 9-anonymous", _nursery_six, needs=(6,)),
    Claim("the heuristic is at least as good in #h, h_avg and h_max", _nursery_measures),
    AVERAGE,
)


def _cmc_two(pairs: Pairs) -> Found:
    low, high = _ratios(pairs.greedy[2], pairs.other[2])
    return round(low, 1) == 1.4 == round(high, 1), f"{span((low, high), 3)} times"


def _cmc_above_ten(pairs: Pairs) -> Found:
    return _optimal(pairs, [k for k in pairs.ks if k > 10])


def _cmc_usefulness(pairs: Pairs) -> Found:
    better = [k for k in pairs.ks if pairs.greedy[k].usefulness < pairs.other[k].usefulness]
    worse = [k for k in pairs.ks if pairs.greedy[k].usefulness > pairs.other[k].usefulness]
    return None, f"the heuristic's is better (smaller) at {at(better)}, worse at {at(worse)}, else the same"


CMC = (
    _at_least_slower(10),
    FALLING,
    Claim("at k = 2 the heuristic suppresses 1.4 times as many entries as the optimum", _cmc_two, needs=(2,)),
    Claim("for k > 10 the heuristic is optimal", _cmc_above_ten, needs=(25, 50, 75, 100)),
    Claim(
        "the heuristic's usefulness is at most as good as the exact one's for k [sign lost] 7 and k [sign lost] 50",
        _cmc_usefulness,
    ),
    AVERAGE,
)


def _adult_ratio(pairs: Pairs) -> Found:
    low = {k: _ratios(pairs.greedy[k], pairs.other[k])[0] for k in pairs.ks}
    high = {k: _ratios(pairs.greedy[k], pairs.other[k])[1] for k in pairs.ks}
    worst = max(low, key=lambda k: low[k])
    ours = f"at most {low[worst]:.3f} (k = {worst})"
    if max(high.values()) > max(low.values()):
        ours += f", by the bounds at most {max(high.values()):.3f}"
    if max(high.values()) < 1.315:
        return True, ours
    return (False if max(low.values()) >= 1.315 else None), ours


def _adult_time(pairs: Pairs) -> Found:
    return within(1, [line.seconds for line in pairs.greedy.values()])


def _adult_types(pairs: Pairs) -> Found:
    worse = always(pairs, lambda g, o: o.groups >= g.groups)
    found = [pairs.other[k].groups / pairs.greedy[k].groups for k in pairs.ks]
    return not worse, f"the exact one's #h is {span(found)} times the heuristic's; smaller at {at(worse)}"


def _adult_largest(pairs: Pairs) -> Found:
    found = [pairs.greedy[k].largest / pairs.other[k].largest for k in pairs.ks]
    return max(found) > 2, f"{span(found)} times"


def _adult_usefulness(pairs: Pairs) -> Found:
    worse = always(pairs, lambda g, o: g.usefulness < o.usefulness)
    found = [pairs.other[k].usefulness / pairs.greedy[k].usefulness for k in pairs.ks]
    return not worse, f"the exact one's is {span(found)} times the heuristic's; not better at {at(worse)}"


ADULT_2 = (
    _exact_within(6 * MINUTE, "the exact solver takes up to six minutes"),
    Claim("the heuristic takes less than one second", _adult_time, alone=True),
    Claim("the heuristic suppresses at most 1.31 times the optimum at every k", _adult_ratio),
    FALLING,
    Claim("the exact solution is slightly better in #h and h_avg", _adult_types),
    Claim("the heuristic's h_max is for some k more than twice the exact one's", _adult_largest),
    Claim("the heuristic's usefulness is slightly better at every k", _adult_usefulness),
    AVERAGE,
)


NETWORKS = "networks"
USER = Mask(
    max_stars=2,
    keep=["education", "salary-class"],
    together=[["workclass", "occupation"]],
    at_most_one=[["age", "sex", "race"]],
)

CATALOGUE: tuple[Experiment, ...] = (
    Experiment(
        name="adult", table=1, data=data_sets.ADULT, mask=Mask(), patterns=2**14, against="mondrian",
        claims=against_mondrian.ADULT, ties="colexicographic", numeric="all", texts="sorted",
    ),
    Experiment(
        name="adult-2", table=2, data=data_sets.ADULT_2, mask=Mask(), patterns=2**9, against="mondrian",
        claims=against_mondrian.ADULT_2, ties="colexicographic",
    ),
    Experiment(
        name="nursery", table=3, data=data_sets.NURSERY, mask=Mask(), patterns=2**8, against="mondrian",
        claims=against_mondrian.NURSERY, ties="colexicographic", numeric="none",
    ),
    Experiment(
        name="cmc", table=4, data=data_sets.CMC, mask=Mask(), patterns=2**10, against="mondrian",
        claims=against_mondrian.CMC, ties="first", numeric="none",
    ),
    Experiment(
        name="canada", table=5, data=data_sets.CANADA, mask=Mask(), patterns=2**9, against="mondrian",
        claims=against_mondrian.CANADA, ties="colexicographic",
    ),
    Experiment(
        name="nursery-exact", table=6, data=data_sets.NURSERY, mask=Mask(), patterns=2**8, against="exact",
        claims=NURSERY, ties="colexicographic",
    ),
    Experiment(
        name="cmc-exact", table=7, data=data_sets.CMC, mask=Mask(max_stars=2), patterns=57, against="exact",
        claims=CMC, ties="first",
    ),
    Experiment(
        name="adult-2-exact", table=8, data=data_sets.ADULT_2, mask=USER, patterns=15, against="exact",
        claims=ADULT_2, ties="colexicographic",
    ),
)  # fmt: skip


def find(name: str) -> Experiment:
    """Return an experiment by its name or the number of its table (``"1"``, ``"table-1"``).

    The name may be in upper or lower case. PolicyError is raised if there is no such experiment; the message names the
    nearest one.
    """
    wanted = name.lower()
    for experiment in CATALOGUE:
        if wanted in (experiment.name, str(experiment.table), f"table-{experiment.table}"):
            return experiment
    names = [*(experiment.name for experiment in CATALOGUE), NETWORKS]
    raise PolicyError(
        f"there is no experiment named {name!r}{did_you_mean(wanted, names)}; `incrowd reproduce --list` names them"
    )
