"""Calls of the library from text: the function's name and its arguments as source, over names that are made here."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse as sp

import incrowd
from incrowd import networks
from process.fuzz.case import CANARY

__all__ = ["COLUMNS", "answer_of", "lines"]

COLUMNS = ("age", "sex", "job", "zip", "ill", "who")
JOBS, ILLS = ("clerk", "nurse", "cook"), ("flu", "cold", "")


def lines(number: int = 24) -> list[tuple[str, ...]]:
    """The table that most inputs are about: a column of names, cells that are alone in others, and gaps.

    Every cell that is alone in its column holds the canary.
    """
    made = []
    for i in range(number):
        odd = i % 11 == 5
        made.append((
            str(20 + i * 7 % 5), "mf"[i % 2], f"{CANARY}j{i}" if odd else JOBS[i * 5 % 3], f"0{i % 4}",
            f"{CANARY}i{i}" if i % 9 == 2 else ILLS[i * 2 % 3], f"{CANARY}{i}",
        ))  # fmt: skip
    return made


def _table() -> pa.Table:
    columns = list(zip(*lines(), strict=True))
    cells = {name: [cell or None for cell in column] for name, column in zip(COLUMNS, columns, strict=True)}
    return pa.table({**cells, "age": [int(cell) for cell in columns[0]]})


EDGES = [(i, i * 5 % 12) for i in range(12)] + [(i, (i + 1) % 12) for i in range(12)]


class Odd:
    """Something that is no argument of anything."""

    def __repr__(self) -> str:
        return "Odd()"


class Names(dict[str, Any]):
    """What the source of an argument may name; made when it is asked for, and anew for each call, which may change it."""

    def __missing__(self, name: str) -> Any:
        if name not in MADE:
            raise KeyError(name)
        self[name] = MADE[name]()
        return self[name]


FIXED = {
    "nan": math.nan, "inf": math.inf, "nanj": complex(0, math.nan), "infj": complex(0, math.inf), "Fraction": fractions.Fraction, "Decimal": decimal.Decimal, "datetime": datetime,
    "Path": Path, "Odd": Odd, "incrowd": incrowd, "networks": networks, "np": np, "pa": pa, "pd": pd,
}  # fmt: skip
MADE = {
    "TABLE": _table, "PANDAS": lambda: _table().to_pandas(), "EMPTY": lambda: _table().slice(0, 0), "NARROW": lambda: _table().select([]),
    "EDGES": lambda: list(EDGES), "GRAPH": lambda: nx.Graph(EDGES), "MATRIX": lambda: sp.coo_matrix(nx.to_scipy_sparse_array(nx.Graph(EDGES))),
    "PAIRS": lambda: np.array(EDGES), "FRAME": lambda: pd.DataFrame(EDGES, columns=["a", "b"]),
    "LABELS": lambda: [(f"{CANARY}{u}", f"{CANARY}{v}") for u, v in EDGES],
}  # fmt: skip


def _round_trip(path: str) -> str:
    """Load a job, save it, load it again: the same job."""
    first = incrowd.Job.load(path)
    first.save("again.toml")
    again = incrowd.Job.load("again.toml")
    if (first.policy, first.solver, first.gap, first.seed) != (again.policy, again.solver, again.gap, again.seed):
        raise AssertionError("a policy that was saved and loaded is another one")
    return str(len(repr(first)))


def _released(*arguments: Any, **settings: Any) -> str:
    with incrowd.anonymize(*arguments, **settings) as release:
        return release.summary() + release.to_json() + repr(release)


def _shown(function: Any) -> Any:
    return lambda *arguments, **settings: repr(function(*arguments, **settings))


FUNCTIONS = {
    "round trip": _round_trip,
    "anonymize": _released,
    "audit": _shown(incrowd.audit),
    "tradeoff": lambda *a, **s: repr(incrowd.tradeoff(*a, **s).points),
    "verify": _shown(incrowd.verify),
    **{name: _shown(getattr(networks, name)) for name in (
        "anonymity", "antidimension", "check", "classes", "profile", "read", "risks", "simulate_attack")},
    **{name: _shown(getattr(incrowd, name)) for name in (
        "AlphaK", "BetaLikeness", "DeltaDisclosure", "KAnonymity", "LDiversity", "PSensitive", "TCloseness", "Hierarchy", "Mask",
        "Policy", "Job")},
}  # fmt: skip


def answer_of(call: tuple[str, ...]) -> str:
    """Run a call: the name of a function, then the source of each of its arguments, a name and ``=`` before some.

    Raises
    ------
    Exception
        What the function raises.
    """
    names = Names(FIXED)
    arguments, settings = [], {}
    for source in call[1:]:
        name, _, value = source.partition("=")
        if name.isidentifier() and _:
            settings[name] = eval(value, {}, names)
        else:
            arguments.append(eval(source, {}, names))
    return FUNCTIONS[call[0]](*arguments, **settings)
