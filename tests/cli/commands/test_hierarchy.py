"""Releases with hierarchies from end to end: made, recounted by a plain reading of the table, tampered with."""

import csv
import json
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import incrowd
from incrowd import Hierarchy, InputError, PolicyError
from incrowd.tables.values import Levels
from oracles.brute_force import optimum
from seeds import few_of, how_many, seeds

PLACES = {"Europe": {"West": ["AT", "DE"], "North": ["SE"]}, "Asia": {"East": ["JP", "KR"]}}


def drawn_tree(rng, leaves):
    """A random hierarchy of the leaves: each level lumps some nodes of the one below together."""
    columns = [list(leaves)]
    for level in range(1, rng.randint(1, 3)):
        names = {label: f"n{level}{rng.randrange(3)}" for label in dict.fromkeys(columns[-1])}
        columns.append([names[label] for label in columns[-1]])
    return Hierarchy(lines=tuple(zip(*columns, strict=True)))


def drawn_case(seed):
    rng = random.Random(seed)
    m = rng.randint(2, 3)
    domains = [[f"v{j}{i}" for i in range(rng.randint(2, 5))] for j in range(m)]
    rows = [[rng.choice(domain) for domain in domains] for _ in range(rng.randint(4, 7))]
    names = [f"c{j}" for j in range(m)]
    hierarchies = {
        name: drawn_tree(rng, domain) for name, domain in zip(names, domains, strict=True) if rng.random() < 0.8
    }
    mask = [{}, {"max_stars": 1}, {"at_most_one": [names[:2]]}, {"together": [names[:2]]}][seed % 4]
    weights = {names[0]: rng.choice([1, 2, "1/3"])}
    outliers = rng.choice(["forbid", "suppress"])
    return pd.DataFrame(rows, columns=names), hierarchies, {
        "mask": mask, "weights": weights, "outliers": outliers, "k": rng.choice([2, 2, 3]),
    }  # fmt: skip


def read_off(table, released, hierarchies, weights):
    """Pair released rows with their originals (the order was kept) and return classes and cost, by plain reading."""
    cost = Fraction(0)
    for (_, old), (_, new) in zip(table.iterrows(), released.iterrows(), strict=True):
        for name in table.columns:
            lines = {line[0]: line for line in hierarchies[name].lines} if name in hierarchies else {}
            line = lines.get(old[name], (old[name],))
            if new[name] == "*":
                share = Fraction(1)
            else:
                assert new[name] in line
                below = sum(new[name] in other for other in lines.values()) or 1
                share = Fraction(below - 1, max(len(lines) - 1, 1))
            cost += share * Fraction(weights.get(name, 1))
    return Counter(tuple(row) for row in released.itertuples(index=False)), cost


@seeds(400, few=2)
def test_the_optimum_with_hierarchies_is_brute_forces_and_the_recount_agrees(seed):
    table, hierarchies, settings = drawn_case(seed)
    if settings["k"] > len(table):
        settings["k"] = 2
    names = list(table.columns)
    release = incrowd.anonymize(
        table, quasi_identifiers=names, hierarchies=hierarchies, solver="exact", keep_order=True, **settings
    )
    classes, cost = read_off(table, release.table, hierarchies, settings["weights"])
    exempt = {("*",) * len(names)} if settings["outliers"] == "suppress" else set()
    assert all(size >= settings["k"] for row, size in classes.items() if row not in exempt)
    assert release.optimal
    exact = Fraction(release.facts.get("cost_exact", release.cost))
    assert exact == cost
    assert exact * release._problem.scale == optimum(release._problem)
    policy = {"quasi_identifiers": names, "hierarchies": hierarchies, **settings}
    assert incrowd.verify(table, release.table, **policy) == []


@pytest.fixture
def people():
    rng = random.Random(5)
    return pd.DataFrame(
        {
            "place": [rng.choice(["AT", "DE", "SE", "JP", "KR"]) for _ in range(60)],
            "age": [str(rng.randint(1, 60)) for _ in range(60)],
            "illness": [rng.choice(["flu", "cold"]) for _ in range(60)],
        }
    )


POLICY = {
    "quasi_identifiers": ["place", "age"],
    "hierarchies": {"place": Hierarchy.from_tree(PLACES), "age": "intervals:5,10,20"},
    "k": 3,
}


