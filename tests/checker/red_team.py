"""Changed certificates of every kind and tampered releases before the check, the second checker and the page's.

    PYTHONPATH=tests python -m checker.red_team [NUMBER] [--releases NUMBER] [--every N] [--seed S] [--only KIND ...] [--proved]

changes NUMBER certificates (2,000), as many of each kind, on tables of at most nine rows, and NUMBER releases of tables of at
most eight (`red_releases`); and prints a table by kind: how many the check calls good, violations or unreadable, for how
many the second checker (of lines: or the recount in the engine, for some) or the page (where there is Node) says something else, how many bounds are confirmed that are
above what a release costs at least by trying all, and how often something ended in an error. Of the releases `incrowd
verify`, which takes longest, reads every Nth and all about which the others do not agree; the others read all. With
`--proved` a table tells what the program that is proved says of NUMBER certificates that it reads (`red_proved`). The exit
status is 1 if anything differs, is above, or ended in an error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

import numpy as np

from checker import page_script, red_changes, red_lines, red_networks
from checker.red_cases import Case, Required, bounds, cases, load, second
from checker.red_changes import as_if_for, at, changed, claimed, edges, garbled, one_of, places, plain, scaled, wrapping

__all__ = ["Case", "Required", "at", "attack", "bounds", "cases", "changed", "load", "places", "plain", "second"]

WAYS = (
    ["places"] * 52 + ["another's"] * 8 + ["another question"] * 8 + ["all but one"] * 10 + ["edge"] * 6 + ["scaled"] * 6
    + ["wrapping"] * 6 + ["text"] * 4
)  # fmt: skip


def answered(ask, *given):
    """The verdict; one that ended in an error is a verdict that no other gives."""
    try:
        return ask(*given)
    except Exception as error:
        if ask.__name__ == "by_page":
            page_script.page.cache_clear()
        print(f"    {ask.__name__}: {type(error).__name__}: {error}", flush=True)
        return (f"traceback in {ask.__name__}", False, None, None)


def altered(case, some, rng, way):
    """Yield (why, the case that it is for, the certificate)."""
    other = one_of(rng, some)
    if way == "all but one":
        make = (
            red_changes.one_class_too_dear if isinstance(case, Required)
            else red_changes.one_pair_too_dear if "matching" in case.certificate else red_changes.one_price_too_high
        )  # fmt: skip
        made = make(case, rng)
        if made is not None:
            yield way, case, made
            return
    elif way == "another's":
        made = as_if_for(other.certificate, case.certificate)
        yield (
            way,
            case,
            other.certificate
            if rng.random() < 0.2
            else made
            if rng.random() < 0.5
            else claimed(made, case.cost + int(rng.integers(4))),
        )
        return
    elif way == "another question" and case.variants:
        variant = one_of(rng, case.variants)
        made = as_if_for(case.certificate, variant.certificate)
        yield way, variant, made if rng.random() < 0.5 else claimed(made, variant.cost + int(rng.integers(4)))
        return
    elif way == "edge":
        begun = case.certificate if rng.random() < 0.7 else changed(case.certificate, other.certificate, rng)[0]
        numbers = (path for path in places(begun) if path and type(at(begun, path)) is int)
        if next(numbers, None) is not None:
            for made in edges(begun, lambda made: case.by_check(made)[:2], rng):
                yield way, case, made
            return
    elif way == "scaled":
        yield way, case, scaled(case.certificate, rng)
        return
    elif way == "wrapping":
        yield way, case, wrapping(case.certificate, rng)
        return
    elif way == "text":
        yield way, case, garbled(case.certificate, rng)
        return
    made, why = changed(case.certificate, other.certificate, rng)
    if rng.random() < 0.25 and type(made.get("cost")) is int:
        made = claimed(made, made["cost"] + int(rng.integers(4)))
    yield why, case, made


def attack(kind, some, number, seed=0, *, page=False):
    """The verdicts on changed certificates; which checker differs, and what is above the least cost, is listed."""
    rng = np.random.default_rng([5, seed, number])
    counted, differ, above = Counter(), [], []
    turn = 0
    while turn < number:
        case = one_of(rng, some)
        way = one_of(rng, WAYS)
        tried = altered(case, some, rng, way) if turn else [("honest", case, case.certificate)]
        for why, target, made in tried:
            turn += 1
            if not isinstance(made, str):
                if made.get("version") != case.certificate["version"] and made.get("version") in (1, 2):
                    made["version"] = 3  # another question about other row types: `red_releases` asks it of whole files
                if made.get("certificate") != case.certificate["certificate"]:
                    made["certificate"] = "another"
            cost = target.cost + int(rng.choice([0, 0, 0, 0, 1, -1]))
            if not isinstance(made, str) and type(made.get("cost")) is int and rng.random() < 0.8:
                cost = made["cost"]  # of a release that costs what is said
            if hasattr(target, "as_file"):
                made = target.as_file(made, rng)
            first = answered(target.by_check, made, cost)
            counted[first[0]] += 1
            counted[f"way: {why if way in WAYS and why in WAYS else 'places'}"] += 1
            said = {"check": first, "second": answered(target.by_second, made, cost)}
            if page:
                said["page"] = answered(target.by_page, made, cost)
            if hasattr(target, "by_engine") and turn % red_lines.EVERY == 0:
                said["engine"] = answered(target.by_engine, made, cost)
            for name, again in said.items():
                if first != again:
                    differ.append((name, kind, why, first, again, target, made))
                if again[3] is not None and again[0] == "good" and again[3] > target.least:
                    above.append((name, kind, why, again, target, made))
                counted["traceback"] += again[0].startswith("traceback")
    return counted, differ, above


HEADS = ("changed", "good", "violation", "unreadable", "second differs", "page differs", "above", "errors")


def line(name, numbers):
    """A line of the table."""
    return f"{name:<22}" + "".join(
        f"{number:>{max(len(head), 6) + 2}}" for head, number in zip(HEADS, numbers, strict=True)
    )


def certificates(number, seed, only, page):
    """Print the table of certificates; return what is wrong."""
    from checker.red_ranges import of_ranges

    every = cases(20) | {"ranges": [of_ranges(turn) for turn in range(40)], "lines": red_lines.cases(40)}
    found = {kind: some for kind, some in sorted(every.items()) if not only or kind in only}
    total, ways, wrong = np.zeros(len(HEADS), int), Counter(), 0
    print(f"{'certificates':<22}" + "".join(f"{head:>{max(len(head), 6) + 2}}" for head in HEADS), flush=True)
    kinds = [*found, *(["network"] if not only or "network" in only else [])]
    for kind in kinds:
        each = -(-number // len(kinds))
        if kind == "network":
            counted, differ, above = red_networks.attack(each, seed)
        else:
            counted, differ, above = attack(kind, found[kind], each, seed, page=page)
        apart = Counter(one[0] for one in differ)
        verdicts = [counted[name] for name in ("good", "violation", "unreadable")]
        apart["second"] += apart["engine"]
        row = [sum(verdicts), *verdicts, apart["second"], apart["page"], len(above), counted["traceback"]]
        print(line(kind, row), flush=True)
        for one in [*differ[:3], *above[:3]]:
            print("   ", one[:5], one[-1], flush=True)
        total, wrong = total + row, wrong + sum(row[4:])
        ways.update({why: n for why, n in counted.items() if why.startswith("way: ")})
    print(line("all", total))
    print("    " + ", ".join(f"{why.removeprefix('way: ')} {n}" for why, n in ways.most_common()), flush=True)
    return wrong


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", nargs="?", type=int, default=2000)
    parser.add_argument("--releases", type=int, help="as many as certificates, unless given")
    parser.add_argument("--every", type=int, default=10, help="which of the releases `incrowd verify` reads")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--proved", action="store_true", help="ask the program that is proved, and nothing else")
    parser.add_argument("--only", nargs="+", default=[], metavar="KIND")
    asked = parser.parse_args()
    if asked.proved:
        from checker import red_proved

        return int(red_proved.table(asked.number, asked.seed, asked.only) > 0)
    begun, page = time.process_time(), page_script.NODE is not None
    if not page:
        print("no Node: the page is not asked")
    wrong = certificates(asked.number, asked.seed, asked.only, page) if asked.number else 0
    print(f"{time.process_time() - begun:.0f} s of processor time", flush=True)
    releases = asked.number if asked.releases is None else asked.releases
    from checker import red_ranges, red_releases

    if releases and asked.only != ["ranges"]:
        wrong += red_releases.table(releases, asked.every, asked.seed, page)
        print(f"{time.process_time() - begun:.0f} s of processor time", flush=True)
    if releases and (not asked.only or "ranges" in asked.only):
        print("ranges on a grid", flush=True)
        wrong += red_releases.table(
            releases,
            asked.every,
            asked.seed,
            page,
            made=red_ranges.jobs,
            ways=red_releases.RELEASES | {"ranges": red_ranges.of_labels},
        )
        print(f"{time.process_time() - begun:.0f} s of processor time", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
