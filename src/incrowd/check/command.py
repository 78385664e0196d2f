"""The command: a release, and the certificate of its bound, checked from files."""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction

from .certificate import read_certificate
from .exact import Unreadable, refuse
from .policy import Policy
from .release import Fitted, cost_of, held_to, held_words, released_as_asked, visible
from .tables import Table
from .verdict import steps_of, verdict_on


def main(arguments=None):
    """Check a release as the command line says, and return the exit status."""
    parser = argparse.ArgumentParser(description="Check a release (and the certificate of its bound) once more.")
    for name, times in (("original", None), ("released", None), ("policy", "?"), ("certificate", "?")):
        parser.add_argument(name, nargs=times)
        if times:
            parser.add_argument(f"--{name}", dest=f"named_{name}", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    named, written = asked.named_policy or asked.policy, asked.named_certificate or asked.certificate
    if named is None:
        parser.error("name the policy's file")
    try:
        policy = Policy(named)
        certificate = None if written is None else read_certificate(written)
        steps = steps_of(certificate) if policy.grid and certificate else None
        other = steps and policy.step is None and len(steps) != len(policy.ranged)
        refuse(other, "the certificate is about other ranged columns than the policy")
        fitted = Fitted(policy, Table(asked.original, **policy.reading), steps)
        released, facts = Table(asked.released, header=True, delimiter=",", strip=False, marked=policy.marked), {}
        found, costs = released_as_asked(fitted, released), cost_of(fitted, released)
        if certificate is not None:
            verdict, about = verdict_on(fitted, certificate, costs, released)
            found += verdict.wrong
            cost, bound = (str(Fraction(x, fitted.scale)) for x in (verdict.cost, verdict.bound))
            facts = {"cost": None if costs is None else cost, "lower_bound": bound, "proven": verdict.proven}
            facts |= {"question": about, "k": policy.k}
        held = held_to(fitted, released)
    except Unreadable as error:
        sys.stderr.write(f"incrowd_check: {error}\n")
        return 2
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        # what this program was not written for is never called good, and its text may quote a cell
        sys.stderr.write(f"incrowd_check: something is not of the form that is read here ({type(error).__name__})\n")
        return 2
    said = ["".join(map(visible, f"refused: {rule}")) for rule in found] or [
        "good: the release is what the policy asks for"
    ]
    text = "\n".join([*said, *(f"{name}: {value}" for name, value in facts.items()), *held_words(held)])
    sys.stdout.write((json.dumps({"ok": not found, "violations": found} | facts | held) if asked.json else text) + "\n")
    return 1 if found else 0
