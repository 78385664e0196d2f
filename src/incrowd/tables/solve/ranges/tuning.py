"""What tunes the search for ranges: speed and reach only; whatever comes out is counted again in integers."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT", "Tuning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants, chosen by ``benchmarks/bench_ranges.py``."""

    # Share of what a row costs in the first release at which its price begins.
    start: float = 0.4
    # Part of these prices at which a first scan begins where it is dear: low ones leave little to look at.
    dear: float = 0.12
    # Reduced cost up to which instances are stored, in stars for five rows of k; its growth with k beyond; pairs that
    # are stored at most at k = 5, which grow with its root.
    near: float = 0.1
    growth: float = 0.3
    pairs: int = 400_000
    # Of one column alone: times k rows to either side that first prices look at; how often prices rise before they
    # shrink, how often and to what. Where it has more types than `short`, so many times a row's mean cost is taken for
    # the star, so many pairs are stored for each type, prices have a box and an aim of their own, and the last round is
    # the one that gains less than this share of the cost.
    near_rows: int = 8
    rises: int = 6
    shrinks: int = 4
    shrink: float = 0.97
    short: int = 1000
    mean: float = 30.0
    along: int = 40
    line_box: float = 0.03
    line_aim: float = 0.985
    line_gain: float = 0.006
    # Price steps of a round, and the share of the release's cost to step towards.
    steps: int = 150
    aim: float = 0.87
    # How far prices may go from the best ones in a round, in stars: further, they run away from what is not stored.
    box: float = 0.3
    # Rounds without gain before giving up, and the least gain that counts, as a share of the release's cost.
    patience: int = 4
    gain: float = 5e-5
    # Shares of the time at which the first release, the prices, the annealing and the dives end.
    first_end: float = 0.25
    price_end: float = 0.5
    search_end: float = 0.72
    dive_end: float = 0.97
    # Pairs for each row type that dives may open, and the reduced cost of these at most, in stars for five rows of k.
    dive_room: float = 15.0
    dive_near: float = 0.4
    # Pairs among which the search looks, and the reduced cost up to which it does, in stars for five rows of k.
    searched_pairs: int = 4_000_000
    searched: float = 0.6
    # Instances that a mask does not allow as they are, of which the search gets what it allows above.
    raised: int = 3000
    # Rows times sizes of classes up to which the dynamic program tries every size, and sizes that it tries else.
    every_size: int = 400_000_000
    sizes: int = 48
    # Popular values that a class steps over at most.
    skipped: int = 8
    # Rounds where there is no time limit.
    rounds: int = 20


DEFAULT = Tuning()
