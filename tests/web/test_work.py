"""The way from a table to a release: what every page says against what the library finds, work that goes on behind it, and its end."""

from __future__ import annotations

import io
import itertools
import json
import re
import threading
import time
import tomllib
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from functools import partial

import duckdb
import networkx as nx
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import incrowd
import incrowd.networks
from incrowd.jobs.audit import audit
from incrowd.jobs.proposal import proposal
from incrowd.policy.job import Job
from incrowd.web.sessions import session
from incrowd.web.sessions.work import Open, Work
from web.visitor import words

SVG = "{http://www.w3.org/2000/svg}"
PEOPLE = ("age,sex,zip,born,diagnosis\n" + "".join(
    f"{20 + n % 40},{'fm'[n % 2]},{1000 + n % 7},{1990 + (n * n // 700) % 9},{'flu' if n % 3 else 'gout'}\n" for n in range(200)
)).encode()  # fmt: skip
OWN = '{}quasi_identifiers = ["age", "sex", "zip"]\nsensitive = ["diagnosis"]\nk = {}\n'


@pytest.fixture(scope="module")
def people(visitor):
    return visitor.opened("people.csv", PEOPLE)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    made = tmp_path_factory.mktemp("people") / "people.csv"
    made.write_bytes(PEOPLE)
    return made


def take(visitor, place, k=5, more=""):
    visitor.post(f"{place}/text", {"text": OWN.format(more, k)})


def searched(visitor, place):
    answer = visitor.search(place)
    assert answer.headers["location"] == f"{place}/search?then=release", visitor.after(answer)
    return visitor.settled(f"{place}/release")


def drawings(page):
    """The drawings of a page, each read as XML, with the words for those who do not see it."""
    found = [
        ElementTree.fromstring(one) for one in re.findall(r"<svg [^>]*class=\"drawing\".*?</svg>", page, re.DOTALL)
    ]
    return {one.attrib["aria-label"].partition(".")[0]: one for one in found}


def star_map(page):
    (found,) = (one for said, one in drawings(page).items() if said.startswith("Heat map"))
    return found


def texts(drawing):
    return [one.text for one in drawing.iter(f"{SVG}text")]


def test_a_policy_is_proposed_for_what_was_sent(visitor):
    place = visitor.opened("fresh.csv", PEOPLE)
    page = words(visitor.text(f"{place}/columns"))
    for part in ("age numbers · 40 different", "sex", "200 rows, 5 columns", "Proposed: others may know it"):
        assert part in page
    said = tomllib.loads(visitor.get(f"{place}/files/policy.toml").text)
    assert said["quasi_identifiers"] == ["age", "sex", "zip", "born"]
    assert said["k"] == 5 and said["sensitive"] == ["diagnosis"]
    shown = visitor.text(f"{place}/columns")
    roles = re.findall(r'name="role(\d)" value="(\w+)" checked', shown)
    assert roles == [*((str(n), "quasi_identifiers") for n in range(4)), ("4", "sensitive")]
    visitor.post(f"{place}/close")


def test_work_that_ends_while_a_page_is_written_is_still_going_on_there(visitor, monkeypatch):
    place, told = visitor.opened("ends.csv", PEOPLE), Work.told
    take(visitor, place)
    for does, step in (("proposal", "columns"), ("audit", "risks"), ("anonymize", "search"), ("verify", "release")):
        asked, do = threading.Event(), getattr(session, does)

        def late(*args, asked=asked, do=do, **options):
            return asked.wait() and do(*args, **options)

        def ends(work, asked=asked):
            found = told(work)
            if found["state"] == "working":
                asked.set()
                work._thread.join()
            return found

        with monkeypatch.context() as patch:
            patch.setattr(session, does, late)
            patch.setattr(Work, "told", ends)
            if step in ("columns", "search"):  # of the others the page itself begins the work
                visitor.post(f"{place}/{'reading' if step == 'columns' else step}", {"time_limit": "0.5"})
            page = visitor.text(f"{place}/{step}")
        assert "data-work" in page and 'role="alert"' not in page, step


@pytest.mark.parametrize("do", [proposal, audit])
def test_work_that_is_stopped_before_it_has_anything_has_ended(tmp_path, do):
    with duckdb.connect(tmp_path / "t.db") as con:
        con.execute("CREATE VIEW t AS SELECT i % 7 AS a FROM range(1000000000000) r(i)")  # it has no end
    work = Work("reading", partial(do, Job().replace(source=f"{tmp_path / 't.db'}::t")))
    assert not work.wait(1)
    work.stop()
    assert work.wait(30) and (work.state, work.why) == ("failed", "it was stopped before anything was found")


