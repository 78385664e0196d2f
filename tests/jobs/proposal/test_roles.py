"""Every column gets a part that can be defended by its name and its counts."""

import pytest

from incrowd.jobs.proposal import ColumnProfile, parts_of, shown, with_warnings
from incrowd.tables.hierarchy.proposals import propose


def column(name, values, rows=1000, distinct=None, blanks=0.0):
    return ColumnProfile(name, rows, 0, 0, distinct or len(values), blanks, propose(name, [*map(str, values)]))


@pytest.mark.parametrize(
    ("it", "role", "why"),
    [
        (column("name", ["a", "b"]), "identifiers", "names people"),
        (column("E-Mail", ["a", "b"]), "identifiers", "names people"),
        (column("ward_name", ["a", "b"]), "quasi_identifiers", "others may know it"),
        (column("patient_id", range(1000)), "identifiers", "its many values"),
        (column("hospital_id", range(7)), "quasi_identifiers", "bands"),
        (column("x", [f"t{i}x{i}" for i in range(1000)]), "identifiers", "a value of its own"),
        (column("x", [f"t{i}" * (i % 7 + 1) for i in range(700)]), "identifiers", "nearly every row"),
        (column("note", [f"t{i}" for i in range(400)], blanks=3.0), "identifiers", "free text"),
        (column("seen", [f"2021-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(84)]), "quasi_identifiers", "dates by"),
        (column("age", range(99)), "quasi_identifiers", "ages in bands"),
        (column("icd10", ["A41.9", "I10", "E11.90"]), "sensitive", "nobody may learn"),
        (column("diagnosis", ["flu", "cold"]), "sensitive", "nobody may learn"),
        (column("bmi", [f"{i / 10}" for i in range(150, 400)]), "sensitive", "measured"),
        (column("lat", [f"{i / 10}" for i in range(150, 400)]), "quasi_identifiers", "bands"),
        (column("town", ["red", "green", "blue"] * 1, distinct=90), "quasi_identifiers", "group them"),
        (column("sex", ["f", "m"]), "quasi_identifiers", "others may know it"),
        (column("x3", ["A", "B", "C"]), "quasi_identifiers", "its name does not say what it holds: taken for known"),
        (column("grp", ["A", "B", "C"]), "quasi_identifiers", "sensitive, if nobody may learn it"),
        (column("ward", ["A", "B", "C"]), "quasi_identifiers", "others may know it"),
        (column("class", ["A41.9", "I10", "E11.90"]), "sensitive", "nobody may learn"),
        (column("same", ["x"]), "other", "all its values are one"),
        (column("none", []), "other", "no values"),
    ],
)
def test_a_part_follows_from_name_and_counts(it, role, why):
    (part,) = parts_of([it], {}, [])
    assert part.role == role and why in part.why


def test_what_another_column_tells_is_judged_with_it():
    born, age = column("born", ["1950-01-01", "1990-02-02"]), column("age", range(99))
    code, text = column("icd", ["A41.9", "I10", "E11.90"]), column("meaning", ["red", "green", "blue"])
    parts = parts_of([born, age, code, text], {"born": "age"}, [("icd", "meaning")])
    assert [part.role for part in parts] == ["identifiers", "quasi_identifiers", "sensitive", "sensitive"]
    assert parts[0].why == "dropped: age says the same, more coarsely" and parts[3].why == "says the same as icd"


def test_a_column_that_gives_a_quasi_identifier_away_says_so_in_its_reason():
    parts = parts_of([column("diagnosis", ["flu", "cold"]), column("sex", ["f", "m"])], {}, [])
    first, second = with_warnings(parts, {"diagnosis": ["sex", "a\nb"]})
    assert first.role == "sensitive" and first.why.startswith(f"{parts[0].why}; BUT it tells sex, 'a\\nb': ")
    assert second is parts[1]


def test_a_name_that_is_not_printed_is_quoted():
    assert (shown("age"), shown("a\nk = 1")) == ("age", r"'a\nk = 1'")
