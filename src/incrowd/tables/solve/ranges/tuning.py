"""What tunes the search for ranges: speed and reach only; whatever comes out is counted again in integers."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT", "Tuning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants, chosen by ``benchmarks/bench_ranges.py``."""

    # Share of what a row costs in the first release at which its price begins.
    first_price: float = 0.35
    # And the most that it begins with, in stars for five rows of k: a poor first release says little.
    first_cap: float = 0.2
    # Most that a price may be of that cost.
    cap: float = 1.5
    # Reduced cost up to which instances are stored, in stars for five rows of k, and when they are forgotten.
    near: float = 0.2
    memory: float = 4.0
    # Price steps of a round, and the share of the release's cost to step towards.
    steps: int = 120
    target: float = 0.965
    # How far prices may go from the best ones in a round, in stars: further, they run away from what is not stored.
    box: float = 0.3
    # Rounds without gain before giving up, and the least gain that counts, as a share of the release's cost.
    patience: int = 4
    gain: float = 2e-4
    # Shares of the time at which the first release, the prices and the search end.
    first_end: float = 0.35
    price_end: float = 0.6
    search_end: float = 0.92
    # Pairs and instances that are listed at most.
    pairs: int = 2_000_000
    # Pairs among which the search looks, and the reduced cost up to which it does, in stars for five rows of k.
    searched_pairs: int = 4_000_000
    searched: float = 0.6
    # Rows times sizes of classes up to which the dynamic program tries every size, and sizes that it tries else.
    every_size: int = 400_000_000
    sizes: int = 48
    # Popular values that a class steps over at most.
    skipped: int = 8
    # Rounds where there is no time limit.
    rounds: int = 20


DEFAULT = Tuning()
