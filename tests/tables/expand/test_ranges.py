"""A release of ranges from end to end, against what plain Python says of the same classes."""

import math
from collections import Counter, defaultdict
from random import Random

import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import incrowd
from incrowd.errors import PolicyError, SolverDeclined
from oracle import ranges as plain
from seeds import seeds

AGES = [None, "-5", "7", "7.0", "12", "100", "1e2"]
JOBS = ["a,b", "c}", "\\N", "x\\y", None, "z", "{", "é"]
NAMES = ["age", "job", "zip", "ill"]


def drawn(seed, n=30):
    rng = Random(seed)
    ages, jobs = (rng.sample(values, rng.randint(2, len(values))) for values in (AGES, JOBS))
    return [(rng.choice(ages), rng.choice(jobs), rng.choice("123"), rng.choice("uv")) for _ in range(n)]


def table(rows):
    return pa.table([pa.array(column, pa.string()) for column in zip(*rows, strict=True)], names=NAMES)


def settings(k=3, **more):
    common = {"quasi_identifiers": NAMES[:3], "numeric": ["age"], "sensitive": ["ill"], "recoding": "ranges"}
    return {"solver": "mondrian", "k": k, "keep_order": True, **common, **more}


def shown_of(release):
    return [tuple(row.values()) for row in release.table.to_pylist()]


@pytest.mark.few(1)
@pytest.mark.parametrize("solver", ["mondrian", "mondrian:relaxed=yes"])
@seeds(60, few=1)
def test_every_class_shows_the_ranges_of_its_rows_and_its_loss_is_theirs(seed, solver):
    rows = drawn(seed)
    domain = [[row[j] for row in rows] for j in range(3)]
    with incrowd.anonymize(table(rows), **settings(solver=solver)) as release:
        shown = shown_of(release)
        facts = release.facts
    assert [row[3] for row in shown] == [row[3] for row in rows]
    classes = defaultdict(list)
    for row, cells in zip(rows, shown, strict=True):
        classes[cells[:3]].append(row)
    for cells, members in classes.items():
        assert len(members) >= 3
        for j, cell in enumerate(cells):
            own = plain.label([row[j] for row in members], numeric=j == 0)
            # two parts of the same ends are one class
            assert cell == own or {"*", "["} & {cell[:1]}, (cell, own)
            assert all(plain.may_hide(cell, row[j], set(domain[j])) for row in members)
    quasi = [cells[:3] for cells in shown]
    ncp, loss, behind = plain.loss([row[:3] for row in rows], quasi, {0})
    assert facts["measures"]["ncp"] == pytest.approx(ncp, abs=1e-8)
    assert facts["measures"]["loss"] == pytest.approx(loss, abs=1e-12)
    bits = sum(
        math.log2(sum(domain[j].count(v) for v in set(below)) / domain[j].count(own)) for j, own, below in behind
    )
    assert facts["measures"]["entropy"]["bits"] == pytest.approx(bits, abs=1e-9)
    stars = sum(cell == "*" for cells in quasi for cell in cells)
    changed = sum(
        cell != own for cells, row in zip(quasi, rows, strict=True) for cell, own in zip(cells, row[:3], strict=True)
    )
    assert facts["suppressed_cells"] == facts["measures"]["suppressed_cells"]["cells"] == stars
    assert facts["cost"] == facts["changed_cells"] == changed
    assert facts["lower_bound"] <= changed
    assert facts["classes"]["count"] == len(classes)
    assert (facts["recoding"], facts["outliers"], facts["lower_bound_checked"]) == ("ranges", 0, 0)


def explained(rows, shown, domain):
    """Whether every released row can be given an original row of its own."""
    fits = [
        [cells[3] == row[3] and all(plain.may_hide(cells[j], row[j], domain[j]) for j in range(3)) for row in rows]
        for cells in shown
    ]
    return bool((maximum_bipartite_matching(csr_array(fits), perm_type="column") >= 0).all())


def tampered(rng, rows, shown, domain):
    """A release with some cells changed: other labels, values, stars, ends."""
    out = [list(cells) for cells in shown]
    for _ in range(rng.randint(1, 3)):
        i, j = rng.randrange(len(out)), rng.randrange(4)
        other = rng.choice(out)[j]
        choices = [other, "*", rng.choice(rows)[j]]
        if j == 0:
            choices += ["[7-12]", "[-5-100]", "[1000-2000]", "[7-"]
        if j == 1:
            choices += ["{x\\y, z}", "new"]
        out[i][j] = rng.choice(choices if j < 3 else [other])
    return [tuple(cells) for cells in out]


@seeds(150, few=1)
def test_the_check_accepts_what_can_be_explained_and_nothing_else(seed):
    rng = Random(seed)
    rows = drawn(seed, 24)
    domain = [{row[j] for row in rows} for j in range(3)]
    with incrowd.anonymize(table(rows), **settings()) as release:
        shown, job = shown_of(release), release.job
    answers = Counter()
    for attempt in range(3):
        after = shown if attempt == 0 else tampered(rng, rows, shown, domain)
        after = rng.sample(after, len(after))
        found = {v.rule for v in incrowd.verify(table(rows), table(after), job)}
        crowded = min(Counter(cells[:3] for cells in after).values()) >= 3
        assert ("k=3" in found) == (not crowded)
        good = explained(rows, after, domain)
        assert ("faithful" in found) == (not good), (found, after)
        answers[good] += 1
    assert answers[True] >= 1


