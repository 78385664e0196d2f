"""Policies of many forms: the page and the second checker read them alike, and refuse the same ones."""

from __future__ import annotations

import pytest

import incrowd
from checkers.ask import everyone, told_by_page, told_by_second
from checkers.needed import needs_node
from checkers.page_script import page

pytestmark = needs_node

ORIGINAL = (
    "age,sex,town,ill,pay\n"
    + "31,f,x,flu,10\n31,f,x,cold,20\n35,m,y,flu,30\n35,m,y,gout,1e1\n42,f,x,cold,0.5\n42,f,z,flu,7\n"
)
RELEASE = (
    "age,sex,town,ill,pay\n"
    + "*,f,x,flu,10\n*,f,x,cold,20\n30s,m,y,flu,30\n30s,m,y,gout,1e1\n*,f,*,cold,0.5\n*,f,*,flu,7\n"
)
PLAIN = (
    "age,sex,town,ill,pay\n"
    + "*,f,x,flu,10\n*,f,x,cold,20\n35,m,y,flu,30\n35,m,y,gout,1e1\n*,f,*,cold,0.5\n*,f,*,flu,7\n"
)
HEAD = 'quasi_identifiers = ["age", "sex", "town"]\nk = 2\n'
TREE = "31;30s;low;*\n35;30s;low;*\n42;40s;high;*\n"
APART = ",flu,cold,gout\nflu,0,0.5,1\n\ncold,1/2, 0 ,1\ngout,1,1,0\n"
ILLS = "flu;lungs;any\ncold;lungs;any\ngout;foot;any\n"

