"""The commands that `compare_runs.py` runs: every solver with every model, every command, and mistakes of every kind.

Every command has a name and runs in a folder of its own; ``../../in`` holds the made inputs (`compare_inputs`),
``../../data`` real data, and ``../NAME`` is the folder of an earlier command. No command has a time limit that bites:
searches are limited by ``--work``.
"""

# ruff: noqa: E501 - a command on a line, as it is typed
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import compare_inputs
import compare_mistakes
from compare_command import DATA, FEW, IN, ROLES, WORK, Command, anonymize, without

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LISTS", "LOOSE", "Command", "commands"]

LISTS = ("solvers", "models", "costs", "measures", "instances")
# commands that search for seconds whatever is asked: their answer and files are not compared, only exit status,
# standard error and which files there are
LOOSE = ("demo",)

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

PROVING = ("greedy", "improve", "exact", "matching", "ilp", "auto")  # these may be asked for a certificate
TINY = ("two_phase", "subset_dp", "matching_textbook")  # these take a few rows only

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


def _solvers(solvers: list[str], models: list[str]) -> list[Command]:
    """Every solver with every model, and with everything else a policy may say."""
    out = []
    for solver in (*solvers, "auto"):
        chosen = ["--solver", solver, *WORK]
        proof = ["--certificate", "c.json"] if solver in PROVING else []
        few = "micro.csv" if solver in TINY else "tiny.csv"
        for model in models:
            for number, words in enumerate(MODELS.get(model, ())):
                k = [] if model == "k-anonymity" else ["--k", "2"]
                asked = [*FEW, *k, "--require", words]
                name = f"model-{solver}-{model}-{number}"
                out.append(anonymize(name, IN + few, *asked, *chosen, "--json"))
                if solver in ("exact", "matching"):
                    out.append(anonymize(f"{name}-proof", IN + few, *asked, *chosen, *proof))
        for name, told in SETTINGS.items():
            k = [] if "--k" in told else ["--k", "2"]
            table = "gaps.csv" if proof and name in ("weights", "mask2", "suppress") else few
            numbers = ["--numeric", "age"] if "mondrian" in solver else []
            out.append(anonymize(f"setting-{solver}-{name}", IN + table, *ROLES, *k, *told, *numbers, *chosen, *proof,
                                 "--details"))  # fmt: skip
        for table, size in (("small", "2"), ("small", "3"), ("medium", "5")):
            name = f"size-{solver}-{table}-{size}"
            asked = [*ROLES, "--k", size]
            sized = [*asked, *chosen, *proof, "--json"]
            out.append(anonymize(name, f"{IN}{table}.csv", *sized))
            proof_of = ["--certificate", f"../{name}/c.json"] if proof else []
            out.append(Command(f"verify-{name}", ["verify", f"{IN}{table}.csv", f"../{name}/release.csv", *asked, *proof_of,
                                                  "--json"]))  # fmt: skip
    return out


def _nested() -> list[Command]:
    patterns = ["--pattern", "a", "--pattern", "a,b", "--pattern", "a,b,c"]
    asked = ["--qi", "a,b,c", "--star", "#", "--header"]
    out = []
    for k in ("1", "2", "4"):
        for solver in ("chain", "exact"):
            name = f"nested-{solver}-{k}"
            proof = ["--certificate", "c.json"] if solver in PROVING else []
            proof_of = ["--certificate", f"../{name}/c.json"] if proof else []
            told = [*asked, "--k", k, *patterns]
            out.append(anonymize(name, f"{IN}nested.csv", *told, "--solver", solver, *WORK, *proof, "--details"))
            out.append(
                Command(f"verify-{name}", ["verify", f"{IN}nested.csv", f"../{name}/release.csv", *told, *proof_of])
            )
    return out


