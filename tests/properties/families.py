"""Families of small questions about tables: by name how one is drawn, and which solvers take them."""

from __future__ import annotations

import functools
import random

from oracle.tables import MASKS, drawn

FREE = ("greedy", "improve", "exact", "ilp", "two_phase", "subset_dp", "mondrian", "mondrian:relaxed=yes", "auto")
PAIRS = ("matching", "matching_textbook", "matching_local")
STARRED = ("approximation", "instance_cover", "ball_cover", "forest")
ASKED = ("greedy", "improve", "exact", "ilp", "subset_dp", "mondrian", "auto")  # under rules

RULES = {
    "frequency": ["l-diversity l=2 column=s"],
    "frequency, no whole l": ["l-diversity l=3/2 column=v"],
    "distinct": ["l-diversity l=2 column=s kind=distinct"],
    "entropy": ["l-diversity l=3/2 column=s kind=entropy"],
    "recursive": ["l-diversity l=2 c=1.00001 column=s kind=recursive"],
    "joint": ["l-diversity l=2 columns=s,v kind=joint"],
    "close, equal": ["t-closeness t=0.4 column=s"],
    "close, numeric": ["t-closeness t=0.3 column=v distance=numeric"],
    "close, ordered": ["t-closeness t=1/4 column=v distance=ordered"],
    "p-sensitive": ["p-sensitive p=2 column=s"],
    "alpha-k": ["alpha-k alpha=0.6 column=s"],
    "beta": ["beta-likeness beta=1 column=s"],
    "beta, enhanced": ["beta-likeness beta=1 column=s enhanced=true"],
    "delta": ["delta-disclosure delta=1.2 column=s"],
    "two columns": ["l-diversity l=2 column=s", "l-diversity l=3/2 column=v"],
    "two rules": ["l-diversity l=2 column=s kind=distinct", "t-closeness t=0.5 column=v distance=ordered"],
}
NESTED = {"patterns": [[], ["b"], ["a", "b"], ["a", "b", "c"]]}


def _family(name, solvers, **how):
    ks = how.pop("ks", (2, 3))

    def draw(seed):
        rng = random.Random(f"{name} {seed}")
        given = {key: value(rng) if callable(value) else value for key, value in how.items()}
        return drawn(f"{name} {seed}", k=rng.choice(ks), **given)

    return name, (draw, solvers)


HARD = {"columns": 4, "values": 4, "rows": (9, 11), "copies": 0.2}
WIDE = {"columns": 3, "values": 5, "rows": (8, 10), "copies": 0.2}
either = lambda rng: rng.choice(("forbid", "suppress"))
some = lambda rng: rng.choice((["a"], ["a", "b"], ["c", "a"]))

FAMILIES = dict([
    _family("stars", (*FREE, *STARRED), ks=(3, 4), **HARD),
    _family("stars, suppress", (*FREE, "approximation"), ks=(2, 3, 4), outliers="suppress", **HARD),
    _family("pairs", (*FREE, *PAIRS, *STARRED), ks=(2,), **HARD),
    _family("pairs, suppress", ("matching", "exact", "auto"), ks=(2,), outliers="suppress", **HARD),
    _family("pairs, hierarchies", ("matching", "exact", "auto"), ks=(2,), hierarchies=some, outliers=either, **WIDE),
    _family("pairs, mask", ("matching", "exact", "auto"), ks=(2,), mask=lambda rng: rng.choice(MASKS), **WIDE),
    _family("pairs, 2-diversity", ("matching", "matching_local", "matching_textbook", "exact", "auto"), ks=(2,), l=2,
            sensitive=["s"], columns=3, values=4, rows=(9, 11)),
    _family("hierarchies", FREE, hierarchies=some, ks=(2, 3, 4), **WIDE),
    _family("hierarchies, suppress", FREE, hierarchies=some, ks=(3, 4), outliers="suppress", **WIDE),
    _family("weights", FREE, weights=lambda rng: {"a": rng.choice((2, "1/3", 0.25)), "b": 3}, hierarchies=["b"], **WIDE),
    _family("weights of stars", (*FREE, "approximation", "instance_cover"), weights={"a": 2, "c": "1/2"}, ks=(3,), **HARD),
    _family("missing", FREE, nulls=True, outliers=either, **HARD),
    _family("missing, stars missing", ("greedy", "improve", "exact", "ilp", "mondrian", "auto"), nulls=True,
            suppressed="null", **HARD),
    _family("nested", (*FREE, "chain"), mask=NESTED, outliers=either, ks=(2, 3, 4), **WIDE),
    _family("nested, hierarchy", ("chain", "exact", "auto"), outliers=either, ks=(2, 3),
            mask={"patterns": [[], {"b": 1}, {"a": 1, "b": 1}]}, hierarchies=["b"], **WIDE),
    _family("limit", ("greedy", "improve", "exact", "mondrian", "auto"), suppression_limit=lambda rng: rng.choice((0.1, 0.2, 0)),
            outliers="suppress", mask={"max_stars": 2}, ks=(3,), **WIDE),
    _family("limit, rule", ("greedy", "improve", "auto"), suppression_limit=0.25, outliers=either,
            require=["l-diversity l=2 column=s"], **WIDE),
    _family("entropy and joint", ("greedy", "improve", "auto"), require=[*RULES["entropy"], "l-diversity l=2 columns=s,v,c kind=joint"],
            quasi_identifiers=["a", "b"], sensitive=["s", "v", "c"], rows=(8, 10), columns=3),
    _family("mask and rule", ASKED, mask=lambda rng: rng.choice(MASKS), require=RULES["frequency"], columns=3, values=4, rows=(8, 10), copies=0.2),
    _family("one row type each", FREE, copies=0, columns=5, values=3, rows=(9, 10), ks=(3,)),
    _family("one column", (*FREE, "chain"), columns=1, values=5, rows=(8, 11), hierarchies=["a"], outliers=either, ks=(2, 3, 4)),
    _family("k = 1", ("greedy", "exact", "improve", "auto"), ks=(1,), **HARD),
    _family("cells", ("greedy", "improve", "exact", "mondrian", "auto"), cost="cells", hierarchies=some, ks=(2, 3), **WIDE),
    _family("levels", ("greedy", "improve", "exact", "ilp", "auto"), cost="levels", hierarchies=some, ks=(2, 3), **WIDE),
    _family("ncp", ("greedy", "improve", "exact", "subset_dp", "auto"), cost="ncp", hierarchies=some, ks=(2, 3), **WIDE),
    _family("entropy cost", ("greedy", "improve", "exact", "ilp", "matching", "auto"), cost="entropy", hierarchies=some,
            ks=(2, 3), **WIDE),
    *(_family(f"mask {n}", ("greedy", "improve", "exact", "two_phase", "auto"), mask=mask, hierarchies=lambda rng: rng.choice((None, ["a"])),
              outliers=either, **WIDE) for n, mask in enumerate(MASKS)),
    *(_family(name, ASKED, require=require, hierarchies=lambda rng: rng.choice((None, None, ["a"])), outliers=either,
              columns=3, values=4, rows=(8, 10), copies=0.2) for name, require in RULES.items()),
])  # fmt: skip


@functools.lru_cache(64)
def question(family, seed):
    """A drawn question of a family, and what its least release costs."""
    asked = FAMILIES[family][0](seed)
    return asked, asked.least()
