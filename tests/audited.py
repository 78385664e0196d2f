"""The classes of tables as they are, for the measures of an audit."""

import pyarrow as pa

from incrowd.tables.measures.class_table import class_rows
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles


def classes_of(engine, rows, m, *, star="*", outliers="forbid", types=None):
    names = [f"q{j}" for j in range(len(rows[0]))]
    types = types or [pa.string()] * len(names)
    data = pa.table([pa.array([row[j] for row in rows], types[j]) for j in range(len(names))], names=names)
    roles = Roles(quasi_identifiers=tuple(names[:m]), sensitive=tuple(names[m:]))
    return class_rows(read(engine, data, roles, Reading(), text=(), star=None), star=star, outliers=outliers)
