"""What to cite for what was done, by the parts that took part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.report.text.models import models_of
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["for_network", "for_release"]

SWEENEY = "L. Sweeney, k-Anonymity: a model for protecting privacy, IJUFKS 10(5), 2002 (k-anonymity)"
PATTERNS = (
    "R. Bredereck, A. Nichterlein, R. Niedermeier, Pattern-Guided k-Anonymity, Algorithms 6(4), 2013 "
    "(pattern masks, the greedy heuristic and the integer program)"
)
MATCHING = (
    "J. Blocki, R. Williams, Resolving the complexity of some data privacy problems, ICALP 2010 "
    "(optimal 2-anonymity by matching)"
)
METRIC = (
    "T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, On the computational complexities of three "
    "privacy measures for large networks under active attack (metric antidimension and how it is computed)"
)
TRUJILLO = (
    "R. Trujillo-Rasua, I. G. Yero, k-Metric antidimension: a privacy measure for social graphs, Information Sciences "
    "328, 2016 ((k, l)-anonymity)"
)
BACKSTROM = "L. Backstrom, C. Dwork, J. Kleinberg, Wherefore art thou r3579x?, WWW 2007 (the walk-based attack)"
RISKS = "K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008 (the risks)"
MODELS = {
    "l-diversity": "A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam, l-Diversity, ICDE 2006",
    "t-closeness": "N. Li, T. Li, S. Venkatasubramanian, t-Closeness, ICDE 2007",
}


def software() -> str:
    """Return how to cite the program."""
    return f"incrowd {__version__} (the software)"


def for_release(facts: Mapping[str, Any]) -> list[str]:
    """Return what to cite for a release (or an audit, which has no solver)."""
    solver = str(facts.get("solver", ""))
    used = [software(), SWEENEY]
    if "matching" in solver or (facts.get("k") == 2 and "matching" in str(facts.get("bound_method", ""))):
        used.append(MATCHING)
    if solver:
        used.append(PATTERNS)
    used += _models(models_of(facts))
    return [*used, RISKS]


def _models(models: Iterable[Mapping[str, Any]]) -> list[str]:
    names = dict.fromkeys(str(m["name"]) for m in models if m.get("asked") is not None)
    return [MODELS[name] for name in names if name in MODELS]


def for_network(facts: Mapping[str, Any]) -> list[str]:
    """Return what to cite for a measured network."""
    question = facts["question"]
    if question == "simulation":
        return [software(), BACKSTROM]
    return [software(), METRIC, TRUJILLO]
