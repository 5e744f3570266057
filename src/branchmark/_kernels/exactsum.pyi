import numpy as np
from numpy.typing import NDArray

DIGITS: int
LOWEST: int

def exact_sum(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], int]: ...
def normalise(digits: NDArray[np.int64]) -> None: ...
