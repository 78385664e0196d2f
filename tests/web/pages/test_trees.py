"""A column's values grouped by hand: shown once somebody asks, kept as a file that the policy names and one can take along."""

from __future__ import annotations

import re

import pytest

from web.visitor import words

VALUE = re.compile(r'name="(value|group)" value="(\d+)"(?: checked)?> <(?:code|b)>([^<]*)<')


@pytest.fixture
def tree(visitor, place, policy):
    """The page of the column of diagnoses, as a quasi-identifier; and its forms."""
    visitor.post(
        f"{place}/text",
        {"text": 'quasi_identifiers = ["age", "zip"] # known\nk = 2\n[hierarchies]\nage = "intervals:10"\n'},
    )
    return Tree(visitor, f"{place}/trees/1", place)


class Tree:
    def __init__(self, visitor, path, place):
        self.visitor, self.path, self.place = visitor, path, place

    def page(self):
        return self.visitor.text(self.path)

    def act(self, act, **fields):
        """Press a button; values and groups are named as the page shows them."""
        page = self.page()
        form = {"act": act, "stamp": "".join(re.findall(r'name="stamp" value="(\w+)"', page))}
        for field in ("value", "group"):
            at = {text: number for kind, number, text in VALUE.findall(page) if kind == field}
            form[field] = [at[name] for name in fields.pop(field, ())]
        return self.visitor.post(self.path, form | fields).headers["location"]


def test_values_are_seen_only_after_they_were_asked_for(tree):
    page = tree.page()
    assert VALUE.findall(page) == []
    assert "1003" not in page
    tree.act("show")
    assert [text for _, _, text in VALUE.findall(tree.page())] == [str(1000 + n) for n in range(7)]
    tree.act("hide")
    assert "1003" not in tree.page()


def test_a_tree_is_made_kept_taken_along_and_taken_up_again(tree, policy):
    tree.act("show")
    tree.act("group", value=["1000", "1001"], name="low")
    tree.act("group", value=["1005", "1006"], name="high")
    tree.act("rename", group=["high"], name="<b>top</b>")
    page = tree.page()
    assert "<b>top</b>" not in page.replace("<b>&lt;b&gt;top&lt;/b&gt;</b>", "")
    assert "5 different labels" in words(page)
    assert "Hierarchy.from_tree(tree)" in page
    before = policy()
    assert tree.act("keep") == f"{tree.place}/labels"
    assert [line for line in policy().splitlines() if line not in before.splitlines()] == ['zip = "hierarchy1.csv"']
    made = tree.visitor.get(f"{tree.place}/beside/0")
    assert made.headers["content-disposition"] == 'attachment; filename="hierarchy1.csv"'
    assert set(made.text.splitlines()) == {
        "1000;low;*", "1001;low;*", "1002;1002;*", "1003;1003;*", "1004;1004;*", "1005;<b>top</b>;*", "1006;<b>top</b>;*",
    }  # fmt: skip
    assert "hierarchy1.csv</a>" in tree.visitor.text(f"{tree.place}/labels")
    tree.act("hide")
    tree.act("show")
    assert [found for found in VALUE.findall(tree.page()) if found[0] == "group"] == [
        ("group", "0", "&lt;b&gt;top&lt;/b&gt;"),
        ("group", "1", "low"),
    ]
    kept = policy()
    tree.act("keep")
    assert policy() == kept
    tree.act("remove", group=["low"])
    tree.act("move", value=["1000"], into="0")
    assert "&lt;b&gt;top&lt;/b&gt; 3 values" in words(tree.page())


def test_what_cannot_be_done_is_said_and_changes_nothing(tree, policy):
    tree.act("show")
    before, asked = policy(), tree.page()
    for act, fields in (
        ("group", {"name": "x"}),
        ("group", {"name": "1001", "value": ["1000"]}),
        ("rename", {"name": "x"}),
        ("move", {"value": ["1000"], "into": "7"}),
        ("move", {"value": ["1000"], "into": "../x"}),
        ("remove", {}),
        ("explode", {}),
    ):
        page = tree.visitor.text(tree.act(act, **fields))
        assert "That did not work" in words(page), act
        assert VALUE.findall(page) == VALUE.findall(asked)
    assert policy() == before


def test_a_form_of_an_older_tree_is_refused(tree):
    tree.act("show")
    old = {
        "act": "group",
        "name": "x",
        "value": ["0"],
        "stamp": re.search(r'name="stamp" value="(\w+)"', tree.page())[1],
    }
    tree.act("group", value=["1002", "1003"], name="middle")
    page = tree.visitor.after(tree.visitor.post(tree.path, old))
    assert "the tree has changed" in page
    assert "x 1 value" not in page


@pytest.mark.parametrize("place_of_column", ["2", "x", "-1", "²", "9" * 30])
def test_a_column_that_there_is_not_is_not_found(tree, place_of_column):
    assert tree.visitor.get(f"{tree.place}/trees/{place_of_column}").status_code == 404
    assert tree.visitor.post(f"{tree.place}/trees/{place_of_column}", {"act": "show"}).status_code == 404
    assert tree.visitor.get(f"{tree.place}/beside/{place_of_column}").status_code == 404
