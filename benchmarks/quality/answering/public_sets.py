"""The kinds made of public data: encyclopaedic passages, privacy policies, a handbook, the Penal Code."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.quality.answering.trials import QuestionKind, SourceFile, TrialQuestion
from benchmarks.quality.answers import learned_passages
from benchmarks.quality.encoder_sets import read
from footnotary.text.sentences.splitter import sentences
from harness.grounding_rows import article_part

TEN = 10
Row = dict[str, Any]


def public_kinds(data: Path) -> Iterator[QuestionKind]:
    squad = [row for row in read(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz") if _unseen(row, data)]
    yield _one_passage(squad)
    yield _one_of_all_passages(squad)
    xquad = {language: read(data / "rag" / "xquad_en_hi" / f"xquad_{language}.jsonl.gz") for language in ("en", "hi")}
    yield _ten_passages(xquad["en"], "en", [row["passage"] for row in squad])
    yield _ten_passages(xquad["hi"], "hi", [])
    yield from _one_hindi_passage(xquad["hi"])
    yield _joined_passages(read(data / "rag" / "hotpot_dev100" / "hotpot_dev100.jsonl.gz"))
    policies = read(data / "rag" / "policyqa" / "dev.jsonl.gz")
    yield _policy_passage(policies)
    yield _whole_policy(policies)
    yield _handbook(data / "rag" / "gitlab_handbook_rag250")
    yield _penal_code(data)
    yield _off_topic(data, squad)


_seen: dict[Path, set[str]] = {}


def _unseen(row: Row, data: Path) -> bool:
    """Whether no verifier was trained on questions about the passage."""
    if data not in _seen:
        _seen[data] = learned_passages(data)
    return " ".join(row["passage"].split()) not in _seen[data]


def titled(name: str, title: str, text: str, language: str = "en") -> SourceFile:
    return SourceFile(f"{name}.txt", f"TITLE: {title}\nLANGUAGE: {language}\n\n{text}\n")


def _numbered(passages: Iterable[str]) -> dict[str, SourceFile]:
    """Each distinct passage as a file of its own."""
    distinct = list(dict.fromkeys(passages))
    return {text: SourceFile(f"passage{number}.txt", f"{text}\n") for number, text in enumerate(distinct)}


def _one_passage(rows: list[Row]) -> QuestionKind:
    files = _numbered(row["passage"] for row in rows)
    return QuestionKind(
        "one passage",
        [_squad_question(row, files[row["passage"]].name.removesuffix(".txt"), files) for row in rows],
        {file.name.removesuffix(".txt"): [file] for file in files.values()},
        limit=70,
        target=(0.15, 0.15),
        about="each question over its one passage",
    )


def _one_of_all_passages(rows: list[Row]) -> QuestionKind:
    files = _numbered(row["passage"] for row in rows)
    questions = [_squad_question(row, "all", files) for row in rows]
    return QuestionKind("all passages", questions, {"all": list(files.values())}, 30, about="the same, all indexed")


def _squad_question(row: Row, project: str, files: dict[str, SourceFile]) -> TrialQuestion:
    gold = frozenset({files[row["passage"]].name} if row["answerable"] else ())
    return TrialQuestion(row["question"], row["answerable"], project, gold, tuple(row["answers"]))


def _ten_passages(rows: list[Row], language: str, others: list[str]) -> QuestionKind:
    """The `others`, which no question asks for, make the passages found for a question closer to it."""
    texts = {row["para_id"]: row for row in rows}
    held = {" ".join(row["passage"].split()) for row in rows}
    files = [titled(name, row["title"].replace("_", " "), row["passage"], language) for name, row in texts.items()]
    files += _numbered(text for text in others if " ".join(text.split()) not in held).values()
    questions = [
        TrialQuestion(
            row["question"], answerable, "all", frozenset({f"{row['para_id']}.txt"}), tuple(row["answers"]),
            without=frozenset() if answerable else frozenset({f"{row['para_id']}.txt"}), passages=TEN,
        )
        for row in rows for answerable in (True, False)
        if language == "en" or article_part(row["title"]) == "measured"
    ]  # fmt: skip
    name = "ten passages" if language == "en" else "ten passages, Hindi"
    about = "ten passages that retrieval finds, with and without the one that answers"
    return QuestionKind(
        name, questions, {"all": files}, 40, target=(0.3, 0.12 if language == "en" else 0.25), about=about
    )


def _one_hindi_passage(rows: list[Row]) -> Iterator[QuestionKind]:
    """Its passage; for the other side that passage without the sentences of the answer, or another of its article."""
    asked = [row for row in rows if article_part(row["title"]) == "measured"]
    passages = {row["para_id"]: row for row in asked}
    files = {name: titled(name, row["title"].replace("_", " "), row["passage"], "hi") for name, row in passages.items()}
    projects = {name: [file] for name, file in files.items()}
    cut: list[TrialQuestion] = []
    other: list[TrialQuestion] = []
    chosen = random.Random(0)
    for row in asked:
        name, said = row["para_id"], tuple(row["answers"])
        right = TrialQuestion(row["question"], True, name, frozenset({f"{name}.txt"}), said)
        rest = " ".join(s for s in sentences(row["passage"]) if not any(answer in s for answer in said))
        if len(rest.split()) >= TEN:
            projects[row["id"]] = [titled(row["id"], row["title"].replace("_", " "), rest, "hi")]
            cut += [right, TrialQuestion(row["question"], False, row["id"])]
        others = sorted(n for n, held in passages.items() if held["title"] == row["title"] and n != name)
        other += [right, TrialQuestion(row["question"], False, chosen.choice(others))]
    yield QuestionKind(
        "one passage cut, Hindi",
        cut,
        projects,
        40,
        about="its passage, or the same without the sentences of the answer",
    )
    yield QuestionKind(
        "one passage, Hindi", other, projects, 40, about="its passage, or another one of the same article"
    )


def _joined_passages(rows: list[Row]) -> QuestionKind:
    questions: list[TrialQuestion] = []
    projects: dict[str, list[SourceFile]] = {}
    for number, row in enumerate(rows):
        project, context = f"q{number}", row["context"]
        names = {title: f"page{place}" for place, title in enumerate(context["title"])}
        texts = zip(context["title"], context["sentences"], strict=True)
        projects[project] = [titled(names[title], title, "".join(sentences)) for title, sentences in texts]
        gold = frozenset(f"{names[title]}.txt" for title in row["supporting_facts"]["title"])
        said = () if row["answer"] in ("yes", "no") else (row["answer"],)
        questions.append(TrialQuestion(row["question"], True, project, gold, said))
        questions.append(TrialQuestion(row["question"], False, project, without=gold))
    return QuestionKind(
        "two passages joined", questions, projects, 15, about="ten pages, two needed together or hidden"
    )


def _policy_passage(rows: list[Row]) -> QuestionKind:
    """The right passage, or one of the same policy that answers neither the question nor a related one."""
    by_policy, related = _segments(rows), _related_segments(rows)
    chosen = random.Random(0)
    questions: list[TrialQuestion] = []
    for row in rows:
        policy, project = row["policy"], f"{_code(row['policy'])}_{row['segment']}"
        questions.append(TrialQuestion(row["question"], True, project, _gold(row), tuple(row["answers"])))
        others = sorted(set(by_policy[policy]) - related[policy, row["question"]])
        if others:
            wrong = chosen.choice(others)
            questions.append(TrialQuestion(row["question"], False, f"{_code(policy)}_{wrong}"))
    projects = {f"{_code(p)}_{n}": [file] for p, files in by_policy.items() for n, file in files.items()}
    about = "its passage, or another one of the same policy"
    return QuestionKind("policy passage", questions, projects, 40, target=(0.15, 0.3), about=about)


def _whole_policy(rows: list[Row]) -> QuestionKind:
    by_policy, related = _segments(rows), _related_segments(rows)
    questions: list[TrialQuestion] = []
    for row in rows:
        policy, gold = row["policy"], related[row["policy"], row["question"]]
        names = frozenset(f"{_code(policy)}_{segment}.txt" for segment in gold)
        questions.append(TrialQuestion(row["question"], True, _code(policy), names, tuple(row["answers"])))
        if len(by_policy[policy]) - len(gold) >= TEN:
            questions.append(TrialQuestion(row["question"], False, _code(policy), without=names))
    projects = {_code(policy): list(files.values()) for policy, files in by_policy.items()}
    about = "the whole policy, with and without all passages of the question and of related ones"
    return QuestionKind("whole policy", questions, projects, 20, target=(None, 0.3), about=about)


def _segments(rows: list[Row]) -> dict[str, dict[int, SourceFile]]:
    found: dict[str, dict[int, SourceFile]] = defaultdict(dict)
    for row in rows:
        name = f"{_code(row['policy'])}_{row['segment']}"
        found[row["policy"]][row["segment"]] = titled(name, f"Privacy policy of {row['policy']}", row["passage"])
    return found


def _related_segments(rows: list[Row]) -> dict[tuple[str, str], set[int]]:
    """For each policy and question the passages that answer it or a question with the same answer somewhere."""
    together: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for row in rows:
        for answer in row["answers"]:
            together[row["policy"], row["segment"], answer].add(row["question"])
    relatives: dict[str, set[str]] = defaultdict(set)
    for questions in together.values():
        for question in questions:
            relatives[question] |= questions
    answered: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row in rows:
        answered[row["policy"], row["question"]].add(row["segment"])
    return {
        (policy, question): {n for other in relatives[question] for n in answered.get((policy, other), ())}
        for policy, question in answered
    }


def _gold(row: Row) -> frozenset[str]:
    return frozenset({f"{_code(row['policy'])}_{row['segment']}.txt"})


def _code(policy: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in policy)


def _handbook(folder: Path) -> QuestionKind:
    pages = {row["path"].removeprefix("content/handbook/"): row["text"] for row in read(folder / "docs.jsonl.gz")}
    files = [SourceFile(path.replace("/", "__"), text) for path, text in pages.items() if len(text.split()) > TEN]
    questions: list[TrialQuestion] = []
    for row in read(folder / "questions.jsonl"):
        gold = frozenset(path.replace("/", "__") for found in row["retrieval"] for path in found)
        if row["type"] == "Single-Text":
            questions.append(TrialQuestion(row["question"], True, "all", gold, (row["answer"],)))
            questions.append(TrialQuestion(row["question"], False, "all", without=gold))
    return QuestionKind("handbook", questions, {"all": files}, 35, target=(0.2, 0.2), about="its page there or hidden")


def _penal_code(data: Path) -> QuestionKind:
    """Half of the questions have their section removed, together with the sections of the others of that half."""
    rows = read(data / "corpora" / "law_mix" / "ipc_1860.jsonl")
    asked = read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")
    hidden = {row["gold_section"] for row in asked[::4]}
    projects = {"all": [_lines(rows)], "hidden": [_lines(row for row in rows if row["section"] not in hidden)]}
    questions = [
        TrialQuestion(r["question"], True, "all", frozenset({f"IPC_{r['gold_section']}"}), profile="legal")
        for r in asked
    ]
    questions += [TrialQuestion(r["question"], False, "hidden", profile="legal") for r in asked[::4]]
    about = "its section there or removed (a quarter of the sections asked for, together)"
    return QuestionKind("penal code", questions, projects, 45, target=(0.1, 0.08), about=about)


def _off_topic(data: Path, squad: list[Row]) -> QuestionKind:
    code = _lines(read(data / "corpora" / "law_mix" / "ipc_1860.jsonl"))
    questions = [TrialQuestion(row["question"], False, "all", profile="legal") for row in squad]
    return QuestionKind(
        "off topic", questions, {"all": [code]}, 30, target=(0.0, None), about="asked of the Penal Code"
    )


def _lines(rows: Iterable[Row]) -> SourceFile:
    return SourceFile("ipc_1860.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
