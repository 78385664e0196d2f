"""The same in the shell and in Python: what a step does, as somebody would write it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

__all__ = ["Same", "network_same", "same", "tree_same"]


@dataclass(frozen=True, slots=True)
class Same:
    """One step in two languages.

    Attributes
    ----------
    shell, python : str
        Lines to be copied.
    """

    shell: str
    python: str


def same(step: str, table: str, policy: str, ks: str = "2, 5, 10") -> Same:
    """Return one of the app's steps in the shell and in Python.

    `table` and `policy` are names of the files; what is made is called after the table, as a browser saves it. `ks` are
    the k that a curve is drawn for, with commas between.
    """
    stem = table.split(".")[0]
    release, certificate, report = (f"{stem}-{name}" for name in ("release.csv", "certificate.json", "report.html"))
    by = f"{table!r}, {policy!r}"
    if step == "columns":
        return Same(f"{_line('incrowd', 'init', table)} > {shlex.quote(policy)}", f"incrowd.Policy.load({policy!r})")
    if step == "risks":
        return Same(_line("incrowd", "audit", table, "--policy", policy), f"print(incrowd.audit({by}).summary())")
    if step == "promise":
        numbers = ",".join(part.strip() for part in ks.split(","))
        return Same(
            _line("incrowd", "tradeoff", table, "--policy", policy, "--ks", numbers),
            f"print(incrowd.tradeoff({by}, ks=[{ks}]).summary())",
        )
    if step == "release":
        return Same(
            _line("incrowd", "verify", table, release, "--policy", policy, "--certificate", certificate),
            f"incrowd.verify({table!r}, {release!r}, {policy!r}, certificate={certificate!r})",
        )
    if step == "search":
        return Same(
            _line("incrowd", "anonymize", table, "--policy", policy, "-o", release, "--certificate", certificate,
                  "--report", report),
            f"release = incrowd.anonymize({by})\nrelease.save({release!r})\nrelease.certificate({certificate!r})",
        )  # fmt: skip
    return Same(
        _line("incrowd", "anonymize", table, "--policy", policy, "--dry-run"),
        f"print(incrowd.anonymize({by}).summary())",
    )


def tree_same(table: str, policy: str, column: str, tree: str) -> Same:
    """Return what the page of a column's tree does, in the shell and in Python.

    `table` and `policy` are names of the files. The values of `column` are grouped, and `tree` is as Python writes it.
    """
    file = "hierarchy1.csv"
    return Same(
        f"{_line('incrowd', 'hierarchy', column, table, '--prefix', '--lengths', '1', '-o', file)}\n"
        f"# edit the file, name it in the policy, and see what follows\n"
        f"{_line('incrowd', 'anonymize', table, '--policy', policy, '--dry-run')}",
        f"tree = {tree}\nincrowd.Hierarchy.from_tree(tree).to_csv({file!r})\n"
        f"print(incrowd.anonymize({table!r}, {policy!r}).summary())",
    )


def network_same(graph: str) -> Same:
    """Return what the page of a network asks, in the shell and in Python; `graph` is the name of its file."""
    return Same(
        f"{_line('incrowd', 'network', graph, '--profile')}\n{_line('incrowd', 'network', graph, '--risks', '1')}",
        f"print(incrowd.networks.profile({graph!r}).summary())\n"
        f"print(incrowd.networks.risks({graph!r}, attackers=1).summary())",
    )


def _line(*words: str) -> str:
    return shlex.join(words)
