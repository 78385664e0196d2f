"""The two libraries that charts need, of the extra ``report``: looked up when a chart is made, named where one lacks.

Altair says what a chart is, vl-convert draws it. Nothing else imports either, so all but charts works without them.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType


# as the extra asks for them, by the name that is imported
NEEDED = {"altair": "altair>=5.5", "vl_convert": "vl-convert-python>=1.7,<2"}


def can_draw() -> bool:
    """Whether all that charts need is installed. Imports nothing."""
    return not _missing()


def check_installed() -> None:
    """Refuse charts where a library is missing. Imports nothing.

    InputError is raised if the extra ``report`` is not installed.
    """
    missing = _missing()
    if missing:
        raise _refusal(missing, "the charts of a report")


def how_to_install() -> str:
    """Return the command that installs what lacks."""
    return " ".join(["pip install", *(f'"{package}"' for package in _missing() or NEEDED.values())])


def altair() -> ModuleType:
    """Return Altair; InputError is raised if it is not installed."""
    try:
        import altair as alt
    except ImportError:
        raise _refusal(_missing() or list(NEEDED.values())) from None
    return alt


def drawing_folder() -> Path:
    """Return the folder in which vl-convert is installed; InputError is raised if it is not installed."""
    found = _place("vl_convert")
    if found is None:
        raise _refusal(_missing())
    return found.parent.parent


def _missing() -> list[str]:
    return [package for module, package in NEEDED.items() if _place(module) is None]


def _place(module: str) -> Path | None:
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return None if found is None or found.origin is None else Path(found.origin)


def _refusal(missing: list[str], what: str = "charts") -> InputError:
    names = " and ".join(package.partition(">")[0] for package in missing)
    verb = "is" if len(missing) == 1 else "are"
    return InputError(f"{what} need {names}, which {verb} not installed: {how_to_install()}")
