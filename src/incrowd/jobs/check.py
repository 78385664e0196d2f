"""The check inside a job: what a release is held to, and whether the verdict agrees with the plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.check import policy as check
from incrowd.check.exact import Unreadable
from incrowd.errors import OurBug, PolicyError
from incrowd.policy.document import document_of
from incrowd.policy.keys import ALIASES, MASK_SETTINGS
from incrowd.policy.python_calls import ROLES
from incrowd.tables.user_units import in_units
from incrowd.tables.verify.rules import reading_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from incrowd.policy.job import Policy
    from incrowd.tables.values import Problem, Solution
    from incrowd.tables.verdict import Verdict


# What a setting that is given beside a policy's file takes the place of, where that is more than its own key.
TOGETHER = (ROLES, ("k", "require"), ("hierarchies", "other_hierarchies"), ("mask", *MASK_SETTINGS))


def read_again(policy: Policy, file: str | Path | None = None, given: Collection[str] = ()) -> Any:
    """Return a policy as `incrowd.check` reads its words.

    Where it stands in a file these are the file's own, but for the settings `given` beside it; else, or where `check`
    cannot read that file, they are the words that it is written in. Raise `PolicyError` where these have no reading.
    """
    reading_of(policy.cost)
    for model in policy.requirements:
        if check.settings_of(model.name) is None:
            raise PolicyError(
                f"model {model.name!r} cannot be verified: `incrowd.check` has no reading of it, and the check takes "
                "nobody's word; ask for other models"
            )
    place = Path() if file is None else Path(file).parent
    words = {"k": 1} | check.flat(document_of(policy, None, place, memory=True))
    try:
        if file is not None:
            names = {ALIASES.get(name, name) for name in given}
            names |= {name for some in TOGETHER if names & {*some} for name in some}
            said = {name: value for name, value in check.words_of(file).items() if name not in names}
            words = said | {name: value for name, value in words.items() if name in names}
        return check.Policy(place / "policy", words)
    except Unreadable as error:
        if file is not None:
            return read_again(policy)
        raise PolicyError(f"the check cannot read the policy: {error}") from None


def assert_verdict_matches_plan(verdict: Verdict, problem: Problem, solution: Solution) -> None:
    """Refuse our own release if the independent recount does not agree with the plan.

    The verdict is on the released rows, `problem` is what was asked, and `solution` what the solver claims. OurBug is
    raised if a rule is broken, the cost is another, or the lower bound is above it. Nothing may be written then.
    """
    claimed = in_units(problem, solution.plan.cost(problem))
    low, high = verdict.loss.cost
    if not verdict.ok:
        broken = "; ".join(f"{v.rule} ({v.count})" for v in verdict.violations)
        raise OurBug(f"the independent check refused the release ({broken}); nothing was written. Please report this")
    if not low <= claimed <= high:
        raise OurBug(
            "the independent check counts another cost than the solver; nothing was written. Please report this"
        )
    if solution.bound.value > solution.plan.cost(problem):
        raise OurBug("the lower bound is above the cost; nothing was written. Please report this")
