"""Reports: every number that is drawn or told is counted again from the released rows, and an auditor can do what the page says."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa
import pytest

import incrowd
from incrowd import networks
from incrowd.errors import InputError
from report_pages import check_page
from web.figures import figure, figures, number, texts_of

QI = ["age", "sex", "land"]


def people(n=240, **more):
    columns = {
        "age": [str(20 + i * 7 % 40) for i in range(n)],
        "sex": ["fm"[i % 2] for i in range(n)],
        "land": [["PL", "DE", "FR"][i // 7 % 3] for i in range(n)],
        "ill": [["flu", "gout", "cold"][i // 4 % 3] for i in range(n)],
    }
    return pa.table({**columns, **more})


def page_of(folder, table=None, **settings):
    """The parts of a report's page, its text, and the release's rows and facts."""
    solver = "auto" if settings.get("recoding") in ("grid", "global") else "greedy"
    settings = {"quasi_identifiers": QI, "k": 5, "solver": solver, "time_limit": 1, **settings}
    with incrowd.anonymize(people() if table is None else table, **settings) as release:
        release.report(folder / "report.html")
        rows, facts = release.table.to_pylist(), release.facts
    text = (folder / "report.html").read_text()
    return check_page(text), text, rows, facts


COUNTED = {
    "stars": {},
    "a mask": {"mask": incrowd.Mask(max_stars=1), "k": 3},
    "a hierarchy": {"hierarchies": {"age": "intervals:5,10"}, "k": 12},
    "ranges": {"recoding": "ranges", "solver": "mondrian", "numeric": ["age"], "k": 12},
    "a grid": {"recoding": "grid", "numeric": ["age"], "round": 4, "k": 9},
    "one recoding": {"recoding": "global", "solver": "auto", "hierarchies": {"age": "intervals:5,10"}, "time_limit": 1},
    "outliers": {"outliers": "suppress", "mask": incrowd.Mask(max_stars=1)},
    "stars are NULL": {"suppressed": "null"},
}


@pytest.mark.few(2, "a grid")
@pytest.mark.parametrize("case", list(COUNTED))
def test_every_figure_is_counted_again_from_the_rows(case, tmp_path):
    settings = COUNTED[case]
    _, page, rows, _ = page_of(tmp_path, **settings)
    star, k = None if "suppressed" in settings else "*", settings.get("k", 5)
    n, original = len(rows), people().to_pylist()
    classes = Counter(tuple(row[name] for name in QI) for row in rows)
    outside = classes.pop((star,) * 3, 0) if settings.get("outliers") == "suppress" else 0

    shown = figure(page, "Bars: .* of rows in crowds")  # sizes of classes, without those that need no crowd
    for label, count, number_of in zip(*map(shown.column, ("rows in the class", "rows", "classes")), strict=True):
        low, _, high = label.partition(" to ")
        inside = [size for size in classes.values() if int(low) <= size <= int(high or low)]
        assert (sum(inside), len(inside)) == (number(count), number(number_of))
        assert label in shown.drawn and count in shown.drawn
        assert f"{label}" in shown.said
    assert sum(map(number, shown.column("rows"))) == n - outside

    stars = {name: sum(row[name] == star for row in rows) for name in QI}
    shown = figure(page, "Share of rows suppressed, by column|Never suppressed")
    assert dict(zip(shown.column("column"), map(number, shown.column("rows suppressed")), strict=True)) == stars
    assert [stars[name] for name in shown.column("column")] == sorted(stars.values(), reverse=True)
    for name, share in zip(shown.column("column"), shown.column("share"), strict=True):
        assert number(share) == pytest.approx(100 * stars[name] / n, abs=0.06)
        assert name in shown.drawn

    shown = figure(page, "Stacked bars, share of rows by column")
    told = {}
    for name, what, count, share in shown.rows:
        told.setdefault(name, {})[what] = number(count)
        assert number(share) == pytest.approx(100 * number(count) / n, abs=0.06)
    values = {name: Counter(str(row[name]) if row[name] is not None else None for row in rows) for name in QI}
    own = {name: {str(row[name]) for row in original} for name in QI}
    for name in QI:
        assert sum(told[name].values()) == n
        assert told[name].get("★", 0) == stars[name]
        assert told[name].get("as it was", 0) == sum(c for v, c in values[name].items() if v in own[name])
    if "hierarchies" in settings:
        for level, width in ((1, 5), (2, 10)):
            has = [
                c
                for v, c in values["age"].items()
                if (m := re.match(r"(\d+)-(\d+)$", v or "")) and int(m[2]) - int(m[1]) + 1 == width
            ]
            found = [count for what, count in told["age"].items() if what.startswith(f"level {level}")]
            assert sum(found) == sum(has)

    shown = figure(page, "Heat map")
    patterns = Counter()
    for key, size in Counter(tuple(row[name] for name in QI) for row in rows).items():
        patterns[
            tuple(value == star for value in key), tuple(str(v) in own[n2] for n2, v in zip(QI, key, strict=True))
        ] += size
    assert sum(map(number, shown.column("rows"))) == n
    assert [number(count) for count in shown.column("rows")] == sorted(map(number, shown.column("rows")), reverse=True)
    if "hierarchies" not in settings and settings.get("recoding") != "grid":  # whose levels are steps
        assert sorted(map(number, shown.column("rows"))) == sorted(patterns.values())
    assert shown.drawn.count("★") == sum(text.count("★") for text in shown.column("suppressed columns"))
    assert {one.partition(" ")[0] for one in shown.drawn} >= set(shown.column("rows"))

    for shown in (one for one in figures(page) if one.said.startswith("Share of rows after the release")):
        labels = set(shown.column("value")) - {"★"}
        bins = {label for label in labels if re.fullmatch(r"\d+ to \d+", label)}
        named = [name for name in QI if labels & set(map(str, values[name]))] or (["age"] if bins else [])
        for value, count, share, before in shown.rows:
            assert number(share) == pytest.approx(100 * number(count) / n, abs=0.06)
            if value == "★" or not named or "other value" in value or (value in bins) != bool(bins):
                continue
            low, _, high = value.partition(" to ")
            has = [
                v
                for v in values[named[0]]
                if v == value or (value in bins and (v or "").isdigit() and int(low) <= int(v) <= int(high))
            ]
            assert number(count) == sum(values[named[0]][v] for v in has) >= k  # no rarer one is named
            assert f"{value} " in shown.said or len(labels) > 6
            if before != "–":
                least, most = (number(part) for part in before.split(" to "))
                truth = 100 * sum(str(row[named[0]]) in has for row in original) / n
                assert (
                    least <= truth <= most and (most - least) * n / 100 >= 8
                )  # rough: a star's value is not told by it
        assert sum(map(number, shown.column("rows after"))) == n
    for shown in (one for one in figures(page) if one.said.startswith("Ranges on an axis")):
        for label, count in shown.rows:
            if not re.fullmatch(r"\d+ to \d+", label):
                continue  # open to one side: read in the checks of grids
            low, high = map(int, label.split(" to "))
            assert number(count) >= k
            assert number(count) == sum(c for v, c in values["age"].items() if (v or "").strip("[]") == f"{low}-{high}")

    for shown in (one for one in figures(page) if one.said.startswith("The cost")):  # none where there was no search
        last = shown.rows[-1]
        if "hierarchies" not in settings and "recoding" not in settings:
            assert number(last[1]) == sum(stars.values())
        costs = [number(text) for text in shown.column("cost") if text != "–"]
        bounds = [number(text) for text in shown.column("lower bound") if text != "–"]
        assert costs == sorted(costs, reverse=True) and bounds == sorted(bounds) and bounds[-1] <= costs[-1]
        assert shown.column("seconds") == sorted(shown.column("seconds"), key=float)
        assert {"cost of the best release", "no release costs less"} <= set(shown.drawn)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The report of a small table."""
    return page_of(tmp_path_factory.mktemp("small"), people(99))


