"""The commands that `compare_runs.py` runs: every solver with every model, every command, and mistakes of every kind.

Every command has a name and runs in a folder of its own; ``../../in`` holds the made inputs (`compare_inputs`),
``../../data`` real data, and ``../NAME`` is the folder of an earlier command. No command has a time limit that bites:
searches are limited by ``--work``.
"""

# ruff: noqa: E501 - a command on a line, as it is typed
from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import compare_inputs

__all__ = ["LISTS", "LOOSE", "Command", "commands"]

LISTS = ("solvers", "models", "costs", "measures", "instances")
# commands that search for seconds whatever is asked: their answer and files are not compared, only exit status,
# standard error and which files there are
LOOSE = ("demo",)

IN = "../../in/"
DATA = "../../data/"
WORK = ["--work", "400", "--seed", "7"]
ROLES = ["--qi", "age,sex,zip,job", "--identifier", "id"]
FEW = ["--qi", "age,sex,job", "--identifier", "id"]

# how each model is asked for; a model that the package has and this table lacks is named on standard error
MODELS = {
    "k-anonymity": ("k-anonymity k=3",),
    "l-diversity": ("l-diversity l=2 column=ill", "l-diversity l=2 column=ill kind=distinct",
                    "l-diversity l=3/2 column=ill kind=entropy", "l-diversity l=2 c=3 column=ill kind=recursive",
                    "l-diversity l=2 columns=ill,pay kind=joint"),
    "t-closeness": ("t-closeness t=0.5 column=ill", "t-closeness t=0.4 column=pay distance=ordered",
                    "t-closeness t=0.4 column=pay distance=numeric",
                    "t-closeness t=0.6 column=ill distance=hierarchical hierarchy=../../in/ill.csv"),
    "p-sensitive": ("p-sensitive p=2 column=ill",),
    "alpha-k": ("alpha-k alpha=0.7 column=ill",),
    "beta-likeness": ("beta-likeness beta=2 column=ill", "beta-likeness beta=2 column=ill enhanced=true"),
    "delta-disclosure": ("delta-disclosure delta=3 column=ill",),
}  # fmt: skip

# what a policy may say besides, each tried with every solver
SETTINGS = {
    "hierarchy": ["--hierarchy", f"job={IN}job.csv", "--hierarchy", "zip=prefix:3,1", "--hierarchy",
                  "age=intervals:10,20"],
    "weights": ["--weight", "age=2.5", "--weight", "sex=1/3"],
    "mask": ["--max-stars", "2", "--keep", "sex", "--together", "age,zip"],
    "mask2": ["--at-most-one", "age,sex", "--never-together", "zip,job", "--outliers", "suppress"],
    "pattern": ["--pattern", "age,zip", "--pattern", "age", "--pattern", "age,zip,job", "--no-full-suppression"],
    "levels": ["--hierarchy", f"job={IN}job.csv", "--max-level", "job=1", "--outliers", "suppress"],
    "suppress": ["--outliers", "suppress", "--k", "4"],
    "both": ["--sensitive", "ill", "--l", "3/2", "--t", "0.6"],
    "null": ["--suppressed", "null", "--other", "drop"],
}  # fmt: skip

Before = Callable[[Path, Path], None]


@dataclass
class Command:
    """One command: its name, what it is given, whose files it reads, and what is done to its folder before."""

    name: str
    arguments: list[str]
    before: Before | None = None
    stdin: str = "/dev/null"
    needs: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for word in self.arguments:
            for part in word.split("=")[-1:]:
                if part.startswith("../") and not part.startswith("../../"):
                    self.needs.add(part.split("/")[1])


def _anonymize(name: str, table: str, *more: str) -> Command:
    return Command(name, ["anonymize", table, "-o", "release.csv", *more])


def _without(words: list[str], *options: str) -> list[str]:
    kept, words = [], list(words)
    while words:
        word = words.pop(0)
        if word in options:
            words.pop(0)
        else:
            kept.append(word)
    return kept