GOOD = [
    'sensitive = ["ill"]\nl = 2\n', 'sensitive = ["ill", "pay"]\nt = "1/2"\n', 'sensitive = "ill, pay"\nl = "3/2"\n',
    'sensitive = ["ill"]\nt = 0.5\n[sensitive_distance]\nill = "hierarchical:ills.csv"\n',
    'sensitive = ["pay"]\nt = 0.5\n[sensitive_distance]\npay = "numeric"\n',
    'sensitive = ["pay"]\nt = 0.25\n[sensitive_distance]\npay = "ordered"\n',
    '[[require]]\nmodel = "t-closeness"\nt = "1/3"\ncolumn = "ill"\ndistance = "ordered"\norder = ["cold", "flu", "gout"]\n',
    '[[require]]\nmodel = "t-closeness"\nt = 0.9\ncolumn = "ill"\nrescale = true\ndistance = [[0, 2, 4], [2, 0, 2], ["4", 2, 0]]\n',
    '[[require]]\nmodel = "t-closeness"\nt = 0.9\ncolumn = "ill"\ndistance = [[0, 1, 1], [1, 0, 0.5], [1, 0.5, 0]]\n',
    'sensitive = ["ill"]\nt = 0.5\n[sensitive_distance]\nill = "apart.csv"\n', 'sensitive = ["ill"]\nt = 0.2\n[sensitive_distance]\nill = "matrix:apart.csv"\n',
    'require = ["t-closeness t=0.5 column=ill distance=apart.csv rescale=true"]\n', '[[require]]\nmodel = "t-closeness"\nt = "1/3"\ncolumn = "ill"\ndistance = "apart.csv"\n',
    '[job]\nties = "first"\nrecursion = "thirds"\nreduce = "kernel"\nspreadsheet_safe = true\n',
    '[[require]]\nmodel = "l-diversity"\nl = 2\nkind = "joint"\ncolumns = ["ill", "pay"]\n', 'require = "l-diversity l=2 kind=entropy column=ill"\n',
    'require = ["l-diversity l=2 c=1.5 kind=recursive column=ill", "k-anonymity k=3"]\n', 'require = ["beta-likeness beta=1 column=ill enhanced=true"]\n',
    'require = ["delta-disclosure delta=2 column=ill", "p-sensitive p=2 column=pay"]\n', "require = [\"alpha-k alpha=1e-1 'column=ill'\"]\n",
    "max_stars = 1\n", 'keep = ["sex"]\n', "full_suppression = false\n", '[mask]\nmax_level = {sex = 0}\n', '[mask]\ntogether = ["age", "town"]\n',
    '[mask]\npatterns = [["age"], ["age", "town"], {town = 1}]\n', '[[mask.any]]\nmax_stars = 2\n[[mask.any]]\nkeep = ["age"]\n',
    '[[mask.all]]\nat_most_one = [["age", "sex"]]\n[[mask.all]]\nnever_together = ["sex", "town"]\n', "[weights]\nsex = 0\ntown = 0.1\n",
    'other = "drop"\n', 'identifiers = ["pay"]\n', 'outliers = "suppress"\n', 'cost = "cells"\n', 'cost = "ncp"\nnumeric = ["age"]\n',
    'other_hierarchies = "auto"\n', 'hierarchies = "auto"\n', 'hierarchies = {age = "prefix:1"}\n', 'complete_hierarchies = true\nhierarchies = {age = "intervals:10"}\n',
    'cost = "entropy"\n', 'cost = "workload:w.toml"\n', '[read]\nna = ["31"]\n', '[job]\nsolver = "greedy"\nseed = 1\n',
]  # fmt: skip
WITH_A_TREE = [
    "", "level_costs = [0.1, \"1/2\", 1]\n", 'node_costs = {30s = 0.25, "*" = 2}\n', "level_costs = [1, 0.5, 1]\n", "node_costs = {nobody = 1}\n", "x = 1\n",
]  # fmt: skip
BAD = [
    "k = 3\n", "unknown = 1\n",
    'cost = "workload"\n', 'cost = "workload:nowhere.toml"\n', 'cost = "workload:bad.toml"\n', 'cost = "ncp:w.toml"\n',
    'cost = "entropy"\nsuppressed = "null"\n', 'cost = "discernibility"\n', 'recoding = "ranges"\n', 'suppressed = "null"\nstar = ""\n', 'mask = 1\n', "[mask]\nkeep = [\"ill\"]\n", "[mask]\nmax_level = {age = 2}\n",
    '[mask]\ntogether = [["age"]]\n', '[mask]\nany = []\n', "[mask]\nany = [{}]\nkeep = []\n", "[weights]\nsex = -1\n", "[weights]\nill = 1\n", 'require = ["none x=1"]\n',
    'require = ["l-diversity column=ill"]\n', 'require = ["l-diversity l=0.5 column=ill"]\n', 'require = ["alpha-k alpha=2 column=ill"]\n', 'require = ["t-closeness t=0.5 column=ill distance=numeric"]\n',
    'require = ["p-sensitive p=1.5 column=ill"]\n', "l = 2\n", 'sensitive = ["age"]\n', 'sensitive = ["ill"]\n[sensitive_distance]\nill = "equal"\n', 'cost = "none"\n', "[job]\nk = 1\n",
    '[[require]]\nmodel = "t-closeness"\nt = 0.9\ncolumn = "ill"\ndistance = [[0, 2], [2, 0]]\n', "require = ['alpha-k alpha=1 column=\"ill']\n", 'complete_hierarchies = true\nhierarchies = {age = "dates"}\n', 'hierarchies = {age = "dates"}\n', 'hierarchies = {age = "dates:week"}\n',
    'require = ["t-closeness t=0.5 column=pay distance=apart.csv"]\n', 'require = ["t-closeness t=0.5 column=ill distance=twice.csv"]\n', 'require = ["t-closeness t=0.5 column=ill distance=nowhere.csv"]\n',
    '[[require]]\nmodel = "t-closeness"\nt = 0.5\ncolumn = "ill"\ndistance = "matrix:ills.csv"\n', '[[require]]\nmodel = "t-closeness"\nt = 0.5\ncolumn = "ill"\norder = ["flu", "cold", "gout"]\ndistance = "apart.csv"\n',
    'hierarchies = {age = "nowhere.csv"}\n', 'star = "f"\n', '[read]\ndelimiter = "ab"\n', '[read]\nencoding = "utf-16"\n', 'identifiers = ["age"]\n', 'require = [1]\n', "max_stars = -1\n",
]  # fmt: skip


