"""What is proven is said, what is not too, and how anybody checks it."""

import shlex

from incrowd.report.pages.page import Code, Figure, Prose, Table
from incrowd.report.pages.release import check, optimality, unproven

FACTS = {"optimal": False, "cost": 1200, "lower_bound": 1000, "lower_bound_checked": 1000, "gap": 0.2}
FILES = {"source": "people 1.csv", "output": None, "certificate": None, "policy": "k = 2\n"}


def test_what_remains_unproven_is_one_sentence():
    assert unproven(FACTS).endswith("cheaper by at most 200 of 1,200.")
    solved = {**FACTS, "optimal": True, "lower_bound": 1200}
    assert "up to 1,000; the rest is the word of an exact solver" in unproven(solved)
    assert unproven({**solved, "lower_bound_checked": 1200}).startswith("Nothing remains unproven")


def test_the_course_of_the_search_is_drawn_where_there_was_one():
    points = [{"seconds": s, "cost": c, "lower_bound": None} for s, c in ((0.1, 1300), (0.5, 1200))]
    kinds = [type(block) for block in optimality({**FACTS, "progress": points}, ["near the least"])]
    assert kinds == [Prose, Prose, Figure, Table]
    for progress in ([], points[:1]):
        assert Figure not in [type(b) for b in optimality({**FACTS, "progress": progress, "gap": None}, ["near"])]


def test_the_kernel_is_told_with_its_size_before_and_after():
    sizes = {"rows_before": 1000, "rows": 90, "row_types": 4, "most_copies": 32}
    told = [b.text for b in optimality({**FACTS, "k": 2, "kernel": sizes}, ["near"]) if isinstance(b, Prose)]
    assert any(
        said.startswith("The search ran on a kernel of 90 of the 1,000 rows, each in it at most 32") for said in told
    )


def test_the_check_names_files_as_a_shell_takes_them_and_a_certificate_only_where_there_is_one():
    code, policy, page = (block for block in check(FILES) if isinstance(block, Code))
    assert shlex.split(code.text) == ["incrowd", "verify", "people 1.csv", "release.csv", "--policy", "policy.toml"]
    assert policy.text == "k = 2"
    assert shlex.split(page.text) == ["incrowd", "checker", "-o", "check.html"]
    code = next(block for block in check({**FILES, "certificate": "c.json"}) if isinstance(block, Code))
    assert shlex.split(code.text)[-2:] == ["--certificate", "c.json"]
