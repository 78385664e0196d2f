"""A certificate's head, whose claims are held against what was recounted [H1-H7]."""

from __future__ import annotations

import functools
from collections import Counter
from fractions import Fraction

from .certificate import MOST_HEAD, entries, known_keys, lines_of, numbers, prices_of, whole
from .classes import Required
from .exact import Refuted, by_bytes, refuse
from .matching import proven_by_matching
from .prices import Problem, proven_by_prices
from .ranges import MOST_GRIDS, RANGES, proven_by_runs
from .release import shown_at, sum_of
from .rules import Requirement
from .single import proven_by_walk

HEAD = [
    "certificate", "version", "for", "rows", "row_types", "k", "outliers", "scale", "cost", "lower_bound",
    "lower_bound_checked", "proof", "released_sum",
]  # fmt: skip
KINDS = {  # name and version: what recounts the bound, and the keys beside the head's
    ("incrowd k-anonymity bound", 11): (proven_by_prices, ["parts", "prices", "components", "trees"]),
    ("incrowd k-anonymity bound", 12): (
        lambda p, certificate: Required(p, certificate).value(),
        ["requirements", "parts", "prices", "whole_below", "multipliers", "trees"],
    ),
    ("incrowd 2-anonymity bound", 11): (proven_by_matching, ["diverse", "matching"]),
    ("incrowd single recoding bound", 11): (
        proven_by_walk,
        ["requirements", "most_suppressed", "levels", "suppressed_rows"],
    ),
    ("incrowd k-anonymity bound", 13): (proven_by_prices, ["parts"]),  # [Z4]
    (RANGES, 11): (proven_by_runs, ["column", "step", "parts", "prices"]),
    (RANGES, 12): (proven_by_runs, ["columns", "steps", "parts", "prices"]),
}
PRICES = "incrowd k-anonymity bound"
KINDS |= {(PRICES, version + 3): KINDS[PRICES, version] for version in (11, 12, 13)}  # of a table with gaps [T8]


def kind_of(certificate):
    """Return a certificate's name and version [H1]."""
    name = certificate.get("certificate")
    kind = (name if isinstance(name, str) else None, whole(certificate, "version"))
    refuse(kind not in KINDS, "the certificate is of a kind or version that is not known here")
    return kind


def steps_of(certificate):
    """Return the steps that a certificate of ranges says, one for every ranged column [G1]."""
    (_, version), found = kind_of(certificate), []
    said = entries(certificate, "steps") if version > 11 else [certificate.get("step")]
    refuse(not 0 < len(said) <= MOST_GRIDS, "the certificate: steps are none, or too many")
    for one in said:
        a, b = numbers(one, "step", 2)
        refuse(a < 1 or b < 1, "the certificate: step is no pair of whole numbers above 0")
        found.append(Fraction(a, b))
    return found


def unlike_grids(p, certificate):
    """Return which of a certificate's ranged columns and steps are not those of the table and the policy [G1]."""
    one = kind_of(certificate)[1] == 11
    said = [whole(certificate, "column")] if one else numbers(certificate.get("columns"), "columns", len(p.grids))
    refuse(one != (len(p.grids) == 1), "the certificate: its version is for another number of ranged columns")
    wrong = [] if said == [j for j, *_ in p.grids] else ["column" if one else "columns"]
    same = steps_of(certificate) == [step for _, step, *_ in p.grids]
    return wrong if same else [*wrong, "step" if one else "steps"]


