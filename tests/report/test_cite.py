"""What to cite goes by what took part."""

from incrowd.report.cite import BACKSTROM, MATCHING, METRIC, MODELS, PATTERNS, RISKS, SWEENEY, for_network, for_release


def cited(**facts):
    return for_release(facts)[1:]  # after the program itself


def test_an_audit_cites_no_solver_and_a_release_does():
    assert cited(models=[]) == [SWEENEY, RISKS]
    assert cited(solver="greedy") == [SWEENEY, PATTERNS, RISKS]
    assert for_release({})[0].endswith("(the software)")


def test_matching_is_cited_where_it_solved_or_bounded():
    assert MATCHING in cited(solver="matching")
    assert MATCHING in cited(solver="improve", k=2, bound_method="matching by pairs")
    assert MATCHING not in cited(solver="improve", k=3, bound_method="matching by pairs")


def test_models_are_cited_once_and_only_those_that_were_asked_for():
    asked = [{"name": "l-diversity", "asked": 2}, {"name": "l-diversity", "asked": 3}, {"name": "t-closeness", "asked": None}]  # fmt: skip
    assert cited(models=asked) == [SWEENEY, MODELS["l-diversity"], RISKS]
    assert MODELS["t-closeness"] in cited(requirements=[{"rule": "t-closeness t=0.1", "columns": ["s"], "reached": 0}])


def test_a_network_cites_the_attack_that_was_tried_or_the_measure():
    assert for_network({"question": "simulation"})[1:] == [BACKSTROM]
    assert for_network({"question": "adim"})[1] == METRIC
