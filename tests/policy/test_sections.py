"""Every setting stands under one heading."""

from collections import Counter

from incrowd.policy.job import known_settings
from incrowd.policy.sections import SECTIONS, section_of


def test_every_setting_has_one_heading():
    named = Counter(name for names in SECTIONS.values() for name in names)
    assert set(named.values()) == {1}
    assert set(named) == set(known_settings()) - {"source", "mask"}
    assert section_of("k") == "What is promised"
    assert section_of("json") is None
