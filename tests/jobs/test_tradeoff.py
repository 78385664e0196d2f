"""Loss over k: one read, every threshold and solver, bounds that hold, in Python and in the shell."""

import dataclasses
import json
import random

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError
from incrowd.jobs import tradeoff
from incrowd.jobs.solver_choice import solve
from report_pages import check_page
from seeds import parts

CANARY = "Zebedee4711"


def people(seed=0, n=40):
    rng = random.Random(seed)
    return pa.table(
        {
            "age": [rng.choice(["young", "old", "ancient"]) for _ in range(n)],
            "sex": [rng.choice("fm") for _ in range(n)],
            "land": [rng.choice(["PL", "DE", "FR"]) for _ in range(n)],
            "ill": [f"{CANARY}{rng.randrange(4)}" for _ in range(n)],
        }
    )


QI = ["age", "sex", "land"]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", parts(2))
def test_every_point_costs_what_a_release_costs(seed):
    found = incrowd.tradeoff(people(seed), quasi_identifiers=QI, ks=[3, 2, 7], solvers=["greedy", "exact"])
    assert [(p["k"], p["solver"]) for p in found.points] == [(k, s) for k in (2, 3, 7) for s in ("greedy", "exact")]
    for point in found.points:
        with incrowd.anonymize(people(seed), quasi_identifiers=QI, k=point["k"], solver=point["solver"]) as release:
            assert release.cost == point["cost"]
            assert release.facts["suppressed_fraction"] == point["suppressed_fraction"]
            assert release.classes["count"] == point["classes"]
            assert release.classes["min"] == point["smallest"] == round(1 / point["highest_risk"])
            assert release.lower_bound <= point["lower_bound"] <= point["cost"]


@pytest.mark.parametrize("seed", parts(3))
def test_bounds_are_carried_from_smaller_k_and_other_solvers_and_stay_true(seed):
    ks = [2, 3, 4, 6, 9]
    found = incrowd.tradeoff(people(seed, 25), quasi_identifiers=QI, ks=ks, solvers=["greedy", "exact"])
    best = {p["k"]: p["cost"] for p in found.points if p["solver"] == "exact"}
    bounds = {p["k"]: p["lower_bound"] for p in found.points}
    assert list(bounds.values()) == sorted(bounds.values())
    assert bounds == best  # exact ones end optimal here, and their bounds serve the greedy's points too
    for point in found.points:
        assert point["optimal"] == (point["cost"] == best[point["k"]])
        assert point["gap"] == (0 if point["optimal"] else (point["cost"] - best[point["k"]]) / best[point["k"]])


def test_the_table_is_read_and_grouped_once(monkeypatch):
    from incrowd.jobs import prepare

    calls = []
    compress = prepare.compress
    monkeypatch.setattr(prepare, "compress", lambda *a: calls.append(1) or compress(*a))
    incrowd.tradeoff(people(), quasi_identifiers=QI, ks=[2, 3, 4], solvers=["greedy"])
    assert calls == [1]


def test_thresholds_for_l_are_swept_beside_k():
    found = incrowd.tradeoff(
        people(), quasi_identifiers=QI, sensitive=["ill"], ks=[3, 6], ls=[1, 2], solvers=["greedy"]
    )
    assert [(p["k"], p["l"]) for p in found.points] == [(3, 1), (3, 2), (6, 1), (6, 2)]
    costs = {(p["k"], p["l"]): p["cost"] for p in found.points if p["cost"] is not None}
    assert all(costs[k, 2] >= costs[k, 1] for k in (3, 6) if (k, 2) in costs)
    assert "l" in found.table.column_names
    assert "l = 2" in json.dumps(found.plot().to_dict())


def test_a_solver_that_declines_has_a_point_that_says_why():
    found = incrowd.tradeoff(people(), quasi_identifiers=QI, ks=[2, 5], solvers=["matching"])
    good, declined = found.points
    assert good["cost"] is not None
    assert (declined["cost"], declined["status"]) == (None, "none")
    assert "2" in declined["why"]
    assert declined["why"] in found.summary()


