"""The answers to network questions, with their summary, certificate, report and notebook card."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, overload

from incrowd.errors import count_of
from incrowd.networks import answers
from incrowd.networks.certificate import certificate
from incrowd.policy.python_calls import lines_in_python
from incrowd.report.text.network import network_summary
from incrowd.report.text.words import percent

if TYPE_CHECKING:
    from pathlib import Path


class _Reported:
    """An answer that can be written as a report and shown in a notebook."""

    def summary(self: Any) -> str:
        """Return what the answer means and the answer itself, for a reader who has never met the measure."""
        return lines_in_python(self.shell_summary())

    def shell_summary(self: Any) -> str:
        """Return the summary in the words of the command line: options in place of keywords."""
        return network_summary(self)

    def report(
        self: Any, path: str | Path, *, source: str | None = None, certificate: str | Path | None = None
    ) -> None:
        """Write the report: one HTML file, without script or request. It holds counts, never a label.

        `path`: of the HTML file. `source`, `certificate`: what the graph's file and the certificate are called, for the
        commands that repeat the check. InputError is raised if it cannot be written, or the extra ``report`` is not
        installed; a simulation's report needs none.
        """
        from incrowd.report.pages.network import write_report

        write_report(self, path, source=source, certificate=certificate)

    def __repr__(self: Any) -> str:
        sizes = f"{count_of(self.graph.nodes, 'node')} and {count_of(self.graph.edges, 'edge')}"
        return f"<{type(self).__name__} of a network of {sizes}: {self._said()}>"

    def _repr_html_(self: Any) -> str:
        from incrowd.report.pages.network import notebook_card

        return notebook_card(self)


class Measurement(_Reported, answers.Measurement):
    """The answer to one question about a network, exact or an interval.

    Its fields are those of `incrowd.networks.answers.Measurement`.
    """

    def _said(self) -> str:
        if self.question in ("at_least", "exactly"):
            asked = f"{self.question.replace('_', ' ')} {self.k}"
            if self.attackers is None:
                return f"{asked}: {'no such set' if self.optimal else 'no set known'}"
            return f"{asked}: {_attackers(self.lower_bound, self.upper_bound)}"
        if self.question == "attackers":
            return f"k={_interval(self.lower_bound, self.upper_bound)} against {_attackers(self.allowed, self.allowed)}"
        return f"k={_interval(self.lower_bound, self.upper_bound)} with {_attackers(self.attackers, self.attackers)}"

    def certificate(self) -> dict[str, Any]:
        """Return sets by index of the sorted nodes and the values claimed for them; see `incrowd.networks.check`."""
        return certificate(self)


class Risks(_Reported, answers.Risks):
    """What attackers learn: alone, and as a group; its fields are those of `incrowd.networks.answers.Risks`."""

    def _said(self) -> str:
        named = percent(self.re_identified)
        return f"{count_of(self.attackers, 'attacker')} ({self.strategy}) name {named} of the others"


class Simulation(_Reported, answers.Simulation):
    """What a simulated attack achieved; its fields are those of `incrowd.networks.answers.Simulation`."""

    def _said(self) -> str:
        return f"accounts found in {self.recovered} of {count_of(self.trials, 'trial')}"


def _attackers(low: int | None, high: int | None) -> str:
    return f"{_interval(low, high)} attacker{'' if low == high == 1 else 's'}"


def _interval(low: int | None, high: int | None) -> str:
    return f"{low}" if low == high else f"{'?' if low is None else low} to {'?' if high is None else high}"


@overload
def handed_out(found: answers.Measurement) -> Measurement: ...
@overload
def handed_out(found: answers.Risks) -> Risks: ...
@overload
def handed_out(found: answers.Simulation) -> Simulation: ...
def handed_out(found: answers.Measurement | answers.Risks | answers.Simulation) -> Measurement | Risks | Simulation:
    """Return an answer as the library hands it out: the same fields, with ``summary``, ``report`` and a notebook card.

    It takes an answer of `incrowd.networks.answers` and returns one of this module; a `Measurement` also has
    ``certificate``.
    """
    settings = {setting.name: getattr(found, setting.name) for setting in fields(found)}
    if isinstance(found, answers.Measurement):
        return Measurement(**settings)
    return Risks(**settings) if isinstance(found, answers.Risks) else Simulation(**settings)
