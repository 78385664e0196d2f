"""A star is a NULL and quasi-identifiers miss values: what looks alike is one class, so less is proven, and that is said."""

from __future__ import annotations

import json
import random

import pyarrow.csv
import pytest

import incrowd
from checkers import page_script
from checkers.ask import everyone, second
from checkers.needed import NODE
from incrowd.errors import Infeasible
from oracle.tables import MASKS, drawn
from properties.asking import answered, policy_of, table_of
from properties.families import RULES
from seeds import how_many

SOLVERS = ("exact", "auto", "greedy", "improve", "mondrian", "matching", "subset_dp", "ilp", "chain", "two_phase")
BOTH = {"suppressed": "null", "quasi_identifiers": ["a", "b"]}


def csv(rows):
    return "a,b,o\n" + "".join(f"{row}\n" for row in rows)


CROWDS = [f",b{g},{i}" for g in range(6) for i in range(4)] + [f"a{g},b{g},9" for g in range(6)]
BLANKED = [f",b{g},{i}" for g in range(6) for i in range(4)] + [f",b{g},9" for g in range(6)]
# name: original, release, policy, what no release costs less than, and heads of 1 that all three checkers took for good and proven
FORGED = {
    "a row hides among blanked ones": (
        [",,1", "x,y,2", "z,w,3", "z,w,4"], [",,1", ",,2", "z,w,3", "z,w,4"], {"k": 2}, 2, [4, 2],
    ),
    "six cells of thirty": (CROWDS, BLANKED, {"k": 5}, 6, [30, 6]),
    "a lone row of stars for nothing": (
        [",,1", "x,y,2", "x,y,3"], [",,1", "x,y,2", "x,y,3"], {"k": 2, "outliers": "suppress"}, 0, [0, 2],
    ),
    "rows blanked for nothing": (
        [",,1", "x,y,2", "x,y,3", "z,w,4"], [",,1", "x,y,2", "x,y,3", ",,4"], {"k": 2, "outliers": "suppress"}, 2, [2],
    ),
    "a row blanked for nothing": (
        [",,1", "x,y,2", "x,y,3", "x,y,4", "x,y,5"], [",,1", ",,2", "x,y,3", "x,y,4", "x,y,5"],
        {"k": 3, "outliers": "suppress"}, 0, [2],
    ),
}  # fmt: skip


def files(folder, name, suppressed="null"):
    """The files of a case; returned is what certifies its original, with stars that are NULL or texts."""
    original, release, asked = FORGED[name][:3]
    (folder / "original.csv").write_text(csv(original))
    (folder / "release.csv").write_text(csv(release))
    incrowd.Job().replace(**BOTH, **asked).policy.save(folder / "policy.toml")
    asked = {**BOTH, **asked, "suppressed": suppressed}
    with incrowd.anonymize(folder / "original.csv", solver="exact", **asked) as made:
        return made.certificate()


def statuses(run, folder, certificate, ways=((), ("--proved",))):
    """The exit statuses of the command, with and without --proved, of the second checker and, by its word, of the page."""
    (folder / "c.json").write_text(json.dumps(certificate))
    given = [folder / "original.csv", folder / "release.csv", "--policy", folder / "policy.toml"]
    given += ["--certificate", folder / "c.json"]
    found = [*(run("verify", *given, *more)[0] for more in ways), second(list(map(str, given)))]
    if NODE is not None:
        told = page_script.page().checked(
            original=folder / "original.csv", release=folder / "release.csv", policy=folder / "policy.toml",
            certificate=folder / "c.json",
        )  # fmt: skip
        found.append(("good", "violation", "unreadable").index(told["verdict"]))
    return found


@pytest.mark.few(3)
@pytest.mark.parametrize("name", FORGED)
def test_a_certificate_beside_gaps_is_of_a_version_of_its_own_and_counts_what_looks_alike(run, tmp_path, name):
    own = files(tmp_path, name)
    least, heads = FORGED[name][3:]
    assert (own["version"], own["cost"], own["lower_bound_checked"]) == (14, least, least)
    if name == "rows blanked for nothing":
        assert set(statuses(run, tmp_path, own | {"version": 11})) == {2}
    for bound in heads:
        head = {"cost": bound, "lower_bound": bound, "lower_bound_checked": bound, "proof": "certificate"}
        assert set(statuses(run, tmp_path, own | head)) == {int(bound > least)}


def test_a_table_without_gaps_is_certified_as_ever(run, tmp_path):
    own = files(tmp_path, "a row blanked for nothing", "text")
    original = csv(["u,v,1", "x,y,2", "x,y,3", "x,y,4", "x,y,5"])
    (tmp_path / "original.csv").write_text(original)
    with incrowd.anonymize(tmp_path / "original.csv", policy=tmp_path / "policy.toml", solver="exact") as made:
        assert (made.cost, made.lower_bound, made.optimal, made.proof) == (2, 2, True, "certificate")
        made.save(tmp_path / "release.csv")
        same = {name: own[name] for name in ("cost", "released_sum")}
        assert made.certificate() | same == own
        assert set(statuses(run, tmp_path, made.certificate(), ways=[()])) == {0}


