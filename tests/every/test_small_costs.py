"""Random small problems under the costs that look at the table: their optimum against every partition of the rows."""

from __future__ import annotations

from every.small_costs import tried
from seeds import seeds


@seeds(500, first=30_000)
def test_the_least_cost_is_that_of_every_partition_under_plain_costs(seed):
    tried(seed)
