"""Hide every record in a crowd, at the least possible loss, and know how far from the least you are.

The public names of `incrowd`; each is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from incrowd.version import __version__

_HOMES = {
    "anonymize": "incrowd.jobs.api",
    "attack": "incrowd.jobs.api",
    "Attack": "incrowd.results.attack",
    "audit": "incrowd.jobs.api",
    "AuditResult": "incrowd.results.audit",
    "estimate": "incrowd.jobs.api",
    "Estimate": "incrowd.results.estimate",
    "kernel": "incrowd.jobs.api",
    "Kernel": "incrowd.results.kernel",
    "tradeoff": "incrowd.jobs.api",
    "Tradeoff": "incrowd.results.tradeoff",
    "studio": "incrowd.web.notebook",
    "usefulness": "incrowd.jobs.api",
    "Usefulness": "incrowd.results.usefulness",
    "verify": "incrowd.jobs.api",
    "Job": "incrowd.policy.job",
    "Policy": "incrowd.policy.job",
    "Mask": "incrowd.tables.mask",
    "Hierarchy": "incrowd.tables.hierarchy",
    "Release": "incrowd.results.release",
    "Violation": "incrowd.tables.verdict",
    "AlphaK": "incrowd.tables.models.named",
    "BetaLikeness": "incrowd.tables.models.likeness",
    "DeltaDisclosure": "incrowd.tables.models.likeness",
    "KAnonymity": "incrowd.tables.models.named",
    "LDiversity": "incrowd.tables.models.l_diversity",
    "PSensitive": "incrowd.tables.models.named",
    "TCloseness": "incrowd.tables.models.t_closeness",
    "IncrowdError": "incrowd.errors",
    "InputError": "incrowd.errors",
    "PolicyError": "incrowd.errors",
    "Infeasible": "incrowd.errors",
    "SolverDeclined": "incrowd.errors",
}

_ROOMS = ("errors", "hardness", "networks")  # rooms with public names of their own

__all__ = [
    "AlphaK",
    "Attack",
    "AuditResult",
    "BetaLikeness",
    "DeltaDisclosure",
    "Estimate",
    "Hierarchy",
    "IncrowdError",
    "Infeasible",
    "InputError",
    "Job",
    "KAnonymity",
    "Kernel",
    "LDiversity",
    "Mask",
    "PSensitive",
    "Policy",
    "PolicyError",
    "Release",
    "SolverDeclined",
    "TCloseness",
    "Tradeoff",
    "Usefulness",
    "Violation",
    "__version__",
    "anonymize",
    "attack",
    "audit",
    "estimate",
    "kernel",
    "studio",
    "tradeoff",
    "usefulness",
    "verify",
]

if TYPE_CHECKING:
    from incrowd import errors as errors
    from incrowd import hardness as hardness
    from incrowd import networks as networks
    from incrowd.errors import IncrowdError, Infeasible, InputError, PolicyError, SolverDeclined
    from incrowd.jobs.api import anonymize, attack, audit, estimate, kernel, tradeoff, usefulness, verify
    from incrowd.policy.job import Job, Policy
    from incrowd.results.attack import Attack
    from incrowd.results.audit import AuditResult
    from incrowd.results.estimate import Estimate
    from incrowd.results.kernel import Kernel
    from incrowd.results.release import Release
    from incrowd.results.tradeoff import Tradeoff
    from incrowd.results.usefulness import Usefulness
    from incrowd.tables.hierarchy import Hierarchy
    from incrowd.tables.mask import Mask
    from incrowd.tables.models.l_diversity import LDiversity
    from incrowd.tables.models.likeness import BetaLikeness, DeltaDisclosure
    from incrowd.tables.models.named import AlphaK, KAnonymity, PSensitive
    from incrowd.tables.models.t_closeness import TCloseness
    from incrowd.tables.verdict import Violation
    from incrowd.web.notebook import studio


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"incrowd.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'incrowd' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS]
