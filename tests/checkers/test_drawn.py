"""Proofs with any numbers: what they are worth is the same for all checkers, and never more than a release costs at least.

Any prices prove something, and so do cuts, trees and multipliers that hold: so numbers are drawn for small tables, and the
bound that `incrowd verify` recounts is compared with those of the second checker and the page, and with the least cost of
all releases. The release is that of stars alone, which costs more than any bound.
"""

from __future__ import annotations

import json
import math
import random

import pytest

from checkers import ask, changes, corpus
from checkers.corpus import BASE, MODELS, ON_GRID, TWO_GRIDS, Entry, ages_of
from oracle.release_checks import place_of
from seeds import how_many, seeds

REQUIRED = {  # by model, the numbers of one multiplier for so many values
    "frequency": lambda rng, d: [
        x for v in rng.sample(range(d), rng.randrange(1, d + 1)) for x in (v, rng.randrange(0, 40))
    ],
    "alpha-k": lambda rng, d: [rng.randrange(d), rng.randrange(0, 40)],
    "beta-likeness": lambda rng, d: [rng.randrange(d), rng.randrange(0, 40)],
    "equal distance": lambda rng, d: [(mu := rng.randrange(0, 40)), *(rng.randrange(0, mu + 1) for _ in range(d))],
    "numeric distance": lambda rng, d: [(mu := 3 * rng.randrange(0, 20)), *(v * mu // max(d - 1, 1) for v in range(d))],
    "ordered distance": lambda rng, d: [(mu := 6 * rng.randrange(0, 9)), *(-v * mu // max(d - 1, 1) for v in range(d))],
    "entropy": lambda rng, d: [rng.randrange(0, 40), *(rng.randrange(1, 9) for _ in range(d))],
    "recursive": lambda rng, d: [
        x for _ in range(rng.randrange(1, 3)) for x in (rng.randrange(0, 30), rng.randrange(d), rng.randrange(d))
    ],
    "distinct": lambda rng, d: [],
    "p-sensitive": lambda rng, d: [],
    "joint": lambda rng, d: [],
    "delta-disclosure": lambda rng, d: [rng.randrange(d), rng.randrange(0, 40)],
}
JUDGED = {"numeric distance": "pay", "ordered distance": "pay"}


def question_of(kind, rng, rows=None):
    """A table and what is asked of it."""
    if kind == "ranges":
        said = rng.choice([ON_GRID, TWO_GRIDS]) | {
            "outliers": rng.choice(["forbid", "suppress"]),
            "k": rng.randrange(1, 4),
        }
        said |= {"cost": "ncp"} if rng.random() < 0.4 else {}
        said |= (
            {"mask": rng.choice([{"max_stars": 2}, {"together": [["age", "sex"]]}, {"max_level": {"age": 1}}])}
            if rng.random() < 0.4
            else {}
        )
        found = corpus.table(rng.randrange(10**6), rng.randrange(4, 8))
        return (
            Entry(found, said)
            if len({row[0] for row in found}) > 1 and len({row[4] for row in found}) > 1
            else question_of(kind, rng)
        )
    found = corpus.table(
        rng.randrange(10**6), rows or rng.randrange(3, 9), ages=rng.randrange(2, 6), missing=rng.random() < 0.2
    )
    said = {
        **BASE,
        "k": min(rng.choice([1, 2, 2, 3, 3, 4]), len(found)),
        "outliers": rng.choice(["forbid", "suppress"]),
    }
    trees = {"age": ages_of(found)} if rng.random() < 0.6 else {}
    said |= {"cost": rng.choice(["leaves", "levels", "cells", "ncp"])} if trees else {}
    said |= {"weights": {"sex": rng.choice([2, "1/2"]), "age": 3}} if rng.random() < 0.4 else {}
    said["mask"] = rng.choice([{}, {}, {}, *corpus.MASKS.values()])
    if kind.startswith("requirement"):
        names = rng.sample(list(REQUIRED), rng.choice([1, 1, 2]))
        said["require"] = [MODELS[name] for name in names]
    return Entry(found, said, trees=trees)


def types_of(entry, columns):
    """The row types in their order, with their rows: missing values first, then by bytes."""
    key = lambda row: tuple((cell is not None, (cell or "").encode()) for cell in row)
    every = [tuple(row[entry.names.index(c)] for c in columns) for row in entry.rows]
    return {one: every.count(one) for one in sorted(set(every), key=key)}


def scale_of(entry):
    """The least number of parts of a unit that makes every cost whole."""
    question, found = entry.question, [1]
    for column in question.quasi:
        cells = set(question.cells(column))
        weight = question.weight(column)
        if column in question.ranged:
            numbers = sorted({place_of(cell) for cell in cells})
            wide = question.said.get("cost") == "ncp"
            width = numbers[-1] - numbers[0]
            found += (
                [(weight * (x - numbers[0]) / width).denominator for x in numbers]
                if wide
                else [(weight / (len(cells) - 1)).denominator]
            )
            found.append(weight.denominator)
            continue
        found += [
            question.price(column, cell, level).denominator
            for cell in cells
            for level in range(question.heights[column] + 1)
        ]
    return math.lcm(*found)


def stars(entry):
    """The release of stars alone, and its cost."""
    question = entry.question
    rows = [
        [question.star if c in question.quasi else row[entry.names.index(c)] for c in question.kept]
        for row in entry.rows
    ]
    top = lambda c: 1 if c in question.ranged else None
    each = [
        question.weight(c) if top(c) else question.price(c, row[entry.names.index(c)], question.heights[c])
        for row in entry.rows for c in question.quasi
    ]  # fmt: skip
    return rows, sum(each)


def head_of(entry, name, version, columns):
    scale = scale_of(entry)
    cost = stars(entry)[1] * scale
    assert cost.denominator == 1
    return {
        "certificate": name, "version": version, "rows": len(entry.rows), "row_types": len(types_of(entry, columns)), "k": entry.said["k"],
        "outliers": entry.said["outliers"], "scale": scale, "cost": int(cost), "lower_bound": 0, "lower_bound_checked": 0, "proof": "solver", "released_sum": ask.sum_of(corpus.lines_of(stars(entry)[0], entry.question.kept)),
    }  # fmt: skip


def prices_of(rng, types, parts, most):
    """Any prices: mostly near what a row may cost."""
    return [
        rng.choice([0, rng.randrange(-parts, parts * most + 2), rng.randrange(0, parts * most // 2 + 2)]) for _ in types
    ]


def planted(rng, folder, made, entry, types):
    """Trees and cuts, most of which hold: what does not is mostly left out again, as the second checker says."""

    def holds(some):
        ask.save(folder, some)
        status, told = ask.told_by_second(folder)
        return status < 2 and "certificate: proof" not in told["violations"]

    vectors, counts, lattice = entry.question.vectors, list(types.values()), made["components"] is None
    parts = {0} if lattice else set(made["components"])
    made["trees"] = []
    for part in parts:
        own = [i for i in range(len(types)) if lattice or made["components"][i] == part]
        tree = {"component": part, "instances": [], "cuts": [], "tree": {"prices": [], "weights": []}}

        def tried(tree=tree, part=part, **more):
            if holds(made | {"trees": [*made["trees"], tree | more]}) or rng.random() < 0.02:
                tree.update(more)

        for _ in range(7):
            tried(instances=[*tree["instances"], [*rng.choice(vectors), rng.choice(own)]])
        names = range(len(tree["instances"]))
        some = lambda every: sorted(rng.sample(list(every), rng.randrange(1, len(every) + 1))) if every else []
        for kind in rng.choices("CTSF", k=6) if tree["instances"] else ():
            ones = [i for i in own if counts[i] == 1]
            cut = {"C": {"instances": some(names)}, "T": {"types": some(own), "instances": some(names)},
                   "F": {"types": some(own), "part": some(names)[:2], "full": [rng.choice(names)]}}.get(kind)  # fmt: skip
            if kind == "S":
                if len(ones) < 3:
                    continue
                three = sorted(rng.sample(ones, 3))
                cut = {"types": three, "pairs": [[g, *rng.sample(three, 2)] for g in some(names)]}
            tried(cuts=[*tree["cuts"], {"kind": kind, **cut}])

        def leaf(tree=tree, own=own):
            k = made["k"]
            weights = []
            for c, cut in enumerate(tree["cuts"]):
                divisor = k - sum(counts[i] for i in cut["types"]) % k if cut["kind"] == "T" else 1
                if rng.random() < 0.7:
                    weights.append([c, divisor * rng.randrange(0, 3 * made["parts"])])
            moves = [] if lattice else [[i, rng.randrange(-3, 4)] for i in range(len(own)) if rng.random() < 0.5]
            return {"prices": moves, "weights": weights}

        def node(left, leaf=leaf):
            if lattice or not left or rng.random() < 0.3:
                return leaf()
            return {"instance": left[0], "closed": node(left[1:]), "open": node(left[1:])}

        tree["tree"] = node(rng.sample(list(names), min(3, len(names))))
        made["trees"].append(tree)
    return made


def required(rng, entry, types, columns, branching):
    """Keys of version 12: multipliers drawn near their cones, now and then outside of them."""
    question, vectors = entry.question, entry.question.vectors
    multipliers = []
    for _ in range(rng.randrange(0, 5)):
        r = rng.randrange(len(entry.said["require"]))
        name = next(name for name, text in MODELS.items() if text == entry.said["require"][r])
        if name in ("distinct", "p-sensitive", "joint") and rng.random() < 0.9:
            continue
        d = len(set(question.cells(JUDGED.get(name, "ill"))))
        one = [*rng.choice(vectors), rng.randrange(len(types)), r, *REQUIRED[name](rng, d)]
        if rng.random() < 0.05:
            one[-1] = -1
        if not any(one[: len(columns) + 2] == other[: len(columns) + 2] for other in multipliers):
            multipliers.append(one)
    made = {
        "requirements": entry.said["require"],
        "whole_below": rng.choice([1, 2, 3, 9, 9]),
        "multipliers": multipliers,
    }
    if not branching:
        return made
    names = [[*rng.choice(vectors), rng.randrange(len(types))] for _ in range(2)]
    leaf = lambda: {
        "prices": [[i, rng.randrange(-4, 5)] for i in range(len(types)) if rng.random() < 0.5],
        "weights": [],
    }
    second = {"instance": 1, "closed": leaf(), "open": leaf()} if rng.random() < 0.5 else leaf()
    root = {"instance": 0, "closed": leaf(), "open": second}
    return made | {"trees": [{"component": 0, "instances": names, "cuts": [], "tree": root}]}


def drawn(kind, rng, folder, rows=None):
    """An entry, its files with the release of stars alone, and a certificate of some kind with drawn numbers."""
    entry = question_of(kind, rng, rows)
    quasi = entry.question.quasi
    judged = [c for c in entry.names if c in entry.question.judged] if kind.startswith("requirement") else []
    types = types_of(entry, [*quasi, *judged])
    corpus.write(entry, folder)
    (folder / "release.csv").write_text(corpus.lines_of(stars(entry)[0], entry.question.kept))
    version = {"lines": 13, "requirements": 12, "requirement trees": 12}.get(kind, 11)
    name = "incrowd ranges bound" if kind == "ranges" else "incrowd k-anonymity bound"
    if kind == "ranges" and len(entry.question.ranged) > 1:
        version = 12
    made = head_of(entry, name, version, [*quasi, *judged])
    parts = made["parts"] = rng.choice([1, 1, 2, 7, 12])
    made["prices"] = prices_of(rng, types, parts, max(2 * made["cost"] // (3 * made["rows"]), 1))
    if kind in ("prices", "components", "trees", "cuts"):
        made["components"] = None
        made["trees"] = []
    if kind in ("components", "trees"):
        labels = [rng.randrange(rng.choice([1, 1, 2])) for _ in types]
        made["components"] = [sorted(set(labels)).index(one) for one in labels]
    if kind in ("trees", "cuts"):
        planted(rng, folder, made, entry, types)
    if kind.startswith("requirement"):
        made |= required(rng, entry, types, quasi, kind == "requirement trees")
    if kind == "ranges":
        steps = [[n.numerator, n.denominator] for n in entry.question.ranged.values()]
        at = [quasi.index(c) for c in entry.question.ranged]
        made |= {"columns": at, "steps": steps} if version == 12 else {"column": at[0], "step": steps[0]}
    ask.save(folder, made)
    return entry, made


KINDS = {
    "prices": 4,
    "components": 3,
    "trees": 5,
    "cuts": 6,
    "lines": 3,
    "requirements": 8,
    "requirement trees": 6,
    "ranges": 6,
}


@pytest.mark.seeds
@pytest.mark.parametrize("kind", KINDS)
def test_what_any_numbers_prove_is_the_same_for_all_and_no_more_than_the_least_cost(kind, tmp_path):
    @seeds(60 * KINDS[kind], -(-KINDS[kind] // 6))
    def each(seed):
        rng = random.Random(f"{kind} {seed}")
        folder = tmp_path / str(seed)
        entry, made = drawn(kind, rng, folder)
        said = ask.both(folder)
        if not said.bound:
            assert ask.by_verify(folder) == said
            return
        assert said.cost * made["scale"] == made["cost"]
        least = entry.question.least
        assert least is None or said.bound <= least
        for more in (0, 1):  # claimed to the last unit, and a unit more; `verify` is asked about one of them
            bound = int(said.bound * made["scale"]) + more
            ask.save(folder, made | {"lower_bound": bound, "lower_bound_checked": bound, "proof": "certificate"})
            told = (ask.everyone if (seed + len(kind)) % 2 == more else ask.both)(folder)
            assert told == said._replace(status=max(said.status, more), proven=not more)

    each()


def test_numbers_are_drawn_that_prove_something(tmp_path):
    """Of every kind: else the test above would compare nothing with nothing."""

    def bound(kind, seed):
        folder = tmp_path / f"{kind} {seed}"
        drawn(kind, random.Random(f"{kind} {seed}"), folder)
        return ask.by_second(folder).bound

    for kind in KINDS:
        assert any(bound(kind, seed) for seed in range(12)), kind


@pytest.mark.parametrize("kind", ["prices", "cuts", "lines", "requirements"])
@seeds(20, 1)
def test_many_rows_get_one_bound(kind, seed, tmp_path):
    rng = random.Random(f"many {kind} {seed}")
    folder = tmp_path / str(seed)
    drawn(kind, rng, folder, rows=60)
    ask.everyone(folder)


OF_EVERY_KIND = ["k, some suppressed", "per row", "2-diversity", "two models", "a grid", "lines"]


@seeds(300, 2)
def test_changed_certificates_of_the_corpus_get_one_verdict(seed, tmp_path):
    """Whatever is changed, and however often: in places, in the text, or for another's proof."""
    rng = random.Random(seed)
    names = OF_EVERY_KIND if how_many(2, 1) == 1 else list(corpus.ENTRIES)
    name, other = rng.sample(names, 2) if seed % 3 else (names[seed % len(names)], names[(seed + 1) % len(names)])
    certificate, theirs = (ask.certificate_of(corpus.made(one)) for one in (name, other))
    folder = corpus.copied(name, tmp_path / str(seed))
    entry = corpus.ENTRIES[name]
    least = entry.question.least if entry.tiny else None
    for turn in range(12):
        made = changes.changed(certificate, theirs, rng)
        if turn % 4 == 1 and type(made.get("cost")) is int:
            made = changes.claimed(made, made["cost"] + rng.randrange(3))
        if turn % 6 == 2:
            made = changes.as_if_for(theirs, certificate)
        if turn % 6 == 4 and certificate["version"] not in (13, 16):
            made = changes.garbled(certificate, rng)
        try:
            ask.save(folder, made)
        except UnicodeEncodeError:
            continue
        said = ask.both(folder)
        assert said.status == 2 or least is None or said.bound <= least
        assert said.status or least is None or said.cost >= least
        if turn % 6 == seed % 6:
            assert ask.by_verify(folder) == said


def test_the_same_proof_in_finer_parts_gets_one_verdict_up_to_where_64_bits_end(tmp_path):
    words = set()
    for at, name in enumerate(OF_EVERY_KIND):
        certificate = ask.certificate_of(corpus.made(name))
        folder = corpus.copied(name, tmp_path / str(at))
        for shift in (1, 30, *range(48, 62, 3)):
            ask.save(folder, changes.finer(certificate, 1 << shift))
            said = ask.both(folder)
            if shift == (1, 48, 51, 54, 57, 60)[at]:
                assert ask.by_verify(folder) == said
                words.add(said.status)
            assert said.status in (0, 2)
    assert words == {0, 2}


def test_the_examples_survive_a_json_writer(tmp_path):
    """Spaces and line ends between the parts of a certificate mean nothing."""
    for name in corpus.EXAMPLES:
        if name != "lines":
            folder = tmp_path / name
            folder.mkdir()
            corpus.example(name, folder)
            ask.save(folder, "\n " + json.dumps(ask.certificate_of(folder), indent=3) + "\n\n")
            assert ask.both(folder).status == 0
