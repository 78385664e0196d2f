"""Every rule has what the protocol asks for."""

from __future__ import annotations

from incrowd.progress import Watch
from incrowd.tables.attack.answer import QUICK, RULES
from oracles.small_attacks import held


def test_every_rule_names_itself_and_its_premise_and_finds_nothing_where_nothing_is_hidden():
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert {rule.name for rule in QUICK} <= {rule.name for rule in RULES}
    for rule in RULES:
        assert rule.premise in ("valid", "bound", "settled", "program")
        found = rule.find(held([(0, 0), (0, 0)], (2, 2)), 0, Watch())
        assert (found.unit.size, found.complete, found.contradictions) == (0, True, 0)
