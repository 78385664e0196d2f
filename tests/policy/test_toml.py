"""A policy file is TOML, and one that is none is refused in a sentence."""

import tomllib
from pathlib import Path

import pytest

from incrowd import Job, Policy
from incrowd.errors import IncrowdError, InputError, PolicyError
from incrowd.policy.toml import read_document, save, shareable, to_toml
from incrowd.tables.hierarchy import HierarchyFile

FILES = {
    "no toml": ("k = = 3\n", InputError, "is not valid TOML"),
    "unknown key": ("kk = 3\n", PolicyError, "there is no key 'kk'"),
    "unknown key in table": ("[read]\nheadr = true\n", PolicyError, "there is no key 'headr' in [read] (did you mean 'header'?)"),
    "twice": ('header = true\n[read]\nheader = false\n', PolicyError, "key 'header' is given twice"),
    "alias twice": ('qi = ["a"]\nquasi_identifiers = ["a"]\n', PolicyError, "is given twice"),
    "not a table": ("read = 3\n", PolicyError, "'read' must be a table, written [read]"),
    "bad value": ("k = 0\n", PolicyError, "policy file 'p.toml': k must be"),
    "unknown mask word": ("[mask]\nmax_star = 1\n", PolicyError, "max_star"),
}  # fmt: skip


def test_a_faulty_policy_file_is_named_with_its_fault(tmp_path):
    for text, error, said in FILES.values():
        (tmp_path / "p.toml").write_text(text)
        with pytest.raises(error) as caught:
            Job.load(tmp_path / "p.toml")
        assert said in str(caught.value)
        assert "p.toml" in str(caught.value)
        assert str(tmp_path) not in str(caught.value)


def test_a_policy_file_that_is_not_there_says_how_to_make_one(tmp_path):
    with pytest.raises(InputError, match="incrowd init"):
        Job.load(tmp_path / "none.toml")


LINES = [
    'l = "1e999999999"', "l = 1" + "0" * 5000, "k = 0x" + "f" * 20000, "t = 1e999", "k = " + "[" * 5000 + "]" * 5000,
    'weights = {a = "1e999999999"}', "seed = 1" + "0" * 4000,
]  # fmt: skip


def test_a_number_that_would_take_the_machine_is_refused_in_a_sentence(tmp_path):
    for line in LINES:
        (tmp_path / "p.toml").write_text(line + "\n")
        with pytest.raises(IncrowdError, match="policy file 'p.toml'") as raised:
            Policy.load(tmp_path / "p.toml")
        assert len(str(raised.value)) < 300


def test_what_is_no_text_and_what_is_no_file_are_refused(tmp_path):
    (tmp_path / "p.toml").write_bytes(b'star = "\xff"\n')
    with pytest.raises(InputError, match="is not UTF-8; save it as UTF-8"):
        read_document(tmp_path / "p.toml")
    with pytest.raises(InputError, match="cannot be read"):
        read_document(tmp_path)


def test_a_policy_is_written_whole_and_read_back(tmp_path):
    policy = Policy(quasi_identifiers=("a", "b"), k=3, weights={"a": "1/3"})
    save(policy, None, tmp_path / "p.toml")
    assert [path.name for path in tmp_path.iterdir()] == ["p.toml"]
    assert read_document(tmp_path / "p.toml") == {"quasi_identifiers": ["a", "b"], "k": 3, "weights": {"a": "1/3"}}
    assert Policy.load(tmp_path / "p.toml") == policy


def test_without_a_job_only_the_policy_is_written():
    job = Job().replace(qi="a", k=2, seed=3)
    assert "job" in tomllib.loads(to_toml(job.policy, job, Path()))
    assert "job" not in tomllib.loads(to_toml(job.policy, None, Path()))


def test_a_policy_for_a_reader_elsewhere_names_files_by_their_base_names(tmp_path):
    policy = Policy(
        quasi_identifiers=("a", "b"), k=2,
        hierarchies={"a": HierarchyFile(tmp_path / "deep" / "tree.csv"), "b": {"intervals": [5]}},
    )  # fmt: skip
    text = shareable(policy)
    assert tomllib.loads(text)["hierarchies"]["a"] == "tree.csv"
    assert "deep" not in text
