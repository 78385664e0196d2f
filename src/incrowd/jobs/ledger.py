"""A local file that remembers whose data was released before, without any of the data.

It holds names of columns, counts, and of each table the 1024 smallest keyed hashes of its people's (or rows') keys.
The key of the hashes lies in a file of its own that only its owner may read; without it nobody can try values.
"""

from __future__ import annotations

import datetime
import json
import logging
import os
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.atomic_file import write_whole
from incrowd.errors import InputError, PolicyError, count_of
from incrowd.strict_json import read_json
from incrowd.tables.attack.sketch import Sketch, overlap, sketch_of
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import label_of, open_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.policy.job import Job, Policy
    from incrowd.tables.roles import Reading

log = logging.getLogger("incrowd")

MOST_BYTES = 1 << 28
MOST_ENTRIES = 10_000
SECRET_BYTES = 32
VERSION = 1
DIGITS = frozenset("0123456789abcdef")


def default_ledger() -> Path:
    """Return where the ledger lies unless a file is named: ``ledger.json`` in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    folder = Path(base) if base else Path.home() / ".local" / "share"
    return folder / "incrowd" / "ledger.json"


def read_ledger(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a ledger, none where there is no file yet.

    `InputError` is raised if it cannot be read or is no ledger.
    """
    name = f"the ledger {path.name!r}"
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{name} is above 256 MB; move it away, and a new one is begun")
        read = read_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{name} is no JSON; put back the file that `incrowd ledger add` wrote") from None
    entries = read.get("releases") if isinstance(read, dict) and read.get("ledger") == VERSION else None
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES or not all(_sound(entry) for entry in entries):
        raise InputError(f"{name} is no ledger of this version; put back the file that `incrowd ledger add` wrote")
    return entries


def _earlier(line: Mapping[str, Any]) -> str:
    """Return what an earlier release means for the next one, as a sentence."""
    shared, said = line["shared"], f"'{line['release']}' ({line['people']}, {line['added']})"
    if shared is None:
        return f"{said} was released of these people before; how many are in both cannot be told from the ledger"
    if shared["least"] == shared["most"]:
        return f"{count_of(shared['keys'], 'key')} of this table {'is' if shared['keys'] == 1 else 'are'} in {said} too"
    return (
        f"about {count_of(shared['keys'], 'key')} of this table (19 times in 20 from {shared['least']:,} to "
        f"{shared['most']:,}) are in {said} too"
    )


def entry_of(
    path: Path, people: str, release: Any, policy: Policy, original: Any = None, person: str | None = None
) -> dict[str, Any]:
    """Return what the ledger would hold of a release.

    `path` is that of the ledger; its key file is made where there is none. `people` says whose data it is, in the
    user's own words. Of the release, a path, frame or Arrow table, only the name is kept. `person` is the column that
    says whose row it is; without it the policy's quasi-identifiers are the key. Keys are counted in `original`, a path,
    frame or Arrow table; without it they are counted in the release by `person`, or not at all. `InputError` or
    `PolicyError` is raised if a table cannot be read or lacks the column, or the name says nothing.
    """
    if not isinstance(people, str) or not people.strip() or len(people) > 200:
        raise PolicyError("people must say whose data it is, in 1 to 200 characters")
    entry: dict[str, Any] = {
        "people": people.strip(),
        "release": label_of(release).strip("'"),
        "added": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "k": policy.k,
        "quasi_identifiers": list(policy.quasi_identifiers),
        "sensitive": list(policy.all_sensitive),
        "key": [],
        "keys": None,
        "sketch": None,
    }
    source = release if original is None else original
    columns = [person] if person is not None else list(policy.quasi_identifiers)
    if person is None and original is None:
        return entry
    if not columns:
        raise PolicyError("name the column that says whose row it is (person), or the quasi_identifiers")
    sketch = _counted(source, policy.reading, columns, _secret(path))
    held = [f"{value:016x}" for value in sketch.hashes]
    return entry | {"key": columns, "keys": sketch.keys, "sketch": held}