def test_a_row_may_be_read_at_one_place_only():
    rows = [("1", "a", "1", "u"), ("2", "a", "1", "u"), ("3", "a", "1", "u"), ("4", "a", "1", "u")]
    job = settings(k=2)
    good = [("[1-2]", "a", "1", "u")] * 2 + [("[3-4]", "a", "1", "u")] * 2
    assert incrowd.verify(table(rows), table(good), **job) == []
    levels = incrowd.verify(table(rows), table(good), **{**job, "recoding": "levels"})
    assert "invented value: age" in {v.rule for v in levels}  # without their setting
    twice = [("[1-3]", "a", "1", "u")] * 2 + [("[1-2]", "a", "1", "u")] * 2  # nobody is left to be 4
    assert {v.rule for v in incrowd.verify(table(rows), table(twice), **job)} == {"faithful"}
    unknown = [("[1-2]", "a", "1", "u")] * 2 + [("[3-5}", "a", "1", "u")] * 2
    assert [v.rule for v in incrowd.verify(table(rows), table(unknown), **job)] == ["invented value: age", "faithful"]
    dropped = [("[1-2]", "a", "1", "u")] * 2
    assert {v.rule for v in incrowd.verify(table(rows), table(dropped), **job)} == {"rows"}
    other = [("[1-2]", "a", "1", "u")] * 2 + [("[3-4]", "a", "1", "v")] * 2
    assert "other columns: ill" in {v.rule for v in incrowd.verify(table(rows), table(other), **job)}


def test_a_requirement_is_kept_and_recounted():
    rows = drawn(3, 60)
    with incrowd.anonymize(table(rows), **settings(l="1.5")) as release:
        shown, job = shown_of(release), release.job
    classes = defaultdict(Counter)
    for cells in shown:
        classes[cells[:3]][cells[3]] += 1
    assert all(max(counts.values()) * 3 <= 2 * sum(counts.values()) for counts in classes.values())
    assert incrowd.verify(table(rows), table(shown), job) == []
    with incrowd.anonymize(table(rows), **settings()) as plainer:
        found = incrowd.verify(table(rows), plainer.table, job)
    assert [v.rule for v in found] == ["l-diversity l=1.5 column=ill"]


def test_csv_goes_out_and_comes_back(run, tmp_path):
    rows = [(a or "", j or "", z, i) for a, j, z, i in drawn(5, 40)]
    lines = [",".join(NAMES), *(",".join(f'"{cell}"' for cell in row) for row in rows)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = ("--qi", "age,job,zip", "--numeric", "age", "--sensitive", "ill", "--k", "3", "--recoding", "ranges")
    status, out, err = run("anonymize", "t.csv", "-o", "r.csv", *asked, "--solver", "mondrian")
    assert status == 0, err
    assert "(certainty penalty, NCP; less is better)" in " ".join(out.split())
    assert "[" in (tmp_path / "r.csv").read_text()
    status, out, _ = run("verify", "t.csv", "r.csv", *asked)
    assert (status, out.startswith("'r.csv' keeps the policy")) == (0, True)
    text = (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "r.csv").write_text("\n".join([*text[:-1], text[1]]) + "\n", encoding="utf-8")
    assert run("verify", "t.csv", "r.csv", *asked)[0] == 1


@pytest.mark.parametrize("solver", ["auto", "exact", "greedy"])
def test_other_solvers_decline(solver):
    with pytest.raises(SolverDeclined, match="it shows levels, no ranges") as declined:
        incrowd.anonymize(table(drawn(1)), **settings(solver=solver))
    assert str(declined.value).count("no ranges") == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"max_stars": 2}, "it goes with no mask"),
        ({"hierarchies": {"age": "intervals:5,10"}}, "it goes with no hierarchies"),
        ({"suppressed": "null"}, "ranges do not fit"),
    ],
)
def test_what_does_not_go_with_ranges_is_refused(more, said):
    with pytest.raises(PolicyError, match=said):
        incrowd.anonymize(table(drawn(1)), **settings(**more))


def test_texts_that_read_like_ranges_are_values():
    rows = [(a, "[1-2]" if i % 2 else "1", "1", "u") for i, (a, _, _, _) in enumerate(drawn(1))]
    with incrowd.anonymize(table(rows), **settings()) as release:
        assert {cells[1] for cells in shown_of(release)} <= {"[1-2]", "1", "*"}
        assert incrowd.verify(table(rows), release.table, release.job) == []


def test_without_a_column_of_numbers_it_is_refused():
    for made in (
        lambda: incrowd.anonymize(table(drawn(1)), **settings(numeric=[])),
        lambda: incrowd.verify(table(drawn(1)), table(drawn(1)), **settings(numeric=[])),
    ):
        with pytest.raises(PolicyError, match="no quasi-identifier is declared numeric: declare one"):
            made()


def test_a_release_of_ranges_has_no_certificate(tmp_path):
    with incrowd.anonymize(table(drawn(1)), **settings()) as release:
        assert release.proof == "solver"
        with pytest.raises(SolverDeclined, match="comes without a certificate"):
            release.certificate()
        with pytest.raises(PolicyError, match="comes without a certificate"):
            incrowd.verify(table(drawn(1)), release.table, release.job, certificate={"certificate": "x"})


@pytest.mark.proofs
def test_cmc_as_ranges_loses_less_than_as_stars(data_dir):
    names = (data_dir / "cmc.data").read_text().splitlines()[0].split(",")
    common = {"quasi_identifiers": names, "numeric": names, "k": 10, "solver": "mondrian"}
    with (
        incrowd.anonymize(data_dir / "cmc.data", recoding="ranges", **common) as ranges,
        incrowd.anonymize(data_dir / "cmc.data", **common) as levels,
    ):
        assert incrowd.verify(data_dir / "cmc.data", ranges.table, ranges.job) == []
        assert ranges.cost == levels.cost
        assert ranges.measures["ncp"] < 0.6 * levels.measures["ncp"]
