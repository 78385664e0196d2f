"""Policy files: keys and values of all shapes in TOML, sound lines between, loaded, saved and run."""

from __future__ import annotations

import functools

import tomli_w

from incrowd.policy.job import known_settings
from process.fuzz.case import Case
from process.fuzz.mutation import changed_bytes
from process.fuzz.tables import plain_csv
from process.fuzz.values import drawn, plain_values

__all__ = ["policy"]

SOUND = """quasi_identifiers = ["age", "sex", "job", "zip"]
sensitive = ["ill"]
identifiers = ["who"]
k = 2
l = 1.2
outliers = "suppress"
require = [{ name = "p-sensitive", p = 2, column = "ill" }]
[mask]
max_stars = 3
keep = []
at_most_one = [["age", "sex"]]
[weights]
age = 2
[hierarchies]
zip = "prefix"
[read]
strip = true
[job]
solver = "greedy"
seed = 3
"""
VALUES = (
    "1", "-1", "0", "2", "nan", "inf", "-inf", "1e400", "99999999999999999999999999", "true", '""', '"x"', "[]", "[[]]", "[[[]]]", "{}",
    "{a=1}", "1979-05-27", "07:32:00", '"age"', '["age"]', '["age","age"]', '[["age","sex"],["age"]]', "[1,2]", '"\\u0000"',
    '"' + "a" * 3000 + '"', '"\\u202e"', '"\\u001b[31m"', "0.1", '"1/3"', '"1/0"', '"1e999999999"', '"9"', "0x7fffffffffffffff", "[nan]",
    "{ age = nan }", "{ age = -1 }", "{ age = 'x' }", "{ age = 1e300 }", "{ age = 1e-300 }", "{ age = 'prefix' }", "{ age = [5, 10] }",
    "{ age = { intervals = [5, 10] } }", "{ age = { prefix = [1] } }", "{ ill = 'equal' }", "{ ill = 'ordered' }", "{ ill = [[0, 1], [1, 0]] }",
    "{ age = '1/100000000000000000000000000007', sex = '1/9999999999999999991' }", "'''a\nb'''", "[" * 200 + "]" * 200,
)  # fmt: skip
KEYS = (
    "mask", "read", "job", "max_stars", "keep", "together", "at_most_one", "never_together", "max_level", "pattern", "patterns", "full_suppression",
    "header", "columns", "delimiter", "encoding", "na", "strip", "source", "output", "\"\"", "'\\u001b'", "a.b", "quasi-identifiers", "K",
)  # fmt: skip
MODELS = (
    "l-diversity", "t-closeness", "p-sensitive", "alpha-k", "beta-likeness", "delta-disclosure", "k-anonymity", "nope", "",
)  # fmt: skip
THRESHOLDS = (
    "l", "t", "p", "k", "alpha", "beta", "delta", "column", "columns", "kind", "c", "distance", "rescale", "enhanced", "order", "hierarchy",
)  # fmt: skip
KINDS = (
    '"frequency"',
    '"distinct"',
    '"entropy"',
    '"recursive"',
    '"joint"',
    '"ordered"',
    '"numeric"',
    '"hierarchical"',
    '"ill"',
    '["ill", "sex"]',
)
TABLES = ("[x]", "[mask.x]", "a.b = 1", "[weights]", "[[job]]", "[hierarchies]\nage = ", "[mask]", "[read]")


@functools.cache
def _keys() -> tuple[str, ...]:
    return (*known_settings(), *KEYS)


def _edited(rng) -> str:
    """The sound policy with one to three lines changed or added."""
    held = SOUND.splitlines()
    for _ in range(rng.choice((1, 1, 2, 3))):
        at, how = rng.randrange(len(held)), rng.randrange(6)
        if how == 0 and "=" in held[at]:
            held[at] = held[at].split("=")[0] + "= " + rng.choice(VALUES)
        elif how == 1:
            held.insert(rng.choice((0, at)), f"{rng.choice(_keys())} = {rng.choice(VALUES)}")
        elif how == 2:
            chosen = rng.sample(THRESHOLDS, rng.randrange(1, 4))
            options = ", ".join(f"{name} = {rng.choice(VALUES + KINDS)}" for name in chosen)
            held = [line for line in held if not line.startswith("require")]
            held.insert(0, f'require = [{{ name = "{rng.choice(MODELS)}", {options} }}]')
        elif how == 3:
            held[at] = changed_bytes(rng, held[at].encode(), 1).decode("latin-1")
        elif how == 4:
            del held[at]
            held = held or [""]
        else:
            one = rng.choice(TABLES)
            held.insert(at, one + rng.choice(VALUES) if one.endswith("= ") else one)
    return "\n".join(held) + "\n"


def _of_values(rng, index: int) -> bytes:
    """A policy of known keys with values of any shape."""
    values = drawn(plain_values, index)
    document = {}
    for name in rng.sample(_keys()[:-9], rng.randrange(1, 4)):
        value = rng.choice(values)
        if rng.random() < 0.3:
            value = {rng.choice(("age", "sex", "name", "keep", "")): value}
        document[name] = value
    document = {"quasi_identifiers": ["age", "sex"], "k": 2} | document if rng.random() < 0.5 else document
    try:
        return tomli_w.dumps(document).encode("utf-8", "replace")
    except (TypeError, ValueError):
        return b"k = 2\n"


def policy(rng, index: int) -> Case:
    """A policy file that is loaded and saved; every sixtieth is run."""
    data = _of_values(rng, index) if rng.random() < 0.4 else _edited(rng).encode("utf-8", "replace")
    if rng.random() < 0.15:
        data = changed_bytes(rng, data)
    if index % 60:
        return Case("policy", call=("round trip", "'p.toml'"), files=(("p.toml", data),))
    command = rng.choice(("anonymize", "anonymize", "anonymize", "audit", "tradeoff"))
    words = (command, "t.csv", "--policy", "p.toml")
    if command == "anonymize":
        words += (*rng.choice((("--dry-run",), ("-o", "out.csv"))), "--time-limit", "1", "--solver", "greedy")
    elif command == "tradeoff":
        words += ("--ks", "2", "--time-limit", "1")
    return Case("policy", words, files=(("t.csv", plain_csv()), ("p.toml", data)))
