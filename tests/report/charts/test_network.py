"""Charts of a network are made from its facts alone."""

from incrowd.report.charts import network
from report_charts import values


def step(first, last, attackers, lower):
    return {"first": first, "last": last, "attackers": attackers, "lower": lower}


def test_the_curve_has_a_second_line_only_where_something_is_unproven():
    proven = [step(1, 3, 1, 1), step(4, 4, 2, 2)]
    assert {line["line"] for line in values(network.curve({"steps": proven}))} == {"attackers, smallest set known"}
    assert [line["k"] for line in values(network.curve({"steps": proven}))] == [1, 3, 4]
    open_ = values(network.curve({"steps": [*proven, step(5, 9, 4, 0)]}))
    assert min(line["attackers"] for line in open_) == 1
    assert len({line["line"] for line in open_}) == 2


def test_a_long_curve_keeps_its_last_step():
    steps = [step(i, i, i, i) for i in range(1, 2001)]
    drawn = values(network.curve({"steps": steps}))
    assert len(drawn) <= 2 * network.MOST_STEPS
    assert drawn[-1]["k"] == 2000


def test_far_layers_are_joined_and_none_is_lost():
    facts = {"layers": [1] * 40, "unreached": 5}
    rows = network.layers_rows(facts)
    assert sum(count for _, count in rows) == 45
    assert rows[0] == ("the witness itself", 1)
    assert [label for label, _ in rows[-2:]] == ["farther", "not connected"]
    assert len(values(network.layers(facts))) == len(rows)


def test_crowds_of_one_and_nodes_that_expose_are_marked():
    crowds = values(
        network.witness_classes({"witness_classes": [{"from": 1, "to": 1, "rows": 2}, {"from": 2, "to": 3, "rows": 4}]})
    )
    assert crowds[0]["colour"] != crowds[1]["colour"]
    bins = values(network.alone({"alone": {"bins": [{"label": "nobody", "nodes": 3}, {"label": "1", "nodes": 1}]}}))
    assert [line["text"] for line in bins] == ["3", "1"]