def test_how_far_counts_are_off_is_told_rounded_and_of_a_small_table_nothing(small, tmp_path):
    parts, page, *_ = page_of(tmp_path, sensitive=["ill"])
    for said in ("Is it still useful", "Counts: asked 500 random questions", "Another sample of as many people would be off by",
                 "counts, by how frequent values are"):  # fmt: skip
        assert said in parts.text
    shown = figure(page, "Bars: counts are off by")
    for text in itertools.chain(shown.column("release"), shown.column("another sample")):
        assert float(f"{number(text):.2g}") == number(text)
    assert "Is it still useful" not in small[0].text


def test_a_report_has_every_part_that_was_promised_in_the_order_of_the_work(tmp_path):
    parts, *_ = page_of(tmp_path, sensitive=["ill"], mask=incrowd.Mask(max_stars=2), k=3)
    for said in (
        "What was asked", "What was done", "How safe it is", "What was lost", "What each column still shows",
        "How close to the least possible loss", "What this does not protect from", "Check it yourself", "What to cite",
        "nobody who knows age, sex and land of a person can tell their row from 2 others", "at most 2 stars",
        "An independent check", "It passed", "recount the release independently", "solver greedy", "seed 0",
        "Risk that a known person's row is found", "usefulness", "ncp", "gap", "Sweeney", "Pattern-Guided",
        f"incrowd {incrowd.__version__}",
    ):  # fmt: skip
        assert said in parts.text, said
    order = ["read the table", "group equal rows", "search for a release", "write the stars", "recount the release"]
    assert [parts.text.index(stage) for stage in order] == sorted(parts.text.index(stage) for stage in order)


