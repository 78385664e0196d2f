import sys

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.verify.requirements import l_diversity
from incrowd.tables.verify.requirements.reading import reading_of, settings_of


def test_a_reading_is_found_by_the_models_name():
    assert reading_of("l-diversity") is l_diversity


def test_a_model_without_a_reading_is_refused_by_name():
    with pytest.raises(PolicyError, match=r"model 'no-such' cannot be verified.*requirements\.no_such is missing"):
        reading_of("no-such")


def test_a_module_that_a_reading_lacks_is_told_as_itself(monkeypatch):
    monkeypatch.delitem(sys.modules, "incrowd.tables.verify.requirements.l_diversity")
    monkeypatch.setitem(sys.modules, "incrowd.tables.verify.requirements.joint", None)
    with pytest.raises(ModuleNotFoundError, match="joint"):
        reading_of("l-diversity")


def test_settings_are_the_models_fields_and_nothing_that_it_computes():
    assert settings_of(LDiversity(2, "ill")) == {
        "l": 2, "column": "ill", "kind": "frequency", "c": None, "columns": (),
    }  # fmt: skip
