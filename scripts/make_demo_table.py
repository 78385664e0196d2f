"""Make the table of `incrowd demo`: admissions to an invented hospital, drawn from the odds below.

    python scripts/make_demo_table.py            writes src/incrowd/data/hospital.csv

Every number here is made up, and so is the region with its postcodes; no row describes a real person. The
same script always writes the same bytes: one seeded generator, of which only `random` and `choices` are used.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
from pathlib import Path

SEED = 20130
ROWS = 3000
TARGET = Path(__file__).resolve().parent.parent / "src" / "incrowd" / "data" / "hospital.csv"
COLUMNS = (
    "patient_number", "age_group", "sex", "postcode", "marital_status", "occupation", "insurance",
    "admission_year", "ward", "days_in_hospital", "diagnosis",
)  # fmt: skip

Odds = dict[str, float]

# first year of the band, last year, odds: many children, few young people, many old ones
AGES = (
    (0, 4, 7),
    (5, 17, 8),
    (18, 29, 12),
    (30, 44, 16),
    (45, 59, 19),
    (60, 74, 22),
    (75, 84, 12),
    (85, 97, 4),
)
# postcode: odds, share of private insurance there
POSTCODES = {"010": (30, 0.10), "011": (22, 0.16), "014": (16, 0.08), "017": (12, 0.22), "020": (9, 0.07),
             "023": (6, 0.06), "027": (3, 0.12), "031": (2, 0.05)}  # fmt: skip
YEARS: Odds = {"2021": 27, "2022": 33, "2023": 40}

# what people are treated for: ward, least days, chance of yet another day
CARE = {
    "pneumonia": ("internal medicine", 3, 0.72),
    "heart failure": ("cardiology", 4, 0.78),
    "coronary disease": ("cardiology", 2, 0.66),
    "hip fracture": ("surgery", 6, 0.80),
    "appendicitis": ("surgery", 2, 0.45),
    "gallstones": ("surgery", 2, 0.50),
    "injury": ("surgery", 1, 0.55),
    "diabetes": ("internal medicine", 2, 0.65),
    "asthma": ("internal medicine", 1, 0.60),
    "depression": ("psychiatry", 9, 0.93),
    "alcohol dependence": ("psychiatry", 6, 0.90),
    "stroke": ("neurology", 5, 0.84),
    "epilepsy": ("neurology", 1, 0.60),
    "breast cancer": ("oncology", 3, 0.70),
    "prostate cancer": ("oncology", 3, 0.70),
    "childbirth": ("obstetrics", 2, 0.45),
    "infection of the gut": ("internal medicine", 1, 0.50),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    path = parser.parse_args().output
    path.write_bytes(table().encode())
    print(f"{path.name}: {ROWS} rows, {len(COLUMNS)} columns")


def table(rows: int = ROWS, seed: int = SEED) -> str:
    rng = random.Random(seed)
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    number = 100_000
    for year in sorted(pick(rng, YEARS) for _ in range(rows)):
        number += 1 + int(rng.random() * 90)  # by order of admission, each once
        writer.writerow({"patient_number": number, "admission_year": year, **patient(rng)})
    return out.getvalue()


def patient(rng: random.Random) -> dict[str, object]:
    """Draw one patient, every column given the ones before."""
    age = draw_age(rng)
    sex = pick(rng, {"female": 0.52, "male": 0.48})
    diagnosis = pick(rng, diagnosis_odds(age, sex))
    postcode = pick(rng, {code: odds for code, (odds, _) in POSTCODES.items()})
    occupation = pick(rng, occupation_odds(age, sex))
    ward, least, more = CARE[diagnosis]
    days = least
    while days < 120 and rng.random() < min(more * (1.05 if age >= 75 else 1.0), 0.95):
        days += 1
    return {
        "age_group": age_group(age),
        "sex": sex,
        "postcode": now_and_then_empty(rng, postcode, 0.004),
        "marital_status": now_and_then_empty(rng, pick(rng, marital_odds(age, sex)), 0.01),
        "occupation": now_and_then_empty(rng, occupation, 0.02),
        "insurance": pick(rng, insurance_odds(occupation, POSTCODES[postcode][1])),
        "ward": "paediatrics" if age < 16 and ward != "psychiatry" else ward,
        "days_in_hospital": days,
        "diagnosis": diagnosis,
    }


def pick(rng: random.Random, odds: Odds) -> str:
    return rng.choices(list(odds), list(odds.values()))[0]


def now_and_then_empty(rng: random.Random, value: str, chance: float) -> str:
    """Return the value, or with a small chance an empty field, as forms are."""
    return "" if rng.random() < chance else value


def draw_age(rng: random.Random) -> int:
    """Draw an age in years: a band by its odds, then evenly within it."""
    first, last, _ = rng.choices(AGES, [odds for *_, odds in AGES])[0]
    return first + int(rng.random() * (last - first + 1))


def age_group(age: int) -> str:
    """Return the ten years an age lies in, as the hospital's statistics give it."""
    return "90+" if age >= 90 else f"{age // 10 * 10}-{age // 10 * 10 + 9}"