FEW = pa.table({"age": ["1"] * 5 + ["2"], "sex": ["f"] * 5 + ["m"], "land": ["x"] * 5 + ["y"]})
# what was released: the level of the verdict, and what it says
VERDICTS = {
    "nothing open": ({"table": people().select(QI)}, "yes", ["nothing in it calls for a second look"]),
    "no model of a sensitive column": ({"sensitive": ["ill"]}, "look", ["Is it acceptable that ill may be learned?"]),
    "kept columns": ({"table": people(number=[str(i) for i in range(240)]), "sensitive": ["ill"]}, "look",
                     ["Answer 2 questions", "Could anybody know a person's number?"]),
    "k of one": ({"k": 1}, "no", ["nobody is hidden"]),
    "few outliers": ({"table": FEW, "outliers": "suppress", "k": 3}, "no", ["1 row is fully suppressed and fewer than k = 3"]),
    "l": ({"sensitive": ["ill"], "l": 2, "k": 6}, "yes", ["l-diversity of ill 2 ", "k-anonymity 6 ", "Machanavajjhala"]),
    "levels": ({"hierarchies": {"age": "intervals:5,10"}}, "look", ["A number is the level of a coarser label.", "level 1: steps of 5"]),
    "order kept": ({"keep_order": True, "table": people().select(QI)}, "look", ["order"]),
    "many columns": ({"table": pa.table({f"column number {j}": [str(i % (2 + j % 3)) for i in range(48)] for j in range(26)}),
                      "quasi_identifiers": [f"column number {j}" for j in range(26)], "mask": incrowd.Mask(max_stars=1)}, "yes",
                     ["The 24 columns with most stars of 26 are drawn."]),
}  # fmt: skip


@pytest.mark.few(4)
@pytest.mark.parametrize("case", list(VERDICTS))
def test_the_verdict_is_what_the_release_calls_for(case, tmp_path):
    settings, level, said = VERDICTS[case]
    parts, text, *_ = page_of(tmp_path, **settings)
    assert f'class="verdict {level}"' in text
    for part in said:
        assert part in parts.text, part


