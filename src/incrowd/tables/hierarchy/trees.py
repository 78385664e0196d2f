"""Trees given in Python, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from incrowd.errors import PolicyError, count_of

__all__ = ["lines_of_parents", "lines_of_tree"]

STAR = "*"


def lines_of_tree(tree: Mapping[str, Any] | Sequence[Any]) -> list[tuple[str, ...]]:
    """Return the lines of a nested tree of mappings and lists; leaves are the entries of lists.

    The tree leads from labels to branches, down to lists of values. Raises PolicyError if it holds something else, or
    an empty branch.
    """
    if isinstance(tree, Mapping) and list(tree) == [STAR]:
        tree = tree[STAR]
    if not isinstance(tree, (Mapping, list, tuple)):
        raise PolicyError("a tree must be made of mappings (label to branch) and lists of values")
    return _even([list(reversed(path)) for path in _paths(tree, ())])


def _paths(branch: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(branch, Mapping):
        parts = [((*above, str(label)), below) for label, below in branch.items()]
    elif isinstance(branch, (list, tuple)):
        parts = [(above, below) for below in branch]
    elif branch is None or isinstance(branch, (str, int, float)):
        yield (*above, "" if branch is None else str(branch))
        return
    else:
        raise PolicyError("a tree must be made of mappings (label to branch) and lists of values")
    if not parts:
        raise PolicyError("a branch of the tree is empty: every label needs values below it")
    for path, below in parts:
        yield from _paths(below, path)


def lines_of_parents(parents: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the lines of a mapping from every value and label to the one above it.

    What leads to ``*`` or to nothing is at the top. Raises PolicyError if following the parents runs in a circle.
    """
    above = {str(child): str(parent) for child, parent in parents.items()}
    inner = set(above.values())
    paths = []
    for leaf in above:
        if leaf in inner:
            continue
        path = [leaf]
        while path[-1] in above and above[path[-1]] != STAR:
            path.append(above[path[-1]])
            if len(path) > len(above) + 1:
                raise PolicyError("the parents run in a circle: every value must lead up to the root")
        paths.append(path)
    walked = {node for path in paths for node in path}
    circling = sum(node not in walked and node != STAR for node in above)
    if circling:
        raise PolicyError(
            f"the parents of {count_of(circling, 'value')} run in a circle: every value must lead up to the root"
        )
    if not paths:
        raise PolicyError("the mapping of parents is empty: it needs an entry for every value")
    return _even(paths)


def _even(paths: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return paths from leaf to just below the root, the shorter ones showing their leaf for longer."""
    longest = max(len(path) for path in paths)
    return [(path[0],) * (longest - len(path)) + tuple(path) for path in paths]