def _solvers(solvers: list[str], models: list[str]) -> list[Command]:
    """Every solver with every model, and with everything else a policy may say."""
    out = []
    for solver in (*solvers, "auto"):
        chosen = ["--solver", solver, *WORK]
        for model in models:
            for number, words in enumerate(MODELS.get(model, ())):
                k = [] if model == "k-anonymity" else ["--k", "2"]
                out.append(_anonymize(f"model-{solver}-{model}-{number}", f"{IN}tiny.csv", *FEW, *k, "--require", words,
                                      *chosen, "--certificate", "c.json", "--json"))  # fmt: skip
        for name, words in SETTINGS.items():
            k = [] if "--k" in words else ["--k", "2"]
            table = "gaps.csv" if name in ("weights", "mask2", "suppress") else "tiny.csv"
            numbers = ["--numeric", "age"] if "mondrian" in solver else []
            out.append(_anonymize(f"setting-{solver}-{name}", IN + table, *ROLES, *k, *words, *numbers, *chosen,
                                  "--details", "--certificate", "c.json"))  # fmt: skip
        for table, k in (("small", "2"), ("small", "3"), ("medium", "5")):
            name = f"size-{solver}-{table}-{k}"
            asked = [*ROLES, "--k", k]
            out.append(_anonymize(name, f"{IN}{table}.csv", *asked, *chosen, "--certificate", "c.json", "--json"))
            proof = ["--certificate", f"../{name}/c.json"] if table == "small" else []
            out.append(Command(f"verify-{name}", ["verify", f"{IN}{table}.csv", f"../{name}/release.csv", *asked, *proof,
                                                  "--json"]))  # fmt: skip
    return out


def _nested() -> list[Command]:
    patterns = ["--pattern", "a", "--pattern", "a,b", "--pattern", "a,b,c"]
    asked = ["--qi", "a,b,c", "--star", "#", "--header"]
    out = []
    for k in ("1", "2", "4"):
        name = f"chain-{k}"
        out.append(_anonymize(name, f"{IN}nested.csv", *asked, "--k", k, *patterns, "--solver", "chain", *WORK,
                              "--certificate", "c.json", "--report", "report.html"))  # fmt: skip
        out.append(Command(f"verify-{name}", ["verify", f"{IN}nested.csv", f"../{name}/release.csv", *asked, "--k", k,
                                              *patterns, "--certificate", f"../{name}/c.json"]))  # fmt: skip
    return out


def _ranges() -> list[Command]:
    out = []
    for solver in ("mondrian", "mondrian_relaxed"):
        for table in ("small", "gaps", "medium"):
            name = f"ranges-{solver}-{table}"
            asked = [*ROLES, "--k", "3", "--numeric", "age", "--recoding", "ranges"]
            out.append(_anonymize(name, f"{IN}{table}.csv", *asked, "--solver", solver, "--details", "--report",
                                  "report.html"))  # fmt: skip
            out.append(Command(f"verify-{name}", ["verify", f"{IN}{table}.csv", f"../{name}/release.csv", *asked]))
            out.append(Command(f"verify-{name}-levels", ["verify", f"{IN}{table}.csv", f"../{name}/release.csv", *ROLES,
                                                         "--k", "3"]))  # fmt: skip
    out.append(_anonymize("ranges-l", f"{IN}medium.csv", *ROLES, "--k", "3", "--sensitive", "ill", "--l", "3/2",
                          "--numeric", "age", "--recoding", "ranges", "--solver", "mondrian", "--json"))  # fmt: skip
    return out


def _formats() -> list[Command]:
    asked = [*FEW, "--k", "3", "--solver", "greedy", *WORK, "--quiet"]
    reads = {
        "small.tsv": [], "semicolon.csv": [], "crlf.csv": [], "bom.csv": [], "blanks.csv": [], "quotes.csv": [],
        "packed.csv.gz": [], "packed.jsonl.gz": [], "typed.jsonl": [], "gaps.ndjson": [], "lite.sqlite::people": [],
        "headless.csv": ["--no-header", "--columns", ",".join(compare_inputs.NAMES)], "latin.csv": ["--encoding",
        "latin-1"], "unknown.csv": ["--na", "?"], "one.csv": ["--k", "1"],
    }  # fmt: skip
    out = [_anonymize(f"read-{name}", IN + name, *asked, *more) for name, more in reads.items()]
    out.append(_anonymize("read-no-strip", f"{IN}blanks.csv", "--no-strip", "--delimiter", ",", "--qi", "sex,job",
                          "--k", "2", "--solver", "greedy"))  # fmt: skip
    out.append(_anonymize("read-guess-header", f"{IN}headless.csv", "--qi", "c2,c3", "--k", "2", "--solver", "greedy"))
    out.append(Command("read-stdin", ["anonymize", "-", "-o", "-", *asked], stdin=f"{IN}small.csv"))
    endings = ("csv.gz", "jsonl", "ndjson.gz", "parquet", "pq", "arrow", "feather", "ipc")
    for suppressed in ("text", "null"):
        for ending in endings if suppressed == "null" else endings[:4]:
            name = f"write-{suppressed}-{ending}"
            file = f"release.{ending}"
            out.append(Command(name, ["anonymize", f"{IN}typed.jsonl", "-o", file, *asked, "--suppressed", suppressed]))
            out.append(Command(f"verify-{name}", ["verify", f"{IN}typed.jsonl", f"../{name}/{file}", *FEW, "--k", "3",
                                                  "--suppressed", suppressed]))  # fmt: skip
            out.append(_anonymize(f"again-{name}", f"../{name}/{file}", *asked, "--star", "#"))
    for name, more in {
        "keep-order": ["--keep-order"], "dry": ["--dry-run"], "star": ["--star", "?!"], "drop": ["--other", "drop"],
        "memory": ["--memory", "1GB"], "gap": ["--gap", "0.5"], "complete": ["--hierarchy", f"job={IN}lacking.csv",
        "--complete-hierarchies"], "all": ["--report", "report.html", "--certificate", "c.json", "--json"],
    }.items():  # fmt: skip
        loud = _without(asked, "--solver")[:-1]
        out.append(_anonymize(f"option-{name}", f"{IN}small.csv", *loud, "--solver", "improve", *more))
        out.append(_anonymize(f"option-{name}-auto", f"{IN}medium.csv", *loud, "--sensitive", "ill", *more))
    return out