def test_what_work_begins_while_it_is_closed_ends_too(tmp_path):
    def going(watch):
        while not watch.interrupted:
            time.sleep(0.01)

    held, made = Open("1", tmp_path, tmp_path), []
    held.begin("first", "", lambda watch: (going(watch), made.append(held.begin("next", "", going))))
    held.close()
    assert made[0].state == "done"


def test_every_role_is_shown_as_the_policy_has_it(visitor, people):
    visitor.post(f"{people}/text", {"text": (
        'quasi_identifiers = ["age"]\nidentifiers = ["sex"]\nk = 2\nrequire = ["p-sensitive p=2 column=zip"]\n')})  # fmt: skip
    roles = re.findall(r'name="role(\d)" value="(\w+)" checked', visitor.text(f"{people}/columns"))
    assert [role for _, role in roles] == ["quasi_identifiers", "identifiers", "sensitive", "other", "other"]
    visitor.post(f"{people}/text", {"text": 'quasi_identifiers = ["nobody"]\nk = 2\n'})
    for step in ("risks", "search", "stars", "labels"):
        assert visitor.settled(f"{people}/{step}").count("<h1>") == 1
    assert "names column &#39;nobody&#39;, which the table does not have" in words(visitor.settled(f"{people}/risks"))
    take(visitor, people)


def test_the_risks_are_the_audits_and_drawn_as_long_as_they_are(visitor, people, path):
    visitor.post(f"{people}/text", {"text": 'quasi_identifiers = ["zip", "diagnosis", "born"]\nk = 2\n'})
    page = visitor.settled(f"{people}/risks")
    found = incrowd.audit(path, quasi_identifiers=["zip", "diagnosis", "born"])
    said = words(page)
    assert f"{found.unique_rows:,} of 200" in said and "If the table went out as it is" in said
    bars = next(one for one in drawings(page).values() if one.attrib["aria-label"].startswith("Bars"))
    sizes = {}
    for line in found.class_sizes:
        sizes[str(line["from"]) if line["from"] == line["to"] else f"{line['from']} to {line['to']}"] = line["rows"]
    assert sum(sizes.values()) == 200 and len(sizes) > 2
    widths = [float(one.attrib["width"]) for one in bars.iter(f"{SVG}rect")]
    assert len(widths) == len(sizes)
    for width, (label, count) in zip(widths, sizes.items(), strict=True):
        assert width == pytest.approx(max(1, count / max(sizes.values()) * max(widths)), abs=0.06)
        assert label in texts(bars) and f"{count:,}" in texts(bars)
        assert f"{count / 2:.1f}% of rows in crowds of {label}" in bars.attrib["aria-label"]
    take(visitor, people)


def test_an_audit_is_made_anew_when_the_policy_changes(visitor, people):
    visitor.post(f"{people}/text", {"text": 'quasi_identifiers = ["sex"]\nk = 2\n'})
    assert "0 of 200" in words(visitor.settled(f"{people}/risks"))
    visitor.post(f"{people}/text", {"text": 'quasi_identifiers = ["age", "sex", "zip", "diagnosis"]\nk = 2\n'})
    assert not re.search(r"\b0 of 200", words(visitor.settled(f"{people}/risks")))
    take(visitor, people)


PROMISES = [
    ({"k": "5"}, ["k = 5: whoever knows", "finds 5 rows or more", "a chance of 1 in 5", "At most 40 such crowds fit into the 200 rows",
                  "Nothing is asked of diagnosis"]),
    ({"k": "3", "l": "2", "t": "0.3"}, ["At most 66 such crowds", "no value of diagnosis belongs to more than 1 in 2",
                                        "t = 0.3", "at most 30 % would have to be moved"]),
    ({"k": "", "l": "", "t": ""}, ["No k is given yet."]),
]  # fmt: skip


@pytest.mark.parametrize(("form", "said"), PROMISES)
def test_thresholds_are_explained_for_this_table(visitor, people, form, said):
    take(visitor, people)
    visitor.post(f"{people}/promise", form)
    page = words(visitor.text(f"{people}/promise"))
    for part in said:
        assert part in page, part
    assert ("Nothing is asked" in page) == (not form.get("l"))
    take(visitor, people)


