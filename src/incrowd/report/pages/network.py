"""The report of a measured network."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.report import charts, cite
from incrowd.report.charts import size_label
from incrowd.report.facts.network import network_facts, verdict_facts
from incrowd.report.pages.page import Block, Card, Code, Figure, Page, Points, Prose, Section, Table, write_page
from incrowd.report.text.verdict import verdict_of_network
from incrowd.report.text.words import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from incrowd.networks.answers import Measurement, Risks, Simulation


PROMISE = "It holds counts and settings, and the label of no node."
MOST_STEPS = 40
MOST_SAID = 6
ASKED = {
    "adim": "How large a crowd can a set of attackers leave to everybody else, at most, and how many does it take?",
    "profile": "How many attackers does it take, at least, before everybody else is in a crowd of k, for every k?",
    "at_least": "How many attackers, at least, see everybody else in crowds of {k} or more?",
    "exactly": "How many attackers, at least, see a smallest crowd of exactly {k}?",
    "attackers": "How small a crowd can up to {attackers_allowed} attackers leave to somebody, at worst?",
    "risks": "What share of the other members do {attackers} attackers name ({strategy})?",
    "simulation": "Does an attacker who planted {sybils} accounts before publication find them again, and targets?",
}


def write_report(
    found: Measurement | Risks | Simulation,
    path: str | Path,
    *,
    source: str | None = None,
    certificate: str | Path | None = None,
) -> None:
    """Write the report of a network.

    `found` is the answer, with its graph, and `path` is that of the HTML file. `source` and `certificate` are base
    names of the graph's file and of the certificate, for the commands that repeat the check. InputError is raised if
    the report cannot be written.
    """
    files = {"source": source, "certificate": None if certificate is None else Path(certificate).name}
    write_page(network_page({**network_facts(found), "files": files}), path)


def notebook_card(found: Measurement | Risks | Simulation) -> str:
    """Return a result as a notebook shows it. `found` is the answer, with its graph."""
    facts = verdict_facts(found)
    title = f"Network of {facts['nodes']:,} nodes and {facts['edges']:,} edges"
    return Page(title, "", verdict_of_network(facts), list(_cards(facts))).card()


def network_page(facts: Mapping[str, Any]) -> Page:
    """Return the page of a network.

    The facts are as `incrowd.report.facts.network.network_facts` returns them, with ``files``: base names of ``source``
    and ``certificate``, or None.
    """
    sections = [Section("asked", "What was asked and answered", list(_answer(facts)))]
    if facts.get("steps"):
        sections.append(Section("curve", "Attackers against crowd size", list(_curve(facts))))
    if facts.get("layers"):
        sections.append(Section("witness", "The attackers that were found", list(_witness(facts))))
    if facts.get("alone"):
        sections.append(Section("exposed", "How exposed members are", list(_alone(facts))))
    sections += [
        Section("limits", "What this does not say", [Points(list(_limits(facts)))]),
        Section("check", "Check it yourself", list(_check(facts))),
        Section("cite", "What to cite", [Points(cite.for_network(facts))]),
    ]
    name = facts["files"]["source"]
    title = f"Network report: {name}" if name else "Network report"
    subtitle = f"{facts['nodes']:,} nodes, {facts['edges']:,} edges" + (
        f", {facts['components']:,} components" if facts["components"] > 1 else ""
    )
    return Page(title, subtitle, verdict_of_network(facts), list(_cards(facts)), sections, promise=PROMISE)


def _cards(facts: Mapping[str, Any]) -> Iterator[Card]:
    question = facts["question"]
    if question == "risks":
        low, high = facts["interval"]
        yield Card(percent(facts["re_identified"]), "of the other members are named", "by distances alone")
        if facts["strategy"] == "random":
            yield Card(
                f"{percent(low)} to {percent(high)}", "95% confidence interval", f"{facts['groups']:,} groups drawn"
            )
        yield Card(percent(facts["worst"]), "named by the worst group met")
        return
    if question == "simulation":
        low, high = facts["interval"]
        yield Card(percent(facts["success"]), "of the attacks found their accounts", f"95%: {low:.0%} to {high:.0%}")
        yield Card(percent(facts["re_identified"]), "of the marked members were named")
        yield Card(percent(facts["singled_out_by_distance"]), "of all members singled out by distance")
        return
    if question in ("at_least", "exactly"):
        low, high = facts["lower_bound"], facts["upper_bound"]
        least = "no set exists" if low is None else f"{low:,}" if low == high else f"{low:,} to {_n(high)}"
        yield Card(least, "attackers needed", f"for k = {facts['k']:,}")
    else:
        low, high = facts["lower_bound"], facts["upper_bound"]
        label = (
            "people at least in every crowd" if question == "attackers" else "largest crowd anybody can secure (ADIM)"
        )
        yield Card(_n(low) if low == high else f"{_n(low)} to {_n(high)}", label, "k of the network")
        yield Card(
            _n(facts["attackers"]), "attackers in the set that was found", percent(_share(facts)) + " of the nodes"
        )
    yield Card("yes" if facts["optimal"] else "no", "proven", str(facts["status"]).replace("_", " "))


def _n(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def _share(facts: Mapping[str, Any]) -> float:
    return float((facts["attackers"] or 0) / facts["nodes"])


def _answer(facts: Mapping[str, Any]) -> Iterator[Block]:
    yield Prose(ASKED[facts["question"]].format_map(dict(facts)))
    curve_lines = ("  ", "How many attackers it takes")
    yield Points([line for line in facts["words"] if not line.startswith(curve_lines)])
    read = [
        ["nodes", facts["nodes"]],
        ["edges", facts["edges"]],
        ["components", facts["components"]],
        *(
            [label, facts[key]]
            for key, label in (
                ("directed_merged", "pairs given in both directions, merged"),
                ("loops_dropped", "loops dropped"),
                ("duplicates_dropped", "repeated edges dropped"),
            )
            if facts.get(key)
        ),
        ["seconds", f"{facts['seconds']:.2f}"],
    ]
    yield Table("What was measured", ["", "value"], read)


def _curve(facts: Mapping[str, Any]) -> Iterator[Block]:
    steps = facts["steps"]
    rows = [[_span(s), s["attackers"], s["lower"]] for s in steps[:MOST_STEPS]]
    said = "; ".join(f"k = {_span(s)}: {s['attackers']:,}" for s in steps[:MOST_SAID])
    more = f" The first {MOST_STEPS} of {len(steps):,} steps." if len(steps) > MOST_STEPS else ""
    yield Prose(
        "The further to the right, the larger the crowd in which everybody else stays hidden; the height is how many "
        "attackers such a placement takes at least. Fewer attackers always leave somebody in a smaller crowd."
    )
    yield Figure.of(
        charts.curve(facts), caption="Smallest attacker set for every k",
        alternative=f"Line of the smallest attacker set over k. {said}.",
        table=Table(f"The curve.{more}", ["k", "attackers", "proven to be needed"], rows),
    )  # fmt: skip


def _span(step: Mapping[str, Any]) -> str:
    return f"{step['first']:,}" if step["first"] == step["last"] else f"{step['first']:,} to {step['last']:,}"


def _witness(facts: Mapping[str, Any]) -> Iterator[Block]:
    rows = charts.layers_rows(facts)
    said = "; ".join(f"{label}: {count:,}" for label, count in rows[:MOST_SAID])
    yield Figure.of(
        charts.layers(facts), caption="Layers around the attackers",
        alternative=f"Nodes by distance to the nearest attacker. {said}.",
        table=Table("Nodes by distance to the nearest attacker", ["where", "nodes"], [list(row) for row in rows]),
    )  # fmt: skip
    if facts.get("witness_classes"):
        lines = [[size_label(c), c["rows"], c["classes"]] for c in facts["witness_classes"]]
        others = facts["nodes"] - facts["attackers"]
        yield Figure.of(
            charts.witness_classes(facts), caption="In what crowds these attackers see the others",
            alternative="; ".join(f"{line[1]:,} members in crowds of {line[0]}" for line in lines[:MOST_SAID]) + ".",
            table=Table("Members by crowd", ["members in the crowd", "members", "crowds"], lines),
        )  # fmt: skip
        share = percent(facts["singled_out"] / others)
        yield Prose(f"These attackers single out {facts['singled_out']:,} of the {others:,} other members ({share}).")


def _alone(facts: Mapping[str, Any]) -> Iterator[Block]:
    yield Prose(_exposed(facts))
    bins = facts["alone"]["bins"]
    if len(bins) > 1:
        yield Figure.of(
            charts.alone(facts), caption="How many members one node singles out by itself",
            alternative="; ".join(f"{b['label']}: {b['nodes']:,} nodes" for b in bins[:MOST_SAID]) + ".",
            table=Table("Nodes by members singled out", ["members", "nodes"], [[b["label"], b["nodes"]] for b in bins]),
        )  # fmt: skip


def _exposed(facts: Mapping[str, Any]) -> str:
    single = facts["alone"]
    who = "all nodes" if single["all"] else f"{single['examined']:,} nodes drawn at random"
    if not single["exposing"]:
        return f"Of {who}, none singles out a member all by itself."
    return (
        f"Of {who}, {percent(single['exposing'])} single out at least one other member all by themselves, by distances "
        f"alone; the one that learns most singles out {single['most']:,}."
    )


def _limits(facts: Mapping[str, Any]) -> Iterator[str]:
    yield "The attacker is taken to know distances from the nodes on its side, and nothing else of the others."
    yield "Attributes of members, the times of edges and a second network of the same people are not looked at."
    if facts["components"] > 1:
        yield "A node of another component is at distance infinity, which counts as a distance of its own."
    if facts["question"] == "risks":
        yield "Random attackers are typical ones; better chosen ones learn more."


def _check(facts: Mapping[str, Any]) -> Iterator[Block]:
    graph = facts["files"]["source"] or "graph.csv"
    certificate = facts["files"]["certificate"]
    if facts["question"] in ("risks", "simulation"):
        asked = {"risks": facts["attackers"]} if facts["question"] == "risks" else {"simulate": None}
        if facts["question"] == "risks":
            own = f":groups={facts['groups']}" if facts["strategy"] == "random" else ""
            asked["method"] = facts["strategy"] + own
        else:
            asked |= {name: facts[name] for name in ("trials", "sybils", "targets", "noise")}
        asked["seed"] = facts["seed"]
        flags = [word for name, value in asked.items() for word in (f"--{name}", value) if word is not None]
        yield Prose("The numbers are drawn; the same seed draws the same ones.")
        yield Code(shlex.join(["incrowd", "network", graph, *map(str, flags)]), "The same again")
        return
    yield Prose(
        "A certificate lets anybody who holds the network recount the answer from its edges, with a program that "
        "shares no code with the one that found it."
        + ("" if certificate else " None was written with this report; the first command writes one.")
    )
    lines = [] if certificate else [["incrowd", "network", graph, *_flags(facts), "--certificate", "certificate.json"]]
    lines.append(["incrowd", "network", graph, "--check", certificate or "certificate.json"])
    yield Code("\n".join(shlex.join(line) for line in lines), "The check (exit status 0: it holds; 1: it does not)")


def _flags(facts: Mapping[str, Any]) -> list[str]:
    question = facts["question"]
    if question in ("at_least", "exactly"):
        return [f"--{question.replace('_', '-')}", str(facts["k"])]
    if question == "attackers":
        return ["--attackers", str(facts["attackers_allowed"])]
    return ["--profile"] if question == "profile" else []
