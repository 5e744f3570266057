"""SKOS vocabularies in Turtle, N-Triples or RDF/XML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from branchmark.errors import FormatError, MissingExtra, shorten
from branchmark.io.base import HierarchyFormat, HierarchyOptions
from branchmark.io.source import Source
from branchmark.links import Links


def read(source: Source, options: HierarchyOptions) -> Links:
    """Concepts by their URI; notation, local name and preferred label are aliases where they are unique."""
    try:
        import rdflib
    except ImportError:
        raise MissingExtra("reading SKOS", "skos") from None
    skos = rdflib.Namespace("http://www.w3.org/2004/02/skos/core#")
    graph = _parsed(source, rdflib)
    edges: dict[tuple[Any, Any], None] = {}
    for child, parent in graph.subject_objects(skos.broader):
        edges[parent, child] = None
    for parent, child in graph.subject_objects(skos.narrower):
        edges[parent, child] = None
    concepts = set(graph.subjects(rdflib.RDF.type, skos.Concept))
    concepts.update(graph.subjects(skos.topConceptOf, None), graph.objects(None, skos.hasTopConcept))
    linked = {end for edge in edges for end in edge}
    untyped = sorted(str(node) for node in linked - concepts)
    concepts |= linked
    if not concepts:
        raise source.error("no skos:Concept and no skos:broader or skos:narrower link found")
    nameless = [node for node in concepts if not isinstance(node, rdflib.URIRef)]
    if nameless:
        what = f"{len(nameless):,} concepts have no URI (blank nodes or literals)"
        raise source.error(f"{what}; give each concept a URI")
    # graphs have no order: sort, so that equal files give equal ids
    names = sorted(map(str, concepts))
    titles = {}
    for name in names:
        title = _preferred(graph.objects(rdflib.URIRef(name), skos.prefLabel), options.language)
        if title:
            titles[name] = title
    notations = ((name, str(code)) for name in names for code in graph.objects(rdflib.URIRef(name), skos.notation))
    aliases = _unique(names, [*notations, *((name, _local(name)) for name in names), *titles.items()])
    notes = (f"concepts known by links only: {len(untyped):,} ({shorten(untyped, 3)})",) if untyped else ()
    pairs = sorted((str(parent), str(child)) for parent, child in edges)
    return Links.from_names(pairs, names, source=source.name, aliases=aliases, titles=titles, notes=notes)


def _parsed(source: Source, rdflib: Any) -> Any:
    kind = "xml" if source.data.lstrip().startswith(b"<?xml") or b"<rdf:RDF" in source.data[:4096] else "turtle"
    graph = rdflib.Graph()
    try:
        graph.parse(data=source.data, format=kind)
    except Exception as error:  # the parsers raise a dozen unrelated kinds
        raise _syntax_error(source, "RDF/XML" if kind == "xml" else "Turtle", error) from None
    return graph


def _syntax_error(source: Source, kind: str, error: Any) -> FormatError:
    line = error.getLineNumber() if hasattr(error, "getLineNumber") else None
    reason = error.getMessage() if hasattr(error, "getMessage") else str(error)
    if hasattr(error, "lines"):  # of Turtle, counted from 0, with the place quoted in the message
        line = error.lines + 1
        reason = re.sub(r"(?s)^at line .*?Bad syntax \((.*?)\) at \^.*", r"\1", reason)
    short = " ".join(reason.split())[:200]
    return source.error(f"not valid {kind}: {short}", line)


def _preferred(labels: Iterable[Any], language: str) -> str | None:
    """The label in the wanted language, else in a variant of it, else without a language, else any."""

    def rank(label: Any) -> tuple[int, str, str]:
        tag = (label.language or "").lower()
        wanted = language.lower()
        place = 0 if tag == wanted else 1 if tag.partition("-")[0] == wanted else 2 if not tag else 3
        return place, tag, str(label)

    best = min(labels, key=rank, default=None)
    return None if best is None else str(best)


def _local(name: str) -> str:
    """The part of a URI after its last #, / or :."""
    return re.split(r"[#/:]", name.rstrip("#/"))[-1]


def _unique(names: Iterable[str], spellings: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Spellings that stand for one name only."""
    taken = set(names)
    owners: dict[str, set[str]] = {}
    for name, spelling in spellings:
        if spelling.strip() and spelling not in taken:
            owners.setdefault(spelling, set()).add(name)
    return {spelling: next(iter(owner)) for spelling, owner in owners.items() if len(owner) == 1}


def sniff(source: Source) -> bool:
    """Prefixes, an XML declaration, or a triple of URIs."""
    first = source.head[0].lstrip() if source.head else ""
    if re.match(r"@prefix|@base|PREFIX\s|BASE\s|<\?xml|<rdf:RDF|<[^>\s]+>\s+<[^>\s]+>\s", first, re.IGNORECASE):
        return True
    return first.startswith("#") and any(line.startswith("@prefix") for line in source.head)


FORMAT = HierarchyFormat("skos", (".ttl", ".rdf", ".nt", ".n3", ".skos", ".owl"), sniff, read, options=("language",))
