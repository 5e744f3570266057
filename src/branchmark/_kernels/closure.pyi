import numpy as np
from numpy.typing import NDArray

def topological_order(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], starts: NDArray[np.int32]
) -> tuple[NDArray[np.int32], list[int]]: ...
def group(
    rows: NDArray[np.int32], values: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def depths(
    parent_indptr: NDArray[np.int64], parents: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
def reach_lists(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    stamp: NDArray[np.uint32],
    epoch: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]: ...
def address(array: NDArray[np.int32]) -> int: ...
def lengths_within(
    level_address: NDArray[np.int64], level_count: NDArray[np.int32], distance: int, out: NDArray[np.int32]
) -> None: ...
