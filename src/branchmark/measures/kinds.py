"""What kind of error each instance shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from branchmark._kernels.overlap import kinds_of_error
from branchmark.batch import Batch

# In the order of the kernel's codes.
KINDS = {
    "exact": "the predicted set is the true set",
    "under-specialised": "every wrong prediction is an ancestor of a true class, or true classes are missing",
    "over-specialised": "every wrong prediction is a descendant of a true class",
    "sibling": "every wrong prediction shares a parent with a true class",
    "near": "every wrong prediction is in the same top-level branch as a true class",
    "far": "some prediction is in a branch without any true class",
    "nothing": "nothing is predicted, though something is true",
}


def kind_codes(batch: Batch) -> NDArray[np.uint8]:
    """Per instance the position of its kind in `KINDS`; the first kind that fits, from the top, is taken."""
    reach = batch.lists("ancestors")
    links = batch.hierarchy.parent_links
    out = np.empty(len(batch), dtype=np.uint8)
    kinds_of_error(
        reach.slot, reach.address, reach.length, links.indptr, links.indices, batch.hierarchy.depth_of_all,
        *batch.sides, batch.stamp, out,
    )  # fmt: skip
    return out
