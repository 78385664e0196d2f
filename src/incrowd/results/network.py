"""The answers to network questions: what they say, and their document, certificate and notebook card."""

from __future__ import annotations

import shlex
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from incrowd.errors import count_of
from incrowd.networks import answers
from incrowd.networks.certificate import certificate
from incrowd.networks.models import layers_around, metric_classes
from incrowd.networks.solve.re_identify import alone
from incrowd.progress import Watch
from incrowd.report import cite
from incrowd.report.document import Block, Card, Code, Document, Figure, Points, Prose, Section, Table, Verdict
from incrowd.report.result import Shown
from incrowd.report.words import CHECK, SMALLEST_CROWD, percent, sentences, span
from incrowd.results import charts
from incrowd.tables.measures.nice_bins import size_bins

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from incrowd.networks.values import Graph, Int64, Step

Answer = answers.Measurement | answers.Risks | answers.Simulation

MOST_VISITS = 4 * 10**8  # node and edge visits that a report spends beyond the measurement itself
SAMPLE = 2000
PATIENCE = 20.0  # seconds
QUICK_VISITS = 10**8  # and that a summary spends: below a second
SHOWN = 12  # labels of a witness
MOST_STEPS = 40
MOST_SAID = 6
ASKED = {
    "adim": "How large a crowd can a set of attackers leave to everybody else, at most, and how many does it take?",
    "profile": "How many attackers does it take, at least, before everybody else is in a crowd of k, for every k?",
    "at_least": "How many attackers, at least, see everybody else in crowds of {k} or more?",
    "exactly": "How many attackers, at least, see a smallest crowd of exactly {k}?",
    "attackers": "How small a crowd can up to {allowed} attackers leave to somebody, at worst?",
    "risks": "What share of the other members do {attackers} attackers name ({strategy})?",
    "simulation": "Does an attacker who planted {sybils} accounts before publication find them again, and targets?",
}


class _Reported(Shown):
    """An answer that can be written as a report and shown in a notebook."""

    def document(self: Any, *, paper: bool = False) -> Document:
        """Return what a terminal, a notebook and a page show of it; with `paper`, what a file does."""
        return document(self, paper=paper)

    def report(
        self: Any, path: str | Path, *, source: str | None = None, certificate: str | Path | None = None
    ) -> None:
        """Write the report: one HTML file, without script or request. It holds counts, never a label.

        `path`: of the HTML file. `source`, `certificate`: what the graph's file and the certificate are called, for the
        commands that repeat the check. InputError is raised if it cannot be written.
        """
        document(self, (source, None if certificate is None else Path(certificate).name), paper=True).write(path)

    def __repr__(self: Any) -> str:
        sizes = f"{count_of(self.graph.nodes, 'node')} and {count_of(self.graph.edges, 'edge')}"
        return f"<{type(self).__name__} of a network of {sizes}: {self._said()}>"


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


# What is counted for a report beyond the answer: what single nodes single out, and what the witness sees.
class Alone(NamedTuple):
    """What single nodes single out: of how many (of `all`), the share that exposes somebody, the most, and bins."""

    examined: int
    all: bool
    exposing: float
    most: int
    bins: Sequence[tuple[str, int]]


