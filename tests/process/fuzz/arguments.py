"""Calls of the library with arguments of any type and size among sound ones."""

from __future__ import annotations

import dataclasses

import incrowd
from incrowd.policy.job import known_settings
from process.fuzz.case import Case
from process.fuzz.values import any_values, drawn, source_of

__all__ = ["python"]

NETWORKS = ("EDGES", "EDGES", "GRAPH", "MATRIX", "PAIRS", "FRAME", "LABELS")
TABLES = ("TABLE", "TABLE", "TABLE", "PANDAS", "EMPTY", "NARROW")
MODELS = {
    "AlphaK": ("alpha=0.5", "column='ill'"), "BetaLikeness": ("beta=1", "column='ill'", "enhanced=True"),
    "DeltaDisclosure": ("delta=1", "column='ill'"), "KAnonymity": ("k=2",),
    "LDiversity": ("l=2", "column='ill'", "kind='recursive'", "c=1"), "PSensitive": ("p=2", "column='ill'"),
    "TCloseness": ("t=0.5", "column='ill'", "distance='equal'", "rescale=False", "order=()", "hierarchy=()"),
}  # fmt: skip
MASK = ("max_stars=2", "keep=['age']", "together=[['age', 'sex']]", "at_most_one=[['age', 'sex']]", "never_together=[['age', 'sex']]",
        "max_level={'age': 1}", "full_suppression=True", "patterns=[['age']]")  # fmt: skip
HIERARCHY = ("lines=[('20', '20-22', '*'), ('21', '20-22', '*')]", "level_costs=(0, 1, 2)", "node_costs=(('20', 1),)")
QUESTIONS = {
    "anonymity": ("attackers=1", "time_limit=1", "seed=0", "component='all'", "show_labels=False"),
    "antidimension": ("at_least=1", "exactly=1", "time_limit=1", "seed=0", "component='largest'", "show_labels=True"),
    "profile": ("time_limit=1", "seed=0", "component='all'", "memory='900GB'"),
    "classes": ("nodes=[0]",), "read": ("component='all'", "format='edges'", "delimiter=','", "header=True", "comments='#'"),
    "risks": ("attackers=1", "strategy='random'", "groups=2", "sample=2", "seed=1", "time_limit=1"),
    "simulate_attack": ("trials=1", "sybils=3", "targets=1", "noise=0.1", "seed=1", "time_limit=1"),
}  # fmt: skip
NEEDED = ("Hierarchy", "anonymity", "classes")  # what has an argument that must be there
SETTINGS = ("quasi_identifiers=['age', 'sex', 'job']", "k=2", "solver='greedy'", "time_limit=1")


def python(rng, index: int) -> Case:
    """A constructor, a question about a network, or (every sixtieth) a job on a table, with junk for one or two arguments."""
    junk = [source_of(value) for value in drawn(any_values, index)]
    if index % 60 == 0:
        return _job(rng, junk)
    draw = rng.random()
    if draw < 0.3:
        name = rng.choice(list(MODELS))
        return _called(rng, name, (), MODELS[name], junk)
    if draw < 0.45:
        return _called(rng, "Mask", (), MASK, junk)
    if draw < 0.55:
        return _called(rng, "Hierarchy", (), HIERARCHY, junk)
    if draw < 0.75:
        name = rng.choice(("Policy", "Job"))
        fields = [one.name for one in dataclasses.fields(getattr(incrowd, name))]
        return _called(rng, name, (), tuple(f"{one}=None" for one in rng.sample(fields, 2)), junk)
    name = rng.choice(list(QUESTIONS))
    source = rng.choice(NETWORKS) if rng.random() < 0.85 else rng.choice(junk)
    return _called(rng, name, (source,), QUESTIONS[name], junk)


def _called(rng, name: str, first: tuple[str, ...], sound: tuple[str, ...], junk: list[str]) -> Case:
    """A call with some of the sound arguments, one or two of them replaced."""
    least = 1 if name in ("Mask", "Hierarchy") or first else min(2, len(sound))
    kept = (
        sound[: rng.randrange(least, len(sound) + 1)]
        if name in MODELS
        else rng.sample(sound, rng.randrange(1, len(sound) + 1))
    )
    kept = [one for one in sound[:1] if name in NEEDED and one not in kept] + list(kept)
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(kept))
        value = rng.choice(junk)
        shape = rng.random()
        if shape < 0.15:
            value = f"[{value}]"
        elif shape < 0.25:
            value = f"[[{value}, 'age']]"
        elif shape < 0.35:
            value = f"{{'age': {value}}}"
        kept[at] = f"{kept[at].partition('=')[0]}={value}"
    shown = any(one.startswith("show_labels") for one in kept)  # the labels are asked for
    return Case("python", call=(name, *first, *kept), shown=shown)


def _job(rng, junk: list[str]) -> Case:
    """A job on a table."""
    name = rng.choice(("anonymize", "anonymize", "anonymize", "audit", "tradeoff", "verify"))
    table = rng.choice(TABLES) if rng.random() < 0.9 else rng.choice(junk)
    settings = list(SETTINGS)
    if name == "tradeoff":
        settings[1:3] = ["ks=[2]", "solvers=['greedy']"]
    elif name == "audit":
        settings = settings[:2]
    changed = rng.choice(
        [one for one in known_settings() if one not in ("solver", "engine", "output", "report", "certificate")]
    )
    settings = [one for one in settings if not one.startswith(f"{changed}=")] + [f"{changed}={rng.choice(junk)}"]
    first = (table, rng.choice(TABLES)) if name == "verify" else (table,)
    return Case("python", call=(name, *first, *settings))
