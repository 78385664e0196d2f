"""Messages name keywords where Python called."""

import pytest

from incrowd.policy.job import every_setting
from incrowd.policy.python_words import in_python


@pytest.mark.parametrize(
    ("shell", "python"),
    [
        ("say with --k how many rows must look alike, for example --k 5", "say with k how many rows must look alike, for example k=5"),
        ("named: say with --qi (quasi_identifiers) which", "named: say with quasi_identifiers which"),
        ("leave it out of --numeric, or name it with --na", "leave it out of numeric, or name it with na"),
        ("say --no-header if it has none (or --header)", "say header=False if it has none (or header=True)"),
        ("for example --hierarchy zip=intervals:5,10,20", "for example hierarchies={'zip': 'intervals:5,10,20'}"),
        ("leave --solver out", "leave solver out"),
        ("take --recoding levels.", "take recoding='levels'."),
        ("(--suppression-limit 1/3 would do)", "(suppression_limit='1/3' would do)"),
        ("--time-limit 2.5.", "time_limit=2.5."),
        ("them under the root with --complete-hierarchies", "them under the root with complete_hierarchies=True"),
        ("see `incrowd verify --certificate FILE`", "see `incrowd verify --certificate FILE`"),
        ("a - b -- c --no-such-option", "a - b -- c --no-such-option"),
    ],
)  # fmt: skip
def test_options_become_keywords(shell, python):
    assert in_python(shell) == python


def test_every_option_is_known():
    for name, spec in every_setting().items():
        assert in_python(f"say {spec.flag_name(name)}") in (f"say {name}", f"say {name}=True")
        if spec.off_option:
            assert in_python(f"say {spec.off_option}") == f"say {name}=False"
