"""What a setting is: one field's help, shape and range, from which options, TOML keys and docs come."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

__all__ = ["Setting", "Shape", "setting", "settings_of"]

Shape = Literal[
    "text", "integer", "number", "fraction", "flag", "choice", "list", "groups", "weights", "levels", "path", "name",
    "hierarchies", "models", "distances", "distance",
]  # fmt: skip


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting as people meet it.

    Attributes
    ----------
    help : str
        One sentence for ``--help`` and the reference.
    shape : str
        How its value is written.
    option : str
        Its name on the command line (default: the field's name with hyphens).
    off_option : str
        For flags: the option that turns it off.
    off_help : str
        For flags that are only ever turned off: what the option does.
    choices : tuple of str
        Allowed words, for ``shape="choice"``.
    least, most : float, optional
        Range of a number.
    metavar : str
        Placeholder in the help.
    unit : str
        Unit of a number.
    repeat : bool
        For lists: one option per entry, never split at commas.
    default : object
        What it is where None is given.
    """

    help: str
    shape: Shape
    option: str = ""
    off_option: str = ""
    off_help: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    metavar: str = ""
    unit: str = ""
    repeat: bool = False
    listed_in: str = ""
    default: Any = None

    def flag_name(self, name: str) -> str:
        """Return the option's name, for example ``--max-stars``.

        `name` is the field's name, used where the setting has no option of its own.
        """
        return self.option or "--" + name.replace("_", "-")


def setting(default: Any, help: str, shape: Shape, **more: Any) -> Any:  # noqa: A002
    """Return a dataclass field that carries a `Setting`.

    It is typed as Any, so that a dataclass may give the field the type of its values. `default` is the field's default
    value, not checked here, and `help` is one sentence for ``--help`` and the reference. `shape` says how a value is
    written, as of `Setting`, and `more` are further fields of `Setting`.
    """
    made = Setting(help=help, shape=shape, default=default, **more)
    return dataclasses.field(default=default, metadata={"setting": made, "help": help, "unit": made.unit})


def settings_of(kind: type) -> dict[str, Setting]:
    """Return the settings of a dataclass by field name, in order.

    Fields without a setting are left out. TypeError is raised if `kind` is no dataclass.
    """
    return {f.name: f.metadata["setting"] for f in dataclasses.fields(kind) if "setting" in f.metadata}
