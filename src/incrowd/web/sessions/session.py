"""One open table: where it lies, its policy as text, and the work that goes on for it."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.items import Array

from incrowd.atomic_file import write_whole
from incrowd.errors import IncrowdError, InputError, PolicyError
from incrowd.jobs.anonymize import anonymize
from incrowd.jobs.audit import audit
from incrowd.jobs.proposal import proposal
from incrowd.jobs.tradeoff import tradeoff
from incrowd.jobs.verify import verify
from incrowd.policy.document import document_of, read_document, with_files
from incrowd.policy.job import Job, flat_settings
from incrowd.policy.keys import ALIASES
from incrowd.tables.hierarchy import Dates, Intervals, Prefix, as_spec, option_text
from incrowd.web.sessions.questions import Questions
from incrowd.web.sessions.work import Open, Work

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping, Sequence

    from incrowd.jobs.proposal import Start
    from incrowd.progress import Watch
    from incrowd.results.release import Release
    from incrowd.tables.hierarchy import Spec

POLICY = "policy.toml"
MOST_TEXT = 1 << 20
CURVE_SECONDS = 3.0  # for each k of the curve
BOUND_SECONDS = 60.0  # for the recount of a certificate, unless somebody asks for all of it
CERTIFICATE = "certificate.json"


class Session(Open):
    """One open table.

    Pages name it by `number`, a word of letters and digits. `source` is the table, and `room` a private folder of its
    own, for its policy and what is made. `text`: the policy as text; empty until one was proposed or opened. `start`:
    what was proposed for the table. `questions`: what is asked about its columns. `trees`: by column, the values that
    somebody asked to see, with their groups, as text. `made`: the folder of the last search, below the room: what it
    found is written there.
    """

    def __init__(self, number: str, source: Path, room: Path) -> None:
        super().__init__(number, source, room)
        self.start: Start | None = None
        self.trees: dict[str, str] = {}
        self.own_policy = False
        self.made: Path | None = None
        self.questions = Questions(lambda what, do: self.begin("values", what, do))
        self.look()

    def saved_as(self, name: str) -> str:
        """Return what a file of it is called when it is saved beside the table."""
        return f"{self.label.split('.')[0]}-{name}"

    @property
    def beside(self) -> list[Path]:
        """The files that the policy names, as they lie here; none of a policy that cannot be read."""
        with contextlib.suppress(IncrowdError):
            return [self.room / name for name in files_named(self.room / POLICY) if (self.room / name).is_file()]
        return []

    # --- the policy

    @property
    def job(self) -> Job:
        """The job that the policy's text describes, on this table; it writes nothing.

        Raise `PolicyError` or `InputError` if the text is no policy, or files that it names are missing.
        """
        missing = missing_files(self._saved(self.text))
        if missing:
            raise InputError(f"the policy names {', '.join(missing)}, which is not here yet; add it under All settings")
        return self._on_table(Job.load(self.room / POLICY))

    def _on_table(self, job: Job) -> Job:
        if job.engine != Job().engine:
            raise PolicyError(
                f"the app works with engine = {Job().engine!r}; use incrowd in a shell for {job.engine!r}"
            )
        nowhere = dict.fromkeys(("output", "certificate", "report", "save_policy"))
        return job.replace(source=self.source, dry_run=False, keep_best=True, **nowhere)

    def _saved(self, text: str) -> Path:
        if len(text) > MOST_TEXT:
            raise InputError("the policy is longer than a policy is; open another file")
        write_whole(self.room / POLICY, text)
        return self.room / POLICY

    def take(self, text: str) -> None:
        """Take another text, which is TOML, as the policy.

        Raise `PolicyError` or `InputError` if it is none; the policy stays what it was then.
        """
        with self._lock:
            try:
                missing = missing_files(self._saved(text))
                k = None if missing else self._on_table(Job.load(self.room / POLICY)).policy.k
                if self.start is not None and k is not None and k > max(self.start.rows, 1):
                    raise PolicyError(
                        f"k = {k:,} asks for more rows that look alike than the table has, which are "
                        f"{self.start.rows:,}; take a smaller k"
                    )
            except BaseException:
                self._saved(self.text)
                raise
            self.own_policy = True
            self.text = text

    def change(self, **settings: Any) -> None:
        """Change some settings of the policy; every other line of its text stays.

        The settings are given by their names, as `Job.replace` takes them. Raise `PolicyError` or `InputError` if they
        contradict one another; the policy stays what it was then.
        """
        with self._lock:
            self._saved(self.text)
            before = Job.load(self.room / POLICY)
            text = rewritten(self.text, before, before.replace(**settings), self.room)
            if text != self.text:
                self.take(text)

    def copy_beside(self, policy: Path) -> None:
        """Copy the files that a policy of the root names beside the copy of the policy here.

        The policy lies below the root; what it names lies below its folder. Raise `PolicyError` or `InputError` if it
        names a file out of its folder.
        """
        for name in files_named(policy):
            if (policy.parent / name).is_file():
                (self.room / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(policy.parent / name, self.room / name)

    # --- the work

    def look(self, **reading: Any) -> Work:
        """Begin to look at the table's columns, and propose a policy where there is none of the user's own.

        `reading` says how the table is read, in place of what was found. Raise `PolicyError` if a value cannot be used.
        """
        job = Job().replace(source=self.source, **reading)
        self.trees.clear()  # of values that may be other ones now

        def do(watch: Watch) -> Start:
            found = proposal(job, watch)
            with self._lock:
                self.start = found
                if not self.own_policy:
                    self.text = found.text
            with contextlib.suppress(IncrowdError):  # of a policy of the user's own; the pages say what to mend
                self.questions.counting(self.job)  # which the next pages ask for
            return found

        return self.begin("columns", "Looking at the columns", do)

    def audit(self) -> Work:
        """Return the audit of the table under the policy's roles, begun if it has to be."""
        with self._lock:
            if self.fresh("risks") and (found := self.work("risks")) is not None:
                return found
            job = self.job.replace(time_limit=None)
            return self.begin("risks", "Counting who can be told apart", lambda watch: audit(job, watch))

    def curve(self, ks: Sequence[int]) -> Work:
        """Begin to ask what is lost for several k."""
        job = self.job.replace(time_limit=CURVE_SECONDS)
        return self.begin("curve", "Trying every k", lambda watch: tradeoff(job, ks=ks, watch=watch))

    def run(self) -> Work:
        """Begin to look for a release."""
        job = self.job
        made = Path(tempfile.mkdtemp(prefix="search", dir=self.room))  # a search that is replaced writes into its own

        def do(watch: Watch) -> Release:
            release = anonymize(job, watch)
            if self.made != made:  # another search has taken its place
                release.close()
                shutil.rmtree(made, ignore_errors=True)
                return release
            release.to_csv(made / "release.csv")
            if release.proof != "none":
                release.certificate(made / CERTIFICATE)
            job.policy.save(made / "released-policy.toml")
            return release

        with self._lock:
            before, old = self.made, self.work("run")
            self.made = made
            for name in ("check", "bound"):
                if name in self._work:
                    self._work.pop(name)[1].stop()
            if before is not None and (old is None or old.state != "working"):
                shutil.rmtree(before, ignore_errors=True)
            return self.begin("run", "Looking for a release that loses little", do)

    def check(self) -> Work:
        """Return the recount of the written release from the two tables alone, begun if it has to be."""
        with self._lock:
            return self.work("check") or self._recount("check", "Counting again, from the two tables alone")

    def bound(self, seconds: float | None = BOUND_SECONDS) -> Work | None:
        """Return the recount of the release's certificate, which ends after some seconds; None where there is none.

        It is begun if it has to be; without a limit it begins again.
        """
        with self._lock:
            if self.made is None or not (self.made / CERTIFICATE).is_file():
                return None
            if seconds is not None and (found := self.work("bound")) is not None:
                return found
            return self._recount("bound", "Counting the proof of the bound again", self.made / CERTIFICATE, seconds)

    def _recount(self, name: str, what: str, certificate: Path | None = None, seconds: float | None = None) -> Work:
        held, made = self.work("run"), self.made
        if made is None or held is None or held.state != "done":
            raise InputError("there is no release to check yet; run the search first")
        job: Job = held.result.job

        check = self.work("check")
        counted = tuple(check.result) if certificate and check is not None and check.state == "done" else None

        def do(watch: Watch) -> Any:
            made_here = made / "release.csv"
            return verify(self.source, made_here, job, certificate, time_limit=seconds, watch=watch, counted=counted)

        return self.begin(name, what, do)


