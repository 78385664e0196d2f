"""What is given to the app is kept: files that are sent, settings that are typed, a release that was made."""

from __future__ import annotations

import io
import json
import re
import tomllib

import pyarrow.parquet as pq
import pytest

from web.visitor import words

LINES = ["31,f,flu", "31,f,cold", "47,m,flu", "47,m,cold", "52,m,flu", "52,f,cold"] * 12
NAMES = ("age", "sex", "diagnosis")


def as_parquet(content):
    import pyarrow.csv as csv

    out = io.BytesIO()
    pq.write_table(csv.read_csv(io.BytesIO(content)), out)
    return out.getvalue()


def as_json_lines(_):
    return "".join(json.dumps(dict(zip(NAMES, line.split(","), strict=True))) + "\n" for line in LINES).encode()


def searched(visitor, place):
    """The page of the release, once it was searched for and counted again."""
    answer = visitor.search(place)
    assert answer.status_code == 303, words(answer.text)
    return words(visitor.settled(f"{place}/release"))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "made"),
    [("release.csv", bytes), ("report.html.csv", bytes), ("certificate.json", as_json_lines), ("release.parquet", as_parquet)],
)  # fmt: skip
def test_a_table_that_is_called_as_what_is_made_is_not_touched(visitor, small, name, made):
    place = visitor.opened(name, made(small))
    visitor.search(place)
    page = searched(visitor, place)  # of the table as it still is
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


def policy(visitor, place):
    return tomllib.loads(visitor.get(f"{place}/files/policy.toml").text)


MISTAKES = [
    ("promise", {"k": "0", "l": "77"}, ['value="0"', 'value="77"']),
    ("curve", {"ks": "2, none", "k": "4"}, ['value="2, none"', 'value="4"']),
    ("stars", {"together": "age, nobody", "max_stars": "1", "keep_shown": "yes", "keep": "1"},
     ["age, nobody", 'name="max_stars" value="1"', 'value="1" checked']),
    ("search", {"time_limit": "minus one", "seed": "7"}, ['value="minus one"', 'value="7"']),
    ("settings", {"gap": "wide", "solver": "greedy"}, ['value="wide"', '<option value="greedy" selected>']),
    ("text", {"text": "k = 5\n# all that was typed\nquasi = "}, ["# all that was typed"]),
    ("roles", {"role0": "identifiers", "role1": "boss", "other": "drop"},
     ['name="role0" value="identifiers" checked', '<option value="drop" selected>']),
    ("labels", {"kind0": "intervals", "detail0": "7, 15", "start0": "1", "kind1": "prefix", "detail1": "1"},
     ['value="7, 15"', '<option value="prefix" selected>']),
]  # fmt: skip


@pytest.mark.parametrize(("form", "sent", "shown"), MISTAKES)
def test_what_was_sent_is_shown_again_with_what_is_wrong_in_it(visitor, place, form, sent, shown):
    before = policy(visitor, place)
    answer = visitor.post(f"{place}/{form}", sent)
    assert answer.status_code == 303
    page = visitor.settled(answer.headers["location"])
    assert "That did not work." in page
    for part in shown:
        assert part in page, part
    assert policy(visitor, place) == before


def test_a_mistake_in_one_tab_is_said_in_no_other(visitor, place, small):
    other = visitor.opened("other.csv", small)
    answer = visitor.post(f"{place}/promise", {"k": "0"})
    for path in (f"{other}/promise", f"{place}/promise", "/"):
        assert "That did not work." not in visitor.text(path)
    assert "That did not work." in visitor.text(answer.headers["location"])


@pytest.mark.parametrize(
    ("step", "sent", "on"),
    [
        ("promise", {"k": "20"}, "search"),
        ("stars", {"max_stars": "1"}, "promise"),
        ("labels", {"kind0": "intervals", "detail0": "7, 14"}, "stars"),
    ],
)
def test_next_keeps_what_was_typed_and_goes_on(visitor, place, step, sent, on):
    page = visitor.text(f"{place}/{step}")
    assert re.search(r'<button class="main" form="\w+" name="next" value="yes">Next', page)
    for name in sent:
        assert f'name="{name}"' in page
    answer = visitor.post(f"{place}/{step}", {**sent, "next": "yes"})
    assert answer.headers["location"] == f"{place}/{on}"
    said = policy(visitor, place)
    if step == "promise":
        assert said["k"] == 20
    elif step == "stars":
        assert said["mask"] == {"max_stars": 1}
    else:
        assert said["hierarchies"]["age"].startswith("intervals:7,14")


def test_the_levels_of_all_columns_are_kept_at_once_or_none(visitor):
    rows = "".join(f"{20 + n % 40},{1000 + n % 50}\n" for n in range(200))
    place = visitor.opened("two.csv", f"age,zip\n{rows}".encode())
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["age", "zip"]\nk = 2\n'})
    both = {"kind0": "intervals", "detail0": "10", "kind1": "prefix", "detail1": "3"}
    visitor.post(f"{place}/labels", both)
    assert policy(visitor, place)["hierarchies"] == {"age": "intervals:10", "zip": "prefix:3"}
    said = visitor.after(visitor.post(f"{place}/labels", both | {"detail0": "20", "detail1": "three"}))
    assert "That did not work." in said
    assert "zip" in said
    assert policy(visitor, place)["hierarchies"] == {"age": "intervals:10", "zip": "prefix:3"}


def test_the_search_says_what_it_is_about_to_do(visitor, place):
    visitor.post(f"{place}/promise", {"k": "7", "l": "2"})
    visitor.post(f"{place}/stars", {"max_stars": "1"})
    page = words(visitor.text(f"{place}/search"))
    for said in (
        "k 7 rows or more look alike",
        "l 2",
        "others may know age, sex",
        "nobody may learn diagnosis",
        "1 star",
    ):
        assert said in page, said


def test_more_rows_than_there_are_are_refused_at_once(visitor, place):
    before = policy(visitor, place)
    for form, sent in (
        ("promise", {"k": "5000"}),
        ("settings", {"k": "73"}),
        ("text", {"text": 'qi = ["age"]\nk = 73\n'}),
    ):
        assert "than the table has, which are 72" in visitor.after(visitor.post(f"{place}/{form}", sent))
    assert policy(visitor, place) == before
    visitor.post(f"{place}/promise", {"k": "72"})
    assert policy(visitor, place)["k"] == 72


def test_the_lines_for_the_shell_name_what_the_browser_saved_and_the_curve_that_was_drawn(visitor, place):
    visitor.post(f"{place}/curve", {"ks": "2, 4"})
    page = words(visitor.settled(f"{place}/promise"))
    assert "--ks 2,4" in page
    assert "ks=[2, 4]" in page
    page = searched(visitor, place)
    for name in ("release.csv", "certificate.json", "released-policy.toml"):
        saved = visitor.get(f"{place}/files/{name}").headers["content-disposition"]
        assert saved == f'attachment; filename="small-{name}"'
        assert f"small-{name}" in page.partition("The same without this page")[2]


def test_a_recount_of_the_bound_is_given_a_time_and_can_be_asked_for_whole(visitor, place, monkeypatch):
    monkeypatch.setattr("incrowd.web.sessions.session.Session.bound.__defaults__", (0.0,))
    page = searched(visitor, place)
    assert "keeps the policy" in page
    assert "nothing is known of its bound" in page
    assert "The certificate holds" not in page
    answer = visitor.post(f"{place}/bound")
    assert answer.headers["location"] == f"{place}/release"
    assert "The certificate holds" in words(visitor.settled(f"{place}/release"))
