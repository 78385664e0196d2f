import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.tables.hierarchy import Hierarchy, read_hierarchy, write_hierarchy


def written(folder, text, name="age.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def test_what_is_written_is_read_back(tmp_path):
    hierarchy = Hierarchy(lines=[('a;"b"', "x, y", "z"), ("#c", "x, y", "z"), ("ü\n", "v", "z")][:2])
    hierarchy.to_csv(tmp_path / "h.csv")
    assert read_hierarchy(tmp_path / "h.csv") == hierarchy
    assert (tmp_path / "h.csv").read_text().splitlines()[0].endswith(";*")


@pytest.mark.parametrize(
    "text", ["1;0-4;*\n2;0-4;*\n", "1;0-4\n2;0-4\n", "\n1;0-4;*\n\n2; 0-4 ;*\n", "1,0-4,*\r\n2,0-4,*\r\n"]
)
def test_the_same_hierarchy_however_it_is_written(tmp_path, text):
    assert read_hierarchy(written(tmp_path, text)).lines == (("1", "0-4"), ("2", "0-4"))


def test_blanks_are_trimmed_also_inside_quotes_and_signs_are_data(tmp_path):
    lines = read_hierarchy(written(tmp_path, '" a ";" say ""x"" "\n#b;all\n')).lines
    assert lines == (("a", 'say "x"'), ("#b", "all"))


def test_a_byte_order_mark_is_taken_off_and_other_encodings_are_tried(tmp_path):
    assert read_hierarchy(written(tmp_path, "\ufeffa;x\n")).lines == (("a", "x"),)
    path = written(tmp_path, "ä;x\n", encoding="latin-1")
    with pytest.raises(InputError, match=r"'age.csv' is not utf-8 text"):
        read_hierarchy(path)
    assert read_hierarchy(path, encodings=("utf-8-sig", "latin-1")).lines == (("ä", "x"),)


def test_empty_fields_are_the_empty_text(tmp_path):
    assert read_hierarchy(written(tmp_path, ";none;*\na;some;*\n")).lines == (("", "none"), ("a", "some"))


@pytest.mark.parametrize(
    ("text", "name", "error", "said"),
    [
        ('"a;x\nb;x\n', "age.csv", InputError, "quote that is never closed"),
        ("a;x\nb\n", "age.csv", PolicyError, "'age.csv': 1 line is not as long"),
        ("a;x\n", "age.ahs", InputError, "export the hierarchy as CSV"),
        ("\0\0", "age.csv", InputError, "is not utf-8 text"),
        ("", "age.csv", PolicyError, "no lines"),
    ],
)
def test_what_is_no_hierarchy_is_refused_by_file(tmp_path, text, name, error, said):
    with pytest.raises(error, match=said):
        read_hierarchy(written(tmp_path, text, name))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"'nowhere.csv' does not exist; `incrowd hierarchy"):
        read_hierarchy(tmp_path / "nowhere.csv")


def test_arx_hierarchies_of_adult_are_read(data_dir):
    heights = {}
    for path in sorted((data_dir / "arx").glob("adult_hierarchy_*.csv")):
        hierarchy = read_hierarchy(path)
        heights[path.stem.split("_")[-1]] = (hierarchy.height, len(hierarchy.lines))
        assert write_hierarchy(hierarchy).splitlines() == path.read_text().splitlines()
    assert heights == {
        "age": (4, 100), "education": (3, 16), "marital-status": (2, 7), "native-country": (2, 41), "occupation": (2, 14),
        "race": (1, 5), "salary-class": (1, 2), "sex": (1, 2), "workclass": (2, 8),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["a\0b.csv", "\ud800.csv"])
def test_a_name_that_no_file_can_have_is_refused_in_words(name):
    with pytest.raises(InputError, match="no name that a file can have"):
        read_hierarchy(name)
