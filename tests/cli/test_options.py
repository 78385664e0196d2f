"""Options come from settings, and a job from options."""

import re
from fractions import Fraction
from pathlib import Path

import click
import pytest

from incrowd import Job, Policy
from incrowd.cli.main import cli
from incrowd.cli.options import EVERY, asking, given, job_of, option_of, other_names, reading
from incrowd.policy.job import every_setting
from incrowd.policy.keys import MASK_SETTINGS, SECTIONS, section_of
from incrowd.settings import Setting, settings_of
from incrowd.tables.roles import Reading

KEYS = {
    **{name: spec for name, spec in settings_of(Policy).items() if not spec.off_help},
    **{name: spec for name, spec in MASK_SETTINGS.items() if not spec.off_help},
}


def test_every_key_of_the_policy_file_that_says_what_is_asked_is_an_option_too():
    takes_one = [option for option in cli.commands["anonymize"].params if option.param_type_name == "option"]
    by_name = {option.name: option for option in takes_one}
    spellings = [spelled for name in (*KEYS, "requirements") for spelled in {name, name.replace("_", "-")}]
    for spelled in spellings:
        name = spelled.replace("-", "_")
        option = by_name["require" if name == "requirements" else name]
        value = option.type.choices[0] if hasattr(option.type, "choices") else "1"
        words = [f"--{spelled}", *([] if option.is_flag else [value])]
        context = cli.make_context("incrowd", ["anonymize", "people.csv", *words], resilient_parsing=False)
        found = cli.commands["anonymize"].make_context("anonymize", ["people.csv", *words], parent=context)
        assert found.params[option.name] not in (None, ()), name


def spelled(shape, name="most_rows", **more):
    option = option_of(name, Setting(help="help", shape=shape, **more))
    return [*option.opts, *option.secondary_opts], option.multiple, option.is_flag


def test_a_setting_becomes_the_option_that_its_shape_asks_for():
    assert spelled("integer") == (["--most-rows"], False, False)
    assert spelled("text", option="--hush") == (["--hush"], False, False)
    assert spelled("path", "output") == (["-o", "--output"], False, False)
    assert spelled("flag") == (["--most-rows"], False, True)
    assert spelled("flag", off_option="--few-rows") == (["--most-rows", "--few-rows"], False, True)
    assert spelled("flag", off_option="--few-rows", off_help="fewer") == (["--few-rows"], False, True)
    for shape in ("list", "groups", "weights", "levels", "hierarchies", "models", "distances"):
        assert spelled(shape) == (["--most-rows"], True, False)
    assert spelled("text", repeat=True)[1]


def test_help_says_which_list_names_what_may_be_asked_for():
    assert (
        option_of("x", Setting(help="a part", shape="name", listed_in="solvers")).help
        == "a part (`incrowd list solvers`)"
    )
    assert option_of("x", Setting(help="a word", shape="choice", choices=("a", "b"))).type.choices == ("a", "b")


def test_options_are_added_in_the_order_of_the_settings():
    command = asking("seed", "gap")(lambda: None)
    assert [option.name for option in command.params] == ["as_json", "quiet", "policy", "seed", "gap"]
    assert [option.name for option in reading(click.Command("x")).params] == list(settings_of(Reading))


def test_what_was_not_given_replaces_nothing(tmp_path):
    assert given({"k": "3", "weights": (), "at_most_one": ("a,b",), "star": None, "else": 1}) == {
        "k": "3", "at_most_one": (("a", "b"),), "else": 1,
    }  # fmt: skip
    (tmp_path / "p.toml").write_text('qi = ["a"]\nk = 2\nweights = { a = "1/3" }\n')
    job = job_of(str(tmp_path / "p.toml"), {"k": "3", "weights": (), "output": "r.csv"})
    assert (job.policy.k, job.policy.weights, job.output) == (3, (("a", Fraction(1, 3)),), Path("r.csv"))
    assert job_of(None, {}) == Job()


def test_columns_of_an_option_that_is_said_twice_add_up():
    said = cli.commands["anonymize"].make_context("x", ["t.csv", "--qi", "a,b", "--qi", "c", "--na", "x,y"]).params
    policy = Job().replace(**given({name: said[name] for name in ("quasi_identifiers", "na")})).policy
    assert policy.quasi_identifiers == ("a", "b", "c") and policy.reading.na == ("x,y",)


def test_every_setting_stands_under_a_heading():
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(every_setting())


def test_other_names_lead_to_options_of_a_command():
    flags = {flag for option in cli.commands["anonymize"].params for flag in option.opts}
    assert {f"--{flag}" for flag in other_names().values()} <= flags
    assert {"quasi_identifiers", "quasi-identifiers", "max_stars"} <= set(other_names())


@pytest.mark.parametrize("command", ["anonymize", "attack", "audit", "verify", "tradeoff", "usefulness"])
def test_help_shows_every_option_once_under_the_heading_of_its_setting(command):
    with click.Context(
        cli.commands[command], info_name=command, terminal_width=10_000, max_content_width=10_000
    ) as context:
        short = cli.commands[command].get_help(context)
        context.meta[EVERY] = True
        page = cli.commands[command].get_help(context)
    assert len(re.findall(r"^  -", short, re.MULTILINE)) <= (25 if command == "anonymize" else 15)
    assert short.endswith(f"All options: {command} --help --all")
    assert cli.commands[command].shown <= {one.name for one in cli.commands[command].params}
    every = {" ".join(line.split()) for line in page.splitlines()}
    assert {" ".join(line.split()) for line in short.splitlines() if line.startswith("  -")} <= every
    titles = [*SECTIONS, "The answer"]
    heads = [line[:-1] for line in page.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads == [title for title in titles if title in heads]
    under, shown = {}, []
    for line in page.splitlines():
        title = line[:-1] if line[:-1] in titles else under.get("title")
        under["title"] = title
        if line.startswith("  -"):
            shown.append((line.split()[0].rstrip(","), title))
    options = [one for one in cli.commands[command].params if isinstance(one, click.Option)]
    assert len(shown) == len(options) + 1  # and --help
    for one in options:
        spelled_as = next(title for word, title in shown if word in (*one.opts, *one.secondary_opts))
        assert spelled_as == (section_of(one.name) or "The answer")