def marital_odds(age: int, sex: str) -> Odds:
    """Return the odds of being single, married, divorced or widowed."""
    if age < 18:
        return {"single": 1}
    widowed = 0.0 if age < 45 else (age - 44) / 53 * (0.75 if sex == "female" else 0.4)
    divorced = min(max(age - 25, 0) / 100, 0.2)
    single = max(0.08, 0.95 - (age - 18) / 25)
    married = max(0.1, 1 - widowed - divorced - single)
    return {"single": single, "married": married, "divorced": divorced, "widowed": widowed}


def occupation_odds(age: int, sex: str) -> Odds:
    """Return the odds of what somebody does all day."""
    if age < 6:
        return {"none": 1}
    if age < 16:
        return {"pupil": 1}
    if age < 19:
        return {"pupil": 0.93, "trade": 0.05, "none": 0.02}
    woman = sex == "female"
    working: Odds = {
        "office": 26,
        "health care": 16 if woman else 5,
        "teaching": 9 if woman else 4,
        "trade": 12 if woman else 9,
        "building": 2 if woman else 14,
        "industry": 7 if woman else 17,
        "transport": 3 if woman else 9,
        "farming": 3,
        "home": 12 if woman else 2,
        "none": 7,
    }
    if age < 27:
        working["student"] = 45
    retired = 0.0 if age < 55 else min((age - 54) / 13, 0.97)
    return {word: odds * (1 - retired) for word, odds in working.items()} | {"retired": retired * 100}


def insurance_odds(occupation: str, private: float) -> Odds:
    """Return the odds of how somebody is insured."""
    if occupation in ("none", "student"):
        return {"public": 0.93, "private": private / 3, "other": 0.04}
    share = private * {"office": 1.8, "teaching": 2.2, "building": 0.4, "industry": 0.6}.get(occupation, 1.0)
    return {"public": 1 - share - 0.01, "private": share, "other": 0.01}


def diagnosis_odds(age: int, sex: str) -> Odds:
    """Return the odds of what somebody is treated for."""
    old, grown = max(age - 50, 0) / 10, age >= 18
    woman = sex == "female"
    return {
        "pneumonia": 4 + (4 if age < 5 else 0) + 2 * old,
        "heart failure": 4 * old if grown else 0,
        "coronary disease": (0.5 + 3 * old) * (0.7 if woman else 1.2) if age >= 35 else 0,
        "hip fracture": (3.5 if woman else 2) * max(age - 65, 0) / 10,
        "appendicitis": 6 if 5 <= age < 40 else 1.5,
        "gallstones": (4 if woman else 2) if age >= 25 else 0.1,
        "injury": 9 if age < 40 else 5,
        "diabetes": 1 + 1.2 * old,
        "asthma": 6 if age < 18 else 2,
        "depression": (5 if woman else 3.5) if 16 <= age < 70 else 0.3 * grown,
        "alcohol dependence": (1.5 if woman else 4) if 20 <= age < 70 else 0,
        "stroke": 2.5 * old,
        "epilepsy": 1.5,
        "breast cancer": (1 + old) if woman and age >= 30 else 0,
        "prostate cancer": 2 * old if not woman else 0,
        "childbirth": (30 if 24 <= age < 37 else 9) if woman and 18 <= age < 45 else 0,
        "infection of the gut": 8 if age < 5 else 3 + old / 2,
    }


if __name__ == "__main__":
    main()
