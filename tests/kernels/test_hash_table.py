"""The table against a plain dict, with places that collide on purpose."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import following, probe, room, slot

ONE_PLACE, FEW_PLACES, LAST_PLACE, WELL_MIXED = range(4)


def places(how, keys):
    """Return where the search for each key begins: all at one slot, at few, at the table's end, or anywhere."""
    mixed = keys * np.uint64(0x9E3779B97F4A7C15)
    return {
        ONE_PLACE: np.zeros_like(keys),
        FEW_PLACES: mixed >> np.uint64(62),
        LAST_PLACE: np.full_like(keys, 2**64 - 1),
        WELL_MIXED: mixed >> np.uint64(20),
    }[how]


def cases(random):
    for how in (ONE_PLACE, FEW_PLACES, LAST_PLACE, WELL_MIXED):
        for _ in range(20):
            drawn = random.integers(0, 2**63, int(random.integers(1, 40))).astype(np.uint64)
            drawn[0] = 2**64 - 1
            keys = drawn[random.integers(0, drawn.size, int(random.integers(1, 120)))]
            yield keys, places(how, keys)


def test_a_table_has_a_power_of_two_of_slots_and_is_at_most_half_full():
    for keys in [*range(100), 2**20 - 1, 2**20, 2**20 + 1]:
        size = room(keys)
        assert size >= max(2 * keys, 16)
        assert size & (size - 1) == 0
        assert size < max(4 * keys, 17)


def test_counts_by_key_are_those_of_a_dict_however_the_places_collide():
    for keys, spread in cases(np.random.default_rng(1)):
        size = room(np.unique(keys).size)
        held, counts = np.empty(size, np.uint64), np.zeros(size, np.int64)
        plain: dict[int, int] = {}
        for key, place in zip(keys, spread, strict=True):
            at = slot(held, counts, 1, key, place)
            held[at] = key
            counts[at] += 1
            plain[int(key)] = plain.get(int(key), 0) + 1
        assert {int(key): int(count) for key, count in zip(held, counts, strict=True) if count} == plain


def test_a_later_stamp_frees_the_whole_table():
    random = np.random.default_rng(2)
    held, stamps = np.zeros(room(40), np.uint64), np.full(room(40), -1, np.int32)
    for now in range(50):
        keys = random.integers(0, 60, 40).astype(np.uint64)
        spread = places(now % 4, keys)
        seen = set()
        for key, place in zip(keys, spread, strict=True):
            at = slot(held, stamps, now, key, place)
            assert (stamps[at] == now) == (int(key) in seen)
            held[at], stamps[at] = key, now
            seen.add(int(key))


def test_entries_of_one_hash_are_told_apart_by_what_was_hashed():
    random = np.random.default_rng(3)
    for keys, spread in cases(random):
        cut = keys & np.uint64(3)  # four hashes for all keys
        slots = np.full(room(np.unique(keys).size), -1, np.int32)
        entries, hashes = [], np.zeros(keys.size, np.uint64)
        plain: dict[int, int] = {}
        for key, hashed, place in zip(keys, cut, spread, strict=True):
            at = probe(slots, hashes, hashed, place)
            while slots[at] >= 0 and entries[slots[at]] != key:
                at = probe(slots, hashes, hashed, following(at))
            if slots[at] < 0:
                slots[at] = len(entries)
                hashes[len(entries)] = hashed
                entries.append(key)
            assert slots[at] == plain.setdefault(int(key), len(plain))
        assert [int(key) for key in entries] == list(plain)
