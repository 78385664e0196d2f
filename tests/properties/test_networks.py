"""Every question about a network, every method by name, against all sets of its nodes or the closed form of its family."""

from __future__ import annotations

import math
import random

import networkx as nx
import pytest

from incrowd import networks
from incrowd.errors import InputError, PolicyError
from incrowd.progress import Watch  # what `watch=` of every question takes
from oracle import graphs
from oracle import networks as truth
from seeds import seeds


def graph_of(n, edges):
    """A network of the nodes 0..n-1, those without an edge too."""
    whole = nx.Graph()
    whole.add_nodes_from(range(n))
    whole.add_edges_from(edges)
    return networks.read(whole)


def network_of(rng, fewest, most, *families):
    """The number of nodes of a drawn network, the network, and who is near whom."""
    n, edges = graphs.draw(rng, fewest, most, *families)
    return n, graph_of(n, edges), truth.near_of(n, edges)


def curve_of(found):
    return {point["k"]: point["attackers"] for point in found.profile}


def holds(found, near, of_sets):
    """What every answer owes: bounds around the truth, a witness of the size and the measure that are claimed."""
    sizes = truth.exactly(of_sets) if found.question == "exactly" else truth.at_least(of_sets)
    top, members = max(truth.at_least(of_sets)), None if found.members is None else found.members.tolist()
    if members is not None:
        assert members == sorted(set(members)) and len(members) == found.attackers
        reached = truth.measure(near, members)
        assert reached == found.k if found.question in ("exactly", "attackers") else reached >= found.k
    if found.question in ("adim", "profile"):
        assert found.k == found.lower_bound <= top <= found.upper_bound
        for step in found.steps:
            assert truth.measure(near, step.witness.tolist()) >= step.last
            assert len(step.witness) == step.attackers
            assert all(step.lower <= sizes[k] <= step.attackers for k in range(step.first, step.last + 1))
        assert not found.optimal or found.lower_bound == found.upper_bound == top
    elif found.question == "attackers":
        least = truth.least(of_sets, found.allowed)
        assert found.lower_bound <= least <= found.upper_bound == found.k and 1 <= found.attackers <= found.allowed
        assert found.optimal == (found.lower_bound == found.upper_bound)
    else:
        least = sizes.get(found.k)
        assert found.attackers == found.upper_bound
        if found.attackers is None:
            assert not found.optimal or (least is None and found.lower_bound is None)
            assert found.optimal or least is None or found.lower_bound <= least
        else:
            assert found.lower_bound <= least <= found.upper_bound
            assert found.optimal == (found.lower_bound == found.upper_bound)
    assert found.status == "optimal" or not found.optimal
    told = found.document()
    if found.question == "attackers":
        alone = ("Not decided in time", "does not hide", "stays in a crowd")[(found.k > 1) + 1 if found.optimal else 0]
        assert alone in told.verdict.headline


def every_question(graph, **options):
    """The answers to all questions about a small network."""
    yield networks.antidimension(graph, **options)
    yield networks.profile(graph, **options)
    for k in range(1, graph.nodes):
        yield networks.antidimension(graph, at_least=k, **options)
        yield networks.antidimension(graph, exactly=k, **options)
        yield networks.anonymity(graph, attackers=k, **options)


def agree(n, edges, seed=0):
    """Every answer is exact, but for crowds left by more than three attackers, and equals the definition's."""
    near = truth.near_of(n, edges)
    of_sets = truth.measures(near)
    for found in every_question(graph_of(n, edges), seed=seed):
        holds(found, near, of_sets)
        assert found.optimal or (found.question == "attackers" and found.allowed > 3)
        if found.question == "profile":
            assert curve_of(found) == truth.at_least(of_sets)
        if found.question == "adim":
            assert found.attackers == truth.at_least(of_sets)[found.k]


@seeds(6_000, 60)
def test_every_answer_is_that_of_all_sets_of_nodes(seed):
    agree(*graphs.draw(random.Random(seed), 2, 7), seed=seed)


@seeds(1_500, 20, first=10_000)
def test_in_dense_networks_too_where_few_attackers_single_nobody_out(seed):
    agree(*graphs.draw(random.Random(seed), 4, 9 if seed % 5 == 0 else 8, graphs.DENSE), seed=seed)


