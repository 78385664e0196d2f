"""Linear and integer programs: the one adapter to HiGHS, and its status map."""

from incrowd.milp.program import Answer, Outcome, Program, Rows, matrix_of, rows_of, stacked
from incrowd.milp.solve import Linear, solve

__all__ = ["Answer", "Linear", "Outcome", "Program", "Rows", "matrix_of", "rows_of", "solve", "stacked"]