def _policies() -> list[Command]:
    out = []
    for name in (*compare_inputs.POLICIES, "bytes", "there_is_none"):
        policy = ["--policy", f"{IN}{name}.toml"]
        out.append(_anonymize(f"policy-{name}", f"{IN}small.csv", *policy, "--solver", "greedy"))
        if name in ("good", "nodes", "composed"):
            for solver in ("improve", "exact"):
                out.append(_anonymize(f"policy-{name}-{solver}", f"{IN}small.csv", *policy, "--solver", solver, *WORK,
                                      "--certificate", "c.json", "--report", "report.html"))  # fmt: skip
            given = [f"{IN}small.csv", f"../policy-{name}/release.csv", *policy]
            out.append(Command(f"policy-{name}-verify", ["verify", *given]))
            out.append(Command(f"policy-{name}-proof", ["verify", given[0], f"../policy-{name}-exact/release.csv", *policy, "--certificate",
                                                        f"../policy-{name}-exact/c.json"]))  # fmt: skip
            out.append(Command(f"policy-{name}-audit", ["audit", f"{IN}small.csv", *policy]))
            out.append(
                Command(f"policy-{name}-tradeoff", ["tradeoff", f"{IN}small.csv", *policy, "--ks", "2,3", *WORK])
            )
    return out


def _edited(source: str, file: str, edit: Callable[[str], str]) -> Before:
    def before(folder: Path, root: Path) -> None:
        found = root / folder.parent.name / source / file
        if found.is_file():
            (folder / file).write_text(edit(found.read_text()))

    return before


def _forged(**changes: Any) -> Callable[[str], str]:
    def edit(text: str) -> str:
        content = json.loads(text)
        todo = [content]
        while todo:
            part = todo.pop()
            if isinstance(part, list):
                todo += part[:1]
                continue
            if not isinstance(part, dict):
                continue
            todo += part.values()
            for key, change in changes.items():
                if key in part:
                    part[key] = change(part[key]) if callable(change) else change
        return json.dumps(content)

    return edit


def _lines(change: Callable[[list[str]], list[str]]) -> Callable[[str], str]:
    return lambda text: "\n".join(change(text.splitlines())) + "\n"