@pytest.mark.few(19, "209")
@pytest.mark.parametrize("number", range(2, 1253))
def test_every_network_of_up_to_seven_nodes(number):
    from networkx.generators import atlas

    whole = atlas.graph_atlas(number) if number < 1253 else None
    agree(whole.number_of_nodes(), list(whole.edges), seed=number)


@seeds(3_000, 60)
def test_profiles_of_tens_of_nodes_are_those_of_literal_chains(seed):
    _, graph, near = network_of(random.Random(seed), 10, 36)
    found = networks.profile(graph, seed=seed)
    assert found.optimal and curve_of(found) == truth.chains(near)
    for step in found.steps:
        assert truth.measure(near, step.witness.tolist()) >= step.last and len(step.witness) == step.attackers


def same_curve(drawn, form):
    n, edges = drawn
    near = truth.near_of(n, edges)
    found = networks.profile(graph_of(n, edges))
    assert found.optimal and curve_of(found) == form(near)
    for step in found.steps:
        assert truth.measure(near, step.witness.tolist()) >= step.last
    return found


@pytest.mark.few(8)
@pytest.mark.parametrize("n", [2, 3, 4, 7, 8, 100, *range(9, 60), 201])
def test_paths_cycles_stars_and_complete_graphs_have_their_closed_forms(n):
    rng = random.Random(n)
    same_curve(graphs.shuffled(n, [(v, v + 1) for v in range(n - 1)], rng), lambda _: truth.path(n))
    same_curve(graphs.shuffled(n, graphs.star(n, rng), rng), lambda _: truth.star(n - 1))
    if n > 2:
        same_curve(graphs.shuffled(n, graphs.ring(n, rng), rng), lambda _: truth.cycle(n))
    if n < 60:
        same_curve((n, graphs.gnp(n, 1.0, rng)), lambda _: truth.complete(n))


@pytest.mark.few(6)
@pytest.mark.parametrize(("a", "b"), [(19, 37), *((a, b) for a in range(2, 12) for b in (a, a + 1, a + 2, 11))])
def test_grids_have_their_closed_form(a, b):
    same_curve(graphs.grid(a, b, random.Random(a)), lambda _: truth.grid(a, b))


@seeds(2_000, 20)
def test_complete_multipartite_graphs_have_their_closed_form(seed):
    sizes, drawn = graphs.multipartite(random.Random(seed))
    same_curve(drawn, lambda _: truth.multipartite(sizes))


@seeds(2_000, 40)
def test_trees_have_their_closed_form(seed):
    same_curve(graphs.tree(random.Random(seed)), truth.tree)


@seeds(2_000, 30)
def test_cographs_have_their_closed_form(seed):
    same_curve(graphs.cograph(random.Random(seed)), truth.cograph)


@seeds(1_000, 12)
def test_networks_with_one_cycle_are_those_of_literal_chains(seed):
    same_curve(graphs.unicyclic(random.Random(seed), 12 + seed % 20), truth.chains)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(40))
def test_trees_of_hundreds_of_nodes_have_their_closed_form(seed):
    """So large that nodes are searched from in batches of 64, from far nodes, and in compact balls."""
    rng = random.Random(seed)
    n = 420 + 5 * seed
    drawn = graphs.shuffled(n, [(rng.randrange(max(0, v - 4), v), v) for v in range(1, n)], rng)
    if seed % 2:
        drawn = graphs.shuffled(n, [(rng.choice([max(0, v - 2), max(0, v - 1), rng.randrange(v)]), v) for v in range(1, n)], rng)  # fmt: skip
    same_curve(drawn, truth.tree)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(24))
