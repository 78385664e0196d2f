"""Hierarchies that a policy makes by words are read by all: the check, the second checker and the page, label by label."""

from __future__ import annotations

import csv
import io
import json
import random
from fractions import Fraction

import pytest

import incrowd
from cases.three_checkers import GOOD, UNREADABLE, WRONG, by_page, by_second, by_verify, words, written
from seeds import seeds

WORDS = {
    "numbers": [
        ('"intervals:5,10,20"', ["--intervals", "5,10,20"]),
        ('"intervals: 5, 10,20 ,90+"', ["--intervals", "5,10,20", "--top", "90"]),
        ('{intervals = [5, "10"], start = 2}', ["--intervals", "5,10", "--start", "2"]),
        ('{intervals = [0.5, 2.5], start = -0.25, top = "7/3"}', ["--intervals", "0.5,2.5", "--start=-0.25", "--top", "7/3"]),
        ("{intervals = 3}", ["--intervals", "3"]),
        ('"intervals:1,2,1/1+"', ["--intervals", "1,2", "--top", "1/1"]),
        ('{intervals = ["1/3", 1, 100000000000000000000000]}', ["--intervals", "1/3,1,100000000000000000000000"]),
        ('"intervals:0.00001,20"', ["--intervals", "0.00001,20"]),
        ('"intervals:-5,10"', None),
        ('"intervals:5,12"', None),
        ('"intervals:"', None),
        ("{intervals = true}", None),
        ("{intervals = [5], units = 3}", None),
    ],
    "dates": [
        ('"dates"', ["--dates"]),
        ('"dates:month,year"', ["--dates", "--units", "month,year"]),
        ("{dates = true}", ["--dates"]),
        ('{dates = ["day", "quarter", "decade", "century"]}', ["--dates", "--units", "day,quarter,decade,century"]),
        ('{dates = "year"}', ["--dates", "--units", "year"]),
        ('"dates:year,month"', None),
        ("{dates = []}", None),
    ],
    "codes": [
        ('"prefix"', ["--prefix"]),
        ('"prefix:3,1"', ["--prefix", "--lengths", "3,1"]),
        ("{prefix = true}", ["--prefix"]),
        ("{prefix = []}", ["--prefix"]),
        ('{prefix = [4, "2"]}', ["--prefix", "--lengths", "4,2"]),
        ("{prefix = 2}", ["--prefix", "--lengths", "2"]),
        ('"prefix:1,3"', None),
        ('"prefix:0"', None),
        ("{prefix = false}", None),
        ('{prefix = [2], file = "c.csv"}', None),
    ],
}  # fmt: skip


def of_kind(kind, rng, *, noise):
    """A column's cells: mostly of a kind, in many spellings."""
    n = rng.randrange(2, 14)
    if kind == "numbers":
        top = rng.choice([9, 120, 10**6])
        plain = [str(rng.randrange(top)) for _ in range(n)]
        odd = ["-3", "+7", "2.5", "007", "1e2", "1_0", "89", "90", "90.0", ".5", "5.", "0e3", "-0", "1.25e-1"]
        odd.append("123456789012345678901")
    elif kind == "dates":
        years = rng.choice([(2020, 2021), (1987, 2031), (2019, 2026), (1, 9999)])
        plain = [f"{rng.randrange(*years):04}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}" for _ in range(n)]
        odd = [
            "20260229",
            "20240229",
            "2024-02-29T10:00",
            "2024-02-29 23:59:59.5",
            "1900-02-29",
            "2026-11-21T10:00:00+02:00",
            "19991231",
        ]
    else:
        plain = [
            rng.choice(["0", "1", "13", "A", "B"]) + "".join(rng.choice("0123") for _ in range(rng.choice([3, 4])))
            for _ in range(n)
        ]
        odd = ["x", "é1", "\U0001f600ab", "A0*", "130*", "a b", "ICD", "K", "12345678"]
    if noise:
        odd += ["NA", "?", "unknown", "text", "NULL", "2020-13-01", "1e401", "2024-01-01 or so"]
    return [rng.choice(odd) if rng.random() < (0.3 if noise else 0.15) else one for one in plain]


