"""What cannot be read is refused in a sentence: certificates, tables and questions; by the other checkers too."""

from __future__ import annotations

import copy
import json

import pyarrow as pa
import pytest

import incrowd
from checkers import ask, corpus
from checkers.test_corpus import certificate

HUGE = "its numbers are too large to be added up"
TREE = {"component": 0, "instances": [[0, 1, 0, 0]], "cuts": [], "tree": {"prices": [], "weights": []}}
LEAF = {"prices": [], "weights": []}
ODD = {"rows": [0, 1, 2], "price": 0}


def tree(**more):
    return {"trees": [TREE | more]}


def cut(**more):
    """A tree over the whole lattice with one cut."""
    return tree(instances=[[1, 0, 0], [0, 1, 1]], cuts=[more], tree={"prices": [], "weights": [[0, 1]]})


def inner(**more):
    return lambda made: {"matching": made["matching"] | more}


def own(**more):
    return lambda made: {"trees": [made["trees"][0] | more]}


SENTENCES = [  # an example of docs/certificate.md, what is changed in it, what is said
    ("prices", {"certificate": "x"}, "of a kind or version that is not known here"),
    ("prices", {"version": 9}, "of a kind or version that is not known here"),
    *(("prices", {key: made}, f"{key} is no whole number") for key, made in (
        ("version", True), ("version", "1"), ("rows", "5"), ("rows", None), ("k", 2**63), ("cost", 2**61), ("cost", -(2**61)),
        ("lower_bound", 2**61), ("lower_bound_checked", "4"), ("parts", None))),
    ("prices", {"proof": "none"}, "proof is neither 'certificate' nor 'solver'"),
    ("prices", {"outliers": 1}, "outliers is no text"),
    ("prices", {"for": 1}, "for is no text, or diverse neither true nor false"),
    ("prices", {"diverse": 1}, "a key that no certificate has there"),
    ("prices", {"note": 1}, "a key that no certificate has there"),
    ("prices", {"diverse": True}, "a key that no certificate has there"),
    ("prices", {"matching": {}}, "a key that no certificate has there"),
    ("prices", {"trees": [{"note": 1}]}, "a key that no certificate has there"),
    ("prices", {"trees": [[{"note": 1}]]}, "a key that no certificate has there"),
    ("prices", {"prices": [{"x": 1}, 0, 0, 0]}, "a key that no certificate has there"),
    ("prices", {"parts": 1.0}, "a number has a point or an exponent"),
    ("prices", {"prices": [0, 2, 0, 2.0]}, "a number has a point or an exponent"),
    ("prices", {"trees": [{"component": 0.0}]}, "a number has a point or an exponent"),
    ("prices", {"parts": 0}, "parts is no whole number, or out of its range"),
    ("prices", {"parts": -1}, "parts is no whole number, or out of its range"),
    *(("prices", {"prices": made}, "prices is no list of whole numbers, or of another length")
      for made in (3, [0, 2, 0], [0, 2, 0, 2, 0], [0, 2, 0, "2"], [0, 2, 0, True], [0, 2, 0, [1]], [0, 2, 0, 2**61], [0, 2, 0, -(2**61)])),
    ("prices", {"prices": [2**58, 0, 0, 0]}, "numbers are too large to be added up"),
    ("prices", {"prices": [-(2**58), 0, 0, 0]}, "numbers are too large to be added up"),
    ("prices", {"parts": 2**58}, "numbers are too large to be added up"),
    ("prices", {"components": 7}, "components is no list of whole numbers, or of another length"),
    ("prices", {"components": [0, 0, 0]}, "components is no list of whole numbers, or of another length"),
    *(("prices", {"components": made}, "components are not numbered from 0 on")
      for made in ([1, 1, 1, 1], [0, 0, 0, 4], [0, 2, 0, 2], [-1, 0, 0, 0])),
    ("prices", {"trees": None}, "trees is missing, or of another type"),
    ("prices", {"trees": {}}, "trees is missing, or of another type"),
    ("tree", {"trees": [1]}, "a tree is no object"),
    ("tree", tree(component=1), "component is no whole number, or out of its range"),
    ("tree", tree(component=-1), "component is no whole number, or out of its range"),
    ("tree", {"trees": [TREE, TREE]}, "a component has two trees"),
    ("tree", tree(component="0"), "component is no whole number"),
    ("tree", tree(instances=1), "instances is missing, or of another type"),
    ("tree", tree(instances=[1]), "an instance is not named by its levels and a row type"),
    ("tree", tree(instances=[[0, 1, 0]]), "an instance is not named by its levels and a row type"),
    ("tree", tree(instances=[[0, 1, 0, "0"]]), "an instance is not named by its levels and a row type"),
    ("tree", tree(tree=5), "a tree's node is no object, or too deep"),
    ("tree", tree(tree={"instance": 0, "closed": LEAF, "open": None}), "a tree's node is no object, or too deep"),
    ("tree", tree(tree={"instance": 0, "closed": LEAF}), "a tree's node is no object, or too deep"),
    ("tree", tree(tree={"instance": 1, "closed": LEAF, "open": LEAF}), "an instance that no tree lists"),
    ("tree", tree(tree={"instance": -1, "closed": LEAF, "open": LEAF}), "an instance that no tree lists"),
    ("tree", tree(tree={"instance": 0, "closed": LEAF, "open": {"instance": 0, "closed": LEAF, "open": LEAF}}), "a tree branches twice on an instance"),
    ("tree", tree(tree={"prices": [[0]], "weights": []}), "prices is no list of whole numbers, or of another length"),
    ("tree", tree(tree={"prices": [0], "weights": []}), "prices is no list of whole numbers, or of another length"),
    ("tree", tree(tree={"prices": [], "weights": [[0, "1"]]}), "weights is no list of whole numbers, or of another length"),
    ("tree", tree(tree={"weights": []}), "prices is missing, or of another type"),
    ("tree", tree(tree={"prices": [[3, 1]], "weights": []}), "a leaf moves the price of no row type"),
    ("tree", tree(tree={"prices": [[-1, 1]], "weights": []}), "a leaf moves the price of no row type"),
    ("tree", tree(tree={"prices": [], "weights": [[0, 1]]}), "a leaf weighs a cut that is not there"),
    ("tree", tree(tree={"prices": [[0, 2**60]], "weights": []}), "numbers are too large to be added up"),
    ("tree", tree(cuts=[{"kind": "X"}]), "a cut is none of T, C, S, F"),
    ("tree", tree(cuts=[1]), "a cut is none of T, C, S, F"),
    ("tree", tree(cuts=[{"kind": "C", "types": []}]), "a key that no certificate has there"),
    ("cut C", cut(kind="C", instances=[0, 0]), "a cut names an instance twice"),
    ("cut C", cut(kind="C", instances=[2]), "an instance that no tree lists"),
    ("cut C", cut(kind="C", instances=0), "instances is missing, or of another type"),
    ("cut T", cut(kind="T", types=[0, 0], instances=[0]), "a cut names a row type twice"),
    ("cut T", cut(kind="T", types=[0, 9], instances=[0]), "a cut names a row type twice, or one outside its component"),
    ("cut T", cut(kind="T", types=["0"], instances=[0]), "a cut names a row type twice, or one outside its component"),
    ("cut T", cut(kind="T", types=0, instances=[0]), "types is missing, or of another type"),
    ("cut F", cut(kind="F", types=[0], part=[0, 0], full=[]), "a cut names an instance twice"),
    ("cut C", lambda made: {"trees": made["trees"] * 2}, "tree is missing, or of another type"),
    ("cut C", own(component=1), "component is no whole number, or out of its range"),
    ("cut C", own(tree={"prices": [[0, 1]], "weights": []}), "a leaf moves prices"),
    ("cut C", own(tree={"instance": 0, "closed": LEAF, "open": LEAF}), "a leaf moves prices"),
    ("cut C", own(tree={"prices": [], "weights": [[0, 2**57]]}), "numbers are too large to be added up"),
    ("cut C", own(instances=[[1, 0, "0"]]), "an instance is not named by its levels and a row type"),
    ("matching", {"matching": None}, "matching is missing, or of another type"),
    ("matching", inner(scale=0), "scale is no whole number, or out of its range"),
    ("matching", inner(scale=2**58), "scale is no whole number"),
    ("matching", inner(scale=2**57), "the certificate has too fine a scale"),
    ("matching", inner(divisor=0), "divisor is no whole number, or out of its range"),
    ("matching", inner(divisor=2), "the certificate has a divisor that does not divide the costs"),
    *(("matching", inner(rows=made), "the certificate prices rows that the table does not have")
      for made in ([9, 1, 1, 2, 2], [-1, 1, 1, 2, 2], [0, 0, 1, 2, 2])),
    ("matching", inner(prices=[1]), "prices is no list of whole numbers, or of another length"),
    ("matching", inner(prices=[2**58, 0, 0, 0, 0]), "prices is no list of whole numbers, or of another length"),
    ("matching", inner(sets=[1]), "a set of the certificate is no object"),
    ("matching", inner(sets=1), "sets is missing, or of another type"),
    *(("matching", inner(sets=[ODD | made]), "a set that is not odd, or of unknown rows")
      for made in ({"rows": [0, 1]}, {"rows": [0, 1, 1]}, {"rows": [0, 1, 5]}, {"rows": [-1, 1, 2]})),
    ("matching", inner(sets=[ODD | {"price": -1}]), "price is no whole number, or out of its range"),
    ("matching", inner(sets=[ODD | {"price": 2**57}] * 2), "sets are too dear, or too large"),
    ("requirements", {"requirements": 3}, "requirements is no list"),
    ("requirements", {"whole_below": 0}, "whole_below is no whole number, or out of its range"),
    ("requirements", {"whole_below": 4097}, "whole_below is no whole number, or out of its range"),
    *(("requirements", {"multipliers": made}, said) for said, all_made in {
        "multipliers is missing, or of another type": (None,),
        "a multiplier is no list of whole numbers, or of another length": ([1], [[0, 0, 0, "1"]], [[0, 0, 0, 0, 2**61]]),
        "a multiplier is no list of levels, row type, requirement and numbers": ([[0, 0]], [[0, 0, 1, 0, 1]], [[0, 0, -1, 0, 1]]),
        "an instance is named by a row type that is not there": ([[0, 9, 0, 0, 1]],),
        "a multiplier has other numbers than its requirement": ([[1, 0, 0, 9, 1]], [[1, 0, 0, 0, 1, 0, 1]], [[1, 0, 0, 0]]),
        "an instance has two multipliers of one requirement": ([[1, 0, 0, 0, 1], [1, 3, 0, 0, 1]],),
        "too large to be added up": ([[1, 0, 0, 0, 2**60]],),
    }.items() for made in all_made),
    ("requirements", lambda made: {"trees": made["trees"] * 2}, "trees is no list of one tree at most"),
    ("requirements", {"trees": [1]}, "a tree is no object"),
    ("requirements", own(component=1), "component is no whole number, or out of its range"),
    ("requirements", own(cuts=[{"kind": "C", "instances": []}]), "under requirements a tree has no cuts"),
    ("requirements", own(tree={"prices": [], "weights": [[0, 1]]}), "under requirements a leaf weighs no cut"),
    ("requirements", own(tree={"prices": [[4, 1]], "weights": []}), "a leaf moves the price of no row type"),
    ("requirements", own(tree={"prices": [[0, 2**59]], "weights": []}), "a leaf's numbers are too large to be added up"),
    ("requirements", own(tree={"prices": [[0]], "weights": []}), "prices is no list of whole numbers, or of another length"),
    ("requirements", own(tree=1), "a tree's node is no object, or too deep"),
    ("requirements", own(tree={"instance": 1, "closed": LEAF, "open": LEAF}), "an instance that no tree lists"),
    ("requirements", own(tree={"instance": 0, "closed": LEAF, "open": {"instance": 0, "closed": LEAF, "open": LEAF}}), "a tree branches twice on an instance"),
    ("requirements", {"prices": [2**58, 0, 0, 0]}, "numbers are too large to be added up"),
    ("ranges", {"step": 10}, "step is no list of whole numbers, or of another length"),
    ("ranges", {"step": [10]}, "step is no list of whole numbers, or of another length"),
    ("ranges", {"step": [10, 0]}, "step is no pair of whole numbers above 0"),
    ("ranges", {"step": [-10, 1]}, "step is no pair of whole numbers above 0"),
    ("ranges", {"column": None}, "column is no whole number"),
    ("ranges", {"parts": 0}, "parts is no whole number, or out of its range"),
    ("ranges", {"prices": [1]}, "prices is no list of whole numbers, or of another length"),
    ("ranges", {"prices": [2**56, 0, 0, 0, 0, 0]}, "the sums are too large"),
    ("ranges", {"version": 12}, "a key that no certificate has there"),
    ("one recoding", {"levels": [1]}, "levels is no list of whole numbers, or of another length"),
    ("one recoding", {"levels": None}, "levels is no list of whole numbers, or of another length"),
    ("one recoding", {"suppressed_rows": "0"}, "suppressed_rows is no whole number"),
    ("one recoding", {"most_suppressed": None}, "most_suppressed is no whole number"),
    ("one recoding", {"requirements": None}, "requirements is no list"),
]  # fmt: skip


