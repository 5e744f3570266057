"""The fine print of a score."""

from __future__ import annotations

import json

import pytest

import branchmark as bm
from branchmark.signature import Signature

H = bm.Hierarchy.from_edges([("r", "a"), ("r", "b")])


def signature(measure: str = "hF1", true: object = ("a", "b"), h: bm.Hierarchy = H) -> Signature:
    return bm.evaluate(true, ["a"] * len(true), measure, hierarchy=h)[measure].signature


def test_text_holds_everything_in_order() -> None:
    text = str(signature("hF(beta=2,root=included)"))
    name, *rest = text.split("|")
    assert name == "hF2"
    assert [item.partition("=")[0] for item in rest] == [
        "average",
        "categories",
        "zero_division",
        "beta",
        "of",
        "weights",
        "root",
        "max_path",
        "unknown",
        "hier",
        "true",
        "n",
        "rev",
        "branchmark",
    ]
    assert f"|hier={H.fingerprint[:8]}|" in text
    assert text.endswith(f"|n=2|rev=1|branchmark={bm.__version__}")


def test_parse_reads_what_is_printed() -> None:
    made = signature()
    read = Signature.parse(f"  {made}\n")
    assert read == made
    assert hash(read) == hash(made)
    assert read["beta"] == "1"
    assert made["beta"] == 1.0
    assert repr(read) == f"Signature({str(made)!r})"


@pytest.mark.parametrize("text", ["", "|", "hF1|average", "|average=micro"])
def test_what_is_no_signature(text: str) -> None:
    with pytest.raises(ValueError, match="not a signature"):
        Signature.parse(text)


def test_difference_and_comparability() -> None:
    one, two = signature("hF1"), signature("hF1(root=included)")
    assert one.diff(two) == {"root": ("excluded", "included")}
    assert not one.comparable(two)
    older = Signature({**one, "branchmark": "0.0.1"})
    assert one.comparable(older)
    assert one != older
    assert not one.comparable(signature(true=["a", "a"]))
    assert one.comparable(signature(true=["b", "a"]))
    shorter = Signature({key: value for key, value in one.items() if key != "n"})
    assert one.diff(shorter) == {"n": (2, None)}
    assert not one.comparable(shorter)


def test_near_betas_differ() -> None:
    near = signature("hF(beta=1.0000001)")
    assert near != signature("hF1")
    assert near.diff(signature("hF1")).keys() >= {"beta"}


def test_other_hierarchy_other_signature() -> None:
    other = bm.Hierarchy.from_edges([("r", "a"), ("a", "b")])
    assert not signature().comparable(signature(h=other))


def test_json_keeps_types() -> None:
    plain = json.loads(json.dumps(signature().to_dict()))
    assert plain["measure"] == "hF1"
    assert plain["beta"] == 1.0
    assert plain["n"] == 2
    assert Signature(plain) == signature()