def test_middle_sized_networks_are_proven_by_the_check_and_no_node_does_better_alone(seed):
    """The check recomputes every bound from the edges by a way of its own; single nodes are those of the definition."""
    rng = random.Random(seed)
    n = rng.randint(350, 500)
    family = [
        lambda n, rng: graphs.random_tree(n, rng) + graphs.gnp(n, 1.5 / n, rng),
        graphs.attached,
        lambda n, rng: graphs.ring(n, rng) + [(rng.randrange(n), rng.randrange(n)) for _ in range(n // 8)],
        lambda n, rng: graphs.random_tree(n, rng) + graphs.gnp(n, 8.0 / n, rng),
        graphs.caveman,
        lambda n, rng: graphs.beside(n, rng),
    ][seed % 6]
    n, edges = graphs.shuffled(n, [(a, b) for a, b in family(n, rng) if a != b and max(a, b) < n], rng)
    graph, near = graph_of(n, edges), truth.near_of(n, edges)
    found = networks.profile(graph, seed=seed)
    verdict = networks.check(graph, found.certificate())
    assert found.optimal and verdict.ok and verdict.proven
    dist = truth.distances(near)
    if len(truth.components(near)) == 1:
        alone = [truth.measure(near, [v], dist) for v in range(n)]
        assert max((k for k, size in curve_of(found).items() if size == 1), default=0) == max(alone)
        risks = networks.risks(graph, groups=3, seed=seed)
        assert risks.measure.tolist() == alone
        assert risks.singles.tolist() == [truth.singled_out(near, [v], dist) for v in range(n)]
        for k in sorted(set(alone)):
            assert networks.antidimension(graph, exactly=k).attackers == 1
    curve = [point["attackers"] for point in found.profile]
    assert curve == sorted(curve)
    assert networks.profile(graph, seed=seed + 1).profile == found.profile


@pytest.mark.few(1)
@pytest.mark.parametrize("n", [60, 130])
def test_pairs_of_attackers_in_dense_networks_are_all_looked_at(n):
    edges = graphs.gnp(n, 0.5, random.Random(n))
    near = truth.near_of(n, edges)
    dist = truth.distances(near)
    least = min(truth.measure(near, [u, v], dist) for u in range(n) for v in range(u + 1))
    found = networks.anonymity(graph_of(n, edges), attackers=2)
    assert (found.k, found.optimal) == (least, True)


@pytest.mark.parametrize(("allowed", "k", "proven"), [(1, 4, True), (2, 3, True), (3, 2, True), (4, 1, True)])
def test_twins_keep_a_crowd_whoever_attacks(allowed, k, proven):
    """Three parts of five alike: a class of twins keeps all that are not attackers."""
    found = networks.anonymity(nx.complete_multipartite_graph(5, 5, 5), attackers=allowed)
    assert (found.k, found.optimal) == (k, proven)


def test_more_attackers_than_all_but_one_count_as_all_but_one():
    found = networks.anonymity(nx.complete_graph(5), attackers=99)
    assert (found.k, found.attackers, found.allowed) == (1, 4, 99)


# ------------------------------------------------------------------------------------------- ends before the end


class Asked(Watch):
    """A watch that wants the run to end when it is asked for the n-th time, and from then on."""

    def __init__(self, asks):
        super().__init__()
        self.asks = asks

    @property
    def stopped(self):
        self.asks -= 1
        self.interrupted = self.interrupted or self.asks < 0
        return self.interrupted


@seeds(400, 10)
def test_wherever_a_run_is_stopped_the_answer_holds(seed):
    rng = random.Random(seed)
    n, graph, near = network_of(rng, 4, 8, rng.choice([graphs.FAMILIES, graphs.DENSE]))
    of_sets = truth.measures(near)
    for asks in (0, 1, 2, 3, 5, 8):
        for found in every_question(
            graph, watch=Asked(asks), seed=seed
        ):  # one watch: the later ones are stopped at once
            holds(found, near, of_sets)
            assert found.optimal or found.status in ("interrupted", "heuristic")
        for k in range(1, n):
            for question in ({"exactly": k}, {"at_least": k}):
                holds(networks.antidimension(graph, watch=Asked(asks), **question), near, of_sets)
            holds(networks.anonymity(graph, attackers=k, watch=Asked(asks)), near, of_sets)


@seeds(200, 8)
def test_wherever_a_curve_of_tens_of_nodes_is_stopped_it_is_an_interval_that_holds(seed):
    _, graph, near = network_of(random.Random(seed), 12, 50)
    sizes = curve_of(networks.profile(graph))
    for asks in (0, 1, 2, 3, 4, 6, 9):
        found = networks.profile(graph, watch=Asked(asks), seed=seed)
        assert found.lower_bound <= max(sizes) <= found.upper_bound
        assert found.optimal or found.status == "interrupted"
        for step in found.steps:
            assert all(step.lower <= sizes[k] <= step.attackers for k in range(step.first, step.last + 1))
            assert truth.measure(near, step.witness.tolist()) >= step.last


def test_how_a_run_ended_is_told():
    ring = graph_of(30, [*graphs.ring(30, random.Random(0)), (0, 7), (3, 19), (11, 26)])
    for end, status in (("interrupt", "interrupted"), ("near_full", "time_limit")):
        watch = Watch()
        getattr(watch, end)()
        found = networks.antidimension(ring, watch=watch)
        assert not found.optimal and found.status == status
        assert ("memory came near its limit" in " ".join(found.remarks)) == (end == "near_full")
    watch = Watch()
    watch.limit(0.0)
    assert networks.profile(ring, watch=watch).status == "time_limit"
    assert networks.profile(ring, time_limit=60.0).status == "optimal"


class Cramped(Watch):
    """A watch that has memory for the network itself and for nothing beside."""

    def __init__(self):
        super().__init__()
        left = iter([10**9])
        self.memory_budget = lambda: next(left, 2)


@seeds(300, 10)
def test_with_no_memory_for_all_distances_sets_of_exactly_k_are_an_interval_that_holds(seed):
    n, graph, near = network_of(random.Random(seed), 4, 9)
    of_sets = truth.measures(near)
    for k in range(1, n):
        found = networks.antidimension(graph, exactly=k, watch=Cramped(), seed=seed)
        holds(found, near, of_sets)
        assert found.status == ("optimal" if found.optimal else "heuristic")


def test_leaves_of_a_hub_are_taken_at_once_where_there_is_no_memory_for_all_distances():
    """A hub with 30 leaves and two long legs: exactly 20 takes the legs and ten leaves."""
    graph = nx.star_graph(30)
    for leg in (31, 36):
        nx.add_path(graph, [0, *range(leg, leg + 5)])
    found = networks.antidimension(networks.read(graph), exactly=20, watch=Cramped())
    assert found.attackers == 11 + 10 and networks.classes(graph, found.witness).measure == 20


@seeds(200, 8)
def test_with_no_memory_for_all_distances_crowds_are_an_interval_that_holds(seed):
    n, graph, near = network_of(random.Random(seed), 4, 9, graphs.DENSE)
    of_sets = truth.measures(near)
    for allowed in (2, 3, 4):
        if allowed < n:
            holds(networks.anonymity(graph, attackers=allowed, watch=Cramped()), near, of_sets)


def test_a_question_that_the_memory_left_is_too_little_for_is_refused():
    watch = Watch()
    watch.memory_budget = lambda: 2
    with pytest.raises(InputError, match="memory is too little: a question about 5 nodes and 4 edges takes about"):
        networks.antidimension(networks.read(nx.path_graph(5)), watch=watch)


# ------------------------------------------------------------------------------------------- methods of the paper


def starts_of_paper(n, k):
    return max(1, math.ceil(n * math.log(n) / k))


@seeds(1_000, 12)
def test_every_method_of_the_paper_keeps_its_guarantee(seed):
    rng = random.Random(seed)
    n, graph, near = network_of(rng, 4, 8, rng.choice([graphs.FAMILIES, graphs.DENSE]))
    of_sets = truth.measures(near)
    at_least, exactly = truth.at_least(of_sets), truth.exactly(of_sets)
    for k in range(1, n):
        found = networks.antidimension(graph, at_least=k, method="algorithm-1")
        holds(found, near, of_sets)
        assert found.optimal and found.method == "Algorithm I"
        for starts in (1, 2, None):
            found = networks.antidimension(
                graph, at_least=k, method=f"algorithm-3:starts={starts}" if starts else "algorithm-3", seed=seed
            )
            drawn = starts or starts_of_paper(n, k)
            assert f"{drawn} of {n} nodes were drawn as starts" in found.remarks[1]
            assert f"{1 - (1 - 1 / n) ** drawn:.3g} or more" in found.remarks[1]
            assert "does not hold" in found.remarks[2]
            assert found.lower_bound == 1 and found.optimal == (found.attackers == 1)
            if found.members is not None:
                assert truth.measure(near, found.members.tolist()) >= k and len(found.members) >= at_least[k]
        if 2 * k <= n:
            with pytest.raises(InputError, match=f"takes levels above half of the {n} nodes, not {k}"):
                networks.antidimension(graph, exactly=k, method="theorem-2c")
        else:
            found = networks.antidimension(graph, exactly=k, method="theorem-2c")
            holds(found, near, of_sets)
            assert found.optimal
    found = networks.antidimension(graph, method="algorithm-2")
    holds(found, near, of_sets)
    assert found.optimal and found.k == max(at_least)
    found = networks.antidimension(graph, method="algorithm-4:starts=2", seed=seed)
    assert found.k == found.lower_bound <= max(at_least) <= found.upper_bound == n - 1
    assert truth.measure(near, found.members.tolist()) == found.k
    found = networks.antidimension(graph, exactly=1, method="algorithm-5")
    assert truth.measure(near, found.members.tolist()) == 1
    assert found.attackers <= exactly[1] * (1 + math.log(n - 1)) + 1e-9
    assert found.lower_bound == max(1, math.ceil(found.attackers / (1 + math.log(n - 1)) - 1e-9))
    assert found.optimal == (found.lower_bound == found.attackers)
    leaf = any(len(row) == 1 for row in near)
    lone = any(len(set(near[u]) & set(near[v])) == 1 for u in range(n) for v in range(u))
    for name, taken, said in (("theorem-3b", leaf, "degree 1"), ("theorem-3c", lone, "no such pair")):
        if taken:
            found = networks.antidimension(graph, exactly=1, method=name)
            holds(found, near, of_sets)
            assert found.optimal
        else:
            with pytest.raises(InputError, match=f"{said}.*leave method out"):
                networks.antidimension(graph, exactly=1, method=name)


LEVELS = {
    "algorithm-1": {"at_least": 2},
    "algorithm-2": {},
    "algorithm-3": {"at_least": 2},
    "algorithm-4": {},
    "algorithm-5": {"exactly": 1},
    "theorem-2c": {"exactly": 9},
    "theorem-3b": {"exactly": 1},
    "theorem-3c": {"exactly": 1},
}


@pytest.mark.parametrize("name", LEVELS)
def test_a_method_says_what_it_guarantees_and_stopped_it_proves_nothing(name):
    hub = nx.star_graph(9)
    found = networks.antidimension(hub, method=name, **LEVELS[name])
    assert found.to_json()["notes"] == list(found.remarks) and ": " in found.remarks[0]
    assert "Theorem" in found.remarks[0] and networks.check(hub, found.certificate()).ok
    watch = Watch()
    watch.interrupt()
    other = networks.read(hub if name == "theorem-3b" else nx.cycle_graph(7))
    asked = {"exactly": 6} if name == "theorem-2c" else LEVELS[name]
    found = networks.antidimension(other, method=name, watch=watch, **asked)
    if name != "theorem-3b":
        assert not found.optimal and found.status == "interrupted"
        assert found.members is None or name == "theorem-3c"


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        ("algorithm-1", {}, "takes a level K.*without a level algorithm-2 and algorithm-4 answer"),
        ("algorithm-2", {"at_least": 2}, "takes no level; for at least K take algorithm-1 or algorithm-3"),
        ("algorithm-4", {"exactly": 1}, "takes no level; for exactly 1 take algorithm-5, theorem-3b or theorem-3c"),
        ("theorem-3b", {"exactly": 2}, "takes the level 1 exactly"),
        ("theorem-2c", {"at_least": 9}, "takes exactly = K"),
        ("algorithm-1:starts=4", {"at_least": 2}, "draws no starting nodes; leave out starts"),
        ("algorithm-3:starts=0", {"at_least": 2}, "starts must be from 1 to 10,000,000"),
        ("algorithm-3:starts=10000001", {"at_least": 2}, "starts must be from 1 to 10,000,000"),
        ("algorithm-3:starts=many", {"at_least": 2}, "starts must be from 1 to 10,000,000, not 'many'"),
        ("algorithm-3:steps=4", {"at_least": 2}, "'algorithm-3' has no option 'steps': starts=N is all"),
        ("algorithm-3:starts", {"at_least": 2}, "'starts' has no value; write NAME:key=value"),
        ("algorithm-3:starts=4,starts=5", {"at_least": 2}, "'starts' is given twice"),
        ("theorem-2c", {"exactly": 5}, "takes levels above half of the 10 nodes"),
    ],
)  # fmt: skip
def test_a_method_that_does_not_take_the_question_says_which_does(name, asked, said):
    with pytest.raises((InputError, PolicyError), match=said):
        networks.antidimension(nx.star_graph(9), method=name, **asked)


