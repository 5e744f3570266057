# ruff: noqa: E501 (tables of cases read best with one case a line)
"""SKOS vocabularies."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest

from branchmark.errors import FormatError, HierarchyError, MissingExtra
from branchmark.io import read_hierarchy, read_labels

rdflib = pytest.importorskip("rdflib")

MINI = Path(__file__).parent.parent / "data" / "mini.ttl"
EX = "http://example.org/topics/"
PREFIXES = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix ex: <http://example.org/> .\n"


def links(hierarchy):
    return sorted((parent.removeprefix(EX), child.removeprefix(EX)) for parent, child in hierarchy.edges())


def test_concepts_and_links():
    h = read_hierarchy(MINI)
    assert sorted(h) == [EX + name for name in ("alone", "arts", "music", "pop", "rock")]
    # both directions of one link count once, and broaderTransitive is no link of its own
    assert links(h) == [("arts", "music"), ("music", "pop"), ("music", "rock")]
    assert h.notes == [f"concepts known by links only: 1 ('{EX}rock')"]


def test_titles_by_language():
    titles = {name.removeprefix(EX): title for name, title in read_hierarchy(MINI).titles.items()}
    assert titles == {"arts": "Arts", "music": "Musik", "pop": "Pop", "alone": "Pop"}
    assert read_hierarchy(MINI, language="de").titles[EX + "arts"] == "Kunst"
    assert read_hierarchy(MINI, language="en-us").titles[EX + "arts"] == "Arts (US)"
    assert read_hierarchy(MINI, language="fr").titles[EX + "music"] == "Musik"


def test_short_names_are_aliases_where_they_are_unique(tmp_path):
    h = read_hierarchy(MINI)
    assert h.id("A") == h.id("arts") == h.id("Arts") == h.id(EX + "arts")
    assert "Pop" not in h
    labels = tmp_path / "labels.txt"
    labels.write_text(f"pop {EX}rock\nMusik\n")
    assert read_labels(labels, h).to_lists() == [[EX + "pop", EX + "rock"], [EX + "music"]]


@pytest.mark.parametrize(
    ("name", "format"), [("m.rdf", "xml"), ("m.nt", "nt"), ("m.xml", "xml"), ("m.txt", "nt"), ("m", "turtle")]
)
def test_other_notations(tmp_path, name, format):
    rdflib.Graph().parse(MINI, format="turtle").serialize(tmp_path / name, format=format, encoding="utf-8")
    h = read_hierarchy(tmp_path / name)
    assert h.fingerprint == read_hierarchy(MINI).fingerprint
    assert h.titles == read_hierarchy(MINI).titles


def test_ids_do_not_depend_on_the_order_of_the_file(tmp_path):
    lines = rdflib.Graph().parse(MINI).serialize(format="nt").splitlines()
    found = []
    for order in (sorted(lines), sorted(lines, reverse=True)):
        (tmp_path / "m.nt").write_text("\n".join(order))
        found.append(read_hierarchy(tmp_path / "m.nt").names)
    assert found[0] == found[1]


BAD = {
    "not Turtle": ("m.ttl", PREFIXES + "ex:a skos:broader ;\n", FormatError, ("m.ttl:3", "Turtle")),
    "unknown prefix": ("m.ttl", PREFIXES + "foo:a skos:broader ex:b .\n", FormatError, ("m.ttl:3", "Turtle")),
    "not XML": ("m.rdf", '<?xml version="1.0"?>\n<rdf:RDF>', FormatError, ("m.rdf:2", "RDF/XML")),
    "no concept": ("m.ttl", PREFIXES + "ex:a ex:b ex:c .\n", FormatError, ("m.ttl", "skos:Concept")),
    "a blank node": ("m.ttl", PREFIXES + "[] a skos:Concept .\n", FormatError, ("m.ttl", "no URI")),
    "a literal": ("m.ttl", PREFIXES + 'ex:a skos:broader "b" .\n', FormatError, ("m.ttl", "no URI")),
    "cycle": ("m.ttl", PREFIXES + "ex:a skos:broader ex:b . ex:b skos:broader ex:a .\n", HierarchyError, ("m.ttl", "not acyclic")),
    "own parent": ("m.ttl", PREFIXES + "ex:a skos:broader ex:a .\n", HierarchyError, ("m.ttl", "own parent")),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_files(tmp_path, case):
    name, content, kind, parts = BAD[case]
    (tmp_path / name).write_text(content)
    with pytest.raises(kind) as caught:
        read_hierarchy(tmp_path / name)
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_missing_rdflib_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **named):
        if name == "rdflib":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"pip install 'branchmark\[skos\]'"):
        read_hierarchy(MINI)