def as_csv(*columns):
    """Columns, each with its name first, as CSV; None is an empty field."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(zip(*columns, strict=True))
    return out.getvalue()


@pytest.mark.few(7)
@pytest.mark.parametrize(("spec", "options", "kind"), [(*one, kind) for kind, some in WORDS.items() for one in some])
def test_all_three_know_the_labels_that_incrowd_hierarchy_writes(run, tmp_path, spec, options, kind):
    policy = f'header = true\nquasi_identifiers = ["v"]\nk = 1\n[hierarchies]\nv = {spec}\n'
    cells = of_kind(kind, random.Random(spec), noise=False)

    def table(column):
        return as_csv(["v", *column], ["row", *map(str, range(len(column)))])

    written(tmp_path, original=table(cells), release=table(cells), policy=policy)
    status, out, _ = run("hierarchy", "v", "original.csv", "--no-strip", *options) if options else (2, "", "")
    if status:
        assert words(tmp_path) == [UNREADABLE] * 3
        return
    labels = {line[0]: line for line in csv.reader(io.StringIO(out), delimiter=";")}
    levels = len(labels[cells[0]])
    shown = [labels[cell][level] for level in range(levels) for cell in cells]  # all cells at one level after another
    written(tmp_path, original=table(cells * levels), release=table(shown))
    assert words(tmp_path) == [GOOD] * 3
    wrong = ["x" if label == "*" else f"{label} " for label in shown[len(cells) :]]
    written(tmp_path, release=table([*cells, *wrong]))
    assert words(tmp_path) == [WRONG] * 3


@seeds(400, 4)
def test_what_words_make_is_released_and_recounted_alike_by_all_three(tmp_path, seed):
    rng = random.Random(seed)
    kinds = [rng.choice(list(WORDS)) for _ in range(2)]
    noise, auto = rng.random() < 0.5, rng.random() < 0.5
    columns = [of_kind(kind, rng, noise=noise) for kind in kinds]
    size = min(map(len, columns)) * 2
    names = [rng.choice(["v", "age", "ZIP_code", "Straße", "eta2"]), "w"]
    cells = [[rng.choice(some) for _ in range(size)] for some in columns]
    if rng.random() < 0.3:
        cells[0][0] = ""
    specs = {name: rng.choice(WORDS[kind])[0] for name, kind in zip(names, kinds, strict=True)}
    said = [
        f"quasi_identifiers = {json.dumps(names, ensure_ascii=False)}",
        "header = true",
        "k = 2",
        'outliers = "suppress"',
    ]
    said += [f'cost = "{rng.choice(["leaves", "cells", "levels", "ncp", "entropy"])}"']
    said += [f"complete_hierarchies = {json.dumps(rng.random() < 0.7)}"]
    if auto:
        said += [
            'hierarchies = "auto"'
            if rng.random() < 0.5
            else f'other_hierarchies = "auto"\n[hierarchies]\nw = {specs["w"]}'
        ]
    else:
        said += ["[hierarchies]", *(f'"{name}" = {spec}' for name, spec in specs.items())]
    original = as_csv(*([name, *some] for name, some in zip(names, cells, strict=True)))
    written(tmp_path, original=original, policy="\n".join(said) + "\n")
    certificate = tmp_path / "certificate.json"
    try:
        incrowd.anonymize(
            tmp_path / "original.csv", policy=tmp_path / "policy.toml", output=tmp_path / "release.csv",
            certificate=certificate,
        )  # fmt: skip
    except incrowd.IncrowdError:
        written(tmp_path, release=original)
        assert words(tmp_path) == [UNREADABLE] * 3
        return
    word, found = by_verify(tmp_path, certificate)
    assert word == GOOD
    for ask, bound in ((by_second, "lower_bound"), (by_page, None)):
        word, told = ask(tmp_path, certificate)
        assert word == GOOD, (ask, told)
        facts = told if bound else told["facts"]
        assert Fraction(facts["cost"]) == found.cost
        assert Fraction(facts[bound or "bound"]) == found.lower_bound
        assert facts["proven"] == found.proven


def test_what_init_proposes_is_read_by_all_three(run, tmp_path):
    rng = random.Random(7)
    rows = [
        [
            rng.randrange(18, 99),
            f"{rng.choice([10, 13, 20])}{rng.randrange(100):03}",
            f"20{rng.randrange(18, 26)}-{rng.randrange(1, 13):02}-01",
        ]
        for _ in range(80)
    ]
    text = "age,zip,admitted\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    written(tmp_path, original=text)
    assert run("init", "original.csv", "-o", "policy.toml")[0] == 0
    made = (tmp_path / "policy.toml").read_text(encoding="utf-8")
    assert "intervals" in made
    assert "prefix" in made
    assert "dates" in made
    released_as_read(run, tmp_path)


def test_codes_and_numbers_that_init_would_propose_are_read_by_all_three_where_the_policy_says_auto(run, tmp_path):
    rng = random.Random(7)
    rows = [
        (rng.choice(["E11.9", "E10.1", "I10", "I11.0", "J45.0"]), f"0{rng.randrange(4)}{rng.randrange(8):02}", rng.randrange(1, 40) / 10, rng.randrange(16))
        for _ in range(40)
    ]  # fmt: skip
    said = 'header = true\nquasi_identifiers = ["cause", "site", "ratio", "visits"]\nk = 2\nhierarchies = "auto"\n'
    original = as_csv(*zip(("cause", "site", "ratio", "visits"), *rows, strict=True))
    written(tmp_path, original=original, policy=said)
    released_as_read(run, tmp_path)


def released_as_read(run, folder):
    """Release a table, and have all three find it good."""
    status, _, error = run(
        "anonymize", "original.csv", "--policy", "policy.toml", "-o", "release.csv", "--certificate", "certificate.json",
        "--solver", "greedy", "--quiet",
    )  # fmt: skip
    assert status == 0, error
    assert words(folder, folder / "certificate.json") == [GOOD] * 3


@pytest.mark.parametrize("day", ["2026-W47-6", "2026-11-21T10:00:00,5", "20261121x"])
def test_what_may_be_a_date_in_another_form_is_not_guessed_at(tmp_path, day):
    """Python reads more forms of dates, some versions more than others; they are no dates to nobody in silence."""
    said = 'header = true\nquasi_identifiers = ["v"]\nk = 1\ncomplete_hierarchies = true\n[hierarchies]\nv = "dates"\n'
    text = as_csv(["v", "2026-11-20", day], ["row", "1", "2"])
    written(tmp_path, original=text, release=text, policy=said)
    assert words(tmp_path)[1:] == [UNREADABLE] * 2
