"""The data sets of the experiments, from their original files."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """One data set of the paper.

    `columns`: its quasi-identifiers. `numeric`: those whose values are numbers. `rows`: as in the paper. `file`: name
    of the original file (None: it is generated). `source`: where to get it, for the message that it is missing.
    `reader`: path (None: generate) -> rows of texts, in the order of `columns`. `exact_rows`: False where the publisher
    adds rows, so that another number is no mistake.
    """

    name: str
    columns: tuple[str, ...]
    numeric: tuple[str, ...]
    rows: int
    file: str | None
    source: str
    reader: Callable[[Path | None], Iterator[tuple[str, ...]]]
    exact_rows: bool = True

    def load(self, folder: Path | None) -> list[tuple[str, ...]]:
        """Return the rows.

        `folder` holds `file`. InputError is raised if the file is missing, or is not the one of the paper; it says
        where to get it and how to place it.
        """
        path = None
        if self.file is not None:
            path = None if folder is None else folder / self.file
            if path is None or not path.is_file():
                where = "no folder is named" if folder is None else "it is not there"
                raise InputError(
                    f"{self.name} needs the file '{self.file}', and {where}: get it from {self.source}, put it into a "
                    f"folder under that name, and name the folder with --data or in INCROWD_DATA"
                )
        try:
            found = list(self.reader(path))
        except (ValueError, IndexError, UnicodeDecodeError):
            found = []
        if not found or (self.exact_rows and len(found) != self.rows):
            raise InputError(
                f"'{self.file}' is not the file of {self.name} that the experiment needs: {len(found):,} rows of "
                f"{len(self.columns)} columns could be read where {self.rows:,} are expected; get it from {self.source}"
            )
        return found


def folder_of(data: str | Path | None) -> Path | None:
    """Return the folder of the data sets, or None where none is named.

    `data` is as ``--data`` or INCROWD_DATA gives it. InputError is raised if the folder is named but is none.
    """
    if data is None:
        return None
    folder = Path(data)
    if not folder.is_dir():
        raise InputError("--data (or INCROWD_DATA) names no folder; name the one that holds the data sets' files")
    return folder


def _separated(path: Path | None, separator: str, fields: int, chosen: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Yield chosen fields of every line that is not empty.

    ValueError is raised if a line has another number of fields.
    """
    assert path is not None
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                parts = [field.strip() for field in line.split(separator)]
                if len(parts) != fields:
                    raise ValueError("another number of fields")
                yield tuple(parts[j] for j in chosen)


UCI = "the UCI Machine Learning Repository"
ADULT_NAMES = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "salary-class",
)  # fmt: skip
ADULT_NUMBERS = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")
ADULT_2_NAMES = (
    "age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country", "salary-class",
)  # fmt: skip


def _adult(columns: tuple[str, ...]) -> Callable[[Path | None], Iterator[tuple[str, ...]]]:
    chosen = tuple(ADULT_NAMES.index(name) for name in columns)
    return lambda path: _separated(path, ",", len(ADULT_NAMES), chosen)


def _adult_set(name: str, columns: tuple[str, ...]) -> DataSet:
    return DataSet(
        name=name,
        columns=columns,
        numeric=tuple(name for name in columns if name in ADULT_NUMBERS),
        rows=32_561,
        file="adult.data",
        source=f"{UCI} (data set 'Adult', https://archive.ics.uci.edu/dataset/2/adult)",
        reader=_adult(columns),
    )


ADULT = _adult_set("Adult", tuple(name for name in ADULT_NAMES if name != "fnlwgt"))
ADULT_2 = _adult_set("Adult-2", ADULT_2_NAMES)

NURSERY_SIZES = (3, 5, 4, 4, 3, 2, 3, 3)
NURSERY_NAMES = ("parents", "has_nurse", "form", "children", "housing", "finance", "social", "health")


def _nursery(_: Path | None) -> Iterator[tuple[str, ...]]:
    """Yield the product of the attributes' values, each encoded as 1, 2, ..."""
    for row in itertools.product(*(range(1, size + 1) for size in NURSERY_SIZES)):
        yield tuple(map(str, row))


NURSERY = DataSet(
    name="Nursery",
    columns=NURSERY_NAMES,
    numeric=NURSERY_NAMES,  # "All entries are encoded as positive integers" (Section 3.1)
    rows=int(np.prod(NURSERY_SIZES)),
    file=None,
    source="nowhere: it is the product of its attributes' values",
    reader=_nursery,
)

CMC_NAMES = (
    "wife_age", "wife_education", "husband_education", "children", "wife_religion", "wife_working",
    "husband_occupation", "standard_of_living", "exposure", "contraceptive",
)  # fmt: skip


def _cmc(path: Path | None) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the file, with or without a line of names."""
    rows = _separated(path, ",", len(CMC_NAMES), tuple(range(len(CMC_NAMES))))
    return (row for row in rows if row[0].isdigit())


CMC = DataSet(
    name="CMC",
    columns=CMC_NAMES,
    numeric=CMC_NAMES,
    rows=1_473,
    file="cmc.data",
    source=f"{UCI} (data set 'Contraceptive Method Choice', https://archive.ics.uci.edu/dataset/30)",
    reader=_cmc,
)

# places in a line of reports.txt, which has 42 fields between $ signs and no line of names
CANADA_FIELDS = {
    "report_type": 7,
    "gender": 10,
    "age": 13,
    "outcome": 17,
    "weight": 19,
    "height": 22,
    "seriousness": 26,
    "reporter_type": 34,
    "source": 37,
}
CANADA_LEAST = 38


def _canada(path: Path | None) -> Iterator[tuple[str, ...]]:
    assert path is not None
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if not line.strip():
                continue
            parts = [field.strip().strip('"').strip() for field in line.rstrip("\n").split("$")]
            if len(parts) < CANADA_LEAST:
                raise ValueError("another number of fields")
            yield tuple(parts[j] for j in CANADA_FIELDS.values())


CANADA = DataSet(
    name="Canada",
    columns=tuple(CANADA_FIELDS),
    numeric=("age", "weight", "height"),
    rows=324_489,
    file="reports.txt",
    source="Health Canada (Canada Vigilance Adverse Reaction Online Database, 'data extract', file reports.txt)",
    reader=_canada,
    exact_rows=False,
)

DATA_SETS = (ADULT, ADULT_2, NURSERY, CMC, CANADA)
