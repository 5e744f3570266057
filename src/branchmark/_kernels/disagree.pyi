import numpy as np
from numpy.typing import NDArray

def disagreements(
    true_indptr: NDArray[np.int64],
    true: NDArray[np.int32],
    first_indptr: NDArray[np.int64],
    first: NDArray[np.int32],
    second_indptr: NDArray[np.int64],
    second: NDArray[np.int32],
) -> tuple[int, int]: ...
