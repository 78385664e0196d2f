"""What a class lacks, in rows: short and long ways agree."""

import numpy as np

from incrowd.kernels.search import class_state as at
from incrowd.kernels.search.class_state import deficit_of, deficit_with
from oracles.classes_drawn import started
from seeds import seeds


@seeds(60, 12)
def test_simple_rules_say_the_same_the_short_way_and_the_long_one(seed):
    made = started(seed)
    if made is None:
        return
    _, found, whole, real = made
    if not whole[at.SIMPLE]:
        return
    rng = np.random.default_rng(seed)
    rows = whole[whole[at.ROWS] :][: found.instances.pairs]
    for p in range(found.instances.pairs):
        more = int(rng.integers(-rows[p], 4))
        short = deficit_with(whole, real, p, more)
        whole[at.SIMPLE] = 0
        assert np.isclose(deficit_with(whole, real, p, more), short)
        assert np.isclose(
            deficit_of(whole, real, found.instances.owners[p]), real[whole[at.DEFICIT] + found.instances.owners[p]]
        )
        whole[at.SIMPLE] = 1
