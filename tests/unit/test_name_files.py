"""Files that number names."""

import gzip

import pytest

from assay.errors import InputError
from assay.formats.name_files import placed, read_names


def write(folder, text, name="entities.txt"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"b": 1, "a": 0, "c": 2}', "e.json"),
        ('["a", "b", "c"]', "e.json"),
        ('{"b": 1, "a": 0, "c": 2}', "e.txt"),
        ("3\r\na\t0\r\nc\t2\r\nb\t1\r\n", "entity2id.txt"),
        ("3\na 0\nc 2\nb 1\n", "entity2id.txt"),
        ("a\t0\nb\t1\nc\t2\n", "e.tsv"),
        ("0\ta\n2\tc\n1\tb\n", "entity_ids.del"),
        ("id\tlabel\n0\ta\n1\tb\n2\tc\n", "entity_to_id.tsv"),
        ("a\nb\nc\n", "names.txt"),
        (gzip.compress(b"a\nb\nc", mtime=0), "names.txt.gz"),
    ],
)
def test_every_way_to_number_names(tmp_path, text, name):
    assert read_names(write(tmp_path, text, name)) == ["a", "b", "c"]


def test_names_may_be_numbers_and_hold_blanks(tmp_path):
    assert read_names(write(tmp_path, "3\n1\n2\n0\n")) == ["3", "1", "2", "0"]
    assert read_names(write(tmp_path, "Apollo 11\nApollo 13\n")) == ["Apollo 11", "Apollo 13"]
    assert read_names(write(tmp_path, '{"5": 0, "4": 1}')) == ["5", "4"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\nb\na\n", "expected each name once, found 'a' twice"),
        ("a\t0\nb\t0\n", "expected the numbers 0 to 1, each once, found 0 twice"),
        ("a\t1\nb\t2\n", "expected the numbers 0 to 1, each once, found no 0"),
        ("0\t1\n1\t0\n", "found two columns that could both be the numbers"),
        ('{"a": 0, "b": 2}', "expected the numbers 0 to 1, each once, found no 1"),
        ('{"0": 7, "1": 9}', "expected the numbers 0 to 1, each once, found no 0"),
        ('{"a": "x"}', "expected an object of names and their numbers, or a list of names"),
        ("3\na\t0\nb\t1\n", "line 1: expected 3 names, as this line says, found 2"),
    ],
)
def test_what_numbers_nothing_is_refused(tmp_path, text, said):
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_names(path)
    assert caught.value.message.startswith(str(path))
    assert said in caught.value.message


def test_broken_json_is_named_by_its_line(tmp_path):
    with pytest.raises(InputError, match=r"e\.json, line 2: expected JSON"):
        read_names(write(tmp_path, '{"a": 0,\n "b" 1}', "e.json"))


def test_names_are_placed_by_their_numbers():
    assert placed(["x", "y"], ["1", "0"], "entities") == ["y", "x"]


def test_real_maps(data):
    names = read_names(data / "kg" / "fb15k-237-openke" / "entity2id.txt")
    assert (len(names), names[0], names[1]) == (14_541, "/m/027rn", "/m/06cx9")
    assert read_names(data / "kg" / "trained" / "umls_entity_to_id.json")[:2] == ["acquired_abnormality", "activity"]
