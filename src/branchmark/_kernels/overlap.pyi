from typing import Any

import numpy as np
from numpy.typing import NDArray

def overlap_rows(*arrays: Any) -> None: ...
def overlap_categories(*arrays: Any) -> None: ...
def h_loss_rows(*arrays: Any) -> None: ...
def common_labels(
    true_indptr: NDArray[np.int64],
    true: NDArray[np.int32],
    pred_indptr: NDArray[np.int64],
    pred: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def augmented_rows(
    slot: NDArray[np.int32],
    address: NDArray[np.int64],
    length: NDArray[np.int32],
    indptr: NDArray[np.int64],
    labels: NDArray[np.int32],
    stamp: NDArray[np.uint32],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def kinds_of_error(*arrays: Any) -> None: ...
