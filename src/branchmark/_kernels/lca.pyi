import numpy as np
from numpy.typing import NDArray

_Bytes = NDArray[np.uint8]
_Ints = NDArray[np.int32]
_Longs = NDArray[np.int64]

def lca_rows(
    slot: _Ints,
    address: _Longs,
    length: _Ints,
    level_address: _Longs,
    level_count: _Ints,
    depth: _Ints,
    parent_indptr: _Longs,
    parents: _Ints,
    is_leaf: _Bytes,
    true_indptr: _Longs,
    true: _Ints,
    pred_indptr: _Longs,
    pred: _Ints,
    max_path: int,
    greedy: bool,
    budget: int,
    common_out: _Ints,
    true_out: _Ints,
    pred_out: _Ints,
    unproven_out: _Bytes,
    set_common_out: _Ints,
    set_true_out: _Ints,
    set_pred_out: _Ints,
) -> None: ...
def explain(
    slot: _Ints,
    address: _Longs,
    length: _Ints,
    level_address: _Longs,
    level_count: _Ints,
    depth: _Ints,
    parent_indptr: _Longs,
    parents: _Ints,
    is_leaf: _Bytes,
    true: _Ints,
    pred: _Ints,
    max_path: int,
    greedy: bool,
    budget: int,
) -> tuple[bool, tuple[int, int, int], list[tuple[int, int, int, bool, list[int], list[int]]]]: ...
