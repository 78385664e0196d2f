"""What tunes the search under requirements; never what is released."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants of `improve` under requirements, chosen by ``benchmarks/run.py --case '^[lt]:|beta'``."""

    # --- shares of the time, from the end of the greedy release ---
    # Where prices and where the annealing end.
    price_end: float = 0.4
    anneal_end: float = 0.97
    # Where the annealing without a list of candidates ends before the one with it.
    free_end: float = 0.7

    # --- candidates ---
    # Pairs of a row type and a candidate, at most.
    candidate_pairs: int = 4_000_000

    # --- annealing ---
    # Moves per row type without a time limit and a number of moves.
    moves_per_type: int = 100
    # How many are made for one where there is a list of candidates: all of them take less time than prices do.
    listed_moves: int = 8
    # Reduced cost, in stars at k = 5, that makes an instance e times less likely, and the power of e by which the
    # least likely ones are rarer.
    draw_width: float = 0.25
    draw_rarity: float = 5.0
    # First and last temperature in stars.
    heat: float = 1.5
    chill: float = 0.17
    # First and last penalty for a row by which a class fails, in stars, and the share of the run where it is at its
    # last.
    lenience: float = 4.0
    rigour: float = 30.0
    rigour_at: float = 0.9
    # The share of the run from which on the penalty rises further while some class fails: e times in a run divided by
    # this number, up to so many times, whereupon it falls back.
    urgent_from: float = 0.5
    urgency: float = 20.0
    urgent_most: float = 20.0
    # The share of the moves that merge two classes or split one.
    joined: float = 0.03
    # The penalty of the last repair; how often classes that fail are helped before rows are forced; rounds of that; the
    # seconds after which it ends where there is a time limit.
    repair_penalty: float = 50.0
    repair_helps: int = 100
    repair_rounds: int = 40
    repair_seconds: float = 0.8
    # --- annealing without a list of candidates ---
    # Cost over bound from which on it is used; rows, level vectors (where not all are allowed), and classes
    # times sensitive values, at most.
    free_from: float = 1.5
    free_rows: int = 1 << 21
    free_vectors: int = 1 << 20
    free_counts: int = 50_000_000
    # Types near each type and near ones of other kinds, and pairs of types looked at for them, about.
    free_near: int = 24
    free_pairs: int = 50_000_000
    # First and last temperature, first and last penalty, in what a row of the first release costs on average; of the
    # last penalty also the least in what a fully suppressed row costs, and the share of the run where it is reached.
    free_heat: float = 0.35
    free_chill: float = 0.07
    free_lenience: float = 2.5
    free_rigour: float = 17.0
    free_rigour_least: float = 1.2
    free_rigour_at: float = 0.8
    # The share of the run between two repairs from then on.
    free_mends: float = 0.03
    # The share from which on repairs look for a place in all classes.
    free_wide: float = 0.9
    # Shares of moves of a row, to its best class, classes opened, dissolved; the rest splits one.
    free_shares: tuple[float, ...] = (0.86, 0.004, 0.08, 0.05)

    # --- all annealing ---
    # Temperatures on the way from hot to cold, at least.
    temperatures: int = 64


DEFAULT = Tuning()
