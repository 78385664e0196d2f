"""Edge lists as bytes: lines to fields, fields to integers.

Every function walks the bytes once. A *problem* is (code, line), never the content of a field.
"""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

OK, FEW_FIELDS, EMPTY_ID, NEGATIVE_WEIGHT, NAN_WEIGHT = range(5)
NEWLINE, RETURN, SPACE, TAB, QUOTE = 10, 13, 32, 9, 34
MINUS, PLUS, DOT = 45, 43, 46
WEIGHTED, ATTRIBUTES = 0, 1


@njit(cache=True, nogil=True)
def _blank(c):  # type: ignore[no-untyped-def]
    return c in (SPACE, TAB, RETURN)


@njit(cache=True, nogil=True)
def _field(data, at, end, delimiter):  # type: ignore[no-untyped-def]
    """Span of the field at `at` and where the next begins (-1: none): (start, stop, next)."""
    while at < end and _blank(data[at]) and data[at] != delimiter:
        at += 1
    if at < end and data[at] == QUOTE and delimiter != 0:
        stop = at + 1
        while stop < end:
            if data[stop] == QUOTE:
                if stop + 1 < end and data[stop + 1] == QUOTE:
                    stop += 1
                else:
                    break
            stop += 1
        after = stop + 1
        while after < end and data[after] != delimiter:
            after += 1
        return at + 1, stop, (after + 1 if after < end else -1)
    stop = at
    if delimiter == 0:
        while stop < end and not _blank(data[stop]):
            stop += 1
        after = stop
        while after < end and _blank(data[after]):
            after += 1
        return at, stop, (after if after < end else -1)
    while stop < end and data[stop] != delimiter:
        stop += 1
    after = stop + 1 if stop < end else -1
    while stop > at and _blank(data[stop - 1]):
        stop -= 1
    return at, stop, after


@njit(cache=True, nogil=True)
def _is_nan(data, a, b):  # type: ignore[no-untyped-def]
    return (
        b - a == 3 and data[a] | 32 == 110 and data[a + 1] | 32 == 97 and data[a + 2] | 32 == 110
    )  # any case of "nan"


@njit(cache=True, nogil=True)
def _weight(data, a, b, seen):  # type: ignore[no-untyped-def]
    """Judge a weight field; notes in `seen` that there was one."""
    if a == b:
        return OK
    if _is_nan(data, a, b):
        return NAN_WEIGHT
    c = data[a]
    if c == MINUS and a + 1 < b and (48 <= data[a + 1] <= 57 or data[a + 1] == DOT):
        for i in range(a + 1, b):
            if 49 <= data[i] <= 57:
                return NEGATIVE_WEIGHT
            if data[i] | 32 == 101:  # the exponent of a zero
                break
        seen[WEIGHTED] = 1
    elif 48 <= c <= 57 or c in (DOT, PLUS):
        seen[WEIGHTED] = 1
    elif c == MINUS and b - a >= 4 and data[a + 1] | 32 == 105:
        return NEGATIVE_WEIGHT  # -inf
    else:
        seen[ATTRIBUTES] = 1
    return OK


@njit(cache=True, nogil=True)
def _integer(data, a, b):  # type: ignore[no-untyped-def]
    """(value, True) of a canonical integer: no plus, no leading zero, at most 18 digits."""
    i = a
    negative = False
    if i < b and data[i] == MINUS:
        negative = True
        i += 1
    if i == b or b - i > 18 or (data[i] == 48 and (b - i > 1 or negative)):
        return 0, False
    value = np.int64(0)
    for j in range(i, b):
        digit = np.int64(data[j]) - 48
        if digit < 0 or digit > 9:
            return 0, False
        value = value * 10 + digit
    return (-value if negative else value), True


@njit(cache=True, nogil=True)
def _line_is_data(data, a, b, comments):  # type: ignore[no-untyped-def]
    while a < b and _blank(data[a]):
        a += 1
    if a == b:
        return False
    for c in comments:  # noqa: SIM110 - compiled code knows no generators
        if data[a] == c:
            return False
    return True


@njit(cache=True, nogil=True)
def field_spans(data, at, delimiter, comments, columns, spans, seen):  # type: ignore[no-untyped-def]
    """Find the end points of every edge as spans of bytes; return edges, the problem, and lines walked.

    `data` is (bytes,) uint8, and the first line starts at `at`. `delimiter` is a byte, or 0 for runs of blanks. A line
    that starts with one of `comments`, (c,) uint8, is skipped, as are blank lines. `columns`, (3,) int64, holds the
    positions of the two end points and of the weight (-1: none). The result `spans` is (2 lines, 2) int64: (start,
    stop) of one end point of edge e at 2 e, of the other at 2 e + 1. `seen`, (2,) int64, tells whether weights, and
    other texts in the weight's place, were met.
    """
    size = data.size
    edges = 0
    line = 0
    last = max(columns[0], columns[1], columns[2])
    need = max(columns[0], columns[1])
    while at < size:
        end = at
        while end < size and data[end] != NEWLINE:
            end += 1
        line += 1
        if _line_is_data(data, at, end, comments):
            position = 0
            nxt = at
            while nxt >= 0 and position <= last:
                a, b, nxt = _field(data, nxt, end, delimiter)
                if position == columns[0] or position == columns[1]:
                    if a == b or _is_nan(data, a, b):
                        return edges, EMPTY_ID, line
                    side = 0 if position == columns[0] else 1
                    spans[2 * edges + side, 0] = a
                    spans[2 * edges + side, 1] = b
                elif position == columns[2]:
                    code = _weight(data, a, b, seen)
                    if code != OK:
                        return edges, code, line
                position += 1
            if position <= need:
                return edges, FEW_FIELDS, line
            edges += 1
        at = end + 1
    return edges, OK, line


@njit(cache=True, nogil=True)
def integers(data, spans, out):  # type: ignore[no-untyped-def]
    """Read texts as integers into `out`, (s,) int64; tell whether all are plain integers."""
    for i in range(spans.shape[0]):
        value, good = _integer(data, spans[i, 0], spans[i, 1])
        if not good:
            return False
        out[i] = value
    return True
