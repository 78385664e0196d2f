"""Releases by costs that look at the table, as files: all three checkers confirm them, and none under another cost."""

from __future__ import annotations

import random
from fractions import Fraction

import incrowd
from checker.page_script import NODE
from checker.test_incrowd_check import by_check, by_page, by_second
from incrowd.errors import Infeasible, SolverDeclined
from seeds import seeds

QUERIES = (
    '[[query]]\ncolumns = ["age", "town"]\nweight = "1/3"\n[[query]]\ncolumns = ["sex", "age", "town"]\n'
    'target = "ill"\nweight = 2\n[[query]]\ncolumns = "town"\ntarget = "town"\n'
)  # fmt: skip
COSTS = ("ncp", "entropy", "workload:w.toml")


def drawn(rng, folder):
    """Original, hierarchy and workload; the policy's text without its cost."""
    ages = [
        "" if rng.random() < 0.1 else str(rng.choice([*range(0, 40, 3), rng.randrange(80)]))
        for _ in range(rng.randrange(6, 20))
    ]
    rows = [(age, rng.choice("uvw"), rng.choice("xyzq"), rng.choice(["flu", "cold"])) for age in ages]
    lines = [f"{v};{int(v) // 10}d;{int(v) // 20}t;*" for v in sorted({*ages, "200", "201"} - {""}, key=int)]
    lines += ["NULL;NULL;none;*"] * ("" in ages)
    (folder / "original.csv").write_text("age,sex,town,ill\n" + "".join(",".join(row) + "\n" for row in rows))
    (folder / "age.csv").write_text("\n".join(lines) + "\n")
    (folder / "w.toml").write_text(QUERIES)
    return (
        f'quasi_identifiers = ["age", "sex", "town"]\nk = {rng.choice([2, 3])}\n'
        + f'outliers = "{rng.choice(["forbid", "suppress"])}"\n' + 'numeric = ["age"]\n' * rng.randrange(2)
        + 'sensitive = ["ill"]\nl = "3/2"\n' * (rng.random() < 0.3) + 'keep = ["sex"]\n' * (rng.random() < 0.3)
        + '[hierarchies]\nage = "age.csv"\n' + '[weights]\nsex = "1/3"\nage = 2\n' * rng.randrange(2)
    )  # fmt: skip


@seeds(60, 1)
def test_releases_by_costs_that_look_at_the_table_are_confirmed_by_all_and_under_no_other_cost(seed, tmp_path, capsys):
    rng, cost = random.Random(seed), COSTS[seed % 3]
    folder = tmp_path / str(seed)
    folder.mkdir()
    rest = drawn(rng, folder)
    (folder / "policy.toml").write_text(f'cost = "{cost}"\n{rest}')
    solver = rng.choice(["exact", "greedy"])
    try:
        with incrowd.anonymize(folder / "original.csv", policy=folder / "policy.toml", solver=solver) as release:
            release.to_csv(folder / "release.csv")
            release.certificate(folder / "certificate.json")
            paid = release.exact_cost
    except (Infeasible, SolverDeclined):
        return
    status, said = by_second(folder, capsys)
    assert status == by_check(folder)[0] == 0
    assert Fraction(said["cost"]) == paid
    assert NODE is None or by_page(folder) == (status, said)
    for other in ("leaves", *COSTS):
        if other != cost and (seed + len(other)) % 3 == 0:
            (folder / "policy.toml").write_text(f'cost = "{other}"\n{rest}')
            status, _ = by_second(folder, capsys)
            assert status == by_check(folder)[0] == 1
            assert NODE is None or by_page(folder)[0] == 1
