"""The command's first step ends in a sentence too."""

import sys

import pytest

from incrowd.cli.door import main


class Interrupted:
    """A module during whose import Ctrl-C comes."""

    __spec__ = None

    def __getattr__(self, name):
        raise KeyboardInterrupt


def test_ctrl_c_while_everything_is_imported_is_a_sentence_with_status_130(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "incrowd.cli.main", Interrupted())
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "incrowd: interrupted; nothing was written\n"