def _alone(found: Answer, *, paper: bool) -> Alone | None:
    """Return what single nodes single out, within a second where it is not for a report."""
    graph = found.graph
    if isinstance(found, answers.Risks):
        return _shares(graph, found.singles, found.examined.size)
    if isinstance(found, answers.Simulation):
        return None
    if paper:
        sample, seconds = int(min(SAMPLE, max(64, 32 * MOST_VISITS // _visits(graph)))), PATIENCE
    elif found.question in ("adim", "profile") and _visits(graph) * 2 <= QUICK_VISITS:
        sample, seconds = 64 * min(SAMPLE // 64, QUICK_VISITS // (2 * _visits(graph))), 1.0
    else:
        return None
    watch = Watch()
    watch.limit(seconds)
    seen = alone(graph, sample, watch, seed=0)
    return _shares(graph, seen.singles, seen.examined.size)


def _shares(graph: Graph, singles: Int64, examined: int) -> Alone:
    exposing = float((singles > 0).mean()) if examined else 0.0
    most = int(singles.max()) if examined else 0
    bins = [("nobody", int((singles == 0).sum()))]
    for line in _by_size(singles[singles > 0]):
        bins.append((charts.size_label(line), line["classes"]))
    return Alone(int(examined), examined == graph.nodes, exposing, most, bins)


def _by_size(sizes: Int64) -> list[dict[str, Any]]:
    """Return ranges of sizes with how many there are of each."""
    size, times = np.unique(sizes, return_counts=True)
    return size_bins(list(zip(size.tolist(), times.tolist(), strict=True)), 1)


def _visits(graph: Graph) -> int:
    return graph.nodes + 2 * graph.edges


def _witness(found: answers.Measurement) -> Iterator[Block]:
    """Yield how far the others are from the attackers that were found, and in what crowds those see them."""
    graph, members = found.graph, found.members
    if members is None or not 0 < members.size < graph.nodes:
        return
    rows = charts.layers_rows(*layers_around(graph, members))
    said = "; ".join(f"{label}: {count:,}" for label, count in rows[:MOST_SAID])
    yield Figure(
        charts.layers(rows), caption="Layers around the attackers",
        alternative=f"Nodes by distance to the nearest attacker. {said}.",
        table=Table("Nodes by distance to the nearest attacker", ["where", "nodes"], [list(row) for row in rows]),
    )  # fmt: skip
    if members.size * _visits(graph) <= MOST_VISITS:
        classes = metric_classes(graph, members)
        yield _seen(classes.sizes)
        others = graph.nodes - members.size
        yield Prose(
            f"These attackers single out {classes.singled_out:,} of the {others:,} other members "
            f"({percent(classes.singled_out / others)})."
        )


def _seen(sizes: Int64) -> Figure:
    lines = _by_size(sizes)
    rows = [[charts.size_label(c), c["rows"], c["classes"]] for c in lines]
    return Figure(
        charts.witness_classes(lines), caption="In what crowds these attackers see the others",
        alternative="; ".join(f"{row[1]:,} members in crowds of {row[0]}" for row in rows[:MOST_SAID]) + ".",
        table=Table("Members by crowd", ["members in the crowd", "members", "crowds"], rows),
    )  # fmt: skip


def document(found: Answer, files: tuple[str | None, str | None] = (None, None), *, paper: bool = False) -> Document:
    """Return what every door shows of an answer; labels stand only where it may name them, and never in a file.

    `files` are base names of the graph's file and of the certificate. For `paper` distances are computed again: from
    the witness, up to 4 * 10^8 visits of nodes and edges, and from up to 2000 single nodes for up to 20 s.
    """
    graph, single = found.graph, _alone(found, paper=paper)
    steps = found.steps if isinstance(found, answers.Measurement) else ()
    answered: list[Block] = [Points(list(_answer(found, labels=not paper)))]
    sections = [
        Section("asked", "What was asked and answered", [Prose(_question(found)), *answered, _read(found)]),
        Section("curve", "Attackers against crowd size", list(_curve(steps))),
    ]
    if paper:
        witness = list(_witness(found)) if isinstance(found, answers.Measurement) else []
        simulated = isinstance(found, answers.Simulation)
        sections += [
            Section("witness", "The attackers that were found", witness, paper=True),
            Section("exposed", "How exposed members are", list(_exposed(single)) if single else [], paper=True),
            Section("limits", "What this does not say", [Points(list(_limits(found)))], paper=True),
            Section("check", "Check it yourself", list(_check(found, *files)), paper=True),
            Section("cite", "What to cite", [Points(cite.for_network(simulated=simulated))], paper=True),
        ]
    title = f"Network of {count_of(graph.nodes, 'node')}" + (f": {files[0]}" if files[0] else "")
    promise = "It holds counts and settings, and the label of no node."
    shown = [section for section in sections if section.blocks]
    return Document(title, [graph_words(graph)], verdict_of(found, single), list(_cards(found)), shown, promise)


def verdict_of(found: Answer, single: Alone | None) -> Verdict:
    """Return what an answer means for handing the network out; `single` is what single nodes single out."""
    if isinstance(found, answers.Risks):
        return Verdict("look" if found.re_identified < 0.01 else "no", _named(found))
    if isinstance(found, answers.Simulation):
        headline = f"The attack was tried, and found its accounts in {percent(found.success)} of the trials."
        return Verdict("no" if found.success > 0 else "look", headline)
    if found.question == "attackers":
        who = count_of(found.allowed or 0, "attacker")
        if not found.optimal:
            between = _interval(found.lower_bound, found.upper_bound)
            return Verdict("look", f"Not decided in time: against {who} the smallest crowd has {between} people.")
        if found.k == 1:
            worst = "This is the worst case and true of nearly every real network; see how many are exposed."
            headline = f"Removing names does not hide everybody in this network: {who} can single somebody out."
            return Verdict("no", headline, [worst])
        return Verdict("yes", f"Against {who} everybody stays in a crowd of at least {found.k:,}, by distances alone.")
    if found.question in ("at_least", "exactly"):
        return Verdict("look", "This answers how many nodes it takes, not whether the network may be handed out.")
    if single is not None and single.exposing:
        headline = "Removing names does not hide everybody in this network: one attacker in the right place is enough."
        return Verdict("no", headline, [_exposing(single)])
    if found.graph.components > 1:
        largest = "Measure the largest component (component = largest)."
        return Verdict("look", "The network falls apart, and then these numbers say little.", [largest])
    ask = "Say how many members may side with an attacker, as attackers = 2, and ask what everybody else is left with."
    return Verdict("look", "This is how the network behaves under attack; it is not yet a yes or no.", [ask])


def _named(found: answers.Risks) -> str:
    drawn = "chosen at random" if found.strategy == "random" else "chosen well"
    who = f"{count_of(found.attackers, 'attacker')} {drawn}"
    if not found.re_identified:
        return f"In what was drawn, {who} named nobody, by distances alone."
    names, share = "names" if found.attackers == 1 else "name", percent(found.re_identified)
    return f"Removing names is not enough: {who} still {names} {share} of the other members, by distances alone."


def _exposing(single: Alone) -> str:
    who = "all nodes" if single.all else f"{single.examined:,} nodes drawn"
    if not single.exposing:
        return f"Of {who}, none singles out a member all by itself."
    return (
        f"Of {who}, {percent(single.exposing)} single out somebody by themselves, by distances alone; the one that "
        f"learns most names {count_of(single.most, 'member')}."
    )


def _cards(found: Answer) -> Iterator[Card]:
    if isinstance(found, answers.Risks):
        low, high = found.interval
        yield Card(percent(found.re_identified), "of the other members are named", "by distances alone")
        if found.strategy == "random":
            interval = f"{percent(low)} to {percent(high)}"
            yield Card(interval, "95% confidence interval", f"{found.groups:,} groups drawn")
        yield Card(percent(found.worst), "named by the worst group met")
    elif isinstance(found, answers.Simulation):
        low, high = found.interval
        yield Card(percent(found.success), "of the attacks found their accounts", f"95%: {low:.0%} to {high:.0%}")
        yield Card(percent(found.re_identified), "of the marked members were named")
        yield Card(percent(found.by_distance), "of all members singled out by distance")
    else:
        between = _interval(found.lower_bound, found.upper_bound)
        if found.question in ("at_least", "exactly"):
            none = found.lower_bound is None
            yield Card("no set exists" if none else between, "attackers needed", f"for k = {found.k:,}")
        else:
            largest = "largest crowd anybody can secure (ADIM)"
            label = SMALLEST_CROWD if found.question == "attackers" else largest
            yield Card(between, label, "k of the network")
            share = percent((found.attackers or 0) / found.graph.nodes)
            size = "unknown" if found.attackers is None else f"{found.attackers:,}"
            yield Card(size, "attackers in the set that was found", f"{share} of the nodes")
        yield Card("yes" if found.optimal else "no", "proven", found.status.replace("_", " "))


def _question(found: Answer) -> str:
    other = "risks" if isinstance(found, answers.Risks) else "simulation"
    return ASKED[getattr(found, "question", other)].format_map(vars(found))


def _answer(found: Answer, *, labels: bool) -> Iterator[str]:
    """Yield the answer in sentences; a reader need not know the measure."""
    if isinstance(found, answers.Risks):
        yield from _risks(found)
    elif isinstance(found, answers.Simulation):
        yield from _simulated(found)
    else:
        tell = {"adim": _adim, "profile": _adim, "attackers": _attackers_left}.get(found.question, _at_least)
        yield from tell(found)
        if labels and found.show_labels and found.witness is not None:
            shown = ", ".join(_printable(str(x)) for x in found.witness[:SHOWN])
            yield f"Nodes: {shown}" + (", ..." if len(found.witness) > SHOWN else "")
        if found.question in ("adim", "profile") and found.graph.components > 1:
            yield (
                "The network is not connected. Infinity counts as a distance of its own, so an attacker inside one "
                "component sees all others as one crowd, and the numbers say little."
            )
        yield from sentences(found.remarks)
        yield f"Decided by {found.method} in {found.seconds:.2f} s."


def _printable(label: str) -> str:
    """Return a label with control characters and halves of characters written out: a terminal would obey them."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in label)


def graph_words(graph: Graph) -> str:
    """Return one line on a network, and what was changed while reading it."""
    out = f"Network of {count_of(graph.nodes, 'node')} and {count_of(graph.edges, 'edge')}"
    if graph.components > 1:
        out += f" in {graph.components} components"
    changed = [f"{count_of(count, what)}{how} {done}" for count, what, how, done in _changed(graph)]
    notes = [*changed, *graph.notes]
    return out + "." + (f" ({'; '.join(notes)})" if notes else "")


def _changed(graph: Graph) -> list[tuple[int, str, str, str]]:
    """Return what was changed while a network was read: how many, of what, and what was done to them."""
    every = (
        (graph.directed_merged, "pair", " given in both directions", "merged"),
        (graph.loops_dropped, "loop", "", "dropped"),
        (graph.duplicates_dropped, "repeated edge", "", "dropped"),
    )
    return [one for one in every if one[0]]


def _adim(found: answers.Measurement) -> Iterator[str]:
    yield (
        "An attacker who controls some nodes and knows all distances from them sees every other node in a crowd of "
        "those at the same distances."
    )
    if found.k == 0:
        yield f"No crowd size was secured in the time given; at most {found.upper_bound} is possible."
        return
    last = found.steps[-1]
    share = last.attackers / found.graph.nodes
    if found.optimal:
        yield (
            f"The largest crowd that any set of attackers leaves to everybody is k = {found.k} (the antidimension): "
            f"{count_of(last.attackers, 'attacker')} can be placed so that nobody is in a crowd below {found.k}, "
            f"and no placement leaves {found.k + 1}. This is no level of protection: it says what these attackers are "
            "limited to, and others may single people out."
        )
    else:
        yield (
            f"The largest crowd that any set of attackers leaves to everybody lies between {found.lower_bound} and "
            f"{found.upper_bound} ({_why(found)})."
        )
    if share > 0.5:
        yield (
            f"That needs {share:.1%} of all nodes on the attacker's side: a large k with nearly everybody an "
            "attacker protects few. Read k and the number of attackers together."
        )


def _at_least(found: answers.Measurement) -> Iterator[str]:
    crowd = f"{found.k:,} or more nodes" if found.question == "at_least" else f"exactly {count_of(found.k, 'node')}"
    what = f"a set of attackers whose smallest crowd has {crowd}"
    least = f"The least number of nodes of {what}"
    if found.attackers is None and found.optimal:
        yield f"There is no such thing as {what}: whoever attacks, the smallest crowd has another size."
    elif found.attackers is None:
        nodes = count_of(found.lower_bound or 1, "node")
        yield f"Found no set ({_why(found)}). If there is {what}, it has at least {nodes}."
    elif found.optimal:
        yield f"{least} is {found.attackers:,}."
    else:
        yield f"{least} lies between {found.lower_bound:,} and {found.upper_bound:,} ({_why(found)})."


def _why(found: answers.Measurement) -> str:
    """Return why an answer is an interval."""
    if found.status == "heuristic":
        return "not decided by this method"
    return f"the search was stopped: {found.status.replace('_', ' ')}"


def _attackers_left(found: answers.Measurement) -> Iterator[str]:
    who = f"an attacker who controls at most {count_of(found.allowed or 0, 'node')}"
    if not found.optimal:
        yield (
            f"Against {who} everybody else stays in a crowd of at least {found.lower_bound}; attackers are known "
            f"that leave one of {found.upper_bound} (not decided: {found.status.replace('_', ' ')})."
        )
    elif found.k == 1:
        yield (
            f"Against {who} the network gives no protection in the worst case: "
            f"{count_of(found.attackers or 0, 'node')} can be chosen so as to single somebody out (k = 1)."
        )
        yield (
            "Nearly every real network has k = 1, because one peripheral node is enough. The risks (how many are "
            "singled out by typical attackers) and the profile tell networks apart."
        )
    else:
        yield (
            f"Against {who} the network is ({found.k}, {found.allowed})-anonymous: everybody else stays in a "
            f"crowd of at least {found.k}, by distances alone."
        )


def _risks(found: answers.Risks) -> Iterator[str]:
    (low, high), most = found.interval, int(found.singles.max())
    yield (
        f"{found.exposed:.1%} of the nodes single out somebody all by themselves; the one who learns most names "
        f"{count_of(most, 'member')}."
    )
    chosen = "at random" if found.strategy == "random" else "greedily"
    verb = "re-identifies" if found.attackers == 1 else "re-identify"
    share = (
        f"{count_of(found.attackers, 'attacker')} chosen {chosen} {verb} {found.re_identified:.1%} of the other members"
    )
    if found.strategy == "random":
        groups = count_of(found.groups, "group")
        yield (
            f"{share} on average (95 % interval {low:.1%} to {high:.1%}, {groups} drawn); the worst group drawn "
            f"{found.worst:.1%}."
        )
    else:
        yield f"{share}; a better group may exist."


def _simulated(found: answers.Simulation) -> Iterator[str]:
    low, high = found.interval
    moved = f", of which {found.noise:.1%} of the edges had been moved" if found.noise else ""
    yield (
        f"In each of {count_of(found.trials, 'trial')} an attacker planted {count_of(found.sybils, 'account')}, marked "
        f"{count_of(found.targets, 'member')}, and looked for them in the published network{moved}."
    )
    yield (
        f"The accounts were found again in {found.recovered} trials ({found.success:.0%}; 95 % interval {low:.0%} to "
        f"{high:.0%}); {found.re_identified:.0%} of the marked members were named."
    )
    yield f"By distances to the accounts found, {found.by_distance:.1%} of all members were singled out, on average."


def _read(found: Answer) -> Table:
    graph = found.graph
    rows = [["nodes", graph.nodes], ["edges", graph.edges], ["components", graph.components]]
    rows += [[f"{what}s{how}{',' if how else ''} {done}", count] for count, what, how, done in _changed(graph)]
    return Table("What was measured", ["", "value"], [*rows, ["seconds", f"{found.seconds:.2f}"]])


def _curve(steps: Sequence[Step]) -> Iterator[Block]:
    """Yield how many attackers it takes for every k."""
    if not steps:
        return
    yield Prose("How many attackers it takes, at least, before everybody else is in a crowd of k.")
    rows = [[span(step.first, step.last), step.attackers, step.lower] for step in steps[:MOST_STEPS]]
    said = "; ".join(f"k = {span(step.first, step.last)}: {step.attackers:,}" for step in steps[:MOST_SAID])
    head = ["k", "attackers", charts.NEEDED]
    yield Figure(
        charts.curve(steps), caption="Smallest attacker set for every k",
        alternative=f"Line of the smallest attacker set over k. {said}.",
        table=Table("The curve", head, rows, bars=[None] * len(rows)),
    )  # fmt: skip
    if len(steps) > MOST_STEPS:
        yield Prose(f"... and {len(steps) - MOST_STEPS:,} more steps.")


def _exposed(single: Alone) -> Iterator[Block]:
    yield Prose(_exposing(single))
    if len(single.bins) > 1:
        yield Figure(
            charts.alone(single.bins), caption="How many members one node singles out by itself",
            alternative="; ".join(f"{label}: {nodes:,} nodes" for label, nodes in single.bins[:MOST_SAID]) + ".",
            table=Table("Nodes by members singled out", ["members", "nodes"], [list(line) for line in single.bins]),
        )  # fmt: skip


def _limits(found: Answer) -> Iterator[str]:
    yield "The attacker is taken to know distances from the nodes on its side, and nothing else of the others."
    yield "Attributes of members, the times of edges and a second network of the same people are not looked at."
    if found.graph.components > 1:
        yield "A node of another component is at distance infinity, which counts as a distance of its own."
    if isinstance(found, answers.Risks):
        yield "Random attackers are typical ones; better chosen ones learn more."


def _check(found: Answer, source: str | None, certificate: str | None) -> Iterator[Block]:
    network = ["incrowd", "network", source or "graph.csv"]
    if not isinstance(found, answers.Measurement):
        if isinstance(found, answers.Risks):
            own = f":groups={found.groups}" if found.strategy == "random" else ""
            words = ["--risks", found.attackers, "--method", found.strategy + own]
        else:
            drawn = [("--trials", found.trials), ("--sybils", found.sybils), ("--targets", found.targets)]
            words = ["--simulate", *(word for one in drawn for word in one), "--noise", found.noise]
        yield Prose("The numbers are drawn; the same seed draws the same ones.")
        yield Code(shlex.join([*network, *map(str, words), "--seed", str(found.seed)]), "The same again")
        return
    yield Prose(
        "A certificate lets anybody who holds the network recount the answer from its edges, with a program that "
        "shares no code with the one that found it."
        + ("" if certificate else " None was written with this report; the first command writes one.")
    )
    asked = {"attackers": ["--attackers", str(found.allowed)], "profile": ["--profile"], "adim": []}
    question = asked.get(found.question, [f"--{found.question.replace('_', '-')}", str(found.k)])
    lines = [] if certificate else [[*network, *question, "--certificate", "certificate.json"]]
    lines.append([*network, "--check", certificate or "certificate.json"])
    yield Code("\n".join(shlex.join(line) for line in lines), CHECK)