def test_nothing_says_a_value_of_the_table(tmp_path):
    events = []
    found = incrowd.tradeoff(
        people(),
        quasi_identifiers=QI,
        ks=[2, 5],
        solvers=["greedy"],
        on_event=events.append,
        report=tmp_path / "t.html",
    )
    text = (tmp_path / "t.html").read_text()
    parts = check_page(text)
    said = [text, found.summary(), found.to_json(), repr(found), str(events), found._repr_html_()]
    assert all(CANARY not in one and "ancient" not in one for one in said)
    assert "Choose the greatest k whose loss is still bearable." in parts.text
    assert "greedy" in parts.text


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({"ks": []}, PolicyError, "at least one k"),
        ({"ks": [0]}, PolicyError, "k must be"),
        ({"ks": [2, 41]}, InputError, "k=41"),
        ({"ks": [2], "solvers": []}, PolicyError, "solver"),
        ({"ks": [2], "solvers": ["gredy"]}, PolicyError, "greedy"),
        ({"ks": [2], "ls": ["x"]}, PolicyError, "ls"),
    ],
)
def test_bad_questions_are_one_sentence(settings, error, said):
    with pytest.raises(error, match=said):
        incrowd.tradeoff(people(), quasi_identifiers=QI, **settings)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    rows = people().to_pylist()
    path.write_text(",".join(rows[0]) + "\n" + "\n".join(",".join(row.values()) for row in rows) + "\n")
    return path


def test_the_shell_says_the_same(run, table):
    status, out, _ = run("tradeoff", table, "--qi", "age,sex,land", "--ks", "2, 5", "--json")
    assert status == 0
    facts = json.loads(out)
    same = incrowd.tradeoff(people(), quasi_identifiers=QI, ks=[2, 5])
    keys = ("k", "solver", "cost", "lower_bound", "suppressed_fraction", "classes")
    assert [[p[key] for key in keys] for p in facts["points"]] == [[p[key] for key in keys] for p in same.points]
    status, out, err = run("tradeoff", table, "--qi", "age,sex,land", "--ks", "2,5")
    assert (status, err) == (0, "")
    assert "highest risk" in out
    assert "nothing was released" in out


def test_the_shell_reads_a_policy_file_and_writes_a_report_but_no_release(run, table, tmp_path):
    (tmp_path / "policy.toml").write_text('quasi_identifiers = ["age", "sex", "land"]\nk = 4\n[mask]\nmax_stars = 2\n')
    asked = ("--policy", "policy.toml", "--ks", "2,5", "--report", "curve.html")
    assert run("tradeoff", table, *asked)[0] == 0
    assert "at most 2 stars" in check_page((tmp_path / "curve.html").read_text()).text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["curve.html", "people.csv", "policy.toml"]


@pytest.mark.parametrize("arguments", [["--ks", "2,x"], [], ["--ks", "2", "--k", "3"]])
def test_wrong_use_in_the_shell_is_status_2(run, table, arguments):
    status, out, err = run("tradeoff", table, "--qi", "age,sex,land", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("incrowd: ")


@pytest.mark.parametrize(("asked", "each"), [(7.5, [7.5, 7.5]), (None, [30.0, None])])
def test_a_time_limit_is_each_points_and_without_one_the_points_of_auto_share_a_minute(monkeypatch, asked, each):
    limits = []

    def note(problem, job, recoding, watch):
        limits.append(job.time_limit)
        return solve(problem, dataclasses.replace(job, solver="greedy"), recoding, watch)

    monkeypatch.setattr(tradeoff, "solve", note)
    asked_of_all = {"quasi_identifiers": QI, "ks": [2, 3], "solvers": ["auto", "greedy"], "time_limit": asked}
    incrowd.tradeoff(people(), **asked_of_all)
    assert limits == each * 2


def test_several_costs_are_solved_by_each_and_no_bound_is_carried_over_between_them():
    found = incrowd.tradeoff(
        people(), quasi_identifiers=QI, ks=[2, 4], solvers=["greedy"], costs=["leaves", "entropy", "leaves"]
    )
    told = [(point["cost_name"], point["k"]) for point in found.points]
    assert told == [("leaves", 2), ("leaves", 4), ("entropy", 2), ("entropy", 4)]
    for point in found.points:
        alone = incrowd.tradeoff(people(), quasi_identifiers=QI, ks=[2, 4], solvers=["greedy"], cost=point["cost_name"])
        same = next(one for one in alone.points if one["k"] == point["k"])
        assert [same[key] for key in ("cost", "lower_bound")] == [point[key] for key in ("cost", "lower_bound")]
        assert point["cost"] <= point["stars_alone"]
    assert "cost by" in found.summary()
    assert "cost by" not in alone.summary()
