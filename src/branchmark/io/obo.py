"""Ontologies in OBO format, such as the Gene Ontology."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from branchmark.errors import FormatError, shorten
from branchmark.io.base import HierarchyFormat, HierarchyOptions
from branchmark.io.source import BLANKS, Source
from branchmark.links import Links

DEFAULT_RELATIONS = HierarchyOptions().relations
_ESCAPES = {"n": "\n", "W": " ", "t": "\t"}


@dataclass
class _Term:
    line: int
    id: str = ""
    name: str = ""
    namespace: str = ""
    obsolete: bool = False
    other_ids: list[str] = field(default_factory=list)
    links: list[tuple[str, str, int]] = field(default_factory=list)  # relation, parent, line


def read(source: Source, options: HierarchyOptions) -> Links:
    """Terms and the chosen relations; obsolete terms are left out, alternative ids are aliases."""
    if options.undefined not in ("error", "ignore"):
        raise FormatError(f"undefined must be error or ignore; got {options.undefined!r}")
    terms, relations = _parse(source)
    if not terms:
        raise source.error("no [Term] found; is this an OBO file?")
    for relation in options.relations:
        if relation not in relations and relation not in DEFAULT_RELATIONS:
            raise source.error(f"no relation {relation!r}; the file has {shorten(sorted(relations), 20)}")
    alive = {name: term for name, term in terms.items() if not term.obsolete}
    kept = alive
    if options.namespace is not None:
        kept = {name: term for name, term in alive.items() if term.namespace == options.namespace}
        if not kept:
            known = sorted({term.namespace for term in alive.values()})
            raise source.error(f"no term of namespace {options.namespace!r}; the file has {shorten(known, 20)}")
    notes = []
    gone = len(terms) - len(alive)
    if gone:
        notes.append(f"obsolete terms left out: {gone:,}")
    aliases, shared = _aliases(alive)
    if shared:
        notes.append(f"alternative ids claimed by several terms, left out: {len(shared):,} ({shorten(shared, 3)})")
    edges: list[tuple[str, str]] = []
    lines: list[int] = []
    obsolete: list[str] = []
    undefined: list[str] = []
    outside = 0
    for child, term in kept.items():
        for relation, target, line in term.links:
            if relation not in options.relations:
                continue
            parent = aliases.get(target, target)
            if parent in kept:
                edges.append((parent, child))
                lines.append(line)
            elif parent in alive:
                outside += 1
            elif parent in terms:
                obsolete.append(f"{child} {relation} {parent}")
            elif options.undefined == "ignore":
                undefined.append(f"{child} {relation} {parent}")
            else:
                raise source.error(
                    f"{child} {relation} {parent}, but the file does not define {parent}; "
                    'is it complete? Use undefined="ignore" to leave such links out',
                    line,
                )
    if obsolete:
        notes.append(f"links to obsolete terms left out: {len(obsolete):,} ({shorten(obsolete, 3)})")
    if undefined:
        notes.append(f"links to undefined terms left out: {len(undefined):,} ({shorten(undefined, 3)})")
    if outside:
        notes.append(f"links to other namespaces left out: {outside:,}")
    titles = {name: term.name for name, term in kept.items() if term.name}
    aliases = {other: name for other, name in aliases.items() if name in kept}
    return Links.from_names(edges, kept, lines, source=source.name, aliases=aliases, titles=titles, notes=tuple(notes))


def _parse(source: Source) -> tuple[dict[str, _Term], set[str]]:
    """All terms by id, and the names of all relations."""
    terms: dict[str, _Term] = {}
    relations = {"is_a"}
    default_namespace = ""
    stanza = ""
    term: _Term | None = None
    for line, text in enumerate(source.text.split("\n"), 1):
        if text.startswith("["):
            _check_id(source, term)
            stanza = text.strip(BLANKS)
            term = _Term(line) if stanza == "[Term]" else None
            continue
        tag, colon, value = text.partition(":")
        if not colon or text.startswith("!"):
            continue
        tag = tag.strip(BLANKS)
        if term is None:
            if tag == "default-namespace" and not stanza:
                default_namespace = _text(value)
            elif tag == "id" and stanza == "[Typedef]":
                relations.add(_word(source, line, tag, value))
        elif tag == "id":
            term.id = _word(source, line, tag, value)
            known = terms.setdefault(term.id, term)
            if known is not term:  # a term may be spread over several stanzas
                term = known
        elif tag == "name":
            term.name = _text(value)
        elif tag == "namespace":
            term.namespace = _text(value)
        elif tag == "is_obsolete":
            term.obsolete = _text(value).lower() == "true"
        elif tag == "alt_id":
            term.other_ids.append(_word(source, line, tag, value))
        elif tag == "is_a":
            term.links.append(("is_a", _word(source, line, tag, value), line))
        elif tag == "relationship":
            words = _words(value)
            if len(words) < 2:
                raise source.error(f"a relationship needs a relation and a term, got {value.strip()!r}", line)
            relations.add(words[0])
            term.links.append((words[0], words[1], line))
    _check_id(source, term)
    for found in terms.values():
        found.namespace = found.namespace or default_namespace
    return terms, relations


def _check_id(source: Source, term: _Term | None) -> None:
    if term is not None and not term.id:
        raise source.error("this [Term] has no id", term.line)


def _words(value: str) -> list[str]:
    """Identifiers of a value, without trailing modifiers ``{...}`` and the comment after ``!``."""
    words = []
    for word in value.split():
        if word.startswith(("!", "{")):
            break
        # {...} may follow without a blank
        words.append(word.partition("{")[0].replace("\\", ""))
        if "{" in word:
            break
    return words


def _word(source: Source, line: int, tag: str, value: str) -> str:
    words = _words(value)
    if not words:
        raise source.error(f"{tag} has no value", line)
    return words[0]


def _text(value: str) -> str:
    """A value for people: escapes resolved; modifiers and comments cut off."""
    cut = re.split(r"(?<!\\)\s!|(?<!\\)\s\{", value, maxsplit=1)[0].strip(BLANKS)
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), cut)


def _aliases(terms: dict[str, _Term]) -> tuple[dict[str, str], list[str]]:
    """Term of each alternative id, and the alternative ids that several terms claim."""
    aliases: dict[str, str] = {}
    shared: set[str] = set()
    for name, term in terms.items():
        for other in term.other_ids:
            if other not in terms and aliases.setdefault(other, name) != name:
                shared.add(other)
    for other in shared:
        del aliases[other]
    return aliases, sorted(shared)


def sniff(source: Source) -> bool:
    """The header or the first stanza."""
    return any(line.startswith(("format-version:", "[Term]")) for line in source.head[:200])


FORMAT = HierarchyFormat("obo", (".obo",), sniff, read, options=("relations", "namespace", "undefined"))