def test_only_labels_above_a_value_pass_the_strangers_recount(people):
    released = incrowd.anonymize(people, **POLICY, solver="greedy").table
    assert incrowd.verify(people, released, **POLICY) == []
    labels = ["West", "North", "Europe", "East", "Asia"]
    shown = released[released.place.isin(labels)]
    assert len(shown) > 5
    moved = 0
    for index in shown.index[: how_many(2, 1)]:
        for label in labels:
            bad = released.copy()
            bad.loc[bad.place == released.place[index], "place"] = label
            if label == released.place[index] or {label, released.place[index]} in ({"East", "Asia"},):
                continue
            coarser = (
                label in ("Europe", "Asia")
                and {"West": "Europe", "North": "Europe"}.get(released.place[index]) == label
            )
            assert (incrowd.verify(people, bad, **POLICY) == []) == coarser
            moved += 1
    assert moved


def test_a_label_with_one_child_is_read_at_either_level(people):
    # East and Asia hold the same values, so either may be shown
    released = incrowd.anonymize(people, **POLICY, solver="greedy").table
    other = released.assign(place=released.place.replace({"East": "Asia"}))
    assert incrowd.verify(people, other, **POLICY) == []


def test_levels_are_judged_by_the_mask(people):
    released = incrowd.anonymize(people, **POLICY, solver="greedy").table
    found = incrowd.verify(people, released, **{**POLICY, "max_level": {"place": 1}, "full_suppression": False})
    assert "mask" in [violation.rule for violation in found]


def test_max_level_keeps_a_column_fine(people):
    release = incrowd.anonymize(people, **POLICY, max_level={"age": 2}, solver="greedy")
    assert {pattern["levels"].get("age", 0) for pattern in release.facts["patterns_used"]} <= {0, 1, 2, 4}


def test_missing_values_are_counted_over_all_columns_and_completed_on_request(people):
    people.loc[:3, "place"] = "secretland"
    people.loc[7, "place"] = None
    tree = {"place": Hierarchy.from_tree(PLACES), "age": Hierarchy(lines=[(str(i), "all") for i in range(1, 40)])}
    policy = {**POLICY, "hierarchies": tree, "solver": "greedy"}
    with pytest.raises(PolicyError) as caught:
        incrowd.anonymize(people, **policy)
    said = str(caught.value)
    assert "column 'place': its hierarchy lacks 2 of the column's values, in 5 rows" in said
    assert "line NULL" in said
    assert "column 'age': its hierarchy lacks" in said
    assert "secretland" not in said
    release = incrowd.anonymize(people, **policy, complete_hierarchies=True)
    assert incrowd.verify(people, release.table, **POLICY | {"hierarchies": tree}, complete_hierarchies=True) == []
    assert set(release.table.place.dropna()) <= {
        "AT",
        "DE",
        "SE",
        "JP",
        "KR",
        "West",
        "North",
        "East",
        "Asia",
        "Europe",
        "*",
        "secretland",
    }


def test_the_line_null_stands_for_missing_values():
    table = pd.DataFrame({"a": [None, "x", "x", None], "b": ["1", "1", "2", "2"]})
    tree = Hierarchy(lines=[("NULL", "unknown"), ("x", "known")])
    policy = {"quasi_identifiers": ["a", "b"], "k": 2, "hierarchies": {"a": tree}, "keep": ["a"]}
    release = incrowd.anonymize(table, **policy)
    assert incrowd.verify(table, release.table, **policy) == []
    policy |= {"keep": ["b"], "max_level": {"a": 1}}
    tree = Hierarchy(lines=[("NULL", "some"), ("x", "some")])
    release = incrowd.anonymize(table, **policy | {"hierarchies": {"a": tree}})
    assert set(release.table.a) == {"some"}


def test_stars_as_null_and_hierarchies_do_not_go_together():
    with pytest.raises(PolicyError, match="suppressed=null"):
        incrowd.Policy(quasi_identifiers=["a"], hierarchies={"a": "dates"}, suppressed="null")


def test_a_hierarchy_for_another_column_is_refused():
    with pytest.raises(PolicyError, match="no quasi-identifier"):
        incrowd.Policy(quasi_identifiers=["a"], hierarchies={"b": "dates"})


def test_a_label_may_not_be_the_star_text(people):
    with pytest.raises(PolicyError, match="choose another with star"):
        incrowd.anonymize(people, **POLICY, star="Asia")


def test_numbers_that_are_mostly_distinct_are_advised_intervals():
    table = pd.DataFrame({"x": [i + 0.5 for i in range(40)], "y": ["a", "b"] * 20})
    notes = incrowd.anonymize(table, quasi_identifiers=["x", "y"], k=2, solver="greedy").facts["notes"]
    assert any("give it intervals" in note and "'x'" in note for note in notes)
    policy = {"quasi_identifiers": ["x", "y"], "k": 2, "hierarchies": {"x": "intervals:5,10"}}
    release = incrowd.anonymize(table, **policy, solver="greedy")
    assert not any("give it intervals" in note for note in release.facts["notes"])
    assert set(release.table.x.str[0]) == {"["}


