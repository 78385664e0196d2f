"""What came out can be taken home, and anybody's incrowd finds it good."""

from __future__ import annotations

import io
import json
import re

import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest

import incrowd
from web.visitor import words


@pytest.fixture(scope="module")
def released(visitor, place):
    visitor.post(f"{place}/search", {"time_limit": "2"})
    visitor.settled(f"{place}/search")
    return visitor.settled(f"{place}/release")


def test_before_there_is_one_it_says_so(visitor, small):
    place = visitor.opened("none.csv", small)
    assert "There is no release yet" in words(visitor.text(f"{place}/release"))
    assert visitor.get(f"{place}/files/release.csv").status_code == 409
    assert visitor.get(f"{place}/files/release.parquet").status_code == 409


def test_the_recount_is_shown_in_words(released):
    page = words(released)
    assert "The release keeps the policy: classes, mask and cells were recounted against the original." in page
    assert "The certificate holds" in page
    assert re.search(r"Held to k = 5\. Columns that counted: \w+", page)
    assert "Passed unchanged: " in page or "No other column is in the release." in page


def test_the_files_are_what_verify_finds_good(visitor, place, released, server, tmp_path):
    assert released
    for name in ("release.csv", "certificate.json", "policy.toml", "released-policy.toml"):
        answer = visitor.get(f"{place}/files/{name}")
        assert answer.headers["content-disposition"] == f'attachment; filename="people-{name}"'
        (tmp_path / name).write_bytes(answer.content)
    source = server.studio.tables[place.rpartition("/")[2]].source
    for policy in ("policy.toml", "released-policy.toml"):
        assert (
            incrowd.verify(
                source, tmp_path / "release.csv", tmp_path / policy, certificate=tmp_path / "certificate.json"
            )
            == []
        )
    assert json.loads((tmp_path / "certificate.json").read_text())
    table = pq.read_table(io.BytesIO(visitor.get(f"{place}/files/release.parquet").content))
    assert table.num_rows == csv.read_csv(tmp_path / "release.csv").num_rows == 200


def test_other_files_of_the_room_are_not_given(visitor, place, released):
    assert released
    for name in ("people.csv", "room1", ".", "lock"):
        assert visitor.get(f"{place}/files/{name}").status_code == 404


def test_rows_come_where_somebody_asks(visitor, place, released):
    assert "<td>flu</td>" not in released
    assert "<td>flu</td>" in visitor.post(f"{place}/rows").text


def test_a_release_of_an_older_policy_is_called_so(visitor, place, released):
    assert "has changed since this release" not in words(released)
    visitor.post(f"{place}/promise", {"k": "6"})
    assert "has changed since this release" in words(visitor.settled(f"{place}/release"))
    visitor.post(f"{place}/promise", {"k": "5"})