def changed(name, change, folder):
    """Write an example with something of its certificate changed."""
    made = copy.deepcopy(certificate(f"example: {name}"))
    made |= change(made) if callable(change) else change
    corpus.example(name, folder)
    ask.save(folder, made)


@pytest.mark.few(5)
@pytest.mark.parametrize(("name", "change", "said"), SENTENCES)
def test_a_certificate_that_cannot_be_read_is_refused_in_a_sentence(name, change, said, tmp_path):
    changed(name, change, tmp_path)
    with pytest.raises(incrowd.InputError, match="^the certificate ") as refused:
        ask.verified(tmp_path)
    assert any(one in str(refused.value) for one in said.split("|"))
    assert ask.both(tmp_path).status == 2


VIOLATED = [  # an example, what is changed, the claims that are refuted
    ("prices", {"rows": 6}, ["rows"]),
    ("prices", {"k": 2**62}, ["k"]),
    ("prices", {"k": 3, "outliers": "suppress", "scale": 2}, ["k", "outliers", "scale"]),
    ("prices", {"row_types": 3}, ["row_types"]),
    ("prices", {"cost": 6}, ["cost"]),
    ("prices", {"cost": 4, "lower_bound": 4}, ["cost"]),
    ("prices", {"lower_bound": 6}, ["lower_bound"]),
    ("prices", {"lower_bound_checked": 5}, ["lower_bound_checked"]),
    ("prices", {"lower_bound_checked": 5, "lower_bound": 4}, ["lower_bound"]),
    ("prices", {"proof": "certificate"}, ["lower_bound"]),
    ("prices", {"prices": [0, 0, 0, 0]}, ["lower_bound_checked"]),
    ("prices", {"components": [0, 0, 0, 0]}, []),
    ("prices", {"components": [0, 1, 0, 1]}, ["proof"]),
    ("components", {"components": [0, 1, 0, 2]}, ["proof"]),
    ("tree", tree(instances=[[1, 1, 1, 9]]), ["proof"]),
    ("tree", {"trees": []}, ["lower_bound_checked"]),
    ("cut C", cut(kind="C", instances=[0, 1]), ["lower_bound_checked"]),
    ("cut C", own(instances=[[9, 0, 0], [0, 1, 1], [1, 1, 0]]), ["proof"]),
    ("cut C", own(tree={"prices": [], "weights": [[0, -1]]}), ["proof"]),
    ("cut T", cut(kind="T", types=[0, 1], instances=[0]), ["proof"]),
    ("cut T", lambda made: {"k": 3, "trees": [made["trees"][0] | {"tree": {"prices": [], "weights": [[0, 12]]}}]}, ["lower_bound_checked"]),
    ("cut S", own(cuts=[{"kind": "S", "types": [0, 2, 3], "pairs": []}]), ["proof"]),
    ("cut S", own(cuts=[{"kind": "S", "types": [1, 2, 3], "pairs": [[0, 1, 1]]}]), ["proof"]),
    ("cut S", own(cuts=[{"kind": "S", "types": [1, 2, 3], "pairs": [[0, 1, 3], [0, 1, 3]]}]), ["proof"]),
    ("cut S", own(cuts=[{"kind": "S", "types": [1, 2, 3], "pairs": [[0, 1, 2]]}]), ["proof"]),
    ("cut F", own(cuts=[{"kind": "F", "types": [0], "part": [0], "full": [1]}]), ["proof"]),
    ("cut F", own(cuts=[{"kind": "F", "types": [0, 1], "part": [0], "full": [0]}]), ["proof"]),
    ("matching", {"k": 3}, ["k"]),
    ("matching", inner(prices=[3, 0, 0, 0, 0]), ["proof"]),
    ("matching", inner(prices=[1, 0, 0, 0, 0]), ["lower_bound_checked"]),
    ("matching", inner(sets=[]), ["lower_bound_checked"]),
    ("matching", {"diverse": True}, []),
    ("requirements", {"requirements": []}, ["requirements"]),
    ("requirements", {"requirements": ["l-diversity l=3 column=s"]}, ["requirements"]),
    ("requirements", {"multipliers": [[1, 0, 0, 0, -1]]}, ["proof"]),
    ("requirements", {"trees": []}, ["lower_bound_checked"]),
    ("requirements", {"whole_below": 1}, ["lower_bound_checked"]),
    ("ranges", {"step": [20, 1]}, ["step"]),
    ("ranges", {"column": 1}, ["column"]),
    ("ranges", {"prices": [0, 1, 1, 1, 1, 1]}, ["lower_bound_checked"]),
    ("ranges", {"prices": [9, 1, 1, 1, 1, 1]}, ["lower_bound_checked"]),
    ("one recoding", {"requirements": ["l-diversity l=2 column=two"]}, ["requirements"]),
    ("one recoding", {"most_suppressed": 2}, ["most_suppressed"]),
    ("one recoding", {"levels": [0, 1]}, ["levels"]),
    ("one recoding", {"levels": [1, 1]}, ["levels"]),
    ("one recoding", {"levels": [9, 0]}, ["levels"]),
    ("one recoding", {"suppressed_rows": 1}, ["suppressed_rows"]),
    ("one recoding", {"lower_bound": 5, "lower_bound_checked": 5}, []),
]  # fmt: skip


