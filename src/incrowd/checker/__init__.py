"""The check in the browser: one page without any request, whose only scripts and styles are its own, named by hash."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from incrowd.version import __version__

SCRIPTS = (
    "lists", "numbers", "text", "json", "toml", "costs", "policy", "mask", "words", "table", "models", "requirements",
    "flow", "labels", "release", "packed", "certificate", "problem", "prices", "matching", "classes", "required",
    "single", "ranges", "check", "show",
)  # fmt: skip


def checker_page() -> str:
    """Return the page: no address in it, and a policy under which a browser lets it load and send nothing.

    The content security policy stands before everything else and allows the one script and the one style by their
    SHA-256; no text of a file can become a part of the page but as text (``trusted-types 'none'``).
    """
    style, code = _read("page.css"), script()
    rules = {
        "default-src": "'none'",
        "script-src": _hash(code),
        "style-src": _hash(style),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    parts = {
        "POLICY": "; ".join(f"{name} {value}" for name, value in rules.items()),
        "VERSION": __version__,
        "STYLE": style,
        "SCRIPT": code,
    }
    page = _read("page.html")
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text)
    return page


def script() -> str:
    """Return the page's script: its files one after the other, in a scope of their own."""
    pieces = [_read(f"script/{name}.js").strip() for name in SCRIPTS]
    return "\n".join(['\n"use strict";', "{", "\n\n".join(pieces), "}", ""])


def _read(name: str) -> str:
    return (files("incrowd.checker") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return how a content security policy names a script or style that stands in its page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
