import numpy as np

from incrowd.kernels.bounds import range_boxes


def test_groups_are_those_of_the_dear_types_in_the_order_given():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        t = int(rng.integers(1, 30))
        keys, order, dear = rng.integers(0, 6, t), rng.permutation(t), rng.permutation(t)
        some = int(rng.integers(1, t + 1))
        room = 16
        while room < 2 * t:
            room *= 2
        begins, members, gid = np.zeros(t + 2, np.int64), np.zeros(t, np.int64), np.zeros(t, np.int64)
        slots, stamps, homes = np.zeros(room, np.int64), np.full(room, -1), np.zeros(room, np.int64)
        found = range_boxes.classes(keys, dear, some, slots, 3, stamps, homes, begins, members, order, gid)
        held = {}
        for i in order:
            if keys[i] in keys[dear[:some]]:
                held.setdefault(int(keys[i]), []).append(int(i))
        own = [members[begins[g] : begins[g + 1]].tolist() for g in range(found)]
        assert sorted(own) == sorted(held.values())