@pytest.mark.few(5)
@pytest.mark.parametrize(("name", "change", "claims"), VIOLATED)
def test_a_claim_that_the_recount_refutes_is_named(name, change, claims, tmp_path):
    changed(name, change, tmp_path)
    found = ask.verified(tmp_path)
    assert [v.rule for v in found] == [f"certificate: {claim}" for claim in claims]
    status, told = ask.told_by_second(tmp_path)
    assert (status, told["proven"]) == (int(bool(claims)), found.proven)
    if ask.has_page():
        assert ask.told_by_page(tmp_path) == (status, told)


# --- questions, tables and certificates that do not go together --------------------------------------------------------------


def asked(tmp_path, name="prices", policy=None, **blocks):
    """Verify an example with other files."""
    corpus.example(name, tmp_path)
    if policy is not None:
        text = (tmp_path / "policy.toml").read_text()
        (tmp_path / "policy.toml").write_text(f"{text}{policy}\n" if not callable(policy) else policy(text))
    for file, told in blocks.items():
        (tmp_path / f"{file}.{'json' if file == 'certificate' else 'csv'}").write_text(told)
    return ask.verified(tmp_path)


TOGETHER = [
    ("one recoding", {"policy": lambda text: text.replace('recoding = "global"\n', "")}, "is about one recoding for the whole table"),
    ("lines", {"policy": 'recoding = "grid"\nround = 1\nnumeric = ["one"]', "original": "one,two\n1,x\n1,x\n2,x\n2,y\n3,y\n",
               "release": "one,two\n1,x\n1,x\n*,x\n*,y\n*,y\n"}, "is not about ranges on a grid"),
    ("ranges", {"policy": lambda text: text.replace("round = 10\n", ""), "certificate": json.dumps({"certificate": "incrowd ranges bound", "steps": [[1, 1], [1, 1]], "version": 12})},
     "about other ranged columns"),
    ("ranges", {"policy": lambda text: text.replace('numeric = ["age"]', "numeric = []")}, "needs a numeric quasi-identifier"),
    ("matching", {"policy": 'cost = "entropy"'}, "a certificate of 2-anonymity proves nothing under this cost"),
    ("prices", {"policy": 'suppressed = "null"', "original": "one,two\n,x\na,x\nb,x\nb,y\nc,y\n", "release": "one,two\n,x\n,x\n,x\n,y\n,y\n"},
     "the certificate is of no version for this table"),
    ("prices", {"original": "one,two\n"}, "has no rows; there is nothing to verify"),
    ("prices", {"original": "one,two\n*,x\na,x\nb,x\nb,y\nc,y\n"}, "column 'one' of .* already holds the star text in 1 row"),
    ("prices", {"policy": 'weights = {one = "1/999999999999999989", two = "1/999999999999999967"}'}, "too many digits or lie too far apart"),
    ("ranges", {"original": "age\n21\n24\n35\n38\n52\nx\n"}, "holds what is no number and no date"),
    ("ranges", {"original": "age\n21\n24\n35\n38\n52\n\n"}, "has missing values|no rows|as many"),
    ("ranges", {"original": "age\n" + "21\n" * 6}, "holds one number only"),
    *(("prices", {"certificate": text}, r"certificate 'certificate\.json' is no JSON")
      for text in ("", "[" * 100_000, '{"cost": 1, "cost": 2}', '{"cost": NaN}', '{"version": ' + "9" * 6000 + "}")),
    ("prices", {"certificate": "[]"}, r"certificate 'certificate\.json' is no certificate"),
    ("prices", {"certificate": '"cost"'}, r"certificate 'certificate\.json' is no certificate"),
    ("prices", {"certificate": "{}"}, "version is no whole number"),
]  # fmt: skip