def _checks() -> list[Command]:
    """Releases that were tampered with, and certificates that were forged."""
    of, asked = "size-exact-small-3", [*ROLES, "--k", "3"]
    original, release, proof = f"{IN}small.csv", f"../{of}/release.csv", f"../{of}/c.json"
    out = [Command(f"check-plain{'-json' * json_too}", ["verify", original, release, *asked, *["--json"] * json_too])
           for json_too in (False, True)]  # fmt: skip
    tampered = {
        "row-gone": lambda lines: lines[:-1], "row-twice": lambda lines: [*lines, lines[-1]],
        "cell": lambda lines: [*lines[:-1], "99" + lines[-1][1:]],
        "star": lambda lines: [*lines[:-1], ",".join(["*"] * 4 + lines[-1].split(",")[4:])],
        "names": lambda lines: ["x" + lines[0], *lines[1:]], "empty": lambda lines: lines[:1],
        "order": lambda lines: [lines[0], *lines[:0:-1]], "column": lambda lines: [line + ",1" for line in lines],
        "ragged": lambda lines: [*lines, "1,2"], "other": lambda lines: [*lines[:-1], lines[-1] + "0"],
    }  # fmt: skip
    for name, change in tampered.items():
        out.append(Command(f"check-tampered-{name}", ["verify", original, "release.csv", *asked],
                           _edited(of, "release.csv", _lines(change)), needs={of}))  # fmt: skip
    for name, more in {
        "k": ["--k", "9"], "keep": ["--keep", "age"], "max-stars": ["--max-stars", "0"], "roles": ["--qi", "age,sex"],
        "l": ["--sensitive", "ill", "--l", "3"], "t": ["--sensitive", "ill", "--t", "0.01"], "outliers": ["--outliers",
        "suppress"], "weight": ["--weight", "age=9"], "no-k": [], "together": ["--together", "age,job"],
    }.items():  # fmt: skip
        base = _without(asked, *(more[:1] or ["--k"]))
        for told in ([], ["--certificate", proof]):
            out.append(Command(f"check-policy-{name}{'-proof' * bool(told)}", ["verify", original, release, *base, *more,
                                                                             *told]))  # fmt: skip
    for solver in ("exact", "improve", "matching"):
        source = f"size-{solver}-small-2"
        forged: dict[str, dict[str, Any]] = {
            "bound": {"lower_bound": lambda old: old + 1}, "checked": {"lower_bound_checked": lambda old: old + 1},
            "both": {"lower_bound": lambda old: old + 1, "lower_bound_checked": lambda old: old + 1},
            "cost": {"cost": lambda old: old - 1}, "rows": {"rows": 41}, "types": {"row_types": 3}, "k": {"k": 3},
            "negative": {"lower_bound": -1}, "text": {"cost": "7"}, "huge": {"cost": 10**40}, "proof": {"proof": "yes"},
            "scale": {"scale": 0}, "outliers": {"outliers": "suppress"}, "version": {"version": 2}, "float": {"cost": 0.5},
            "prices": {"prices": lambda old: [2 * price for price in old]}, "parts": {"parts": 0},
            "few-prices": {"prices": lambda old: old[:-1]}, "components": {"components": lambda old: old[1:]},
            "trees": {"trees": [[[1]]]}, "kind": {"certificate": "incrowd something"},
        }  # fmt: skip
        for name, changes in forged.items():
            out.append(Command(f"check-forged-{solver}-{name}", ["verify", original, f"../{source}/release.csv", *ROLES,
                                                                 "--k", "2", "--certificate", "c.json", "--json"],
                               _edited(source, "c.json", _forged(**changes)), needs={source}))  # fmt: skip
    for name in ("cert_no_json", "cert_list", "cert_other", "cert_version", "cert_twice", "cert_deep", "none_there"):
        out.append(Command(f"check-unreadable-{name}", ["verify", original, release, *asked, "--certificate",
                                                       f"{IN}{name}.json"]))  # fmt: skip
    out.append(Command("check-folder-proof", ["verify", original, release, *asked, "--certificate", IN]))
    return out


def _questions(models: list[str]) -> list[Command]:
    """Everything that asks and releases nothing."""
    out = [Command(f"audit-{table}{'-json' * json_too}", ["audit", f"{IN}{table}", *FEW, "--sensitive", "ill", "--k",
                                                         "2", *["--json"] * json_too])
           for table in ("small.csv", "gaps.csv", "typed.jsonl", "medium.csv") for json_too in (False, True)]  # fmt: skip
    for model in models:
        for number, words in enumerate(MODELS.get(model, ())):
            out.append(Command(f"audit-{model}-{number}", ["audit", f"{IN}small.csv", *FEW, "--require", words]))
    out += [
        Command("audit-all", ["audit", f"{IN}small.csv"]),
        Command("audit-report", ["audit", f"{IN}small.csv", *FEW, "--sensitive", "ill,pay", "--report", "report.html"]),
        Command("audit-l-t", ["audit", f"{IN}small.csv", *FEW, "--sensitive", "ill", "--l", "2", "--t", "0.2"]),
        Command("audit-outliers", ["audit", f"{IN}stars.csv", *FEW, "--outliers", "suppress", "--k", "2"]),
        Command("tradeoff", ["tradeoff", f"{IN}small.csv", *ROLES, "--ks", "2,4", *WORK]),
        Command("tradeoff-l-t", ["tradeoff", f"{IN}small.csv", *FEW, "--sensitive", "ill", "--ks", "2,4", "--ls",
                                 "1,3/2", "--ts", "0.5", *WORK, "--json"]),
        Command("tradeoff-solvers", ["tradeoff", f"{IN}medium.csv", *FEW, "--ks", "2,5", "--solvers",
                                     "greedy,improve,mondrian", *WORK, "--report", "report.html"]),
    ]  # fmt: skip
    for table in ("small.csv", "gaps.csv", "typed.jsonl", "headless.csv", "lite.sqlite::people", "quotes.csv"):
        out.append(Command(f"init-{table}", ["init", IN + table]))
    for name, words in {
        "intervals": ["age", "--intervals", "5,10,20"], "start": ["age", "--intervals", "5,10", "--start", "3"],
        "dates": ["born", "--dates"], "units": ["born", "--dates", "--units", "month,year"], "prefix": ["zip", "--prefix"],
        "lengths": ["zip", "--prefix", "--lengths", "3,1"], "no-number": ["job", "--intervals", "5"], "none": ["job"],
        "no-date": ["job", "--dates"], "two": ["age", "--dates", "--prefix"], "no-column": ["agee", "--prefix"],
        "no-width": ["age", "--intervals", "0"], "no-multiple": ["age", "--intervals", "5,7"],
        "bad-units": ["born", "--dates", "--units", "year,month"], "bad-length": ["zip", "--prefix", "--lengths", "1,3"],
    }.items():  # fmt: skip
        out.append(Command(f"hierarchy-{name}", ["hierarchy", words[0], f"{IN}gaps.csv", *words[1:]]))
    out.append(Command("hierarchy-file", ["hierarchy", "zip", f"{IN}small.csv", "--prefix", "-o", "zip.csv"]))
    out.append(Command("demo", ["demo", "-o", "demo", "--details"]))
    for solver in ("greedy", "improve", "mondrian"):
        out.append(Command(f"hospital-{solver}", ["anonymize", "../demo/demo/hospital.csv", "--policy",
                                                  "../demo/demo/hospital.toml", "-o", "release.csv", "--solver", solver,
                                                  "--time-limit", "10000", *WORK, "--details", "--certificate", "c.json",
                                                  "--report", "report.html"]))  # fmt: skip
        out.append(Command(f"hospital-{solver}-verify", ["verify", "../demo/demo/hospital.csv",
                                                         f"../hospital-{solver}/release.csv", "--policy",
                                                         "../demo/demo/hospital.toml", "--certificate",
                                                         f"../hospital-{solver}/c.json"]))  # fmt: skip
    return out


