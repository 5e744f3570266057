"""Lines of ``id label score`` or ``id label`` without a header, as in the CAFA challenges."""

from __future__ import annotations

from branchmark.hierarchy import Hierarchy
from branchmark.io import labelscores, records
from branchmark.io.base import LabelFormat, LabelOptions
from branchmark.io.source import BLANKS, Source
from branchmark.labelsets import LabelSets

PREAMBLE = ("AUTHOR", "MODEL", "KEYWORDS", "ACCURACY", "END")  # of a CAFA submission


def read(source: Source, hierarchy: Hierarchy, options: LabelOptions) -> LabelSets:
    """Lines with one id form one instance; split at tabs if the first line has one, else at blanks."""
    texts = [(line, text.strip(BLANKS)) for line, text in enumerate(source.text.split("\n"), 1)]
    texts = [(line, text) for line, text in texts if text and text.split(None, 1)[0] not in PREAMBLE]
    if not texts:
        raise source.error("there is no line 'id label score'")
    at = "\t" if "\t" in texts[0][1] else None
    width = len(texts[0][1].split(at))
    ids: list[str] = []
    lines: list[int] = []
    entries: list[str | dict[str, float]] = []
    for line, text in texts:
        fields = [field.strip(BLANKS) for field in text.split(at)]
        if len(fields) != width or width not in (2, 3) or not all(fields):
            wanted = "'id label score' or 'id label'" if width not in (2, 3) else f"{width} fields as in the first line"
            raise source.error(f"expected {wanted}, found {text!r}", line)
        ids.append(fields[0])
        lines.append(line)
        if width == 2:
            entries.append(fields[1])
            continue
        pair = labelscores.cut(f"{fields[1]}:{fields[2]}")
        if pair is None:
            raise source.error(f"the score of {fields[1]!r} must be a finite number; got {fields[2]!r}", line)
        entries.append({fields[1]: pair[1]})
    return records.label_sets(source, hierarchy, options, entries, ids=ids, lines=lines, merge=True)


FORMAT = LabelFormat("triples", (".triples",), lambda source: False, read)