@pytest.mark.few("ranges-given2-about other ranged columns", "lines-given1-is not about ranges on a grid", "prices-given8-too many digits or lie too far apart", "prices-given7-column 'one' of .* already holds the star text in 1 row", "matching-given4-a certificate of 2-anonymity proves nothing under this cost")  # fmt: skip
@pytest.mark.parametrize(("name", "given", "said"), TOGETHER)
def test_what_does_not_go_together_is_refused_in_a_sentence(name, given, said, tmp_path):
    with pytest.raises(incrowd.IncrowdError, match=said):
        asked(tmp_path, name, **given)
    assert ask.both(tmp_path).status == 2


def test_files_that_are_not_there_and_options_that_say_nothing_are_refused(tmp_path):
    corpus.example("prices", tmp_path)
    files = {
        "original": tmp_path / "original.csv",
        "released": tmp_path / "release.csv",
        "policy": tmp_path / "policy.toml",
    }
    with pytest.raises(incrowd.InputError, match=r"certificate 'none\.json' cannot be read"):
        incrowd.verify(**files, certificate=tmp_path / "none.json")
    with pytest.raises(incrowd.InputError, match="a certificate is the path of a file or a mapping, not a list"):
        incrowd.verify(**files, certificate=[1])
    with pytest.raises(incrowd.PolicyError, match="time_limit must be a number of at least 0, not -1"):
        incrowd.verify(**files, certificate=tmp_path / "certificate.json", time_limit=-1)
    with pytest.raises(incrowd.PolicyError, match="proved recounts a certificate"):
        incrowd.verify(**files, proved=True)
    with pytest.raises(incrowd.PolicyError, match="k is not given"):
        incrowd.verify(files["original"], files["released"], quasi_identifiers=["one", "two"])
    ended = incrowd.verify(**files, certificate=tmp_path / "certificate.json", time_limit=0)
    assert (list(ended), ended.proven, ended.cost) == ([], False, None)


