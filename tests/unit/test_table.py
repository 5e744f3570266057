"""Tables as plain text and as CSV."""

from __future__ import annotations

import csv
import io

from branchmark.table import Column, Table

TABLE = Table(
    [Column("system"), Column("hF1", "higher"), Column("SDL", "lower", digits=2), Column("n")],
    [["svm", 0.76923, 1.0, 1200], ["nb", 0.5, 1.666, 7], ["best, so far", None, 1.0, 12]],
    title="Two systems",
    notes=["3 instances"],
)


def test_plain_text_is_aligned() -> None:
    assert str(TABLE).splitlines() == [
        "Two systems",
        "system         hF1 ↑  SDL ↓      n",
        "────────────  ──────  ─────  ─────",
        "svm           0.7692   1.00  1,200",
        "nb            0.5000   1.67      7",
        "best, so far       –   1.00     12",
        "3 instances",
    ]


def test_csv_keeps_all_digits_and_quotes_commas() -> None:
    text = TABLE.to_csv()
    assert text == ('system,hF1,SDL,n\nsvm,0.76923,1.0,1200\nnb,0.5,1.666,7\n"best, so far",,1.0,12\n')
    assert next(csv.DictReader(io.StringIO(text)))["hF1"] == "0.76923"
    assert TABLE.to_csv("\t").startswith("system\thF1\tSDL\tn\n")
    assert Table([Column("x")], [[1 / 3]]).to_csv() == f"x\n{1 / 3!r}\n"


def test_records() -> None:
    assert TABLE.to_records()[1] == {"system": "nb", "hF1": 0.5, "SDL": 1.666, "n": 7}


def test_best_follows_the_direction_and_keeps_ties() -> None:
    assert TABLE.best() == {(0, 1), (0, 2), (2, 2)}
    assert Table([Column("x", "higher")], [[1.0], [1.0]]).best() == set()
    assert Table([Column("x")], [[1.0], [2.0]]).best() == set()


def test_empty_table() -> None:
    empty = Table([Column("x"), Column("y", "lower")], [])
    assert str(empty) == "x  y ↓\n─  ───"
    assert empty.to_csv() == "x,y\n"
    assert empty.best() == set()
