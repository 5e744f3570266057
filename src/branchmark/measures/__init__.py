"""The measures, one module per family; importing this package fills the registry."""

from branchmark.measurebase import list_measures, measure
from branchmark.measures import flat, sets

__all__ = ["flat", "list_measures", "measure", "sets"]
