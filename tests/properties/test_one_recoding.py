"""One recoding for the whole table: the least over all level vectors, by trying each."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import incrowd
from incrowd.errors import Infeasible
from oracle.tables import MASKS, drawn
from properties.asking import ask, held, policy_of, rows_of, table_of
from properties.families import RULES
from seeds import how_many

KINDS = {
    "limit": {"outliers": "suppress", "suppression_limit": 0.15},
    "plain": {},
    "suppress": {"outliers": "suppress"},
    "limit, forbid": {"suppression_limit": "1/4"},
    "no suppressed row": {"suppression_limit": 0},
    "levels": {"cost": "levels"},
    "entropy": {"cost": "entropy"},
    "weights": {"weights": {"a": 3, "c": "1/2"}, "outliers": "suppress"},
    **{f"mask {n}": {"mask": mask, "outliers": "suppress"} for n, mask in enumerate(MASKS) if n in (0, 2, 3, 6, 7, 10)},
    **{f"rule: {name}": {"require": RULES[name], "outliers": "suppress", "copies": 0.6} for name in RULES if "delta" not in name},
}  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", KINDS)
def test_the_least_of_all_vectors_is_found(kind):
    for seed in range(how_many(30, 1)):
        how = {
            "rows": (12, 24),
            "values": 5,
            "hierarchies": ["a", "b"],
            "copies": 0.4,
            "k": 2 + seed % 3,
            **KINDS[kind],
        }
        asked = drawn(f"{kind} {seed}", recoding="global", **how)
        best = asked.least_of_one_vector()
        try:
            release = ask(asked)
        except Infeasible as error:
            assert best is None
            assert error.proven
            continue
        assert best is not None
        assert held(asked, release) == best[0]
        assert release.optimal
        shown = Counter(tuple(row[: len(asked.quasi)]) for row in rows_of(release.table)[1])
        assert release.facts["suppressed_rows"] == shown[(asked.star,) * len(asked.quasi)]
        vector = tuple(release.facts["levels"][name] for name in asked.quasi)
        assert vector in asked.vectors
        assert set(shown) <= {asked.row_shown_as(row, vector) for row in asked.cells} | {
            (asked.star,) * len(asked.quasi)
        }
        check = incrowd.verify(table_of(asked), release.table, **policy_of(asked), certificate=release.certificate())
        assert not check
        assert check.proven
        assert check.lower_bound == best[0]


def test_where_no_vector_keeps_the_limit_the_share_that_would_do_is_told():
    asked = drawn("too strict", recoding="global", rows=(20, 20), values=6, hierarchies=["a"], copies=0.1, k=6,
                  outliers="suppress", suppression_limit=0, mask={"max_level": {"a": 1, "b": 0}})  # fmt: skip
    assert asked.least_of_one_vector() is None
    free = drawn("too strict", recoding="global", rows=(20, 20), values=6, hierarchies=["a"], copies=0.1, k=6,
                 outliers="suppress", mask={"max_level": {"a": 1, "b": 0}})  # fmt: skip
    fewest = min(
        least[1]
        for limit in range(21)
        if (least := type(free)(free.columns, free.rows, {**free.said, "suppression_limit": str(Fraction(limit, 20))}, free.lines).least_of_one_vector())
    )  # fmt: skip
    with pytest.raises(Infeasible) as said:
        ask(asked)
    assert str(float(Fraction(fewest, 20))).rstrip("0").rstrip(".") in str(said.value) or str(fewest) in str(said.value)
