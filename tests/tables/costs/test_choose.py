"""Which cost a job has: the one its policy names, one file and one line in the registry each."""

import json
import sys
import types
from dataclasses import dataclass
from fractions import Fraction

import pyarrow as pa
import pytest

import incrowd
from incrowd import registry
from incrowd.check import hierarchies
from incrowd.errors import OurBug, PolicyError
from incrowd.tables.costs import Leaves
from incrowd.tables.hierarchy import Hierarchy

LINES = [(str(v), f"x{v // 2}", f"y{v // 4}") for v in range(8)]
ASKED = {"quasi_identifiers": ["a", "b"], "k": 2, "solver": "exact", "hierarchies": {"a": Hierarchy(lines=LINES)}}
TABLE = pa.table({"a": ["0", "1", "2", "4", "5", "6", "0", "3"], "b": list("uuvvuvvu")})


@dataclass(frozen=True)
class Double:
    """Two for every changed cell: a cost that lies in a file of its own."""

    name = "double"
    summary = "every changed cell costs 2"

    def node_costs(self, column, up):
        return [[Fraction(2 if level else 0)] * up.shape[1] for level in range(up.shape[0])]


@pytest.fixture
def double(monkeypatch):
    """A cost registered by one line."""
    module = types.ModuleType("a_cost_of_its_own")
    module.Double = Double
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(registry.COSTS, "double", f"{module.__name__}:Double")


def test_a_cost_is_one_file_and_one_line_beside_the_reading_of_the_check(double, monkeypatch):
    monkeypatch.setitem(
        hierarchies.READINGS, "double", lambda *of: [[2 * c for c in line] for line in hierarchies.cells(*of)]
    )
    with (
        incrowd.anonymize(TABLE, **ASKED, cost="double") as twice,
        incrowd.anonymize(TABLE, **ASKED, cost="cells") as once,
    ):
        assert twice.cost == 2 * once.cost > 0
        assert twice.optimal
        assert twice.facts["cost_name"] == "double"


def test_a_cost_that_the_check_cannot_read_is_refused_by_name_before_any_work(double):
    with pytest.raises(PolicyError, match="cost 'double' cannot be verified"):
        incrowd.anonymize(TABLE, **ASKED, cost="double")
    released = pa.table({"a": ["*"] * 8, "b": TABLE["b"]})
    with pytest.raises(PolicyError, match="cost 'double' cannot be verified"):
        incrowd.verify(TABLE, released, **ASKED, cost="double")


def test_a_fault_in_the_solvers_cost_is_found_by_the_check_and_nothing_is_written(monkeypatch, tmp_path):
    right = Leaves.node_costs
    wrong = lambda self, column, up: [[c and c + Fraction(1, 7) for c in line] for line in right(self, column, up)]
    monkeypatch.setattr(Leaves, "node_costs", wrong)
    with pytest.raises(OurBug, match="counts another cost than the solver"):
        incrowd.anonymize(TABLE, **ASKED, output=tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("cost", "suppressed"),
    [
        ("leaves", "text"),
        ("levels", "text"),
        ("cells", "text"),
        ("cells", "null"),
        ("leaves", "null"),
        ("levels", "null"),
    ],
)
def test_releases_and_certificates_of_every_cost_are_confirmed_by_the_check(cost, suppressed, tmp_path):
    asked = {**ASKED, "cost": cost, "weights": {"a": "1/3", "b": 2}}
    if suppressed == "null":
        asked |= {"suppressed": "null", "hierarchies": {}}
    with incrowd.anonymize(TABLE, **asked) as release:
        released, certificate = release.table, release.certificate(tmp_path / "c.json")
        cost_is = Fraction(release.facts.get("cost_exact", release.cost))
    asked.pop("solver")
    found = incrowd.verify(TABLE, released, **asked, certificate=certificate)
    assert list(found) == []
    assert found.proven
    assert found.cost == cost_is == found.lower_bound
    assert json.loads((tmp_path / "c.json").read_text())["cost"] == certificate["cost"]