def test_a_policy_with_hierarchies_survives_its_file(tmp_path, people):
    Hierarchy.from_tree(PLACES).to_csv(tmp_path / "place.csv")
    (tmp_path / "policy.toml").write_text(
        'quasi_identifiers = ["place", "age"]\nk = 3\n[hierarchies]\nplace = "place.csv"\n'
        "age = { intervals = [5, 10, 20] }\n"
    )
    policy = incrowd.Policy.load(tmp_path / "policy.toml")
    (tmp_path / "sub").mkdir()
    policy.save(tmp_path / "sub" / "again.toml")
    assert 'place = "../place.csv"' in (tmp_path / "sub" / "again.toml").read_text()
    again = incrowd.Policy.load(tmp_path / "sub" / "again.toml")
    one, two = (incrowd.anonymize(people, policy=policy, solver="greedy") for policy in (policy, again))
    assert one.table.equals(two.table)
    with pytest.raises(PolicyError, match="lives in memory"):
        incrowd.Policy(**POLICY).save(tmp_path / "not.toml")
    assert not (tmp_path / "not.toml").exists()


def test_from_the_shell(tmp_path, people, run):
    people.to_csv(tmp_path / "people.csv", index=False)
    Hierarchy.from_tree(PLACES).to_csv(tmp_path / "place.csv")
    table, tree, out = (str(tmp_path / name) for name in ("people.csv", "place.csv", "release.csv"))
    options = ["--qi", "place,age", "--k", "3", "--hierarchy", f"place={tree}", "--hierarchy", "age=intervals:5,10,20"]
    proof = str(tmp_path / "proof.json")
    status, said, _ = run(
        "anonymize", table, "-o", out, *options, "--json", "--time-limit", "2", "--certificate", proof
    )
    assert status == 0
    facts = json.loads(said)
    status, said, _ = run("verify", table, out, *options, "--certificate", proof, "--json")
    assert status == 0, said
    checked = json.loads(said)
    assert checked["cost"] == pytest.approx(facts["cost"])
    assert checked["lower_bound"] == pytest.approx(facts["lower_bound_checked"])


def test_costs_of_levels_are_kept_and_checked(tmp_path, people):
    people.to_csv(tmp_path / "people.csv", index=False)
    tree = Hierarchy.from_tree(PLACES, level_costs=["1/4", "1/2", 1])
    policy = {**POLICY, "hierarchies": {"place": tree, "age": "intervals:5,10,20"}}
    release = incrowd.anonymize(tmp_path / "people.csv", **policy, solver="greedy")
    used = Counter()
    for pattern in release.facts["patterns_used"]:
        used[pattern["levels"].get("place", 0)] += pattern["rows"]
    level = release._problem.levels[0]
    assert isinstance(level, Levels)
    assert [Fraction(int(c), release._problem.scale) for c in level.cost[:, 0]] == [
        0,
        Fraction(1, 4),
        Fraction(1, 2),
        1,
    ]
    assert used.keys() - {0, 3}
    release.to_csv(tmp_path / "release.csv")
    release.certificate(tmp_path / "proof.json")
    job = incrowd.Job(policy=incrowd.Policy(**policy))
    from incrowd.jobs.verify import verify

    checked = verify(tmp_path / "people.csv", tmp_path / "release.csv", job, tmp_path / "proof.json")
    assert checked.violations == ()
    assert checked.proven


