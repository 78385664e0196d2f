"""Tables and hierarchies as CSV files: what a file holds, exactly, or a refusal."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from pathlib import Path

from .exact import Unreadable, refuse, texts

A_MARK = re.compile(r"'(?!'*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z)'*[=+\-@\t\r]")
BLANKS = " \t\n\r\v\f"


def codec_of(encoding):
    """Return the name of the codec for an encoding: that of UTF-8 leaves out the mark that may stand before it."""
    return "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding


def decoded(path, encoding):
    """Return the text of a file."""
    try:
        text = Path(path).read_bytes().decode(codec_of(encoding))
    except (OSError, ValueError, LookupError):
        raise Unreadable(f"{Path(path).name!r} cannot be read as {encoding} text") from None
    refuse("\0" in text, "a file holds zero bytes: it is no text")
    return text.removeprefix("\ufeff")


def end_of(line):
    """Return with what a line ends: LF, CRLF, CR or nothing."""
    return line[len(line.rstrip("\r\n")) :]


def records_of(lines, delimiter, *, strict=True, ends=None):
    """Return the records of CSV lines; of a sample, which may end inside one, the first that are not empty.

    `ends`, if given, takes in what the records end with.
    """
    try:
        found = csv.reader(lines, delimiter=delimiter, strict=strict)
        if ends is not None:
            return [record for record in found if ends.add(end_of(lines[found.line_num - 1])) is None]
        return list(found) if strict else list(itertools.islice(filter(None, found), 201))
    except csv.Error:
        refuse(strict, "a table is no CSV: a quote is not closed or not doubled")
        return []


def detected(lines):
    """Return the delimiter by which most records have equally many, and more than one, fields."""
    best = (0.0, 0, 0, ",")
    for rank, sign in enumerate(",;\t|"):
        widths = Counter(len(record) for record in records_of(lines, sign, strict=False))
        if widths and (common := widths.most_common(1)[0])[0] > 1:
            best = max(best, (common[1] / widths.total(), common[0], -rank, sign))
    return best[3]


def sign_of(lines, delimiter):
    """Return the delimiter that is given, or the one that some lines tell."""
    return detected(lines) if delimiter is None else {"\\t": "\t", "tab": "\t"}.get(delimiter, delimiter)


def looks_like_data(first, rest):
    """Return whether the first record is more likely a row than a header."""
    data = r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?%?$|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?$"
    again = sum(1 for j, f in enumerate(first) if f and any(len(r) > j and r[j].strip() == f for r in rest))
    return any(re.match(data, field) for field in first) or (again * 2 >= len(first) and again >= min(2, len(first)))


def unmarked(text):
    """Return a text without the apostrophe that `spreadsheet_safe` puts before what a spreadsheet would run [R10]."""
    return text[1:] if A_MARK.match(text) else text


class Table:
    """A CSV table: column names, and rows of texts; a missing value is None."""

    def __init__(
        self, path, *, header=None, columns=(), delimiter=None, encoding="utf-8", na=(), strip=True, marked=False
    ):
        """Read a file as a policy says; `marked`: with apostrophes before what a spreadsheet would run."""
        known = Path(path).suffix.lower() in (".csv", ".tsv", ".txt", ".data")
        refuse(not known, "this program reads tables as CSV only")
        lines = io.StringIO(decoded(path, encoding), newline="").readlines()
        start = next((i for i, line in enumerate(lines) if line.strip("\r\n")), len(lines))
        ends, lines = set(lines[:start]), lines[start:]
        switches = isinstance(header, bool | None) and isinstance(strip, bool)
        refuse(not switches, "header or strip is neither true nor false")
        refuse(not isinstance(delimiter, str | None), "delimiter is no text")
        sign = sign_of(lines[:800], delimiter)
        refuse(len(sign) != 1 or sign in '"\r\n', "delimiter is not one sign, or a quote or line end")
        sample = records_of(lines[:800], sign, strict=False)
        refuse(not sample, "a table is empty")
        first = [field.strip() if strip else field for field in sample[0]]
        columns = texts(columns, "columns")
        refuse(columns and len(columns) != len(first), "columns gives another number of names than the table has")
        doubtful = header is None and looks_like_data([f.strip() for f in first], sample[1:])
        refuse(doubtful, "the first line looks like a row of data: say with header whether it names the columns")
        header = header is None or header
        self.names = tuple(columns or (first if header else (f"c{i + 1}" for i in range(len(first)))))
        named = len(set(self.names)) == len(self.names) and all(self.names)
        refuse(not named, "a column has no name, or two have the same")
        absent, self.rows = {"", *texts(na, "na", split=False)}, []
        if marked:
            self.names = tuple(map(unmarked, self.names))
        csv.field_size_limit(1 << 30)
        records = records_of(lines, sign, ends=ends)
        refuse(len(ends - {""}) > 1, "the lines of a table do not all end alike, by LF, CRLF or CR")
        for record in records[1 if header else 0 :]:
            cells = record or [""] * (len(first) == 1)
            refuse(len(cells) not in (0, len(first)), "a row of a table has more or fewer fields than its first")
            cells = [field.strip(BLANKS) for field in cells] if strip else cells
            cells = list(map(unmarked, cells)) if marked else cells
            self.rows += [tuple(None if field in absent else field for field in cells)] if cells else []

    def cells(self, columns):
        """Return every row's cells of some columns."""
        places = [self.names.index(name) for name in columns]
        return [tuple(row[j] for j in places) for row in self.rows]


def lines_of(path, encodings=("utf-8",)):
    """Return the lines of a hierarchy's CSV file, in the first of some encodings in which it is text."""
    first, *others = encodings
    try:
        text = decoded(path, first)
    except Unreadable:
        if not others:
            raise
        return lines_of(path, others)
    first = next((line for line in text.splitlines() if line.strip()), "")
    sign = next((sign for sign in ";\t,|" if sign in first), ";")
    found = records_of(io.StringIO(text, newline=""), sign)
    return [tuple(cell.strip() for cell in line) for line in found if any(line)]
