"""What is given to the app is kept: files that are sent, settings that are typed, a release that was made."""

from __future__ import annotations

import io
import json

import pyarrow.parquet as pq
import pytest

from web import conftest as app
from web.visitor import words

root, server, visitor, small = app.root, app.server, app.visitor, app.small
LINES = ["31,f,flu", "31,f,cold", "47,m,flu", "47,m,cold", "52,m,flu", "52,f,cold"] * 12
NAMES = ("age", "sex", "diagnosis")


def as_parquet(content):
    import pyarrow.csv as csv

    out = io.BytesIO()
    pq.write_table(csv.read_csv(io.BytesIO(content)), out)
    return out.getvalue()


def as_json_lines(_):
    return "".join(json.dumps(dict(zip(NAMES, line.split(","), strict=True))) + "\n" for line in LINES).encode()


def searched(visitor, place, **settings):
    """The page of the release, once it was searched for and counted again."""
    answer = visitor.post(f"{place}/search", {"time_limit": "1", **settings})
    assert answer.status_code == 303, words(answer.text)
    visitor.settled(f"{place}/search")
    return words(visitor.settled(f"{place}/release"))


@pytest.mark.parametrize(
    ("name", "made"),
    [("release.csv", bytes), ("report.html.csv", bytes), ("certificate.json", as_json_lines), ("release.parquet", as_parquet)],
)  # fmt: skip
def test_a_table_that_is_called_as_what_is_made_is_not_touched(visitor, small, name, made):
    place = visitor.opened(name, made(small))
    for _ in range(2):
        page = searched(visitor, place)
        assert "keeps the policy" in page, page
        assert "The certificate holds" in page
        for file in ("release.csv", "certificate.json", "released-policy.toml", "release.parquet"):
            assert visitor.get(f"{place}/files/{file}").status_code == 200, file


def test_a_file_of_a_policy_that_is_called_as_the_table_does_not_take_its_place(visitor, root, small):
    (root / "age.csv").write_text("31;young\n47;old\n52;old\n")
    (root / "aged.toml").write_text('quasi_identifiers = ["age", "sex"]\nk = 2\n[hierarchies]\nage = "age.csv"\n')
    place = visitor.opened("age.csv", small)
    assert visitor.post(f"{place}/open", {"file": "aged.toml"}).status_code == 303
    assert "keeps the policy" in searched(visitor, place)