def test_methods_that_are_not_known_or_would_not_end_are_refused():
    with pytest.raises(PolicyError, match="did you mean 'algorithm-2'"):
        networks.antidimension(nx.star_graph(9), method="algorithm2")
    with pytest.raises(
        InputError, match=r"all sets of n - k = 5 of the 200 nodes, 2\.5e\+09 of them, and takes 50,000,000"
    ):
        networks.antidimension(nx.path_graph(200), exactly=195, method="theorem-2c")
    with pytest.raises(InputError, match="takes networks of up to 3,000 nodes, and this one has 3,001"):
        networks.antidimension(nx.path_graph(3001), exactly=1, method="algorithm-5")
    with pytest.raises(InputError, match="up to 12,000 nodes, and this one has 12,001"):
        networks.antidimension(nx.path_graph(12_001), method="algorithm-2")
    with pytest.raises(
        InputError, match=r"goes through 1,\d\d\d,\d\d\d,\d\d\d walks of two edges, and takes 1,000,000,000"
    ):
        networks.antidimension(nx.star_graph(33_000), exactly=1, method="theorem-3c")


def test_the_star_shows_that_theorem_1b_does_not_hold_as_printed():
    """k = n - 1: the paper's number of starts finds the centre once in about n / ln n runs."""
    runs = [networks.antidimension(nx.star_graph(99), method="algorithm-3", at_least=99, seed=s) for s in range(10)]
    assert [found.attackers for found in runs].count(None) >= 7


