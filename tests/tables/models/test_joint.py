import random

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.tables.models import l_diversity
from incrowd.tables.models.l_diversity import LDiversity
from oracles import sensitive as plain


def met(model, rows):
    """Whether a table of these sensitive rows, as one class, meets a model."""
    domain, kind = plain.domain_of(rows)
    return bool(model.bind(domain).meets(np.zeros(len(rows), np.int64), kind, np.ones(len(rows), np.int64), 1)[0])


def test_jointly_diverse_rows_differ_in_every_column_as_in_the_papers_definition():
    # a third row that shares a disease with the first and a city with the second lies in no pair
    rows = [("flu", "rome"), ("cold", "oslo"), ("flu", "oslo")]
    assert not met(LDiversity(2, columns=["s0", "s1"], kind="joint"), rows)
    assert met(LDiversity(2, columns=["s0", "s1"], kind="joint"), [*rows, ("cold", "rome")])


def test_a_hard_joint_question_is_declined_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(l_diversity, "STEPS", 2)
    rng = random.Random(1)
    rows = [tuple(str(rng.randrange(6)) for _ in range(3)) for _ in range(40)]
    with pytest.raises(InputError, match="not decided within 2 steps"):
        met(LDiversity(6, columns=["s0", "s1", "s2"], kind="joint"), rows)
