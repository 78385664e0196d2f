"""Random masks and tables of columns, as plain dicts, from a seed."""

from dataclasses import dataclass
from random import Random

NAMES = ("age", "work", "edu", "sex", "race", "land")


@dataclass
class Drawn:
    spec: dict
    columns: list
    heights: list
    costs: list
    ties: list
    rng: Random


def draw(seed: int, *, depth: int = 2) -> Drawn:
    rng = Random(seed)
    columns = rng.sample(NAMES, rng.randint(1, len(NAMES)))
    heights = [rng.choice((0, 1, 1, 1, 2, 3)) for _ in columns]
    spec = mask(rng, columns, dict(zip(columns, heights, strict=True)), depth)
    # Few different numbers, so that every tie rule gets its turn; costs need not grow with the level.
    costs = [[0] + [rng.randint(0, 3) for _ in range(top)] for top in heights]
    ties = [[rng.randint(0, 2) for _ in range(top + 1)] for top in heights]
    return Drawn(spec, columns, heights, costs, ties, rng)


def mask(rng, columns, top, depth=2):
    """A random mask over columns with these top levels."""
    if depth and rng.random() < 0.4:
        return {rng.choice(("any", "all")): [mask(rng, columns, top, depth - 1) for _ in range(rng.randint(1, 3))]}
    spec = {}
    if rng.random() < 0.4:
        spec["max_stars"] = rng.randint(0, len(columns))
    if rng.random() < 0.3:
        spec["keep"] = rng.sample(columns, rng.randint(1, len(columns)))
    for rule in ("together", "at_most_one", "never_together"):
        if len(columns) > 1 and rng.random() < 0.35:
            spec[rule] = [rng.sample(columns, rng.randint(2, len(columns))) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.3:
        spec["max_level"] = {c: rng.randint(0, top[c]) for c in rng.sample(columns, rng.randint(1, len(columns)))}
    if rng.random() < 0.3:
        spec["full_suppression"] = False
    if rng.random() < 0.3:
        spec["patterns"] = [_pattern(rng, columns, top) for _ in range(rng.randint(1, 6))]
    return spec


def _pattern(rng, columns, top):
    chosen = rng.sample(columns, rng.randint(0, len(columns)))
    if rng.random() < 0.5:
        return chosen
    pattern = {c: rng.randint(1, top[c]) for c in chosen if top[c]}
    return pattern or []
