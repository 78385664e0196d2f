"""Ranges on a grid before all three checkers: they agree on releases and certificates, true and changed."""

import json
import random
from fractions import Fraction

import pytest

from checker import red_ranges, red_releases, red_team
from checker.page_script import NODE
from checker.red_cases import second
from checker.test_incrowd_check import agree, examples, written
from oracles import grid_files
from seeds import how_many, seeds

POLICY = 'quasi_identifiers = ["age"]\nnumeric = ["age"]\nk = 2\nrecoding = "grid"\nround = 10\n'


@pytest.fixture
def example(tmp_path):
    """The page's example, in a folder."""
    written(tmp_path, examples()["ranges"])
    return tmp_path


def test_changed_certificates_get_one_verdict_and_none_that_is_not_so():
    some = [red_ranges.of_ranges(seed) for seed in range(how_many(40, 6))]
    counted, differ, above = red_team.attack("ranges", some, how_many(2000, 120), page=NODE is not None)
    assert not differ and not above
    assert counted["good"] and counted["violation"] and counted["unreadable"]


def test_no_tampered_release_is_accepted_and_all_checkers_say_the_same():
    ways = red_releases.RELEASES | {"ranges": red_ranges.of_labels}
    number = how_many(1000, 6)
    found = red_releases.table(number, 4, 3, NODE is not None, 20, progress=False, made=red_ranges.jobs, ways=ways)
    assert found == 0


@seeds(300, 3)
def test_a_label_is_read_as_the_run_that_it_was_written_for_and_nothing_else_is_one(seed):
    rng = random.Random(seed)
    asked = grid_files.drawn(rng)
    grid = second.Grid(asked.values, Fraction(str(asked.said["round"])))
    for label, values in asked.labels.items():
        run = grid.run(label)
        assert {value for value in asked.values if grid.holds(run, value)} == values and run[1] - run[0] == len(values)
        spot = rng.randrange(len(label))
        other = label[:spot] + rng.choice("0123456789-<>= to.") + label[spot + 1 :]
        if other not in asked.values and len(other.partition(".")[2]) < 4:
            assert (grid.run(other) is not None) == (other in asked.labels), other


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "cells",
    [
        ["21", "", "35", "38", "52", "58"],
        ["21"] * 6,
        ["21", "21.0", "+21"] * 2,
        ["21", "x", "35", "38", "52", "58"],
        ["21", "1e1", "35", "38", "52", "58"],
        ["21", "2020-01-01", "35", "38", "52", "58"],
        ["2020-01-01", "2020-02-30"] * 3,
        ["\u0661", "\u0662"] * 3,
        ["1234567890123456", "2"] * 3,
    ],
)
def test_a_column_that_holds_no_numbers_or_dates_is_unreadable(cells, example, capsys):
    (example / "original.csv").write_text("age,sex\n" + "".join(f"{cell},f\n" for cell in cells), encoding="utf-8")
    (example / "release.csv").write_text("age,sex\n" + "*,f\n" * 6, encoding="utf-8")
    for certificate in ("certificate.json", None):
        assert agree(example, capsys, certificate=certificate)[0] == 2