@pytest.mark.parametrize(
    ("rows", "columns", "most"),
    few_of([(500, 4, 160), (500, 9, 1_060), (2_000, 9, 2_600), (30_162, 9, 13_800)]),
)
def test_arx_adult_with_its_nine_hierarchies_from_python_shell_and_policy_file(
    rows, columns, most, data_dir, tmp_path, run
):
    source = tmp_path / "adult.csv"
    lines = (data_dir / "arx" / "adult.csv").read_text().splitlines(keepends=True)
    source.write_text("".join(lines[: rows + 1]))
    names = list(pd.read_csv(source, sep=";", nrows=0).columns)[:columns]
    files = {name: data_dir / "arx" / f"adult_hierarchy_{name}.csv" for name in names}
    release = incrowd.anonymize(source, quasi_identifiers=names, k=5, hierarchies=files, solver="greedy")
    assert release.lower_bound <= release.cost < most
    options = [word for name in names for word in ("--hierarchy", f"{name}={files[name]}")]
    out = str(tmp_path / "shell.csv")
    status, *_ = run(
        "anonymize", str(source), "-o", out, "--qi", ",".join(names), "--k", "5", "--solver", "greedy", *options
    )
    assert status == 0
    lines = "\n".join(f'{name} = "{path}"' for name, path in files.items())
    (tmp_path / "policy.toml").write_text(f"quasi_identifiers = {json.dumps(names)}\nk = 5\n[hierarchies]\n{lines}\n")
    out = str(tmp_path / "file.csv")
    status, *_ = run(
        "anonymize", str(source), "-o", out, "--policy", str(tmp_path / "policy.toml"), "--solver", "greedy"
    )
    assert status == 0
    assert (tmp_path / "file.csv").read_bytes() == (tmp_path / "shell.csv").read_bytes()
    release.to_csv(tmp_path / "python.csv")
    assert (tmp_path / "file.csv").read_bytes() == (tmp_path / "python.csv").read_bytes()
    assert incrowd.verify(source, out, quasi_identifiers=names, k=5, hierarchies=files) == []
    with (tmp_path / "file.csv").open() as file:
        assert sum(1 for _ in csv.reader(file)) == rows + 1


def test_hierarchy_command_writes_one_to_edit(tmp_path, run):
    (tmp_path / "t.csv").write_text("zip,when,x\n130,2021-03-05,1\n13053,1999-01-01,17\n,2021-03-06,\n")
    table = str(tmp_path / "t.csv")
    status, out, _ = run("hierarchy", "x", table, "--intervals", "5,10")
    assert (status, out.splitlines()) == (0, ["1;0-4;0-9;*", "17;15-19;10-19;*", "NULL;NULL;NULL;*"])
    status, out, _ = run(
        "hierarchy", "when", table, "--dates", "--units", "month,year", "-o", str(tmp_path / "when.csv")
    )
    assert (status, out) == (0, "")
    assert (tmp_path / "when.csv").read_text().splitlines()[0] == "1999-01-01;1999-01;1999;*"
    status, out, _ = run("hierarchy", "zip", table, "--prefix", "--lengths", "3")
    assert "13053;130*;*" in out.splitlines()
    release = incrowd.anonymize(
        tmp_path / "t.csv", quasi_identifiers=["zip", "when", "x"], k=3, time_limit=0,
        hierarchies={"when": tmp_path / "when.csv", "x": "intervals:5,10"},
    )  # fmt: skip
    assert release.table is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["x", "{t}"], "say exactly one of"),
        (["x", "{t}", "--dates", "--prefix"], "say exactly one of"),
        (["x", "{t}", "--dates", "--lengths", "3"], "--lengths does not go with --dates"),
        (["x", "{t}", "--intervals", "3,5"], "nest"),
        (["y", "{t}", "--prefix"], "no column 'y'"),
        (["x", "{t}", "--dates"], "none of the column's 2 distinct values"),
        (["x", "{t}", "--prefix", "-o", "{t}"], "input"),
    ],
)
def test_wrong_use_of_the_hierarchy_command_is_one_sentence(tmp_path, run, words, said):
    (tmp_path / "t.csv").write_text("x\nsecret\n17\n")
    status, _, err = run("hierarchy", *[word.replace("{t}", str(tmp_path / "t.csv")) for word in words])
    assert status == 2
    assert said in err
    assert "secret" not in err
    assert (tmp_path / "t.csv").read_text() == "x\nsecret\n17\n"


def test_a_hierarchy_file_that_does_not_exist_is_named(people):
    with pytest.raises(InputError, match=r"'none.csv' does not exist"):
        incrowd.anonymize(people, quasi_identifiers=["place"], k=2, hierarchies={"place": "none.csv"})


def test_costs_scale_to_integers_with_their_weights(people):
    release = incrowd.anonymize(people, **POLICY, weights={"place": "1/7"}, solver="greedy")
    assert release._problem.scale % 7 == 0
    assert (np.diff(release._problem.levels[0].cost, axis=0) >= 0).all()


def test_intervals_may_end_in_an_open_top(run, table):
    status, out, _ = run("hierarchy", "age", table, "--intervals", "5,10", "--top", "50")
    assert status == 0 and "52;50+;50+;*" in out and "47;45-49;40-49;*" in out
    assert run("hierarchy", "age", table, "--prefix", "--top", "50")[0] == 2