N = 30
ODD = {
    "one row": (1, {"k": 1}),
    "all fully suppressed": (4, {"k": 4, "outliers": "suppress"}),
    "one class": (4, {"k": 4}),
    "nothing changed": (2, {"k": 1}),
    "stars are NULL": (30, {"k": 3, "suppressed": "null"}),
    "exact": (30, {"k": 3, "solver": "exact"}),
    "weights": (30, {"k": 3, "weights": {"age": "1/3", "land": 0}}),
    "blunted": (30, {"k": 3, "blunt": 1}),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("case", list(ODD))
def test_odd_releases_have_reports_too(tmp_path, case):
    n, settings = ODD[case]
    parts, *_ = page_of(tmp_path, people(n).set_column(0, "age", pa.array([str(i) for i in range(n)])), **settings)
    assert "None" not in parts.text and "nan" not in parts.text.split()


def test_an_auditor_can_run_what_the_report_says(tmp_path, run):
    original = tmp_path / "people.csv"
    original.write_text(
        "age,sex,land,ill\n" + "\n".join(",".join(row.values()) for row in people(60).to_pylist()) + "\n"
    )
    asked = ("--qi", "age,sex,land", "--sensitive", "ill", "--k", "4", "--max-stars", "2", "--weight", "age=1/3")
    files = ("-o", "release.csv", "--report", "report.html", "--certificate", "proof.json")
    assert run("anonymize", original, *files, *asked, "--solver", "greedy")[0] == 0
    text = (tmp_path / "report.html").read_text()
    assert str(tmp_path) not in text and tmp_path.name not in text  # files by their base names
    command, policy, page = check_page(text).code
    assert page == "incrowd checker -o check.html"
    (tmp_path / "policy.toml").write_text(policy)
    words = shlex.split(command)
    assert {"people.csv", "release.csv", "proof.json"} <= set(words)
    status, out, _ = run(*words[1:])
    assert (status, "The certificate holds" in out) == (0, True)
    (tmp_path / "release.csv").write_text((tmp_path / "release.csv").read_text().replace("flu", "gout", 1))
    assert run(*words[1:])[0] == 1


def test_names_and_values_with_markup_are_texts(tmp_path):
    bad = "<script>alert(1)</script>&\"'"
    table = people(land=["<b onclick=x>"] * 240).rename_columns(["age", "sex", bad, "ill"])
    parts, text, *_ = page_of(tmp_path, table, quasi_identifiers=["age", "sex", bad])
    assert "<script" not in text and "<b " not in text.replace("<b>", "")
    assert bad in parts.text


def test_a_report_is_whole_or_absent_and_never_the_table_itself(tmp_path, run):
    original = tmp_path / "people.csv"
    original.write_text("age,sex,land\n" + "30,f,PL\n" * 9)
    good = ("--qi", "age,sex,land", "--k", "3")
    (tmp_path / "folder.html").mkdir()
    for place in (original, "out.csv", "nowhere/report.html", "folder.html"):
        status, out, err = run("anonymize", original, "-o", "out.csv", *good, "--report", place)
        assert (status, out, err.count("\n")) == (2, "", 1), place
        assert Path(place).name in err
    for place in (original, "nowhere/report.html"):
        assert run("audit", original, "--report", place)[0] == 2
    assert run("anonymize", original, "--dry-run", *good, "--report", "report.html")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.html", "people.csv"]
    assert original.read_text().startswith("age,sex,land")
    assert run("anonymize", original, *good, "--report", "report.html", "--solver", "greedy")[0] in (0, 2)
    incrowd.anonymize(people(60), quasi_identifiers=QI, k=3, report=tmp_path / "alone.html", solver="greedy")
    assert (tmp_path / "alone.html").exists()  # asked for alone


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme, small):
    blocks = re.findall(r":root \{(.*?)\}", small[1], re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#\w{6})", blocks[0]))
    if scheme == "dark":
        colours |= dict(re.findall(r"--([\w-]+): (#\w{6})", blocks[1]))
    pairs = [
        *((ink, ground) for ink in ("ink", "muted", "link") for ground in ("paper", "soft")),
        *((word, f"{word}-soft") for word in ("yes", "look", "no")),
        *(("ink", f"{word}-soft") for word in ("yes", "look", "no")),
        ("chart-ink", "chart-paper"), ("chart-muted", "chart-paper"),
    ]  # fmt: skip
    for ink, ground in pairs:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for mark in ("chart-main", "chart-star"):
        assert contrast(colours[mark], colours["chart-paper"]) >= 3, mark
    assert contrast("#ffffff", colours["chart-star"]) >= 3  # the star in its cell


def contrast(one, other):
    """WCAG 2.2, relative luminance."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# --- audits


def audited(folder, table=None, **settings):
    found = incrowd.audit(people() if table is None else table, report=folder / "audit.html", **settings)
    text = (folder / "audit.html").read_text()
    return check_page(text), text, found


AUDITS = {
    "not met": ({"quasi_identifiers": ["age", "sex", "land"], "k": 9}, "no",
                ["k-anonymity: 9 rows have to look alike, and the smallest crowd has 1", "k-anonymity 9 1 NOT met"]),
    "met": ({"quasi_identifiers": ["sex"], "k": 3}, "yes", ["The table meets what was asked of it."]),
    "nobody asked, unique rows": ({"quasi_identifiers": ["age", "sex", "land", "ill"]}, "no", ["People can be found in this table"]),
    "nobody asked, crowds": ({"quasi_identifiers": ["sex"]}, "look", ["at least 119 others"]),
}  # fmt: skip


@pytest.mark.parametrize("case", AUDITS)
def test_an_audit_answers_and_names_no_value(case, tmp_path):
    settings, level, said = AUDITS[case]
    parts, text, found = audited(tmp_path, **settings)
    if "smallest crowd has 1" in said[0]:
        low = found.facts["classes"]["min"]
        said = [part.replace("has 1", f"has {low}").replace("9 1 NOT", f"9 {low} NOT") for part in said]
    assert f'class="verdict {level}"' in text
    for part in (
        *said,
        "Who could be found",
        "What gives people away",
        "What this does not say",
        "Do it again",
        "El Emam",
    ):
        assert part in parts.text, part
    assert not {"PL", "DE", "flu", "gout"} & set(parts.text.replace(",", " ").split())


def test_the_numbers_of_an_audit_are_counted_again(tmp_path):
    table = people(number=[str(i * i // 3 % 50) for i in range(239)] + ["alone"])
    names = ["age", "sex", "number"]
    _, page, found = audited(tmp_path, table, quasi_identifiers=names, sensitive=["ill"])
    rows = [tuple(row[name] for name in names) for row in table.to_pylist()]
    classes = Counter(rows)
    shown = next(one for one in figures(page) if "rows in the class" in one.head)
    for label, count, number_of in zip(*map(shown.column, ("rows in the class", "rows", "classes")), strict=True):
        low, _, high = label.partition(" to ")
        inside = [size for size in classes.values() if int(low) <= size <= int(high or low)]
        assert (sum(inside), len(inside)) == (number(count), number(number_of))
    assert found.unique_rows == sum(size == 1 for size in classes.values())
    (shown,) = [one for one in figures(page) if "pairs told apart" in one.head]
    for name, distinct, apart, alone, without in shown.rows:
        at = names.index(name)
        own, left = Counter(row[at] for row in rows), Counter(row[:at] + row[at + 1 :] for row in rows)
        pairs = len(rows) * (len(rows) - 1)
        assert (number(distinct), number(alone)) == (len(own), sum(c == 1 for c in own.values()))
        assert number(apart) == pytest.approx(100 * (1 - sum(c * (c - 1) for c in own.values()) / pairs), abs=0.06)
        assert number(without) == sum(size == 1 for size in left.values())


def test_an_audit_can_be_done_again_from_its_report(tmp_path, run):
    path = tmp_path / "people.csv"
    path.write_text("age,sex,land,ill\n" + "\n".join(",".join(r.values()) for r in people(60).to_pylist()) + "\n")
    status, out, _ = run("audit", path, "--qi", "age,land", "--k", "4", "--json", "--report", "audit.html")
    assert status == 1
    command, policy = check_page((tmp_path / "audit.html").read_text()).code
    (tmp_path / "policy.toml").write_text(policy)
    again = run(*shlex.split(command)[1:], "--json")
    assert again[0] == 1
    first, second = (
        {k: v for k, v in json.loads(one).items() if k not in ("seconds", "peak_mb")} for one in (out, again[1])
    )
    assert first == second
    assert {"k", "unique_rows", "models", "quasi_identifiers"} <= set(first)


@pytest.mark.parametrize(
    ("table", "left"),
    [
        ({"a": ["x"]}, None),  # of one column none can be left out
        ({"a": ["x"] * 4, "b": ["y"] * 4}, None),  # nobody is unlike all others
        ({"a": ["x", "x", "y", "y"], "b": ["p", "q", "q", "q"]}, {"a": 1, "b": 0}),
    ],
)
def test_rows_that_stay_unique_without_a_column_are_drawn_where_there_are_any(tmp_path, table, left):
    _, page, _ = audited(tmp_path, pa.table(table), quasi_identifiers=list(table))
    shown = [dict(one.rows) for one in figures(page) if one.head == ["column left out", "unique rows"]]
    assert shown == ([] if left is None else [{name: str(count) for name, count in left.items()}])


# --- trade-offs


def test_a_trade_off_has_every_point_in_its_figure_and_a_command_that_runs(tmp_path, run):
    path = tmp_path / "t.csv"
    path.write_text(
        "age,sex,land\n" + "\n".join(",".join(r.values()) for r in people(80).select(QI).to_pylist()) + "\n"
    )
    found = incrowd.tradeoff(path, quasi_identifiers=QI, ks=[2, 6], solvers=["greedy", "mondrian"], time_limit=1)
    found.report(tmp_path / "t.html")
    page = (tmp_path / "t.html").read_text()
    parts = check_page(page)
    assert 'class="verdict look"' in page and "Nothing was released or verified yet." in parts.text
    shown = figures(page)[0]
    solved = [point for point in found.points if point["cost"] is not None]
    assert len(solved) >= 3
    for point in solved:
        assert f"k = {point['k']} {point['solver']}: " in shown.said
    for point in found.points:
        if point["why"]:
            assert f"{point['solver']} at k = {point['k']}: {point['why']}" in parts.text
    (command,) = parts.code
    words = shlex.split(command)
    assert words[:3] == ["incrowd", "anonymize", "t.csv"] and words[words.index("--qi") + 1] == "age,sex,land"
    words = [word.replace("K", "2") if word == "K" else word for word in words]
    status, _, err = run(*words[1:], "--solver", "greedy")
    assert status == 0, err


def test_a_trade_off_without_a_point_has_no_chart(tmp_path):
    found = incrowd.tradeoff(
        people(9), quasi_identifiers=QI, ks=[9], solvers=["greedy"], max_stars=0, full_suppression=False
    )
    found.report(tmp_path / "t.html")
    assert figures((tmp_path / "t.html").read_text()) == []


# --- networks

RING = [(i, (i + 1) % 9) for i in range(9)] + [(0, 4), (2, 7)]


def distances(edges, start):
    """Plain search from some nodes: the distance of everybody who is reached."""
    found, front = dict.fromkeys(start, 0), list(start)
    for node in front:
        for a, b in edges:
            for one, other in ((a, b), (b, a)):
                if one == node and other not in found:
                    found[other] = found[node] + 1
                    front.append(other)
    return found


@pytest.mark.parametrize(
    "edges",
    [RING, [(0, 1), (1, 2), (2, 3), (3, 4), (7, 8)], [(0, i) for i in range(1, 7)]],
    ids=["ring", "two parts", "star"],
)
def test_the_figures_of_a_network_are_counted_again(tmp_path, edges):
    found = networks.profile(edges, show_labels=True)
    found.report(tmp_path / "net.html")
    page = (tmp_path / "net.html").read_text()
    parts, nodes = check_page(page), sorted({node for edge in edges for node in edge})
    witness = [int(node) for node in found.witness]
    near = distances(edges, witness)
    layers = next(one for one in figures(page) if any("witness itself" in " ".join(row) for row in one.rows))
    counted = [number(row[-1]) for row in layers.rows]
    expected = [sum(d == i for d in near.values()) for i in range(max(near.values()) + 1)]
    expected += [len(nodes) - len(near)] if len(near) < len(nodes) else []
    assert [int(c) for c in counted if c] == [c for c in expected if c]
    signatures = Counter(
        tuple(distances(edges, [w]).get(node, -1) for w in witness) for node in nodes if node not in witness
    )
    (crowds,) = [one for one in figures(page) if one.head[0] == "members in the crowd"]
    for label, members, number_of in crowds.rows:
        low, _, high = label.partition(" to ")
        inside = [size for size in signatures.values() if int(low) <= size <= int(high or low)]
        assert (sum(inside), len(inside)) == (number(members), number(number_of))
    # what each node alone singles out: members whom its distance tells from all others
    exposes = Counter()
    for node in nodes:
        seen = distances(edges, [node])
        exposes[sum(c == 1 for c in Counter(seen.get(other, -1) for other in nodes if other != node).values())] += 1
    (alone,) = [one for one in figures(page) if one.head == ["members", "nodes"]]
    for label, count in alone.rows:
        low, _, high = label.replace("nobody", "0").partition(" to ")
        assert number(count) == sum(c for many, c in exposes.items() if int(low) <= many <= int(high or low))
    assert not re.search(r"\bNone\b(?! was written)", parts.text)
    assert min(signatures.values()) == found.k


# --- charts and cards of notebooks


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["classes", "patterns", "columns", "levels", "bounds"])
def test_every_plot_is_the_figure_of_the_report_and_is_saved(name, tmp_path):
    heads = {
        "classes": "Bars: .* of rows in crowds", "patterns": "Heat map", "columns": "Share of rows suppressed",
        "levels": "Stacked bars", "bounds": "The cost falls to",
    }  # fmt: skip
    with incrowd.anonymize(people(), quasi_identifiers=QI, k=5, solver="greedy", time_limit=1) as release:
        release.report(tmp_path / "r.html")
        getattr(release.plot, name)().save(str(tmp_path / "x.svg"))
        with pytest.raises(InputError, match=r"'agee' is no quasi-identifier of this release \(did you mean 'age'\?\)"):
            release.plot.columns("agee")
        release.plot.columns("sex").save(str(tmp_path / "sex.svg"))
    page = (tmp_path / "r.html").read_text()
    drawn = texts_of((tmp_path / "x.svg").read_text())
    if not any(re.match(heads[name], one.said) for one in figures(page)):
        assert name == "bounds"  # a search that told nothing on its way has no line in the report
        return
    assert sorted(drawn) == sorted(figure(page, heads[name]).drawn)
    shown = [one for one in figures(page) if one.said.startswith("Share of rows after") and "f" in one.column("value")]
    assert sorted(texts_of((tmp_path / "sex.svg").read_text())) == sorted(shown[0].drawn)


ROWS = [{"town": f"Zeta{1 + i * i % 9}", "sex": "fm"[i // 7 % 2], "ill": f"Omega{i % 3}"} for i in range(60)]
ASKED = {"quasi_identifiers": ["town", "sex"], "k": 7}
PATH = [(i, i + 1) for i in range(6)]


def results():
    release = incrowd.anonymize(ROWS, **ASKED)
    yield from (release, release.usefulness(queries=5), incrowd.attack(release), incrowd.audit(ROWS))
    yield incrowd.tradeoff(ROWS, quasi_identifiers=["town", "sex"], ks=[2], solvers=["greedy"])
    yield incrowd.verify(ROWS, release.table[3:], **{**ASKED, "k": 9})
    yield incrowd.kernel(ROWS, quasi_identifiers=["sex"], k=2)
    yield incrowd.estimate(ROWS, **ASKED)
    yield from (networks.profile(PATH), networks.risks(PATH), networks.simulate_attack(PATH))


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        assert tag != "script" and not any(name.startswith("on") for name, _ in attrs)
        if tag not in ("br", "hr", "img", "col", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_every_result_prints_in_a_line_and_as_a_card_without_a_cell():
    for found in results():
        line, card = repr(found), found._repr_html_()
        reader = Balanced()
        reader.feed(card)
        assert not reader.open and len(card) > 200
        if not isinstance(found, list):
            assert line.startswith("<") and "\n" not in line and len(line) < 160
        assert "color:#000" not in card and "background:#fff" not in card  # dark themes keep their colours
        for told in (line, card, found.summary() if hasattr(found, "summary") else ""):
            assert "Zeta" not in told and "Omega" not in told
            assert " --" not in told  # no flag of a shell that Python does not have


def test_a_card_says_what_is_left_to_decide():
    """Green: nothing to decide; amber: something can be told; red: a cell can be known, or the policy is broken."""
    with incrowd.anonymize(ROWS, **ASKED) as release:
        good = incrowd.verify(ROWS, release.table, **ASKED)._repr_html_()
        bad = incrowd.verify(ROWS, release.table, **{**ASKED, "k": 30})._repr_html_()
        certificate = {**release.certificate(), "cost": 0}
        wrong = incrowd.verify(ROWS, release.table, certificate=certificate, **ASKED)._repr_html_()
        broken = incrowd.attack(release.table, **{**ASKED, "k": 30})._repr_html_()
        calm = incrowd.attack(release)._repr_html_()
    assert "keeps the policy" in good and "does NOT" not in good
    assert "does NOT keep the policy" in bad
    assert "The certificate does NOT hold" in wrong
    assert "The release breaks its policy." in broken and "#c8393d" in broken
    assert "#c8393d" not in calm or "can be known" in calm