# A policy's text with some settings changed: comments, order and all other lines stay as they are.
TABLES = ("mask", "weights", "hierarchies", "read", "job", "sensitive_distance")
WHOLE = ("mask",)  # whose keys a policy may also hold outside the table
NOTHING = object()


def rewritten(text: str, before: Job, after: Job, folder: Path) -> str:
    """Return the text of a policy file with what differs between two jobs written into it.

    `text` is the TOML that `before` was read from, and `folder` the policy's, from which files are named. The very text
    is returned where nothing differs; else only the lines of the settings that differ are other ones. A setting that
    has its default again loses its line.
    """
    changes = list(_changes(document_of(before.policy, before, folder), document_of(after.policy, after, folder)))
    if not changes:
        return text
    document = tomlkit.parse(text)
    specs = dict(after.policy.hierarchies)
    for table, key, value in changes:
        said = value if table != "hierarchies" or value is NOTHING else _in_words(specs[key], value)
        _put(document, table, key, _in_one_line(said) if table else said)
    return tomlkit.dumps(document)


def _in_words(spec: Spec, plain: Any) -> Any:
    """Return a hierarchy in a few words where they say all of it, else as it is."""
    if isinstance(spec, (Intervals, Dates, Prefix)) and as_spec(option_text(spec), "") == spec:
        return option_text(spec)
    return plain


