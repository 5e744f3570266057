import numpy as np
from numpy.typing import NDArray

_Ints = NDArray[np.int32]
_Longs = NDArray[np.int64]
_Floats = NDArray[np.float64]

def pair_rows(
    slot: _Ints,
    address: _Longs,
    length: _Ints,
    level_address: _Longs,
    level_count: _Ints,
    depth: _Ints,
    true_indptr: _Longs,
    true: _Ints,
    pred_indptr: _Longs,
    pred: _Ints,
    d_max: int,
    max_path: int,
    sum_out: _Longs,
    one_to_one_out: _Longs,
    cover_out: _Longs,
    shared_out: _Ints,
) -> None: ...
def distance_tables(
    slot: _Ints,
    address: _Longs,
    length: _Ints,
    level_address: _Longs,
    level_count: _Ints,
    depth: _Ints,
    true_indptr: _Longs,
    true: _Ints,
    pred_indptr: _Longs,
    pred: _Ints,
    max_path: int,
    indptr: _Longs,
    out: _Ints,
) -> None: ...
def given_cost_rows(
    indptr: _Longs,
    costs: _Floats,
    true_count: _Longs,
    pred_count: _Longs,
    unpaired: float,
    one_to_one_out: _Floats,
    cover_out: _Floats,
) -> None: ...
def pairs(costs: _Floats, unpaired: float, one_to_one: bool) -> list[tuple[int, int, float]]: ...
