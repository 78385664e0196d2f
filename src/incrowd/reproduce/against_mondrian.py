"""The claims of Section 3.5, "Heuristic vs. Mondrian": Tables 1 to 5.

Times are those of our implementations on this machine. The paper's were a Haskell program on lists and a Java program
on a database, so no ratio of our times is a measure of theirs: such sentences are not comparable, and say our figures.
"""

from __future__ import annotations

from incrowd.reproduce.claims import LEAST, Claim, NotComparable, Pairs, always, at, span, within

Found = tuple[bool | None, str]
MINUTE = 60.0


def _usefulness(pairs: Pairs) -> list[float]:
    """Return Mondrian's usefulness as a multiple of the heuristic's, by k."""
    return [pairs.other[k].usefulness / pairs.greedy[k].usefulness for k in pairs.ks]


def _faster(pairs: Pairs) -> list[float]:
    """Return how many times faster the heuristic is, by k."""
    return [pairs.other[k].seconds / pairs.greedy[k].seconds for k in pairs.ks]


OTHERS = "both are other programs than the paper's, which were in Haskell on lists and in Java on a database"


def _at_least_faster(times: float) -> Claim:
    def judge(pairs: Pairs) -> Found:
        raise NotComparable(f"Mondrian's time is {span(_faster(pairs))} times the heuristic's; {OTHERS}")

    return Claim(f"the heuristic is at least {times:g} times faster than Mondrian at every k", judge)


def _at_most(seconds: float, of: str, text: str) -> Claim:
    def judge(pairs: Pairs) -> Found:
        lines = pairs.greedy if of == "greedy" else pairs.other
        return within(seconds, [line.seconds for line in lines.values()])

    return Claim(text, judge, alone=of == "greedy")


def _trends(pairs: Pairs) -> Found:
    first, last = pairs.ks[0], pairs.ks[-1]
    times = [lines[k].seconds for lines in (pairs.greedy, pairs.other) for k in (first, last)]
    ours = (
        f"heuristic {times[0]:.3g} s at k = {first}, {times[1]:.3g} s at k = {last}; Mondrian {times[2]:.3g} s and "
        f"{times[3]:.3g} s"
    )
    if min(times) < LEAST:
        raise NotComparable(f"{ours}; a run of less than a millisecond shows no trend")
    if times[0] < times[1] and times[2] > times[3]:
        return True, ours
    raise NotComparable(f"{ours}; {OTHERS}")


TRENDS = Claim("the heuristic gets faster as k falls, Mondrian as k grows", _trends, needs=(2, 100))


def _ten_times_at_small_k(pairs: Pairs) -> Found:
    found = [pairs.other[k].seconds / pairs.greedy[k].seconds for k in pairs.ks if k <= 10]
    if not found:
        return None, "needs k <= 10"
    raise NotComparable(f"{span(found)} times; {OTHERS}")


SMALL_K = Claim("for k <= 10 Mondrian is at least ten times slower", _ten_times_at_small_k)


def _always_better(pairs: Pairs) -> Found:
    worse = always(pairs, lambda g, o: g.usefulness < o.usefulness)
    return not worse, f"Mondrian's is {span(_usefulness(pairs))} times the heuristic's; not better at {at(worse)}"


BETTER = Claim("the heuristic's usefulness is (slightly) better at every k", _always_better)


def _adult_ratio(pairs: Pairs) -> Found:
    found = _usefulness(pairs)
    return round(min(found), 1) >= 1.5 and round(max(found), 1) <= 1.7, f"{span(found)} times"


def _adult_measures(pairs: Pairs) -> Found:
    types = always(pairs, lambda g, o: g.groups > o.groups)
    mean = always(pairs, lambda g, o: g.mean < o.mean)
    large = always(pairs, lambda g, o: g.largest < o.largest, range(25))
    return not (types or mean or large), (
        f"not so for #h at {at(types)}, for h_avg at {at(mean)}, for h_max below k = 25 at {at(large)}"
    )


def _adult_largest(pairs: Pairs) -> Found:
    other = always(pairs, lambda g, o: g.largest >= o.largest, range(25, 101))
    return not other, "h_max heuristic/Mondrian: " + ", ".join(
        f"{pairs.greedy[k].largest:,}/{pairs.other[k].largest:,} (k = {k})" for k in pairs.ks if k >= 25
    )


def _adult_half_hour(pairs: Pairs) -> Found:
    taken = [pairs.other[k].seconds for k in (3, 4)]
    raise NotComparable(
        f"{taken[0]:.3g} s at k = 3, {taken[1]:.3g} s at k = 4; another program on another machine than the paper's"
    )


def _adult_crossing(pairs: Pairs) -> Found:
    quicker = [k for k in pairs.ks if pairs.other[k].seconds < pairs.greedy[k].seconds]
    raise NotComparable(f"Mondrian is faster at {at(quicker)}; {OTHERS}")


