"""Command lines: every option with sound, odd and broken values, doubled, left out and at odds."""

from __future__ import annotations

import functools

import click

from incrowd import registry
from incrowd.cli.main import cli
from process.fuzz.case import Case
from process.fuzz.mutation import changed_bytes
from process.fuzz.tables import QUASI, plain_csv

__all__ = ["command"]

COLUMNS = (
    "age",
    "age,sex",
    QUASI,
    "",
    ",",
    "age,age",
    "nope",
    "Age",
    "age,\0",
    "ill",
    "age sex",
    "age,,sex",
    "\x1b[31m",
)
COUNTS = ("1", "2", "0", "-1", "24", "25", "1e3", "2.0", "x", "", "99999999999999999999", "nan", "٣", "1_0", " 2", "+2")
NUMBERS = (
    "0",
    "1",
    "0.2",
    "1.5",
    "-1",
    "2",
    "nan",
    "inf",
    "1e400",
    "1e-400",
    "1/3",
    "3/2",
    "1/0",
    "x",
    "1e999999999",
    "",
)
FILES = ("out.csv", "out.parquet", "out.xlsx", "-", ".", "/dev/null", "/dev/full", "t.csv", "./t.csv", "out", "out.jsonl", "out.arrow",
         "out.csv.gz", "\0", "", "a/b.csv", "x" * 300 + ".csv", "/proc/self/mem", "c.json", "..")  # fmt: skip
MODELS = (
    "l-diversity l=2 column=ill", "t-closeness t=0.1 column=ill distance=ordered", "t-closeness t=0.1 column=ill distance=numeric",
    "p-sensitive p=2 column=ill", "alpha-k alpha=0.5 column=ill", "beta-likeness beta=1 column=ill", "delta-disclosure delta=1 column=ill",
    "beta-likeness beta=1e308 column=ill enhanced=true", "delta-disclosure delta=1e-300 column=ill", "l-diversity l=2 column=ill kind=entropy",
    "l-diversity l=2 column=ill kind=recursive c=0.5", "l-diversity l=2 column=ill kind=recursive", "l-diversity columns=ill,sex l=2 kind=joint",
    "nope", "", "l-diversity l=", "l-diversity l=2 column=nope", "l-diversity l=2 l=3 column=ill", "k-anonymity k=3", "=", "l-diversity =2",
    "t-closeness t=0.1 column=ill distance=hierarchical", "l-diversity 'l=2", "p-sensitive p=1e9 column=ill", "l-diversity l=1e-9 column=ill kind=entropy",
    "l-diversity l=99999999999 column=ill kind=entropy", "delta-disclosure delta=1e308 column=ill", "alpha-k alpha=1e-320 column=ill",
    "l-diversity l=9999 column=ill kind=recursive c=1e308", "t-closeness t=1/99999999999999999999999 column=ill", "l-diversity l=2 column=age,sex",
)  # fmt: skip
PAIRS = ("age=2", "age=0", "age=-1", "age=nan", "age=inf", "age=1e300", "age=1e-300", "age=1/3", "nope=1", "age", "=2", "age=", "age=1e5000",
         "age=x", "age==1", "ill=equal", "ill=ordered", "ill=numeric", "ill=t.csv", "age=intervals:5,10", "zip=prefix", "age=nope.csv")  # fmt: skip
# by option; what is not named here is drawn from all of them
VALUES = {
    "qi": COLUMNS, "quasi_identifiers": COLUMNS, "k": COUNTS, "l": NUMBERS, "t": NUMBERS, "require": MODELS, "output": FILES, "report": FILES,
    "certificate": FILES, "weights": PAIRS, "hierarchies": PAIRS, "max_level": PAIRS, "sensitive_distance": PAIRS, "solver": ("greedy", "greedy", "nope", "os:system"),
    "memory": ("1GB", "0GB", "1KB", "-1GB", "x", "99999999999TB", "1", "1.5GB", "0.000001KB", "2GiB", ""), "work": COUNTS, "seed": COUNTS, "gap": NUMBERS,
    "star": ("*", "", "x", "m", "\0", "é", ",", "\n", '"', "\x1b"), "suppressed": ("text", "null", "x"), "ks": ("2,3", "1", "", "x", "2,2", "0", "-1", "99", "2,,3", "1e3"),
    "encoding": ("utf-8", "x", "base64", "utf-16", "hex", "idna", "punycode", "undefined", "unicode_escape", "", "zip", "rot13", "\0", "utf-8\n"),
    "delimiter": (",", ";", "", "ab", "\0", "é", "\n", '"', " ", "\t", "\\"), "na": ("flu", "", "m", "\0"), "columns": ("a,b,c,d,e,f", "a", ",,,,,", "a,a,a,a,a,a"),
    "cost": (*registry.COSTS, "x"), "time_limit": ("1", "0", "-1", "nan", "0.001", "x", "1e-300"), "engine": ("duckdb", "x"), "policy": ("p.toml", ".", "nope", "t.csv", "\0"),
    "data": (".", "nope", "/dev/null"), "numeric": COLUMNS, "check": ("t.csv", ".", "nope"),
}  # fmt: skip
SLOW = {"report", "demo", "reproduce", "checker"}  # drawn less often: charts and experiments take seconds


