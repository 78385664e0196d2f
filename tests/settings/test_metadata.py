"""A setting carries its help, shape and range with its field."""

import dataclasses

import pytest

from incrowd.settings import Setting, setting, settings_of


@dataclasses.dataclass(frozen=True)
class Asked:
    most_rows: int = setting(3, "how many rows", "integer", least=1, unit="rows")
    quiet: bool = setting(False, "say nothing", "flag", option="--hush")
    inner: int = 0


def test_settings_are_the_fields_that_say_what_they_are_in_their_order():
    found = settings_of(Asked)
    assert list(found) == ["most_rows", "quiet"]
    assert found["most_rows"] == Setting(help="how many rows", shape="integer", least=1, unit="rows", default=3)
    assert Asked().most_rows == 3


def test_an_option_is_the_fields_name_with_hyphens_unless_it_has_its_own():
    names = [spec.flag_name(name) for name, spec in settings_of(Asked).items()]
    assert names == ["--most-rows", "--hush"]


def test_help_and_unit_stand_at_the_field_too_and_a_setting_is_frozen():
    field = dataclasses.fields(Asked)[0]
    assert (field.metadata["help"], field.metadata["unit"]) == ("how many rows", "rows")
    with pytest.raises(dataclasses.FrozenInstanceError):
        field.metadata["setting"].help = "x"
