"""The measures, one module per family; importing this package fills the registry."""

from branchmark.measurebase import list_measures, measure
from branchmark.measures import blocking, contribution, flat, lca, pairs, sets

__all__ = ["blocking", "contribution", "flat", "lca", "list_measures", "measure", "pairs", "sets"]
