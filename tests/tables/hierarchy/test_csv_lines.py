"""The lines of a hierarchy as CSV."""

from incrowd.tables.hierarchy.csv_lines import csv_of


def test_every_line_ends_in_the_star_and_what_would_part_fields_is_quoted():
    assert csv_of([("a;b", "x"), ('say "c"', "x")]) == '"a;b";x;*\n"say ""c""";x;*\n'
    assert csv_of([("a;b", "x")], delimiter=",") == "a;b,x,*\n"
