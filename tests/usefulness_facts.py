"""Facts of `incrowd usefulness` as a run gives them."""

FACTS = {
    "original": "people.csv",
    "release": "release.csv",
    "rows": 100,
    "released_rows": 90,
    "columns": ["age", "sex", "ward"],
    "counts": {
        "queries": 500, "least": 30, "mean": 0.125, "median": 0.05, "mean_by_shares": 0.1, "median_by_shares": 0.04,
        "mean_of_noise": 0.05, "median_of_noise": 0.03, "p90": 0.3,
    },
    "associations": {
        "pairs": 3, "mean": 0.04321, "largest": 0.1, "furthest": ["age", "sex"], "of_original": 0.3, "of_release": 0.2,
        "mean_of_noise": 0.021, "largest_of_noise": 0.05,
    },
    "distinction": {"pmse": 0.01234, "expected": 0.001, "ratio": 12.34, "pmse_of_noise": 0.0011, "rows": 90},
    "prediction": {
        "target": "ward", "accuracy": 0.62, "of_original": 0.7, "of_guess": 0.4, "noise": 0.01, "repeats": 5,
    },
    "seed": 0,
    "notes": [],
    "version": "0",
}  # fmt: skip
