"""A workload: which questions a release is meant to answer, as a TOML file says.

Each ``[[query]]`` names quasi-identifiers (``columns``) and a ``weight`` (1 unless given). With a ``target`` it asks
how well the columns tell that column, without one it counts rows by the columns' values.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError, did_you_mean
from incrowd.settings import as_fraction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction


WORD = "workload"
MOST_BYTES = 1 << 20
MOST_QUERIES = 1000


@dataclass(frozen=True, slots=True)
class Query:
    """One question that is asked of a release.

    `columns`: quasi-identifiers, each once. `weight`: above 0. `target`: the column that `columns` tell of; None: rows
    are counted.
    """

    columns: tuple[str, ...]
    weight: Fraction
    target: str | None = None


def read_workload(file: str, quasi_identifiers: Sequence[str], names: Sequence[str]) -> tuple[Query, ...]:
    """Return the queries of a TOML file of at most 1 MiB and 1000 queries, one at least.

    Queries may name `quasi_identifiers`, and targets may name `names`, all columns of the table. Raise `InputError` if
    it cannot be read or is no TOML. Raise `PolicyError` if it has no query, an unknown key, a query without columns or
    with a weight that is not above 0, or names a column that there is not.
    """
    import tomllib  # here, for most jobs have no workload

    told = f"workload {Path(file).name!r}"
    try:
        with Path(file).open("rb") as opened:
            raw = opened.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise InputError(f"{told} has more than {MOST_BYTES:,} bytes")
        said = tomllib.loads(raw.decode("utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no {told}") from None
    except OSError as error:
        raise InputError(f"{told} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{told} is not valid TOML in UTF-8") from None
    given = said.get("query")
    if set(said) != {"query"} or not isinstance(given, list) or not given:
        raise PolicyError(f"{told} must hold queries and nothing else: one [[query]] with columns, or several")
    if len(given) > MOST_QUERIES:
        raise PolicyError(f"{told} has more than {MOST_QUERIES:,} queries")
    queries = tuple(_query(one, f"{told}, query {number}") for number, one in enumerate(given, 1))
    for number, query in enumerate(queries, 1):
        for column in query.columns:
            if column not in quasi_identifiers:
                raise PolicyError(
                    f"query {number} of the workload names {column!r}, which is no quasi-identifier"
                    f"{did_you_mean(column, list(quasi_identifiers))}: a query's columns are those that change"
                )
        if query.target is not None and query.target not in names:
            raise PolicyError(
                f"query {number} of the workload has the target {query.target!r}, which the table does not have"
                f"{did_you_mean(query.target, list(names))}"
            )
    return queries


def _query(said: Any, told: str) -> Query:
    if not isinstance(said, dict) or not {"columns"} <= set(said) <= {"columns", "weight", "target"}:
        raise PolicyError(f"{told} must have columns, and may have a weight and a target, and nothing else")
    columns, target = said["columns"], said.get("target")
    columns = [columns] if isinstance(columns, str) else columns
    good = isinstance(columns, list) and columns and all(isinstance(column, str) for column in columns)
    if not good or len(set(columns)) < len(columns):
        raise PolicyError(f"{told}: columns must be a list of different column names, one at least")
    if target is not None and not isinstance(target, str):
        raise PolicyError(f"{told}: target must be a column's name")
    weight = as_fraction(said.get("weight", 1), f"{told}: weight")
    if weight <= 0:
        raise PolicyError(f"{told}: weight must be above 0")
    return Query(tuple(columns), weight, target)


def plain_cost(cost: str, named: Callable[[str], Any] = lambda file: Path(file).name) -> str:
    """Return a cost, the file of a workload named anew: without its folder, as facts and shared policies name it."""
    word, _, file = cost.partition(":")
    return f"{word}:{named(file)}" if word == WORD and file else cost


def named_workload(cost: str) -> str | None:
    """Return the file that a cost, as a policy has it, names as ``workload:FILE``; None for any other cost.

    Raise `PolicyError` if it is a workload without a file.
    """
    word, _, file = cost.partition(":")
    if word != WORD:
        return None
    if not file:
        raise PolicyError("cost workload needs the file of its queries, written workload:FILE")
    return file
