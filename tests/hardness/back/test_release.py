"""Released tables and node sets from files."""

import json

import pytest

from incrowd.errors import InputError
from incrowd.hardness import instance, write
from incrowd.hardness.back.release import node_set, refuse_changed, released_rows
from incrowd.hardness.values import Table

TABLE = Table(quasi_identifiers=("a", "b"), rows=(("1", "2"), ("3", "4")))


def test_columns_are_found_by_name(tmp_path):
    (tmp_path / "r.csv").write_text("x,b,a\n,2,*\n,*,3\n")
    assert released_rows(tmp_path / "r.csv", TABLE) == (("*", "2"), ("3", "*"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "lacks 2 of the table's 2 columns"),
        ("a\n1\n", "lacks 1 of the table's 2 columns"),
        ("a,b,a\n1,2,3\n", "names one twice"),
        ("a,b\n1\n", "row 1 of release 'r.csv' has another number of cells"),
        ("a,b\n" + "1,2\n" * 3, "more than the table's 2 rows"),
        ('a,b\n"1,2\n', "no CSV"),
        ("a,b\n1,\0\n", "zero bytes"),
        ("," * 5_000_000, "lacks 2"),
    ],
)
def test_what_is_no_release_is_one_sentence(tmp_path, text, said):
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(InputError, match=said):
        released_rows(tmp_path / "r.csv", TABLE)


@pytest.mark.parametrize(
    "text", ["3 1", "3,1\n", '{"witness": [1, 3]}', '{"claims": [{"members": ["3", "1"]}]}', "[3, 1]"]
)
def test_nodes_are_read_from_numbers_and_from_answers(tmp_path, text):
    (tmp_path / "n").write_text(text)
    assert node_set(tmp_path / "n", 4) == (1, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4", "whole numbers from 0 to 3"),
        ("-1", "whole numbers from 0 to 3"),
        ("a", "whole numbers from 0 to 3"),
        ("[true]", "whole numbers from 0 to 3"),
        ("[1.0]", "whole numbers from 0 to 3"),
        ("9" * 5000, "whole numbers from 0 to 3"),
        ("1 1", "names a node twice"),
        ("0 1 2 3 0", "more than the network's 4 nodes"),
        ("{}", "has no witness"),
        ("{", "no JSON"),
        ('{"witness": null}', "has no witness"),
        ('{"claims": [7]}', "has no witness"),
    ],
)
def test_what_is_no_node_set_is_one_sentence(tmp_path, text, said):
    (tmp_path / "n").write_text(text)
    with pytest.raises(InputError, match=said):
        node_set(tmp_path / "n", 4)


@pytest.mark.parametrize(("name", "file"), [("set-cover", "table.csv"), ("set-cover-network", "graph.txt")])
def test_a_folder_whose_table_or_graph_was_changed_is_refused(tmp_path, name, file):
    made = instance(name, size=4)
    write(made, tmp_path / "hard")
    refuse_changed(tmp_path / "hard", made)
    text = (tmp_path / "hard" / file).read_text()
    (tmp_path / "hard" / file).write_text(text.replace("u0", "u9") if file == "table.csv" else text[4:])
    with pytest.raises(InputError, match=f"{file} is not the"):
        refuse_changed(tmp_path / "hard", made)
    (tmp_path / "hard" / file).unlink()
    with pytest.raises(InputError, match=f"no (table|graph) '{file}'"):
        refuse_changed(tmp_path / "hard", made)
    assert json.loads((tmp_path / "hard" / "source.json").read_text())["format"] == 1
