"""The keywords of the Python interface are the settings, each with its type."""

from incrowd.policy.job import known_settings
from incrowd.policy.keys import ALIASES
from incrowd.policy.keywords import CheckKeywords, Keywords


def test_every_setting_is_a_keyword_and_the_other_way_round():
    taken = set(known_settings()) - {"source"}  # the table itself comes first, without a name
    assert set(Keywords.__annotations__) - set(ALIASES) == taken
    assert set(Keywords.__annotations__) - set(CheckKeywords.__annotations__) == {"certificate"}
