"""What help and completion show of a call is what the call takes."""

import dataclasses
import inspect

import pytest

import incrowd

CALLS = ["anonymize", "audit", "estimate", "kernel", "tradeoff", "verify", "usefulness"]


@pytest.mark.parametrize("call", CALLS)
def test_every_keyword_is_named_once_with_its_default(call):
    drawn = inspect.signature(getattr(incrowd, call)).parameters
    assert drawn["quasi_identifiers"].default == ()
    assert drawn["time_limit"].default is None
    assert drawn["other"].annotation == "Literal['keep', 'drop']"
    assert not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in drawn.values())


def test_a_function_keeps_the_keywords_of_its_own():
    drawn = inspect.signature(incrowd.verify).parameters
    assert "Mapping" in drawn["certificate"].annotation


def test_defaults_that_are_shown_are_those_that_hold():
    job = incrowd.Job()
    shown = inspect.signature(incrowd.anonymize).parameters
    checked = 0
    for holder in (job, job.policy, job.policy.reading, job.policy.mask):
        for name in shown.keys() - {"data", "policy", "people", "on_event", "stop"}:
            if name in {field.name for field in dataclasses.fields(holder)}:
                held, default = getattr(holder, name), shown[name].default
                assert held == default or (default is None and held == ()), name
                checked += 1
    assert checked >= len(shown) - 5
