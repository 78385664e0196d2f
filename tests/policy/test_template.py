"""A proposed policy is a file that is read as it stands, with every other key explained."""

import tomllib

from incrowd import Job
from incrowd.policy.job import flat_settings
from incrowd.policy.template import Proposed, policy_text

JOB = Job().replace(
    quasi_identifiers=["age", 'a "b"\nc'], sensitive=["ill"], k=5, hierarchies={"age": "intervals:5,90+"}, na=["NA"],
)  # fmt: skip
COLUMNS = (
    Proposed("age", 70, 3, 2, "quasi_identifiers", "ages in bands"),
    Proposed('a "b"\nc', 2, 0, 0, "quasi_identifiers", "others may know it"),
    Proposed("ill", 9, 0, 0, "sensitive", "what nobody may learn"),
)


def test_the_file_is_the_policy(tmp_path):
    text = policy_text(JOB, "'t.csv'", COLUMNS, (0.123, 400))
    (tmp_path / "p.toml").write_text(text)
    assert Job.load(tmp_path / "p.toml").policy == JOB.policy
    assert "at k = 5 a quick search lost 12% of the quasi-identifiers' cells, on 400 rows" in text
    assert "(ages in bands; 2 rows with a word for a missing value)" in text


def test_every_other_key_is_explained_and_commented_out():
    text = policy_text(Job(), "'t.csv'", COLUMNS[2:], None)
    assert "To expect" not in text and "No column looks like one that others know" in text
    lines = [line.removeprefix("# ") for line in text.splitlines() if not line.endswith("= null")]
    written = tomllib.loads("\n".join(lines))
    for table in ("mask", "weights", "hierarchies"):
        written.pop(table)
    assert {"l", "star", "other", "outliers"} <= set(written) <= set(flat_settings(written, "p.toml"))
