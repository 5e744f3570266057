"""Which classes each instance has: the truth, or what a system predicted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchmark import labels as label_text
from branchmark._kernels import names as kernels
from branchmark._kernels.overlap import common_labels
from branchmark.errors import LabelError, shorten
from branchmark.hierarchy import ROOT, Hierarchy, Label
from branchmark.ragged import Ragged

UNKNOWN_POLICIES = ("error", "ignore")


class LabelSets:
    """A set of classes for every instance, as integers of one hierarchy.

    Rows are sorted and hold each class once. Make one with `from_lists`, `from_indicator`, `of`, or
    `branchmark.read_labels`.

    Attributes
    ----------
    hierarchy : Hierarchy
    rows : Ragged
        Class ids of each instance.
    scores : array or None
        One number per label, parallel to ``rows.indices``.
    ids : list of str or None
        Instance ids; two LabelSets with ids are aligned by them.
    ignored : int
        Labels left out because the hierarchy does not know them.
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        rows: Ragged,
        *,
        scores: NDArray[np.float64] | None = None,
        ids: Sequence[str] | None = None,
        ignored: int = 0,
        unknown: str = "error",
        source: str | None = None,
    ) -> None:
        self.hierarchy = hierarchy
        self.rows = rows
        self.scores = scores
        self.ids = None if ids is None else list(ids)
        self.ignored = ignored
        self.unknown = unknown
        self.source = source
        if self.ids is not None and len(self.ids) != len(rows):
            raise LabelError(f"{self._where()}{len(self.ids):,} ids for {len(rows):,} instances")

    def _where(self) -> str:
        return f"{self.source}: " if self.source else ""

    # ---------------------------------------------------------------- making one

    @classmethod
    def from_ids(
        cls, hierarchy: Hierarchy, rows: Ragged, scores: NDArray[np.float64] | None = None, **rest: Any
    ) -> LabelSets:
        """From rows of class ids in any order; repetitions go, negative ids are left out."""
        indptr, indices, kept = kernels.sort_rows(rows.indptr, rows.indices, scores)
        return cls(hierarchy, Ragged(indptr, indices), scores=kept, **rest)

    @classmethod
    def from_lists(
        cls,
        data: Iterable[Any],
        hierarchy: Hierarchy,
        *,
        ids: Sequence[Any] | None = None,
        unknown: str = "error",
        lines: Sequence[int] | None = None,
        source: str | None = None,
    ) -> LabelSets:
        """From one entry per instance: a list of labels, a single label, a {label: score} dict, or None.

        Parameters
        ----------
        data : iterable
            None, NaN and empty texts are missing labels. A text is always one label.
        hierarchy : Hierarchy
        ids : sequence, optional
            Instance ids.
        unknown : {"error", "ignore"}
            What to do with labels that the hierarchy does not know; ignored ones are counted.
        lines, source : optional
            Line of each instance and name of the file, for messages.
        """
        _check(hierarchy, unknown)
        if isinstance(data, str | bytes) or not isinstance(data, Iterable):
            raise LabelError(f"expected one entry per instance, such as a list of lists; got {data!r}")
        if isinstance(data, Mapping):
            raise LabelError("expected one entry per instance, got a dict; pass list(d.values()) and ids=list(d)")
        flat, lengths, scores = label_text.flatten(list(data), lambda row: _place(row, lines, source))
        indptr = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=indptr[1:])

        def where(label: int) -> str:
            return _place(int(np.searchsorted(indptr, label, side="right")) - 1, lines, source)

        found = _lookup(flat, hierarchy, where)
        bad = np.flatnonzero(found < 0)
        if len(bad) and unknown == "error":
            raise unknown_labels([str(flat[i]) for i in bad], where(int(bad[0])), hierarchy)
        return cls.from_ids(
            hierarchy,
            Ragged(indptr, found),
            None if scores is None else np.array(scores, dtype=np.float64),
            ids=None if ids is None else _id_texts(ids),
            ignored=len(bad),
            unknown=unknown,
            source=source,
        )

    @classmethod
    def from_indicator(
        cls, matrix: Any, hierarchy: Hierarchy, classes: Sequence[Label], *, unknown: str = "error"
    ) -> LabelSets:
        """From an instances x classes matrix of zeros and ones, dense or scipy sparse; classes name the columns."""
        from scipy.sparse import csr_array, issparse

        try:
            dense = None if issparse(matrix) else np.asarray(matrix)
        except ValueError:
            raise LabelError("the rows of an indicator matrix must be equally long") from None
        if (dense if dense is not None else matrix).ndim != 2:
            raise LabelError("an indicator matrix has two dimensions: instances x classes")
        if dense is not None and dense.dtype.kind not in "biuf":
            raise LabelError(f"an indicator matrix holds numbers; got dtype {dense.dtype}")
        csr = csr_array(matrix if dense is None else dense, copy=True)
        csr.sum_duplicates()
        csr.eliminate_zeros()
        if not np.isin(csr.data, (1, True)).all():
            strange = csr.data[~np.isin(csr.data, (1, True))][0]
            raise LabelError(f"an indicator matrix holds 0 and 1 only; found {strange}. For scores use from_scores")
        return cls._from_csr(csr, hierarchy, classes, unknown, with_scores=False)

    @classmethod
    def from_scores(
        cls, matrix: Any, hierarchy: Hierarchy, classes: Sequence[Label], *, unknown: str = "error"
    ) -> LabelSets:
        """From an instances x classes matrix of scores; entries that are not stored (or 0) have no score."""
        from scipy.sparse import csr_array

        try:
            csr = csr_array(matrix, dtype=np.float64, copy=True)
        except (TypeError, ValueError):
            raise LabelError("a score matrix holds numbers: instances x classes") from None
        csr.sum_duplicates()
        csr.eliminate_zeros()
        if np.isnan(csr.data).any():
            row = int(np.searchsorted(csr.indptr, np.flatnonzero(np.isnan(csr.data))[0], side="right")) - 1
            raise LabelError(f"instance {row}: a score is not a number (NaN)")
        return cls._from_csr(csr, hierarchy, classes, unknown, with_scores=True)

    @classmethod
    def _from_csr(
        cls, csr: Any, hierarchy: Hierarchy, classes: Sequence[Label], unknown: str, with_scores: bool
    ) -> LabelSets:
        _check(hierarchy, unknown)
        if isinstance(classes, str):
            raise LabelError(f"classes must be a list of the columns' class names; got {classes!r}")
        if len(classes) != csr.shape[1]:
            raise LabelError(f"{len(classes):,} class names for {csr.shape[1]:,} columns")
        names = label_text.names_of(list(classes), what="class name", where=lambda i: f"column {i}")
        repeated = len(names) - len(set(names))
        if repeated:
            raise LabelError(f"{repeated} class names occur more than once among the columns")
        columns = _lookup(names, hierarchy)
        found = columns[csr.indices]
        missing = sorted({names[i] for i in csr.indices[found < 0]})
        if missing and unknown == "error":
            raise unknown_labels(missing, "a column", hierarchy)
        rows = Ragged(csr.indptr.astype(np.int64), found.astype(np.int32))
        scores = csr.data.astype(np.float64) if with_scores else None
        return cls.from_ids(hierarchy, rows, scores, ignored=int((found < 0).sum()), unknown=unknown)

    @classmethod
    def of(cls, data: Any, hierarchy: Hierarchy | None, *, unknown: str = "error") -> LabelSets:
        """Whatever a user has: LabelSets, lists, arrays, pandas or polars columns."""
        if isinstance(data, LabelSets):
            if hierarchy is not None and hierarchy.fingerprint != data.hierarchy.fingerprint:
                raise LabelError("these LabelSets belong to another hierarchy than the one given")
            return data
        if hierarchy is None:
            raise LabelError("labels given as plain data need a hierarchy: pass hierarchy=...")
        if hasattr(data, "columns") and not hasattr(data, "tocsr"):
            raise LabelError("expected one column of labels, got a table; pass table['labels']")
        if hasattr(data, "to_list"):  # pandas and polars series
            data = data.to_list()
        if hasattr(data, "tocsr") or (isinstance(data, np.ndarray) and data.ndim == 2 and data.dtype.kind in "bf"):
            raise LabelError(
                "an indicator matrix needs the names of its columns: LabelSets.from_indicator(matrix, h, classes)"
            )
        if isinstance(data, np.ndarray):
            data = data.tolist()
        return cls.from_lists(data, hierarchy, unknown=unknown)

    # ---------------------------------------------------------------- reading

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[list[str]]:
        names = self.hierarchy.names
        return ([names[i] for i in row.tolist()] for row in self.rows)

    def __getitem__(self, row: int) -> list[str]:
        return [self.hierarchy.names[i] for i in self.rows[row].tolist()]

    def __repr__(self) -> str:
        per = self.rows.lengths().mean() if len(self) else 0.0
        return f"<LabelSets: {len(self):,} instances, {per:.2f} labels each{'' if self.scores is None else ', scored'}>"

    def to_lists(self) -> list[list[str]]:
        """Class names of every instance."""
        return list(self)

    def to_indicator(self) -> Any:
        """A scipy sparse matrix, instances x hierarchy.size, of ones (or scores)."""
        from scipy.sparse import csr_array

        flat = self.rows.flat()
        data = np.ones(len(flat), dtype=np.int8) if self.scores is None else self._flat_scores()
        return csr_array((data, flat, self.rows.indptr - self.rows.indptr[0]), shape=(len(self), self.hierarchy.size))

    def _flat_scores(self) -> NDArray[np.float64]:
        assert self.scores is not None
        return self.scores[self.rows.indptr[0] : self.rows.indptr[-1]]

    @property
    def fingerprint(self) -> int:
        """A number that depends on the label sets, not on their order; sums (mod 2**64) over parts."""
        total: int = kernels.fingerprint_rows(self.rows.indptr, self.rows.indices, self.hierarchy.hashes)
        return total

    def labels_in_use(self) -> NDArray[np.int32]:
        """Distinct class ids."""
        used = np.zeros(self.hierarchy.size, dtype=bool)
        used[self.rows.flat()] = True
        return np.flatnonzero(used).astype(np.int32)

    def statistics(self) -> dict[str, Any]:
        """Counts that describe the labels, with the category structure of Sun et al."""
        lengths = self.rows.lengths()
        used = self.labels_in_use()
        return {
            "instances": len(self),
            "labels": int(lengths.sum()),
            "labels per instance (mean)": round(float(lengths.mean()), 4) if len(self) else 0.0,
            "labels per instance (max)": int(lengths.max()) if len(self) else 0,
            "instances without a label": int((lengths == 0).sum()),
            "classes in use": len(used),
            "category structure": self.structure,
            "ignored labels": self.ignored,
        }

    @property
    def structure(self) -> str:
        """One of the four category structures of Sun et al.: virtual or not, tree or DAG."""
        shape = "category tree" if self.hierarchy.is_tree else "directed acyclic category graph"
        on_leaves = bool(self.hierarchy.is_leaf[self.labels_in_use()].all())
        return f"virtual {shape}" if on_leaves else shape

    # ---------------------------------------------------------------- deriving

    def _with(self, rows: Ragged) -> LabelSets:
        return LabelSets(
            self.hierarchy, rows, ids=self.ids, ignored=self.ignored, unknown=self.unknown, source=self.source
        )

    def slice(self, start: int, stop: int) -> LabelSets:
        """Some instances, sharing memory."""
        ids = None if self.ids is None else self.ids[start:stop]
        return LabelSets(
            self.hierarchy, self.rows.slice(start, stop), scores=self.scores, ids=ids, unknown=self.unknown
        )

    def take(self, rows: NDArray[np.int64]) -> LabelSets:
        """Instances in another order or with repetition."""
        return LabelSets(
            self.hierarchy,
            self.rows.take(rows),
            scores=None if self.scores is None else self.scores[self.rows.positions(rows)],
            ids=None if self.ids is None else [self.ids[i] for i in rows.tolist()],
            ignored=self.ignored,
            unknown=self.unknown,
            source=self.source,
        )

    def add_ancestors(self) -> LabelSets:
        """The consistent label sets (Kiritchenko et al., definition 3): all ancestors added, the root left out."""
        return self._with(self.hierarchy.ancestor_lists(self.rows.flat()).augmented(self.rows).without(ROOT))

    def is_consistent(self) -> bool:
        """Every label comes with all its ancestors, the root aside."""
        parents = self.hierarchy.parent_links
        for row in self.rows:
            have = {ROOT, *row.tolist()}
            if any(int(parent) not in have for label in have - {ROOT} for parent in parents[label]):
                return False
        return True

    def most_specific(self) -> LabelSets:
        """Strict subsumption (Sun et al.): labels that have a descendant in the same set are left out."""
        lists = self.hierarchy.ancestor_lists(self.rows.flat())
        rows = []
        for row in self.rows:
            above = {int(node) for label in row.tolist() for node in lists.list(label)[1:]}
            rows.append([label for label in row.tolist() if label not in above])
        return self._with(Ragged.from_lists(rows))

    def add_subsumed(self) -> LabelSets:
        """Total subsumption (Sun et al.): a class joins the set when all its children are in it, and so on up."""
        parents, children = self.hierarchy.parent_links, self.hierarchy.child_links
        rows = []
        for row in self.rows:
            have = set(row.tolist())
            waiting = list(have)
            while waiting:
                for parent in parents[waiting.pop()].tolist():
                    if parent not in have and parent != ROOT and have.issuperset(children[parent].tolist()):
                        have.add(parent)
                        waiting.append(parent)
            rows.append(sorted(have))
        return self._with(Ragged.from_lists(rows))

    def intersection(self, other: LabelSets) -> Ragged:
        """Labels that an instance has in both."""
        return Ragged(*common_labels(self.rows.indptr, self.rows.indices, other.rows.indptr, other.rows.indices))

    def align(self, other: LabelSets) -> LabelSets:
        """The other label sets in this one's order of instances.

        With ids on both sides the ids decide; without ids the numbers of instances must be equal.
        """
        mine, theirs = self.source or "the truth", other.source or "the predictions"
        if (self.ids is None) != (other.ids is None):
            having, lacking = (mine, theirs) if self.ids is not None else (theirs, mine)
            raise LabelError(f"{having} has instance ids and {lacking} has none; give ids on both sides or on neither")
        if self.ids is None or other.ids is None:
            if len(self) != len(other):
                raise LabelError(f"{mine} has {len(self):,} instances and {theirs} has {len(other):,}")
            return other
        if self.ids == other.ids:
            _no_repetition(self.ids, mine)
            return other
        position = _no_repetition(other.ids, theirs)
        known = _no_repetition(self.ids, mine)
        missing = [i for i in self.ids if i not in position]
        extra = [i for i in other.ids if i not in known]
        if missing or extra:
            parts = []
            if missing:
                parts.append(f"{len(missing):,} ids of {mine} are missing from {theirs}: {shorten(missing)}")
            if extra:
                parts.append(f"{len(extra):,} ids of {theirs} are not in {mine}: {shorten(extra)}")
            raise LabelError("; ".join(parts))
        return other.take(np.array([position[i] for i in self.ids], dtype=np.int64))


