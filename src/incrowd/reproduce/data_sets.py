"""The data sets of the experiments, from their original files."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from pathlib import Path

from incrowd.errors import InputError

Rows = list[tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """One data set of the paper.

    `places`: its quasi-identifiers, with the place of each in a line of the file. `numeric`: those whose values are
    numbers. `rows`: as in the paper. `file`: name of the original file (None: all combinations of 1, 2, ... up to the
    places). `source`: where to get it. `fields`: how many a line has, at least and at most. `exact_rows`: False where
    the publisher adds rows, so that another number is no mistake.
    """

    name: str
    places: dict[str, int]
    numeric: tuple[str, ...]
    rows: int
    file: str | None = None
    source: str = "nowhere: it is the product of its attributes' values"
    separator: str = ","
    fields: tuple[int, int] = (0, 0)
    exact_rows: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(self.places)

    def load(self, folder: Path | None) -> Rows:
        """Return the rows.

        `folder` holds `file`. InputError is raised if the file is missing, or is not the one of the paper; it says
        where to get it and how to place it.
        """
        if self.file is None:
            domains = (map(str, range(1, size + 1)) for size in self.places.values())
            return list(itertools.product(*domains))
        path = None if folder is None else folder / self.file
        if path is None or not path.is_file():
            where = "no folder is named" if folder is None else "it is not there"
            raise InputError(
                f"{self.name} needs the file '{self.file}', and {where}: get it from {self.source}, put it into a "
                f"folder under that name, and name the folder with --data or in INCROWD_DATA"
            )
        found = self._read(path)
        if not found or (self.exact_rows and len(found) != self.rows):
            raise InputError(
                f"'{self.file}' is not the file of {self.name} that the experiment needs: {len(found):,} rows of "
                f"{len(self.places)} columns could be read where {self.rows:,} are expected; get it from {self.source}"
            )
        return found

    def _read(self, path: Path) -> Rows:
        """Return the rows of a file with or without a line of names; none if a line has another number of fields."""
        found: Rows = []
        with path.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines):
                if not line.strip():
                    continue
                parts = [field.strip().strip('"').strip() for field in line.split(self.separator)]
                if not self.fields[0] <= len(parts) <= self.fields[1]:
                    return []
                row = tuple(parts[place] for place in self.places.values())
                numbers = (row[self.columns.index(name)] for name in self.numeric)
                if number or not self.exact_rows or all(map(str.isdecimal, numbers)):
                    found.append(row)
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


UCI = "the UCI Machine Learning Repository (data set '{}', https://archive.ics.uci.edu/dataset/{})"
ADULT_FIELDS = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "salary-class",
)  # fmt: skip
ADULT_NUMBERS = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")
ADULT_2_NAMES = (
    "age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country", "salary-class",
)  # fmt: skip


def _adult(name: str, columns: tuple[str, ...]) -> DataSet:
    return DataSet(
        name=name, places={name: ADULT_FIELDS.index(name) for name in columns}, rows=32_561, file="adult.data",
        numeric=tuple(name for name in columns if name in ADULT_NUMBERS), source=UCI.format("Adult", "2/adult"),
        fields=(15, 15),
    )  # fmt: skip


ADULT = _adult("Adult", tuple(name for name in ADULT_FIELDS if name != "fnlwgt"))
ADULT_2 = _adult("Adult-2", ADULT_2_NAMES)

NURSERY_SIZES = {
    "parents": 3, "has_nurse": 5, "form": 4, "children": 4, "housing": 3, "finance": 2, "social": 3, "health": 3,
}  # fmt: skip
NURSERY = DataSet(  # "All entries are encoded as positive integers" (Section 3.1)
    name="Nursery", places=NURSERY_SIZES, numeric=tuple(NURSERY_SIZES), rows=math.prod(NURSERY_SIZES.values())
)

CMC_NAMES = (
    "wife_age", "wife_education", "husband_education", "children", "wife_religion", "wife_working",
    "husband_occupation", "standard_of_living", "exposure", "contraceptive",
)  # fmt: skip
CMC = DataSet(
    name="CMC", places={name: place for place, name in enumerate(CMC_NAMES)}, numeric=CMC_NAMES, rows=1_473,
    file="cmc.data", source=UCI.format("Contraceptive Method Choice", "30"), fields=(10, 10),
)  # fmt: skip

CANADA = DataSet(  # a line has 42 fields between $ signs, and there is no line of names
    name="Canada",
    places={
        "report_type": 7, "gender": 10, "age": 13, "outcome": 17, "weight": 19, "height": 22, "seriousness": 26,
        "reporter_type": 34, "source": 37,
    },
    numeric=("age", "weight", "height"), rows=324_489, file="reports.txt", separator="$", fields=(38, 1_000),
    source="Health Canada (Canada Vigilance Adverse Reaction Online Database, 'data extract', file reports.txt)",
    exact_rows=False,
)  # fmt: skip
