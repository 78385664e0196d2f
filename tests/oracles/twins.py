"""Which plain twin every registered solver and measure is compared with, and where.

A new part needs a line here; `tests/every/test_twins.py` fails without it. Models have theirs in
`oracles.models_drawn.TWINS`.
"""

OPTIMUM = "oracles.brute_force:optimum"  # over all partitions of the rows
LEAST = "oracles.partitions:least"

# solver: its twin, and the test that compares them
SOLVERS = {
    "greedy": ("oracles.greedy:greedy_groups", "tests/tables/solve/greedy/test_greedy.py"),
    "matching": (LEAST, "tests/tables/solve/matching/test_against_brute_force.py"),
    "improve": (OPTIMUM, "tests/tables/solve/improve/test_improve.py"),
    "exact": (OPTIMUM, "tests/tables/solve/exact/test_exact.py"),
    "ilp": (OPTIMUM, "tests/tables/solve/test_exact_solvers_agree.py"),
    "two_phase": (OPTIMUM, "tests/tables/solve/textbook/test_two_phase.py"),
    "subset_dp": (OPTIMUM, "tests/tables/solve/dynamic_programs/test_subset_dp.py"),
    "chain": (OPTIMUM, "tests/tables/solve/dynamic_programs/test_chain.py"),
    "approximation": (OPTIMUM, "tests/tables/solve/textbook/test_approximation.py"),
    "instance_cover": (OPTIMUM, "tests/tables/solve/textbook/test_instance_cover.py"),
    "ball_cover": (OPTIMUM, "tests/tables/solve/textbook/test_ball_cover.py"),
    "forest": (OPTIMUM, "tests/tables/solve/textbook/test_forest.py"),
    "mondrian": ("oracles.mondrian:mondrian_parts", "tests/tables/solve/mondrian/test_mondrian.py"),
    "mondrian_relaxed": ("oracles.mondrian:mondrian_parts", "tests/tables/solve/mondrian/test_mondrian.py"),
    "lattice": (
        "oracles.single_recoding:least_release",
        "tests/tables/solve/global_recoding/test_lattice.py",
    ),
    "ranges": ("oracles.grid:optimum", "tests/tables/solve/ranges/test_solver.py"),
    "matching_local": (OPTIMUM, "tests/tables/solve/matching/test_two_diversity.py"),
    "matching_textbook": (OPTIMUM, "tests/tables/solve/matching/test_two_diversity.py"),
}

# measure: its twin
MEASURES = {
    "suppressed_cells": "oracle.measures:suppressed_cells",
    "changed_cells": "oracle.measures:changed_cells",
    "classes": "oracle.measures:classes",
    "discernibility": "oracle.measures:discernibility",
    "c_avg": "oracle.measures:c_avg",
    "usefulness": "oracle.measures:usefulness",
    "ncp": "oracle.measures:ncp",
    "loss": "oracle.measures:loss",
    "precision": "oracle.measures:precision",
    "entropy": "oracle.measures:entropy",
    "risks": "oracle.measures:risks",
}
