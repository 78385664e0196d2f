"""What a setting is. The same value arrives as a keyword (Python), a TOML key or an option; `clean` turns all into one.

``metadata``       a setting: help, shape, range and option of one field
``exact_numbers``  numbers from outside, exact and bounded
``quotation``      how a message repeats a value from outside
``option_text``    what the text of an option means
``short_repr``     what a settings object prints: no cell of a table it holds
``shapes``         how values are written, one function a shape; `clean` refuses the rest, naming setting and value
"""

from incrowd.settings.exact_numbers import MOST_DIGITS, as_fraction, exact_number, fraction_text
from incrowd.settings.metadata import Setting, setting, settings_of
from incrowd.settings.option_text import from_option, split
from incrowd.settings.quotation import shortened
from incrowd.settings.shapes import clean
from incrowd.settings.short_repr import short_repr

__all__ = [
    "MOST_DIGITS", "Setting", "as_fraction", "clean", "exact_number", "fraction_text", "from_option", "setting",
    "settings_of", "short_repr", "shortened", "split",
]  # fmt: skip