def earlier(path: Path, entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the earlier releases of the same people, or of keys that are shared, as far as can be told.

    `entry` is as `entry_of` returns it. Each dict of the result has ``people``, ``release``, ``added``, ``same_name``,
    ``shared`` {keys, least, most} or None where the keys cannot be compared, and ``sentence``.
    """
    found = []
    for one in read_ledger(path):
        shared = None
        if one["sketch"] is not None and entry["sketch"] is not None and one["key"] == entry["key"]:
            told = overlap(_sketch(one), _sketch(entry))
            shared = {"keys": told.keys, "least": told.least, "most": told.most}
        same = one["people"].casefold() == entry["people"].casefold()
        if (shared is not None and shared["most"] and (shared["keys"] or same)) or (shared is None and same):
            line = {name: one[name] for name in ("people", "release", "added")}
            line |= {"same_name": same, "shared": shared}
            found.append(line | {"sentence": _earlier(line)})
    return found


def released_before(people: str, policy: Policy, source: Any) -> list[str]:
    """Return a sentence for each release of these people in the user's own ledger, to which nothing is written.

    Keys are counted in the source where an earlier release was counted by the same quasi-identifiers. InputError or
    PolicyError is raised if the ledger or its key cannot be used, the table cannot be read twice, or the name says
    nothing.
    """
    if isinstance(source, str) and source == "-":
        raise InputError("people reads the table twice, and standard input can be read once; name a file")
    path, key = default_ledger(), list(policy.quasi_identifiers)
    counted = any(one["sketch"] is not None and one["key"] == key for one in read_ledger(path))
    if counted and not _key_file(path).exists():
        raise InputError(f"the key {_key_file(path).name!r} of the ledger is not there; put it back")
    entry = entry_of(path, people, source, policy, source if counted else None)
    return [line["sentence"] for line in earlier(path, entry)]


def warn_of_earlier(people: str, job: Job) -> None:
    """Warn a caller in Python of what was released of these people before."""
    for sentence in released_before(people, job.policy, job.source):
        log.warning("before you hand this out: %s (incrowd.attack with others= says what both tell)", sentence)


def add(path: Path, entry: Mapping[str, Any]) -> None:
    """Write an entry to the ledger, which is whole or as it was.

    `entry` is as `entry_of` returns it. `InputError` is raised if the ledger cannot be read or written.
    """
    entries = [*read_ledger(path), dict(entry)]
    if len(entries) > MOST_ENTRIES:
        raise InputError(
            f"the ledger {path.name!r} holds {MOST_ENTRIES:,} releases; move it away, and a new one is begun"
        )
    _folder(path)
    write_whole(path, json.dumps({"ledger": VERSION, "releases": entries}, ensure_ascii=False, indent=1) + "\n")


def _counted(source: Any, reading: Reading, columns: Sequence[str], secret: bytes) -> Sketch:
    """Return the sketch of the different keys of a table; rows without any key are nobody's."""
    with open_engine("duckdb", None, source) as engine:
        opened = open_source(engine, source, reading)
        lacking = [name for name in columns if name not in opened.names]
        if lacking:
            raise InputError(f"{label_of(source)} has no column {lacking[0]!r} to count people by")
        short = {f"q{i}": engine.text(opened.data[opened.ids[name]]) for i, name in enumerate(columns)}
        with engine.guard("counting the keys"):
            table = engine.fetch(opened.data.select(**short).distinct())
        cells = [table.column(name).to_pylist() for name in short]
        return sketch_of((row for row in zip(*cells, strict=True) if any(cell is not None for cell in row)), secret)


def _secret(path: Path) -> bytes:
    """Return the key of the hashes, from the file beside the ledger that only its owner may read."""
    file = _key_file(path)
    try:
        if not file.exists():
            _folder(path)
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as out:
                out.write(secrets.token_hex(SECRET_BYTES) + "\n")
        if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise InputError(f"the key {file.name!r} of the ledger can be read by others; chmod 600 it")
        found = bytes.fromhex(file.read_text(encoding="ascii").strip())
    except OSError as error:
        raise InputError(f"the key {file.name!r} of the ledger cannot be used: {error.strerror}") from None
    except ValueError:
        found = b""
    if len(found) != SECRET_BYTES:
        raise InputError(f"the key {file.name!r} of the ledger is not one; put the file of that name back")
    return found


def _key_file(path: Path) -> Path:
    return path.with_name(path.name + ".key")


def _folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder of the ledger {path.name!r} cannot be made: {error.strerror}") from None


def _sketch(entry: Mapping[str, Any]) -> Sketch:
    return Sketch(tuple(int(value, 16) for value in entry["sketch"]), int(entry["keys"]))


def _sound(entry: Any) -> bool:
    """Return whether an entry is one, its numbers within bounds."""
    if not isinstance(entry, dict) or not all(isinstance(entry.get(n), str) for n in ("people", "release", "added")):
        return False
    lists = [entry.get(name) for name in ("quasi_identifiers", "sensitive", "key")]
    if not all(isinstance(one, list) and all(isinstance(name, str) for name in one) for one in lists):
        return False
    sketch, keys = entry.get("sketch"), entry.get("keys")
    if sketch is None:
        return keys is None
    if not isinstance(sketch, list) or not isinstance(keys, int) or len(sketch) > min(keys, 1 << 53):
        return False
    return all(isinstance(value, str) and len(value) == 16 and set(value) <= DIGITS for value in sketch)
