from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.cycles import pointer_cycles


def test_every_node_is_in_the_basin_of_the_cycle_it_leads_to():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 15))
        pointer = rng.integers(-1 if seed % 2 else 0, n, n).astype(np.int32)
        basin, nodes, ends = pointer_cycles(pointer)
        cycles = [set(part.tolist()) for part in np.split(nodes, ends[:-1])]
        for x in range(n):
            at = x
            for _ in range(n):
                at = at if pointer[at] < 0 else int(pointer[at])
            wanted = {at}
            while pointer[at] >= 0 and int(pointer[at]) not in wanted:
                at = int(pointer[at])
                wanted.add(at)
            assert cycles[basin[x]] == wanted
        assert sorted(set(basin.tolist())) == list(range(len(cycles)))
