"""Measure, compare and build classifiers when classes form a hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from branchmark._version import __version__

if TYPE_CHECKING:
    from branchmark.comparison import compare as compare
    from branchmark.costs import ClassMatrix as ClassMatrix
    from branchmark.errors import BranchmarkError as BranchmarkError
    from branchmark.evaluation import evaluate as evaluate
    from branchmark.evaluation import make_scorer as make_scorer
    from branchmark.hierarchy import Hierarchy as Hierarchy
    from branchmark.io import read_hierarchy as read_hierarchy
    from branchmark.io import read_labels as read_labels
    from branchmark.io import write_hierarchy as write_hierarchy
    from branchmark.io import write_labels as write_labels
    from branchmark.labelsets import LabelSets as LabelSets
    from branchmark.measurebase import Measure as Measure
    from branchmark.measures import list_measures as list_measures
    from branchmark.measures import measure as measure
    from branchmark.measures.blocking import blocking as blocking
    from branchmark.measures.contribution import contribution_scores as contribution_scores
    from branchmark.resources import NodeWeights as NodeWeights
    from branchmark.results import Report as Report
    from branchmark.score import Score as Score
    from branchmark.score import Scores as Scores
    from branchmark.semantics import category_similarity as category_similarity
    from branchmark.semantics import information_content as information_content
    from branchmark.semantics import semantic_similarity as semantic_similarity
    from branchmark.signature import Signature as Signature
    from branchmark.trace import Trace as Trace

# Resolved on first use, so that `import branchmark` loads nothing it does not need.
_HOME = {
    "BranchmarkError": "errors",
    "ClassMatrix": "costs",
    "Hierarchy": "hierarchy",
    "LabelSets": "labelsets",
    "Measure": "measurebase",
    "NodeWeights": "resources",
    "Score": "score",
    "Report": "results",
    "Scores": "score",
    "Signature": "signature",
    "Trace": "trace",
    "blocking": "measures.blocking",
    "category_similarity": "semantics",
    "contribution_scores": "measures.contribution",
    "information_content": "semantics",
    "semantic_similarity": "semantics",
    "compare": "comparison",
    "evaluate": "evaluation",
    "list_measures": "measures",
    "make_scorer": "evaluation",
    "measure": "measures",
    "read_hierarchy": "io",
    "read_labels": "io",
    "write_hierarchy": "io",
    "write_labels": "io",
}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'branchmark' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"branchmark.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
