"""No control character of a name reaches a terminal."""

import pytest

from incrowd.cli.exit_status import in_one_line, show

NAME = "\x1b]0;title\x07\x1b[31mred\x9b2J\rfake"


@pytest.mark.parametrize("err", [False, True])
def test_control_characters_become_pictures_and_line_ends_stay(capsys, err):
    show(f"a\tb\n{NAME}\n", nl=False, err=err)
    said = "".join(capsys.readouterr())
    assert said == "a\tb\n\u241b]0;title\u2407\u241b[31mred\ufffd2J\u240dfake\n"


def test_a_sentence_with_a_name_of_two_lines_is_one_line():
    assert in_one_line("column 'a\nb\tc\r\u2028' is not there") == "column 'a\u240ab\u2409c\u240d\u240a' is not there"


@pytest.mark.parametrize(
    "words", [["audit"], ["audit", "--qi", "nope"], ["init"], ["anonymize", "--dry-run", "--qi", "b", "--k", "2"]]
)
def test_a_column_with_an_escape_sequence_in_its_name_is_harmless(run, tmp_path, words):
    (tmp_path / "t.csv").write_text(f"{NAME.replace(chr(13), '')},b\n1,2\n1,2\n")
    status, out, err = run(words[0], "t.csv", *words[1:])
    assert status in (0, 2)
    assert "\u241b" in out + err or words[0] == "init"
    assert not {"\x1b", "\x07", "\x9b"} & set(out + err)


def test_a_word_of_the_command_line_with_a_line_end_in_it_is_one_sentence(run):
    status, out, err = run("audit", "no\nsuch\x1b[2Jfile")
    assert status == 2
    assert not out
    assert err.count("\n") == 1
    assert "\x1b" not in err
