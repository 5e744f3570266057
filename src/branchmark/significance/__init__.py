"""Is one system better than another, by how much, and how surely?

Each test states the unit it compares (see `TESTS`) and gives a `TestResult`.
"""

from branchmark.significance.base import (
    TESTS,
    Test,
    TestResult,
    benjamini_hochberg,
    check_support,
    find_test,
    flip,
    holm,
    symbol,
)
from branchmark.significance.location import rank_t_test, t_test, wilcoxon_test
from branchmark.significance.sign import macro_sign_test, micro_sign_test, sign_result, sign_test

__all__ = [
    "TESTS",
    "Test",
    "TestResult",
    "benjamini_hochberg",
    "check_support",
    "find_test",
    "flip",
    "holm",
    "macro_sign_test",
    "micro_sign_test",
    "rank_t_test",
    "sign_result",
    "sign_test",
    "symbol",
    "t_test",
    "wilcoxon_test",
]