class Verdict:
    """What a certificate's claims come to: cost, bound (scaled), proven, and the claims that are wrong."""

    def __init__(self, problem, certificate, cost, prices=None, prove=None):
        """Read the head, and recount the bound once it is right.

        `prices` reads those that stand line by line, and `prove` recounts in place of what is here.
        """
        wrong, value, kind = [], 0, kind_of(certificate)
        usual, beside = KINDS[kind]
        prove = prove or usual
        packed = kind[1] in (13, 16)
        refuse((prices is None) == packed, "a certificate of version 13 or 16 is packed, and no other is")
        known_keys("", certificate, [*HEAD, *beside])
        good = isinstance(certificate.get("for", ""), str) and isinstance(certificate.get("diverse", False), bool)
        refuse(not good, "the certificate: for is no text, or diverse neither true nor false")
        for key, fact in problem.facts.items():
            said = whole(certificate, key, below=2**63) if type(fact) is int else certificate.get(key)
            refuse(isinstance(fact, list) and not isinstance(said, list), "the certificate: requirements is no list")
            refuse(isinstance(fact, str) and not isinstance(said, str), f"the certificate: {key} is no text")
            wrong += [key] * (said != fact)  # [H2, H8]
        claimed, bound, checked = (whole(certificate, key) for key in ("cost", "lower_bound", "lower_bound_checked"))
        proof = certificate.get("proof")
        refuse(proof not in ("certificate", "solver"), "the certificate: proof is neither 'certificate' nor 'solver'")
        wrong += unlike_grids(problem, certificate) if problem.grids else []
        wrong += ["cost"] * (cost is not None and cost != claimed)  # [H3]
        wrong += ["lower_bound"] * (not checked <= bound <= claimed)  # [H4]
        if not wrong:
            if prices is not None:
                certificate = {**certificate, "prices": prices(problem.t), "trees": []}
            try:
                value = max(prove(problem, certificate), problem.own)
            except Refuted as error:
                wrong.append(str(error))
        if not wrong and (checked > value or (proof == "certificate" and bound > value)):  # [H5, H6]
            wrong.append("lower_bound_checked" if checked > value else "lower_bound")
        self.cost, self.bound = claimed if cost is None else cost, min(value, claimed)
        self.proven, self.wrong = not wrong and value >= bound, [f"certificate: {name}" for name in wrong]


def problem_of(fitted, columns=()):
    """Return the row types told apart by the quasi-identifiers and some columns beside, with what they cost [T1-T5]."""
    policy, beside, m, levels = fitted.policy, fitted.original.cells(columns), len(fitted.trees), []
    more = [sorted(set(column), key=by_bytes) for column in zip(*beside, strict=True)]
    ranks = [{value: i for i, value in enumerate(values)} for values in (*fitted.values, *more)]
    counted = Counter(tuple(rank[x] for rank, x in zip(ranks, cells + secret, strict=True))
                      for cells, secret in zip(fitted.cells, beside, strict=True))  # fmt: skip
    types, counts = zip(*sorted(counted.items()), strict=True)
    for j, (values, tree, costs) in enumerate(zip(fitted.values, fitted.trees, fitted.costs, strict=True)):
        lines = [fitted.line(j, value) for value in values]
        shown = [(*(tree.shown[i] if tree else (value,)), "*") for value, i in zip(values, lines, strict=True)]
        ups = [{label: n for n, label in enumerate(dict.fromkeys(level))} for level in zip(*shown, strict=True)]
        levels.append([([names[line[level]] for line in shown], [int(costs[i][level] * fitted.scale) for i in lines])
                       for level, names in enumerate(ups)])  # fmt: skip
    p = Problem([codes[:m] for codes in types], counts, levels, fitted.mask, policy.k, policy.outliers, fitted.scale)
    p.gapped, p.own = fitted.gapped, int(fitted.unchanged(fitted.trees) * fitted.scale)
    apart = {}  # columns that tell the same values apart as an earlier one are left out [M1]
    for column in zip(*(codes[m:] for codes in types), strict=True):
        apart.setdefault(tuple(map(column.index, column)), column)
    p.secret = list(zip(*apart.values(), strict=True)) or None
    texts_of, table = [tuple(more[s][x] for s, x in enumerate(codes[m:])) for codes in types], Counter(beside)
    p.kinds = sorted(table, key=lambda kind: tuple(map(by_bytes, kind)))
    number = {kind: s for s, kind in enumerate(p.kinds)}
    p.kind, p.kind_rows = [number[kind] for kind in texts_of], [table[kind] for kind in p.kinds]
    every = {kind: table[kind] for kind in p.kinds}
    told = set(columns).issuperset(column for model in policy.models for column in model.judged)
    p.asked = [Requirement(model, list(columns), every) for model in policy.models if told]
    said = all(value is True or value in ([], {}, "") for value in policy.mask.values())
    p.kinds_mask = None if said else (fitted.mask, fitted.heights)
    p.grids = [(j, grid.step, grid.sorted, [int(cost * fitted.scale) for cost in fitted.paid_at[j]],
                [grid.numbers[value] for value in fitted.values[j]])
               for j, grid in enumerate(fitted.grids) if grid]  # fmt: skip
    return p


