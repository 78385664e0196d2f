"""The keys of a policy beside the fields' own names."""

import dataclasses

from incrowd import Job, Mask, Policy
from incrowd.policy.job import known_settings
from incrowd.policy.keys import ALIASES, APART, MASK_SETTINGS, PATHS
from incrowd.settings import settings_of
from incrowd.tables.roles import Reading


def test_every_setting_has_help():
    specs = {**settings_of(Policy), **MASK_SETTINGS, **settings_of(Reading), **settings_of(Job)}
    assert set(specs) | {"mask", "source"} == set(known_settings())
    assert all(spec.help and not spec.help.endswith(".") for spec in specs.values())
    assert set(MASK_SETTINGS) == {f.name for f in dataclasses.fields(Mask)}


def test_other_names_and_special_keys_lead_to_settings():
    assert set(ALIASES.values()) <= set(known_settings())
    assert not set(ALIASES) & set(known_settings())
    assert set(APART) <= set(settings_of(Policy))
    assert set(PATHS) <= {field.name for field in dataclasses.fields(Job)}