def test_without_a_column_that_nobody_may_learn_l_and_t_protect_nothing(visitor, people):
    visitor.post(f"{people}/text", {"text": 'quasi_identifiers = ["age"]\nk = 2\n'})
    assert "so l and t have nothing to protect" in words(visitor.text(f"{people}/promise"))
    take(visitor, people)


def test_the_curve_has_a_point_for_every_k_where_its_numbers_are(visitor, people, path):
    take(visitor, people)
    assert 'value="2, 3, 5, 10, 20, 50"' in visitor.text(f"{people}/promise")  # those that fit the table
    answer = visitor.post(f"{people}/curve", {"ks": "2, 4, 50", "k": "6"})
    assert answer.headers["location"] == f"{people}/promise"
    assert tomllib.loads(visitor.get(f"{people}/files/policy.toml").text)["k"] == 6
    page = visitor.settled(f"{people}/promise")
    (drawing,) = drawings(page).values()
    lines = [
        [tuple(map(float, p.split(","))) for p in one.attrib["points"].split()]
        for one in drawing.iter(f"{SVG}polyline")
    ]
    told = drawing.attrib["aria-label"]
    values = [[float(y) for y in re.findall(r"k \d+: ([\d.e+]+)", part)] for part in told.partition(".")[2].split(";")]
    assert len(lines) == 2 and page.count('<th scope="row">') == 3
    assert [re.findall(r"k (\d+):", part) for part in told.partition(".")[2].split(";")] == [["2", "4", "50"]] * 2
    for line, heights in zip(lines, values, strict=True):
        xs, _ys = zip(*line, strict=True)
        assert list(xs) == sorted(xs) and len(set(xs)) == 3
        # k spreads over more than 20 times: the middle one stands where its logarithm does
        assert (xs[1] - xs[0]) / (xs[2] - xs[0]) == pytest.approx(0.2153, abs=0.01)
        for (_, y1), (_, y2), v1, v2 in zip(line, line[1:], heights, heights[1:], strict=False):
            assert (y1 > y2) == (v2 > v1)  # a higher cost is drawn higher up
    assert all(c >= b for c, b in zip(*values, strict=True))
    numbers = [
        float(one.text.replace(",", "").replace("k", "e3"))
        for one in drawing.iter(f"{SVG}text")
        if re.fullmatch(r"[\d,.]+k?", one.text)
    ]
    heights = numbers[:-3]
    steps = {round(b - a, 9) for a, b in itertools.pairwise(heights)}
    assert heights[0] == 0 and len(steps) == 1 and str(steps.pop()).lstrip("0.")[0] in "125"
    assert numbers[-3:] == [2, 4, 50]
    assert visitor.text(f"{people}/promise").count('value="2, 4, 50"') == 1
    take(visitor, people)


