"""What tunes the search of `matching`: speed only, never what is proven."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT", "Tuning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants of `matching`, chosen by ``benchmarks/bench_matching.py``.

    ``benchmarks/bench_ablation.py`` switches some mechanisms off and says what each is worth.
    """

    # --- assignment ---
    # Nearest rows of every row that are looked at first.
    neighbours: int = 10
    # Pairs too cheap for the prices that join: of a row and a block of others, and of a row in all.
    pairs_per_block: int = 3
    pairs_per_row: int = 64
    # Share of those pairs whose slack is at most what "near" means later.
    near_share: float = 0.2

    # --- repair ---
    # Rows that one search may visit for a group of a row that the cycles leave over.
    repair_rows: int = 4000

    # --- the region of the linear program ---
    # Rows of the failed searches' trees up to which all of them are inside at first.
    tree_rows: int = 1500
    # Rows that join when it grows first (twice as many each time).
    ring_rows: int = 30
    # Share of all rows above which all are taken in; 0: at the first growth.
    region_share: float = 0.4
    # Near pairs per row that are in the program at first.
    near_pairs: int = 12
    # Pairs of a row, and triples within odd sets, that join at once.
    joining_pairs: int = 64
    joining_triples: int = 20_000
    # Nodes of the integer program that is asked before the region grows.
    stay_nodes: int = 20
    # What leaving the region costs there, in units of the costs' divisor.
    leaving_cost: float = 0.01

    # --- odd sets ---
    # Least violation of a cut.
    violation: float = 1e-4
    # Rows of a fractional component whose single cuts are looked for, at most.
    component_rows: int = 600
    # Components up to this size have their sets bettered step by step.
    bettered_rows: int = 80
    # Sets taken from one component.
    component_sets: int = 8


DEFAULT = Tuning()