def test_an_unknown_cost_is_refused_and_those_there_are_named():
    with pytest.raises(
        PolicyError, match=r"there is no cost named 'loss'; .*: leaves, cells, levels, ncp, entropy, workload"
    ):
        incrowd.Policy(cost="loss")


def test_discernibility_is_said_to_be_no_sum_over_cells_and_where_it_is_measured():
    with pytest.raises(PolicyError, match=r"discernibility is no sum over cells, .* measures.discernibility"):
        incrowd.Policy(cost="discernibility")


def test_a_workload_needs_a_file_and_no_other_cost_takes_one():
    with pytest.raises(PolicyError, match="written workload:FILE"):
        incrowd.Policy(cost="workload")
    with pytest.raises(PolicyError, match="cost leaves takes no file"):
        incrowd.Policy(cost="leaves:a.toml")


@pytest.mark.parametrize("more", [{"suppressed": "null"}, {"recoding": "ranges"}])
def test_costs_that_look_at_every_value_go_with_neither_nulls_nor_ranges(more):
    with pytest.raises(PolicyError, match="cost=entropy looks at every value .* goes with no"):
        incrowd.Policy(cost="entropy", **more)


@pytest.mark.few(1)
@pytest.mark.parametrize("cost", ["entropy", "ncp", "workload"])
def test_releases_by_costs_that_look_at_the_table_are_confirmed_and_of_no_other_cost(cost, tmp_path):
    file = tmp_path / "w.toml"
    file.write_text('[[query]]\ncolumns = ["a", "b"]\n[[query]]\ncolumns = "a"\ntarget = "b"\nweight = "1/2"\n')
    asked = {**ASKED, "numeric": ["a"], "cost": cost if cost != "workload" else f"workload:{file}"}
    with incrowd.anonymize(TABLE, **asked) as release:
        released, certificate, cost_is = release.table, release.certificate(), release.exact_cost
        assert release.optimal
        assert "/" not in release.facts["cost_name"]
        if cost == "ncp":
            assert release.measures["ncp"] * 16 == pytest.approx(float(cost_is))
        if cost == "entropy":
            assert release.measures["entropy"]["bits"] == pytest.approx(float(cost_is), abs=1e-4)
    asked.pop("solver")
    found = incrowd.verify(TABLE, released, **asked, certificate=certificate)
    assert list(found) == []
    assert found.proven
    assert found.cost == cost_is == found.lower_bound
    assert incrowd.verify(TABLE, released, **{**asked, "cost": "leaves"}, certificate=certificate)


def test_costs_that_a_hierarchy_gives_belong_to_leaves():
    own = {"a": Hierarchy(lines=LINES, level_costs=[0.1, 0.2, 1])}
    assert incrowd.Policy(quasi_identifiers=["a"], hierarchies=own).cost == "leaves"
    with pytest.raises(PolicyError, match="hierarchy of 'a' gives costs of its own .* cost=cells does not use"):
        incrowd.Policy(quasi_identifiers=["a"], hierarchies=own, cost="cells")


def test_policy_files_hold_the_cost_where_it_is_not_the_default(tmp_path):
    policy = incrowd.Policy(quasi_identifiers=["a"], cost="levels")
    policy.save(tmp_path / "p.toml")
    assert 'cost = "levels"' in (tmp_path / "p.toml").read_text()
    assert incrowd.Policy.load(tmp_path / "p.toml") == policy
    incrowd.Policy(quasi_identifiers=["a"]).save(tmp_path / "q.toml")
    assert "cost" not in (tmp_path / "q.toml").read_text()


def test_summary_and_report_name_a_cost_that_is_not_the_default(tmp_path):
    Hierarchy(lines=LINES).to_csv(tmp_path / "a.csv")
    asked = {**ASKED, "hierarchies": {"a": tmp_path / "a.csv"}}
    with incrowd.anonymize(TABLE, **asked, cost="levels") as release:
        assert "Cost by levels" in release.summary()
        release.report(tmp_path / "r.html")
    assert "cost by levels" in (tmp_path / "r.html").read_text().lower()
    with incrowd.anonymize(TABLE, **ASKED) as release:
        assert "cost by" not in release.summary()
        assert "cost_name" not in release.facts