def _ranges() -> list[Command]:
    out = []
    for solver in ("mondrian", "mondrian_relaxed"):
        for table in ("small", "gaps", "medium"):
            name = f"ranges-{solver}-{table}"
            asked = [*ROLES, "--k", "3", "--numeric", "age", "--recoding", "ranges"]
            out.append(anonymize(name, f"{IN}{table}.csv", *asked, "--solver", solver, "--details", "--report",
                                  "report.html"))  # fmt: skip
            out.append(Command(f"verify-{name}", ["verify", f"{IN}{table}.csv", f"../{name}/release.csv", *asked]))
            out.append(Command(f"verify-{name}-levels", ["verify", f"{IN}{table}.csv", f"../{name}/release.csv", *ROLES,
                                                         "--k", "3"]))  # fmt: skip
    out.append(anonymize("ranges-l", f"{IN}medium.csv", *ROLES, "--k", "3", "--sensitive", "ill", "--l", "3/2",
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
    out = [anonymize(f"read-{name}", IN + name, *asked, *more) for name, more in reads.items()]
    out.append(anonymize("read-no-strip", f"{IN}blanks.csv", "--no-strip", "--delimiter", ",", "--qi", "sex,job",
                          "--k", "2", "--solver", "greedy"))  # fmt: skip
    out.append(anonymize("read-guess-header", f"{IN}headless.csv", "--qi", "c2,c3", "--k", "2", "--solver", "greedy"))
    out.append(Command("read-stdin", ["anonymize", "-", "-o", "-", *asked], stdin=f"{IN}small.csv"))
    endings = ("csv.gz", "jsonl", "ndjson.gz", "parquet", "pq", "arrow", "feather", "ipc")
    for suppressed in ("text", "null"):
        for ending in endings if suppressed == "null" else endings[:4]:
            name = f"write-{suppressed}-{ending}"
            file = f"release.{ending}"
            out.append(Command(name, ["anonymize", f"{IN}typed.jsonl", "-o", file, *asked, "--suppressed", suppressed]))
            out.append(Command(f"verify-{name}", ["verify", f"{IN}typed.jsonl", f"../{name}/{file}", *FEW, "--k", "3",
                                                  "--suppressed", suppressed]))  # fmt: skip
            out.append(anonymize(f"again-{name}", f"../{name}/{file}", *asked, "--star", "#"))
    for name, more in {
        "keep-order": ["--keep-order"], "dry": ["--dry-run"], "star": ["--star", "?!"], "drop": ["--other", "drop"],
        "memory": ["--memory", "1GB"], "gap": ["--gap", "0.5"], "complete": ["--hierarchy", f"job={IN}lacking.csv",
        "--complete-hierarchies"], "all": ["--report", "report.html", "--certificate", "c.json", "--json"],
    }.items():  # fmt: skip
        loud = without(asked, "--solver")[:-1]
        out.append(anonymize(f"option-{name}", f"{IN}small.csv", *loud, "--solver", "improve", *more))
        out.append(anonymize(f"option-{name}-auto", f"{IN}medium.csv", *loud, "--sensitive", "ill", *more))
    return out


def _policies() -> list[Command]:
    out = []
    for name in (*compare_inputs.POLICIES, "bytes", "there_is_none"):
        policy = ["--policy", f"{IN}{name}.toml"]
        out.append(anonymize(f"policy-{name}", f"{IN}small.csv", *policy, "--solver", "greedy"))
        if name in ("good", "nodes", "composed"):
            for solver in ("improve", "exact"):
                out.append(anonymize(f"policy-{name}-{solver}", f"{IN}small.csv", *policy, "--solver", solver, *WORK,
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
        Command("tradeoff-report", ["tradeoff", f"{IN}medium.csv", *FEW, "--ks", "2,5", *WORK,
                                    "--report", "report.html"]),
    ]  # fmt: skip
    for table in ("small.csv", "gaps.csv", "typed.jsonl", "headless.csv", "lite.sqlite::people", "quotes.csv"):
        out.append(Command(f"init-{table}", ["init", IN + table]))
    for name, told in {
        "intervals": ["age", "--intervals", "5,10,20"], "start": ["age", "--intervals", "5,10", "--start", "3"],
        "dates": ["born", "--dates"], "units": ["born", "--dates", "--units", "month,year"], "prefix": ["zip", "--prefix"],
        "lengths": ["zip", "--prefix", "--lengths", "3,1"], "no-number": ["job", "--intervals", "5"], "none": ["job"],
        "no-date": ["job", "--dates"], "two": ["age", "--dates", "--prefix"], "no-column": ["agee", "--prefix"],
        "no-width": ["age", "--intervals", "0"], "no-multiple": ["age", "--intervals", "5,7"],
        "bad-units": ["born", "--dates", "--units", "year,month"], "bad-length": ["zip", "--prefix", "--lengths", "1,3"],
    }.items():  # fmt: skip
        out.append(Command(f"hierarchy-{name}", ["hierarchy", told[0], f"{IN}gaps.csv", *told[1:]]))
    out.append(Command("hierarchy-file", ["hierarchy", "zip", f"{IN}small.csv", "--prefix", "-o", "zip.csv"]))
    out.append(Command("demo", ["demo", "-o", "demo"]))
    out.append(Command("checker", ["checker", "-o", "check.html"]))
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
             "demo", "checker")  # fmt: skip
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
        out.append(Command(f"instance-{instance}-size", ["instance", instance, "-o", "made", "--size", "0"]))
    for instance in ("set-cover", "triangles-and-stars", "greedy-worst", "triangles-3-diversity", "bisection"):
        made = f"../instance-{instance}/made"
        out.append(anonymize(f"solved-{instance}", f"{made}/table.csv", "--policy", f"{made}/policy.toml", "--solver",
                              "exact", "--certificate", "c.json"))  # fmt: skip
    return out


def _real(data: Path | None) -> list[Command]:
    if data is None:
        return []
    cmc = ["c1,c2,c3,c4,c5,c6,c7,c8,c9", "c10"]
    out = []
    adult2 = "age,workclass,education,marital-status,occupation,race,sex,native-country"
    for solver in ("greedy", "improve", "mondrian", "mondrian_relaxed", "approximation", "auto"):
        proof = ["--certificate", "c.json"] if solver in PROVING else []
        proof_of = ["--certificate", f"../cmc-{solver}/c.json"] if proof else []
        out.append(anonymize(f"cmc-{solver}", f"{DATA}cmc.data", "--no-header", "--qi", cmc[0], "--sensitive", cmc[1],
                              "--k", "5", "--solver", solver, *WORK, "--max-stars", "2", *proof, "--time-limit", "10000"))  # fmt: skip
        out.append(Command(f"cmc-{solver}-verify", ["verify", f"{DATA}cmc.data", f"../cmc-{solver}/release.csv",
                                                    "--no-header", "--qi", cmc[0], "--sensitive", cmc[1], "--k", "5",
                                                    "--max-stars", "2", *proof_of]))  # fmt: skip
    trees = [word for name in adult2.split(",") for word in
             ("--hierarchy", f"{name}={DATA}arx/adult_hierarchy_{name}.csv")]  # fmt: skip
    for solver in ("greedy", "improve"):
        out.append(anonymize(f"arx-{solver}", f"{DATA}arx/adult.csv", "--qi", adult2, "--sensitive", "salary-class",
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
        out.append(anonymize(f"adult-{solver}", f"{DATA}adult.data", *head, "--qi", adult2 if solver != "matching" else
                              "age,sex,race,workclass", "--k", k, *(mask if solver != "matching" else []), "--solver",
                              solver, *WORK, "--json"))  # fmt: skip
    out.append(Command("adult-audit", ["audit", f"{DATA}adult.data", *head[:-2], "--qi", adult2, "--sensitive",
                                       "salary-class"]))  # fmt: skip
    out.append(Command("arx-dirty", ["init", f"{DATA}arx/test_dirty.csv"]))
    out.append(Command("reproduce-cmc", ["reproduce", "cmc", "--data", DATA, "--ks", "5", "--json"]))
    return out


def commands(listed: dict[str, Any], data: Path | None) -> list[Command]:
    """Return all commands for what a version has registered, those that others need first."""
    solvers, models = ([entry["name"] for entry in listed[what]] for what in ("solvers", "models"))
    for model in models:
        if model not in MODELS:
            print(f"no settings for model {model}: give them in MODELS", file=sys.stderr)
    return [
        *_pages(listed), *compare_mistakes.mistakes(), *_policies(), *_formats(), *_questions(models), *compare_mistakes.networks(data), *_nested(),
        *_ranges(), *_solvers(solvers, models), *compare_mistakes.checks(), *_real(data),
    ]  # fmt: skip
