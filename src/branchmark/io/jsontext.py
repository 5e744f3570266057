"""JSON with messages that name file and line, and without the silent loss of repeated keys."""

from __future__ import annotations

import json
from typing import Any

from branchmark.io.source import Source


class _RepeatedKey(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RepeatedKey(key)
            seen.add(key)
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def parse(source: Source, text: str, line: int | None = None) -> Any:
    """The value of a JSON text, which is the whole file or one line of it."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise source.error(f"not valid JSON: {error.msg}, column {error.colno}", line or error.lineno) from None
    except _RepeatedKey as error:
        raise source.error(f"the key {str(error)!r} occurs twice in one JSON object", line) from None
    except RecursionError:
        raise source.error("the JSON is nested too deeply; write nodes and edges instead", line) from None
