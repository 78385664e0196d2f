from fractions import Fraction

import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.tables.workload import Query, Workload, named_workload, plain_cost


def loaded(tmp_path, text):
    (tmp_path / "w.toml").write_text(text, encoding="utf-8")
    return Workload.load(tmp_path / "w.toml")


def test_queries_are_read_with_their_weights_and_targets(tmp_path):
    found = loaded(
        tmp_path, '[[query]]\ncolumns = ["a", "b"]\nweight = 0.1\n[[query]]\ncolumns = "a"\ntarget = "ill"\n'
    )
    assert found.queries == (Query(("a", "b"), Fraction(1, 10)), Query(("a",), Fraction(1), "ill"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "must hold queries and nothing else"), ("query = []", "must hold queries"), ("k = 2", "must hold queries"),
        ("query = 1", "must hold queries"), ("[[query]]\nweight = 1", "query 1 must have columns"),
        ('[[query]]\ncolumns = "a"\nwidth = 1', "query 1 must have columns"), ("[[query]]\ncolumns = []", "one at least"),
        ('[[query]]\ncolumns = ["a", "a"]', "different"), ("[[query]]\ncolumns = [1]", "different column names"),
        ('[[query]]\ncolumns = "a"\nweight = 0', "weight must be above 0"),
        ('[[query]]\ncolumns = "a"\nweight = -1', "weight must be"), ('[[query]]\ncolumns = "a"\nweight = "x"', "weight"),
        ('[[query]]\ncolumns = "a"\ntarget = 1', "target must be"), ('[[query]]\ncolumns = "a"\n' * 1001, "1,000"),
    ],
)  # fmt: skip
def test_what_is_no_workload_is_refused_in_words(tmp_path, text, why):
    with pytest.raises(PolicyError, match=why):
        loaded(tmp_path, text)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(InputError, match="there is no workload 'none.toml'"):
        Workload.load(tmp_path / "none.toml")
    with pytest.raises(InputError, match="is not valid TOML"):
        loaded(tmp_path, "[[query")
    with pytest.raises(InputError, match="more than 1,048,576 bytes"):
        loaded(tmp_path, "#" * (1 << 20) + "\n")
    with pytest.raises(InputError, match="cannot be read"):
        Workload.load(tmp_path)


def test_columns_that_the_table_does_not_have_are_named(tmp_path):
    found = loaded(tmp_path, '[[query]]\ncolumns = ["a"]\ntarget = "ill"\n')
    found.check(["a"], ["a", "ill"])
    with pytest.raises(PolicyError, match="query 1 of the workload names 'a', which is no quasi-identifier"):
        found.check(["b"], ["a", "b", "ill"])
    with pytest.raises(PolicyError, match="target 'ill', which the table does not have"):
        found.check(["a"], ["a"])


def test_a_cost_names_its_file_and_facts_name_it_without_the_folder():
    assert named_workload("workload:in/w.toml") == "in/w.toml"
    assert named_workload("leaves") is None
    assert plain_cost("workload:in/w.toml") == "workload:w.toml"
    assert plain_cost("entropy") == "entropy"
    with pytest.raises(PolicyError, match="needs the file"):
        named_workload("workload")
