"""The answers to network questions, with their summary, certificate, report and notebook card."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, overload

from incrowd.networks import answers
from incrowd.networks.certificate import certificate
from incrowd.networks.words import words_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Measurement", "Risks", "Simulation", "handed_out"]


class _Reported:
    """An answer that can be written as a report and shown in a notebook."""

    def summary(self: Any) -> str:
        """Return the answer in words, for a reader who has never met the measure."""
        return words_of(self)

    def report(
        self: Any, path: str | Path, *, source: str | None = None, certificate: str | Path | None = None
    ) -> None:
        """Write the report: one HTML file, without script or request. It holds counts, never a label.

        Parameters
        ----------
        path
            Of the HTML file.
        source, certificate : str, optional
            What the graph's file and the certificate are called, for the commands that repeat the check.

        Raises
        ------
        InputError
            If it cannot be written, or the extra ``report`` is not installed; a simulation's report needs none.
        """
        from incrowd.report.pages.network import write_report

        write_report(self, path, source=source, certificate=certificate)

    def _repr_html_(self: Any) -> str:
        from incrowd.report.pages.network import notebook_card

        return notebook_card(self)


class Measurement(_Reported, answers.Measurement):
    """The answer to one question about a network, exact or an interval.

    Its fields are those of `incrowd.networks.answers.Measurement`.
    """

    def certificate(self) -> dict[str, Any]:
        """Return sets by index of the sorted nodes and the values claimed for them; see `incrowd.networks.check`."""
        return certificate(self)


class Risks(_Reported, answers.Risks):
    """What attackers learn: alone, and as a group; its fields are those of `incrowd.networks.answers.Risks`."""


class Simulation(_Reported, answers.Simulation):
    """What a simulated attack achieved; its fields are those of `incrowd.networks.answers.Simulation`."""


@overload
def handed_out(found: answers.Measurement) -> Measurement: ...
@overload
def handed_out(found: answers.Risks) -> Risks: ...
@overload
def handed_out(found: answers.Simulation) -> Simulation: ...
def handed_out(found: answers.Measurement | answers.Risks | answers.Simulation) -> Measurement | Risks | Simulation:
    """Return an answer as the library hands it out: the same fields, with ``summary``, ``report`` and a notebook card.

    Parameters
    ----------
    found : Measurement, Risks or Simulation of `incrowd.networks.answers`

    Returns
    -------
    Measurement, Risks or Simulation
        Of this module; a `Measurement` also has ``certificate``.
    """
    settings = {setting.name: getattr(found, setting.name) for setting in fields(found)}
    if isinstance(found, answers.Measurement):
        return Measurement(**settings)
    return Risks(**settings) if isinstance(found, answers.Risks) else Simulation(**settings)
