"""What to cite for what was done, by the parts that took part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.report.words import models_of
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping


PAPERS = {  # by their keys in docs/papers/refs.bib, as a report says them
    "Sweeney2002": "L. Sweeney, k-Anonymity: a model for protecting privacy, IJUFKS 10(5), 2002 (k-anonymity)",
    "BredereckNichterleinNiedermeier2013": (
        "R. Bredereck, A. Nichterlein, R. Niedermeier, Pattern-Guided k-Anonymity, Algorithms 6(4), 2013 "
        "(pattern masks, the greedy heuristic and the integer program)"
    ),
    "BlockiWilliams2010": (
        "J. Blocki, R. Williams, Resolving the complexity of some data privacy problems, ICALP 2010 "
        "(optimal 2-anonymity by matching)"
    ),
    "LiangYuan": (
        "H. Liang, H. Yuan, On the complexity of t-closeness anonymization and related problems, DASFAA 2013 "
        "(exact algorithms for t-closeness, the factor-m approximation, 2-diversity by matching)"
    ),
    "MeyersonWilliams2004": (
        "A. Meyerson, R. Williams, On the Complexity of Optimal K-Anonymity, PODS 2004 (the cover by balls)"
    ),
    "AggarwalEtAl2005": (
        "G. Aggarwal, T. Feder, K. Kenthapadi, R. Motwani, R. Panigrahy, D. Thomas, A. Zhu, Approximation "
        "Algorithms for k-Anonymity, Journal of Privacy Technology, 2005 (the forest)"
    ),
    "ParkShim2007": "H. Park, K. Shim, Approximate Algorithms for K-Anonymity, SIGMOD 2007 (the cover by instances)",
    "AnshelevichKaragiozova2011": (
        "E. Anshelevich, A. Karagiozova, Terminal Backup, 3D Matching, and Covering Cubic Graphs, SIAM J. Comput. "
        "40(3), 2011 (simplex matching in polynomial time)"
    ),
    "LeFevreDeWittRamakrishnan2006": (
        "K. LeFevre, D. DeWitt, R. Ramakrishnan, Mondrian Multidimensional K-Anonymity, ICDE 2006 (Mondrian)"
    ),
    "MachanavajjhalaGehrkeKiferVenkitasubramaniam2006": (
        "A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam, l-Diversity, ICDE 2006"
    ),
    "LiLiVenkatasubramanian2007": "N. Li, T. Li, S. Venkatasubramanian, t-Closeness, ICDE 2007",
    "TrutaVinay2006": (
        "T. M. Truta, B. Vinay, Privacy Protection: p-Sensitive k-Anonymity Property, ICDE Workshops 2006"
    ),
    "WongLiFuWang2006": "R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, (alpha, k)-Anonymity, KDD 2006",
    "CaoKarras2012": (
        "J. Cao, P. Karras, Publishing Microdata with a Robust Privacy Guarantee, PVLDB 5(11), 2012 (beta-likeness)"
    ),
    "BrickellShmatikov2008": ("J. Brickell, V. Shmatikov, The Cost of Privacy, KDD 2008 (delta-disclosure)"),
    "Iyengar2002": "V. S. Iyengar, Transforming Data to Satisfy Privacy Constraints, KDD 2002 (the cost of a label)",
    "Sweeney2002Achieving": (
        "L. Sweeney, Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, IJUFKS 10(5), 2002 "
        "(the cost by levels)"
    ),
    "XuEtAl2006": (
        "J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu, Utility-Based Anonymization Using Local Recoding, KDD "
        "2006 (the normalized certainty penalty)"
    ),
    "GionisTassa2009": (
        "A. Gionis, T. Tassa, k-Anonymization with Minimal Loss of Information, IEEE TKDE 21(2), 2009 "
        "(the cost by entropy)"
    ),
    "ElEmamEtAl2009": (
        "K. El Emam et al., A Globally Optimal k-Anonymity Method for the De-Identification of Health Data, JAMIA "
        "16(5), 2009 (one recoding by a walk over the lattice)"
    ),
    "HansenMukherjee2003": (
        "S. L. Hansen, S. Mukherjee, A Polynomial Algorithm for Optimal Univariate Microaggregation, IEEE TKDE 15(4), "
        "2003 (classes of one sorted column by dynamic programming)"
    ),
    "ElEmamDankar2008": "K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008 (the risks)",
}
MASKS = "BredereckNichterleinNiedermeier2013"  # stands behind every release, whichever solver made it
BY_MATCHING = "matching"  # the solver whose bound, too, proves a release for k = 2
METRIC = (
    "T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, On the computational complexities of three "
    "privacy measures for large networks under active attack (metric antidimension and how it is computed)"
)
TRUJILLO = (
    "R. Trujillo-Rasua, I. G. Yero, k-Metric antidimension: a privacy measure for social graphs, Information Sciences "
    "328, 2016 ((k, l)-anonymity)"
)
BACKSTROM = "L. Backstrom, C. Dwork, J. Kleinberg, Wherefore art thou r3579x?, WWW 2007 (the walk-based attack)"


def software() -> str:
    """Return how to cite the program."""
    return f"incrowd {__version__} (the software)"


def for_release(facts: Mapping[str, Any]) -> list[str]:
    """Return what to cite for a release, or for an audit, which has no solver: the papers that the parts name.

    Of the facts solver, k, bound method, cost and models are read. The software comes first, then each paper once.
    """
    solver = str(facts.get("solver", ""))
    keys = [*_cited("models", "k-anonymity"), *_cited("solvers", solver)]
    if facts.get("k") == 2 and BY_MATCHING in str(facts.get("bound_method", "")):
        keys += _cited("solvers", BY_MATCHING)
    keys = [key for key in keys if key != MASKS]
    if solver:
        keys.append(MASKS)
    keys += _cited("costs", str(facts.get("cost_name", "")).partition(":")[0])
    for model in models_of(facts):
        if model.get("asked") is not None:
            keys += _cited("models", str(model["name"]))
    keys += _cited("measures", "risks")
    return [software(), *(PAPERS[key] for key in dict.fromkeys(keys))]


def _cited(kind: str, name: str) -> list[str]:
    """Return the keys that a registered part names in its ``cites``; none of what is not registered."""
    return list(getattr(registry.load(kind, name), "cites", ())) if name in registry.names(kind) else []


def for_network(*, simulated: bool) -> list[str]:
    """Return what to cite for a measured network, or a simulated attack: the software first, then the papers."""
    return [software(), BACKSTROM] if simulated else [software(), METRIC, TRUJILLO]
