"""Cards that no door draws in every state: what is left to decide, and what a recount found."""

import random

import pytest

import incrowd
from incrowd.report.pages.cards import attack_card, estimate_card, kernel_card, usefulness_card, violations_card
from incrowd.tables.verdict import Violation
from usefulness_facts import FACTS

draw = random.Random(3)
ROWS = [{"town": f"Zeta{draw.randint(1, 9)}", "sex": draw.choice("fm"), "ill": f"Omega{i % 3}"} for i in range(60)]
ASKED = {"quasi_identifiers": ["town", "sex"], "k": 4}


def test_a_card_says_what_is_left_to_decide():
    attack = incrowd.attack(incrowd.anonymize(ROWS, **ASKED)).facts
    assert "#2e8b57" in attack_card({**attack, "excluded_cells": 0, "determined_cells": 0})
    assert "#c98a00" in attack_card({**attack, "excluded_cells": 2, "determined_cells": 0})
    assert (
        "1 hidden cell can be known" in (found := attack_card({**attack, "determined_cells": 1})) and "#c8393d" in found
    )
    broken = {**attack, "premises": {**attack["premises"], "valid": "no"}}
    assert "The release breaks its policy." in attack_card({**broken, "broken": [{"rule": "k=4", "classes": 1}]})
    assert "12.5%" in usefulness_card(FACTS)
    assert "not known" in estimate_card(
        {"memory_mb": 1, "disk_mb": 0, "seconds": {"read": 0.25, "solve": None}, "measured": ["read"],
         "factor": {"memory": 2, "disk": 4, "seconds": 4}}, "Estimate",
    )  # fmt: skip
    assert "<b>7</b>" in kernel_card({"rows": 7, "rows_before": 90, "row_types": 5, "most_copies": 2})


@pytest.mark.parametrize(
    ("violations", "said"),
    [
        ([], "keeps the policy"),
        ([Violation("k=4", 1, 2)], "does NOT keep the policy"),
        ([Violation("certificate: bound", 1)], "The certificate does NOT hold"),
    ],
)
def test_a_recount_says_whether_release_or_certificate_fails(violations, said):
    assert said in violations_card(violations, [("12", "recounted")])
