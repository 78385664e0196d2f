"""Write the pages of the papers (docs/understand/papers/) from papers/statements/*.toml and the registered parts."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from incrowd import registry
from incrowd.cli.commands.list import listed

ROOT = Path(__file__).resolve().parents[1]
STATEMENTS = ROOT / "papers" / "statements"
PAGES = ROOT / "docs" / "understand" / "papers"
STATES = {
    "as written": "runs as the paper writes it",
    "further": "runs, and goes beyond the paper",
    "corrected": "runs, with a correction of the paper",
    "in part": "runs in part",
    "not built": "cannot be run here",
}
KINDS = {
    "models": "model",
    "solvers": "solver",
    "costs": "cost",
    "measures": "measure",
    "instances": "instance",
    "methods": "network method",
}


def papers() -> dict[str, dict[str, Any]]:
    """Return what is said of every paper, by the name of its page."""
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(STATEMENTS.glob("*.toml"))}


def parts_of(said: dict[str, Any]) -> set[str]:
    """Return the registered parts that come from a paper, as ``kind:name``."""
    found = {
        f"{kind}:{name}"
        for kind in ("models", "solvers", "costs", "measures")
        for name in registry.names(kind)
        if said["key"] in getattr(registry.load(kind, name), "cites", ())
    }
    found |= {f"instances:{one['name']}" for one in listed("instances") if one["paper"].startswith(said["author"])}
    if said.get("methods"):
        found |= {f"methods:{name}" for name in registry.names("methods")}
    return found


def page(said: dict[str, Any]) -> str:
    """Return the page of one paper."""
    summaries = {f"{kind}:{one['name']}": one["summary"] for kind in KINDS for one in listed(kind)}
    rows = [f"| [{one['item']}](#{_anchor(one['item'])}) | {STATES[one['state']]} |" for one in said["statement"]]
    parts = [
        f"# {said['title']}",
        "Written by `make docs` from `papers/statements/` and the registered parts; a test runs every command of it.",
        said["reference"] + ".",
        said["intro"].strip(),
        f"Proofs, tests and measurements are in the repository's `papers/{said['notes']}`.",
        "\n".join(["| statement | here |", "|---|---|", *rows]),
    ]
    for one in said["statement"]:
        parts += [f"## {one['item']}", f"*The paper.* {one['says']}"]
        for kind, mark in (("run", "console"), ("data", "text")):
            if kind in one:
                lines = [f"$ {command}" if kind == "run" else command for command in one[kind]]
                parts.append("\n".join([f"```{mark}", *lines, "```"]))
        if "found" in one:
            parts.append(f"*What we found.* {one['found']}")
        if "otherwise" in one:
            parts.append(f"*Otherwise here.* {one['otherwise']}")
        if "parts" in one:
            names = [_part(name, summaries[name]) for name in one["parts"]]
            parts.append("\n".join(names))
    return "\n\n".join(parts) + "\n"


def index(all_papers: dict[str, dict[str, Any]]) -> str:
    """Return the page that names the papers and counts their statements."""
    rows = []
    for name, said in all_papers.items():
        states = [one["state"] for one in said["statement"]]
        counts = ", ".join(f"{states.count(state)} {state}" for state in STATES if state in states)
        rows.append(f"| [{said['title']}]({name}.md) | {len(states)} | {counts} |")
    meaning = [f"- *{state}*: {words}" for state, words in STATES.items()]
    return (
        "\n\n".join(
            [
                "# The papers, statement by statement",
                "Four papers are behind `incrowd`. For every definition, theorem, algorithm and table a page names the "
                "command that runs it here, what we found, and where we deviate and why. The commands run in a folder "
                "where `incrowd demo` has been run.",
                "\n".join(["| paper | statements | of which |", "|---|---|---|", *rows]),
                "\n".join(meaning),
            ]
        )
        + "\n"
    )


def pages() -> dict[str, str]:
    """Return every page's text by its file name."""
    everything = papers()
    return {"index.md": index(everything), **{f"{name}.md": page(said) for name, said in everything.items()}}


def _part(name: str, summary: str) -> str:
    kind, _, own = name.partition(":")
    return f"- `{own}` ({KINDS[kind]}): {summary}"


def _anchor(heading: str) -> str:
    kept = "".join(letter for letter in heading.lower() if letter.isalnum() or letter in " -_")
    return "-".join(kept.split())


if __name__ == "__main__":
    PAGES.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(pages())} pages written\n")
