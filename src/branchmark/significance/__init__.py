"""Is one system better than another, by how much, and how surely?

Each test states the unit it compares (see `TESTS`) and gives a `TestResult`.
"""

from branchmark.significance.base import (
    PROPORTIONS,
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
from branchmark.significance.bootstrap import Interval, bootstrap_interval, bootstrap_test, permutation_test
from branchmark.significance.location import rank_t_test, t_test, wilcoxon_test
from branchmark.significance.proportion import Proportion, proportion_test, proportions
from branchmark.significance.ranking import (
    Kendall,
    PartialOrder,
    kendall_matrix,
    order_systems,
    partial_order,
    rank_systems,
    relation,
)
from branchmark.significance.sign import macro_sign_test, micro_sign_test, sign_result, sign_test

__all__ = [
    "PROPORTIONS",
    "TESTS",
    "Interval",
    "Kendall",
    "PartialOrder",
    "Proportion",
    "Test",
    "TestResult",
    "benjamini_hochberg",
    "bootstrap_interval",
    "bootstrap_test",
    "check_support",
    "find_test",
    "flip",
    "holm",
    "kendall_matrix",
    "macro_sign_test",
    "micro_sign_test",
    "order_systems",
    "partial_order",
    "permutation_test",
    "proportion_test",
    "proportions",
    "rank_systems",
    "rank_t_test",
    "relation",
    "sign_result",
    "sign_test",
    "symbol",
    "t_test",
    "wilcoxon_test",
]
