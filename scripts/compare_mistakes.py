"""What goes wrong: tampered releases, forged certificates, networks and their mistakes, and the mistakes of users."""

# ruff: noqa: E501 - a command on a line, as it is typed
from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from compare_command import DATA, FEW, IN, ROLES, Command, anonymize, without

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from compare_command import Before

__all__ = ["checks", "mistakes", "networks"]


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


def checks() -> list[Command]:
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
        base = without(asked, *(more[:1] or ["--k"]))
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
            "prices": {"prices": lambda old: [2 * price for price in old or []]}, "parts": {"parts": 0},
            "few-prices": {"prices": lambda old: (old or [])[:-1]}, "components": {"components": lambda old: (old or [0])[1:]},
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


def networks(data: Path | None) -> list[Command]:
    """Return the questions about networks, with certificates as they are and forged, and mistakes."""
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
        "greedy": ["--risks", "3", "--method", "greedy"], "simulate": ["--simulate", "--trials", "5", "--sybils", "5",
        "--targets", "3", "--noise", "0.05", "--seed", "5"], "largest": ["--component", "largest"],
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
            forged: dict[str, dict[str, Any]] = {
                "k": {"k": lambda old: old + 1 if isinstance(old, int) else 1}, "witness": {"members": [0, 1]},
                "nodes": {"nodes": 5}, "bound": {"lower": 9, "lower_k": 9}, "nobody": {"members": None},
                "outside": {"members": [99]}, "kind": {"kind": "guess"}, "huge": {"k": 10**30}, "text": {"k": "2"},
                "question": {"question": "why"}, "none": {"claims": []}, "twice": {"members": [0, 0]},
            }  # fmt: skip
            for forgery, changes in forged.items():
                out.append(Command(f"{of}-forged-{forgery}", ["network", graphs[name], "--check", "c.json"],
                                   _edited(of, "c.json", _forged(**changes)), needs={of}))  # fmt: skip
    for name, words in {
        "one-column": ["one_column.edges"], "no-edges": ["no_edges.txt"], "metis": ["short.metis"], "mtx": ["broken.mtx"],
        "gml": ["broken.gml"], "negative": ["negative.csv"], "gone": ["gone.edges"], "folder": ["."], "two-questions":
        ["cycle.txt", "--profile", "--at-least", "2"], "k": ["cycle.txt", "--at-least", "0"], "l": ["cycle.txt",
        "--attackers", "9"], "format": ["cycle.txt", "--format", "nope"], "trials": ["cycle.txt", "--simulate", "--trials",
        "0"], "noise": ["cycle.txt", "--simulate", "--noise", "2"], "sybils": ["cycle.txt", "--simulate", "--sybils", "2"],
        "check": ["cycle.txt", "--check", f"{IN}cert_no_json.json"], "check-kind": ["cycle.txt", "--check",
        f"{IN}cert_other.json"], "limit": ["cycle.txt", "--time-limit", "0"],
    }.items():  # fmt: skip
        out.append(Command(f"network-mistake-{name}", ["network", IN + words[0], *words[1:]]))
    return out


def mistakes() -> list[Command]:
    """Return what users get wrong, one thing at a time."""
    base = ["--qi", "age,sex,job", "--k", "3", "--solver", "greedy"]
    out = []
    for table in ("only_header.csv", "empty.csv", "doubled.csv", "ragged.csv", "too_many.csv", "open_quote.csv",
                  "unnamed.csv", "no_ending", "table.xyz", "broken.jsonl", "list.jsonl", "empty.jsonl", "fake.parquet",
                  "fake.arrow", "fake.duckdb", "fake.csv.gz", "fake.xlsx", "latin.csv", "cut.csv.gz", "stars.csv",
                  "lite.sqlite", "lite.sqlite::peple", "gone.csv", ".", "one.csv", "headless.csv"):  # fmt: skip
        out.append(anonymize(f"mistake-table-{table}", IN + table, *base))
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
        "ranges", "--numeric", "age"], "recoding-word": ["--recoding", "rnges"], "ranges-texts": ["--recoding", "ranges",
        "--solver", "mondrian"], "ranges-mask": ["--recoding", "ranges", "--solver", "mondrian", "--keep", "age"],
        "ranges-proof": ["--recoding", "ranges", "--solver", "mondrian", "--numeric", "age", "--certificate", "c.json"],
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
        out.append(anonymize(f"mistake-{name}", f"{IN}small.csv", *without(base, more[0]), *more))
    out += [
        Command("mistake-list-column", ["anonymize", f"{IN}list.jsonl", "-o", "r.csv", "--qi", "a,b", "--k", "2"]),
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
        Command("mistake-verify-gone", ["verify", f"{IN}small.csv", "gone.csv", *FEW, "--k", "3"]),
        Command("mistake-verify-rows", ["verify", f"{IN}only_header.csv", f"{IN}only_header.csv", *FEW, "--k", "3"]),
        Command("mistake-audit-column", ["audit", f"{IN}small.csv", "--qi", "agee"]),
    ]  # fmt: skip
    return out