def asked_by(policy, certificate, judged):
    """Return what a certificate is about, the judged columns that tell row types apart, and more facts of its head."""
    name, version = kind_of(certificate)
    one, on_grid, matched = (name == f"incrowd {kind} bound" for kind in ("single recoding", "ranges", "2-anonymity"))
    refuse(on_grid != policy.grid, "the certificate and the policy are not both about ranges on a grid (recoding=grid)")
    refuse(one and not policy.single, "the certificate is about one recoding for the whole table, the policy is not")
    if on_grid:
        return f"k-anonymity with ranges on {'this grid' if len(policy.ranged) == 1 else 'these grids'}", [], {}
    halved = {m.asked["column"] for m in policy.models if m.share_limit() is not None and 2 * m.share_limit() <= 1}
    if matched and certificate.get("diverse") is True and judged and set(judged) <= halved:  # [M1]
        return "2-diversity", judged, {}
    if not one and version not in (12, 15):
        return "k-anonymity", [], {}
    about = "k-anonymity and the requirements" if policy.models else "k-anonymity"
    about += " with one recoding for the whole table" if one else ""
    return about, judged, {"requirements": [model.rule for model in policy.models]}


def refuse_of_gaps(kind, *, gaps):
    """Refuse a certificate that takes missing values for what they are not where stars are NULL [H7]."""
    wrong = gaps != (kind[0] == PRICES and kind[1] > 13)
    refuse(wrong, "the certificate is of no version for this table")


def verdict_on(fitted, certificate, costs, released):
    """Return the verdict on a certificate, and what it is about."""
    policy, kind = fitted.policy, kind_of(certificate)
    about, columns, facts = asked_by(policy, certificate, fitted.judged)
    refuse_of_gaps(kind, gaps=bool(fitted.gapped))
    p, cost = problem_of(fitted, columns), None
    name, own = kind[0], p.own
    refuse(own and name == "incrowd 2-anonymity bound", "a certificate of 2-anonymity is not read under this cost")
    packed = getattr(certificate, "path", None)
    claims = {name: certificate.get(name) for name in ("cost", "lower_bound", "lower_bound_checked")}
    certificate = certificate | {name: told + own for name, told in claims.items() if type(told) is int}
    p.facts |= facts | {"released_sum": sum_of(released)}
    if name == "incrowd single recoding bound":
        p.facts["most_suppressed"] = policy.most_suppressed(p.rows)
        p.of_release = None if costs is None else shown_at(fitted, Counter(released.cells(policy.quasi_identifiers)))
    if costs is not None:
        low, high = (int(end * fitted.scale) + own for end in costs)
        claimed = certificate.get("cost")
        cost = claimed if type(claimed) is int and low <= claimed <= high else low
    if packed:
        for _ in lines_of(packed, MOST_HEAD + 1 + 21 * p.t):  # [Z1, Z2] before any claim
            pass
    found = Verdict(p, certificate, cost, packed and functools.partial(prices_of, packed))
    if cost is None:
        found.wrong.append("certificate: cost")
        found.proven = False
    found.cost, found.bound = found.cost - own, max(found.bound - own, 0)
    return found, about
