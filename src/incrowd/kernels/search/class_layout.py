"""Where what lies in the state of a search over classes that have to meet rules.

The state is two arrays, whole and real numbers: the first `HEAD` whole ones are counts and the places of all the rest;
the first real one is the sum of all violations.
"""

from __future__ import annotations

__all__ = [
    "BEGINS", "BEST", "BEST_COST", "COLUMNS", "COST", "COSTS", "DRAWN", "DRAWS", "ENTRIES", "ENTRY", "ENTRY_BEGINS",
    "ENTRY_ROWS", "ENTRY_VALUE", "FAILING", "FRESH", "FRESHES", "FRESH_MARK", "GROUPS", "HEAD", "HELD", "LACK", "LOG",
    "LOGGED", "MARK", "MEMBERS", "NEEDS", "NOTED", "OLD", "OWNERS", "PAIR", "PAIRS", "ROOM", "ROWS", "RULES",
    "RULES_AT", "SEED", "SIMPLE", "SIZE", "SLOT", "TOUCHED", "TOUCHES", "TYPES", "TYPE_BEGINS", "TYPE_HELD",
    "TYPE_SLOT", "TYPE_WHERE", "WHERE", "WHICH",
]  # fmt: skip

# Counts: scaled cost; entries of the log, and room for them; classes touched by the move at hand; classes that fail;
# pairs that differ from the best state; the cost of that state, and whether there is one; the seed.
COST, LOGGED, ROOM, TOUCHES, FAILING, FRESHES, BEST_COST, NOTED, SEED = range(9)
GROUPS, PAIRS, TYPES, COLUMNS, ENTRIES, RULES, DRAWS = range(9, 16)
# Places of the candidate instances, cheapest first: pair p lies in instance OWNERS[p] and stands for type MEMBERS[p];
# type i agrees with the instances WHICH[TYPE_BEGINS[i]:TYPE_BEGINS[i + 1]], increasing, whose pairs are PAIR. ENTRY of
# a column and a pair counts the rows of the pair under its value in the column; the entries of a column and an
# instance begin at ENTRY_BEGINS. DRAWN holds a type for every row, or for a sample of them.
BEGINS, MEMBERS, OWNERS, COSTS, NEEDS, TYPE_BEGINS, WHICH, PAIR, ENTRY_BEGINS, ENTRY, ENTRY_VALUE, DRAWN, RULES_AT = (
    range(16, 29)
)
# Places of what changes: SLOT[BEGINS[g]:BEGINS[g] + HELD[g]] are the pairs of instance g with rows, WHERE is the place
# of each pair in SLOT; the same by type. LOG holds the transfers (from, to, rows) of the move at hand. TOUCHED lists
# its classes, stamped in MARK; FRESH the pairs that differ from BEST, stamped in FRESH_MARK.
ROWS, SIZE, ENTRY_ROWS, SLOT, WHERE, HELD, TYPE_SLOT, TYPE_WHERE, TYPE_HELD = range(29, 38)
LOG, TOUCHED, MARK, BEST, FRESH, FRESH_MARK = range(38, 44)
# Places of real numbers: the violation of each class; the two violations before each transfer of the log.
LACK, OLD = 44, 45
# Whether all rules are on shares, or on the equal distance.
SIMPLE = 46
HEAD = 47
