"""What tunes the search of `exact`: speed and reach only, never what is proven."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants of `exact`, chosen by ``benchmarks/run.py --case mask``.

    ``benchmarks/run.py --off`` switches some mechanisms off and says what each is worth.
    """

    # --- the problem ---
    # Patterns times row types up to which instances are listed without an estimate first.
    listing_visits: int = 60_000_000
    # Share of the time for a component's prices and first cuts.
    price_share: float = 0.4

    # --- cuts ---
    # Rounds of cuts at the root, and at every other node that is branched on.
    root_rounds: int = 12
    node_rounds: int = 2
    # Least violation of a cut at the root and at other nodes, in instances.
    root_violation: float = 0.02
    node_violation: float = 0.05
    # Cuts in the linear program from which on it is looked through for those that are worth nothing.
    cut_room: int = 100
    # Solved nodes in a row at which a cut was worth nothing before it is left out.
    cut_idleness: int = 20

    # --- dives ---
    # Undecided instances from which a dive begins, at most: in large and in small components.
    large_dive_depth: int = 20
    small_dive_depth: int = 80
    # Linear programs of a dive times the component's pairs, in between.
    dive_work: int = 6_000_000
    # How far open an instance is that a quick dive opens with others.
    dive_openness: float = 0.85
    # A quick dive opens one of so many undecided instances at least.
    dive_divisor: int = 4
    # A dive looks for releases that cost at most this part of the bound (1/500) more.
    dive_margin: int = 500

    # --- tree ---
    # Instances tried before branching: at the root (half as many a level below), and at least.
    root_candidates: int = 20
    least_candidates: int = 5
    # Simplex steps of a trial.
    probe_steps: int = 80
    # A component's tree before an integer program is asked: linear programs, and pairs times linear programs, at most.
    tree_programs: int = 600
    tree_work: int = 6_000_000

    # --- integer programs ---
    # The first program looks for releases that cost at most this part of the bound (1/2000) more, the next up to three
    # times as far, and so on.
    program_margin: int = 2000

    # --- under requirements ---
    # Least violation of a requirement's row, in rows of the table.
    rule_violation: float = 1e-3
    # What a round of rows and cuts has to gain, in the cheapest step, and rounds in a row that may gain less.
    least_gain: float = 0.05
    idle_rounds: int = 6
    # Rounds of rows at a node of the tree.
    node_rows: int = 8
    # Leaves of a component's tree, and pairs times linear programs, at most.
    required_leaves: int = 400
    required_work: int = 20_000_000
    # Integer programs that fill given instances, each with rows that the one before broke.
    fill_rounds: int = 20
    # Rows of requirements up to which all of them stand in an integer program from the start.
    stated_rows: int = 20_000


DEFAULT = Tuning()
