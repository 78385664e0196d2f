"""Every recoding answers what a job asks, and is known wherever its name is chosen."""

import inspect

import pytest

from incrowd.errors import PolicyError
from incrowd.policy.job import Policy
from incrowd.report.text.recoding import WORDS
from incrowd.settings import settings_of
from incrowd.tables.recoding import RECODINGS, load_recoding
from incrowd.tables.recoding.protocol import Recoding

ASKED = [name for name in vars(Recoding) if not name.startswith("_")]


@pytest.mark.parametrize("name", RECODINGS)
def test_every_recoding_answers_every_question_under_its_own_name(name):
    made = load_recoding(name)
    assert made.name == name
    for question in ASKED:
        asked = inspect.getattr_static(Recoding, question)
        assert hasattr(made, question), f"{name} does not answer {question}"
        if inspect.isfunction(asked):
            known = inspect.signature(getattr(type(made), question)).parameters
            assert list(known) == list(inspect.signature(asked).parameters), question


def test_policy_and_report_know_every_recoding():
    assert list(RECODINGS) == list(settings_of(Policy)["recoding"].choices) == list(WORDS)


def test_an_unknown_recoding_is_refused_with_the_nearest():
    with pytest.raises(PolicyError, match="there is no recoding named 'range'.*ranges.*choose one of levels, ranges"):
        load_recoding("range")
