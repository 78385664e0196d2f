"""Hide every record in a crowd, at the least possible loss, and know how far from the least you are.

The public names of `incrowd`; each is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from incrowd.version import __version__

_HOMES = {
    "anonymize": "incrowd.api",
    "audit": "incrowd.api",
    "AuditResult": "incrowd.auditing",
    "verify": "incrowd.api",
    "Job": "incrowd.job",
    "Policy": "incrowd.job",
    "Mask": "incrowd.tables.mask",
    "Release": "incrowd.release",
    "Violation": "incrowd.tables.values",
    "KAnonymity": "incrowd.tables.models.k_anonymity",
    "IncrowdError": "incrowd.errors",
    "InputError": "incrowd.errors",
    "PolicyError": "incrowd.errors",
    "Infeasible": "incrowd.errors",
    "SolverDeclined": "incrowd.errors",
}

__all__ = [
    "AuditResult",
    "IncrowdError",
    "Infeasible",
    "InputError",
    "Job",
    "KAnonymity",
    "Mask",
    "Policy",
    "PolicyError",
    "Release",
    "SolverDeclined",
    "Violation",
    "__version__",
    "anonymize",
    "audit",
    "verify",
]

if TYPE_CHECKING:
    from incrowd.api import anonymize, audit, verify
    from incrowd.auditing import AuditResult
    from incrowd.errors import IncrowdError, Infeasible, InputError, PolicyError, SolverDeclined
    from incrowd.job import Job, Policy
    from incrowd.release import Release
    from incrowd.tables.mask import Mask
    from incrowd.tables.models.k_anonymity import KAnonymity
    from incrowd.tables.values import Violation


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'incrowd' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
