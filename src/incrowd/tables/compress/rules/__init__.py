"""Data reduction: a problem -> a smaller one of the same optimum, with the way back for plans.

A rule is a frozen dataclass with ``declines(problem) -> str | None`` and ``reduce(problem) -> Reduced``.
"""

from incrowd.tables.compress.rules.reduction import Reduced

__all__ = ["Reduced"]
