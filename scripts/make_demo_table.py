"""Make the table of `incrowd demo`, src/incrowd/data/hospital.csv: admissions to an invented hospital.

Every number here is made up, and so is the region with its postcodes; no row describes a real person. The same script
always writes the same bytes: one seeded generator, of which only `random` and `choices` are used.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "src" / "incrowd" / "data" / "hospital.csv"
# odds of years of age, first and last: many children, few young people, many old ones
AGES = {(0, 4): 7, (5, 17): 8, (18, 29): 12, (30, 44): 16, (45, 59): 19, (60, 74): 22, (75, 84): 12, (85, 97): 4}
POSTCODES = {"010": 30, "011": 22, "014": 16, "017": 12, "020": 9, "023": 6, "027": 3, "031": 2}
# share of private insurance: by postcode, and how many times that for whom
PRIVATE = {"010": 0.10, "011": 0.16, "014": 0.08, "017": 0.22, "020": 0.07, "023": 0.06, "027": 0.12, "031": 0.05}
TIMES = {"office": 1.8, "teaching": 2.2, "building": 0.4, "industry": 0.6}
WORK = {
    "women": {"office": 26, "health care": 16, "teaching": 9, "trade": 12, "building": 2, "industry": 7}
    | {"transport": 3, "farming": 3, "home": 12, "none": 7},
    "men": {"office": 26, "health care": 5, "teaching": 4, "trade": 9, "building": 14, "industry": 17}
    | {"transport": 9, "farming": 3, "home": 2, "none": 7},
}
rng = random.Random(20130)


def pick(odds):
    return rng.choices(list(odds), list(odds.values()))[0]


def or_empty(value, chance):
    """Return the value, or with a small chance an empty field, as forms are."""
    return "" if rng.random() < chance else value


def care(age, woman):
    """Return what people are treated for: odds, ward, least days, chance of yet another day."""
    old, grown = max(age - 50, 0) / 10, age >= 18
    breast, prostate = (1 + old if woman and age >= 30 else 0), (0 if woman else 2 * old)
    birth = (30 if 24 <= age < 37 else 9) if woman and 18 <= age < 45 else 0
    low = (5 if woman else 3.5) if 16 <= age < 70 else 0.3 * grown
    return {
        "pneumonia": (4 + 4 * (age < 5) + 2 * old, "internal medicine", 3, 0.72),
        "heart failure": (4 * old * grown, "cardiology", 4, 0.78),
        "coronary disease": ((0.5 + 3 * old) * (0.7 if woman else 1.2) * (age >= 35), "cardiology", 2, 0.66),
        "hip fracture": ((3.5 if woman else 2) * max(age - 65, 0) / 10, "surgery", 6, 0.80),
        "appendicitis": (6 if 5 <= age < 40 else 1.5, "surgery", 2, 0.45),
        "gallstones": ((4 if woman else 2) if age >= 25 else 0.1, "surgery", 2, 0.50),
        "injury": (9 if age < 40 else 5, "surgery", 1, 0.55),
        "diabetes": (1 + 1.2 * old, "internal medicine", 2, 0.65),
        "asthma": (6 if age < 18 else 2, "internal medicine", 1, 0.60),
        "depression": (low, "psychiatry", 9, 0.93),
        "alcohol dependence": ((1.5 if woman else 4) * (20 <= age < 70), "psychiatry", 6, 0.90),
        "stroke": (2.5 * old, "neurology", 5, 0.84),
        "epilepsy": (1.5, "neurology", 1, 0.60),
        "breast cancer": (breast, "oncology", 3, 0.70),
        "prostate cancer": (prostate, "oncology", 3, 0.70),
        "childbirth": (birth, "obstetrics", 2, 0.45),
        "infection of the gut": (8 if age < 5 else 3 + old / 2, "internal medicine", 1, 0.50),
    }


def marital_status(age, woman):
    if age < 18:
        return {"single": 1}
    widowed = 0.0 if age < 45 else (age - 44) / 53 * (0.75 if woman else 0.4)
    divorced = min(max(age - 25, 0) / 100, 0.2)
    single = max(0.08, 0.95 - (age - 18) / 25)
    married = max(0.1, 1 - widowed - divorced - single)
    return {"single": single, "married": married, "divorced": divorced, "widowed": widowed}


def occupation(age, woman):
    if age < 19:
        return {"none": 1} if age < 6 else {"pupil": 1} if age < 16 else {"pupil": 0.93, "trade": 0.05, "none": 0.02}
    retired = 0.0 if age < 55 else min((age - 54) / 13, 0.97)
    working = WORK["women" if woman else "men"] | ({"student": 45} if age < 27 else {})
    return {word: odds * (1 - retired) for word, odds in working.items()} | {"retired": retired * 100}


def insurance(work, postcode):
    if work in ("none", "student"):
        return {"public": 0.93, "private": PRIVATE[postcode] / 3, "other": 0.04}
    share = PRIVATE[postcode] * TIMES.get(work, 1.0)
    return {"public": 1 - share - 0.01, "private": share, "other": 0.01}


def patient(number, year):
    """Draw one patient, every column given the ones before."""
    first, last = pick(AGES)
    age = first + int(rng.random() * (last - first + 1))
    woman = pick({True: 0.52, False: 0.48})
    treated = care(age, woman)
    diagnosis = pick({name: odds for name, (odds, *_) in treated.items()})
    _, ward, days, more = treated[diagnosis]
    postcode = pick(POSTCODES)
    work = pick(occupation(age, woman))
    while days < 120 and rng.random() < min(more * (1.05 if age >= 75 else 1.0), 0.95):
        days += 1
    return {
        "patient_number": number,
        "age_group": "90+" if age >= 90 else f"{age // 10 * 10}-{age // 10 * 10 + 9}",
        "sex": "female" if woman else "male",
        "postcode": or_empty(postcode, 0.004),
        "marital_status": or_empty(pick(marital_status(age, woman)), 0.01),
        "occupation": or_empty(work, 0.02),
        "insurance": pick(insurance(work, postcode)),
        "admission_year": year,
        "ward": "paediatrics" if age < 16 and ward != "psychiatry" else ward,
        "days_in_hospital": days,
        "diagnosis": diagnosis,
    }


if __name__ == "__main__":
    number, rows = 100_000, []
    for year in sorted(pick({2021: 27, 2022: 33, 2023: 40}) for _ in range(3000)):
        number += 1 + int(rng.random() * 90)  # by order of admission, each once
        rows.append(patient(number, year))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
