"""Results as text for a reader who does not know the measure. Labels stand in it only if they were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import count_of
from incrowd.networks.answers import Measurement, Risks, Simulation

if TYPE_CHECKING:
    from incrowd.networks.values import Graph


SHOWN = 12  # lines of a curve, labels of a witness


def words_of(found: Measurement | Risks | Simulation) -> str:
    """Return the text for any answer: lines joined by newlines, with labels only where `show_labels` asks for them."""
    if isinstance(found, Measurement):
        return measurement_words(found)
    return risks_words(found) if isinstance(found, Risks) else simulation_words(found)


def measurement_words(found: Measurement) -> str:
    """Return the text for one measurement."""
    lines = [graph_words(found.graph)]
    lines += {
        "adim": _adim,
        "profile": _adim,
        "at_least": _at_least,
        "exactly": _at_least,
        "attackers": _attackers,
    }[found.question](found)
    if found.show_labels and found.witness is not None:
        shown = ", ".join(_printable(str(x)) for x in found.witness[:SHOWN])
        lines.append(f"Nodes: {shown}" + (", ..." if len(found.witness) > SHOWN else ""))
    if found.question in ("adim", "profile") and found.graph.components > 1:
        lines.append(
            "The network is not connected. Infinity counts as a distance of its own, so an attacker inside one "
            "component sees all others as one crowd, and the numbers say little. Measure the largest component "
            "(--component largest; in Python component='largest')."
        )
    lines += [f"{remark[0].upper()}{remark[1:]}." for remark in found.remarks]
    lines.append(f"Decided by {found.method} in {found.seconds:.2f} s.")
    return "\n".join(lines)


def _printable(label: str) -> str:
    """Return a label with control characters and halves of characters written out: a terminal would obey them."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in label)


def graph_words(graph: Graph) -> str:
    """Return one line on a network, and what was changed while reading it."""
    out = f"Network of {count_of(graph.nodes, 'node')} and {count_of(graph.edges, 'edge')}"
    if graph.components > 1:
        out += f" in {graph.components} components"
    changed = [
        text
        for number, text in (
            (graph.directed_merged, f"{count_of(graph.directed_merged, 'pair')} given in both directions merged"),
            (graph.loops_dropped, f"{count_of(graph.loops_dropped, 'loop')} dropped"),
            (graph.duplicates_dropped, f"{count_of(graph.duplicates_dropped, 'repeated edge')} dropped"),
        )
        if number
    ]
    notes = [*changed, *graph.notes]
    return out + "." + (f" ({'; '.join(notes)})" if notes else "")


def _adim(found: Measurement) -> list[str]:
    lines = [
        "An attacker who controls some nodes and knows all distances from them sees every other node in a crowd of "
        "those at the same distances.",
    ]
    if found.k == 0:
        lines.append(f"No crowd size was secured in the time given; at most {found.upper_bound} is possible.")
        return lines
    last = found.steps[-1]
    share = last.attackers / found.graph.nodes
    if found.optimal:
        lines.append(
            f"The largest crowd that any set of attackers leaves to everybody is k = {found.k} (the antidimension): "
            f"{count_of(last.attackers, 'attacker')} can be placed so that nobody is in a crowd below {found.k}, "
            f"and no placement leaves {found.k + 1}. This is no level of protection: it says what these attackers are "
            "limited to, and others may single people out."
        )
    else:
        lines.append(
            f"The largest crowd that any set of attackers leaves to everybody lies between {found.lower_bound} and "
            f"{found.upper_bound} ({_why(found)})."
        )
    if share > 0.5:
        lines.append(
            f"That needs {share:.1%} of all nodes on the attacker's side: a large k with nearly everybody an "
            "attacker protects few. Read k and the number of attackers together."
        )
    lines.append("How many attackers it takes, at least, before everybody else is in a crowd of k:")
    for step in found.steps[:SHOWN]:
        span = f"k = {step.first}" if step.first == step.last else f"k = {step.first} to {step.last}"
        exact = "" if step.lower == step.attackers else f" (at least {step.lower:,})"
        lines.append(f"  {span}: {step.attackers:,}{exact}")
    if len(found.steps) > SHOWN:
        lines.append(f"  ... and {len(found.steps) - SHOWN} more steps")
    return lines


