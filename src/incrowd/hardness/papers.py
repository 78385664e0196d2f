"""The papers whose constructions these are; full references in ``papers/refs.bib``."""

from __future__ import annotations

__all__ = ["AGGARWAL", "BLOCKI_WILLIAMS", "BREDERECK", "CHATTERJEE", "LIANG_YUAN"]

AGGARWAL = "Aggarwal, Feder, Kenthapadi, Motwani, Panigrahy, Thomas, Zhu: Anonymizing Tables (2005)"
BREDERECK = "Bredereck, Nichterlein, Niedermeier: Pattern-Guided k-Anonymity (2013)"
BLOCKI_WILLIAMS = "Blocki, Williams: Resolving the Complexity of Some Data Privacy Problems (2010)"
LIANG_YUAN = "Liang, Yuan: On the Complexity of t-Closeness Anonymization and Related Problems"
CHATTERJEE = (
    "Chatterjee, DasGupta, Mobasheri, Srinivasan, Yero: On the Computational Complexities of Three Privacy Measures "
    "for Large Networks Under Active Attack"
)
