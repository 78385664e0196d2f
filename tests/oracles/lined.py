"""Certificates of lines, written plainly."""

from __future__ import annotations

import gzip
import json


def lined(path, head, prices, *, level=6):
    """Write a head and a price a line, packed."""
    text = json.dumps(head) + "\n" + "".join(f"{price}\n" for price in prices)
    path.write_bytes(gzip_bytes(text.encode(), level=level))
    return path


def gzip_bytes(data, *, level=6):
    return gzip.compress(data, compresslevel=level, mtime=0)


def as_lines(certificate):
    """The head of version 3 that says what a certificate of version 1 does by its prices alone."""
    head = {name: told for name, told in certificate.items() if name not in ("prices", "components", "trees")}
    return head | {"version": 3}