def _in_one_line(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    made = tomlkit.inline_table()
    made.update(value)
    return made


def _changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield table (or nothing), key and new value of what differs; `NOTHING` for what is gone."""
    before, after = _flat(old), _flat(new)
    for place in dict.fromkeys([*before, *after]):
        if before.get(place, NOTHING) != after.get(place, NOTHING):
            yield *place, after.get(place, NOTHING)


def _flat(document: dict[str, Any]) -> dict[tuple[str, str], Any]:
    tables = {name: part if name in TABLES else {name: part} for name, part in document.items()}
    return {
        (name if name in TABLES else "", key): value for name, part in tables.items() for key, value in part.items()
    }


def _put(document: Any, table: str, key: str, value: Any) -> None:
    place, name = _found(document, table, key)
    if value is NOTHING:
        if place is not None:
            del place[name]
        return
    if place is not None:
        place[name] = _styled(place.get(name), value)
        return
    if not table:
        document[key] = value
        return
    spelled = _spelling(document, table)
    if spelled is None:
        document[table] = tomlkit.table()
        spelled = table
    document[spelled][key] = value


def _found(document: Any, table: str, key: str) -> tuple[MutableMapping[str, Any] | None, str]:
    """Return where a setting stands in a document, and by which of its names; (None, key) where it does not."""
    places: list[Any] = [document]
    spelled = _spelling(document, table) if table else None
    if spelled is not None:
        places.insert(0, document[spelled])
    if table and table not in (*WHOLE, "read", "job"):
        places = places[:-1]  # keys of weights are columns, and no settings
    columns = table in ("weights", "hierarchies", "sensitive_distance")
    for place in places:
        for name in place:
            if name == key or (not columns and ALIASES.get(name) == key):
                return place, name
    return None, key


def _spelling(document: Any, table: str) -> str | None:
    """Return the name that a table has in a document, of those that it may have."""
    names = [name for name in document if name == table or ALIASES.get(name) == table]
    return next((name for name in names if isinstance(document[name], dict)), None)


def _styled(old: Any, value: Any) -> Any:
    """Return a value written as the one that it replaces: a list keeps its lines and their comments.

    Entries are taken out of it and put at its end, where that gives the new one; else it is written anew.
    """
    if not (isinstance(value, list) and isinstance(old, Array)):
        return value
    lines = "\n" in old.as_string()
    for place in range(len(old) - 1, -1, -1):
        if old[place] not in value:
            del old[place]
    for entry in value:
        if entry not in old:
            old.append(entry)
    if list(old) == value:
        return old
    made = tomlkit.array()
    made.extend(value)
    return made.multiline(lines)


# The files that a policy names: each must lie in the policy's folder, so that one from elsewhere reads no other.
def files_named(policy: Path) -> list[str]:
    """Return the files that a policy file names, from its folder, each once.

    Raise `PolicyError` if it is no policy, or names a file out of its folder, and `InputError` if it is no TOML.
    """
    folder = policy.parent.resolve()
    found = []

    def note(file: str | Path) -> Path:
        path = folder / file
        inside = path.is_relative_to(folder) and ".." not in path.parts and path.resolve().is_relative_to(folder)
        if not inside:
            raise PolicyError(
                "the policy names a file out of its own folder, which the app does not read; put the file beside the "
                "policy and name it without a folder"
            )
        found.append(path.relative_to(folder).as_posix())
        return path

    with_files(flat_settings(read_document(policy), policy.name), note)
    return list(dict.fromkeys(found))


def missing_files(policy: Path) -> list[str]:
    """Return those of the files that a policy names that are not there.

    Raise `PolicyError` or `InputError` as `files_named` does.
    """
    return [name for name in files_named(policy) if not (policy.parent / name).is_file()]