# ------------------------------------------------------------------------------------------- classes, risks, attacks


@seeds(600, 40)
def test_classes_are_those_of_equal_vectors_of_distances(seed):
    rng = random.Random(seed)
    n, graph, near = network_of(rng, 3, 40)
    members = rng.sample(range(n), rng.randint(1, n - 1))
    found, groups = networks.classes(graph, members), truth.classes(near, members)
    assert found.groups() == groups and found.sizes.tolist() == [len(group) for group in groups]
    assert (found.measure, found.singled_out) == (truth.measure(near, members), truth.singled_out(near, members))
    assert found.to_json() == {"nodes": n, "attackers": len(members), "classes": len(groups),
                               "measure": found.measure, "singled_out": found.singled_out}  # fmt: skip


@seeds(300, 15)
def test_risks_are_those_of_the_groups_drawn(seed):
    rng = random.Random(seed)
    n, graph, near = network_of(rng, 3, 40 if seed % 3 else 120)
    dist = truth.distances(near)
    size = rng.choice([1, max(1, n // 4), n - 1])
    alone = [truth.singled_out(near, [v], dist) for v in range(n)]
    found = networks.risks(graph, attackers=size, groups=9, seed=seed)
    assert found.examined.tolist() == list(range(n)) and found.singles.tolist() == alone
    assert found.measure.tolist() == [truth.measure(near, [v], dist) for v in range(n)]
    assert found.exposed == sum(x > 0 for x in alone) / n
    assert found.worst == truth.singled_out(near, found.members.tolist(), dist) / (n - size)
    assert found.groups == 9 and len(found.members) == size and found.re_identified <= found.worst
    assert found.interval[0] <= found.re_identified <= found.interval[1]
    greedy = networks.risks(graph, attackers=size, strategy="greedy", seed=seed)
    reached = truth.singled_out(near, greedy.members.tolist(), dist) / (n - size)
    assert greedy.re_identified == greedy.worst == reached and greedy.interval == (reached, reached)
    assert len(set(greedy.members.tolist())) == size and greedy.groups == 1
    if size == 1:
        assert reached == max(alone) / (n - 1)
    if 1 < size < n - 1 and n < 25:  # every step takes the node that singles out most in addition
        taken = []
        for _ in range(size):
            gains = {v: truth.singled_out(near, [*taken, v], dist) for v in range(n) if v not in taken}
            taken.append(min(v for v in gains if gains[v] == max(gains.values())))
        assert greedy.members.tolist() == sorted(taken)


def test_the_mean_over_all_groups_lies_in_the_interval_and_the_interval_is_students():
    club = nx.karate_club_graph()
    near = truth.near_of(34, list(club.edges))
    dist = truth.distances(near)
    mean = sum(truth.singled_out(near, [u, v], dist) / 32 for u in range(34) for v in range(u)) / 561
    found = networks.risks(club, attackers=2, groups=400, seed=5)
    assert found.interval[0] <= mean <= found.interval[1]
    assert networks.risks(club, attackers=2, groups=1).interval == (0.0, 1.0)
    two = networks.risks(club, attackers=2, groups=2, seed=4)  # t of one degree of freedom: 12.7062
    half = 12.706204736432095 * abs(two.worst - two.re_identified) * math.sqrt(2) / math.sqrt(2)
    assert two.interval == pytest.approx((max(0.0, two.re_identified - half), min(1.0, two.re_identified + half)))
    first, same, other = (networks.risks(club, attackers=3, groups=20, seed=s).re_identified for s in (1, 1, 2))
    assert first == same != other


def test_a_sample_examines_as_many_nodes_as_asked_and_a_stopped_run_says_what_it_did():
    n, edges = 300, graphs.attached(300, random.Random(1))
    near, graph = truth.near_of(n, edges), graph_of(n, edges)
    found = networks.risks(graph, sample=70, groups=2, seed=3)
    assert len(set(found.examined.tolist())) == 70 and found.examined.tolist() == sorted(found.examined.tolist())
    assert found.measure.tolist() == [truth.measure(near, [v]) for v in found.examined.tolist()]
    assert networks.risks(graph, sample=300, groups=1).examined.size == 300
    for strategy in ("random", "greedy"):
        watch = Watch()
        watch.interrupt()
        cut = networks.risks(graph, attackers=40, strategy=strategy, watch=watch)
        assert cut.status == "interrupted" and cut.examined.size == 64 and cut.groups == 1
        reached = truth.singled_out(near, cut.members.tolist()) / (n - len(cut.members))
        assert 0 <= cut.re_identified <= reached
    assert found.status == "heuristic"


def test_the_simulated_attack_is_counted_and_moving_edges_defeats_it():
    sparse = networks.read(nx.gnp_random_graph(300, 0.03, seed=1))
    found = networks.simulate_attack(sparse, trials=8, seed=3)
    assert found.sybils == found.targets == math.ceil(2.5 * math.log2(300))
    assert found.recovered >= 7 and found.re_identified > 0.8 and 0.5 < found.by_distance <= 1
    assert found.success == found.recovered / 8 and found.trials == 8 and found.status == "heuristic"
    moved = networks.simulate_attack(sparse, trials=8, seed=3, noise=0.2)
    assert moved.recovered < found.recovered and moved.re_identified < found.re_identified
    assert networks.simulate_attack(sparse, trials=8, seed=3).to_json() | {"seconds": 0} == found.to_json() | {
        "seconds": 0
    }
    lost = networks.simulate_attack(sparse, trials=8, seed=3, noise=1.0)
    assert (lost.recovered, lost.re_identified, lost.by_distance) == (0, 0.0, 0.0) and lost.interval[0] == 0.0
    for simulation in (found, moved, lost):
        low, high = truth.wilson(simulation.recovered, 8)
        wanted = (0.0 if not simulation.recovered else low, 1.0 if simulation.recovered == 8 else high)
        assert simulation.interval == pytest.approx(wanted)
    few = networks.simulate_attack(nx.random_regular_graph(4, 200, seed=2), trials=10, seed=1, sybils=3, targets=1)
    assert few.recovered + few.ambiguous <= 10 and few.re_identified <= few.success
    watch = Watch()
    watch.interrupt()
    assert networks.simulate_attack(sparse, trials=8, watch=watch).trials == 1


def test_accounts_in_a_network_where_they_stand_out_are_found_and_their_targets_read_off():
    """Members on a path have two links and accounts many: the walk can lie nowhere else."""
    found = networks.simulate_attack(nx.path_graph(400), trials=6, seed=2, sybils=8, targets=5)
    assert found.recovered + found.ambiguous == 6  # some walks look alike from both ends
    assert found.re_identified == pytest.approx(found.recovered / 6) and found.recovered >= 3


def test_in_a_network_of_one_shape_three_accounts_are_not_told_apart():
    """In many copies of small cliques what three accounts look like occurs elsewhere, or they are found: never wrong."""
    whole = nx.disjoint_union_all([nx.complete_graph(6) for _ in range(40)])
    found = networks.simulate_attack(whole, trials=20, seed=4, sybils=3, targets=1)
    assert 0 <= found.recovered + found.ambiguous <= 20


# ------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("asked", "options", "said"),
    [
        ("antidimension", {"at_least": 0}, "at_least must be from 1 to 4"),
        ("antidimension", {"at_least": 5}, "at_least must be from 1 to 4"),
        ("antidimension", {"exactly": -1}, "exactly must be from 1 to 4"),
        ("antidimension", {"exactly": 5}, "exactly must be from 1 to 4"),
        ("antidimension", {"exactly": True}, "exactly must be a whole number, not True"),
        ("antidimension", {"at_least": 1.0}, "at_least must be a whole number, not 1.0"),
        ("antidimension", {"at_least": 1, "exactly": 1}, "give at_least or exactly, not both"),
        ("anonymity", {"attackers": 0}, "attackers must be at least 1"),
        ("anonymity", {"attackers": 1.5}, "attackers must be a whole number"),
        ("risks", {"attackers": 5}, "attackers must be from 1 to 4"),
        ("risks", {"attackers": 0}, "attackers must be from 1 to 4"),
        ("risks", {"strategy": "clever"}, "strategy must be 'random' or 'greedy'"),
        ("risks", {"groups": 0}, "groups must be at least 1"),
        ("risks", {"sample": 0}, "sample must be at least 1"),
        ("risks", {"groups": "many"}, "groups must be a whole number"),
        ("profile", {"time_limit": 0}, "time_limit must be above 0 seconds"),
        ("profile", {"time_limit": "soon"}, "time_limit must be above 0 seconds"),
        ("profile", {"seed": -1}, "seed must be at least 0"),
        ("profile", {"seed": 1.5}, "seed must be a whole number"),
        ("profile", {"component": "big"}, "component must be 'all' or 'largest'"),
        ("profile", {"memory": "lots"}, "memory must be a size"),
        ("simulate_attack", {"noise": 1.5}, "noise must be a share from 0 to 1"),
        ("simulate_attack", {"noise": -0.1}, "noise must be a share from 0 to 1"),
        ("simulate_attack", {"noise": float("nan")}, "noise must be a share"),
        ("simulate_attack", {"noise": 10**400}, "noise must be a share"),
        ("simulate_attack", {"targets": 6}, "targets must be at most 5 for"),
        ("simulate_attack", {"targets": 0}, "targets must be at least 1"),
        ("simulate_attack", {"sybils": 3, "targets": 5}, "targets must be at most 4 for 3 accounts"),
        ("simulate_attack", {"sybils": 2}, "sybils must be at least 3"),
        ("simulate_attack", {"sybils": 129}, "sybils must be at most 128"),
        ("simulate_attack", {"trials": 0}, "trials must be at least 1"),
    ],
)
def test_an_option_out_of_range_is_refused_by_name(asked, options, said):
    with pytest.raises((InputError, PolicyError), match=said):
        getattr(networks, asked)(nx.path_graph(5), **options)


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        (["a", "zzz"], "entry 2 of the 2 nodes given is no node of the graph"),
        ([["a"]], "entry 1 of the 1 nodes"),
        ([], "the set of attackers is empty"),
        (["a", "b", "c"], "the set of attackers is the whole network"),
        ("ab", "must be a list of labels"),
        (7, "must be a list of labels"),
    ],
)
def test_attackers_that_are_none_are_refused_and_not_repeated(nodes, said):
    with pytest.raises(InputError, match=said) as error:
        networks.classes([("a", "b"), ("b", "c")], nodes)
    assert "zzz" not in str(error.value)
