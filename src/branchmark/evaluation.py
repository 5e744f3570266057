"""evaluate(): from labels to scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from branchmark._version import __version__
from branchmark.batch import Batch, Context
from branchmark.costs import ClassMatrix
from branchmark.engines.local import default_jobs, map_chunks
from branchmark.errors import LabelError, MeasureError
from branchmark.hierarchy import Hierarchy, Label
from branchmark.labelsets import LabelSets
from branchmark.measurebase import Measure
from branchmark.measures import list_measures
from branchmark.measures import measure as parse_measure
from branchmark.measures.kinds import KINDS, kind_codes
from branchmark.ragged import Ragged
from branchmark.resources import NodeWeights, named_resources
from branchmark.score import Score, Scores
from branchmark.signature import Signature
from branchmark.tally import Tally
from branchmark.trace import Trace

DEFAULT_MEASURES = (
    "P",
    "R",
    "F1",
    "F1(average=macro)",
    "exact",
    "hP",
    "hR",
    "hF1",
    "hF1(average=samples)",
    "SDL",
)

Result = TypeVar("Result")

MOST_ENTRIES = 100_000_000  # of ancestor lists at once: 400 MB
MOST_ENTRIES_KEPT = 4_000_000  # of the ancestor lists that results keep for details

LISTS = {"ancestors", "descendants"}  # needs that are met once for all chunks, or once for each
SMALL_SAMPLE = 200
NO_ROWS = Ragged.from_lists([])

# Instances per chunk. It never depends on the number of workers, and sums are exact, so results do not either.
CHUNK = 16_384


def evaluate(
    true: Any,
    pred: Any,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    hierarchy: Hierarchy | None = None,
    weights: Any = None,
    matrices: Any = None,
    trace: Trace | None = None,
    unknown: str = "error",
    jobs: int | None = None,
    system: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Scores:
    """Score one system against the truth.

    Parameters
    ----------
    true, pred : LabelSets, list of lists, list of labels, or a pandas or polars column
        One entry per instance. LabelSets with ids are aligned by their ids; otherwise by position.
    measures : str, Measure or several, optional
        For example ``["F1(average=macro)", "hF1"]``; ``branchmark measures`` lists them all. A sensible suite by
        default; "all" for every measure that the data supports.
    hierarchy : Hierarchy, optional
        Needed unless the labels are LabelSets.
    weights : NodeWeights or {name: {class: weight}}, optional
        For measures with ``weights=name``.
    matrices : ClassMatrix or several, optional
        Costs or similarities of pairs of classes, for measures with ``cost=name`` or ``similarity=name``.
    trace : Trace, optional
        Decisions of a top-down classifier, for blocking factors.
    unknown : {"error", "ignore"}
        What to do with labels that the hierarchy does not know, where labels are plain data.
    jobs : int, optional
        Threads; all cores by default. The result is the same for any number.
    system : str, optional
        Name of the system, for tables.
    progress : callable, optional
        Called with the number of instances done.

    Returns
    -------
    Scores

    Raises
    ------
    LabelError
        Labels are unknown, or the two sides have different instances.
    MeasureError
        A measure does not exist or lacks what it needs.

    Examples
    --------
    >>> import branchmark as bm
    >>> h = bm.Hierarchy.from_edges([("Arts", "Music"), ("Music", "Pop"), ("Music", "Rock")])
    >>> scores = bm.evaluate([["Pop"], ["Rock"]], [["Rock"], ["Rock"]], ["F1", "hF1"], hierarchy=h)
    >>> scores["F1"].value, scores["hF1"].value
    (0.5, 0.75)
    """
    chosen = parse_measures(measures)
    if hierarchy is None:
        hierarchy = next((side.hierarchy for side in (true, pred) if isinstance(side, LabelSets)), None)
    truth = LabelSets.of(true, hierarchy, unknown=unknown)
    system_labels = LabelSets.of(pred, truth.hierarchy, unknown=unknown)
    if system_labels.hierarchy is not truth.hierarchy and system_labels.hierarchy.names != truth.hierarchy.names:
        raise LabelError("truth and predictions number their classes differently; read both with the same Hierarchy")
    run = Run(truth, truth.align(system_labels), chosen, weights, matrices, trace, jobs)
    return run.scores(system=system, progress=progress)


class Wanted(NamedTuple):
    """Measures to compute; the optional ones are left out, and said to be, where the data cannot support them."""

    measures: tuple[Measure, ...]
    optional: frozenset[Measure] = frozenset()


def parse_measures(measures: str | Measure | Iterable[str | Measure] | None) -> Wanted:
    """Measures by their names, each once; "all" stands for every measure with its defaults."""
    if measures is None:
        measures = DEFAULT_MEASURES
    elif isinstance(measures, str | Measure):
        measures = [measures]
    named = list(measures)
    everything = any(isinstance(m, str) and m.strip().lower() == "all" for m in named)
    chosen = [parse_measure(m) for m in named if not (isinstance(m, str) and m.strip().lower() == "all")]
    optional = [cls() for cls in list_measures()] if everything else []
    if not chosen and not optional:
        raise MeasureError("no measure is asked for")
    return Wanted(tuple(dict.fromkeys([*chosen, *optional])), frozenset(optional) - frozenset(chosen))


class Run:
    """One system against the truth, aligned and ready to be gone through in chunks."""

    def __init__(
        self,
        true: LabelSets,
        pred: LabelSets,
        wanted: Wanted,
        weights: Any = None,
        matrices: Any = None,
        trace: Trace | None = None,
        jobs: int | None = None,
    ) -> None:
        if jobs is not None and jobs < 1:
            raise MeasureError(f"jobs must be at least 1; got {jobs}")
        self.true, self.pred = true, pred
        self.hierarchy = true.hierarchy
        self.ids = true.ids
        self.jobs = jobs or default_jobs()
        self.weights = named_resources(weights, NodeWeights, self.hierarchy)
        self.matrices = named_resources(matrices, ClassMatrix, self.hierarchy)
        if trace is not None and len(trace) != len(true):
            raise LabelError(f"the truth has {len(true):,} instances and the trace {len(trace):,}")
        if trace is not None and trace.hierarchy.names != self.hierarchy.names:
            raise LabelError("the trace belongs to another hierarchy than the labels")
        self.trace = trace
        self._context: Context | None = None
        self.measures: list[Measure] = []
        self.left_out: list[str] = []
        for m in wanted.measures:
            try:
                self.check(m)
            except MeasureError:
                if m not in wanted.optional:
                    raise
                self.left_out.append(str(m))
            else:
                self.measures.append(m)

    def context(self, needs: set[str]) -> Context:
        """What the chunks share, made when first needed and kept while it suffices."""
        made = self._context
        if made is None or any(getattr(made, need) is None for need in needs):
            needs = needs | {n for n in LISTS if made and getattr(made, n)}
            self._context = made = self.context_of(self.true.rows, self.pred.rows, needs, self.jobs)
        return made

    def context_of(self, true: Ragged, pred: Ragged, needs: set[str], jobs: int) -> Context:
        """A context with the lists of all labels of some instances."""
        used = np.concatenate([true.flat(), pred.flat()])
        lists = {need: getattr(self.hierarchy, f"{need.removesuffix('s')}_lists")(used, jobs) for need in needs}
        return Context(self.hierarchy, self.weights, self.matrices, **lists)

    def block_size(self, needs: set[str]) -> int | None:
        """Instances per chunk where the lists of all labels would be too long to be kept at once; else None.

        Then every chunk makes its own. How long lists are is estimated from a few labels; no result depends on it.
        """
        if self._context is not None and all(getattr(self._context, need) is not None for need in needs):
            return None
        # most hierarchies are too small for the question to arise
        if not needs or self.hierarchy.size**2 <= MOST_ENTRIES:
            return None
        in_use = np.zeros(self.hierarchy.size, dtype=bool)
        in_use[self.true.rows.flat()] = in_use[self.pred.rows.flat()] = True
        used = np.flatnonzero(in_use).astype(np.int32)
        if len(used) <= SMALL_SAMPLE:
            return None
        sample = used[:: len(used) // SMALL_SAMPLE]
        mean = max(
            self.context_of(Ragged.from_lists([sample]), NO_ROWS, {n}, 1).entries(n) / len(sample) for n in needs
        )
        if mean * len(used) <= MOST_ENTRIES:
            return None
        labels_per_instance = (len(self.true.rows.flat()) + len(self.pred.rows.flat())) / len(self.true)
        return int(np.clip(MOST_ENTRIES / 8 / self.jobs / (mean * labels_per_instance), 64, CHUNK))

    def forget_large_lists(self) -> None:
        """Results outlive the run; rather than keep hundreds of megabytes alive, make such lists anew if needed."""
        if self._context is not None and sum(map(self._context.entries, LISTS)) > MOST_ENTRIES_KEPT:
            self._context = None

    def each_chunk(
        self, work: Callable[[Batch], Result], measures: Sequence[Measure], needs: Iterable[str] = ()
    ) -> Iterator[Result]:
        """Results of some work on every chunk of instances, in their order."""
        lists = LISTS & {*needs, *(need for m in measures for need in m.needs)}
        block = self.block_size(lists)
        size = block or CHUNK
        shared = self.context(lists) if block is None else None

        def part(start: int) -> Result:
            stop = min(start + size, len(self.true))
            true, pred = self.true.rows.slice(start, stop), self.pred.rows.slice(start, stop)
            context = shared or self.context_of(true, pred, lists, 1)
            return work(Batch(context, true, pred, None if self.trace is None else self.trace.slice(start, stop)))

        return map_chunks(part, range(0, len(self.true), size), self.jobs)

    def check(self, m: Measure) -> None:
        """Raise MeasureError if this data cannot support a measure."""
        m.check(self._context or Context(self.hierarchy, self.weights, self.matrices))
        if "trace" in m.needs and self.trace is None:
            raise MeasureError(f"{m} needs the trace of a top-down classifier: pass trace=Trace(...)")
        if "one label" in m.needs:
            for name, side in (("true", self.true), ("predicted", self.pred)):
                several = np.flatnonzero(side.rows.lengths() != 1)
                if len(several):
                    count = int(side.rows.lengths()[several[0]])
                    raise MeasureError(
                        f"{m} compares one true with one predicted class, but {len(several):,} instances have another "
                        f"number of {name} classes (instance {several[0]} has {count}); use GIE or MGIA"
                    )

    def scores(self, system: str | None = None, progress: Callable[[int], None] | None = None) -> Scores:
        """Tally all chunks, add the tallies up, finish."""
        if not len(self.true):
            raise LabelError("there is no instance to evaluate")

        def work(batch: Batch) -> tuple[int, list[Tally]]:
            tallies = {m: m.tally(batch) for m in sorted(self.measures, key=lambda m: not m.goes_first)}
            return len(batch), [tallies[m] for m in self.measures]

        total: list[Tally] = []
        done = 0
        for count, part in self.each_chunk(work, self.measures):
            total = [a + b for a, b in zip(total, part, strict=True)] if total else part
            done += count
            if progress is not None:
                progress(done)
        context = self.context(set())
        self.forget_large_lists()
        truth = f"{self.true.fingerprint:016x}"[:8]
        scores = [
            Score(m, m.value(tally, context), self.signature(m, truth), tally, self)
            for m, tally in zip(self.measures, total, strict=True)
        ]
        notes = [f"{score.measure}: {note}" for score in scores for note in score.notes]
        return Scores(scores, self, instances=len(self.true), system=system, warnings=[*self.warnings(), *notes])

    def signature(self, m: Measure, truth: str) -> Signature:
        """Everything the number depends on."""
        parameters = m.parameters()
        name = str(m).partition("(")[0]
        weights = parameters.get("weights", "none")
        if weights in self.weights:
            parameters["weights"] = f"{weights}:{self.weights[weights].fingerprint}"
        for key in ("cost", "similarity"):
            if parameters.get(key) in self.matrices:
                parameters[key] = f"{parameters[key]}:{self.matrices[parameters[key]].fingerprint}"
        ignoring = "ignore" in (self.true.unknown, self.pred.unknown)
        return Signature(
            {
                "measure": name,
                **parameters,
                "unknown": "ignore" if ignoring else "error",
                "hier": self.hierarchy.fingerprint[:8],
                "true": truth,
                "n": len(self.true),
                "rev": m.rev,
                "branchmark": __version__,
            }
        )

    def warnings(self) -> list[str]:
        """What a reader of the numbers should know about the data."""
        found = [f"hierarchy: {note}" for note in self.hierarchy.notes]
        for name, side in (("truth", self.true), ("predictions", self.pred)):
            if side.ignored:
                found.append(f"{name}: {side.ignored:,} unknown labels were ignored")
        inner = int((~self.hierarchy.is_leaf).sum()) - self.hierarchy.root_is_virtual
        over_all = [str(m) for m in self.measures if m.family == "flat" and m.parameters().get("average") == "macro"
                    and m.parameters()["categories"] == "all"]  # fmt: skip
        if over_all and inner and self.true.structure.startswith("virtual"):
            found.append(f"{over_all[0]} averages over all classes, with 0 for the {inner:,} inner ones that no true "
                         "label names; categories=leaves leaves them out")  # fmt: skip
        if self.left_out:
            found.append(f"left out: {', '.join(self.left_out)}; ask for one of them by name to see what it needs")
        without = int((self.true.rows.lengths() == 0).sum())
        if without:
            found.append(f"truth: {without:,} instances have no label")
        return found

    def instance_values(self, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
        """Value of each measure for every instance."""

        def work(batch: Batch) -> list[NDArray[np.float64]]:
            return [m.finish(m.rows(batch, "instance"), "instance") for m in measures]

        return [np.concatenate(column) for column in zip(*self.each_chunk(work, measures), strict=True)]

    def instance_columns(self, measures: Sequence[Measure]) -> list[dict[str, NDArray[Any]]]:
        """Counts of each measure for every instance."""

        def work(batch: Batch) -> list[dict[str, NDArray[Any]]]:
            return [m.rows(batch, "instance") for m in measures]

        parts = list(self.each_chunk(work, measures))
        return [
            {name: np.concatenate([part[k][name] for part in parts]) for name in parts[0][k]}
            for k in range(len(measures))
        ]

    def members(self, m: Measure) -> dict[str, Any] | None:
        """Counts of each category for every instance, as sparse matrices; None where they do not make the score."""
        from scipy.sparse import csr_array

        sides = m.members(Batch(self.context(LISTS & {*m.needs}), self.true.rows, self.pred.rows))
        if sides is None:
            return None
        shape = (len(self.true), self.hierarchy.size)
        true, pred = (
            csr_array((np.ones(len(side.flat())), side.flat(), side.indptr - side.indptr[0]), shape=shape)
            for side in sides
        )
        return {"common": csr_array(true * pred), "pred": pred, "true": true}

    def value_of(self, m: Measure, columns: dict[str, NDArray[np.int64]]) -> float:
        """The score of some counts per category."""
        decisions = np.full(self.hierarchy.size, len(self.true))
        return m.value(Tally({"decisions": decisions, **columns}), self.context(set()))

    def category_columns(self, measures: Sequence[Measure]) -> list[dict[str, NDArray[Any]]]:
        """Counts of each measure for every category, summed over all instances."""

        def work(batch: Batch) -> list[dict[str, NDArray[Any]]]:
            return [m.rows(batch, "category") for m in measures]

        total: list[dict[str, NDArray[Any]]] = []
        for part in self.each_chunk(work, measures):
            total = [{k: a[k] + b[k] for k in a} for a, b in zip(total, part, strict=True)] if total else part
        return total

    def explain(self, m: Measure, instance: int | str) -> Any:
        """How the value of one instance, by its position or its id, comes about."""
        position = instance
        if isinstance(instance, str):
            if self.ids is None or instance not in self.ids:
                raise LabelError(f"there is no instance with the id {instance!r}")
            position = self.ids.index(instance)
        if not isinstance(position, int) or not 0 <= position < len(self.true):
            raise LabelError(f"there is no instance {instance!r}; they run from 0 to {len(self.true) - 1:,}")
        true, pred = (side.rows.slice(position, position + 1) for side in (self.true, self.pred))
        return m.explain(Batch(self.context(LISTS & {*m.needs}), true, pred))

    def kinds(self) -> dict[str, int]:
        """Instances per kind of error."""
        counts = np.zeros(len(KINDS), dtype=np.int64)
        for codes in self.each_chunk(kind_codes, [], needs=["ancestors"]):
            counts += np.bincount(codes, minlength=len(KINDS))
        return dict(zip(KINDS, counts.tolist(), strict=True))


@dataclass(frozen=True)
class Scorer:
    """A scikit-learn scorer; see `make_scorer`."""

    measure: Measure
    hierarchy: Hierarchy
    classes: tuple[Label, ...] | None = None

    def __call__(self, estimator: Any, X: Any, y: Any, **_: Any) -> float:
        """Predict and score; losses are negated, so that greater is always better."""
        true, pred = self._labels(y), self._labels(estimator.predict(X))
        value = evaluate(true, pred, self.measure, hierarchy=self.hierarchy, jobs=1)[self.measure].value
        return value if self.measure.better == "higher" else -value

    def _labels(self, data: Any) -> Any:
        if self.classes is not None and getattr(data, "ndim", 1) == 2:
            return LabelSets.from_indicator(data, self.hierarchy, self.classes)
        return data


def make_scorer(measure: str | Measure, hierarchy: Hierarchy, *, classes: Sequence[Label] | None = None) -> Scorer:
    """A scorer for ``cross_val_score``, ``GridSearchCV`` and the like.

    Parameters
    ----------
    measure : str or Measure
        Losses are negated, as scikit-learn's own ``neg_*`` scorers do.
    hierarchy : Hierarchy
    classes : sequence, optional
        Names of the columns where labels and predictions are indicator matrices (for example
        ``MultiLabelBinarizer.classes_``).
    """
    return Scorer(parse_measure(measure), hierarchy, None if classes is None else tuple(classes))


def evaluation_json(results: Mapping[str, Scores], hierarchy: Hierarchy, instances: int) -> dict[str, Any]:
    """The object that ``--format json`` prints."""
    warnings = dict.fromkeys(f"{name}: {text}" if len(results) > 1 and text.startswith("predictions") else text
                             for name, scores in results.items() for text in scores.warnings)  # fmt: skip
    statistics = hierarchy.statistics()
    keep = ("kind", "classes", "links", "leaves", "depth (shortest paths)", "fingerprint")
    return {
        "schema": "branchmark.evaluation/1",
        "instances": instances,
        "hierarchy": {key.replace(" (shortest paths)", ""): statistics[key] for key in keep},
        "systems": [
            {"name": name, "scores": [score.to_dict() for score in scores], "kinds": scores.kinds}
            for name, scores in results.items()
        ],
        "warnings": list(warnings),
    }