def test_row_types_in_the_engine_get_the_bound_of_rows_that_miss_no_value_and_nothing_is_called_optimal(run, tmp_path):
    (tmp_path / "t.csv").write_text(csv(CROWDS))
    heard, proof = [], tmp_path / "c.json.gz"
    asked = {**BOTH, "k": 5, "certificate": proof, "output": tmp_path / "release.csv", "types_in_memory": 1}
    with incrowd.anonymize(tmp_path / "t.csv", on_event=heard.append, **asked) as made:
        assert (made.cost, made.lower_bound, made.facts["lower_bound_checked"]) == (30, 6, 0)
        assert (made.optimal, made.proof, made.status, made.facts["settled"]) == (False, "solver", "heuristic", False)
        assert "NULL may be a star or a missing value here" in " ".join(made.summary().split())
        assert all((point["lower_bound"] or 0) <= 6 for point in made.facts["progress"])
    assert not any("lower_bound" in event.facts for event in heard)
    incrowd.Job().replace(**BOTH, k=5).policy.save(tmp_path / "policy.toml")
    given = (tmp_path / "t.csv", tmp_path / "release.csv", "--policy", tmp_path / "policy.toml", "--certificate", proof)
    status, said, _ = run("verify", *given, "--json")
    told = json.loads(said)
    assert (status, told["cost"], told["lower_bound"], told["proven"]) == (0, 30, 0, False)
    assert second(list(map(str, given))) == 0


def test_in_memory_rows_that_miss_values_are_in_one_crowd_with_those_blanked_beside_them(tmp_path):
    (tmp_path / "t.csv").write_text(csv(CROWDS))
    with incrowd.anonymize(tmp_path / "t.csv", **BOTH, k=5) as made:
        assert (made.cost, made.lower_bound, made.facts["lower_bound_checked"], made.optimal) == (6, 6, 6, True)
        assert made.facts["suppressed_cells"] == made.measures["suppressed_cells"]["cells"] == 6
        assert [one["rows"] for one in made.facts["levels_per_column"]] == [[24, 6], [30, 0]]
    with incrowd.anonymize(tmp_path / "t.csv", solver="forest", **BOTH, k=5) as made:
        assert "times the optimum" not in made.summary(details=True)  # which is of costs that begin at 0
    found = incrowd.tradeoff(tmp_path / "t.csv", ks=[1, 5], solvers=["exact"], **BOTH)
    assert [(point["cost"], point["optimal"]) for point in found.points] == [(0, True), (6, True)]


def test_that_no_release_is_found_there_is_no_proof_that_there_is_none(tmp_path):
    """With one star each the two rows look alike, and the check lets them pass; no pattern of one star shows them alike."""
    (tmp_path / "t.csv").write_text(csv([",y,1", "x,,2"]))
    (tmp_path / "release.csv").write_text(csv([",,1", ",,2"]))
    asked = {**BOTH, "k": 2, "max_stars": 1, "full_suppression": False}
    assert incrowd.verify(tmp_path / "t.csv", tmp_path / "release.csv", **asked) == []
    for where in ({"solver": "exact"}, {"solver": "greedy"}, {"types_in_memory": 1}):
        with pytest.raises(Infeasible, match="no release was found .* stars are NULL") as found:
            incrowd.anonymize(tmp_path / "t.csv", **asked, **where)
        assert not found.value.proven


def gapped(seed):
    """A table of four to seven rows some of which miss values, where a star is a NULL, and what is asked of it."""
    rng = random.Random(seed)
    return rng, drawn(
        f"gaps {seed}", rows=(4, 7), k=rng.choice((1, 2, 2, 3, 4)), outliers=rng.choice(("forbid", "suppress")),
        weights={"b": rng.choice((1, 2, "1/3"))}, mask=rng.choice(({}, {}, *MASKS[:12])), nulls=True, suppressed="null",
        require=rng.choice(list(RULES.values())) if seed % 3 else (),
    )  # fmt: skip


def bound_of(asked, solver, **how):
    """The bound of a release, which is no more than the least cost of all that pass the check; None where there is none."""
    release = answered(asked, solver, asked.least(), **how)
    return None if release is None else release.exact_lower_bound


@pytest.mark.few(1)
@pytest.mark.parametrize("part", range(10))
def test_no_bound_beside_gaps_is_above_the_least_cost_that_the_check_would_let_pass(part):
    released = above = 0
    seeds = range(200 * part, 200 * part + how_many(200, 9))
    for seed in seeds:
        rng, asked = gapped(seed)
        for solver in {"exact", rng.choice(SOLVERS)}:
            bound = bound_of(asked, solver, **{"blunt": 2} if rng.random() < 0.1 else {})
            if solver == "exact" and bound is not None:
                released, above = released + 1, above + (bound > 0)
        if seed % 4 == 0 and not asked.tests:
            bound_of(asked, "auto", types_in_memory=1)
    assert 2 * released > len(seeds)  # most are released, and many of their bounds are above 0
    assert 8 * above > len(seeds)


@pytest.mark.few(1)
@pytest.mark.parametrize("part", range(10))
def test_certificates_beside_gaps_get_one_verdict_from_all_and_prove_no_more_than_the_least_cost(part, tmp_path):
    for seed in range(100 * part, 100 * part + how_many(100, 3)):
        rng, asked = gapped(seed)
        pyarrow.csv.write_csv(
            table_of(asked), tmp_path / "original.csv", pyarrow.csv.WriteOptions(quoting_style="none")
        )
        incrowd.Job().replace(**policy_of(asked), header=True).policy.save(tmp_path / "policy.toml")
        made = {"output": tmp_path / "release.csv", "certificate": tmp_path / "c.json"}
        try:
            incrowd.anonymize(tmp_path / "original.csv", policy=tmp_path / "policy.toml", solver="improve", **made)
        except Infeasible:
            continue
        own = json.loads((tmp_path / "c.json").read_text())
        assert everyone(tmp_path, "c.json").status == 0
        more = {key: own[key] + 1 for key in ("lower_bound", "lower_bound_checked")}
        prices = [price + rng.choice([-1, 0, 1]) for price in own["prices"]]
        for other in ({**more, "cost": own["cost"] + 1}, {"prices": prices}):
            (tmp_path / "c.json").write_text(json.dumps(own | other))
            said = everyone(tmp_path, "c.json")
            assert said.status or said.bound <= asked.least()
