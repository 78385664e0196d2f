"""Measurements as certificates: sets by index of the sorted nodes, and the values claimed for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.strict_json import read_json

if TYPE_CHECKING:
    import os

    from incrowd.networks.answers import Measurement
    from incrowd.networks.values import Int32


def certificate(found: Measurement) -> dict[str, Any]:
    """Make the certificate of a measurement; its `question` decides which claims are made.

    It is a dict of ``format``, ``version``, ``nodes``, ``edges``, ``question`` and ``claims``. A claim has a ``kind``
    (``at_least``, ``exactly``, ``attackers``), a level ``k``, ``members`` (a witness by index, or null) and ``lower``:
    no set of that measure is smaller (null: there is none at all). With ``attackers``, ``allowed`` of them reach no
    level below ``lower_k``. Indices tell which nodes matter to whoever holds the network; it holds no label. With
    ``adim`` and ``profile`` one claim says beyond which k there is no set at all. A search stopped before it knew
    anything leaves a certificate that states nothing, and `incrowd.networks.check` refuses it.
    """
    claims: list[dict[str, Any]] = []
    if found.question in ("adim", "profile"):
        for step in found.steps:
            claims.append(_claim("at_least", step.last, step.witness, 1))
            if step.lower > 1:
                claims.append(_claim("at_least", step.first, None, step.lower))
        if found.upper_bound is not None:
            claims.append(_claim("at_least", found.upper_bound + 1, None, None))
    elif found.question == "attackers":
        allowed = min(found.allowed or 1, found.graph.nodes - 1)
        claims.append(
            _claim("attackers", found.k, found.members, None) | {"allowed": allowed, "lower_k": found.lower_bound}
        )
    else:
        claims.append(_claim(found.question, found.k, found.members, found.lower_bound))
    return {
        "format": "incrowd-network-certificate",
        "version": 1,
        "nodes": found.graph.nodes,
        "edges": found.graph.edges,
        "question": found.question,
        "claims": claims,
    }


def load_certificate(source: dict[str, Any] | str | os.PathLike[str]) -> dict[str, Any]:
    """Read a certificate from a JSON file, or take it as it is: a dict is returned unchecked.

    InputError is raised if the file is missing or holds no JSON object, or one with a key twice, NaN, or nested without
    end.
    """
    if isinstance(source, dict):
        return source
    path = Path(source)
    unreadable = InputError(f"the certificate {path.name!r} cannot be read: it should be a JSON object, no key twice")
    try:
        content = read_json(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no file {path.name!r}; give the path of a certificate") from None
    except (OSError, ValueError, RecursionError):
        raise unreadable from None
    if not isinstance(content, dict):
        raise unreadable
    return content


def _claim(kind: str, k: int, members: Int32 | None, lower: int | None) -> dict[str, Any]:
    return {
        "kind": kind,
        "k": int(k),
        "members": None if members is None else [int(x) for x in members],
        "lower": None if lower is None else int(lower),
    }
