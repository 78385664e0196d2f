"""Invented admissions to hospitals, as such files arrive: gaps, ``NA`` texts, decimals, leading zeros, free text.

``python tests/data/admissions.py ROWS > admissions.csv`` writes some; the same seed draws the same rows.
"""

import csv
import datetime
import io
import random
import sys

COLUMNS = (
    "patient_id", "name", "birth_date", "age", "sex", "zip", "admission_date", "ward", "icd10", "bmi", "crp_mg_l", "los_days",
    "insurance", "note",
)  # fmt: skip
FIRST = (
    "Zofia",
    "Jörg",
    "Łucja",
    "Heike",
    "Grażyna",
    "Günther",
    "Anna",
    "Paweł",
    "Müzeyyen",
    "Stanisław",
    "Karl",
    "Ute",
)
LAST = ("Müller", "Wiśniewska", "Krüger", "Nowak", "Schäfer", "Dąbrowski", "Weiß", "Żak", "Großmann", "Lewandowska")
WARDS = ("Innere Medizin", "Chirurgie", "Kardiologie", "Neurologie", "Pädiatrie", "Geriatrie", "Onkologie")
INSURANCE = ("GKV", "PKV", "NFZ", "BG")
ICD = (
    "I10", "E11.9", "J18.9", "I50.1", "K35.8", "S72.0", "A41.9", "I63.9", "C50.9", "N39.0", "G40.9", "F32.1", "J44.1", "K80.2",
    "M16.1", "I21.4", "C34.1", "R55", "O80", "Z38.0",
)  # fmt: skip
SAID = (
    "klagt über Schmerzen",
    "Verlegung geplant",
    "Angehörige informiert",
    "ból w klatce piersiowej",
    "kontrola za tydzień",
)
FIRST_DAY = datetime.date(2022, 1, 1)


def admissions(rows: int, seed: int = 1) -> list[tuple[str, ...]]:
    """Return so many admissions."""
    rng = random.Random(seed)
    zips = [f"{rng.choice((1067, 1099, 1307, 2625, 2708, 4109, 9111, 10115, 10967, 12043, 15230, 50321)) + 2 * i:05}" for i in range(90)]  # fmt: skip
    weights = [1 / (1 + i) ** 0.7 for i in range(len(zips))]
    return [_admission(rng, i, zips, weights) for i in range(rows)]


def _admission(rng: random.Random, i: int, zips: list[str], weights: list[float]) -> tuple[str, ...]:
    age = min(int(rng.triangular(0, 104, 71)) if rng.random() < 0.9 else rng.randint(0, 17), 104)
    admitted = FIRST_DAY + datetime.timedelta(days=rng.randrange(730))
    born = admitted - datetime.timedelta(days=age * 365 + age // 4 + rng.randrange(360))
    name = f"{rng.choice(LAST)}, {rng.choice(FIRST)}"
    return (
        f"P{100000 + 7 * i}",
        name,
        born.isoformat(),
        str(age) if rng.random() > 0.01 else "NA",
        rng.choices(("f", "m", "d", ""), (50, 48, 0.5, 1.5))[0],
        rng.choices(zips, weights)[0] if rng.random() > 0.01 else "",
        admitted.isoformat(),
        "Pädiatrie" if age < 16 else rng.choices(WARDS, (30, 22, 15, 10, 0, 13, 10))[0],
        rng.choices(ICD, [1 / (1 + j) for j in range(len(ICD))])[0],
        "" if rng.random() < 0.05 else f"{rng.gauss(26.5, 4.5):.1f}",
        "NA" if rng.random() < 0.1 else f"{rng.lognormvariate(2, 1.3):.2f}",
        str(1 + min(int(rng.expovariate(1 / 5.5)), 89)),
        rng.choices(INSURANCE, (80, 11, 7, 2))[0],
        "" if rng.random() < 0.4 else f"{rng.choice(SAID)}, {rng.choice(SAID)}; Tel. 0{rng.randrange(10**8)}",
    )


def as_csv(rows: int, seed: int = 1) -> str:
    """Return so many admissions as a file holds them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(admissions(rows, seed))
    return out.getvalue()


if __name__ == "__main__":
    sys.stdout.write(as_csv(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