def _pages(listed: dict[str, Any]) -> list[Command]:
    parts = ("anonymize", "verify", "audit", "tradeoff", "init", "hierarchy", "instance", "list", "network", "reproduce",
             "demo")  # fmt: skip
    out = [
        Command("help", ["--help"]),
        Command("version", ["--version"]),
        Command("reproduce-list", ["reproduce", "--list"]),
    ]
    out += [Command(f"help-{part}", [part, "--help"]) for part in parts]
    for what in LISTS:
        out += [Command(f"list-{what}", ["list", what]), Command(f"list-{what}-json", ["list", what, "--json"])]
    for instance in (entry["name"] for entry in listed["instances"]):
        out.append(Command(f"help-instance-{instance}", ["instance", instance, "--help"]))
        out.append(Command(f"instance-{instance}", ["instance", instance, "-o", "made", "--seed", "3"]))
        out.append(Command(f"instance-{instance}-no", ["instance", instance, "-o", "made", "--no"]))
        out.append(Command(f"instance-{instance}-named", ["instance", instance, "-o", "made", "--named", "nobody"]))
        out.append(Command(f"instance-{instance}-size", ["instance", instance, "-o", "made", "--size", "0"]))
    for instance in ("set-cover", "triangles-and-stars", "greedy-worst", "triangles-3-diversity", "bisection"):
        made = f"../instance-{instance}/made"
        out.append(_anonymize(f"solved-{instance}", f"{made}/table.csv", "--policy", f"{made}/policy.toml", "--solver",
                              "exact", "--certificate", "c.json"))  # fmt: skip
    return out