def files(folder, policy, release):
    for name, text in {
        "original.csv": ORIGINAL,
        "release.csv": release,
        "ills.csv": ILLS,
        "tree.csv": TREE,
        "apart.csv": APART,
        "twice.csv": APART.replace("cold", "flu"),
        "w.toml": '[[query]]\ncolumns = ["age", "town"]\n[[query]]\ncolumns = "sex"\ntarget = "ill"\nweight = 0.5\n',
        "bad.toml": '[[query]]\ncolumns = ["ill"]\n',
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "policy.toml").write_text(policy, encoding="utf-8")


@pytest.mark.parametrize("more", GOOD)
def test_what_a_policy_asks_is_judged_alike(more, tmp_path):
    files(tmp_path, HEAD + more, PLAIN)
    mine = told_by_page(tmp_path, None)
    assert mine == told_by_second(tmp_path, None)
    assert mine[0] < 2


@pytest.mark.parametrize("more", WITH_A_TREE)
@pytest.mark.parametrize("cost", ["leaves", "levels"])
def test_hierarchies_are_read_alike(more, cost, tmp_path):
    files(tmp_path, f'{HEAD}cost = "{cost}"\n[hierarchies.age]\nfile = "tree.csv"\n{more}', RELEASE)
    mine = told_by_page(tmp_path, None)
    assert mine == told_by_second(tmp_path, None)
    assert mine[0] == (0 if not more or (cost == "leaves" and more in WITH_A_TREE[:3]) else 2)


@pytest.mark.parametrize("more", BAD)
def test_a_policy_that_one_refuses_both_refuse(more, tmp_path):
    files(tmp_path, HEAD + more, PLAIN)
    assert told_by_second(tmp_path, None)[0] == 2
    assert told_by_page(tmp_path, None)[0] == 2


def test_two_files_of_one_name_are_not_told_apart_and_so_refused(tmp_path):
    more = '[hierarchies]\nage = "one/tree.csv"\ntown = "two/tree.csv"\n'
    files(tmp_path, HEAD + more, RELEASE)
    given = {name: tmp_path / f"{name}.csv" for name in ("original", "release")} | {"policy": tmp_path / "policy.toml"}
    found = page().checked(**given, others=[tmp_path / "tree.csv"])
    assert (found["verdict"], found["why"]) == ("unreadable", "two files have one name")


FAR = ",flu,cold,gout,never\nflu,0,0.5,1,1\ncold,0.5,0,1,1\ngout,1,1,0,0.25\nnever,1,1,0.25,0\n"


@pytest.mark.few(1)
@pytest.mark.parametrize("how", ["[sensitive_distance]\nill = 'far.csv'\n", "words", "table"])
def test_a_release_and_its_certificate_under_distances_from_a_file_hold_for_all_three_checkers(how, tmp_path):
    asked = {
        "words": 'require = ["t-closeness t=0.35 column=ill distance=far.csv"]\n',
        "table": '[[require]]\nmodel = "t-closeness"\nt = 0.35\ncolumn = "ill"\ndistance = "far.csv"\n',
    }.get(how, f'sensitive = ["ill"]\nt = 0.35\n{how}')
    files(tmp_path, HEAD + asked, PLAIN)
    (tmp_path / "far.csv").write_text(FAR, encoding="utf-8")
    job = incrowd.Job.load(tmp_path / "policy.toml").replace(
        source=tmp_path / "original.csv", output=tmp_path / "release.csv", certificate=tmp_path / "certificate.json",
        solver="subset_dp",
    )  # fmt: skip
    with incrowd.anonymize(policy=job) as release:
        assert release.proof == "certificate"
    said = everyone(tmp_path)
    assert said == (0, 2, 2, True)
    job.policy.save(tmp_path / "saved.toml")
    (tmp_path / "saved.toml").replace(tmp_path / "policy.toml")
    assert everyone(tmp_path).status == 0
    (tmp_path / "far.csv").write_text(FAR.replace("0.5", "2"), encoding="utf-8")
    told = 0 if how in ("words", "table") else 2  # these are saved with their matrix
    assert everyone(tmp_path).status == told
