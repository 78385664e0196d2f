"""The hierarchies that were proposed are told, with the options that say the same."""

from incrowd.report.text.proposals import proposal_words, same_options, stars_words

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


def test_what_stars_alone_cost_is_told_with_the_tables_numbers():
    assert list(stars_words({})) == []
    alone = {"columns": ["age", "zip"], "sample_rows": 4000, "loss": 0.425, "loss_with_hierarchies": 0.2}
    (said,) = stars_words({"stars_alone": alone})
    assert (
        "of 4,000 rows a quick search loses 42.5% with stars alone, and 20.0% with hierarchies for age and zip" in said
    )
    assert "--hierarchies auto" in said
