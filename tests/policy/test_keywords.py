"""The keywords of the Python interface are the settings, each with its type."""

import importlib.util
from pathlib import Path

from incrowd.policy.job import known_settings
from incrowd.policy.keys import ALIASES
from incrowd.policy.keywords import CheckKeywords, Keywords

ROOT = Path(__file__).resolve().parents[2]


def test_every_setting_is_a_keyword_and_the_other_way_round():
    taken = set(known_settings()) - {"source"}  # the table itself comes first, without a name
    assert set(Keywords.__annotations__) - set(ALIASES) == taken
    assert set(Keywords.__annotations__) - set(CheckKeywords.__annotations__) == {"certificate"}


def test_the_file_is_as_the_settings_write_it():
    spec = importlib.util.spec_from_file_location("make_keywords", ROOT / "scripts" / "make_keywords.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.FILE.read_text("utf-8") == script.module(), "run make docs"
