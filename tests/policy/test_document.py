"""Settings by name to and from the tables of a policy file."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd import Job, Policy
from incrowd.errors import PolicyError
from incrowd.policy.document import document_of, flatten, from_folder
from incrowd.policy.toml import to_toml


def test_a_key_stands_in_its_table_or_outside_and_once():
    def flat(document):
        return flatten(document, "p.toml", ["k", "header", "quasi_identifiers"], {"read": ["header"]})

    assert flat({"k": 2, "read": {"header": True}}) == flat({"k": 2, "header": True}) == {"k": 2, "header": True}
    assert flat({"qi": ["a"]}) == {"quasi_identifiers": ["a"]}
    for document, said in (
        ({"header": True, "read": {"header": True}}, "key 'header' is given twice"),
        ({"qi": [], "quasi_identifiers": []}, "key 'quasi_identifiers' is given twice"),
        ({"read": {"k": 2}}, r"there is no key 'k' in \[read\]"),
        ({"read": 3}, r"'read' must be a table, written \[read\]"),
        ({"heade": 1}, r"there is no key 'heade' \(did you mean 'header'\?\)"),
    ):
        with pytest.raises(PolicyError, match=f"policy file 'p.toml': {said}"):
            flat(document)


def test_every_file_is_named_from_the_policy_files_folder():
    folder = Path("there")
    placed = from_folder(
        {
            "source": "t.csv", "output": "-", "hierarchies": {"a": "tree.csv"},
            "require": [{"model": "m", "hierarchy": "s.csv"}, "l-diversity l=2 column=s"],
            "sensitive_distance": {"s": "hierarchical:s.csv", "u": "equal"},
        },
        folder,
    )  # fmt: skip
    assert (placed["source"], placed["output"]) == (folder / "t.csv", "-")
    assert placed["hierarchies"]["a"].path == folder / "tree.csv"
    assert placed["require"] == [{"model": "m", "hierarchy": folder / "s.csv"}, "l-diversity l=2 column=s"]
    assert placed["sensitive_distance"] == {"s": f"hierarchical:{folder / 's.csv'}", "u": "equal"}


def test_every_file_of_distances_is_named_from_there_too_in_words_and_tables():
    folder = Path("there")
    far = f"matrix:{folder / 'far.csv'}"
    asked = [
        "t-closeness t=1 column=s distance=far.csv",
        "t-closeness 'quoted",
        "t-closeness t=1 column=s distance=equal",
    ]
    placed = from_folder({"require": asked, "sensitive_distance": {"s": "far.csv", "u": "matrix:far.csv"}}, folder)
    read = {"model": "t-closeness", "t": "1", "column": "s", "distance": far}
    assert placed == {"require": [read, *asked[1:]], "sensitive_distance": {"s": far, "u": far}}
    assert from_folder({"require": asked[0]}, folder) == {"require": read}
    tree = "t-closeness t=1 column=s distance=hierarchical hierarchy=s.csv"
    assert from_folder({"require": tree}, folder)["require"]["hierarchy"] == folder / "s.csv"


def test_a_policy_with_distances_from_a_file_survives_its_file(tmp_path):
    (tmp_path / "far.csv").write_text(",b,a\nb,0,1\na,1,0\n")
    (tmp_path / "policy.toml").write_text(
        'qi = ["age"]\nsensitive = ["ill"]\nk = 2\nt = 0.1\n'
        'require = ["t-closeness t=0.5 column=ward distance=far.csv"]\n[sensitive_distance]\nill = "far.csv"\n'
    )
    policy = Policy.load(tmp_path / "policy.toml")
    (tmp_path / "deeper").mkdir()
    policy.save(tmp_path / "deeper" / "again.toml")
    assert 'ill = "matrix:../far.csv"' in (tmp_path / "deeper" / "again.toml").read_text()
    assert Policy.load(tmp_path / "deeper" / "again.toml").requirements == policy.requirements


def test_only_what_differs_from_the_defaults_is_written():
    assert document_of(Policy(), None, Path()) == document_of(Policy(), Job(), Path()) == {}
    job = Job().replace(qi="a", k=2, delimiter=";", gap=0.5)
    assert document_of(job.policy, job, Path()) == {
        "quasi_identifiers": ["a"], "k": 2, "read": {"delimiter": ";"}, "job": {"gap": 0.5},
    }  # fmt: skip


def test_keys_may_stand_outside_their_table(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text('qi = ["a", "b"]\nk = 3\nmax_stars = 1\nheader = false\nseed = 4\nweight = { a = 2 }\n')
    assert Job.load(path) == Job().replace(qi=["a", "b"], k=3, max_stars=1, header=False, seed=4, weights={"a": 2})


def test_paths_are_relative_to_the_policy_file(tmp_path, monkeypatch):
    folder = tmp_path / "policies"
    folder.mkdir()
    Job().replace(qi="a", k=2, source=tmp_path / "t.csv", output=folder / "r.csv").save(folder / "policy.toml")
    text = (folder / "policy.toml").read_text()
    assert 'source = "../t.csv"' in text
    assert 'output = "r.csv"' in text
    monkeypatch.chdir(tmp_path)
    loaded = Job.load("policies/policy.toml")
    assert loaded.source.resolve() == (tmp_path / "t.csv").resolve()
    assert loaded.output.resolve() == (folder / "r.csv").resolve()


@settings(max_examples=100, deadline=None)
@given(st.fractions(min_value=0, max_value=100), st.floats(min_value=0, max_value=1e6))
def test_weights_survive_the_file_exactly(fraction, real):
    job = Job().replace(qi="a,b", k=2, weights={"a": fraction, "b": real})
    written = tomllib.loads(to_toml(job.policy, job, Path()))["weights"]
    assert Job().replace(qi="a,b", k=2, weights=written).policy.weights == job.policy.weights


TREE = "flu,lung,*\nasthma,lung,*\nulcer,stomach,*\n"


def test_requirements_come_from_words_tables_and_objects_and_survive_a_file(tmp_path):
    (tmp_path / "tree.csv").write_text(TREE)
    (tmp_path / "policy.toml").write_text(
        'qi = ["age"]\nsensitive = ["ill"]\nk = 2\nl = 2\nt = 0.1\n'
        '[[require]]\nmodel = "t-closeness"\nt = "1/3"\ncolumn = "ward"\ndistance = "hierarchical"\n'
        'hierarchy = "tree.csv"\n'
        '[sensitive_distance]\nill = "hierarchical:tree.csv"\n'
    )
    policy = Job.load(tmp_path / "policy.toml").policy
    assert policy.all_sensitive == ("ill", "ward")
    assert [model.rule.split(" hier")[0] for model in policy.requirements] == [
        "t-closeness t=1/3 column=ward distance=hierarchical",
        "l-diversity l=2 column=ill",
        "l-diversity l=2 column=ward",
        "t-closeness t=0.1 column=ill distance=hierarchical",
        "t-closeness t=0.1 column=ward",
    ]
    (tmp_path / "deeper").mkdir()
    policy.save(tmp_path / "deeper" / "again.toml")
    assert Job.load(tmp_path / "deeper" / "again.toml").policy.requirements == policy.requirements


def test_a_path_that_no_file_can_have_is_written_as_it_is(tmp_path):
    Job(source="a\0b.csv").save(tmp_path / "p.toml")
    assert Job.load(tmp_path / "p.toml").source.name == "a\0b.csv"
