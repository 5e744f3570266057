"""OBO ontologies."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from branchmark.errors import FormatError, HierarchyError
from branchmark.io import read_hierarchy, read_labels

MINI = Path(__file__).parent.parent / "data" / "mini.obo"
ROOT, GROWTH, CELL, BINDING, FUNCTION = (f"GO:000000{i}" for i in (1, 2, 3, 5, 6))


def links(hierarchy):
    return sorted(hierarchy.edges())


def test_terms_and_links():
    h = read_hierarchy(MINI)
    assert sorted(h) == [ROOT, GROWTH, CELL, BINDING, FUNCTION]
    assert links(h) == [(ROOT, GROWTH), (ROOT, CELL), (GROWTH, CELL), (GROWTH, BINDING)]
    assert h.root is None


def test_obsolete_terms_go_and_are_noted():
    h = read_hierarchy(MINI)
    assert "GO:0000004" not in h
    assert "obsolete terms left out: 1" in h.notes
    assert "links to obsolete terms left out: 1 ('GO:0000005 is_a GO:0000004')" in h.notes


def test_is_obsolete_false_keeps_the_term():
    assert GROWTH in read_hierarchy(MINI)


def test_alternative_ids_are_aliases(tmp_path):
    h = read_hierarchy(MINI)
    assert h.id("GO:0000902") == h.id("GO:0000999") == h.id(GROWTH)
    labels = tmp_path / "labels.txt"
    labels.write_text("GO:0000902 GO:0000002\n")
    assert read_labels(labels, h).to_lists() == [[GROWTH]]


def test_names_are_titles():
    titles = read_hierarchy(MINI).titles
    assert titles[ROOT] == "root process"
    assert titles[GROWTH] == "growth ! and {more}"


def test_relations():
    assert links(read_hierarchy(MINI, relations="is_a")) == [(ROOT, GROWTH), (GROWTH, CELL)]
    assert links(read_hierarchy(MINI, relations=["regulates"])) == [(GROWTH, CELL)]
    assert links(read_hierarchy(MINI, relations=("is_a", "occurs_in"))) == [(ROOT, GROWTH), (GROWTH, CELL)]
    with pytest.raises(FormatError, match=r"mini\.obo: no relation 'isa'; the file has 'is_a', 'occurs_in'"):
        read_hierarchy(MINI, relations=["isa"])


def test_namespace():
    process = read_hierarchy(MINI, namespace="process")
    assert sorted(process) == [ROOT, GROWTH, CELL]
    function = read_hierarchy(MINI, namespace="function")
    assert sorted(function) == [BINDING, FUNCTION]
    assert "links to other namespaces left out: 1" in function.notes
    with pytest.raises(FormatError, match=r"mini\.obo: no term of namespace 'x'; the file has 'function', 'process'"):
        read_hierarchy(MINI, namespace="x")


@pytest.mark.parametrize("name", ["mini.obo", "mini.txt", "mini", "mini.obo.gz"])
def test_found_by_suffix_and_by_content(tmp_path, name):
    data = MINI.read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else b"\xef\xbb\xbf" + data)
    assert read_hierarchy(tmp_path / name).fingerprint == read_hierarchy(MINI).fingerprint


def test_a_term_in_two_stanzas(tmp_path):
    path = tmp_path / "h.obo"
    path.write_text("[Term]\nid: a\n\n[Term]\nid: b\nis_a: a\n\n[Term]\nid: c\n\n[Term]\nid: b\nis_a: c\nname: both\n")
    h = read_hierarchy(path)
    assert h.parents("b") == ["a", "c"]
    assert h.titles == {"b": "both"}


def test_an_alternative_id_of_two_terms_stands_for_neither(tmp_path):
    path = tmp_path / "h.obo"
    path.write_text("[Term]\nid: a\nalt_id: x\nalt_id: b\n[Term]\nid: b\nalt_id: x\n")
    h = read_hierarchy(path)
    assert "x" not in h
    assert h.id("b") != h.id("a")
    assert h.notes == ["alternative ids claimed by several terms, left out: 1 ('x')"]


UNDEFINED = "[Term]\nid: a\n\n[Term]\nid: b\nis_a: a\nis_a: z ! elsewhere\n"

BAD = {
    "undefined parent": (UNDEFINED, FormatError, ("h.obo:7", "b is_a z", "does not define z", "undefined=")),
    "no term": ("format-version: 1.2\n", FormatError, ("h.obo", "[Term]")),
    "no id": ("[Term]\nname: x\n\n[Term]\nid: a\n", FormatError, ("h.obo:1", "no id")),
    "no id at the end": ("[Term]\nid: a\n[Term]\nname: x\n", FormatError, ("h.obo:3", "no id")),
    "empty id": ("[Term]\nid:  ! nothing\n", FormatError, ("h.obo:2", "id has no value")),
    "empty is_a": ("[Term]\nid: a\nis_a:\n", FormatError, ("h.obo:3", "is_a has no value")),
    "half a relationship": ("[Term]\nid: a\nrelationship: part_of ! x\n", FormatError, ("h.obo:3", "part_of")),
    "own parent": ("[Term]\nid: a\nis_a: a\n", HierarchyError, ("h.obo:3", "own parent")),
    "cycle": ("[Term]\nid: a\nis_a: b\n[Term]\nid: b\nis_a: a\n", HierarchyError, ("h.obo:", "not acyclic")),
    "all obsolete": ("[Term]\nid: a\nis_obsolete: true\n", HierarchyError, ("h.obo", "empty")),
    "not UTF-8": (b"[Term]\nid: a\nname: \xe9\n", FormatError, ("h.obo:3", "UTF-8")),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(tmp_path, case):
    content, kind, parts = BAD[case]
    path = tmp_path / "h.obo"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(kind) as caught:
        read_hierarchy(path)
    for part in parts:
        assert part in str(caught.value)


def test_undefined_parents_can_be_ignored(tmp_path):
    path = tmp_path / "h.obo"
    path.write_text(UNDEFINED)
    h = read_hierarchy(path, undefined="ignore")
    assert links(h) == [("a", "b")]
    assert h.notes == ["links to undefined terms left out: 1 ('b is_a z')"]
    with pytest.raises(FormatError, match="error or ignore"):
        read_hierarchy(path, undefined="drop")
