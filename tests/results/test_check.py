"""Every rule that a release or its certificate can break is told in a sentence."""

import ast
import inspect
from fractions import Fraction
from pathlib import Path

import pytest

from incrowd import check
from incrowd.results.check import CERTIFICATE, RULES, SHOWS, Violations, sentence
from incrowd.tables import verify
from incrowd.tables.verdict import Violation

FILES = [path for room in (verify, check) for path in sorted(Path(inspect.getfile(room)).parent.rglob("*.py"))]


def rules_in_the_source():
    """The beginnings of the rules of all violations, as the source spells them."""
    found = set()
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Violation":
                rule = node.args[0]
                if isinstance(rule, ast.JoinedStr):
                    first = rule.values[0]
                    found.add((path.name, first.value if isinstance(first, ast.Constant) else "..."))
                else:
                    found.add((path.name, rule.value if isinstance(rule, ast.Constant) else "..."))
    return found


def test_every_rule_in_the_source_has_its_sentence():
    rules = rules_in_the_source()
    assert len(rules) > 10
    open_ended = {
        ("requirements.py", "..."),
        ("certificates.py", "..."),
        ("faithful.py", "..."),
    }  # a model's own rule; "changed cells" or "other columns"
    for where, rule in rules - open_ended:
        assert rule == "k=" or rule.partition(":")[0] in {*RULES, *SHOWS}, f"{where}: {rule!r} has no sentence"


def test_every_claim_of_a_certificate_in_the_source_has_its_sentence():
    said = set()
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and node.value.startswith("certificate: ")
            ):
                said.add(node.value.partition(": ")[2])
            listed = [node] if isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == "wrong" else []
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"
            listed += [node] if called and getattr(node.func.value, "id", "") == "wrong" else []
            listed += node.args[1:] if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refute" else []
            listed += node.args.defaults if isinstance(node, ast.FunctionDef) and node.name == "refute" else []
            held = [part for one in listed for part in ast.walk(one) if isinstance(part, ast.Constant)]
            said |= {part.value for part in held if isinstance(part.value, str)}
    assert {"cost", "lower_bound", "lower_bound_checked", "proof"} <= said
    assert said - {""} <= set(CERTIFICATE)


@pytest.mark.parametrize(
    ("violation", "said"),
    [
        (Violation("k=5", 1, 1), "1 class has fewer than 5 rows; the smallest has 1."),
        (Violation("k=5", 1200, 3), "1,200 classes have fewer than 5 rows; the smallest has 3."),
        (Violation("faithful", 1, 1), "1 released row cannot have come from an original row."),
        (Violation("faithful", 2, 1), "2 released rows cannot have come from original rows."),
        (Violation("rows", 1, way="fewer"), "The release has 1 row fewer than the original."),
        (Violation("rows", 2, way="more"), "The release has 2 rows more than the original."),
        (Violation("rows", 1), "Rows of the release and of the original are not one to one: 1 row off."),
        (Violation("mask", 1, 1), "1 released row shows a combination of changed columns that the mask does not allow."),
        (Violation("columns: missing age", 1), "Column age is missing from the release."),
        (Violation("columns: identifier name", 1), "Column name is an identifier, and it is in the release."),
        (Violation("columns: in another order", 2), "2 columns stand in another place than in the original."),
        (
            Violation("columns: not in the original or to be dropped", 1),
            "The release has 1 column that the original lacks or that was to be dropped.",
        ),
        (
            Violation("invented value: age", 1),
            "1 released row shows in column age a value which no value of the original there can become.",
        ),
        (
            Violation("other columns: note", 2),
            "2 released rows differ from the original in column note, which must not change.",
        ),
        (
            Violation("other columns", 1),
            "1 released row holds values of unchanged columns that no original row holds together.",
        ),
        (
            Violation("changed cells: age", 1),
            "1 released row shows in column age neither the original value nor what may stand for it.",
        ),
        (Violation("certificate: cost", 1), "The certificate claims another cost than the recount of the release finds."),
        (
            Violation("certificate: lower_bound", 1),
            "The certificate claims a lower bound that the recount does not confirm.",
        ),
        (Violation("certificate: news", 1), "The certificate claims a 'news' that the recount does not confirm."),
    ],
)  # fmt: skip
def test_a_broken_rule_is_a_whole_sentence(violation, said):
    assert sentence(violation) == said


def test_a_requirement_is_told_with_its_columns():
    broken = Violation("l-diversity l=2 column=ill", 2, 5)
    assert sentence(broken, ("ill",)) == "2 classes fail l-diversity l=2 on ill; the smallest of them has 5 rows."
    joint = Violation("l-diversity l=2 columns=ill,job kind=joint", 1, 1)
    said = "1 class fails l-diversity l=2 kind=joint on ill and job; the smallest of them has 1 row."
    assert sentence(joint, ("ill", "job")) == said


def test_the_verdict_names_both_files_and_what_a_certificate_proved():
    about = {"certified": True, "proven": True, "question": "k-anonymity", "k": 5}
    names = ("'a.csv'", "'b.csv'")
    good = Violations(cost=Fraction("1234.5"), lower_bound=Fraction("1000.98"), names=names, **about)
    assert good.summary() == (
        "'b.csv' keeps the policy: classes, mask and cells were recounted against 'a.csv'.\n"
        "  - The certificate holds: the release costs 1,234.5, no release costs less than 1,000.9 under\n"
        "    k-anonymity with k=5 (the whole claimed bound).\n"
    )
    bad = Violations([Violation("rows", 1, way="fewer")], names=("'a.csv'", "standard input")).summary()
    assert bad == "Standard input does NOT keep the policy.\n  - The release has 1 row fewer than the original.\n"
    claim = Violations([Violation("certificate: cost", 1)], names=names).summary()
    assert claim.startswith("The certificate does NOT hold.\n")
