"""The hierarchies that were proposed are told, with the options that say the same."""

from incrowd.report.text.proposals import proposal_words, same_options

AGE = {"column": "the age", "hierarchy": "intervals:5,90+", "why": "ages in bands", "under_the_root": 1}
SEX = {"column": "sex", "hierarchy": None, "why": "it has 2 values", "under_the_root": 0}


def test_nothing_is_said_where_nothing_was_to_be_proposed():
    assert list(proposal_words({})) == []


def test_hierarchies_reasons_and_options_are_told():
    assert list(proposal_words({"proposed_hierarchies": [AGE, SEX]})) == [
        "hierarchies by the columns' values (auto): the age: ages in bands, 1 other value shown or starred",
        "no hierarchy was found for sex (it has 2 values)",
        "the same hierarchies for `incrowd verify`, or to edit: --hierarchy 'the age=intervals:5,90+' "
        "--complete-hierarchies",
    ]
    assert list(proposal_words({"proposed_hierarchies": [SEX]})) == ["no hierarchy was found for sex (it has 2 values)"]


def test_options_are_quoted_for_a_shell():
    assert same_options([{**AGE, "column": "age", "under_the_root": 0}]) == "--hierarchy age=intervals:5,90+"
