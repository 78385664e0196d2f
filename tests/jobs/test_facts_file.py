"""What was published, from its file."""

from __future__ import annotations

import pytest

from incrowd.errors import InputError
from incrowd.jobs.facts_file import read_facts


def test_facts_are_read_from_a_mapping_or_its_file(tmp_path):
    facts = {"k": 2, "quasi_identifiers": ["a"]}
    assert read_facts(facts) is facts
    file = tmp_path / "facts.json"
    file.write_text('{"k": 2, "quasi_identifiers": ["a"]}')
    assert read_facts(file) == facts


@pytest.mark.parametrize(
    ("text", "said"), [("{", "is no JSON"), ("[]", "what was released"), ('{"k": 2}', "what was released")]
)
def test_a_file_that_holds_no_facts_is_refused(tmp_path, text, said):
    file = tmp_path / "facts.json"
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        read_facts(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_facts(tmp_path / "none.json")