def _networks(data: Path | None) -> list[Command]:
    graphs = {name: IN + name for name in ("random.edges", "tree.csv", "cycle.txt", "apart.edges", "weighted.csv",
                                           "k3.metis", "graph.mtx", "graph.net")}  # fmt: skip
    out = [Command(f"network-{name}", ["network", path, "--show-labels"]) for name, path in graphs.items()]
    if data is not None:
        raw = ("karate.gml", "karate.graphml", "karate.mtx", "jazz.graph", "sanjuansur.net")
        out += [Command(f"network-raw-{name}", ["network", f"{DATA}networks/raw/{name}", "--json"]) for name in raw]
        out.append(Command("network-jazz", ["network", f"{DATA}networks/jazz.edges.gz", "--profile", "--seed", "1"]))
        graphs |= {name: f"{DATA}networks/{name}.edges.gz" for name in ("karate", "sanjuansur")}
    questions = {
        "json": ["--json"], "at-least": ["--at-least", "3"], "exactly": ["--exactly", "2"], "profile": ["--profile"],
        "one": ["--attackers", "1"], "two": ["--attackers", "2", "--json"], "risks": ["--risks", "2", "--seed", "5"],
        "greedy": ["--risks", "3", "--strategy", "greedy"], "simulate": ["--simulate", "--trials", "5", "--sybils", "5",
        "--targets", "3", "--noise", "0.05", "--seed", "5"], "diameter": ["--diameter", "--component", "largest"],
        "report": ["--profile", "--report", "report.html"], "proof": ["--exactly", "2", "--certificate", "c.json"],
        "profile-proof": ["--profile", "--certificate", "c.json"], "proof-at-least": ["--at-least", "3", "--certificate",
        "c.json"], "proof-two": ["--attackers", "2", "--certificate", "c.json"], "too-high": ["--exactly", "5000"],
        "proof-all": ["--certificate", "c.json", "--json"],
    }  # fmt: skip
    for name in ("random.edges", "apart.edges", "karate", "sanjuansur"):
        for question, words in questions.items() if name in graphs else ():
            out.append(Command(f"network-{name}-{question}", ["network", graphs[name], *words]))
            if "--certificate" not in words:
                continue
            of = f"network-{name}-{question}"
            out.append(Command(f"{of}-check", ["network", graphs[name], "--check", f"../{of}/c.json"]))
            out.append(Command(f"{of}-wrong", ["network", graphs["cycle.txt"], "--check", f"../{of}/c.json"]))
            for forgery, changes in {
                "k": {"k": lambda old: old + 1 if isinstance(old, int) else 1}, "witness": {"members": [0, 1]},
                "nodes": {"nodes": 5}, "bound": {"lower": 9, "lower_k": 9}, "nobody": {"members": None},
                "outside": {"members": [99]}, "kind": {"kind": "guess"}, "huge": {"k": 10**30}, "text": {"k": "2"},
                "question": {"question": "why"}, "none": {"claims": []}, "twice": {"members": [0, 0]},
            }.items():  # fmt: skip
                out.append(Command(f"{of}-forged-{forgery}", ["network", graphs[name], "--check", "c.json"],
                                   _edited(of, "c.json", _forged(**changes)), needs={of}))  # fmt: skip
    for name, words in {
        "one-column": ["one_column.edges"], "no-edges": ["no_edges.txt"], "metis": ["short.metis"], "mtx": ["broken.mtx"],
        "gml": ["broken.gml"], "negative": ["negative.csv"], "gone": ["gone.edges"], "folder": ["."], "two-questions":
        ["cycle.txt", "--profile", "--at-least", "2"], "k": ["cycle.txt", "--at-least", "0"], "l": ["cycle.txt",
        "--attackers", "9"], "format": ["cycle.txt", "--format", "nope"], "trials": ["cycle.txt", "--simulate", "--trials",
        "0"], "noise": ["cycle.txt", "--simulate", "--noise", "2"], "sybils": ["cycle.txt", "--simulate", "--sybils", "2"],
        "check": ["cycle.txt", "--check", f"{IN}cert_no_json.json"], "check-kind": ["cycle.txt", "--check",
        f"{IN}cert_other.json"], "threads": ["cycle.txt", "--threads", "0"], "limit": ["cycle.txt", "--time-limit", "0"],
    }.items():  # fmt: skip
        out.append(Command(f"network-mistake-{name}", ["network", IN + words[0], *words[1:]]))
    return out


def _real(data: Path | None) -> list[Command]:
    if data is None:
        return []
    cmc = ["c1,c2,c3,c4,c5,c6,c7,c8,c9", "c10"]
    out = []
    adult2 = "age,workclass,education,marital-status,occupation,race,sex,native-country"
    for solver in ("greedy", "improve", "mondrian", "mondrian_relaxed", "approximation", "auto"):
        out.append(_anonymize(f"cmc-{solver}", f"{DATA}cmc.data", "--no-header", "--qi", cmc[0], "--sensitive", cmc[1],
                              "--k", "5", "--solver", solver, *WORK, "--max-stars", "2", "--certificate", "c.json",
                              "--time-limit", "10000"))  # fmt: skip
        out.append(Command(f"cmc-{solver}-verify", ["verify", f"{DATA}cmc.data", f"../cmc-{solver}/release.csv",
                                                    "--no-header", "--qi", cmc[0], "--sensitive", cmc[1], "--k", "5",
                                                    "--max-stars", "2", "--certificate", f"../cmc-{solver}/c.json"]))  # fmt: skip
    trees = [word for name in adult2.split(",") for word in
             ("--hierarchy", f"{name}={DATA}arx/adult_hierarchy_{name}.csv")]  # fmt: skip
    for solver in ("greedy", "improve"):
        out.append(_anonymize(f"arx-{solver}", f"{DATA}arx/adult.csv", "--qi", adult2, "--sensitive", "salary-class",
                              "--k", "10", *trees, "--max-level", "age=3", "--solver", solver, *WORK, "--json"))  # fmt: skip
    mask = [
        "--max-stars",
        "2",
        "--keep",
        "education",
        "--together",
        "workclass,occupation",
        "--at-most-one",
        "age,sex,race",
    ]
    names = ("age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
             "capital-loss,hours-per-week,native-country,salary-class")  # fmt: skip
    head = ["--no-header", "--columns", names, "--other", "drop"]
    for solver in ("greedy", "improve", "matching"):
        k = "2" if solver == "matching" else "5"
        out.append(_anonymize(f"adult-{solver}", f"{DATA}adult.data", *head, "--qi", adult2 if solver != "matching" else
                              "age,sex,race,workclass", "--k", k, *(mask if solver != "matching" else []), "--solver",
                              solver, *WORK, "--json"))  # fmt: skip
    out.append(Command("adult-audit", ["audit", f"{DATA}adult.data", *head[:-2], "--qi", adult2, "--sensitive",
                                       "salary-class"]))  # fmt: skip
    out.append(Command("arx-dirty", ["init", f"{DATA}arx/test_dirty.csv"]))
    out.append(Command("reproduce-cmc", ["reproduce", "cmc", "--data", DATA, "--ks", "5", "--json"]))
    return out