def test_a_row_that_can_be_read_in_too_many_ways_is_refused():
    """Four columns of which every label stands at 17 levels, and a mask that neither end of a row's readings keeps."""
    names = [f"c{j}" for j in range(4)]
    lines = [["p"] * 17, ["q"] * 17]
    trees = {name: incrowd.Hierarchy(lines=lines) for name in names}
    rows = [["x", *"p" * 4], ["x", *"q" * 4]]
    table = pa.table({name: [row[j] for row in rows] for j, name in enumerate(["d", *names])})
    mask = {"patterns": [{name: 2 - bool(j) for j, name in enumerate(names)}, {}]}
    broken = table.set_column(0, "d", pa.array(["*", "x"]))
    policy = {"quasi_identifiers": ["d", *names], "k": 1, "hierarchies": trees, "mask": mask}
    assert incrowd.verify(table, table, **policy) == []
    with pytest.raises(incrowd.InputError, match="4 columns can be read in several ways in the same row"):
        incrowd.verify(table, broken, **policy)


@pytest.mark.proofs
def test_a_table_of_too_many_level_vectors_is_not_recounted():
    def asked(columns):
        names = [f"c{j}" for j in range(columns)]
        table = pa.table({name: ["x", "x", "y", "y"] for name in names})
        given = copy.deepcopy(certificate("example: prices"))
        given |= {
            "rows": 4, "row_types": 2, "cost": 0, "lower_bound": 0, "lower_bound_checked": 0, "components": None, "prices": [0, 0],
            "released_sum": ask.sum_of("\n" + "".join(",".join(columns * one) + "\n" for one in "xxyy")),
        }  # fmt: skip
        return incrowd.verify(table, table, certificate=given, quasi_identifiers=names, k=2)

    with pytest.raises(incrowd.InputError, match="too many level vectors to recount"):
        asked(23)
    assert asked(20) == []
