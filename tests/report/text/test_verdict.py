"""The verdict is a plain answer: yes, look first, or no."""

from incrowd.report.text.verdict import verdict_of_audit, verdict_of_network, verdict_of_release

KEPT = {"k": 3, "k_anonymous": True, "kept_columns": [], "requirements": []}


def column(name, role="other", nearly_unique=False):
    return {"name": name, "role": role, "nearly_unique": nearly_unique}


def test_a_release_that_leaves_nothing_open_may_be_handed_out():
    assert verdict_of_release(KEPT).level == "yes"


def test_what_speaks_against_a_release_is_said_before_what_is_open():
    facts = {**KEPT, "k": 1, "k_anonymous": False, "outliers": 1, "kept_columns": [column("town")]}
    verdict = verdict_of_release(facts)
    assert verdict.level == "no"
    assert verdict.points[0].startswith("k is 1")
    assert verdict.points[1].startswith("1 row is fully suppressed and fewer than k = 1")
    assert "Can an attacker know town of a person?" in verdict.points[2]


def test_every_open_question_is_counted():
    facts = {
        **KEPT,
        "keep_order": True,
        "kept_columns": [column("ill", "sensitive"), column("note", nearly_unique=True)],
    }
    verdict = verdict_of_release(facts)
    assert verdict.level == "look"
    assert "Answer 3 questions" in verdict.headline
    assert ["ill" in verdict.points[0], "note" in verdict.points[1], "row order" in verdict.points[2]] == [True] * 3
    asked = [{"rule": "l-diversity l=2 column=ill", "columns": ["ill"], "reached": 2}]
    assert (
        verdict_of_release({**KEPT, "kept_columns": [column("ill", "sensitive")], "requirements": asked}).level == "yes"
    )


def test_an_audit_answers_what_was_asked_or_how_exposed_people_are():
    model = {"name": "k-anonymity", "column": None, "asked": 3, "reached": 1, "ok": False, "failing_rows": 2}
    facts = {"models": [model], "rows": 5, "unique_rows": 1, "unique_fraction": 0.2, "k": 1}
    no = verdict_of_audit(facts)
    assert no.level == "no"
    assert no.points[0] == (
        "k-anonymity: 3 rows have to look alike, and the smallest crowd has 1; 2 of 5 rows have too few like them."
    )
    assert no.points[1].startswith("1 row (20.0%) is unlike any other")
    unasked = [{**model, "asked": None, "ok": None}]
    assert verdict_of_audit({**facts, "models": unasked}).level == "no"
    assert "at least 1 other" in verdict_of_audit({**facts, "models": unasked, "k": 2}).headline
    assert verdict_of_audit({**facts, "models": [{**model, "ok": True}]}).level == "yes"


def test_a_network_is_answered_by_its_question():
    against = {
        "question": "attackers",
        "attackers_allowed": 2,
        "optimal": True,
        "k": 1,
        "lower_bound": 1,
        "upper_bound": 4,
    }
    levels = {
        "no": [against, {"question": "risks", "re_identified": 0.5, "strategy": "random", "attackers": 1}, {"question": "simulation", "success": 0.5}],
        "look": [{**against, "optimal": False}, {"question": "exactly"}, {"question": "adim", "components": 2}, {"question": "adim", "components": 1}],
        "yes": [{**against, "k": 3}],
    }  # fmt: skip
    for level, cases in levels.items():
        for facts in cases:
            assert verdict_of_network(facts).level == level, facts
    alone = {"question": "adim", "components": 1, "alone": {"exposing": 0.5, "all": False, "examined": 64}}
    assert verdict_of_network(alone).points == (
        "Of 64 nodes drawn, 50.0% single out somebody by themselves, by distances alone.",
    )
