"""Sentences about earlier releases."""

from incrowd.report.text.ledger import earlier_words, ledger_lines

LINE = {"people": "ward 3", "release": "one.csv", "added": "2030-01-02", "same_name": True}


def test_an_estimate_says_its_error_and_a_count_does_not():
    exact = earlier_words({**LINE, "shared": {"keys": 1, "least": 1, "most": 1}})
    assert exact == "1 key of this table is in 'one.csv' (ward 3, 2030-01-02) too"
    about = earlier_words({**LINE, "shared": {"keys": 1200, "least": 1100, "most": 1300}})
    assert "about 1,200 keys of this table (19 times in 20 from 1,100 to 1,300)" in about
    assert "cannot be told" in earlier_words({**LINE, "shared": None})


def test_the_ledger_is_told_line_by_line():
    entry = {**LINE, "k": 5, "keys": 40, "key": ["id"]}
    assert ledger_lines([entry, {**entry, "keys": None, "key": [], "k": None}]).splitlines() == [
        "2030-01-02  ward 3: 'one.csv', k=5, 40 keys by id",
        "2030-01-02  ward 3: 'one.csv', not counted",
    ]
    assert ledger_lines([]) == "The ledger is empty.\n"
