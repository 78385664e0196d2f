"""Every result that Python hands out prints in one line and as a card, in Python's words and without a cell."""

import random
from html.parser import HTMLParser

import pytest

import incrowd
from incrowd import networks
from incrowd.report.pages.cards import attack_card, estimate_card, kernel_card, usefulness_card, violations_card
from incrowd.tables.verdict import Violation
from usefulness_facts import FACTS

draw = random.Random(3)
ROWS = [{"town": f"Zeta{draw.randint(1, 9)}", "sex": draw.choice("fm"), "ill": f"Omega{i % 3}"} for i in range(60)]
ASKED = {"quasi_identifiers": ["town", "sex"], "k": 4}
PATH = [(i, i + 1) for i in range(6)]


def results():
    release = incrowd.anonymize(ROWS, **ASKED)
    yield from (release, release.usefulness(queries=5), incrowd.attack(release), incrowd.audit(ROWS))
    yield incrowd.kernel(ROWS, quasi_identifiers=["sex"], k=2)
    yield incrowd.estimate(ROWS, **ASKED)
    yield incrowd.tradeoff(ROWS, quasi_identifiers=["town", "sex"], ks=[2], solvers=["greedy"])
    yield incrowd.verify(ROWS, release.table, **ASKED)
    yield incrowd.verify(ROWS, release.table[3:], **{**ASKED, "k": 9})
    yield networks.profile(PATH)
    yield networks.risks(PATH)
    yield networks.simulate_attack(PATH)
    yield networks.estimate(PATH)


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        assert tag != "script"
        if tag not in ("br", "hr", "img", "col", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_every_result_prints_in_a_line_and_as_a_card_without_a_cell():
    for found in results():
        line, card = repr(found), found._repr_html_()
        reader = Balanced()
        reader.feed(card)
        assert not reader.open and len(card) > 200
        if not isinstance(found, list):
            assert line.startswith("<") and "\n" not in line and len(line) < 160
        assert "color:#000" not in card and "background:#fff" not in card  # dark themes keep their colours
        for told in (line, card, found.summary() if hasattr(found, "summary") else ""):
            assert "Zeta" not in told and "Omega" not in told
            assert " --" not in told


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
