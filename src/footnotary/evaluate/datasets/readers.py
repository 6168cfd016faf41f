"""Readers of question sets: our own rows, BEIR, SQuAD 2, TREC RAG, RAGAS samples, and the legal seed's files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from footnotary.errors import UsageError
from footnotary.evaluate.datasets.labelled_rows import SUFFIXES, parse_json, read_lines, read_objects
from footnotary.evaluate.datasets.questions import (
    ROW_HINT,
    Dataset,
    QuestionSetBuilder,
    as_list,
    as_texts,
    stated_expectation,
)

_SOURCES = ("expected_sources", "sources", "expected", "relevant")
_SUFFIXES = (".gz", ".jsonl", ".json", ".tsv", ".txt")


def read_dataset(path: Path, form: str | None = None) -> Dataset:
    """The questions at `path`, in the given format, or else in the one detected from its files and keys.

    Raises `UsageError` with file and line for input that cannot be read in that format.
    """
    if not path.exists():
        raise UsageError(f"{path} does not exist", hint="check the path")
    if form is not None and form not in READERS:
        raise UsageError(f"unrecognized dataset format {form!r}", hint=f"choose from {', '.join(READERS)}")
    return READERS[form or detect_format(path)](path)


def detect_format(path: Path) -> str:
    """The name of the reader for the dataset at `path`."""
    if path.is_dir():
        if (path / "expected_sources.jsonl").is_file():
            return "legal-seed"
        if _find_file(path, "corpus") and _find_file(path, "queries"):
            return "beir"
        if _trec_topics(path):
            return "trec-rag"
        raise UsageError(
            f"{path}: unrecognized dataset format",
            hint="a folder must be BEIR (corpus, queries, qrels), TREC RAG (topics, qrels) or the legal seed (queries, "
            "expected_sources); your own rows go into a .jsonl file",
        )
    if path.name.endswith(".json"):
        content = _json(path)
        return "squad" if isinstance(content, dict) and "data" in content else "ragas"
    if not path.name.endswith(SUFFIXES):
        raise UsageError(f"{path} is not a file of questions", hint=f"use {', '.join(SUFFIXES)} or .json")
    first = next((row for _, row in _records(path)), dict[str, Any]())
    if "user_input" in first or ("ground_truth" in first and "contexts" in first):
        return "ragas"
    return "squad" if "context" in first and "answers" in first else "rows"


def _rows(path: Path) -> Dataset:
    found = QuestionSetBuilder(_stem(path))
    for place, row in _records(path):
        found.row(row, place)
    return found.dataset()


def _squad(path: Path) -> Dataset:
    """SQuAD 2 as published (data, paragraphs, qas), or one question per line with its `context`."""
    found = QuestionSetBuilder(_stem(path))
    if path.name.endswith(SUFFIXES):
        for place, row in _records(path):
            found.row(_squad_row(row, str(row.get("context") or ""), str(row.get("title") or ""), place), place)
        return found.dataset()
    content = _json(path)
    try:
        for article in content["data"]:
            for paragraph in article["paragraphs"]:
                for qa in paragraph["qas"]:
                    place = f"{path}, question {qa.get('id')}"
                    found.row(_squad_row(qa, paragraph["context"], article.get("title") or "", place), place)
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path} is not in SQuAD format: {error!r}", hint="expected keys: data, paragraphs, qas"
        ) from None
    return found.dataset()


def _squad_row(qa: Mapping[str, Any], context: str, title: str, place: str) -> dict[str, Any]:
    answers: Any = qa.get("answers") or []
    if isinstance(answers, dict):  # the format of the Hub: {"text": [...], "answer_start": [...]}
        answers = cast("dict[str, Any]", answers).get("text") or []
    given = [cast("dict[str, Any]", a).get("text", "") if isinstance(a, dict) else a for a in as_list(answers)]
    # Without an explicit flag, an answer without any text marks the question as unanswerable.
    expected = stated_expectation(qa, place) or ("answer" if any(str(a).strip() for a in given) else "refusal")
    kinds = as_texts(qa.get("tags"), "tags", place)
    return _own_keys(qa) | {
        "id": qa.get("id"),
        "question": qa.get("question"),
        "answers": given,
        "expected": expected,
        "passages": [{"text": context, "title": title.replace("_", " ")}],
        "tags": [*kinds, "unanswerable" if expected == "refusal" else "answerable"],
    }


def _own_keys(row: Mapping[str, Any]) -> dict[str, Any]:
    """Our own keys in a row of another format: its group, what is hidden from it, and whether it was reviewed."""
    return {key: row[key] for key in ("group", "without", "reviewed") if key in row}


def _ragas(path: Path) -> Dataset:
    """RAGAS samples, with old or new key names; their retrieved contexts are the corpus to answer from.

    Where a sample has `reference_contexts`, only those are relevant. Where it has no contexts, its
    `reference_context_ids` are passages of the user's own project.
    """
    found = QuestionSetBuilder(_stem(path))
    content = _json(path) if path.name.endswith(".json") else None
    if isinstance(content, dict):
        content = cast("dict[str, Any]", content).get("samples")
    if content is not None and not isinstance(content, list):
        raise UsageError(f"{path} is not a list of samples", hint='[{"user_input": "…", "reference": "…"}]')
    listed = cast("list[Any] | None", content)
    rows = _records(path) if listed is None else ((f"{path}, sample {n}", row) for n, row in enumerate(listed, 1))
    for place, row in rows:
        if not isinstance(row, dict):
            raise UsageError(f"{place} is not an object", hint=ROW_HINT)
        sample = cast("dict[str, Any]", row)
        retrieved = sample.get("retrieved_contexts") or sample.get("contexts")
        ids = found.relevant(as_texts(sample.get("reference_contexts"), "reference_contexts", place))
        if not ids and not retrieved:
            ids = list(as_texts(sample.get("reference_context_ids"), "reference_context_ids", place))
        for text in as_texts(retrieved, "retrieved_contexts", place):
            found.passage(text)
        answer = sample.get("reference") or sample.get("ground_truth") or sample.get("ground_truths")
        found.row(
            _own_keys(sample)
            | {
                "id": sample.get("id"),
                "question": sample.get("user_input") or sample.get("question"),
                "answers": answer,
                "relevant": ids or None,
                "expected": stated_expectation(sample, place),
                "tags": sample.get("tags") or sample.get("synthesizer_name"),
            },
            place,
        )
    return found.dataset()


def _beir(path: Path) -> Dataset:
    """A BEIR folder: `corpus`, `queries`, and relevance judgements in `qrels/test.tsv`, `dev.tsv` or the first file."""
    found = QuestionSetBuilder(path.name)
    for place, row in _records(_require_file(path, "corpus")):
        found.passage(str(row.get("text", "")), str(row.get("title") or ""), str(row.get("_id", row.get("id"))), place)
    inside = sorted((path / "qrels").glob("*.tsv")) if (path / "qrels").is_dir() else []
    chosen = next((f for name in ("test", "dev") for f in inside if f.stem == name), inside[0] if inside else None)
    relevance = _qrels(chosen or _require_file(path, "qrels"))
    for place, row in _records(_require_file(path, "queries")):
        identity = str(row.get("_id", row.get("id")))
        # A query without relevance judgements has unknown relevant passages.
        if identity in relevance:
            found.row({"id": identity, "question": row.get("text"), "relevant": relevance[identity] or None}, place)
    return found.dataset()


def _trec_rag(path: Path) -> Dataset:
    """Topics (`id<TAB>text` or JSONL), qrels, and segments where the folder contains them."""
    found = QuestionSetBuilder(path.name)
    for file in sorted(path.glob("*segment*.jsonl*")):
        for place, row in _records(file):
            text, title = row.get("segment", row.get("text", "")), row.get("title") or ""
            found.passage(str(text), str(title), str(row.get("docid", row.get("id"))), place)
    qrels = next(iter(sorted(path.glob("*qrels*"))), None)
    relevance = _qrels(qrels) if qrels else {}
    for file in _trec_topics(path):
        for place, identity, text in _topics(file):
            found.row({"id": identity, "question": text, "relevant": relevance.get(identity) or None}, place)
    return found.dataset()


def _legal_seed(path: Path) -> Dataset:
    """`queries.jsonl` with `expected_sources.jsonl`; an empty list of sources expects a refusal."""
    found = QuestionSetBuilder(path.name)
    expected: dict[str, dict[str, Any]] = {}
    for place, row in _records(path / "expected_sources.jsonl"):
        identity = _query_id(row)
        if identity is None:
            raise UsageError(
                f"{place}: the query id is missing", hint='{"query_id": "q1", "expected_sources": ["IPC_420_0"]}'
            )
        sources = next((row[k] for k in _SOURCES if row.get(k) is not None), ())
        kept = {k: v for k, v in row.items() if k in ("answer", "expected_answer", "should_refuse", "answerable")}
        if identity in expected:
            raise UsageError(f"{place}: duplicate query {identity!r}", hint="put all sources of a query into one row")
        expected[identity] = kept | {"relevant": sources}
    for place, row in _records(_require_file(path, "queries")):
        names = [name for name in (_query_id(row), row.get("query"), row.get("question")) if isinstance(name, str)]
        found.row(row | next((expected[name] for name in names if name in expected), dict[str, Any]()), place)
    return found.dataset()


READERS: dict[str, Callable[[Path], Dataset]] = {
    "rows": _rows,
    "beir": _beir,
    "squad": _squad,
    "trec-rag": _trec_rag,
    "ragas": _ragas,
    "legal-seed": _legal_seed,
}


def _query_id(row: Mapping[str, Any]) -> str | None:
    named = (row.get(key) for key in ("query_id", "qid", "id", "_id", "query", "question"))
    return next((str(found) for found in named if found is not None and found != ""), None)


def _qrels(path: Path) -> dict[str, dict[str, float]]:
    """{query: {id: gain}} of a BEIR file (header, three columns) or a TREC file (four columns, the second unused).

    Gains of zero or less are left out. A query with no other gains has an empty entry: nobody looked at the whole
    corpus, so it is not known to be unanswerable.
    """
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for number, line in read_lines(path):
        cells = line.split("\t") if line.count("\t") >= 2 else line.split()
        try:
            query, identity, gain = (cells[0], cells[-2], float(cells[-1]))
        except (ValueError, IndexError):
            if number == 1:
                continue
            raise UsageError(
                f"{path}, line {number} is not a relevance judgement", hint="expected columns: query, id, gain"
            ) from None
        gains = found[query]
        if not gain <= 0:
            gains[identity] = gain
    return found


def _topics(path: Path) -> Iterator[tuple[str, str, str]]:
    if path.name.endswith(SUFFIXES):
        for place, row in _records(path):
            yield place, _query_id(row) or "", str(row.get("title") or row.get("text") or row.get("query") or "")
        return
    for number, line in read_lines(path):
        identity, _, text = line.strip().partition("\t")
        yield f"{path}, line {number}", identity, text


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((f"{path}, line {number}", row) for number, row in read_objects(path, ROW_HINT))


def _json(path: Path) -> Any:
    try:
        return parse_json(path.read_text(encoding="utf-8-sig"))
    except (ValueError, OSError, RecursionError) as error:
        raise UsageError(f"{path} is not JSON: {error}", hint="check the file") from None


def _find_file(folder: Path, name: str) -> Path | None:
    files = sorted(file for file in folder.glob(f"{name}.*") if file.is_file() and file.suffix in _SUFFIXES)
    return files[0] if files else None


def _require_file(folder: Path, name: str) -> Path:
    found = _find_file(folder, name)
    if found is None:
        raise UsageError(
            f"{folder} has no {name} file", hint=f"add {name}.jsonl, or {name}.tsv for relevance judgements"
        )
    return found


def _trec_topics(folder: Path) -> list[Path]:
    return sorted(file for file in folder.glob("*topics*") if file.is_file() and file.suffix in _SUFFIXES)


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
