"""Large random and regular networks for the benchmarks, made with NumPy alone."""

from __future__ import annotations

import numpy as np

import incrowd

__all__ = ["FAMILIES", "make"]


def _random(n: int, rng: np.random.Generator) -> np.ndarray:
    """Erdos-Renyi, average degree 10."""
    return rng.integers(0, n, (5 * n, 2))


def _attachment(n: int, rng: np.random.Generator, links: int) -> np.ndarray:
    """Preferential attachment by copying an end of a random earlier link."""
    ends = np.empty((n * links, 2), np.int64)
    ends[:, 0] = np.repeat(np.arange(n), links)
    flat = ends.reshape(-1)
    pick = rng.random(n * links)
    seed = links + 1
    ends[: seed * links, 1] = (ends[: seed * links, 0] + 1 + np.tile(np.arange(links), seed)) % seed
    for i in range(seed * links, n * links):
        flat[2 * i + 1] = flat[int(pick[i] * (2 * (i - i % links)))]
    return ends


def _power_law(n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw a power law by the configuration model, exponent 2.5, least degree 1."""
    degree = np.minimum(np.floor((1 - rng.random(n)) ** (-1 / 1.5)).astype(np.int64), n // 4)
    stubs = np.repeat(np.arange(n), degree)
    rng.shuffle(stubs)
    return stubs[: stubs.size // 2 * 2].reshape(-1, 2)


def _small_world(n: int, rng: np.random.Generator) -> np.ndarray:
    """Watts-Strogatz, ten neighbours, a tenth of the links moved."""
    u = np.repeat(np.arange(n), 5)
    v = (u + np.tile(np.arange(1, 6), n)) % n
    moved = rng.random(u.size) < 0.1
    v[moved] = rng.integers(0, n, int(moved.sum()))
    return np.stack([u, v], axis=1)


def _grid(n: int, rng: np.random.Generator) -> np.ndarray:
    """Square lattice."""
    side = round(n**0.5)
    i = np.arange(side * side).reshape(side, side)
    return np.concatenate(
        [np.stack([i[:, :-1].ravel(), i[:, 1:].ravel()], 1), np.stack([i[:-1].ravel(), i[1:].ravel()], 1)]
    )


def _percolated(n: int, rng: np.random.Generator) -> np.ndarray:
    """Square lattice of which 70 % of the links are left."""
    ends = _grid(n, rng)
    return ends[rng.random(len(ends)) < 0.7]


def _geometric(n: int, rng: np.random.Generator) -> np.ndarray:
    """Random geometric graph in the unit square, average degree 10."""
    from scipy.spatial import cKDTree

    return cKDTree(rng.random((n, 2))).query_pairs((10 / np.pi / n) ** 0.5, output_type="ndarray")


FAMILIES = {
    "random": _random,
    "attachment": lambda n, rng: _attachment(n, rng, 5),
    "small world": _small_world,
    "power law": _power_law,
    "tree": lambda n, rng: _attachment(n, rng, 1),
    "grid": _grid,
    "percolated grid": _percolated,
    "geometric": _geometric,
}


def make(name: str, n: int, seed: int = 1) -> incrowd.networks.Graph:
    """Return the largest component of a network of the family `name` with `n` nodes."""
    return incrowd.networks.read(FAMILIES[name](n, np.random.default_rng(seed)), component="largest")
