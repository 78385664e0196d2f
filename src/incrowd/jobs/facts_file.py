"""What was published about a release, read from its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from incrowd.errors import InputError
from incrowd.strict_json import read_json

__all__ = ["read_facts"]

MOST_BYTES = 1 << 26


def read_facts(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the facts of a release from the file that holds the answer of ``incrowd anonymize --json``.

    Parameters
    ----------
    source : path or mapping
        A mapping is returned unchanged.

    Raises
    ------
    InputError
        If the file cannot be read or holds no such answer.
    """
    if isinstance(source, Mapping):
        return source
    file = Path(source)
    name = f"the file of facts {file.name!r}"
    wanted = "give the answer of `incrowd anonymize --json`"
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InputError(f"{name} is above 64 MB; {wanted}")
        read = read_json(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{name} is no JSON; {wanted}") from None
    if not isinstance(read, dict) or "k" not in read or "quasi_identifiers" not in read:
        raise InputError(f"{name} does not say what was released; {wanted}")
    return read