ADULT = (
    TRENDS,
    _at_most(3 * MINUTE, "greedy", "the heuristic takes less than three minutes at every k"),
    Claim("Mondrian takes more than half an hour at k = 3 and 4", _adult_half_hour, needs=(3, 4)),
    Claim("Mondrian is (slightly) faster at k = 75 and 100, and only there", _adult_crossing, needs=(75, 100)),
    Claim("Mondrian's usefulness is 1.5 to 1.7 times the heuristic's at every k", _adult_ratio),
    Claim("#h, h_avg and (below k = 25) h_max are better for the heuristic at every k", _adult_measures),
    Claim("h_max is not better for the heuristic from k = 25 on", _adult_largest, needs=(25, 50, 75, 100)),
    SMALL_K,
)


def _adult_2_usefulness(pairs: Pairs) -> Found:
    worse = always(pairs, lambda g, o: g.usefulness < o.usefulness)
    share = pairs.greedy[50].usefulness / pairs.other[50].usefulness - 1
    return worse == [50] and share < 0.01, (
        f"Mondrian's is {span(_usefulness(pairs))} times the heuristic's; not better at {at(worse)}; at k = 50 the "
        f"heuristic's is {100 * share:+.1f} %"
    )


ADULT_2 = (
    TRENDS,
    _at_most(5, "greedy", "the heuristic takes at most five seconds"),
    _at_most(20 * MINUTE, "other", "Mondrian takes at most 20 minutes"),
    _at_least_faster(10),
    Claim(
        "the heuristic's usefulness is slightly better at every k but 50, and there worse by less than 1 %",
        _adult_2_usefulness,
        needs=(50,),
    ),
    SMALL_K,
)


def _nursery_usefulness(pairs: Pairs) -> Found:
    better = [k for k in pairs.ks if pairs.greedy[k].usefulness <= pairs.other[k].usefulness]
    ratios = span(_usefulness(pairs))
    return better == [5], f"Mondrian's is {ratios} times the heuristic's, which is at least as good at {at(better)}"


def _nursery_mean(pairs: Pairs) -> Found:
    worse = always(pairs, lambda g, o: g.mean <= o.mean)
    return not worse, f"not so at {at(worse)} (h_avg is n / #h: this and the next claim cannot both hold)"


def _nursery_largest(pairs: Pairs) -> Found:
    worse = always(pairs, lambda g, o: g.largest <= o.largest)
    return not worse, f"not so at {at(worse)}"


def _nursery_types(pairs: Pairs) -> Found:
    more = [k for k in pairs.ks if pairs.greedy[k].groups > pairs.other[k].groups]
    less = [k for k in pairs.ks if pairs.greedy[k].groups < pairs.other[k].groups]
    return bool(more and less), f"the heuristic has more at {at(more)}, fewer at {at(less)}"


NURSERY = (
    TRENDS,
    _at_least_faster(8),
    Claim("Mondrian's usefulness is better at every k but 5", _nursery_usefulness, needs=(5,)),
    Claim("the heuristic is better in h_max", _nursery_largest),
    Claim("the heuristic is better in h_avg", _nursery_mean),
    Claim("no clear winner in the number of output row types", _nursery_types),
    SMALL_K,
)


def _cmc_types(pairs: Pairs) -> Found:
    found = [pairs.other[k].groups / pairs.greedy[k].groups for k in pairs.ks]
    return max(found) <= 0.8, f"Mondrian has {span(found)} times as many"


def _cmc_mean(pairs: Pairs) -> Found:
    worse = always(pairs, lambda g, o: g.mean < o.mean)
    return not worse, f"not smaller at {at(worse)}"


def _cmc_largest(pairs: Pairs) -> Found:
    lower = [k for k in pairs.ks if pairs.other[k].largest < pairs.greedy[k].largest]
    return lower == [5, 6, 7, 8], f"lower at {at(lower)}"


CMC = (
    TRENDS,
    _at_most(1.2, "greedy", "the heuristic takes at most 1.2 seconds"),
    _at_most(10, "other", "Mondrian takes at most 10 seconds"),
    _at_least_faster(1),
    BETTER,
    Claim("Mondrian has at least 20 % fewer output row types at every k", _cmc_types),
    Claim("the heuristic's average output row type is smaller at every k", _cmc_mean),
    Claim("Mondrian's h_max is lower at k = 5, 6, 7, 8 and only there", _cmc_largest, needs=(5, 6, 7, 8)),
    SMALL_K,
)


def _canada_types(pairs: Pairs) -> Found:
    found = [pairs.greedy[k].groups / pairs.other[k].groups for k in pairs.ks]
    return min(found) >= 4, f"{span(found)} times Mondrian's"


def _canada_block(pairs: Pairs) -> Found:
    found = [line.largest for line in pairs.greedy.values()]
    return min(found) >= 2_448, f"h_max of the heuristic is {span(found, 0)}"


def _canada_sizes(pairs: Pairs) -> Found:
    large = always(pairs, lambda g, o: o.largest < g.largest)
    return not large, f"Mondrian's h_max is not smaller at {at(large)}"


CANADA = (
    TRENDS,
    _at_least_faster(3),
    BETTER,
    Claim("the heuristic has at least four times as many output row types", _canada_types),
    Claim("the heuristic always makes one block of at least 2,448 identical rows", _canada_block),
    Claim("the sizes of the output row types are better for Mondrian (h_max)", _canada_sizes),
    SMALL_K,
)