def _mistakes() -> list[Command]:
    base = ["--qi", "age,sex,job", "--k", "3", "--solver", "greedy"]
    out = []
    for table in ("only_header.csv", "empty.csv", "doubled.csv", "ragged.csv", "too_many.csv", "open_quote.csv",
                  "unnamed.csv", "no_ending", "table.xyz", "broken.jsonl", "list.jsonl", "empty.jsonl", "fake.parquet",
                  "fake.arrow", "fake.duckdb", "fake.csv.gz", "fake.xlsx", "latin.csv", "cut.csv.gz", "stars.csv",
                  "lite.sqlite", "lite.sqlite::peple", "gone.csv", ".", "one.csv", "headless.csv"):  # fmt: skip
        out.append(_anonymize(f"mistake-table-{table}", IN + table, *base))
    words = {
        "column": ["--qi", "agee,sex"], "k-0": ["--k", "0"], "k-text": ["--k", "three"], "k-many": ["--k", "41"],
        "solver": ["--solver", "gredy"], "twice": ["--sensitive", "age"], "weight": ["--weight", "age"],
        "weight-column": ["--weight", "ae=2"], "weight-negative": ["--weight", "age=-1"], "weight-text": ["--weight",
        "age=x"], "keep": ["--keep", "zip"], "max-level": ["--max-level", "age=5"], "max-level-form": ["--max-level",
        "age"], "max-stars": ["--max-stars", "-1"], "together": ["--together", "age"], "pattern": ["--pattern", "agge"],
        "one": ["--at-most-one", "age,age"], "never": ["--never-together", "age,zipp"], "tree-gone": ["--hierarchy",
        "job=gone.csv"], "tree-form": ["--hierarchy", "job"], "tree-column": ["--hierarchy", f"jb={IN}job.csv"],
        "model": ["--require", "m-diversity m=2"], "model-key": ["--require", "l-diversity l=2 colum=ill"],
        "model-none": ["--require", "l-diversity column=ill"], "model-column": ["--require", "l-diversity l=2 column=il"],
        "model-value": ["--require", "t-closeness t=2 column=ill"], "model-quote": ["--require", "l-diversity 'l=2"],
        "model-empty": ["--require", ""], "model-twice": ["--require", "l-diversity l=2 l=3 column=ill"],
        "model-kind": ["--require", "l-diversity l=2 column=ill kind=recursve"], "c": ["--require",
        "l-diversity l=2 column=ill kind=recursive"], "joint": ["--require", "l-diversity l=2 column=ill kind=joint"],
        "alpha": ["--require", "alpha-k alpha=0 column=ill"], "beta": ["--require", "beta-likeness beta=-1 column=ill"],
        "delta": ["--require", "delta-disclosure delta=0 column=ill"], "p": ["--require", "p-sensitive p=1.5 column=ill"],
        "distance": ["--require", "t-closeness t=0.2 column=ill distance=far"], "order": ["--require",
        "t-closeness t=0.2 column=ill distance=ordered order=flu,cold"], "numeric-t": ["--require",
        "t-closeness t=0.2 column=ill distance=numeric"], "distance-form": ["--sensitive", "ill", "--t", "0.2",
        "--sensitive-distance", "ill"], "distance-no-t": ["--sensitive", "ill", "--sensitive-distance", "ill=equal"],
        "l": ["--l", "2"], "l-low": ["--sensitive", "ill", "--l", "0.5"], "t-high": ["--sensitive", "ill", "--t", "7"],
        "l-impossible": ["--sensitive", "ill", "--l", "9"], "numeric": ["--numeric", "job"], "recoding": ["--recoding",
        "ranges"], "recoding-word": ["--recoding", "rnges"], "ranges-mask": ["--recoding", "ranges", "--solver", "mondrian",
        "--keep", "age"], "ranges-proof": ["--recoding", "ranges", "--solver", "mondrian", "--certificate", "c.json"],
        "star-blank": ["--star", " x"], "star-empty": ["--star", ""], "null-tree": ["--suppressed", "null", "--hierarchy",
        f"job={IN}job.csv"], "seed": ["--seed", "-1"], "work": ["--work", "0"], "limit": ["--time-limit", "-2"], "gap":
        ["--gap", "-1"], "memory": ["--memory", "much"], "delimiter": ["--delimiter", "ab"], "encoding": ["--encoding",
        "utf-99"], "columns": ["--columns", "a,b"], "columns-twice": ["--columns", "a,a,c,d,e,f,g,h"], "option": ["--kk",
        "3"], "other": ["--other", "lose"], "no-full": ["--no-full-suppression", "--max-stars", "0"], "outliers":
        ["--outliers", "forgive"], "matching": ["--solver", "matching"], "chain": ["--solver", "chain"], "report":
        ["--report", "no/such/report.html"], "report-ending": ["--report", "report.txt"], "proof-place": ["--certificate",
        "no/such/c.json"], "engine": ["--engine", "flink"], "na": ["--na", "flu"], "identifier": ["--identifier", "name"],
    }  # fmt: skip
    for tree in ("lacking.csv", "ragged_tree.csv", "twice.csv", "two_roots.csv", "no_tree.csv", "empty_tree.csv",
                 "java.ahs"):  # fmt: skip
        words[f"tree-{tree}"] = ["--hierarchy", f"job={IN}{tree}"]
    for tree in ("intervals:x", "intervals:", "dates", "prefix:9", "prefix:0", "nothing:3"):
        words[f"tree-{tree.replace(':', '-')}"] = ["--hierarchy", f"job={tree}"]
    for name, more in words.items():
        out.append(_anonymize(f"mistake-{name}", f"{IN}small.csv", *_without(base, more[0]), *more))
    out += [
        Command("mistake-out-ending", ["anonymize", f"{IN}small.csv", "-o", "r.doc", *base]),
        Command("mistake-out-folder", ["anonymize", f"{IN}small.csv", "-o", "no/such/r.csv", *base]),
        Command("mistake-out-device", ["anonymize", f"{IN}small.csv", "-o", "/dev/null", *base]),
        Command("mistake-out-none", ["anonymize", f"{IN}small.csv", *base]),
        Command("mistake-out-input", ["anonymize", "same.csv", "-o", "same.csv", *base],
                lambda folder, root: (shutil.copy(root / "in" / "small.csv", folder / "same.csv"), None)[1]),
        Command("mistake-no-table", ["anonymize", "-o", "r.csv", *base]),
        Command("mistake-no-roles", ["anonymize", f"{IN}small.csv", "-o", "r.csv", "--k", "3"]),
        Command("mistake-no-k", ["anonymize", f"{IN}small.csv", "-o", "r.csv", "--qi", "age"]),
        Command("mistake-command", ["anonymise"]),
        Command("mistake-nothing", []),
        Command("mistake-list", ["list", "solver"]),
        Command("mistake-instance", ["instance", "set-covr", "-o", "x"]),
        Command("mistake-instance-out", ["instance", "set-cover"]),
        Command("mistake-reproduce", ["reproduce", "cmcc"]),
        Command("mistake-reproduce-data", ["reproduce", "cmc", "--data", "."]),
        Command("mistake-ks", ["tradeoff", f"{IN}small.csv", *FEW, "--ks", "2,x"]),
        Command("mistake-ks-none", ["tradeoff", f"{IN}small.csv", *FEW, "--ks", ""]),
        Command("mistake-ks-solver", ["tradeoff", f"{IN}small.csv", *FEW, "--ks", "2", "--solvers", "gredy"]),
        Command("mistake-verify-gone", ["verify", f"{IN}small.csv", "gone.csv", *FEW, "--k", "3"]),
        Command("mistake-verify-rows", ["verify", f"{IN}only_header.csv", f"{IN}only_header.csv", *FEW, "--k", "3"]),
        Command("mistake-audit-column", ["audit", f"{IN}small.csv", "--qi", "agee"]),
    ]  # fmt: skip
    return out


def commands(listed: dict[str, Any], data: Path | None) -> list[Command]:
    """Return all commands for what a version has registered, those that others need first."""
    solvers, models = ([entry["name"] for entry in listed[what]] for what in ("solvers", "models"))
    for model in models:
        if model not in MODELS:
            print(f"no settings for model {model}: give them in MODELS", file=sys.stderr)
    return [
        *_pages(listed), *_mistakes(), *_policies(), *_formats(), *_questions(models), *_networks(data), *_nested(),
        *_ranges(), *_solvers(solvers, models), *_checks(), *_real(data),
    ]  # fmt: skip