@pytest.mark.parametrize(
    "more",
    [
        "max_level = {age = 3}", "[mask]\nkeep = ['sex']", 'cost = "cells"', 'cost = "entropy"', 'suppressed = "null"', "suppression_limit = 1",
        'require = ["l-diversity l=2 column=sex"]', "round = 0", "round = -1", 'round = "x"', 'recoding = "levels"',
        'recoding = "global"', "numeric = []", 'hierarchies = {age = "age.csv"}', 'hierarchies = {age = {file = "age.csv", level_costs = [1]}}',
    ],
)  # fmt: skip
def test_what_does_not_go_with_a_grid_is_unreadable(more, example, capsys):
    (example / "age.csv").write_text("".join(f"{age};*\n" for age in (21, 24, 35, 38, 52, 58)), encoding="utf-8")
    (example / "original.csv").write_text("age,sex\n" + "".join(f"{age},f\n" for age in (21, 24, 35, 38, 52, 58)))
    (example / "release.csv").write_text("age,sex\n" + "*,f\n" * 6, encoding="utf-8")
    word = more.partition(" ")[0]
    text = "\n".join(line for line in POLICY.splitlines() if not line.startswith(word))
    (example / "policy.toml").write_text(f"{text}\n{more}\n", encoding="utf-8")
    for certificate in ("certificate.json", None):
        assert agree(example, capsys, certificate=certificate)[0] == 2


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "more",
    [
        "full_suppression = true",
        "keep = []",
        "max_stars = 0",
        "max_level = {age = 1}",
        "full_suppression = false",
        'sensitive = ["sex"]',
        'star = "?"',
        "weights = {age = 2}",
    ],
)
def test_what_goes_with_a_grid_is_read(more, example, capsys):
    (example / "original.csv").write_text("age,sex\n" + "".join(f"{age},f\n" for age in (21, 24, 35, 38, 52, 58)))
    rows = "".join(f"{label},f\n" for label in ("< 30", "30-39", ">= 50") for _ in range(2))
    (example / "release.csv").write_text(f"age,sex\n{rows}", encoding="utf-8")
    (example / "policy.toml").write_text(f"{POLICY}{more}\n", encoding="utf-8")
    status, said = agree(example, capsys, certificate=None)
    assert (status, said["ok"], said["violations"]) == (0, True, [])


@pytest.mark.parametrize(
    "more", ["keep = ['age']", "max_level = {age = 0}", "patterns = [['age']]", "patterns = [{age = 2}]"]
)
def test_a_range_that_the_mask_does_not_allow_is_found_by_all(more, example, capsys):
    policy = (example / "policy.toml").read_text()
    (example / "policy.toml").write_text(f"{policy}{more}\n", encoding="utf-8")
    status, said = agree(example, capsys, certificate=None)
    assert (status, said["ok"], said["violations"]) == (1, False, ["mask"])


@pytest.mark.few(8)
@pytest.mark.parametrize(
    ("step", "status"),
    [([10, 1], 0), ([20, 2], 0), ([20, 1], 1), ([5, 1], 1), ([1, 3], 1), ([0, 1], 2), ([10], 2), (10, 2)],
)
@pytest.mark.parametrize("said", [True, False])
def test_the_certificates_step_is_the_policys_or_the_labels_and_the_bound_must_fit_it(
    step, status, said, example, capsys
):
    certificate = json.loads((example / "certificate.json").read_text()) | {"step": step}
    (example / "certificate.json").write_text(json.dumps(certificate), encoding="utf-8")
    if not said:
        (example / "policy.toml").write_text(POLICY.replace("round = 10\n", ""), encoding="utf-8")
    found = agree(example, capsys)[0]
    if said:
        assert found == status
    else:  # on another grid of which all ends are lines the bound is another, and the labels may be right
        assert found == {"[20, 1]": 1, "[5, 1]": 0, "[1, 3]": 0}.get(str(step), status)


@pytest.mark.parametrize("other", ["k-anonymity", "levels"])
def test_a_certificate_of_another_recoding_is_unreadable(other, example, capsys):
    if other == "levels":
        text = POLICY.replace("grid", "levels").replace("round = 10\n", "")
        (example / "policy.toml").write_text(text, encoding="utf-8")
    else:
        certificate = json.loads((example / "certificate.json").read_text())
        certificate |= {"certificate": "incrowd k-anonymity bound", "components": None, "trees": []}
        del certificate["column"], certificate["step"]
        (example / "certificate.json").write_text(json.dumps(certificate), encoding="utf-8")
    assert agree(example, capsys)[0] == 2


def test_a_release_without_the_ranged_column_is_a_violation_with_a_certificate_and_without(example, capsys):
    (example / "release.csv").write_text("sex\nf\n", encoding="utf-8")
    for certificate in ("certificate.json", None):
        assert agree(example, capsys, certificate=certificate)[0] == 1