def _no_repetition(ids: list[str], where: str) -> dict[str, int]:
    position = {name: i for i, name in enumerate(ids)}
    if len(position) < len(ids):
        seen: set[str] = set()
        repeated = sorted({i for i in ids if i in seen or seen.add(i)})  # type: ignore[func-returns-value]
        raise LabelError(f"{where}: {len(repeated):,} ids occur more than once: {shorten(repeated)}")
    return position


def _check(hierarchy: Any, unknown: str) -> None:
    if not isinstance(hierarchy, Hierarchy):
        raise LabelError(f"expected a Hierarchy; got {hierarchy!r}")
    if unknown not in UNKNOWN_POLICIES:
        raise LabelError(f"unknown must be one of {', '.join(UNKNOWN_POLICIES)}; got {unknown!r}")


def _id_texts(ids: Sequence[Any]) -> list[str]:
    if isinstance(ids, str):
        raise LabelError(f"ids must be a list with one id per instance; got {ids!r}")
    if hasattr(ids, "to_list"):
        ids = ids.to_list()
    missing = [i for i, value in enumerate(ids) if label_text.is_missing(value)]
    if missing:
        raise LabelError(f"{len(missing):,} instances have no id, the first is instance {missing[0]}")
    return [str(value) for value in ids]


def _place(row: int, lines: Sequence[int] | None, source: str | None) -> str:
    """Where an instance stands: line of a file if known, else its number, counted from 0 as in a list."""
    if lines is not None:
        return f"{source}:{lines[row]}" if source else f"line {lines[row]}"
    return f"{source}: instance {row}" if source else f"instance {row}"


def _lookup(flat: list[Any], hierarchy: Hierarchy, where: Callable[[int], str] | None = None) -> NDArray[np.int32]:
    """Class id of each label, -1 where the hierarchy has none."""
    if set(map(type, flat)) - {str}:
        flat = label_text.names_of(flat, where=where)
    return hierarchy.name_table.get_all(flat)


def unknown_labels(labels: list[str], place: str, hierarchy: Hierarchy) -> LabelError:
    """The error for labels that the hierarchy does not know: where the first one stands and what may be meant."""
    near = label_text.nearest(labels[0], hierarchy)
    hint = f" (nearest: {shorten(near)})" if near else ""
    more = ""
    if len(labels) > 1:
        others = sorted(set(labels[1:]))
        more = f"; {len(labels) - 1:,} more unknown labels, such as {shorten(others, 3)}"
    return LabelError(
        f'{place}: unknown label {labels[0]!r}{hint}{more}. Use unknown="ignore" / --unknown ignore to leave them out'
    )
