# ruff: noqa: E501 (tables of cases read best with one case a line)
"""Hierarchies from files and back."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchmark.errors import BranchmarkError, FormatError, HierarchyError
from branchmark.hierarchy import Hierarchy
from branchmark.io import read_hierarchy, write_hierarchy
from branchmark.io.source import write_file

MUSIC = [("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock")]


def saved(folder, name, content):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def links(hierarchy):
    return sorted(hierarchy.edges())


# ---------------------------------------------------------------- good files

GOOD = {
    "blanks": ("h.txt", "Arts Music\nMusic Pop\nMusic Rock\n"),
    "no final newline": ("h.txt", "Arts Music\nMusic Pop\nMusic Rock"),
    "CRLF": ("h.txt", "Arts Music\r\nMusic Pop\r\nMusic Rock\r\n"),
    "CR": ("h.txt", "Arts Music\rMusic Pop\rMusic Rock\r"),
    "byte order mark": ("h.txt", b"\xef\xbb\xbfArts Music\nMusic Pop\nMusic Rock\n"),
    "gzip without a telling suffix": ("h.txt", gzip.compress(b"Arts Music\nMusic Pop\nMusic Rock\n")),
    "gzip": ("h.edges.gz", gzip.compress(b"Arts Music\nMusic Pop\nMusic Rock\n")),
    "two gzip members": ("h.gz", gzip.compress(b"Arts Music\n") + gzip.compress(b"Music Pop\nMusic Rock\n")),
    "blank lines and blanks": ("h.txt", "\n  Arts  Music \n\n \nMusic\tPop\nMusic Rock  \n\n"),
    "tabs": ("h.txt", "Arts\tMusic\nMusic \t Pop\t\n\t\nMusic\tRock\n"),
    "repeated links": ("h.txt", "Arts Music\nMusic Pop\nMusic Rock\nMusic Pop\n"),
    "csv": ("h.csv", "parent,child\nArts,Music\nMusic,Pop\nMusic,Rock\n"),
    "csv, other order and names": ("h.csv", "Child_ID;x;Parent ID\nMusic;1;Arts\nPop;;Music\nRock;2;Music\n"),
    "csv with tops and quotes": ("h.csv", '"child","parent"\n"Arts",""\nMusic,Arts\nPop,"Music"\n\nRock,Music\n'),
    "csv of a spreadsheet": ("h.csv", "parent,child,,\nArts,Music,,\nMusic,Pop,,\nMusic,Rock,,\n,,,\n,,,\n"),
    "csv by content": ("h.txt", "parent,child\nArts,Music\nMusic,Pop\nMusic,Rock\n"),
    "csv, CRLF and BOM": ("h.csv", "\ufeffparent,child\r\nArts,Music\r\nMusic,Pop\r\nMusic,Rock\r\n"),
    "tsv": ("h.tsv", "parent\tchild\nArts\tMusic\nMusic\tPop\nMusic\tRock\n"),
    "tsv by content": ("h.dat", "parent\tchild\nArts\tMusic\nMusic\tPop\nMusic\tRock\n"),
    "json": ("h.json", '{"Arts": {"Music": ["Pop", "Rock"]}}'),
    "json by content": ("h", '{"Arts": {"Music": ["Pop", "Rock"]}}'),
    "json nodes": ("h.json", '[{"name": "Arts", "children": [{"name": "Music", "children": ["Pop", {"name": "Rock"}]}]}]'),
    "json links": ("h.json", '{"edges": [["Arts", "Music"], ["Music", "Pop"], ["Music", "Rock"]]}'),
}  # fmt: skip


@pytest.mark.parametrize("case", GOOD)
def test_good_files(tmp_path, case):
    h = read_hierarchy(saved(tmp_path, *GOOD[case]))
    assert links(h) == sorted(MUSIC)
    assert h.fingerprint == Hierarchy.from_edges(MUSIC).fingerprint


def test_names_with_spaces_and_any_script(tmp_path):
    h = read_hierarchy(saved(tmp_path, "h.txt", "Fine Arts\tPop Music\nFine Arts\t日本 音楽\n"))
    assert set(h) == {"Fine Arts", "Pop Music", "日本 音楽"}


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("h.paths", "Arts/Music/Pop\nArts/Film\n\nSports/Music\n", {}),
        ("h.txt", "Arts/Music/Pop\r\nArts/Film\r\nSports/Music\r\n", {}),
        ("h.paths", "Arts > Music > Pop\nArts > Film\nSports > Music\n", {"separator": ">"}),
        ("h.csv", "level1,level2,level3\nArts,Music,Pop\nArts,Film,\nSports,Music\n", {}),
        ("h.csv", "a,b,c\nArts,Music,Pop\nArts,Film,\nSports,Music,\n", {"format": "paths"}),
        ("h.tsv", "path\tsize\nArts/Music/Pop\t3\nArts/Film\t4\nSports/Music\t5\n", {}),
    ],
)
def test_paths(tmp_path, name, content, options):
    h = read_hierarchy(saved(tmp_path, name, content), **options)
    mark = options.get("separator", "/")
    expected = ["Arts", "Arts/Film", "Arts/Music", "Arts/Music/Pop", "Sports", "Sports/Music"]
    assert sorted(h) == [name.replace("/", mark) for name in expected]
    assert len(h.parents(f"Sports{mark}Music")) == 1


def test_titles_of_a_table(tmp_path):
    h = read_hierarchy(saved(tmp_path, "h.csv", "id,name,parent_id\n1,Arts,\n2,Music,1\n"))
    assert links(h) == [("1", "2")]
    assert h.titles == {"1": "Arts", "2": "Music"}


def test_columns_by_name(tmp_path):
    path = saved(tmp_path, "h.csv", "oben,unten\na,b\n")
    assert links(read_hierarchy(path, parent_column="oben", child_column="unten")) == [("a", "b")]


def test_the_same_name_twice_in_json_is_one_class(tmp_path):
    h = read_hierarchy(saved(tmp_path, "h.json", '{"a": ["c"], "b": ["c", "d"], "e": null}'))
    assert h.parents("c") == ["a", "b"]
    assert len(h) == 5


def test_ids_in_json_nodes_are_the_classes(tmp_path):
    tree = {"id": "C1", "name": "Arts", "children": [{"id": "C2", "name": "Music", "size": 3}]}
    h = read_hierarchy(saved(tmp_path, "h.json", json.dumps(tree)))
    assert links(h) == [("C1", "C2")]
    assert h.titles == {"C1": "Arts", "C2": "Music"}


def test_a_text_in_nested_data_is_one_class():
    assert list(Hierarchy.from_tree({"Arts": "Pop"})) == ["Arts", "Pop"]


def test_nested_data_may_be_deep():
    tree: dict = {}
    for i in range(5000):
        tree = {f"n{i}": tree}
    assert len(Hierarchy.from_tree(tree)) == 5000


def test_break_cycles(tmp_path):
    path = saved(tmp_path, "h.txt", "r a\na b\nb a\nb b\n")
    h = read_hierarchy(path, break_cycles=True)
    assert links(h) == [("a", "b"), ("r", "a")]
    assert any("b → b" in note for note in h.notes)
    assert any("b → a" in note for note in h.notes)


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"a b\n"))))
    assert links(read_hierarchy("-")) == [("a", "b")]


# ---------------------------------------------------------------- bad files

# name, content, kind of error, parts of the message
BAD = {
    "empty": ("h.txt", "", FormatError, ("h.txt", "empty")),
    "only a byte order mark": ("h.txt", b"\xef\xbb\xbf", FormatError, ("h.txt", "empty")),
    "an empty gzip": ("h.txt.gz", gzip.compress(b""), FormatError, ("h.txt.gz", "empty")),
    "only blank lines": ("h.txt", "\n \n", HierarchyError, ("h.txt", "empty")),
    "truncated gzip": ("h.gz", gzip.compress(b"a b\n" * 99)[:-9], FormatError, ("h.gz", "gzip", "incomplete")),
    "damaged gzip": ("h.gz", b"\x1f\x8b\x08" + b"x" * 30, FormatError, ("h.gz", "gzip")),
    "UTF-16": ("h.txt", "a b\n".encode("utf-16"), FormatError, ("h.txt", "UTF-16", "UTF-8")),
    "UTF-16 without mark": ("h.txt", "a b\n".encode("utf-16-le"), FormatError, ("h.txt:1", "UTF-16")),
    "Latin-1": ("h.txt", "a b\nb ä\n".encode("latin-1"), FormatError, ("h.txt:2", "0xe4", "position 6", "UTF-8")),
    "zip": ("h.csv", b"PK\x03\x04\x14", FormatError, ("h.csv", "zip")),
    "bzip2": ("h.txt", b"BZh91AY", FormatError, ("h.txt", "bzip2")),
    "one field": ("h.txt", "a b\nc\n", FormatError, ("h.txt:2", "only 'c'", "csv")),
    "three fields": ("h.txt", "a b\n\na b c\r\n", FormatError, ("h.txt:3", "found 3", "'a b c'", "tab")),
    "blank for tab": ("h.txt", "a\tb\nb c\n", FormatError, ("h.txt:2", "found 1", "tab")),
    "empty child": ("h.txt", "a\tb\nb\t\n", FormatError, ("h.txt:2", "the child has no name")),
    "empty child at the end": ("h.txt", "a\tb\nb\t", FormatError, ("h.txt:2", "the child has no name")),
    "empty child, more tabs": ("h.txt", "a\tb\nb\t\t\n", FormatError, ("h.txt:2", "the child has no name")),
    "empty parent": ("h.txt", "a\tb\n\tc\n", FormatError, ("h.txt:2", "the parent has no name")),
    "self-loop": ("h.txt", "a b\nb c\nc c\n", HierarchyError, ("h.txt:3", "'c' is its own parent", "break_cycles")),
    "cycle": ("h.txt", "r a\na b\nb c\nc a\n", HierarchyError, ("h.txt:3", "c → a → b → c", "break_cycles")),
    "cycle in a table": ("h.csv", "parent,child\na,b\n\nb,a\n", HierarchyError, ("h.csv:", "not acyclic")),
    "table without header": ("h.csv", "a,b\nb,c\n", FormatError, ("h.csv:1", "'parent'", "'child'", "edges")),
    "table with an empty child": ("h.csv", "parent,child\na,b\nb,\n", FormatError, ("h.csv:3", "child is empty", "'b'")),
    "table with a long row": ("h.csv", "parent,child\na,b\na,b,c\n", FormatError, ("h.csv:3", "3 fields", "2")),
    "table with a short row": ("h.csv", "parent,child\na\n", FormatError, ("h.csv:2", "1 field")),
    "table with an open quote": ("h.csv", 'parent,child\na,"b\nb,c\n', FormatError, ("h.csv:", "quotes")),
    "table with one column twice": ("h.csv", "parent,child,child\na,b,c\n", FormatError, ("h.csv", "'child'", "more than once")),
    "table with only a header": ("h.csv", "parent,child\n", HierarchyError, ("h.csv", "empty")),
    "blank table": ("h.csv", "\n\n", FormatError, ("h.csv", "blank")),
    "path with a hole": ("h.paths", "a/b\na//c\n", HierarchyError, ("h.paths:2", "empty level")),
    "levels with a hole": ("h.csv", "level1,level2,level3\na,b,c\na,,c\n", HierarchyError, ("h.csv:3", "empty level")),
    "level with the separator": ("h.csv", "level1,level2\na,b/c\n", HierarchyError, ("h.csv:2", "'/'", "separator")),
    "not JSON": ("h.json", '{"a":\n ["b",]}', FormatError, ("h.json:2", "JSON")),
    "a key twice": ("h.json", '{"a": ["b"], "a": ["c"]}', FormatError, ("h.json", "'a'", "twice")),
    "JSON of a text": ("h.json", '"a"', FormatError, ("h.json", "'a'")),
    "JSON without a name": ("h.json", '[{"children": ["a"]}]', HierarchyError, ("h.json", "needs a name")),
    "JSON with a null name": ("h.json", '{"a": [null]}', HierarchyError, ("h.json", "at a", "None")),
    "JSON with a list in a list": ("h.json", '{"a": [["b"]]}', HierarchyError, ("h.json", "at a", "list")),
    "JSON with true as a name": ("h.json", '{"a": [true]}', HierarchyError, ("h.json", "at a", "True")),
    "JSON with half a link": ("h.json", '{"nodes": [], "edges": [["a"]]}', HierarchyError, ("h.json", "edges > 0", "'a'")),
    "JSON too deep": ("h.json", "[" * 100_000, FormatError, ("h.json", "deep")),
    "JSON that is empty": ("h.json", "{}", HierarchyError, ("h.json", "empty")),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_files(tmp_path, monkeypatch, case):
    name, content, kind, parts = BAD[case]
    monkeypatch.chdir(tmp_path)
    saved(tmp_path, name, content)
    with pytest.raises(kind) as caught:
        read_hierarchy(name)
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_paths_that_are_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FormatError, match=r"^no\.txt: no such file$"):
        read_hierarchy("no.txt")
    with pytest.raises(FormatError, match="folder"):
        read_hierarchy(tmp_path)
    with pytest.raises(FormatError, match="cannot be read"):
        read_hierarchy("a\0b")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may read everything")
def test_no_permission(tmp_path):
    path = saved(tmp_path, "h.txt", "a b\n")
    path.chmod(0)
    with pytest.raises(FormatError, match="permission"):
        read_hierarchy(path)


def test_unknown_format_lists_the_known_ones(tmp_path):
    with pytest.raises(FormatError, match="'xml'; the formats are obo, skos, json, tsv, csv, paths, edges"):
        read_hierarchy(saved(tmp_path, "h.txt", "a b\n"), format="xml")


def test_an_option_of_another_format_is_refused(tmp_path):
    with pytest.raises(FormatError, match=r"h\.txt: namespace is an option of obo; this file is read as edges"):
        read_hierarchy(saved(tmp_path, "h.txt", "a b\n"), namespace="x")


def test_a_column_that_is_not_there(tmp_path):
    with pytest.raises(FormatError, match=r"h\.csv:1: there is no column 'x'; the columns are 'parent', 'child'"):
        read_hierarchy(saved(tmp_path, "h.csv", "parent,child\na,b\n"), parent_column="x")


# ---------------------------------------------------------------- writing

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=6).filter(
    lambda name: name.strip() == name
)


@st.composite
def hierarchies(draw):
    found = draw(st.lists(names, min_size=1, max_size=8, unique=True))
    pairs = [(i, j) for j in range(len(found)) for i in range(j)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Hierarchy.from_edges([(found[i], found[j]) for i, j in chosen], nodes=found)


@given(h=hierarchies(), name=st.sampled_from(["h.csv", "h.tsv", "h.json", "h.json.gz"]))
def test_round_trips_keep_everything(tmp_path_factory, h, name):
    path = tmp_path_factory.mktemp("round") / name
    write_hierarchy(h, path)
    again = read_hierarchy(path)
    assert sorted(again) == sorted(h)
    assert links(again) == links(h)


@given(h=hierarchies())
def test_edges_keep_what_they_can(tmp_path_factory, h):
    path = tmp_path_factory.mktemp("round") / "h.edges"
    alone = [name for name in h if not h.parents(name) and not h.children(name)]
    if alone:
        with pytest.raises(FormatError, match="csv, tsv or json"):
            write_hierarchy(h, path)
        assert not path.exists()
    else:
        write_hierarchy(h, path)
        assert links(read_hierarchy(path)) == links(h)


def test_dags_are_not_repeated_in_json(tmp_path):
    h = Hierarchy.from_edges([("a", "c"), ("b", "c")])
    write_hierarchy(h, tmp_path / "h.json")
    assert json.loads((tmp_path / "h.json").read_text()) == {
        "nodes": ["a", "b", "c"],
        "edges": [["a", "c"], ["b", "c"]],
    }


def test_trees_nest_in_json(tmp_path):
    write_hierarchy(Hierarchy.from_edges(MUSIC), tmp_path / "h.json")
    assert json.loads((tmp_path / "h.json").read_text()) == {"Arts": {"Music": {"Pop": {}, "Rock": {}}}}


@pytest.mark.parametrize("name", ["children", "name", "id", "edges"])
def test_classes_named_like_words_of_the_format(tmp_path, name):
    h = Hierarchy.from_edges([("a", name), (name, "b")])
    write_hierarchy(h, tmp_path / "h.json")
    assert links(read_hierarchy(tmp_path / "h.json")) == links(h)


def test_a_deep_tree_can_be_written_and_read(tmp_path):
    h = Hierarchy.from_edges([(f"n{i}", f"n{i + 1}") for i in range(3000)])
    write_hierarchy(h, tmp_path / "h.json")
    assert read_hierarchy(tmp_path / "h.json").fingerprint == h.fingerprint


@pytest.mark.parametrize("name", ["h.edges", "h.csv", "h.tsv"])
def test_names_with_blanks_around_them_need_json(tmp_path, name):
    with pytest.raises(FormatError, match="json"):
        write_hierarchy(Hierarchy.from_edges([("a", " b")]), tmp_path / name)


@pytest.mark.parametrize(
    ("name", "format", "part"),
    [
        ("h.docx", None, "h.docx: no format is known by the suffix '.docx'"),
        ("h.csv", "obo", "the format obo is read only"),
        ("h.csv", "x", "unknown format 'x'"),
        ("no/h.csv", None, "no/h.csv: cannot be written, the folder does not exist"),
        (".", "csv", "this is a folder"),
    ],
)
def test_bad_targets(tmp_path, monkeypatch, name, format, part):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BranchmarkError) as caught:
        write_hierarchy(Hierarchy.from_edges(MUSIC), name, format)
    assert part in str(caught.value)
    assert os.listdir(tmp_path) == []


def test_nothing_is_left_after_a_failed_write(tmp_path, monkeypatch):
    target = saved(tmp_path, "h.txt", "old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(FormatError, match=r"h\.txt: cannot be written \(No space left on device\)"):
        write_file(target, "new")
    assert os.listdir(tmp_path) == ["h.txt"]
    assert target.read_text() == "old"


def test_writing_keeps_links_and_modes(tmp_path):
    target = saved(tmp_path, "real.txt", "old")
    target.chmod(0o640)
    (tmp_path / "link.txt").symlink_to(target)
    write_file(tmp_path / "link.txt", "new")
    assert target.read_text() == "new"
    assert (tmp_path / "link.txt").is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    write_file(os.devnull, "new")
    assert not os.path.isfile(os.devnull)


def test_equal_content_gives_equal_gzip_files(tmp_path):
    for name in ("a.gz", "b.gz"):
        write_file(tmp_path / name, "text\n")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text\n"


def test_standard_output(capsysbinary):
    write_hierarchy(Hierarchy.from_edges(MUSIC), "-", "edges")
    assert capsysbinary.readouterr().out == b"Arts Music\nMusic Pop\nMusic Rock\n"