def _at_least(found: Measurement) -> list[str]:
    crowd = f"{found.k:,} or more nodes" if found.question == "at_least" else f"exactly {count_of(found.k, 'node')}"
    what = f"a set of attackers whose smallest crowd has {crowd}"
    if found.attackers is None:
        if found.optimal:
            return [f"There is no such thing as {what}: whoever attacks, the smallest crowd has another size."]
        least = count_of(found.lower_bound or 1, "node")
        return [f"Found no set ({_why(found)}). If there is {what}, it has at least {least}."]
    if found.optimal:
        return [f"The least number of nodes of {what} is {found.attackers:,}."]
    return [
        f"The least number of nodes of {what} lies between {found.lower_bound:,} and {found.upper_bound:,} "
        f"({_why(found)})."
    ]


def _why(found: Measurement) -> str:
    """Return why an answer is an interval."""
    if found.status == "heuristic":
        return "not decided by this method"
    return f"the search was stopped: {found.status.replace('_', ' ')}"


def _attackers(found: Measurement) -> list[str]:
    who = f"an attacker who controls at most {count_of(found.allowed or 0, 'node')}"
    if found.optimal:
        lines = [
            f"Against {who} the network is ({found.k}, {found.allowed})-anonymous: everybody else stays in a "
            f"crowd of at least {found.k}, by distances alone."
        ]
        if found.k == 1:
            lines = [
                f"Against {who} the network gives no protection in the worst case: "
                f"{count_of(found.attackers or 0, 'node')} can be chosen so as to single somebody out (k = 1).",
                "Nearly every real network has k = 1, because one peripheral node is enough. The risks (how many are "
                "singled out by typical attackers) and the profile tell networks apart.",
            ]
        return lines
    return [
        f"Against {who} everybody else stays in a crowd of at least {found.lower_bound}; attackers are known "
        f"that leave one of {found.upper_bound} (not decided: {found.status.replace('_', ' ')})."
    ]


def risks_words(found: Risks) -> str:
    """Return the text for the risks."""
    low, high = found.interval
    who = f"{count_of(found.attackers, 'attacker')} chosen " + (
        "at random" if found.strategy == "random" else "greedily"
    )
    verb = "re-identifies" if found.attackers == 1 else "re-identify"
    lines = [
        graph_words(found.graph),
        f"{found.exposed:.1%} of the nodes single out somebody all by themselves; the one who learns most names "
        f"{count_of(int(found.singles.max()), 'member')}.",
    ]
    if found.strategy == "random":
        lines.append(
            f"{who} {verb} {found.re_identified:.1%} of the other members on average (95 % interval {low:.1%} to "
            f"{high:.1%}, {count_of(found.groups, 'group')} drawn); the worst group drawn {found.worst:.1%}."
        )
    else:
        lines.append(f"{who} {verb} {found.re_identified:.1%} of the other members; a better group may exist.")
    return "\n".join(lines)


def simulation_words(found: Simulation) -> str:
    """Return the text for a simulated attack."""
    low, high = found.interval
    lines = [
        graph_words(found.graph),
        f"In each of {count_of(found.trials, 'trial')} an attacker planted {count_of(found.sybils, 'account')}, marked "
        f"{count_of(found.targets, 'member')}, and looked for them in the published network"
        + (f", of which {found.noise:.1%} of the edges had been moved." if found.noise else "."),
        f"The accounts were found again in {found.recovered} trials ({found.success:.0%}; 95 % interval {low:.0%} to "
        f"{high:.0%}); {found.re_identified:.0%} of the marked members were named.",
        f"By distances to the accounts found, {found.by_distance:.1%} of all members were singled out, on average.",
    ]
    return "\n".join(lines)