@functools.cache
def _parts() -> dict[str, list[click.Parameter]]:
    return {name: [one for one in command.params if one.name != "help"] for name, command in cli.commands.items()}


def _option(rng, one: click.Option) -> tuple[str, ...]:
    name = rng.choice((*one.opts, *one.secondary_opts))
    if one.is_flag:
        return (name,)
    pool = VALUES.get(one.name) or rng.choice(list(VALUES.values()))
    return (name, rng.choice(pool))


def command(rng, _: int) -> Case:
    """A command, mostly sound, with some options drawn from all that it has."""
    names = [name for name in _parts() if name not in SLOW and name != "reproduce"]
    name = rng.choice(["anonymize"] * 5 + ["verify"] * 2 + names)
    held = [
        ("t.csv", plain_csv()),
        ("p.toml", b'quasi_identifiers = ["age", "sex"]\nk = 2\n'),
        ("g.txt", b"1 2\n2 3\n3 4\n4 1\n1 5\n"),
    ]
    words = [name]
    if name in ("anonymize", "audit", "tradeoff", "verify"):
        words.append(rng.choice(["t.csv"] * 12 + ["nope.csv", "-", ".", "", "\0", "/dev/null"]))
        words += ["t.csv"] if name == "verify" else []
        words += ["--qi", QUASI] if rng.random() < 0.9 else []
        words += ["--ks", "2"] if name == "tradeoff" else []
        words += ["--k", "2"] if name != "tradeoff" and rng.random() < 0.9 else []
        if name in ("anonymize", "tradeoff"):
            words += ["--solver", "greedy"] if name == "anonymize" else []
            words += ["--time-limit", "1"]
        if name == "anonymize" and rng.random() < 0.9:
            words += rng.choice((["-o", "out.csv"], ["--dry-run"]))
    elif name == "network":
        words += [rng.choice(["g.txt"] * 6 + ["nope", "-", "."]), "--time-limit", "1"]
    elif name == "instance":
        words += _instance(rng)
    elif name == "hierarchy":
        words += ["age", "t.csv"]
    elif name == "list":
        words.append(rng.choice(("models", "solvers", "costs", "instances", "formats", "measures", "x", "")))
    else:
        words.append("t.csv")
    options = [one for one in _parts()[name] if isinstance(one, click.Option)]
    for _ in range(rng.choice((0, 1, 1, 2, 3, 4))):
        if options:
            one = rng.choice(options)
            if one.name not in SLOW or rng.random() < 0.05:
                words += _option(rng, one)
    if rng.random() < 0.1:
        at = rng.randrange(len(words))
        words[at] = changed_bytes(rng, words[at].encode("utf-8"), 1).decode("latin-1")
    if rng.random() < 0.05:
        words.insert(
            rng.randrange(len(words)), rng.choice(("--", "-", "--help", "-x", "--nope", "@t.csv", "--k=2", "--version"))
        )
    shown = "-" in words or "/dev/stdout" in words or name == "hierarchy"
    return Case("command", tuple(words), files=tuple(held), shown=shown)


def _instance(rng) -> list[str]:
    """A hard instance with its own parameters."""
    name = rng.choice(registry.names("instances") if hasattr(registry, "names") else list(registry.INSTANCES))
    words = [name, "-o", rng.choice(("d", "d", "t.csv", "."))]
    for _ in range(rng.choice((0, 1, 2))):
        words += rng.choice(
            (
                ["--size", rng.choice(("1", "2", "3", "0", "-1", "x"))],
                ["--seed", rng.choice(COUNTS)],
                ["--no"],
                ["--example"],
                ["--nope", "1"],
                ["--source", rng.choice(("t.csv", "g.txt", "d", "nope", ""))],
            )
        )
    return words