def test_a_release_is_made_counted_again_and_taken_home(visitor, people, path, tmp_path):
    take(visitor, people)
    page = searched(visitor, people)
    said = words(page)
    assert (
        "&#39;release.csv&#39; keeps the policy: classes, mask and cells were recounted against &#39;people.csv&#39;."
        in said
    )
    assert "The certificate holds" in said and "k = 5 was asked" in said
    for name in (
        "release.csv",
        "certificate.json",
        "policy.toml",
        "released-policy.toml",
        "release.parquet",
        "report.html",
    ):
        answer = visitor.get(f"{people}/files/{name}")
        assert answer.headers["content-disposition"] == f'attachment; filename="people-{name}"'
        assert name in page
        (tmp_path / name).write_bytes(answer.content)
    for policy in ("policy.toml", "released-policy.toml"):
        certificate = tmp_path / "certificate.json"
        assert incrowd.verify(path, tmp_path / "release.csv", tmp_path / policy, certificate=certificate) == []
    assert "dry run" not in (tmp_path / "report.html").read_text(encoding="utf-8")
    table = pyarrow.csv.read_csv(tmp_path / "release.csv")
    assert pq.read_table(tmp_path / "release.parquet").num_rows == table.num_rows == 200
    # the map of the stars: every pattern that the release has, the most frequent first, all rows in it
    patterns = {}
    for row in table.to_pylist():
        key = tuple(name for name in ("age", "sex", "zip") if str(row[name]) == "*")
        patterns[key] = patterns.get(key, 0) + 1
    drawing = star_map(page)
    kinds = [one.attrib["class"] for one in drawing.iter(f"{SVG}rect")]
    assert len(kinds) == 3 * len(patterns)
    counts = [int(text.split(" ")[0]) for text in texts(drawing) if re.match(r"[\d,]+ \(", text)]
    assert sorted(counts) == sorted(patterns.values()) and counts == sorted(counts, reverse=True)
    drawn = {tuple(name for name, kind in zip(("age", "sex", "zip"), kinds[i : i + 3], strict=True) if kind == "starred"): counts[i // 3]
             for i in range(0, len(kinds), 3)}  # fmt: skip
    assert drawn == patterns
    stars = [sum(str(value) == "*" for value in table[name].to_pylist()) for name in ("age", "sex", "zip")]
    for name, count in zip(("age", "sex", "zip"), stars, strict=True):
        assert re.search(rf"{name} .*?\b{200 - count}\b.*?\b{count}\b", said), name
    shown = visitor.post(f"{people}/rows").text
    assert shown.count("<tr>") == 13
    assert "<td>flu</td>" in shown and "<td>flu</td>" not in page
    assert "has changed since this release" not in said
    visitor.post(f"{people}/promise", {"k": "6"})
    assert "has changed since this release" in words(visitor.settled(f"{people}/release"))
    for name in ("people.csv", "room1", ".", "lock", "hierarchy1.csv"):
        assert visitor.get(f"{people}/files/{name}").status_code == 404
    assert json.loads((tmp_path / "certificate.json").read_text())
    take(visitor, people)


def test_a_map_of_levels_tells_what_is_shown_coarser_and_of_ties_nothing_else(visitor, people):
    take(visitor, people, k=20)
    visitor.post(f"{people}/labels", {"kind0": "intervals", "detail0": "10, 20"})
    drawing = star_map(searched(visitor, people))
    kinds = {one.attrib["class"] for one in drawing.iter(f"{SVG}rect")}
    assert "coarser" in kinds
    table = pq.read_table(io.BytesIO(visitor.get(f"{people}/files/release.parquet").content))
    assert ("starred" in kinds) == any("*" in table[name].to_pylist() for name in ("age", "sex", "zip"))
    take(visitor, people)


def test_before_there_is_a_release_every_page_says_so(visitor, small):
    place = visitor.opened("none.csv", small)
    assert "There is no release yet" in words(visitor.text(f"{place}/release"))
    for name in ("release.csv", "release.parquet", "report.html", "certificate.json"):
        assert visitor.get(f"{place}/files/{name}").status_code == 409
    assert visitor.get(f"{place}/report").status_code == 409
    assert "there is no release yet; run the search first" in visitor.after(visitor.post(f"{place}/rows"))
    assert visitor.post(f"{place}/bound").headers["location"] == f"{place}/release"
    for name in ("nothing", "run", "curve"):
        assert visitor.get(f"{place}/tasks/{name}/events").status_code == 404
        assert visitor.post(f"{place}/tasks/{name}/stop").status_code == 404
    visitor.post(f"{place}/close")


def told_of(visitor, place):
    with visitor.client.stream("GET", f"{place}/tasks/run/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        return [json.loads(line.removeprefix("data: ")) for line in events.iter_lines() if line.startswith("data: ")]


def test_a_run_tells_how_far_it_is_in_the_users_units_and_ends_in_a_release(visitor, people):
    take(visitor, people, more='weights = { age = "1/3" }\n')
    visitor.post(f"{people}/search", {"time_limit": "2", "seed": "3"})
    told = told_of(visitor, people)
    assert told[-1]["state"] == "done" and told[-1]["stage"] == "Done"
    assert set(told[-1]) == {"state", "why", "what", "stage", "seconds", "cost", "bound", "gap"}
    known = [one for one in told if one["cost"] != "not known yet"]
    facts = json.loads(visitor.get(f"{people}/files/certificate.json").text)
    told_cost = Fraction(known[-1]["cost"].replace(",", ""))
    assert abs(told_cost - Fraction(facts["cost"], facts["scale"])) < Fraction(1, 100)
    assert all(re.fullmatch(r"[\d.]+ s", one["seconds"]) for one in told)
    assert all(
        one["gap"] in ("not known yet", "nothing: it is the least") or one["gap"].startswith("at most ") for one in told
    )
    assert tomllib.loads(visitor.get(f"{people}/files/policy.toml").text)["job"] == {"time_limit": 2.0, "seed": 3}
    take(visitor, people)


def test_costs_bounds_and_gaps_are_those_of_the_release_once_it_is_done(visitor, people, path):
    take(visitor, people)
    visitor.search(people, seed="1")
    (told,) = told_of(visitor, people)  # asked once it has ended
    table = pyarrow.csv.read_csv(io.BytesIO(visitor.get(f"{people}/files/release.csv").content))
    stars = sum(str(value) == "*" for name in ("age", "sex", "zip") for value in table[name].to_pylist())
    certificate = json.loads(visitor.get(f"{people}/files/certificate.json").text)
    assert told["state"] == "done" and told["cost"].replace(",", "") == str(stars) == str(certificate["cost"])
    bound = float(re.sub(r"[^\d.]", "", told["bound"]))
    assert 0 < bound <= stars
    gap = told["gap"]
    if bound == stars:
        assert gap == "nothing: it is the least"
    elif gap.startswith("at most"):
        assert float(gap.split()[-1].rstrip("%")) >= 100 * (stars - bound) / bound - 0.06


def test_a_release_that_loses_nothing_has_no_gap(visitor, people):
    take(visitor, people, k=1)
    visitor.search(people)
    (told,) = told_of(visitor, people)
    assert (told["cost"], told["bound"], told["gap"]) == ("0", "0", "nothing: it is the least")
    take(visitor, people)


def test_a_run_that_has_ended_leads_to_the_release_and_a_stop_keeps_the_best(visitor, people):
    take(visitor, people)
    on = visitor.post(f"{people}/search", {"time_limit": "0.5"}).headers["location"]
    visitor.settled(f"{people}/search")
    assert visitor.get(on).headers["location"] == f"{people}/release"
    assert visitor.get(f"{people}/search").status_code == 200
    visitor.post(f"{people}/search", {"time_limit": "500"})
    stopped = visitor.post(f"{people}/tasks/run/stop", {"on": "search"})
    assert stopped.headers["location"] == f"{people}/search?then=release"
    visitor.settled(f"{people}/search", seconds=100)
    assert "keeps the policy" in words(visitor.settled(f"{people}/release"))
    for on, leads in (("promise", f"{people}/promise"), ("", people), ("//evil", people)):
        assert visitor.post(f"{people}/tasks/run/stop", {"on": on}).headers["location"] == leads


def test_a_search_that_is_replaced_does_not_write_over_the_new_one(visitor, people):
    take(visitor, people, k=2)
    visitor.post(f"{people}/search", {"time_limit": "300"})
    visitor.post(f"{people}/promise", {"k": "6"})
    assert "k = 6 was asked" in words(searched(visitor, people))
    for _ in range(2):
        assert "k = 6" in visitor.get(f"{people}/files/released-policy.toml").text
        table = pyarrow.csv.read_csv(io.BytesIO(visitor.get(f"{people}/files/release.csv").content))
        shown = [tuple(str(row[name]) for name in ("age", "sex", "zip")) for row in table.to_pylist()]
        assert min(map(shown.count, shown)) >= 6
        time.sleep(0.3)
    take(visitor, people)


def test_why_there_is_no_release_is_said(visitor, people):
    take(visitor, people)
    visitor.post(f"{people}/stars", {"max_stars": "0", "full_suppression": "no"})
    visitor.post(f"{people}/promise", {"k": "150"})
    visitor.post(f"{people}/search", {"time_limit": "0.5"})
    assert "There is no release." in words(visitor.settled(f"{people}/search"))
    assert "Promise less" in words(visitor.text(f"{people}/release"))
    assert "There is no release." in words(visitor.text(f"{people}/search?then=release"))
    take(visitor, people)


def test_a_table_that_goes_while_it_is_asked_is_said_and_read_again_once_it_is_back(visitor, root, small):
    (root / "gone.csv").write_bytes(small)
    place = visitor.post("/choose", {"file": "gone.csv"}).headers["location"].rpartition("/")[0]
    visitor.settled(f"{place}/columns")
    visitor.post(f"{place}/patterns")
    (root / "gone.csv").unlink()
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["age"]\nk = 2\n[read]\nna = ["31"]\n'})
    assert "there is no file" in words(visitor.post(f"{place}/patterns").text)
    visitor.post(f"{place}/search", {"time_limit": "0.2"})
    assert "there is no file" in words(visitor.settled(f"{place}/search"))
    (root / "gone.csv").write_bytes(small)
    assert "2 patterns" in words(visitor.post(f"{place}/patterns").text)
    assert "keeps the policy" in words(searched(visitor, place))


def test_a_release_whose_file_was_touched_is_found_by_the_recount(visitor, root, small):
    """The original is another table by the time of the recount: the two do not fit together."""
    (root / "touched.csv").write_bytes(small)
    place = visitor.post("/choose", {"file": "touched.csv"}).headers["location"].rpartition("/")[0]
    visitor.settled(f"{place}/columns")
    visitor.search(place)
    (root / "touched.csv").write_bytes(small.replace(b"flu", b"gout", 1))
    page = words(visitor.settled(f"{place}/release"))
    assert (
        "&#39;release.csv&#39; does NOT keep the policy. - 1 released row differs from the original in column diagnosis"
        in page
    )


def test_several_forms_at_once_leave_one_whole_policy(visitor, people):
    take(visitor, people)

    def change(k):
        visitor.client.post(f"{people}/promise", data={"k": str(k)}, headers={
            "origin": visitor.base, "content-type": "application/x-www-form-urlencoded"})  # fmt: skip

    threads = [threading.Thread(target=change, args=(k,)) for k in range(2, 10)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    said = tomllib.loads(visitor.get(f"{people}/files/policy.toml").text)
    assert said["k"] in range(2, 10) and said["quasi_identifiers"] == ["age", "sex", "zip"]
    take(visitor, people)


def edges(graph):
    return "".join(f"node{u} node{v}\n" for u, v in graph.edges).encode()


GRAPHS = {
    "karate": nx.karate_club_graph(), "path": nx.path_graph(12), "ring": nx.cycle_graph(80), "star": nx.star_graph(20),
    "two": nx.disjoint_union(nx.complete_graph(6), nx.complete_graph(6)),
}  # fmt: skip


@pytest.mark.few(1, "two")
@pytest.mark.parametrize("name", GRAPHS)
def test_a_small_network_is_measured_and_drawn_neighbours_nearer_than_strangers(visitor, name):
    graph = GRAPHS[name]
    place = visitor.upload(f"{name}.txt", edges(graph), kind="network")
    page = visitor.settled(place, seconds=100)
    found = incrowd.networks.profile(graph)
    steps = {}
    for one in found.to_json()["profile"]:
        steps.setdefault(one["attackers"], []).append(one["k"])
    told = re.findall(r'<th scope="row">([\d to]+)</th><td class="n">(\d+)</td><td', page)
    assert told == [(f"{ks[0]} to {ks[-1]}" if len(ks) > 1 else str(ks[0]), str(a)) for a, ks in steps.items()]
    assert not re.search(r"node\d", page)  # no label
    drawing = next(one for one in drawings(page).values() if "A network of" in one.attrib["aria-label"])
    n, m = graph.number_of_nodes(), graph.number_of_edges()
    assert f"A network of {n} nodes and {m} edges; {found.attackers} of the nodes" in drawing.attrib["aria-label"]
    circles = list(drawing.iter(f"{SVG}circle"))
    at = [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in circles]
    assert len(at) == n and all(24 <= x <= 536 and 24 <= y <= 536 for x, y in at)
    assert sum(one.attrib["class"] == "node chosen" for one in circles) == found.attackers
    drawn = [[(float(e.attrib[f"x{i}"]), float(e.attrib[f"y{i}"])) for i in "12"] for e in drawing.iter(f"{SVG}line")]
    assert len(drawn) == m and all(end in at for line in drawn for end in line)
    near = [((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in drawn]
    far = [((a - c) ** 2 + (b - d) ** 2) ** 0.5 for i, (a, b) in enumerate(at) for c, d in at[:i]]
    assert sum(near) / len(near) < sum(far) / len(far)
    report = visitor.get(f"{place}/report")
    assert report.status_code == 200 and "sandbox" in report.headers["content-security-policy"]
    assert str(found.k) in words(report.text)
    visitor.post(f"{place}/close")
    assert visitor.get(place).status_code == visitor.get(f"{place}/report").status_code == 404


def test_a_larger_network_is_measured_and_not_drawn_and_what_is_none_is_said(visitor):
    place = visitor.upload("path.txt", edges(nx.path_graph(81)), kind="network")
    page = visitor.settled(place)
    assert "are not drawn" in words(page) and not any(
        "A network of" in one.attrib["aria-label"] for one in drawings(page).values()
    )
    place = visitor.upload("a.txt", b"nothing\n", kind="network")
    assert "could not be measured" in words(visitor.settled(place))
    assert visitor.get(f"{place}/report").status_code == 409
    assert visitor.post(f"{place}/tasks/measure/stop").headers["location"] == place
    assert visitor.get(f"{place}/tasks/columns/events").status_code == 404
