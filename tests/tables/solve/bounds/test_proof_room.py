"""What a proof's sums can come to is known to who writes it: at that grain every check adds them up."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from tests.tables.solve.bounds.test_cuts_over_lattice import bounded, drawn

from incrowd.errors import InputError
from incrowd.tables.solve.bounds import cuts_over_lattice, lagrangian, proof_room
from incrowd.tables.solve.bounds.lattice_certificate import by_lattice_cuts
from incrowd.tables.solve.bounds.proof_room import below, countable
from incrowd.tables.verify.bound.certificate import recheck
from oracles.problems import as_table
from seeds import how_many


def finer(proof, parts):
    """The same proof told in `parts`, a multiple of its own."""
    times = parts // proof.parts
    return dataclasses.replace(
        proof, value=proof.value * times, parts=parts, prices=proof.prices * times,
        weights=tuple(weight * times for weight in proof.weights),
    )  # fmt: skip


def test_the_finest_grain_that_can_be_checked_is_known_to_who_writes_the_proof():
    told = beside = 0
    for seed in range(how_many(40, 14)):
        problem = drawn(seed)
        made = bounded(problem)
        if made is None or made[0].proof is None or not made[0].proof.cuts:
            continue
        pricing, _, cost, _ = made
        proof = pricing.proof
        multipliers = np.array(proof.weights) / proof.parts
        scan = lagrangian.scan(
            problem, pricing.encoded, pricing.closure, proof.prices, proof.parts, vectors=pricing.vectors
        )
        beside += below(scan).size > 1
        given = proof.instances, proof.cuts, multipliers, proof.prices / proof.parts, proof.parts << 48
        grain = countable(*given, scan)
        assert grain <= countable(*given)
        assert proof.parts <= grain < proof.parts << 48
        written = json.loads(json.dumps(by_lattice_cuts(problem, cost, pricing.bound, finer(proof, grain))))
        found = recheck(as_table(problem), written, cost)
        assert found.violations == ()
        assert found.lower_bound >= pricing.bound.value
        beyond = json.loads(json.dumps(by_lattice_cuts(problem, cost, pricing.bound, finer(proof, grain << 3))))
        with pytest.raises(InputError, match="too large to be added up"):
            recheck(as_table(problem), beyond, cost)
        told += 1
    assert told >= how_many(5, 2)
    assert beside >= how_many(3, 1)


def test_a_program_whose_sums_are_too_large_goes_on_with_fewer_parts(monkeypatch):
    finest = []
    for room in (proof_room.ROOM, 2**30):
        monkeypatch.setattr(proof_room, "ROOM", room)
        monkeypatch.setattr(cuts_over_lattice, "ROOM", room)
        finest.append([])
        for seed in range(how_many(40, 14)):
            made = bounded(drawn(seed))
            if made is not None and made[0].proof is not None and made[0].proof.cuts:
                finest[-1].append(made[0].proof.parts)
    assert len(finest[1]) >= len(finest[0]) / 2 > 0
    assert max(finest[1]) < min(finest[0])
